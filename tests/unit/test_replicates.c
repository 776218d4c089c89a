/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ftl/replicates.h"

static void test_interval(void **state)
{
	static const double two[] = { 1, 3 }, five[] = { 2, 4, 4, 5, 5 };
	double many[40];
	struct interval v;

	(void)state;
	v = replicates_interval(two, 1);
	assert_false(v.known);
	assert_true(v.mean == 1);
	/* deviation of the mean 1, Student 12.7062 */
	v = replicates_interval(two, 2);
	assert_true(v.known);
	assert_true(fabs(v.mean - 2) < 1e-12);
	assert_true(fabs(v.high - 14.7062) < 1e-3);
	assert_true(fabs(v.low + 10.7062) < 1e-3);
	/* mean 4, squares 6: sqrt(6 / 4 / 5) = 0.547723, Student 2.7764 */
	v = replicates_interval(five, 5);
	assert_true(fabs(v.high - (4 + 2.7764 * 0.547723)) < 1e-3);
	/* 39 degrees of freedom: 2.0227 */
	for (unsigned i = 0; i < 40; i++)
		many[i] = i % 2;
	v = replicates_interval(many, 40);
	assert_true(fabs((v.high - 0.5) / sqrt(10.0 / 39 / 40) - 2.0227) < 0.004);
}

/* The interval holds the mean of long runs as often as it says: 20 groups of 5 short ones. */
static void test_coverage(void **state)
{
	enum { GROUPS = 40, RUNS = 5 };
	double means[GROUPS][RUNS], all = 0;
	unsigned covered = 0;

	(void)state;
	for (unsigned i = 0; i < GROUPS * RUNS; i++) {
		struct simulation_config c = {
			.device = { .logical_pages = 2000, .pages_per_block = 16 },
			.page_bytes = 4096,
			.spare = .15,
			.end = END_WRITES,
			.writes = 8000,
			.has_warmup = true,
			.warmup = 8000,
			.seed = 100 + i,
		};
		struct simulation_result r;
		struct simulation *s = NULL;

		assert_int_equal(simulation_plan(&c, NULL), 0);
		assert_int_equal(simulation_new(&c, NULL, NULL, &s), 0);
		while (simulation_step(s, 1 << 20))
			;
		simulation_result_of(s, &r);
		means[i / RUNS][i % RUNS] = r.waf.mean;
		all += r.waf.mean / (GROUPS * RUNS);
		simulation_free(s);
	}
	for (unsigned i = 0; i < GROUPS; i++) {
		struct interval v = replicates_interval(means[i], RUNS);

		covered += v.low <= all && all <= v.high;
	}
	/* of 40 at 95 %, fewer than 34 come about once in 300 times */
	assert_true(covered >= 34);
}

static void test_pool(void **state)
{
	struct simulation_result runs[2] = { 0 }, r;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		runs[i].reached = true;
		runs[i].measured.host_writes = 100 * (i + 1);
		runs[i].measured.programs[FTL_GC] = 10 * (i + 1);
		runs[i].requests.reads = 7;
		runs[i].host_bytes = 1000;
		runs[i].wear = (struct ftl_wear){ 5 + i, 20 + i, 10 + i, 2 };
		runs[i].total.host_writes = 500;
	}
	replicates_pool(runs, 2, false, &r);
	assert_true(r.reached);
	assert_int_equal(r.measured.host_writes, 300);
	assert_int_equal(r.measured.programs[FTL_GC], 30);
	assert_int_equal(r.requests.reads, 14);
	assert_true(r.host_bytes == 2000);
	assert_int_equal(r.wear.least, 5);
	assert_int_equal(r.wear.most, 21);
	assert_true(fabs(r.wear.mean - 10.5) < 1e-12);
	runs[1].reached = false;
	replicates_pool(runs, 2, true, &r);
	assert_false(r.reached);
	assert_true(r.host_bytes == 1000); /* of one life */
	assert_int_equal(r.total.host_writes, 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "ftl/analytic.h"

/*
 * The 95 % interval of one run, over many runs of other seeds: it covers the long-run mean in 90 to
 * 99 % of them. That mean is the average of all runs, which is some twenty times as sure.
 */
#define REPLICATES 200
#define LEAST	   0.90
#define MOST	   0.99

struct scene {
	const char *policy, *workload;
	uint32_t pages, b;
	double spare;
	enum simulation_end end;
	uint64_t writes; /* or */
	double precision;
};

static struct interval run(const struct scene *s, uint64_t seed)
{
	struct simulation_config c = {
		.device = { .logical_pages = s->pages, .pages_per_block = s->b },
		.page_bytes = 4096,
		.spare = s->spare,
		.end = s->end,
		.writes = s->writes,
		.precision = s->precision,
		.has_warmup = s->end == END_WRITES,
		.warmup = 6 * s->pages,
		.seed = seed,
	};
	struct simulation_result r;
	struct simulation *x = NULL;

	assert_int_equal(victim_parse(s->policy, &c.device.victim, NULL), 0);
	assert_int_equal(workload_parse(s->workload, &c.workload, NULL), 0);
	assert_int_equal(simulation_plan(&c, NULL), 0);
	assert_int_equal(simulation_new(&c, NULL, NULL, &x), 0);
	while (simulation_step(x, 1 << 20))
		;
	simulation_result_of(x, &r);
	simulation_free(x);
	assert_true(r.waf.known);
	return r.waf;
}

static void covers(const struct scene *s)
{
	static struct interval v[REPLICATES];
	unsigned covered = 0;
	double mean = 0;

	for (unsigned i = 0; i < REPLICATES; i++) {
		v[i] = run(s, 1000 + i);
		mean += v[i].mean / REPLICATES;
	}
	for (unsigned i = 0; i < REPLICATES; i++)
		covered += v[i].low <= mean && mean <= v[i].high;
	if (covered < LEAST * REPLICATES || covered > MOST * REPLICATES)
		fail_msg("%s, %s: %u of %u intervals cover the mean %.4f", s->policy, s->workload,
			 covered, REPLICATES, mean);
}

static void of_a_length(void **state)
{
	static const struct scene scenes[] = {
		{ "greedy", "uniform", 4000, 32, .1, END_WRITES, 16000, 0 },
		{ "fifo", "hotcold:0.2,0.8", 3000, 32, .15, END_WRITES, 12000, 0 },
		{ "greedy", "zipf:0.9", 2000, 16, .12, END_WRITES, 10000, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++)
		covers(&scenes[i]);
}

/* A run that stops as soon as its interval is narrow enough stops too early at times. */
static void of_a_precision(void **state)
{
	static const struct scene scenes[] = {
		{ "greedy", "uniform", 1500, 16, .1, END_PRECISION, 0, .008 },
		{ "greedy", "hotcold:0.2,0.7", 1000, 16, .2, END_PRECISION, 0, .01 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++)
		covers(&scenes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_length),
		cmocka_unit_test(of_a_precision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "ftl/analytic.h"
#include "ftl/device.h"

/*
 * The models of refresh, parity, write cache and cold data against the device itself, at points of
 * several kinds: within 1 %, of reads 2 % (blocks of few reads differ in their ages).
 */
#define WITHIN	     0.01
#define READS_WITHIN 0.02
#define PAGES	     (1u << 16)
#define WARM_UP	     8 /* times the drive */
#define MEASURE	     10

static void assert_within(double got, double want, double share, const char *what)
{
	if (!(fabs(got - want) <= share * want))
		fail_msg("%s: %.5g is not within %g %% of %.5g", what, got, share * 100, want);
}

struct point {
	const char *policy, *workload;
	double spare;
	uint32_t b;
	uint32_t stripe;
	double age;	     /* of refresh, in times the drive; 0: none */
	double reads, limit; /* a page written; of a block */
	double cache;	     /* share of the logical pages; 0: none */
};

static struct simulation_config config_of(const struct point *p)
{
	struct simulation_config c = {
		.device = { .logical_pages = PAGES, .pages_per_block = p->b },
		.layout = { .stripe = p->stripe },
		.reads = p->reads,
		.page_bytes = 4096,
		.spare = p->spare,
		.engine = ENGINE_PAGES,
		.end = END_WRITES,
		.seed = 3,
	};

	c.device.refresh_age = (uint64_t)(p->age * PAGES);
	c.device.read_limit = (uint32_t)p->limit;
	assert_int_equal(victim_parse(p->policy, &c.device.victim, NULL), 0);
	assert_int_equal(workload_parse(p->workload, &c.workload, NULL), 0);
	assert_int_equal(simulation_plan(&c, NULL), 0);
	return c;
}

static uint64_t programs(const struct ftl *f, const struct pslc *cache)
{
	uint64_t n = cache->totals.programs;

	for (unsigned i = 0; i < FTL_CAUSES; i++)
		n += ftl_totals_of(f)->programs[i];
	return n;
}

static void write_page(struct ftl *f, struct pslc *cache, uint32_t page)
{
	if (cache->config.mode == PSLC_NONE) {
		assert_int_equal(ftl_write(f, &page, 1), 1);
		return;
	}
	while (!pslc_write(cache, page))
		assert_true(pslc_fold_block(cache) >= 0);
}

/* Pages programmed for each page that the host writes. */
static double simulated(const struct point *p, const struct pslc_config *pslc)
{
	const struct simulation_config c = config_of(p);
	struct ftl *f = NULL;
	struct pslc cache;
	struct writer w;
	uint64_t before = 0, start = 0;

	assert_int_equal(ftl_new(&c.device, NULL, NULL, &f), 0);
	assert_int_equal(pslc_start(&cache, pslc, f, c.page_bytes, 1, NULL), 0);
	for (uint32_t page = 0; page < PAGES; page++)
		write_page(f, &cache, page);
	writer_start(&w, &c.workload, PAGES, c.page_bytes, c.seed);
	for (uint64_t i = 0; i < (uint64_t)PAGES * (WARM_UP + MEASURE); i++) {
		uint32_t page;

		if (i == (uint64_t)PAGES * WARM_UP) {
			before = programs(f, &cache);
			start = i;
		}
		writer_next(&w, &page, 1);
		write_page(f, &cache, page);
		if (p->limit > 0)
			ftl_read_uniform(f, (size_t)p->reads);
		if (p->age > 0)
			ftl_advance(f, i);
	}
	before = programs(f, &cache) - before;
	pslc_release(&cache);
	ftl_free(f);
	return (double)before / (double)((uint64_t)PAGES * (WARM_UP + MEASURE) - start);
}

static void compare(const struct point *p, double within)
{
	const struct simulation_config c = config_of(p);
	const struct pslc_config pslc = {
		.mode = p->cache > 0 ? PSLC_STATIC : PSLC_NONE,
		.overflow = PSLC_FOLD_FIRST,
		.bytes = (uint64_t)(p->cache * PAGES) * 4096,
	};
	struct analytic_answer answer;
	struct diag d = { 0 };

	if (analytic_answer_cached(&c, &pslc, 1, &answer, &d) < 0)
		fail_msg("%s, %s: %s", p->policy, p->workload, d.text);
	assert_within(answer.waf, simulated(p, &pslc), within, answer.model);
}

static void refresh(void **state)
{
	static const struct point points[] = {

		{ "greedy", "uniform", .09, 64, .age = 1.2 },
		{ "greedy", "uniform", .16, 32, .age = 0.4 },
		{ "greedy", "uniform", .22, 96, .age = 0.5 },
		{ "greedy", "uniform", .13, 64, .age = 0.22 },
		{ "greedy", "uniform", .3, 64, .age = 1 },
		{ "fifo", "uniform", .12, 64, .age = 0.15 },
		{ "fifo", "hotcold:0.2,0.7", .18, 64, .age = 0.2 },
		{ "random", "uniform", .15, 64, .age = 0.35 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		compare(&points[i], WITHIN);
}

static void parity(void **state)
{
	static const struct point points[] = {
		{ "greedy", "uniform", .11, 60, .stripe = 15 },
		{ "fifo", "hotcold:0.3,0.8", .19, 64, .stripe = 7 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		compare(&points[i], WITHIN);
}

static void write_cache(void **state)
{
	static const struct point points[] = {
		{ "greedy", "uniform", .08, 64, .cache = 0.1 },
		{ "greedy", "uniform", .15, 128, .cache = 0.4 },
		{ "fifo", "hotcold:0.15,0.8", .12, 64, .cache = 0.08 },
		{ "fifo", "uniform", .12, 64, .cache = 0.2, .age = 0.15 },
		{ "random", "uniform", .2, 64, .cache = 0.1, .stripe = 16 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		compare(&points[i], WITHIN);
}

/* A half that is never written; and a random victim whatever is written. */
static void cold_data(void **state)
{
	static const struct point points[] = {
		{ "greedy", "hotcold:0.5,1", .08, 64, .age = 0 },
		{ "greedy", "hotcold:0.25,1", .2, 32, .age = 0 },
		{ "fifo", "hotcold:0.6,1", .17, 64, .age = 0 },
		{ "random", "hotcold:0.2,0.9", .23, 64, .age = 0 },
		{ "random", "zipf:0.9", .23, 64, .age = 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++)
		compare(&points[i], WITHIN);
}

/* Read so often, a block is refreshed at nearly the same age as all others. */
static void read_disturb(void **state)
{
	static const struct point points[] = {
		{ "greedy", "uniform", .1, 64, .reads = 4, .limit = 60 },
		{ "greedy", "uniform", .2, 64, .reads = 8, .limit = 150 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(points); i++) {
		assert_true(
			isfinite(analytic_read_age(points[i].reads, points[i].limit, points[i].b)));
		compare(&points[i], READS_WITHIN);
	}
	assert_true(isinf(analytic_read_age(1, 64, 64)));
}

/* Where the models meet those without refresh or cache. */
static void limits(void **state)
{
	const struct analytic_groups one = { 1, { 1 }, { 1 } };

	(void)state;
	for (double spare = 0.03; spare < 0.6; spare += 0.13) {
		assert_within(analytic_greedy_refreshed(spare, 64, 30), analytic_greedy(spare, 64),
			      1e-9, "late refresh");
		assert_within(analytic_greedy_refreshed(spare, 4096, 1e4),
			      analytic_greedy(spare, 4096), 1e-9, "no refresh");
		assert_within(analytic_random_refreshed(spare, 600), analytic_random(spare), 1e-9,
			      "random, late refresh");
		/* refresh alone, once each 0.01 of the drive */
		assert_within(analytic_greedy_refreshed(spare, 64, .01), 1 / -expm1(-.01), 1e-6,
			      "early refresh");
		assert_within(analytic_fifo_cached(spare, &one, 0, INFINITY).main,
			      analytic_fifo(spare), 1e-9, "no cache");
		assert_within(analytic_fifo_cached(spare, &one, .3, INFINITY).main,
			      exp(-.3) * analytic_fifo(1 - (1 - spare) * exp(-.3)), 1e-9, "cache");
		/* more refresh is never cheaper */
		for (double age = 4, waf = 1; age > .05; age *= .8) {
			double more = analytic_greedy_refreshed(spare, 48, age);

			assert_true(more >= waf * (1 - 1e-9));
			waf = more;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refresh),	cmocka_unit_test(parity),
		cmocka_unit_test(write_cache),	cmocka_unit_test(cold_data),
		cmocka_unit_test(read_disturb), cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

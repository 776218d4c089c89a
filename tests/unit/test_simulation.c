/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "ftl/analytic.h"
#include "ftl/simulation.h"

/* Sanitizers make the long runs too long: a part of them finds the same faults. */
#ifdef __SANITIZE_ADDRESS__
#define ROWS_A_STEP 5
#else
#define ROWS_A_STEP 1
#endif

static struct simulation_config config_of(uint32_t pages, uint32_t b, double spare,
					  const char *policy, const char *workload)
{
	struct simulation_config c = {
		.device = { .logical_pages = pages, .pages_per_block = b },
		.page_bytes = 4096,
		.spare = spare,
		.precision = 0.004,
		.seed = 1,
	};

	assert_int_equal(victim_parse(policy, &c.device.victim, NULL), 0);
	assert_int_equal(workload_parse(workload, &c.workload, NULL), 0);
	return c;
}

static struct simulation *run(struct simulation_config c)
{
	struct simulation *s = NULL;

	assert_int_equal(simulation_plan(&c, NULL), 0);
	assert_int_equal(simulation_new(&c, NULL, NULL, &s), 0);
	while (simulation_step(s, 1 << 20))
		;
	return s;
}

static double waf_of(struct simulation_config c)
{
	struct simulation *s = run(c);
	struct simulation_result r;

	simulation_result_of(s, &r);
	assert_true(r.reached);
	simulation_free(s);
	return r.waf.mean;
}

static void assert_within(double got, double want, double share, const char *what)
{
	if (!(fabs(got - want) <= share * want))
		fail_msg("%s: %.5g is not within %g %% of %.5g", what, got, share * 100, want);
}

/*
 * Long runs of an independent simulator: uniform writes at N = T / b of 17,600 and more, windows at
 * N = 4,404, trims of the same drive.
 */
static void uniform_reference(void **state)
{
	static const struct {
		double spare, waf;
		const char *policy;
		uint32_t b;
		double trim;
	} rows[] = {
		{ .05, 8.8513, "greedy", 64, 0 },      { .05, 9.7998, "greedy", 256, 0 },
		{ .07, 6.6164, "greedy", 64, 0 },      { .07, 7.1251, "greedy", 256, 0 },
		{ .10, 4.8213, "greedy", 64, 0 },      { .10, 5.0828, "greedy", 256, 0 },
		{ .20, 2.5993, "greedy", 64, 0 },      { .20, 2.6687, "greedy", 256, 0 },
		{ .28, 1.9426, "greedy", 64, 0 },      { .28, 1.9792, "greedy", 256, 0 },
		{ .05, 10.1724, "fifo", 64, 0 },       { .28, 1.9916, "fifo", 256, 0 },
		{ .07, 1 / .07, "random", 64, 0 },     { .07, 9.631, "choices:2", 64, 0 },
		{ .07, 7.720, "choices:4", 64, 0 },    { .07, 6.896, "choices:10", 64, 0 },
		{ .07, 7.289, "windowed:16", 64, 0 },  { .07, 7.209, "windowed:64", 64, 0 },
		{ .07, 7.010, "windowed:256", 64, 0 }, { .07, 6.697, "windowed:1024", 64, 0 },
		{ .07, 2.945, "greedy", 64, .1 },      { .07, 1.295, "greedy", 64, .3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i += ROWS_A_STEP) {
		bool windowed = strncmp(rows[i].policy, "windowed", 8) == 0;
		uint32_t pages = windowed ? (uint32_t)(4404 * 64 * .93) : 1 << 20;
		struct simulation_config c = config_of(pages, rows[i].b, rows[i].spare,
						       rows[i].policy, "uniform");

		c.trim = rows[i].trim;
		assert_within(waf_of(c), rows[i].waf, .005, rows[i].policy);
	}
}

/* A tenth of the pages gets nine tenths of the writes; b = 64, N = 8,800. */
static void hot_and_cold_reference(void **state)
{
	static const struct {
		double spare, waf;
		const char *policy;
		bool separate_gc, oracle;
		enum victim_ties ties;
	} rows[] = {
		{ .07, 7.790, "greedy", false, false, TIES_NEWEST },
		{ .07, 7.439, "greedy", true, false, TIES_NEWEST },
		{ .07, 7.13, "greedy", true, false, TIES_RANDOM },
		{ .07, 7.09, "greedy", true, false, TIES_OLDEST },
		{ .28, 2.684, "greedy", false, false, TIES_NEWEST },
		{ .28, 2.345, "greedy", true, false, TIES_NEWEST },
		{ .28, 1.939, "greedy", false, true, TIES_NEWEST },
		{ .28, 2.727, "fifo", false, false, TIES_NEWEST },
		{ .28, 1.768, "choices:10", true, false, TIES_NEWEST },
		{ .28, 2.668, "cost-benefit", false, false, TIES_NEWEST },
		{ .28, 1.512, "cost-benefit", true, false, TIES_NEWEST },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i += ROWS_A_STEP) {
		uint32_t pages = (uint32_t)(8800 * 64 * (1 - rows[i].spare));
		struct simulation_config c = config_of(pages, 64, rows[i].spare, rows[i].policy,
						       "hotcold:0.1,0.9");

		c.device.separate_gc = rows[i].separate_gc;
		c.device.victim.ties = rows[i].ties;
		c.separate_oracle = rows[i].oracle;
		assert_within(waf_of(c), rows[i].waf, .01, rows[i].policy);
	}
}

/* Between and beyond the points of the references: what formulas and the mean field say. */
static void other_points(void **state)
{
	static const struct {
		double spare;
		const char *policy, *workload;
		uint32_t b;
		double trim;
		bool oracle;
	} rows[] = {
		{ .12, "greedy", "uniform", 32, 0, false },
		{ .15, "greedy", "uniform", 128, 0, false },
		{ .35, "greedy", "uniform", 512, 0, false },
		{ .15, "fifo", "uniform", 32, 0, false },
		{ .35, "choices:3", "uniform", 128, 0, false },
		{ .12, "greedy", "uniform", 64, .2, false },
		{ .15, "fifo", "hotcold:0.2,0.8", 128, 0, false },
		{ .35, "fifo", "hotcold:0.05,0.6", 32, 0, false },
		{ .15, "greedy", "hotcold:0.2,0.8", 64, 0, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct simulation_config c = config_of(1 << 19, rows[i].b, rows[i].spare,
						       rows[i].policy, rows[i].workload);
		struct analytic_answer model;
		bool uniform = !strcmp(rows[i].workload, "uniform");

		c.trim = rows[i].trim;
		c.separate_oracle = rows[i].oracle;
		assert_int_equal(simulation_plan(&c, NULL), 0);
		assert_int_equal(analytic_answer(&c, &model, NULL), 0);
		assert_within(waf_of(c), model.waf, uniform ? .005 : .01, rows[i].workload);
	}
}

static void jesd219_reference(void **state)
{
	struct simulation_config c = config_of(1 << 20, 256, .28, "greedy", "jesd219");
	struct simulation *s = run(c);
	struct simulation_result r;

	(void)state;
	simulation_result_of(s, &r);
	assert_within(r.waf.mean, 2.431, .01, "one frontier");
	assert_within((double)r.measured.host_writes * 4096 / r.host_bytes, 1.032, .002, "bytes");
	simulation_free(s);
	c.device.separate_gc = true;
	assert_within(waf_of(c), 2.201, .01, "two frontiers");
}

/* Blocks of 300 erases, give or take 10 %: host writes over the drive's size until the end. */
static void end_of_life_reference(void **state)
{
	struct simulation_config c = config_of(1 << 16, 64, .28, "greedy", "uniform");
	struct simulation *s;
	struct simulation_result r;

	(void)state;
	c.device.pe_cycles = 300;
	c.device.pe_cv = .1;
	c.end = END_DEATH;
	s = run(c);
	simulation_result_of(s, &r);
	assert_true(r.reached);
	assert_within((double)r.total.host_writes / (1 << 16), 189, .05, "end of life");
	/* the last page of the spare is never reached: collection gains less and less */
	assert_in_range(r.retired_blocks, 200, 400);
	simulation_free(s);
}

/* A drive of 4,404 blocks whose hot and cold pages wear it for so many erases of a block. */
static struct ftl_wear wear_after(struct simulation_config c, double erases)
{
	const struct ftl *f;
	struct simulation *s = NULL;
	struct ftl_wear wear;

	c.end = END_WRITES;
	c.has_warmup = true;
	c.writes = UINT64_MAX / 2;
	assert_int_equal(simulation_plan(&c, NULL), 0);
	assert_int_equal(simulation_new(&c, NULL, NULL, &s), 0);
	f = simulation_device(s);
	while ((double)ftl_totals_of(f)->erases < erases * c.device.blocks)
		(void)!simulation_step(s, 1 << 9);
	wear = ftl_wear_of(f);
	simulation_free(s);
	return wear;
}

/*
 * Deviation of the erase counts over their mean. First in, first out takes all blocks in turn: a
 * share p of them is one erase ahead, so the deviation is that of a drawing with p, and .006 at
 * about 50 erases is one where p is a tenth.
 */
static void erase_spreads(void **state)
{
	struct simulation_config c = config_of(4404 * 64 * 93 / 100, 64, .07, "fifo",
					       "hotcold:0.1,0.9");
	struct ftl_wear w = wear_after(c, 50.1);
	double p = w.mean - floor(w.mean);

	(void)state;
	assert_within(w.deviation, sqrt(p * (1 - p)), .01, "fifo");
	assert_within(w.deviation / w.mean, .006, .15, "fifo");
	assert_int_equal(w.most - w.least, 1);
	c.device.victim.policy = VICTIM_GREEDY;
	w = wear_after(c, 50);
	assert_within(w.deviation / w.mean, .17, .15, "greedy");
	c.device.separate_gc = true;
	w = wear_after(c, 50);
	assert_within(w.deviation / w.mean, .38, .15, "host and collection apart");
}

/* With hot and cold streams the wear depends on which of them takes a free block. */
static void erase_spreads_of_streams(void **state)
{
	struct simulation_config c = config_of(4404 * 64 * 93 / 100, 64, .07, "greedy",
					       "hotcold:0.1,0.9");
	struct ftl_wear w;

	(void)state;
	c.separate_oracle = true;
	w = wear_after(c, 50);
	assert_within(w.deviation / w.mean, 1.17, .15, "own");
	for (unsigned reuse = REUSE_LAST; reuse < BLOCK_REUSE_COUNT; reuse++) {
		c.device.reuse = (enum block_reuse)reuse;
		w = wear_after(c, 50);
		assert_true(w.deviation / w.mean < .5);
	}
	c.device.leveling = WEAR_LEVELING_STATIC;
	c.device.leveling_spread = 20;
	w = wear_after(c, 50);
	assert_in_range(w.most - w.least, 0, 30);
}

/* Parity, compression, bad blocks: the spare that is left, and what the flash programs for it. */
static void layouts(void **state)
{
	static const struct {
		struct flash_layout layout;
		uint32_t held_back, pages_per_block;
		double spare, flash_pages; /* of the device, and for each page that it programs */
	} rows[] = {
		{ { .superblock = 4 }, 0, 256, .2, 1 },
		{ { .superblock = 4, .stripe = 15 }, 0, 240, .1467, 16 / 15. },
		{ { .superblock = 4, .stripe = 7, .flash_share = .5 }, 0, 448, .0857, 4 / 7. },
		{ { .flash_share = .5 }, 0, 128, .2, .5 },
		{ { .bad_share = .05 }, 0, 64, .1579, 1 },
		{ { .bad_share = .01 }, 64, 64, .1488, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct simulation_config c = config_of(1 << 16, 64, .2, "greedy", "uniform");
		struct analytic_answer model;
		double waf;

		c.layout = rows[i].layout;
		c.device.held_back = rows[i].held_back;
		assert_int_equal(simulation_plan(&c, NULL), 0);
		assert_int_equal(c.device.pages_per_block, rows[i].pages_per_block);
		assert_within(simulation_spare(&c), rows[i].spare, .02, "spare");
		assert_int_equal(analytic_answer(&c, &model, NULL), 0);
		waf = waf_of(c);
		assert_within(waf, model.waf, .015, "simulated against the model");
	}
}

/* Numbers of one seed, pinned: they may differ on no machine. */
static void same_everywhere(void **state)
{
	static const struct {
		const char *policy, *workload;
		bool pages;
		uint64_t collected;
	} rows[] = {
		{ "greedy", "uniform", true, 174268 },
		{ "greedy", "uniform", false, 173246 },
		{ "choices:3", "zipf:1.2", true, 254654 },
		{ "cost-benefit", "jesd219", true, 171003 },
		{ "windowed:50", "hotcold:0.2,0.8", true, 198911 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct simulation_config c = config_of(10000, 32, .1, rows[i].policy,
						       rows[i].workload);
		struct simulation_result r;
		struct simulation *s;

		c.end = END_WRITES;
		c.writes = 50000;
		c.has_warmup = true;
		c.engine = rows[i].pages ? ENGINE_PAGES : ENGINE_AUTO;
		s = run(c);
		simulation_result_of(s, &r);
		assert_int_equal(r.measured.host_writes, 50000);
		if (r.measured.programs[FTL_GC] != rows[i].collected)
			fail_msg("%s, %s: %llu", rows[i].policy, rows[i].workload,
				 (unsigned long long)r.measured.programs[FTL_GC]);
		simulation_free(s);
	}
}

/* How a run is cut into steps does not change it. */
static void steps_do_not_matter(void **state)
{
	struct simulation_config c = config_of(5000, 32, .1, "greedy", "hotcold:0.1,0.9");
	struct simulation_result whole, cut;
	struct simulation *a = run(c), *b = NULL;
	double progress = 0;

	(void)state;
	assert_int_equal(simulation_plan(&c, NULL), 0);
	assert_int_equal(simulation_new(&c, NULL, NULL, &b), 0);
	while (simulation_step(b, 777)) {
		progress = simulation_progress(b);
		assert_true(progress >= 0 && progress <= 1);
	}
	simulation_result_of(a, &whole);
	simulation_result_of(b, &cut);
	assert_int_equal(whole.total.erases, cut.total.erases);
	assert_memory_equal(&whole.measured, &cut.measured, sizeof(cut.measured));
	simulation_free(a);
	simulation_free(b);
}

static void refusals(void **state)
{
	static const struct {
		const char *policy, *workload;
		uint32_t pages, b;
		double spare;
		enum simulation_engine engine;
		bool oracle;
		const char *why;
	} rows[] = {
		{ "greedy", "uniform", 65536, 256, 0, 0, false, "a spare share of 0.003892" },
		{ "greedy", "zipf:1", 65536, 256, .1, ENGINE_COUNTS, false, "engine 'pages'" },
		{ "greedy", "uniform", 65536, 256, .1, 0, true, "no hot and cold pages" },
		{ "greedy", "hotcold:0.001,0.9", 100, 4, .1, 0, true, "too few" },
		{ "greedy", "uniform", 0, 4, .1, 0, false, "0 logical pages" },
		{ "greedy", "uniform", 4294967290, 2, .9, 0, false, "32 bits" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct simulation_config c = config_of(rows[i].pages, rows[i].b, rows[i].spare,
						       rows[i].policy, rows[i].workload);
		struct simulation *s = NULL;
		struct diag d = { 0 };

		c.engine = rows[i].engine;
		c.separate_oracle = rows[i].oracle;
		if (simulation_plan(&c, &d) == 0)
			assert_true(simulation_new(&c, NULL, &d, &s) < 0);
		if (!strstr(d.text, rows[i].why))
			fail_msg("row %zu: '%s' does not say '%s'", i, d.text, rows[i].why);
	}
}

/* The least spare that the refusal names is enough. */
static void nearest_value_works(void **state)
{
	struct simulation_config c = config_of(6400, 64, 0, "greedy", "hotcold:0.5,0.6");

	(void)state;
	c.has_blocks = true;
	for (unsigned streams = 1; streams <= 2; streams++) {
		c.device.separate_gc = streams == 2;
		c.data_blocks = 1;
		assert_int_equal(simulation_plan(&c, NULL), -EINVAL);
		c.data_blocks = ftl_least_blocks(&c.device) - ftl_reserve_blocks(&c.device);
		c.end = END_WRITES;
		c.writes = 100000;
		simulation_free(run(c));
	}
}

static void names(void **state)
{
	static const char *const good[] = { "greedy", "windowed:64", "fifo",
					    "random", "choices:3",   "cost-benefit" };
	static const char *const bad[] = { "",		"greedy:1", "windowed",	   "windowed:0",
					   "choices:x", "choices:", "choices:1001" };
	static const char *const loads[] = { "uniform", "sequential", "hotcold:0.1,0.9",
					     "zipf:0.99", "jesd219" };
	static const char *const bad_loads[] = { "hotcold",	"hotcold:0.1", "hotcold:0,1",
						 "hotcold:2,3", "zipf",	       "zipf:-1",
						 "uniform:1",	"jesd" };
	struct victim_choice v = { 0 };
	struct workload w;
	char text[WORKLOAD_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(victim_parse(good[i], &v, NULL), 0);
		assert_string_equal(victim_text(&v, text), good[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(victim_parse(bad[i], &v, NULL), -EINVAL);
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		assert_int_equal(workload_parse(loads[i], &w, NULL), 0);
		assert_string_equal(workload_text(&w, text), loads[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad_loads); i++)
		assert_int_equal(workload_parse(bad_loads[i], &w, NULL), -EINVAL);
}

/* Drawn frequencies against the shares that they are drawn for. */
static void zipf_frequencies(void **state)
{
	static const double exponents[] = { 0, 0.5, 0.99, 1, 1.3 };
	enum { PAGES = 1000, DRAWS = 1 << 20 };
	static unsigned counts[PAGES];
	static uint32_t drawn[DRAWS];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(exponents); i++) {
		const struct workload w = { WORKLOAD_ZIPF, .exponent = exponents[i] };
		double chi_squared = 0, before = 0;
		struct writer writer;

		memset(counts, 0, sizeof(counts));
		writer_start(&writer, &w, PAGES, 4096, 1);
		writer_next(&writer, drawn, DRAWS);
		for (unsigned k = 0; k < DRAWS; k++)
			counts[drawn[k]]++;
		for (unsigned k = 0; k < PAGES; k++) {
			double share = zipf_share(exponents[i], PAGES, k + 1);
			double expected = (share - before) * DRAWS;

			chi_squared += (counts[k] - expected) * (counts[k] - expected) / expected;
			before = share;
		}
		/* 999 degrees of freedom: mean 999, deviation 45 */
		assert_true(chi_squared > 999 - 4 * 45 && chi_squared < 999 + 4 * 45);
	}
}

/* Of independent batches the interval covers the mean as often as it says. */
static void interval_covers(void **state)
{
	unsigned covered = 0;
	struct rng r;

	(void)state;
	rng_seed(&r, 1, 0);
	for (unsigned trial = 0; trial < 2000; trial++) {
		struct batch_means b = { .length = 1000 };
		struct interval v;

		for (unsigned i = 0; i < 40; i++)
			batch_means_add(&b, (uint64_t)(5000 + 100 * rng_normal(&r)));
		v = batch_means_interval(&b);
		covered += v.known && v.low <= 4.9995 && v.high >= 4.9995;
	}
	assert_in_range(covered, 2000 * 0.93, 2000 * 0.985);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_reference),
		cmocka_unit_test(hot_and_cold_reference),
		cmocka_unit_test(other_points),
		cmocka_unit_test(jesd219_reference),
		cmocka_unit_test(end_of_life_reference),
		cmocka_unit_test(erase_spreads),
		cmocka_unit_test(erase_spreads_of_streams),
		cmocka_unit_test(layouts),
		cmocka_unit_test(same_everywhere),
		cmocka_unit_test(steps_do_not_matter),
		cmocka_unit_test(refusals),
		cmocka_unit_test(nearest_value_works),
		cmocka_unit_test(names),
		cmocka_unit_test(zipf_frequencies),
		cmocka_unit_test(interval_covers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/resource.h>

#include "base/rng.h"
#include "ftl/simulation.h"
#include "lib/ftl_invariants.h"

#define DRIVES 5000
#define CPU_SECONDS                                                                  \
	300 /* a run that never ends is ended by the system, and the test has failed \
	     */

static uint32_t pick(struct rng *r, uint32_t low, uint32_t high)
{
	return low + (uint32_t)rng_below(r, high - low + 1);
}

static void draw_device(struct rng *r, struct ftl_config *c)
{
	*c = (struct ftl_config){
		.logical_pages = pick(r, 0, 24),
		.pages_per_block = pick(r, 1, 6),
		.victim = {
			.policy = (enum victim_policy)pick(r, 0, VICTIM_POLICY_COUNT - 1),
			.argument = pick(r, 1, 4),
			.ties = (enum victim_ties)pick(r, 0, VICTIM_TIES_COUNT - 1),
		},
		.separate_gc = pick(r, 0, 1),
		.reuse = (enum block_reuse)pick(r, 0, BLOCK_REUSE_COUNT - 1),
		.leveling = (enum wear_leveling)pick(r, 0, WEAR_LEVELING_COUNT - 1),
		.leveling_spread = pick(r, 0, 3),
	};
	if (pick(r, 0, 3) == 0)
		c->spare_high = c->spare_low = pick(r, 0, 2);
	if (pick(r, 0, 3) == 0)
		c->spare_high = pick(r, 0, 3);
	if (pick(r, 0, 3) == 0)
		c->held_back = pick(r, 0, 2);
	if (pick(r, 0, 2) == 0)
		c->read_limit = pick(r, 1, 6);
	if (pick(r, 0, 2) == 0)
		c->refresh_age = pick(r, 1, 30);
	if (pick(r, 0, 2) == 0) {
		c->pe_cycles = pick(r, 1, 9);
		c->pe_cv = pick(r, 0, 10) / 10.;
	}
}

/* A drive of a few pages, with any options: most of them are on the edge of what is possible. */
static struct simulation_config draw(struct rng *r)
{
	static const char *const workloads[] = { "uniform",	    "sequential", "hotcold:0.1,0.9",
						 "hotcold:0.5,0.5", "zipf:1",	  "jesd219" };
	struct simulation_config c = {
		.page_bytes = 4096,
		.spare = pick(r, 0, 99) / 100.,
		.separate_oracle = pick(r, 0, 3) == 0,
		.engine = (enum simulation_engine)pick(r, 0, 2),
		.end = (enum simulation_end)pick(r, 0, 2),
		.writes = pick(r, 1, 300),
		.precision = pick(r, 1, 20) / 100.,
		.has_warmup = pick(r, 0, 1),
		.warmup = pick(r, 0, 100),
		.seed = rng_next(r),
	};

	draw_device(r, &c.device);
	assert_int_equal(workload_parse(workloads[pick(r, 0, 5)], &c.workload, NULL), 0);
	if (pick(r, 0, 2) == 0)
		c.trim = pick(r, 0, 50) / 100.;
	if (pick(r, 0, 2) == 0)
		c.reads = pick(r, 0, 30) / 10.;
	if (pick(r, 0, 2) == 0)
		c.layout = (struct flash_layout){
			.superblock = pick(r, 0, 3),
			.stripe = pick(r, 0, 4),
			.bad_share = pick(r, 0, 60) / 100.,
			.flash_share = pick(r, 0, 3) / 2.,
		};
	return c;
}

/* Refused with a reason, or run to its end with progress in every step. */
static bool ends(const struct simulation_config *drawn)
{
	struct simulation_config c = *drawn;
	struct simulation *s = NULL;
	struct simulation_result result;
	struct diag d = { 0 };
	uint64_t before = 0;
	int r = simulation_plan(&c, &d);

	if (!r)
		r = simulation_new(&c, NULL, &d, &s);
	if (r < 0) {
		assert_true(r == -EINVAL || r == -E2BIG);
		assert_true(strlen(d.text) > 10);
		return false;
	}
	while (simulation_step(s, 50)) {
		const struct ftl_totals *t = ftl_totals_of(simulation_device(s));

		assert_true(t->host_writes > before);
		before = t->host_writes;
	}
	assert_null(ftl_broken_invariant(simulation_device(s)));
	simulation_result_of(s, &result);
	assert_int_equal(result.phase, PHASE_DONE);
	if (c.end == END_DEATH)
		assert_true(ftl_is_dead(simulation_device(s)));
	simulation_free(s);
	return true;
}

static void every_run_ends(void **state)
{
	struct rlimit limit = { CPU_SECONDS, CPU_SECONDS };
	unsigned run = 0;
	struct rng r;

	(void)state;
	assert_int_equal(setrlimit(RLIMIT_CPU, &limit), 0);
	rng_seed(&r, 5, 0);
	for (unsigned i = 0; i < DRIVES; i++) {
		struct simulation_config c = draw(&r);

		run += ends(&c);
	}
	assert_in_range(run, DRIVES / 10, DRIVES * 9 / 10);
}

/* The spare that a refusal names is enough for the same drive. */
static void the_nearest_spare_is_enough(void **state)
{
	unsigned refused = 0;
	struct rng r;

	(void)state;
	rng_seed(&r, 6, 0);
	for (unsigned i = 0; i < DRIVES; i++) {
		struct simulation_config c = draw(&r), again;
		struct diag d = { 0 };
		const char *at;

		c.device.logical_pages = pick(&r, 1000, 5000);
		c.spare = pick(&r, 0, 5) / 1000.;
		again = c;
		if (simulation_plan(&c, &d) == 0 || !strstr(d.text, "no room to write"))
			continue;
		refused++;
		at = strstr(d.text, "a spare share of ");
		assert_non_null(at);
		again.spare = strtod(at + strlen("a spare share of "), NULL);
		if (simulation_plan(&again, &d) < 0)
			fail_msg("drive %u: %s", i, d.text);
	}
	assert_true(refused > DRIVES / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_ends),
		cmocka_unit_test(the_nearest_spare_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

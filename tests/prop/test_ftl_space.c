/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "lib/ftl_invariants.h"

/*
 * Mistakes that simulators of flash are known for: collection that starts on a half empty drive,
 * free blocks that run out, victims that are not the best, a full drive that refuses to write what
 * it has room for.
 */

static struct ftl *new_device(const struct ftl_config *c)
{
	struct ftl *f = NULL;

	assert_int_equal(ftl_new(c, NULL, NULL, &f), 0);
	return f;
}

static void fill(struct ftl *f, uint32_t n)
{
	for (uint32_t page = 0; page < n; page++)
		assert_int_equal(ftl_write(f, &page, 1), 1);
}

/* As much as is not in use, open or bad is free, to the block. */
static void half_full_is_half_free(void **state)
{
	struct ftl_config c = {
		.logical_pages = 16000 * 256,
		.pages_per_block = 256,
		.blocks = 16384,
		.bad_blocks = 100,
		.held_back = 50,
		.classes = 1,
	};
	struct ftl *f = new_device(&c);
	const uint32_t n = 8192 * 256;

	(void)state;
	for (uint32_t at = 0; at <= n; at += n / 8) {
		uint32_t open = at % 256 != 0;

		for (uint32_t page = ftl_pages_in_use(f); page < at; page++)
			assert_int_equal(ftl_write(f, &page, 1), 1);
		assert_int_equal(ftl_free_blocks(f), 16384 - 150 - at / 256 - open);
		assert_int_equal(ftl_totals_of(f)->erases, 0);
	}
	ftl_free(f);
}

/* Three times the drive at random: collection keeps up, and the reserve is never touched. */
static void free_blocks_never_run_out(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 7, 0);
	for (unsigned policy = 0; policy < VICTIM_POLICY_COUNT; policy++) {
		struct ftl_config c = {
			.logical_pages = 20000,
			.pages_per_block = 64,
			.blocks = 340,
			.classes = 1,
			.separate_gc = true,
			.victim = { .policy = (enum victim_policy)policy, .argument = 4 },
		};
		struct ftl *f = new_device(&c);

		fill(f, c.logical_pages);
		for (uint32_t i = 0; i < 3 * c.logical_pages; i++) {
			uint32_t page = (uint32_t)rng_below(&r, c.logical_pages);

			assert_int_equal(ftl_write(f, &page, 1), 1);
			assert_true(ftl_free_blocks(f) >= ftl_reserve_blocks(&c));
		}
		assert_true(ftl_totals_of(f)->victims[FTL_GC] > 0);
		assert_null(ftl_broken_invariant(f));
		ftl_free(f);
	}
}

static uint64_t moved(enum victim_policy policy, bool counts, bool check)
{
	struct ftl_config c = {
		.logical_pages = 8000,
		.pages_per_block = 32,
		.blocks = 280,
		.classes = 1,
		.counts = counts,
		.victim = { .policy = policy },
	};
	struct ftl *f = new_device(&c);
	struct rng r;
	uint64_t n;

	rng_seed(&r, 8, 0);
	if (counts)
		assert_int_equal(ftl_write_unused(f, c.logical_pages), c.logical_pages);
	else
		fill(f, c.logical_pages);
	for (unsigned i = 0; i < 60000; i++) {
		uint32_t page = (uint32_t)rng_below(&r, c.logical_pages), victim;

		(void)!(counts ? ftl_write_uniform(f, 1) : ftl_write(f, &page, 1));
		victim = check ? victim_pick(f) : NO_BLOCK;
		if (victim != NO_BLOCK)
			assert_int_equal(valid_pages(f, victim), valid_pages(f, victim_fewest(f)));
	}
	n = ftl_totals_of(f)->programs[FTL_GC];
	ftl_free(f);
	return n;
}

/* Greedy takes a block with the fewest valid pages each time, and so moves less than chance. */
static void greedy_is_greedy(void **state)
{
	(void)state;
	for (unsigned counts = 0; counts < 2; counts++)
		assert_true(moved(VICTIM_GREEDY, counts, true) <
			    moved(VICTIM_RANDOM, counts, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_full_is_half_free),
		cmocka_unit_test(free_blocks_never_run_out),
		cmocka_unit_test(greedy_is_greedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

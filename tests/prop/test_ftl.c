/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/rng.h"
#include "lib/ftl_invariants.h"
#include "lib/naive_ftl.h"

#define DEVICES 400 /* random small devices a property */
#define STEPS	300 /* calls on each */

static uint32_t pick(struct rng *r, uint32_t low, uint32_t high)
{
	return low + (uint32_t)rng_below(r, high - low + 1);
}

/* A small device with every part of the configuration drawn. */
static struct ftl_config draw_config(struct rng *r)
{
	struct ftl_config c = {
		.logical_pages = pick(r, 8, 120),
		.pages_per_block = pick(r, 2, 20),
		.victim = {
			.policy = (enum victim_policy)pick(r, 0, VICTIM_POLICY_COUNT - 1),
			.ties = (enum victim_ties)pick(r, 0, VICTIM_TIES_COUNT - 1),
		},
		.separate_gc = pick(r, 0, 1),
		.classes = pick(r, 1, 3),
		.reuse = (enum block_reuse)pick(r, 0, BLOCK_REUSE_COUNT - 1),
		.leveling = (enum wear_leveling)pick(r, 0, WEAR_LEVELING_COUNT - 1),
		.leveling_spread = pick(r, 1, 6),
		.seed = rng_next(r),
	};

	if (pick(r, 0, 9) == 0)
		c.pages_per_block = pick(r, 60, 140);
	if (c.victim.policy == VICTIM_WINDOWED)
		c.victim.argument = pick(r, 1, 12);
	if (c.victim.policy == VICTIM_CHOICES)
		c.victim.argument = pick(r, 1, 5);
	for (unsigned i = 0; i + 1 < c.classes; i++)
		c.class_end[i] = c.logical_pages * (i + 1) / c.classes;
	if (pick(r, 0, 2) == 0) {
		c.spare_low = pick(r, 0, 2);
		c.spare_high = c.spare_low + pick(r, 0, 2);
	}
	if (pick(r, 0, 2) == 0)
		c.stripe = pick(r, 1, c.pages_per_block);
	if (pick(r, 0, 2) == 0)
		c.read_limit = pick(r, 1, 40);
	if (pick(r, 0, 2) == 0)
		c.refresh_age = pick(r, 1, 2000);
	if (pick(r, 0, 2) == 0) {
		c.held_back = pick(r, 0, 3);
		c.bad_blocks = pick(r, 0, 3);
	}
	c.blocks = (uint32_t)ftl_least_blocks(&c) + pick(r, 0, 6);
	return c;
}

static struct ftl *new_device(const struct ftl_config *c)
{
	struct ftl *f = NULL;

	assert_int_equal(ftl_new(c, NULL, NULL, &f), 0);
	return f;
}

static void describe(const struct ftl_config *c)
{
	char text[VICTIM_TEXT_MAX];

	print_message("# %u pages, %u a block, %u blocks, %s, ties %s, separate_gc %d, classes %u, "
		      "spare %u to %u, leveling %d by %u, cycles %u\n",
		      c->logical_pages, c->pages_per_block, c->blocks,
		      victim_text(&c->victim, text), victim_ties_text(c->victim.ties),
		      c->separate_gc, c->classes, c->spare_low, c->spare_high, c->leveling,
		      c->leveling_spread, c->pe_cycles);
}

static void assert_sound(const struct ftl *f, unsigned device, unsigned step)
{
	const char *why = ftl_broken_invariant(f);

	if (!why && ftl_is_dead(f) && !f->config.pe_cycles)
		why = "a device whose blocks never wear out is at its end";
	if (!why)
		return;
	describe(&f->config);
	fail_msg("device %u, step %u: %s", device, step, why);
}

/* Collection in idle time takes one block, or none and leaves all as it is. */
static void collect_beside(struct ftl *f)
{
	const struct ftl_totals before = *ftl_totals_of(f);

	if (collect_background(f))
		assert_true(ftl_totals_of(f)->victims[FTL_GC] > before.victims[FTL_GC]);
	else if (!ftl_is_dead(f))
		assert_int_equal(ftl_totals_of(f)->erases, before.erases);
}

/* Writes of one page or some, half of them to a few pages, trims, reads and idle times. */
static void step(struct rng *r, struct ftl *f)
{
	const uint32_t n = f->config.logical_pages;
	uint32_t pages[16], k = pick(r, 1, 16);

	uint32_t what = pick(r, 0, 19);

	for (uint32_t i = 0; i < k; i++)
		pages[i] = pick(r, 0, pick(r, 0, 1) ? n - 1 : n / 8);
	switch (what) {
	case 0:
	case 1:
		ftl_trim(f, pages[0]);
		return;
	case 2:
	case 3:
		assert_in_range(ftl_read(f, pages, k), 0, k);
		return;
	case 4:
		collect_beside(f);
		return;
	default:
		break;
	}
	ftl_advance(f, ftl_totals_of(f)->host_writes);
	if (ftl_write(f, pages, k) < k)
		assert_true(ftl_is_dead(f));
}

/* After every step of small random runs the device is sound, and never at its end without limits.
 */
static void always_sound(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 1, 0);
	for (unsigned device = 0; device < DEVICES; device++) {
		const struct ftl_config c = draw_config(&r);
		struct ftl *f = new_device(&c);

		for (unsigned i = 0; i < STEPS; i++) {
			step(&r, f);
			assert_sound(f, device, i);
		}
		ftl_free(f);
	}
}

/* Blocks wear out one by one, none is erased beyond its limit, and the end comes. */
static void sound_until_the_end(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 2, 0);
	for (unsigned device = 0; device < DEVICES; device++) {
		struct ftl_config c = draw_config(&r);
		struct ftl *f;
		unsigned i;

		c.pe_cycles = pick(&r, 3, 12);
		c.pe_cv = (double)pick(&r, 0, 30) / 100;
		c.blocks = (uint32_t)ftl_least_blocks(&c) + pick(&r, 0, 6);
		f = new_device(&c);
		for (i = 0; i < 20 * STEPS && !ftl_is_dead(f); i++) {
			step(&r, f);
			assert_sound(f, device, i);
		}
		assert_true(ftl_is_dead(f));
		assert_int_equal(ftl_write(f, &(uint32_t){ 0 }, 1), 0);
		ftl_free(f);
	}
}

/* The engine without maps keeps the same books. */
static void counts_sound(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 3, 0);
	for (unsigned device = 0; device < DEVICES; device++) {
		struct ftl_config c = draw_config(&r);
		struct ftl *f;

		c.classes = 1;
		c.counts = true;
		c.blocks = (uint32_t)ftl_least_blocks(&c) + pick(&r, 0, 6);
		f = new_device(&c);
		assert_int_equal(ftl_write_unused(f, UINT32_MAX), c.logical_pages);
		for (unsigned i = 0; i < STEPS; i++) {
			uint32_t n = pick(&r, 0, 20), what = pick(&r, 0, 9);

			ftl_advance(f, ftl_totals_of(f)->host_writes);
			if (what == 0)
				ftl_trim_uniform(f);
			else if (what == 1)
				ftl_read_uniform(f, n);
			else
				(void)!ftl_write_uniform(f, n);
			assert_sound(f, device, i);
		}
		ftl_free(f);
	}
}

/* One call on both devices, with the same answer. */
static void step_both(struct rng *r, struct ftl *f, struct naive_ftl *naive)
{
	const uint32_t n = f->config.logical_pages;
	uint32_t page = pick(r, 0, pick(r, 0, 1) ? n - 1 : n / 8);
	uint64_t now = ftl_totals_of(f)->host_writes;

	switch (pick(r, 0, 19)) {
	case 0:
	case 1:
		ftl_trim(f, page);
		naive_ftl_trim(naive, page);
		break;
	case 2:
	case 3:
	case 4:
		(void)!ftl_read(f, &page, 1);
		naive_ftl_read(naive, page);
		break;
	case 5:
		assert_int_equal(collect_background(f), naive_ftl_collect(naive));
		break;
	case 6:
		ftl_advance(f, now);
		naive_ftl_advance(naive, now);
		break;
	default:
		assert_int_equal(ftl_write(f, &page, 1), naive_ftl_write(naive, page));
	}
}

static void assert_same(const struct ftl *f, const struct naive_ftl *naive, unsigned device,
			unsigned step)
{
	const char *differs = NULL;

	for (uint32_t block = 0; block < f->config.blocks; block++)
		if (ftl_erase_count(f, block) != naive_ftl_erase_count(naive, block))
			differs = "another block is erased";
	for (unsigned i = 0; i < FTL_CAUSES; i++)
		if (ftl_totals_of(f)->programs[i] != naive_ftl_programs(naive, (enum ftl_cause)i))
			differs = "other pages are programmed";
	if (!differs)
		return;
	describe(&f->config);
	fail_msg("device %u, step %u: %s", device, step, differs);
}

/* A plain model of the same device programs the same pages and erases the same blocks. */
static void as_the_naive_one(void **state)
{
	struct rng r;

	(void)state;
	rng_seed(&r, 4, 0);
	for (unsigned device = 0; device < DEVICES; device++) {
		struct ftl_config c = draw_config(&r);
		struct naive_ftl *naive;
		struct ftl *f;

		if (c.leveling == WEAR_LEVELING_STATIC)
			c.leveling = WEAR_LEVELING_DYNAMIC;
		if (c.victim.ties == TIES_RANDOM)
			c.victim.ties = TIES_NEWEST;
		if (c.victim.policy == VICTIM_RANDOM || c.victim.policy == VICTIM_CHOICES)
			c.victim.policy = VICTIM_GREEDY;
		if (pick(&r, 0, 1)) {
			c.pe_cycles = pick(&r, 3, 30);
			c.pe_cv = .2;
		}
		c.blocks = (uint32_t)ftl_least_blocks(&c) + pick(&r, 0, 6);
		f = new_device(&c);
		naive = naive_ftl_new(f);
		for (unsigned i = 0; i < STEPS; i++) {
			step_both(&r, f, naive);
			assert_same(f, naive, device, i);
		}
		naive_ftl_free(naive);
		ftl_free(f);
	}
}

/* One hot page on a device that is 95 % full: a million rewrites pass, and wear stays bounded. */
static void one_hot_page(void **state)
{
	struct ftl_config c = {
		.logical_pages = 950,
		.pages_per_block = 10,
		.blocks = 101,
		.classes = 1,
		.leveling = WEAR_LEVELING_STATIC,
		.leveling_spread = 20,
	};
	struct ftl *f = new_device(&c);
	struct ftl_wear wear;

	(void)state;
	for (uint32_t page = 0; page < c.logical_pages; page++)
		assert_int_equal(ftl_write(f, &page, 1), 1);
	for (unsigned i = 0; i < 1000000; i++)
		assert_int_equal(ftl_write(f, &(uint32_t){ 0 }, 1), 1);
	assert_sound(f, 0, 0);
	wear = ftl_wear_of(f);
	assert_in_range(wear.most - wear.least, 0, 25);
	ftl_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(always_sound), cmocka_unit_test(sound_until_the_end),
		cmocka_unit_test(counts_sound), cmocka_unit_test(as_the_naive_one),
		cmocka_unit_test(one_hot_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

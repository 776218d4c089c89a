/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ftl/device.h"
#include "ftl/endurance_answer.h"
#include "ftl/erase_histogram.h"
#include "ftl/extents.h"
#include "ftl/mapping_memory.h"

static void assert_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want)))
		fail_msg("%.12g is not %.12g", got, want);
}

static struct ftl *device_of(uint32_t pages, uint32_t b, uint32_t blocks)
{
	const struct ftl_config c = { .logical_pages = pages,
				      .pages_per_block = b,
				      .blocks = blocks,
				      .classes = 1,
				      .seed = 5 };
	struct ftl *f = NULL;

	assert_int_equal(ftl_new(&c, NULL, NULL, &f), 0);
	return f;
}

static void write_one(struct ftl *f, uint32_t page)
{
	assert_int_equal(ftl_write(f, &page, 1), 1);
}

static double extents_of(const struct ftl *f)
{
	struct extents e;

	assert_true(extents_count(f, &e));
	assert_true(e.exact);
	return e.n;
}

/* Counted page by page, by division instead of shifts. */
static double naive_extents(const struct ftl *f)
{
	const uint32_t *map = ftl_map_of(f), one = 1u << f->shift;
	double n = 0;

	for (uint32_t page = 0; page < f->config.logical_pages; page++) {
		if (map[page] == NO_PAGE)
			continue;
		if (page && map[page - 1] != NO_PAGE && map[page] / one == map[page - 1] / one &&
		    map[page] % one == map[page - 1] % one + 1)
			continue;
		n++;
	}
	return n;
}

/* Blocks of 12 pages, so that numbers have gaps, and of 16, where blocks touch. */
static void extents_by_hand(void **state)
{
	static const uint32_t sizes[] = { 12, 16 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct ftl *f = device_of(96, sizes[i], 12);

		assert_near(extents_of(f), 0);
		for (uint32_t page = 0; page < 96; page++)
			write_one(f, page);
		assert_near(extents_of(f), 96.0 / sizes[i]);
		/* one page leaves the middle of an extent: two halves and itself */
		write_one(f, 5);
		assert_near(extents_of(f), 96.0 / sizes[i] + 2);
		/* its neighbour follows it in the flash, too */
		write_one(f, 6);
		assert_near(extents_of(f), 96.0 / sizes[i] + 2);
		ftl_trim(f, 40);
		assert_near(extents_of(f), naive_extents(f));
		ftl_free(f);
	}
}

static void extents_of_any_drive(void **state)
{
	struct rng random;

	(void)state;
	rng_seed(&random, 11, 0);
	for (unsigned trial = 0; trial < 40; trial++) {
		uint32_t b = 2 + (uint32_t)rng_below(&random, 40);
		struct ftl *f = device_of(500, b, 500 / b + 8);

		for (unsigned i = 0; i < 3000; i++) {
			uint32_t page = (uint32_t)rng_below(&random, 500), run = 1;

			if (rng_below(&random, 4) == 0)
				run += (uint32_t)rng_below(&random, 30);
			for (uint32_t k = 0; k < run && page + k < 500; k++)
				write_one(f, page + k);
			if (rng_below(&random, 9) == 0)
				ftl_trim(f, (uint32_t)rng_below(&random, 500));
			if (i % 500 == 0)
				assert_near(extents_of(f), naive_extents(f));
		}
		ftl_free(f);
	}
}

/* A drive that is too large to be looked at whole. */
static void extents_sampled(void **state)
{
	const uint32_t pages = 3 * EXTENTS_LOOKED_AT + 777;
	struct ftl *f = device_of(pages, 128, pages / 128 + 400);
	struct extents e;
	struct rng random;

	(void)state;
	rng_seed(&random, 3, 0);
	for (uint32_t page = 0; page < pages; page++)
		write_one(f, page);
	for (uint32_t i = 0; i < pages / 8; i++)
		write_one(f, (uint32_t)rng_below(&random, pages));
	assert_true(extents_count(f, &e));
	assert_false(e.exact);
	assert_true(fabs(e.n / naive_extents(f) - 1) < 0.01);
	ftl_free(f);
}

/* 80 GB and 480 GB of flash with DRAM of 16 and 512 MB, in reviews of two drives. */
static void map_sizes(void **state)
{
	struct mapping_memory m[MAPPING_UNITS_MAX];
	size_t n = mapping_memory(480000000000, (uint64_t)512 << 30, 1 << 20, m);

	(void)state;
	assert_int_equal(n, MAPPING_UNITS_MAX);
	assert_int_equal(m[0].unit_bytes, 4096);
	assert_int_equal(m[0].entries, 117187500);
	assert_int_equal(m[0].entry_bytes, 4); /* 2^27 places */
	assert_int_equal(m[0].device_bytes, 468750000);
	assert_int_equal(m[2].unit_bytes, 16384);
	assert_int_equal(m[2].entries, 29296875);
	assert_int_equal(m[n - 1].unit_bytes, 1 << 20);
	assert_int_equal(m[n - 1].entries, 457764);
	assert_int_equal(m[n - 1].entry_bytes, 3); /* 2^19 */
	n = mapping_memory(80000000000, 80000000000, 512 << 10, m);
	assert_int_equal(n, 8);
	assert_int_equal(m[0].device_bytes, 78125000); /* no 16 MB hold that */
	/* of 16 TiB and more, 4 KiB units need more than 32 bits */
	n = mapping_memory((uint64_t)30 << 40, (uint64_t)32 << 40, 4096, m);
	assert_int_equal(n, 1);
	assert_int_equal(m[0].entry_bytes, 5);
	assert_int_equal(m[0].host_entry_bytes, 8);
	/* extents: where, whereto, how long */
	assert_near(mapping_memory_of_extents(1000, 480000000000, (uint64_t)512 << 30, 4096),
		    12000);
}

static void endurance(void **state)
{
	/* 80 GB, 10,000 cycles, factors of 1.1 and 1.1: 661.2 TB, 18.1 years at 100 GB a day */
	struct endurance_question q = {
		.capacity_bytes = 80e9,
		.flash_bytes = 80e9,
		.pe_cycles = 10000,
		.waf = { .mean = 1.1, .low = 1, .high = 1.2, .known = true },
		.unevenness = 1.1,
		.daily_bytes = 100e9,
		.warranty_years = 5,
	};
	struct endurance_answer a = endurance_answer(&q);

	(void)state;
	assert_int_equal(a.basis, ENDURANCE_EQUATION);
	assert_near(a.bytes.mean, 800e12 / 1.21);
	assert_near(a.bytes.low, 800e12 / 1.1 / 1.2);
	assert_near(a.bytes.high, 800e12 / 1.1);
	assert_near(a.years.mean, 800e12 / 1.21 / 100e9 / 365.25);
	assert_near(a.years.low, a.bytes.low / 100e9 / 365.25);
	assert_true(a.years.known);
	assert_near(a.dwpd, 800e12 / 1.21 / 80e9 / 5 / 365.25);
	q.model_bytes = 5e14;
	a = endurance_answer(&q);
	assert_int_equal(a.basis, ENDURANCE_MODEL);
	assert_false(a.bytes.known);
	q.simulated_bytes = 4e14;
	a = endurance_answer(&q);
	assert_int_equal(a.basis, ENDURANCE_SIMULATED);
	assert_near(a.bytes.mean, 4e14);
	q = (struct endurance_question){ .capacity_bytes = 80e9, .warranty_years = 5 };
	assert_int_equal(endurance_answer(&q).basis, ENDURANCE_UNKNOWN);
}

/* Every block is in one bin, and in the right one. */
static void histogram(void **state)
{
	struct ftl *f = device_of(2000, 16, 160);
	struct erase_histogram h;
	struct rng random;

	(void)state;
	rng_seed(&random, 2, 0);
	for (unsigned i = 0; i < 60000; i++)
		write_one(f, (uint32_t)rng_below(&random, i % 3 ? 200 : 2000));
	for (unsigned bins = 1; bins <= ERASE_BINS_MAX; bins += 5) {
		uint32_t expected[ERASE_BINS_MAX] = { 0 };

		erase_histogram_of(f, bins, &h);
		assert_in_range(h.n, 1, bins);
		for (uint32_t block = 0; block < 160; block++)
			expected[(ftl_erase_count(f, block) - h.first) / h.width]++;
		assert_memory_equal(h.blocks, expected, sizeof(expected));
		assert_true(h.blocks[0] && h.blocks[h.n - 1]);
	}
	ftl_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extents_by_hand), cmocka_unit_test(extents_of_any_drive),
		cmocka_unit_test(extents_sampled), cmocka_unit_test(map_sizes),
		cmocka_unit_test(endurance),	   cmocka_unit_test(histogram),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

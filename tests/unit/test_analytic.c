/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "ftl/analytic.h"

static void assert_within(double got, double want, double share)
{
	if (!(fabs(got - want) <= share * want))
		fail_msg("%.6g is not within %g %% of %.6g", got, share * 100, want);
}

/* Mean-field solutions to the digits that they are known to. */
static void uniform_writes(void **state)
{
	static const struct {
		double spare, greedy64, greedy256, fifo;
	} rows[] = {
		{ .05, 8.8501, 9.7979, 10.1724 }, { .07, 6.6155, 7.1240, 7.3177 },
		{ .10, 4.8213, 5.0832, 5.1787 },  { .20, 2.5993, 2.6684, 2.6927 },
		{ .28, 1.9425, 1.9791, 1.9916 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_within(analytic_greedy(rows[i].spare, 64), rows[i].greedy64, 2e-5);
		assert_within(analytic_greedy(rows[i].spare, 256), rows[i].greedy256, 2e-5);
		assert_within(analytic_fifo(rows[i].spare), rows[i].fifo, 2e-5);
	}
	assert_within(analytic_random(.07), 1 / .07, 1e-12);
	/* overprovisioning of 0.3 in the paper of Xiang and Kurkoski: 2.36, and 2.17 of Agarwal and
	 * Marrow */
	assert_within(analytic_fifo(.3 / 1.3), 2.3642, 2e-5);
	assert_within(analytic_agarwal_marrow(.3 / 1.3), 2.1667, 2e-5);
}

static void d_choices(void **state)
{
	(void)state;
	assert_within(analytic_choices(.07, 64, 2), 9.631, .001);
	assert_within(analytic_choices(.07, 64, 4), 7.720, .001);
	assert_within(analytic_choices(.07, 64, 10), 6.896, .001);
	/* one choice is a random victim, many are greedy */
	assert_within(analytic_choices(.07, 64, 1), analytic_random(.07), 1e-4);
	assert_within(analytic_choices(.07, 64, 1000), analytic_greedy(.07, 64), 2e-3);
}

static void groups(void **state)
{
	const struct analytic_groups hotcold = { 2, { .9, .1 }, { .1, .9 } };
	const struct analytic_groups jesd = { 3, { .5, .3, .2 }, { .05, .15, .8 } };
	const struct analytic_groups one = { 1, { 1 }, { 1 } };
	const struct analytic_curve greedy64 = { .pages_per_block = 64 };
	double spare[FTL_CLASSES_MAX];

	(void)state;
	assert_within(analytic_fifo_groups(.07, &hotcold), 8.358, 1e-4);
	assert_within(analytic_fifo_groups(.28, &hotcold), 2.727, 2e-4);
	assert_within(analytic_fifo_groups(.07, &jesd), 8.022, 1e-4);
	assert_within(analytic_fifo_groups(.28, &jesd), 2.474, 2e-4);
	assert_within(analytic_fifo_groups(.07, &one), analytic_fifo(.07), 1e-9);
	assert_within(analytic_best_split(&greedy64, .07, &hotcold, spare), 2.840, .01);
	assert_within(analytic_best_split(&greedy64, .28, &hotcold, spare), 1.238, .01);
	assert_true(spare[0] > 0.28 && spare[1] < 0.28);
	/* what the groups take adds up to the whole */
	assert_within(.1 / (1 - spare[0]) + .9 / (1 - spare[1]), 1 / (1 - .28), 1e-9);
}

/* Groups of Zipf's law, merged as they are, against every page for itself. */
static void zipf(void **state)
{
	const uint32_t pages = 4096;
	const double a = 1 / (1 - .1);
	static double share[4096];

	(void)state;
	for (double exponent = 0; exponent < 1.5; exponent += 0.25) {
		double waf = analytic_fifo_zipf(.1, exponent, pages), low = 0, high = a, sum = 0;

		for (uint32_t k = 0; k < pages; k++)
			sum += share[k] = pow(k + 1, -exponent);
		for (uint32_t k = 0; k < pages; k++)
			share[k] /= sum;
		for (int i = 0; i < 50; i++) {
			double x = (low + high) / 2;

			sum = 0;
			for (uint32_t k = 0; k < pages; k++)
				sum += share[k] / -expm1(-x * share[k] * pages);
			if (x * sum < a)
				low = x;
			else
				high = x;
		}
		assert_within(waf, sum, 1e-4);
	}
	assert_within(analytic_fifo_zipf(.1, 0, pages), analytic_fifo(.1), 1e-4);
}

static void trims(void **state)
{
	(void)state;
	assert_within(analytic_greedy(analytic_trimmed_spare(.07, .1), 64), 2.950, 5e-4);
	assert_within(analytic_greedy(analytic_trimmed_spare(.07, .3), 64), 1.2955, 5e-4);
	assert_within(analytic_trimmed_spare(.07, 0), .07, 1e-12);
}

/* Host writes over the logical pages until the end, limits of 300 erases. */
static void end_of_life(void **state)
{
	const struct analytic_curve greedy64 = { .pages_per_block = 64 };
	const double pages = 65536, blocks = pages / .72 / 64;
	double naive = 300 * blocks * 64 / analytic_greedy(.28, 64);

	(void)state;
	assert_within(naive / pages, 215, .005);
	assert_within(analytic_life(&greedy64, pages, blocks, 300, .1) / pages, 190, .005);
	/* with one limit for all blocks the naive product is right */
	assert_within(analytic_life(&greedy64, pages, blocks, 300, 0), naive, 1e-6);
	assert_true(analytic_life(&greedy64, pages, blocks, 300, .3) <
		    analytic_life(&greedy64, pages, blocks, 300, .1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_writes), cmocka_unit_test(d_choices),
		cmocka_unit_test(groups),	  cmocka_unit_test(zipf),
		cmocka_unit_test(trims),	  cmocka_unit_test(end_of_life),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

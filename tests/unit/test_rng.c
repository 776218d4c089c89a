/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/portable_math.h"
#include "base/rng.h"

#define DRAWS 1000000

static void assert_relative(double got, double want, double within)
{
	if (!(fabs(got - want) <= within * fabs(want)))
		fail_msg("%.17g is not within %g of %.17g", got, within, want);
}

/* The generator's published recurrence, from a state of 1, 2, 3, 4. */
static void published_numbers(void **state)
{
	static const uint64_t want[] = { 41943041, 58720359, 3588806011781223, 3591011842654386 };
	struct rng r = { { 1, 2, 3, 4 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(rng_next(&r), want[i]);
}

static void seeds_and_streams_differ(void **state)
{
	struct rng a, b, c;

	(void)state;
	rng_seed(&a, 7, 0);
	rng_seed(&b, 7, 0);
	assert_memory_equal(&a, &b, sizeof(a));
	rng_seed(&b, 7, 1);
	rng_seed(&c, 8, 0);
	assert_true(memcmp(&a, &b, sizeof(a)) != 0);
	assert_true(memcmp(&a, &c, sizeof(a)) != 0);
}

static void distributions(void **state)
{
	double sum = 0, squares = 0, fourth = 0;
	unsigned counts[7] = { 0 };
	struct rng r;

	(void)state;
	rng_seed(&r, 1, 0);
	for (int i = 0; i < DRAWS; i++) {
		double x = rng_normal(&r), u = rng_unit(&r);

		assert_true(u >= 0 && u < 1);
		counts[rng_below(&r, 7)]++;
		sum += x;
		squares += x * x;
		fourth += x * x * x * x;
	}
	assert_true(fabs(sum / DRAWS) < 0.004);
	assert_relative(squares / DRAWS, 1, 0.006);
	assert_relative(fourth / DRAWS, 3, 0.03);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		assert_relative(counts[i], DRAWS / 7.0, 0.01);
}

/* Mean and variance of both are the shape; 1 for the exponential one. */
static void exponential_and_gamma(void **state)
{
	static const double shapes[] = { 0.3, 1, 4.5 };
	struct rng r;

	(void)state;
	rng_seed(&r, 3, 0);
	for (size_t k = 0; k <= ARRAY_SIZE(shapes); k++) {
		double sum = 0, squares = 0, want = k < ARRAY_SIZE(shapes) ? shapes[k] : 1;

		for (int i = 0; i < DRAWS / 4; i++) {
			double x = k < ARRAY_SIZE(shapes) ? rng_gamma(&r, want)
							  : rng_exponential(&r);

			assert_true(x >= 0);
			sum += x;
			squares += (x - want) * (x - want);
		}
		assert_relative(sum / (DRAWS / 4.0), want, 0.02);
		assert_relative(squares / (DRAWS / 4.0), want, 0.04);
	}
}

static void logarithm_and_exponential(void **state)
{
	struct rng r;

	(void)state;
	assert_true(portable_log(1) == 0);
	assert_true(portable_exp(0) == 1);
	rng_seed(&r, 2, 0);
	for (int i = 0; i < 100000; i++) {
		double x = ldexp(1 + rng_unit(&r), (int)rng_below(&r, 2000) - 1000);
		double y = (rng_unit(&r) - 0.5) * 1400, near = 1 + (rng_unit(&r) - 0.5) / 64;

		assert_relative(portable_log(x), log(x), 2e-15);
		assert_relative(portable_log(near), log(near), 2e-15);
		assert_relative(portable_exp(y), exp(y), 2e-15);
	}
	assert_relative(portable_pow(10, -3), 1e-3, 1e-14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_numbers),
		cmocka_unit_test(seeds_and_streams_differ),
		cmocka_unit_test(distributions),
		cmocka_unit_test(exponential_and_gamma),
		cmocka_unit_test(logarithm_and_exponential),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

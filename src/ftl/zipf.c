/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/portable_math.h"
#include "ftl/workload.h"

/*
 * Rejection-inversion (Hormann and Derflinger, "Rejection-inversion to generate variates from
 * monotone discrete distributions", 1996): one logarithm and one power a number, no table, any
 * exponent.
 */

/* Below it the first terms of the series are exact to the last digit. */
#define NEAR_ZERO 1e-5

/* (e^x - 1) / x and ln(1 + x) / x, which are 1 at 0. */
static double exponential_quotient(double x)
{
	return fabs(x) < NEAR_ZERO ? 1 + x / 2 * (1 + x / 3) : (portable_exp(x) - 1) / x;
}

static double logarithm_quotient(double x)
{
	return fabs(x) < NEAR_ZERO ? 1 - x * (0.5 - x / 3) : portable_log(1 + x) / x;
}

static double weight(double exponent, double x)
{
	return portable_exp(-exponent * portable_log(x));
}

/* The integral of the weight from 1 to x. */
static double integral(double exponent, double x)
{
	double log = portable_log(x);

	return exponential_quotient((1 - exponent) * log) * log;
}

static double inverse(double exponent, double y)
{
	double t = y * (1 - exponent);

	/* rounding may pass the pole */
	return portable_exp(logarithm_quotient(t <= -1 ? -1 + 0x1p-53 : t) * y);
}

void zipf_start(struct writer *w)
{
	double s = w->workload.exponent;

	w->zipf_first = integral(s, 1.5) - 1;
	w->zipf_last = integral(s, w->pages + 0.5);
	w->zipf_skip = 2 - inverse(s, integral(s, 2.5) - weight(s, 2));
}

uint32_t zipf_next(struct writer *w)
{
	const double s = w->workload.exponent, last = w->zipf_last;

	for (;;) {
		double y = last + rng_unit(&w->random) * (w->zipf_first - last);
		double x = inverse(s, y), k = floor(x + 0.5);

		k = k < 1 ? 1 : k > w->pages ? w->pages : k;
		if (k - x <= w->zipf_skip || y >= integral(s, k + 0.5) - weight(s, k))
			return (uint32_t)k - 1;
	}
}

double zipf_weight(double exponent, uint32_t first, uint32_t n)
{
	double sum = 0;

	/* beyond the first terms the midpoint rule is exact to some millionths */
	for (; n && first < 64; n--)
		sum += weight(exponent, ++first);
	if (n)
		sum += integral(exponent, first + (double)n + 0.5) -
		       integral(exponent, first + 0.5);
	return sum;
}

double zipf_share(double exponent, uint32_t pages, uint32_t n)
{
	return zipf_weight(exponent, 0, n) / zipf_weight(exponent, 0, pages);
}

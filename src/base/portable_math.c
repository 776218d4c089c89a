/* SPDX-License-Identifier: MIT */
#include "base/portable_math.h"

#include <math.h>

#include "base/cleanup.h"

/* ln 2 in two parts: the first has 32 significant bits, so that whole multiples of it are exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW	 0x1.a39ef35793c76p-33

/* Terms of the series; |t| < 0.172: what is left out is below 2^-60. */
static const double inverses[] = {
	1 / 23.0, 1 / 21.0, 1 / 19.0, 1 / 17.0, 1 / 15.0, 1 / 13.0,
	1 / 11.0, 1 / 9.0,  1 / 7.0,  1 / 5.0,	1 / 3.0,
};

/* x = m 2^e with m around 1; ln m = 2 artanh((m - 1) / (m + 1)), by its series. */
double portable_log(double x)
{
	double m, t, square, sum = 0;
	int e;

	m = frexp(x, &e);
	if (m < 0x1.6a09e667f3bcdp-1) { /* the root of 1/2 */
		m *= 2;
		e--;
	}
	t = (m - 1) / (m + 1);
	square = t * t;
	for (size_t i = 0; i < ARRAY_SIZE(inverses); i++)
		sum = (sum + inverses[i]) * square;
	return e * LN2_HIGH + (2 * t + (2 * t * sum + e * LN2_LOW));
}

/* 1 / k! from the highest down; |r| < 0.347: what is left out is below 2^-64. */
static const double factors[] = {
	1 / 87178291200.0,
	1 / 6227020800.0,
	1 / 479001600.0,
	1 / 39916800.0,
	1 / 3628800.0,
	1 / 362880.0,
	1 / 40320.0,
	1 / 5040.0,
	1 / 720.0,
	1 / 120.0,
	1 / 24.0,
	1 / 6.0,
	1 / 2.0,
	1,
	1,
};

/* x = n ln 2 + r; e^r by its series. */
double portable_exp(double x)
{
	double n = rint(x / (LN2_HIGH + LN2_LOW)), r = x - n * LN2_HIGH - n * LN2_LOW, sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(factors); i++)
		sum = sum * r + factors[i];
	return ldexp(sum, (int)n);
}

double portable_exp_bounded(double x)
{
	return portable_exp(fmax(-700, fmin(700, x)));
}

double portable_pow(double x, double y)
{
	return portable_exp(y * portable_log(x));
}

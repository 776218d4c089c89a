/* SPDX-License-Identifier: MIT */
#include "base/portable_math.h"

#include <math.h>

/* ln 2 in two parts: the first has 32 significant bits, so that whole multiples of it are exact. */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW	 0x1.a39ef35793c76p-33

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
	for (int k = 23; k > 1; k -= 2) /* |t| < 0.172: what is left out is below 2^-60 */
		sum = (sum + 1.0 / k) * square;
	return e * LN2_HIGH + (2 * t + (2 * t * sum + e * LN2_LOW));
}

/* x = n ln 2 + r; e^r by its series. */
double portable_exp(double x)
{
	double n = rint(x / (LN2_HIGH + LN2_LOW)), r = x - n * LN2_HIGH - n * LN2_LOW, sum = 1;

	for (int k = 15; k > 0; k--) /* |r| < 0.347 */
		sum = 1 + sum * r / k;
	return ldexp(sum, (int)n);
}

double portable_pow(double x, double y)
{
	return portable_exp(y * portable_log(x));
}

/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <math.h>

void random_init(struct random *r, uint64_t seed)
{
	r->state = seed;
}

uint64_t random_u64(struct random *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

double random_uniform(struct random *r)
{
	return (double)(random_u64(r) >> 11) * 0x1p-53;
}

/* The polar method: a point in the unit disc gives a direction and a length that is normal. */
double random_normal(struct random *r)
{
	double x, y, s;

	do {
		x = 2 * random_uniform(r) - 1;
		y = 2 * random_uniform(r) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s <= 0);
	return x * sqrt(-2 * log(s) / s);
}

double random_exponential(struct random *r)
{
	return -log(1 - random_uniform(r));
}

/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <math.h>

#include "base/portable_math.h"

static uint64_t split_mix(uint64_t *x)
{
	uint64_t z = *x += 0x9E3779B97F4A7C15;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
	z = (z ^ z >> 27) * 0x94D049BB133111EB;
	return z ^ z >> 31;
}

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed;

	x = split_mix(&x) ^ stream;
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = split_mix(&x);
}

/* Marsaglia's polar method; the second of the pair is not kept, so that the state is the seed's. */
double rng_normal(struct rng *r)
{
	double x, y, square;

	do {
		x = 2 * rng_unit(r) - 1;
		y = 2 * rng_unit(r) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * portable_log(square) / square);
}

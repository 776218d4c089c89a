/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <math.h>

#include "base/portable_math.h"
#include "base/random.h"

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream)
{
	struct random mix;

	random_init(&mix, seed);
	random_init(&mix, random_u64(&mix) ^ stream);
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = random_u64(&mix);
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

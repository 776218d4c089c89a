/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

#include <math.h>

#include "base/portable_math.h"

/* SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
static uint64_t mix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void rng_seed(struct rng *r, uint64_t seed, uint64_t stream)
{
	uint64_t state = seed;

	state = mix(&state) ^ stream;
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = mix(&state);
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

double rng_exponential(struct rng *r)
{
	return -portable_log(1 - rng_unit(r));
}

/*
 * Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; a shape below 1 by
 * theirs of one more, times a uniform number to the power 1 / shape.
 */
double rng_gamma(struct rng *r, double shape)
{
	double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);
	double boost = shape < 1 ? portable_log(1 - rng_unit(r)) / shape : 0;

	for (;;) {
		double x = rng_normal(r), v = 1 + c * x, u = 1 - rng_unit(r);

		if (v <= 0)
			continue;
		v = v * v * v;
		if (portable_log(u) < x * x / 2 + d - d * v + d * portable_log(v))
			return boost < -600 ? 0 : d * v * portable_exp(boost);
	}
}

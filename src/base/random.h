/* SPDX-License-Identifier: MIT */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/*
 * Random numbers that are the same on every machine for the same seed; not for secrets. For few and
 * cheap ones, and to seed base/rng.h, which has streams for long simulations.
 * SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 */
struct random {
	uint64_t state;
};

void random_init(struct random *r, uint64_t seed);

uint64_t random_u64(struct random *r);

/* In [0, 1), a multiple of 2^-53. */
double random_uniform(struct random *r);

/* Of mean 0 and variance 1. */
double random_normal(struct random *r);

/* Of mean 1. */
double random_exponential(struct random *r);

#endif

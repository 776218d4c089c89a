/* SPDX-License-Identifier: MIT */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

/*
 * Random numbers that are the same on every machine: xoshiro256++ (Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators", 2021), seeded by SplitMix64. The state is the caller's.
 */
struct rng {
	uint64_t s[4];
};

/* Streams of one seed are independent of each other. */
void rng_seed(struct rng *r, uint64_t seed, uint64_t stream);

static inline uint64_t rng_rotate(uint64_t x, unsigned k)
{
	return x << k | x >> (64 - k);
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, result = rng_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotate(s[3], 45);
	return result;
}

/* Uniform in 0..n-1, by multiplication: no value is off by more than n / 2^64 of its share. */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	return (uint64_t)((unsigned __int128)rng_next(r) * n >> 64);
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Normal with mean 0 and deviation 1. */
double rng_normal(struct rng *r);

/* Of mean 1. */
double rng_exponential(struct rng *r);

/* Of this shape (above 0) and scale 1: mean and variance are the shape. */
double rng_gamma(struct rng *r, double shape);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Seeded random numbers: the same on every machine. SplitMix64 (Steele, Lea, Flood 2014). */
struct random_source {
	uint64_t state;
};

/* A stream of its own for each pair of seed and number. */
void random_seed(struct random_source *r, uint64_t seed, uint64_t number);

uint64_t random_bits(struct random_source *r);
double random_unit(struct random_source *r); /* above 0, below 1 */
double random_between(struct random_source *r, double low, double high);
double random_log_between(struct random_source *r, double low, double high); /* uniform logarithm */
unsigned random_below(struct random_source *r, unsigned n);
bool random_chance(struct random_source *r, double probability);
double random_normal(struct random_source *r);
double random_exponential(struct random_source *r, double mean);

/* With a mean of 1, whatever its spread in natural logarithms. */
double random_lognormal(struct random_source *r, double spread);

/* At least 1; moments from `alpha` on do not exist. */
double random_pareto(struct random_source *r, double alpha);

#endif

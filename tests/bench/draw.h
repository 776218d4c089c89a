/* SPDX-License-Identifier: MIT */
#ifndef BENCH_DRAW_H
#define BENCH_DRAW_H

#include <stdbool.h>
#include <stdint.h>

/* Seeded random numbers: the same on every machine. SplitMix64 (Steele, Lea, Flood 2014). */
struct draw {
	uint64_t state;
};

/* A stream of its own for each pair of seed and number. */
void draw_seed(struct draw *r, uint64_t seed, uint64_t number);

uint64_t draw_bits(struct draw *r);
double draw_unit(struct draw *r); /* above 0, below 1 */
double draw_between(struct draw *r, double low, double high);
double draw_log_between(struct draw *r, double low, double high); /* uniform logarithm */
unsigned draw_below(struct draw *r, unsigned n);
bool draw_chance(struct draw *r, double probability);
double draw_normal(struct draw *r);
double draw_exponential(struct draw *r, double mean);

/* With a mean of 1, whatever its spread in natural logarithms. */
double draw_lognormal(struct draw *r, double spread);

/* At least 1; moments from `alpha` on do not exist. */
double draw_pareto(struct draw *r, double alpha);

#endif

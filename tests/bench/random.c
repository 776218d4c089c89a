/* SPDX-License-Identifier: MIT */
#include "bench/random.h"

#include <math.h>

void random_seed(struct random_source *r, uint64_t seed, uint64_t number)
{
	r->state = seed;
	r->state = random_bits(r) ^ number * UINT64_C(0xd1342543de82ef95);
	random_bits(r);
}

uint64_t random_bits(struct random_source *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

double random_unit(struct random_source *r)
{
	return ((double)(random_bits(r) >> 12) + 0.5) * 0x1p-52;
}

double random_between(struct random_source *r, double low, double high)
{
	return low + (high - low) * random_unit(r);
}

double random_log_between(struct random_source *r, double low, double high)
{
	return exp(random_between(r, log(low), log(high)));
}

unsigned random_below(struct random_source *r, unsigned n)
{
	return (unsigned)(random_unit(r) * n);
}

bool random_chance(struct random_source *r, double probability)
{
	return random_unit(r) < probability;
}

double random_normal(struct random_source *r)
{
	double radius = sqrt(-2 * log(random_unit(r)));

	return radius * cos(2 * M_PI * random_unit(r));
}

double random_exponential(struct random_source *r, double mean)
{
	return -mean * log(random_unit(r));
}

double random_lognormal(struct random_source *r, double spread)
{
	return exp(spread * random_normal(r) - spread * spread / 2);
}

double random_pareto(struct random_source *r, double alpha)
{
	return pow(random_unit(r), -1 / alpha);
}

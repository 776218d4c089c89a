/* SPDX-License-Identifier: MIT */
#include "bench/draw.h"

#include <math.h>

void draw_seed(struct draw *r, uint64_t seed, uint64_t number)
{
	r->state = seed;
	r->state = draw_bits(r) ^ number * UINT64_C(0xd1342543de82ef95);
	draw_bits(r);
}

uint64_t draw_bits(struct draw *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

double draw_unit(struct draw *r)
{
	return ((double)(draw_bits(r) >> 12) + 0.5) * 0x1p-52;
}

double draw_between(struct draw *r, double low, double high)
{
	return low + (high - low) * draw_unit(r);
}

double draw_log_between(struct draw *r, double low, double high)
{
	return exp(draw_between(r, log(low), log(high)));
}

unsigned draw_below(struct draw *r, unsigned n)
{
	return (unsigned)(draw_unit(r) * n);
}

bool draw_chance(struct draw *r, double probability)
{
	return draw_unit(r) < probability;
}

double draw_normal(struct draw *r)
{
	double radius = sqrt(-2 * log(draw_unit(r)));

	return radius * cos(2 * M_PI * draw_unit(r));
}

double draw_exponential(struct draw *r, double mean)
{
	return -mean * log(draw_unit(r));
}

double draw_lognormal(struct draw *r, double spread)
{
	return exp(spread * draw_normal(r) - spread * spread / 2);
}

double draw_pareto(struct draw *r, double alpha)
{
	return pow(draw_unit(r), -1 / alpha);
}

/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ftl/analytic.h"

#define BISECTIONS 100
#define NEGLIGIBLE 1e-18

/*
 * Pages of a block that are still valid at an age, each of them with the same probability: a
 * binomial distribution, walked from all pages down to none. What is negligible counts as nothing,
 * so that large blocks cannot underflow.
 */
struct survivors {
	uint32_t b, at; /* `at` pages are valid ... */
	double here;	/* ... with this probability, */
	double above;	/* more with this one */
	uint32_t highest;
	double first, odds; /* at `highest`; of losing a page */
};

static struct survivors survivors_start(uint32_t b, double survives)
{
	struct survivors s = { .b = b, .at = b, .odds = (1 - survives) / survives };
	uint32_t mode = (uint32_t)fmin(floor((b + 1.0) * survives), b);
	double weight = 1, sum = 1;

	for (uint32_t j = mode; j > 0 && weight > NEGLIGIBLE; j--)
		sum += weight *= j / (b - j + 1.0) * s.odds;
	s.highest = mode;
	s.first = 1;
	for (weight = 1; s.highest < b && weight > NEGLIGIBLE;) {
		weight *= (b - s.highest) / (s.highest + 1.0) / s.odds;
		sum += weight;
		s.first = weight;
		s.highest++;
	}
	s.first /= sum;
	s.here = s.highest == b ? s.first : 0;
	return s;
}

static void survivors_down(struct survivors *s)
{
	s->above += s->here;
	s->at--;
	if (s->at == s->highest)
		s->here = s->first;
	else
		s->here *= (s->at + 1.0) / (s->b - s->at) * s->odds;
}

/*
 * A block is collected when it has lost all but v pages, or refreshed at its age. The time in which
 * it has j valid pages ends with a loss, at a rate of j over the logical pages, or with the age:
 * so it lasts, on average, the probability of fewer than j at that age over j. All blocks together
 * are the drive; what they hold at their ends is what was moved. A share of the victims is
 * collected at v, the rest at v + 1.
 */
double analytic_greedy_refreshed(double spare, uint32_t b, double age)
{
	const double a = 1 / (1 - spare);
	struct survivors s;
	double time = 0, held = b; /* of a block, until it ends; pages that it holds then */

	if (age > 700) /* no page lives so long */
		return analytic_greedy(spare, b);
	s = survivors_start(b, exp(-age));
	for (uint32_t v = b; v-- > 0;) {
		double fewer = 1 - s.above - s.here, more_time, less_held, q;

		fewer = fewer > 0 ? fewer : 0;
		more_time = fewer / (v + 1.0);
		less_held = fewer; /* the block gets down from v + 1 to v */
		if (b * (time + more_time) >= a * (b - held + less_held) && v + 1 < b) {
			q = (b * time - a * (b - held)) / (a * less_held - b * more_time);
			return b / (b - held + fmin(fmax(q, 0), 1) * less_held);
		}
		time += more_time;
		held -= less_held;
		survivors_down(&s);
	}
	return b / (b - held); /* refresh frees more than is needed */
}

/* Blocks are collected at a rate, whatever their age, or refreshed. */
double analytic_random_refreshed(double spare, double age)
{
	const double a = 1 / (1 - spare), alone = 1 / -expm1(-age);
	double low = 0, high = 1 / (a - 1), waf = alone;

	if (a >= age * alone)
		return alone;
	for (int i = 0; i < BISECTIONS; i++) {
		double rate = (low + high) / 2;

		waf = (rate + 1) / -expm1(-(rate + 1) * age);
		if (waf * -expm1(-rate * age) / rate > a)
			low = rate;
		else
			high = rate;
	}
	return waf;
}

double analytic_read_age(double reads, double limit, uint32_t b)
{
	return limit < reads * b ? -log1p(-limit / (reads * b)) : INFINITY;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/analytic.h"

#include <math.h>

#define BISECTIONS 100 /* more than a double has bits */

double analytic_agarwal_marrow(double spare)
{
	return 1 / (2 * spare);
}

double analytic_random(double spare)
{
	return 1 / spare;
}

/* A victim's valid share u is the root of 1 - u = -ln(u) / a, a = 1 / (1 - spare), below 1 / a. */
double analytic_fifo(double spare)
{
	double a = 1 / (1 - spare), low = 0, high = 1 / a;

	for (int i = 0; i < BISECTIONS; i++) {
		double u = (low + high) / 2;

		if (1 - u + log(u) / a < 0)
			low = u;
		else
			high = u;
	}
	return 1 / (1 - high);
}

/*
 * In the steady state as many blocks pass each count as pages are lost in blocks of that count, so
 * that counts above the victims' are populated in proportion to 1 / count. Victims have k + 1 valid
 * pages, a share q of them k. What the counts hold must be the data.
 */
double analytic_greedy(double spare, uint32_t b)
{
	double a = (1 - spare) * b, sum = 1.0 / b;

	for (uint32_t k = b - 2;; k--) {
		/* sum: 1 / j over j = k + 2 .. b */
		double gained = (double)b - k - 1;
		double q = (gained - a * sum) / (a / (k + 1) - 1);

		if (q >= 0 && q <= 1)
			return b / (gained + q);
		if (!k)
			return 1; /* blocks lose all their pages before they are collected */
		sum += 1.0 / (k + 1);
	}
}

static double whole_power(double x, unsigned n)
{
	double y = 1;

	for (; n; n >>= 1, x *= x)
		if (n & 1)
			y *= x;
	return y;
}

/*
 * Pages a block that the populations hold at a victim's gain of h pages. The share m of blocks with
 * i valid pages follows from those with more: h i m / data = 1 - (above + m)^d.
 */
static double choices_held(double h, double data, uint32_t b, unsigned d)
{
	double above = 0, held = 0;

	for (uint32_t i = b; i > 0; i--) {
		double slope = h * i / data, m = 0, high = 1 - above;

		/* Newton's iteration from above: the function is convex and rises */
		for (int step = 0; step < BISECTIONS && m != high; step++) {
			double power = whole_power(above + high, d - 1);

			m = high;
			high -= (slope * m - 1 + power * (above + m)) / (slope + d * power);
			high = high < 0 ? 0 : high;
		}
		above += high;
		held += i * high;
	}
	return held;
}

double analytic_choices(double spare, uint32_t b, unsigned d)
{
	double data = (1 - spare) * b, low = 0, high = b;

	for (int i = 0; i < 60; i++) {
		double h = (low + high) / 2;

		if (choices_held(h, data, b, d) > data)
			low = h;
		else
			high = h;
	}
	return b / high;
}

bool analytic_curve_is_known(const struct analytic_curve *c)
{
	switch (c->victim.policy) {
	case VICTIM_WINDOWED: /* interpolating between greedy and the oldest is no model */
	case VICTIM_COST_BENEFIT:
		return false;
	case VICTIM_CHOICES:
		return c->refresh_age <= 0;
	default:
		return true;
	}
}

double analytic_curve_at(const struct analytic_curve *c, double spare)
{
	const bool ages = c->refresh_age > 0;

	switch (c->victim.policy) {
	case VICTIM_FIFO:
		return ages ? analytic_fifo_refreshed(spare, c->refresh_age) : analytic_fifo(spare);
	case VICTIM_RANDOM:
		return ages ? analytic_random_refreshed(spare, c->refresh_age)
			    : analytic_random(spare);
	case VICTIM_CHOICES:
		return analytic_choices(spare, c->pages_per_block, c->victim.argument);
	default:
		return ages ? analytic_greedy_refreshed(spare, c->pages_per_block, c->refresh_age)
			    : analytic_greedy(spare, c->pages_per_block);
	}
}

double analytic_trimmed_spare(double spare, double q)
{
	double in_use = (1 - 2 * q) / (1 - q);

	return 1 - (1 - spare) * in_use;
}

double analytic_cold_spare(double spare, double cold)
{
	return spare / (1 - cold * (1 - spare));
}

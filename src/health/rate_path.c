/* SPDX-License-Identifier: MIT */
/* Futures of a rate. */
#include <math.h>

#include "base/portable_math.h"
#include "health/rate.h"

/*
 * What grows seldom grows evenly: a drive that fills up wears faster and faster. The slope to come
 * is the one seen times e to a normal number of this mean and deviation.
 */
#define GROWTH	      0.3
#define GROWTH_SPREAD 0.3

/* Growth lasts so many times as long as it was seen, on average. */
#define GROWTH_LASTS 4

/* Every other decline levels off, within about as long as the history. */
#define DECLINE_ENDS 0.5

/*
 * Shifts come as often as they did. A calm history is no proof that there are none: beside that
 * they come with a hazard of `missed` in so long a time as is known, which grows on the way.
 */
#define CALM 0.5

static double next_shift(const struct rate_path *p, struct rng *rnd, double days)
{
	double known = p->history + CALM * days;
	double seen = rng_exponential(rnd), missed = CALM * rng_exponential(rnd) / p->shifts_missed;

	seen = p->shifts_per_day > 0 ? days + seen / p->shifts_per_day : INFINITY;
	missed = known * portable_exp(fmin(missed, 20));
	return fmin(seen, (missed - p->history) / CALM);
}

/*
 * How often and how far this path shifts, by what the history leaves open. The number of shifts has
 * the gamma distribution of a Poisson rate, the sizes a normal one of a mean that is not known.
 */
static void draw_shifts(const struct rate_model *m, struct rng *rnd, struct rate_path *ret)
{
	ret->shifts_per_day = m->shifts > 0.05 ? rng_gamma(rnd, m->shifts) / m->history : 0;
	ret->shifts_missed = m->shifts_missed;
	ret->history = m->history;
	ret->shift_sd = m->shift_sd;
	ret->shift_mean = m->shift_mean;
	ret->next_shift = next_shift(ret, rnd, 0);
}

static const struct rate_start *draw_start(const struct rate_model *m, struct rng *rnd)
{
	double which = rng_unit(rnd);

	for (size_t i = 0; i < m->nstarts; i++) {
		which -= m->starts[i].weight;
		if (which < 0)
			return &m->starts[i];
	}
	return &m->starts[m->nstarts - 1];
}

void rate_path_draw(const struct rate_model *m, struct rng *rnd, bool mirrored,
		    struct rate_path *ret)
{
	const struct rate_start *s = draw_start(m, rnd);
	double sign = mirrored ? -1 : 1, more = 1 + 1.0 / (double)m->nbins; /* noise of few bins */
	double a = sign * rng_normal(rnd), b = sign * rng_normal(rnd);
	double side = sqrt(fmax(0, 1 - s->correlation * s->correlation));
	bool lasts = rng_unit(rnd) >= DECLINE_ENDS;
	double growth = portable_exp(GROWTH + GROWTH_SPREAD * sign * rng_normal(rnd));
	double ends = rng_exponential(rnd) * m->history, kind = rng_unit(rnd);

	*ret = (struct rate_path){
		.linear = kind < s->linear,
		.slope_ends = lasts ? INFINITY : ends,
		.pull = m->pull,
		.middle = m->middle,
		.noise = sign * rng_normal(rnd),
		.sign = sign,
	};
	if (rng_unit(rnd) < s->flat) {
		ret->linear = false;
		ret->level = s->flat_level + more * s->flat_sd * a;
	} else {
		ret->level = (ret->linear ? s->linear_level : s->level) + more * s->level_sd * a;
		ret->slope = (ret->linear ? s->linear_slope : s->slope) +
			     more * s->slope_sd * (s->correlation * a + side * b);
	}
	if (ret->slope > 0) {
		ret->slope *= growth;
		ret->slope_ends = GROWTH_LASTS * ends;
	}
	draw_shifts(m, rnd, ret);
}

/* No trend takes a rate further than to the five-fold or to a third. */
#define TREND_UP   1.6
#define TREND_DOWN (-1.1)

double rate_path_at(struct rate_path *p, struct rng *rnd, double days)
{
	double slope_days = fmin(days, p->slope_ends), trend;

	while (p->next_shift <= days) {
		p->shifted += p->shift_mean + p->sign * p->shift_sd * rng_normal(rnd) -
			      p->pull * (p->level + p->shifted - p->middle);
		p->next_shift = next_shift(p, rnd, p->next_shift);
	}
	if (p->slope == 0)
		return p->level + p->shifted;
	trend = p->linear ? portable_log(fmax(1e-3, 1 + p->slope * slope_days))
			  : p->slope * slope_days;
	return p->level + p->shifted + fmin(TREND_UP, fmax(TREND_DOWN, trend));
}

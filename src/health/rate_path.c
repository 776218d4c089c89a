/* SPDX-License-Identifier: MIT */
/* Futures of a rate. */
#include <math.h>

#include "health/rate.h"

/*
 * Shifts come as often as they did. A calm history is no proof that there are none: beside that
 * they come with a hazard of `missed` in so long a time as is known, and that grows by CALM days
 * for each day to come, as most drives that change do it few times in a life.
 */
#define CALM 6.0

static double next_shift(const struct rate_path *p, struct random *rnd, double days)
{
	double known = p->history + CALM * days;
	double seen = days + random_exponential(rnd) / fmax(p->shifts_per_day, 1e-9);
	double missed = known * exp(CALM * random_exponential(rnd) / p->shifts_missed);

	return fmin(seen, (missed - p->history) / CALM);
}

/* One slope in four does not last: it ends within about as long as the history. */
#define SLOPE_ENDS 0.25

void rate_path_draw(const struct rate_model *m, struct random *rnd, bool mirrored,
		    struct rate_path *ret)
{
	double which = random_uniform(rnd), sign = mirrored ? -1 : 1;
	double a = sign * random_normal(rnd), b = sign * random_normal(rnd);
	bool lasts = random_uniform(rnd) >= SLOPE_ENDS;
	double ends = random_exponential(rnd) * m->history, kind = random_uniform(rnd);
	const struct rate_start *s = &m->starts[0];
	double more, level, slope;

	for (size_t i = 0; i < m->nstarts; i++) {
		s = &m->starts[i];
		which -= s->weight;
		if (which < 0)
			break;
	}
	more = 1 + 1.0 / (double)m->nbins; /* the noise itself is estimated from few */
	level = more * s->level_sd * a;
	slope = more * s->slope_sd *
		(s->correlation * a + sqrt(fmax(0, 1 - s->correlation * s->correlation)) * b);
	*ret = (struct rate_path){
		.linear = kind < s->linear,
		.slope_ends = lasts ? INFINITY : ends,
		.shift_sd = m->shift_sd,
		.pull = m->pull,
		.middle = m->middle,
		.noise = sign * random_normal(rnd),
	};
	if (random_uniform(rnd) < s->flat) {
		ret->linear = false;
		ret->level = s->flat_level + more * s->flat_sd * a;
	} else {
		ret->level = (ret->linear ? s->linear_level : s->level) + level;
		ret->slope = (ret->linear ? s->linear_slope : s->slope) + slope;
	}
	ret->shifts_per_day = m->shifts_per_day;
	ret->shifts_missed = m->shifts_missed;
	ret->history = m->history;
	ret->next_shift = next_shift(ret, rnd, 0);
}

/* No trend takes a rate further than to the five-fold or to a third. */
#define TREND_UP   1.6
#define TREND_DOWN (-1.1)

double rate_path_at(struct rate_path *p, struct random *rnd, double days)
{
	double slope_days = fmin(days, p->slope_ends), trend;

	while (p->next_shift <= days) {
		p->shifted += p->shift_sd * random_normal(rnd) -
			      p->pull * (p->level + p->shifted - p->middle);
		p->next_shift = next_shift(p, rnd, p->next_shift);
	}
	trend = p->linear ? log(fmax(1e-3, 1 + p->slope * slope_days)) : p->slope * slope_days;
	return p->level + p->shifted + fmin(TREND_UP, fmax(TREND_DOWN, trend));
}

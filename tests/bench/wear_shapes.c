/* SPDX-License-Identifier: MIT */
/* Shapes of daily writes and of write amplification. */
#include <math.h>

#include "bench/wear_path.h"

/* Writes of one day around their mean. */
static double usual_spread(struct draw *r)
{
	return draw_between(r, 0.05, 0.45);
}

void path_constant(struct draw *r, struct wear_path *p)
{
	double spread = usual_spread(r);

	for (size_t day = 0; day < p->ndays; day++)
		p->volume[day] = draw_lognormal(r, spread);
}

void path_weekly(struct draw *r, struct wear_path *p)
{
	bool backup = draw_chance(r, 0.3); /* one heavy day, else a quiet weekend */
	double weekend = draw_between(r, 0.05, 0.6), heavy = draw_between(r, 2, 6);
	size_t shift = draw_below(r, 7);

	path_constant(r, p);
	for (size_t day = 0; day < p->ndays; day++) {
		size_t weekday = (day + shift) % 7;

		if (backup)
			p->volume[day] *= weekday == 6 ? heavy : 1;
		else
			p->volume[day] *= weekday >= 5 ? weekend : 1;
	}
}

void path_growing_linear(struct draw *r, struct wear_path *p)
{
	double growth = draw_log_between(r, 1.5, 5) - 1;

	path_constant(r, p);
	for (size_t day = 0; day < p->ndays; day++)
		p->volume[day] *= 1 + growth * (double)day / p->life;
}

void path_growing_exponential(struct draw *r, struct wear_path *p)
{
	double growth = log(draw_log_between(r, 1.3, 5));

	path_constant(r, p);
	for (size_t day = 0; day < p->ndays; day++)
		p->volume[day] *= exp(growth * (double)day / p->life);
}

void path_decaying(struct draw *r, struct wear_path *p)
{
	double rest = draw_between(r, 0.15, 0.5);
	double time = draw_between(r, 0.1, 0.6) * p->life;

	path_constant(r, p);
	for (size_t day = 0; day < p->ndays; day++)
		p->volume[day] *= rest + (1 - rest) * exp(-(double)day / time);
}

/* A level that changes now and then, within limits. */
static void multiply_steps(struct draw *r, const struct wear_path *p, double *what, double low,
			   double high, double factor)
{
	double level = sqrt(low * high), mean = draw_between(r, 250, 800);
	double next = draw_exponential(r, mean);

	for (size_t day = 0; day < p->ndays; day++) {
		if ((double)day >= next) {
			level *= draw_log_between(r, 1 / factor, factor);
			level = fmin(fmax(level, low), high);
			next += draw_exponential(r, mean);
		}
		what[day] *= level;
	}
}

void path_stepped(struct draw *r, struct wear_path *p)
{
	path_constant(r, p);
	multiply_steps(r, p, p->volume, 0.25, 4, 2.7);
}

void path_bursty(struct draw *r, struct wear_path *p)
{
	double alpha = draw_between(r, 1.4, 2.5), idle = draw_between(r, 0, 0.05);
	double busy_days = draw_between(r, 3, 20), idle_days = draw_between(r, 2, 20);
	bool busy = true;
	double next = draw_exponential(r, busy_days);

	for (size_t day = 0; day < p->ndays; day++) {
		while ((double)day >= next) {
			busy = !busy;
			next += draw_exponential(r, busy ? busy_days : idle_days);
		}
		/* a day has only so many hours */
		p->volume[day] = (busy ? 1 : idle) * fmin(draw_pareto(r, alpha), 100);
	}
}

void path_seasonal(struct draw *r, struct wear_path *p)
{
	double amplitude = draw_between(r, 0.3, 0.8), phase = draw_between(r, 0, 2 * M_PI);
	double closing = draw_chance(r, 0.5) ? draw_between(r, 2, 4) : 1;

	path_constant(r, p);
	for (size_t day = 0; day < p->ndays; day++) {
		double year = 2 * M_PI * (double)day / 365.25;

		p->volume[day] *= 1 + amplitude * sin(year + phase);
		if (day % 30 >= 27)
			p->volume[day] *= closing;
	}
}

/*
 * Greedy collection of uniform random writes leaves about (1 + s) / 2 s for a spare share s of the
 * flash; only the random part of the writes pays it.
 */
static double waf_of_fill(double fill, double random_share)
{
	double spare = 1 - fill / 1.09;

	return 1 + random_share * fmax(0, (1 + spare) / (2 * spare) - 1);
}

void path_waf_flat(struct draw *r, struct wear_path *p)
{
	double level = draw_log_between(r, 1.05, 4), wander = 0;

	for (size_t day = 0; day < p->ndays; day++) {
		wander = 0.98 * wander + 0.01 * draw_normal(r);
		p->waf[day] = fmax(1, level * exp(wander));
	}
}

void path_waf_filling(struct draw *r, struct wear_path *p)
{
	double from = draw_between(r, 0.1, 0.5), to = draw_between(r, 0.8, 0.97);
	double full = draw_between(r, 0.4, 1.2) * p->life;
	double random_share = draw_between(r, 0.3, 0.9);

	for (size_t day = 0; day < p->ndays; day++) {
		double done = fmin(1, (double)day / full);

		p->waf[day] = waf_of_fill(from + (to - from) * done, random_share);
	}
}

void path_waf_trim(struct draw *r, struct wear_path *p)
{
	double trimmed = draw_between(r, 0.4, 0.75), untrimmed = draw_between(r, 0.88, 0.97);
	double change = draw_between(r, 0.08, 0.7) * p->life;
	bool lost = draw_chance(r, 0.3); /* else switched on */
	double random_share = draw_between(r, 0.3, 0.9);

	for (size_t day = 0; day < p->ndays; day++) {
		bool with_trim = lost != ((double)day >= change);

		p->waf[day] = waf_of_fill(with_trim ? trimmed : untrimmed, random_share);
	}
}

void path_waf_workload(struct draw *r, struct wear_path *p)
{
	for (size_t day = 0; day < p->ndays; day++)
		p->waf[day] = 1;
	multiply_steps(r, p, p->waf, 1.05, 6, 2.5);
}

/* SPDX-License-Identifier: MIT */
#include "health/projection.h"

#include <math.h>

#include "base/portable_math.h"

/* One seed for all drives: a sample more changes the forecast by what it says, not by chance. */
#define SEED UINT64_C(0x6e616e646c696665)

#define TAIL 0.05 /* each side of a 90 % interval */

/* The counter has not stepped, so it is not quite there. */
#define WITHIN_STEP 0.98

/* Steps through time: a share of the expected days, then of the time so far. */
#define STEP_SHARE  0.03
#define STEP_GROWTH 0.06

/* One future: its rates and how far it is. */
struct walk {
	struct rng rnd;
	struct rate_path driver, ratio;
	double noise_variance, noise_days;
	double left;
	double logarithm, rate; /* the last one, which most steps have again */
};

/* Two that follow each other draw the same, and the second mirrors the first. */
static void walk_begin(const struct projection *p, size_t i, struct walk *ret)
{
	double since;

	rng_seed(&ret->rnd, SEED, i / 2);
	rate_path_draw(&p->driver, &ret->rnd, i % 2, &ret->driver);
	if (p->has_ratio)
		rate_path_draw(&p->ratio, &ret->rnd, i % 2, &ret->ratio);
	since = p->has_ratio ? p->driven * portable_exp_bounded(ret->ratio.level) : p->driven;
	ret->left = p->left - fmin(since, WITHIN_STEP * p->step);
	ret->noise_variance = p->driver.noise_variance;
	ret->noise_days = p->driver.noise_days;
	ret->logarithm = NAN;
}

static double walk_rate(const struct projection *p, struct walk *w, double days)
{
	double rate = rate_path_at(&w->driver, &w->rnd, days);

	if (p->has_ratio)
		rate += rate_path_at(&w->ratio, &w->rnd, days);
	if (rate != w->logarithm) {
		w->logarithm = rate;
		w->rate = portable_exp_bounded(rate);
	}
	return w->rate;
}

/* What the luck of so many days does to a sum over them, as a factor. */
static double walk_luck(const struct walk *w, double days)
{
	double variance = w->noise_variance * w->noise_days / fmax(days, 1);

	if (variance == 0)
		return 1;
	return portable_exp_bounded(w->driver.noise * sqrt(portable_log(1 + variance)));
}

static double step_of(double expected, double day)
{
	return fmax(STEP_SHARE * expected, STEP_GROWTH * day);
}

static double walk_to_limit(const struct projection *p, struct walk *w, double expected)
{
	double day = 0, left = w->left;

	if (left <= 0)
		return 0;
	while (day < PROJECTION_DAYS_MAX) {
		double step = step_of(expected, day), rate = walk_rate(p, w, day + step / 2);

		if (rate * step >= left) {
			day += left / rate;
			return day * walk_luck(w, day);
		}
		left -= rate * step;
		day += step;
	}
	return INFINITY;
}

static double expected_days(const struct projection *p)
{
	double rate = rate_level(&p->driver) + (p->has_ratio ? rate_level(&p->ratio) : 0);
	double days = p->left / portable_exp_bounded(rate);

	return fmin(PROJECTION_DAYS_MAX / 4, fmax(days, 1.0 / 24));
}

/* No number sorts, so none may come out of counters that make no sense. */
static double known_or(double v, double instead)
{
	return isnan(v) ? instead : v;
}

/* The value that would stand at v[k] if v were sorted (Hoare's FIND); v is reordered. */
static double select_value(double *v, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double pivot = v[(low + high) / 2];
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			if (v[i] == v[j])
				i++;
			else {
				double swap = v[i];

				v[i] = v[j];
				v[j] = swap;
			}
		}
		if (j == k)
			return v[k];
		if (j < k)
			low = j + 1;
		else
			high = j - 1;
	}
	return v[k];
}

static struct projected quantiles(double v[PROJECTION_PATHS])
{
	const size_t n = PROJECTION_PATHS, tail = (size_t)(TAIL * PROJECTION_PATHS);

	return (struct projected){ select_value(v, n, tail), select_value(v, n, n / 2),
				   select_value(v, n, n - 1 - tail) };
}

/* To a hundredth of a day: what a mathematical library rounds otherwise is not to be seen. */
static double from_now(double days, double late)
{
	return days > PROJECTION_DAYS_MAX ? INFINITY : round(fmax(0, days - late) * 100) / 100;
}

void projection_run(const struct projection *p, struct projection_work *work, struct projected *ret)
{
	double expected = expected_days(p);

	for (size_t i = 0; i < PROJECTION_PATHS; i++) {
		struct walk w;

		walk_begin(p, i, &w);
		work->days[i] = known_or(walk_to_limit(p, &w, expected), INFINITY);
	}
	*ret = quantiles(work->days);
	ret->low = from_now(ret->low, p->late);
	ret->middle = from_now(ret->middle, p->late);
	ret->high = from_now(ret->high, p->late);
}

/* The same walk, looked at on the way. */
static void walk_cone(const struct projection *p, struct walk *w, double expected,
		      const double days[PROJECTION_CONE], size_t path, struct projection_work *work)
{
	double day = 0, done = 0, step = 0, rate = 0, done_by;

	for (size_t i = 0; i < PROJECTION_CONE; i++) {
		double at = fmin(days[i] + p->late, PROJECTION_DAYS_MAX);

		while (at > day + step) {
			done += rate * step;
			day += step;
			step = step_of(expected, day);
			rate = walk_rate(p, w, day + step / 2);
		}
		done_by = (done + rate * (at - day)) / walk_luck(w, at);
		work->cone[i][path] = known_or((p->total - w->left + done_by) * 100 / p->total, 0);
	}
}

void projection_cone(const struct projection *p, const double days[PROJECTION_CONE],
		     struct projection_work *work, struct projected ret[PROJECTION_CONE])
{
	double expected = expected_days(p);

	for (size_t i = 0; i < PROJECTION_PATHS; i++) {
		struct walk w;

		walk_begin(p, i, &w);
		walk_cone(p, &w, expected, days, i, work);
	}
	for (size_t i = 0; i < PROJECTION_CONE; i++)
		ret[i] = quantiles(work->cone[i]);
}

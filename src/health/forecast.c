/* SPDX-License-Identifier: MIT */
/* The end of a drive's life from its history, by each method. */
#include "health/forecast.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/portable_math.h"
#include "base/text.h"
#include "base/times.h"
#include "health/forecast_parts.h"

/*
 * Two weeks show a weekly rhythm for what it is; one will do where the drive's whole past stands
 * behind it.
 */
#define HISTORY_DAYS_MIN	   14.0
#define HISTORY_DAYS_MIN_WITH_PAST 7.0

#define WEEK			   7.0

/* A counter that stood still so long, and may do so for ever or did half the time, has no date. */
#define IDLE_DAYS 14.0

/* In a shorter history than this many weeks, days are looked at instead. */
#define WEEKS_MIN 5

/* A bin is so many times longer than its ends are uncertain. */
#define SLACKS_PER_BIN 8

/* A driver is of use where it steps so much more often than the gauge. */
#define DRIVER_STEPS 8

/* So many steps before the history tell the ratio of gauge and driver, to one in so many. */
#define PAST_STEPS_MIN 3

static const struct rate_prior writes_prior = {
	.slopes = 0.3,
	.slope = 0.25,
	.noise = 0.1,
	.noise_floor = 0.002,
	.shifts = 0.09,
	.shift = 0.5,
	.averages = true,
};

static const struct rate_prior ratio_prior = {
	.slopes = 0.25,
	.slope = 0.3,
	.noise = 0.05,
	.shifts = 0.13,
	.shift = 0.5,
	.averages = false,
};

static void set_reason(struct forecast_method *m, const char *fmt, ...) PRINTF(2, 3);

static void set_reason(struct forecast_method *m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(m->reason, sizeof(m->reason), fmt, ap);
	va_end(ap);
}

static double span_of(const struct track *t)
{
	return t->end - t->begin;
}

static double steps_of(const struct track *t)
{
	return t->step > 0 ? (t->last - t->first) / t->step : 0;
}

/* What moves the gauge, seen finer: NAND writes, else host writes; NULL: the gauge itself. */
static const struct track *find_driver(const struct forecast_work *w, enum fact_id counter)
{
	static const enum forecast_track order[] = { TRACK_NAND, TRACK_HOST };
	const struct track *gauge = &w->tracks[TRACK_GAUGE];

	if (counter != FACT_PERCENTAGE_USED && counter != FACT_ERASE_COUNT_AVG &&
	    counter != FACT_ERASE_COUNT_MAX && counter != FACT_ERASE_COUNT_SLC_AVG &&
	    counter != FACT_ERASE_COUNT_SLC_MAX)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		if (w->has[order[i]] && track_is_fine(&w->tracks[order[i]], WEEK))
			return &w->tracks[order[i]];
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		if (w->has[order[i]] &&
		    steps_of(&w->tracks[order[i]]) > DRIVER_STEPS * fmax(1, steps_of(gauge)))
			return &w->tracks[order[i]];
	return NULL;
}

/* How well the times of a counter's steps are known, either way, in days. */
static double slack_of(const struct track *t)
{
	double steps = steps_of(t) * t->interval / span_of(t); /* between two samples */

	return t->interval / (2 * fmax(1, steps));
}

/* Whole weeks, as few as the counter's steps, the samples and the room allow. */
static double bin_width(const struct track *t)
{
	double span = span_of(t);
	double least = fmax(fmax(span / fmax(1, steps_of(t)), SLACKS_PER_BIN * slack_of(t)),
			    span / (RATE_BINS_MAX - 8));

	if (span < WEEKS_MIN * WEEK)
		return fmax(1, least);
	return fmax(WEEK, WEEK * ceil(least / WEEK - 0.01));
}

/* The time before the history as one bin, if it is long enough to tell something. */
static size_t past_rate(const struct forecast_work *w, const struct track *t, double width,
			struct rate_bin *ret)
{
	const struct mark *m = &t->marks[0];

	if (t->n == 0 || w->age < width || m->value <= 0 || t->falls)
		return 0;
	*ret = (struct rate_bin){ .from = m->day - w->age,
				  .to = m->day,
				  .amount = m->value,
				  .weight = fmin(8, w->age / width),
				  .summary = true };
	return 1;
}

static size_t past_ratio(const struct forecast_work *w, const struct track *gauge,
			 const struct track *driver, struct rate_bin *ret)
{
	const struct mark unmoved = { gauge->begin, 0, gauge->first + gauge->step / 2 };
	const struct mark *m = gauge->n > 0 ? &gauge->marks[0] : &unmoved;
	double steps = m->value / gauge->step, driven = track_at(driver, m->day);

	if (steps < PAST_STEPS_MIN || driven <= 0)
		return 0;
	*ret = (struct rate_bin){
		.from = m->day - fmax(w->age, 30),
		.to = m->day,
		.amount = m->value / driven,
		.weight = steps * steps,
		.summary = true,
	};
	return 1;
}

static bool fit_driver(struct forecast_work *w, const struct track *t, struct rate_model *ret)
{
	struct rate_prior prior = writes_prior;
	double width = bin_width(t);
	size_t n = past_rate(w, t, width, w->bins);
	size_t seen = track_bins(t, width, w->bins + n, RATE_BINS_MAX - n);

	if (seen == 0)
		return false;
	prior.noise_floor += slack_of(t) / width;
	rate_fit(w->bins, n + seen, &prior, ret);
	return true;
}

/* Weights against that of a typical bin; returns its relative error. */
static double scale_weights(struct rate_bin *bins, size_t n)
{
	double sum = 0, typical;

	for (size_t i = 0; i < n; i++)
		sum += portable_log(bins[i].weight);
	typical = portable_exp_bounded(sum / (double)n);
	for (size_t i = 0; i < n; i++)
		bins[i].weight = fmin(4, bins[i].weight / typical);
	return 1 / sqrt(typical);
}

static bool fit_ratio(struct forecast_work *w, const struct track *gauge,
		      const struct track *driver, struct rate_model *ret)
{
	struct rate_prior prior = ratio_prior;
	size_t n = past_ratio(w, gauge, driver, w->bins);

	n += track_ratio_bins(gauge, driver, w->bins + n, RATE_BINS_MAX - n);
	if (n == 0)
		return false;
	prior.noise_floor = scale_weights(w->bins, n);
	rate_fit(w->bins, n, &prior, ret);
	return true;
}

/* Until when, about, a span of days is full. */
static const char *due(int64_t now, double days, char buf[TIME_TEXT])
{
	if (!(days < PROJECTION_DAYS_MAX))
		return "more than 100 years from now";
	return time_format_month(now + (int64_t)(days * SECONDS_PER_DAY), buf);
}

static bool long_enough(const struct forecast_work *w, const struct track *t, int64_t now,
			struct forecast_method *m)
{
	double need = w->age > span_of(t) ? HISTORY_DAYS_MIN_WITH_PAST : HISTORY_DAYS_MIN;
	char when[TIME_TEXT];

	if (span_of(t) >= need - 0.5)
		return true;
	set_reason(m, "needs %.0f days of history, has %.1f: about %s", need, span_of(t),
		   due(now, need - span_of(t), when));
	return false;
}

/* Too few steps to tell a rate; when there may be enough. */
static void too_few_steps(const struct forecast_work *w, const char *name, int64_t now,
			  struct forecast_method *m)
{
	const struct track *t = &w->tracks[TRACK_GAUGE];
	double pace = 0; /* steps a day */
	char when[TIME_TEXT];

	if (t->n > 0 && t->marks[0].day > 0)
		pace = 1 / t->marks[0].day;
	else if (w->age > 0 && t->step > 0)
		pace = t->first / t->step / w->age;
	if (pace > 0)
		set_reason(m,
			   "needs 2 steps of the %s within the history, has %zu; at the present "
			   "rate about %s",
			   name, t->n, due(now, (double)(2 - t->n) / pace, when));
	else
		set_reason(m, "needs 2 steps of the %s within the history, has %zu", name, t->n);
}

/* How the counter is called, and how much of it the history saw, in words. */
static void rest_on(struct forecast_method *m, const struct track *gauge, enum fact_id counter)
{
	char days[UNIT_TEXT_MAX], seen[UNIT_TEXT_MAX];

	m->data_days = span_of(gauge);
	snprintf(m->rests_on, sizeof(m->rests_on), "%s of history: %s of %s",
		 format_days(m->data_days, days),
		 format_quantity((i128)(gauge->last - gauge->first), fact_unit(counter), seen),
		 fact_label(counter));
}

static void set_days(const struct projected *days, const struct track *driver,
		     struct forecast_method *m)
{
	size_t n = strlen(m->rests_on);
	double still = driver->n ? driver->end - driver->marks[driver->n - 1].day : driver->end;
	char text[UNIT_TEXT_MAX];

	m->has_days = true;
	m->days_low = fmin(days->low, PROJECTION_DAYS_MAX);
	m->days_left = fmin(days->middle, PROJECTION_DAYS_MAX);
	m->days_high = days->high;
	if (still >= IDLE_DAYS && (isinf(days->high) || still >= span_of(driver) / 2)) {
		m->has_days = false;
		set_reason(m, "no date: nothing was counted for the last %s",
			   format_days(still, text));
		return;
	}
	if (days->middle <= PROJECTION_DAYS_MAX)
		return;
	snprintf(m->rests_on + n, sizeof(m->rests_on) - n, "; more than 100 years at this rate");
}

static const char *name_driver(const struct forecast_work *w, const struct track *driver,
			       enum fact_id counter)
{
	if (driver == &w->tracks[TRACK_HOST] || counter == FACT_HOST_BYTES_WRITTEN)
		return "writes";
	if (driver == &w->tracks[TRACK_NAND] || counter == FACT_NAND_BYTES_WRITTEN)
		return "NAND writes";
	return "wear";
}

static void forecast_one(struct forecast_work *w, const struct series *s, const struct estimate *e,
			 int64_t now, struct forecast *ret)
{
	struct forecast_method *m = &ret->by_method[e->method];
	struct track *gauge = &w->tracks[TRACK_GAUGE];
	struct projection *p = &w->projections[e->method];
	bool falls = e->counter == FACT_AVAILABLE_SPARE;
	double limit = falls ? -e->limit : e->limit;
	const struct track *driver;
	struct projected days;

	if (e->counter == FACT_NONE)
		return;
	if (!track_build(s, e->counter, falls, gauge)) {
		set_reason(m, "needs %.0f days of history, has one sample", HISTORY_DAYS_MIN);
		return;
	}
	if (gauge->step <= 0)
		gauge->step = unit_scale(fact_unit(e->counter)); /* whole points and cycles */
	driver = find_driver(w, e->counter);
	if (!long_enough(w, driver ? driver : gauge, now, m))
		return;
	*p = (struct projection){
		.has_ratio = driver != NULL,
		.step = gauge->step,
		.late = fmax(0, (double)(now - w->last) / SECONDS_PER_DAY),
		.total = falls ? limit + 100000 : limit,
	};
	if (driver ? !fit_ratio(w, gauge, driver, &p->ratio) : gauge->n < 2) {
		too_few_steps(w, fact_label(e->counter), now, m);
		return;
	}
	if (!fit_driver(w, driver ? driver : gauge, &p->driver)) {
		too_few_steps(w, fact_label(e->counter), now, m);
		return;
	}
	p->left = limit - (gauge->n ? gauge->marks[gauge->n - 1].value : gauge->last);
	p->driven = gauge->end_value - gauge->last;
	if (driver)
		p->driven = track_at(driver, driver->end) -
			    track_at(driver, gauge->n ? gauge->marks[gauge->n - 1].day : 0);
	rest_on(m, gauge, e->counter);
	projection_run(p, &w->paths, &days);
	set_days(&days, driver ? driver : gauge, m);
	w->drivers[e->method] = name_driver(w, driver, e->counter);
	if (e->method == METHOD_PERCENTAGE_USED || e->method == METHOD_ERASE_BUDGET)
		forecast_wear(p, gauge, driver, ret);
}

/* Hours powered on tell how old the drive was, if it is on as much as it was. */
static double age_before(const struct series *s, struct track *hours)
{
	double on;

	if (!track_build(s, FACT_POWER_ON_HOURS, false, hours) || span_of(hours) <= 0)
		return 0;
	on = (hours->last - hours->first) / (24 * span_of(hours));
	return hours->first / 24 / fmin(1, fmax(0.1, on));
}

static void take_tracks(struct forecast_work *w, const struct series *s)
{
	w->has[TRACK_HOST] = track_build(s, FACT_HOST_BYTES_WRITTEN, false, &w->tracks[TRACK_HOST]);
	w->has[TRACK_NAND] = track_build(s, FACT_NAND_BYTES_WRITTEN, false, &w->tracks[TRACK_NAND]);
	w->origin = w->tracks[TRACK_HOST].origin;
	w->age = age_before(s, &w->tracks[TRACK_GAUGE]);
}

static void add_cone(struct forecast_work *w, const struct facts *facts,
		     const struct estimates *estimates, int64_t now, struct forecast *ret)
{
	struct estimates applied = *estimates;
	double days[PROJECTION_CONE], horizon;
	struct projected used[PROJECTION_CONE];
	const struct forecast_method *m;

	forecast_apply(ret, facts, &applied);
	if (applied.binding < 0 || !ret->by_method[applied.binding].has_days)
		return;
	ret->cone_method = (enum estimate_method)applied.binding;
	m = &ret->by_method[ret->cone_method];
	horizon = fmin(PROJECTION_DAYS_MAX, fmin(m->days_high, 3 * m->days_left));
	for (size_t i = 0; i < PROJECTION_CONE; i++)
		days[i] = horizon * (double)i / (PROJECTION_CONE - 1);
	forecast_trend(&w->projections[ret->cone_method], w->drivers[ret->cone_method], w->origin,
		       ret);
	projection_cone(&w->projections[ret->cone_method], days, &w->paths, used);
	for (size_t i = 0; i < PROJECTION_CONE; i++)
		ret->points[i] = (struct forecast_point){
			.time = now + (int64_t)(days[i] * SECONDS_PER_DAY),
			.low = used[i].low,
			.middle = used[i].middle,
			.high = used[i].high,
		};
	ret->npoints = PROJECTION_CONE;
}

/* The samples that count; ret_last: the time of the last of them. */
static size_t count_samples(const struct series *s, int64_t *ret_last)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nsamples; i++) {
		if (s->samples[i].aside)
			continue;
		*ret_last = s->samples[i].time;
		n++;
	}
	return n;
}

void forecast_compute(const struct series *s, const struct facts *facts,
		      const struct estimates *estimates, int64_t now, struct forecast *ret)
{
	CLEANUP(cleanup_free) struct forecast_work *w = NULL;
	int64_t last = 0;

	memset(ret, 0, sizeof(*ret));
	ret->nsamples = count_samples(s, &last);
	if (ret->nsamples == 0)
		return;
	w = calloc(1, sizeof(*w));
	if (!w) {
		ret->out_of_memory = true;
		return;
	}
	w->last = last;
	take_tracks(w, s);
	for (int i = 0; i < METHOD_COUNT; i++)
		forecast_one(w, s, &estimates->by_method[i], now, ret);
	ret->data_days = (double)(last - w->origin) / SECONDS_PER_DAY;
	forecast_rates(w, ret);
	add_cone(w, facts, estimates, now, ret);
}

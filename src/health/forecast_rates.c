/* SPDX-License-Identifier: MIT */
/* Today's rates and the trend, in numbers and words. */
#include <math.h>
#include <stdio.h>

#include "base/portable_math.h"
#include "base/times.h"
#include "health/forecast_parts.h"

#define DAYS_PER_MONTH 30.4375

/* A rate over so many steps of a counter is known to a tenth. */
#define STEPS_MIN 10

/* A trend stands out where chance makes it one time in a hundred, and it is worth a word. */
#define TREND_FLAT  0.1
#define TREND_SURE  2.6
#define TREND_MONTH 0.01

/* Likewise a shift: this probable, and by at least a quarter. */
#define SHIFT_SURE 0.9
#define SHIFT_MIN  0.22

/* Days to look back for at least STEPS_MIN steps, at least `days`, at most all there is. */
static double window_of(const struct track *t, double days)
{
	double span = t->end - t->begin;

	for (size_t i = t->n; i-- > 0;)
		if (t->end - t->marks[i].day >= days &&
		    t->end_value - t->marks[i].value >= STEPS_MIN * t->step)
			return fmax(days, t->end - t->marks[i].day < 1.5 * days
						  ? days
						  : t->end - t->marks[i].day);
	return span;
}

static double counted(const struct track *t, double days)
{
	return t->end_value - track_at(t, t->end - days);
}

static void find_writes(const struct track *host, struct forecast *ret)
{
	double span = host->end - host->begin, days;

	if (host->step <= 0 || span <= 0)
		return;
	days = fmin(span, window_of(host, WAF_RECENT_DAYS));
	ret->has_writes_recent = ret->has_writes_all = true;
	ret->writes_per_day_recent = counted(host, days) / days;
	ret->writes_per_day_all = counted(host, span) / span;
}

static void find_waf(const struct track *host, const struct track *nand, struct forecast *ret)
{
	double span = fmin(host->end - host->begin, nand->end - nand->begin);
	double days = fmin(span, WAF_RECENT_DAYS), steps;

	if (host->step > 0 && nand->step > 0)
		days = fmin(span, fmax(window_of(host, days), window_of(nand, days)));
	steps = host->step > 0 && nand->step > 0
			? fmin(counted(host, days) / host->step, counted(nand, days) / nand->step)
			: 0;
	if (steps < STEPS_MIN) {
		snprintf(ret->waf_reason, sizeof(ret->waf_reason),
			 "too little was written in the history for the steps of its counters");
		return;
	}
	ret->has_waf_recent = ret->has_waf_all = true;
	ret->waf_recent = counted(nand, days) / counted(host, days);
	ret->waf_recent_days = days;
	ret->waf_all = counted(nand, span) / counted(host, span);
}

void forecast_rates(const struct forecast_work *w, struct forecast *ret)
{
	const struct track *host = &w->tracks[TRACK_HOST], *nand = &w->tracks[TRACK_NAND];

	if (w->has[TRACK_HOST])
		find_writes(host, ret);
	if (w->has[TRACK_HOST] && w->has[TRACK_NAND])
		find_waf(host, nand, ret);
}

void forecast_wear(const struct projection *p, const struct track *gauge,
		   const struct track *driver, struct forecast *ret)
{
	double span = gauge->end - gauge->begin, scale = 100 / p->total, days;

	if (ret->has_wear_recent)
		return;
	ret->has_wear_recent = ret->has_wear_all = true;
	ret->wear_per_day_all = counted(gauge, span) / span * scale;
	if (driver) {
		days = fmin(driver->end - driver->begin, window_of(driver, WAF_RECENT_DAYS));
		ret->wear_per_day_recent = portable_exp_bounded(rate_level(&p->ratio)) *
					   counted(driver, days) / days * scale;
		return;
	}
	days = window_of(gauge, WAF_RECENT_DAYS);
	ret->wear_per_day_recent = counted(gauge, days) / days * scale;
}

/* A shift that is nearly certain: of the likeliest start, if it stands for most of all. */
static bool describe_shift(const struct rate_model *m, const char *what, int64_t origin, char *ret,
			   size_t size)
{
	const struct rate_start *s = &m->starts[0];
	double sure = 0, shift;
	char when[TIME_TEXT];

	for (size_t i = 0; i < m->nstarts; i++)
		if (m->starts[i].has_before && fabs(m->starts[i].day - s->day) <= m->history / 8)
			sure += m->starts[i].weight;
	shift = s->flat >= 0.5 ? s->flat_level : s->level - s->slope * (m->end - s->day);
	shift -= s->level_before;
	if (!s->has_before || sure < SHIFT_SURE || fabs(shift) < SHIFT_MIN)
		return false;
	time_format_month(origin + (int64_t)(s->day * SECONDS_PER_DAY), when);
	snprintf(ret, size, "%s %s %.1f-fold about %s", what, shift > 0 ? "rose" : "fell",
		 portable_exp_bounded(fabs(shift)), when);
	return true;
}

static bool describe_slope(const struct rate_model *m, const char *what, char *ret, size_t size)
{
	const struct rate_start *s = &m->starts[0];
	double month = portable_exp_bounded(s->slope * DAYS_PER_MONTH) - 1;

	if (s->flat > TREND_FLAT || fabs(s->slope) < TREND_SURE * s->slope_sd ||
	    fabs(month) < TREND_MONTH)
		return false;
	snprintf(ret, size, "%s: %s %.0f %% a month", what, month > 0 ? "up" : "down",
		 100 * fabs(month));
	return true;
}

void forecast_trend(const struct projection *p, const char *driver, int64_t origin,
		    struct forecast *ret)
{
	if (p->has_ratio && describe_shift(&p->ratio, "wear per byte written", origin, ret->trend,
					   sizeof(ret->trend)))
		return;
	if (describe_slope(&p->driver, driver, ret->trend, sizeof(ret->trend)))
		return;
	describe_shift(&p->driver, driver, origin, ret->trend, sizeof(ret->trend));
}

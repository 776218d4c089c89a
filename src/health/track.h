/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_TRACK_H
#define HEALTH_TRACK_H

#include "health/series.h"

/*
 * A counter over time, for the forecast. A counter with steps tells its value only at the moments
 * at which it steps: between two of them it may stand anywhere in one step. So a track is a list of
 * such moments, each with the value that the counter then reached, and rates are taken from step to
 * step. Times are days since the first sample that counts.
 */

#define TRACK_MARKS_MAX 2048
#define RATE_BINS_MAX	208

struct mark {
	double day;   /* the counter reached `value` here, */
	double slack; /* or up to so many days earlier or later */
	double value;
};

struct track {
	struct mark marks[TRACK_MARKS_MAX]; /* by day, and by value */
	size_t n;
	int64_t origin;	    /* day 0: seconds since the epoch */
	double step;	    /* the largest that all changes are a multiple of; 0: never changed */
	double first, last; /* values shown at the ends */
	double begin, end;  /* days of these */
	double interval;    /* days between samples, on average */
	bool falls;	    /* a counter that counts down: its negative stands in all values */
	double end_value;   /* the likely value at the end: between last and last + step */
};

/* What a counter counted in a stretch of time. */
struct rate_bin {
	double from, to; /* days */
	double amount;	 /* of the counter, or a ratio's value */
	double weight;	 /* against a typical one: how much it tells of the rate in its middle */
	bool summary;	 /* a time before the history, of which the sum alone is known */
};

/*
 * falls: it counts down, as spare does. False where fewer than two samples have the fact; ret then
 * has no marks.
 */
bool track_build(const struct series *s, enum fact_id id, bool falls, struct track *ret);

/* The counter's value on a day, between marks in proportion. */
double track_at(const struct track *t, double day);

/* Does it step often enough for bins of so many days? */
bool track_is_fine(const struct track *t, double days);

/*
 * Cut into bins of `width` days, or longer where the counter's steps or gaps ask for it, each from
 * a mark to a mark, the last one up to the end. At most max - 1, oldest first; returns how many.
 */
size_t track_bins(const struct track *t, double width, struct rate_bin *ret, size_t max);

/*
 * How much of `gauge` goes by for one unit of `driver`: amount is that ratio, weight the inverse of
 * its squared relative error. Bins of at least one
 * step of the gauge, longer where the times of its steps are not known well.
 */
size_t track_ratio_bins(const struct track *gauge, const struct track *driver, struct rate_bin *ret,
			size_t max);

#endif

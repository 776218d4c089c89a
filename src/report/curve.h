/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CURVE_H
#define REPORT_CURVE_H

#include "health/estimate.h"
#include "health/series.h"
#include "report/chart.h"

/*
 * What charts show of a history: facts and rates over time, thinned to columns that keep the lowest
 * and the highest of what falls into them.
 */

#define CURVE_POINTS_MAX 160

struct curve {
	struct chart_point points[CURVE_POINTS_MAX];
	size_t n;
	/* of all that was thinned; 0 where n is 0 */
	double lowest, highest, first, last;
	int64_t first_time, last_time;
	bool thinned; /* some points stand for several values */
};

/* The window of a chart that a curve is thinned for. */
struct curve_window {
	int64_t from, to;
};

/* A fact's value in its shown unit; of a column the mean, of counters the last. */
void curve_fact(const struct series *s, enum fact_id id, const struct curve_window *w,
		struct curve *ret);

/*
 * How fast a counter rose, in its shown unit a day. Each rate spans a day or more, and so long that
 * the counter's own steps are below RATE_ERROR of what it usually rises by: one that stood still
 * within a step has no rate of zero.
 */
#define RATE_ERROR 0.1
void curve_rate(const struct series *s, enum fact_id id, const struct curve_window *w,
		struct curve *ret);

/* How much one counter rose for each unit of another, over spans as above. */
void curve_ratio(const struct series *s, enum fact_id over, enum fact_id under,
		 const struct curve_window *w, struct curve *ret);

/*
 * Life left in percent as one method sees it: the numbers that it holds against each other, taken
 * from each sample. inputs: of the estimate, which name them.
 */
void curve_life_left(const struct series *s, const struct estimate *e, const struct curve_window *w,
		     struct curve *ret);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BENCH_FORECAST_SCORE_H
#define BENCH_FORECAST_SCORE_H

#include <stdbool.h>

#include "bench/straight_line.h"

/*
 * How good forecasts were, against the truth and against the straight line.
 *
 * A forecast that was not given has no error and no width. It counts as not covering the truth, and
 * in the interval score as the widest that can be said: from 0 to the horizon. All days end at the
 * horizon, the line's as well.
 */
struct forecast_result {
	const char *class_name;
	bool steady;
	double share; /* of life gone when it was made */
	double left;  /* days, in truth */
	bool answered;
	struct interval_forecast ours, line;
};

/* Days beyond which nothing is told apart: 50 years. */
#define FORECAST_HORIZON 18263.0

/* Print a table of classes and shares, then the targets; false where one is missed. */
bool forecast_score_print(const struct forecast_result *results, size_t n);

#endif

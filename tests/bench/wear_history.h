/* SPDX-License-Identifier: MIT */
#ifndef BENCH_WEAR_HISTORY_H
#define BENCH_WEAR_HISTORY_H

#include "bench/straight_line.h"
#include "bench/wear_drive.h"
#include "health/assess.h"

/*
 * A synthetic drive's samples on the way that a real drive's take: readings, drive rules, facts,
 * series, assessment. Out of memory ends the program.
 */
struct wear_history {
	const struct wear_drive *drive;
	struct drive_rule rule;
	struct series all; /* as taken: series_finish has not seen it */
};

void wear_history_init(struct wear_history *h, const struct rules *rules,
		       const struct wear_drive *d);
void wear_history_release(struct wear_history *h);

/*
 * What can be said at an age (days) from what was seen by then. ret_binding is the estimate that
 * binds, as a user gets it; METHOD_COUNT where none does or it has no interval, and then ret has
 * nothing. ret_line: the straight line through the same samples.
 */
void wear_history_forecast(const struct wear_history *h, double age, double horizon,
			   enum estimate_method *ret_binding, struct interval_forecast *ret,
			   struct interval_forecast *ret_line);

#endif

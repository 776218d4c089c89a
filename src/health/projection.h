/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_PROJECTION_H
#define HEALTH_PROJECTION_H

#include "health/rate.h"

/*
 * When a counter of wear reaches its limit: many futures are drawn, each with its own rates, and
 * the times at which they arrive are the forecast. The same input draws the same futures.
 */

#define PROJECTION_PATHS 1000 /* even: they come in mirrored pairs */
#define PROJECTION_CONE	 49

/* Nothing is foreseen further: longer than any drive is kept. */
#define PROJECTION_DAYS_MAX 36525.0

struct projection {
	struct rate_model driver; /* what is written a day, or the wear itself */
	bool has_ratio;
	struct rate_model ratio; /* wear for one unit of that */
	double left;		 /* of the gauge, from its last step on, to the limit */
	double step;		 /* of the gauge */
	double driven;		 /* since its last step; without ratio: of the gauge itself */
	double late;		 /* days from the end of the history to now */
	double total;		 /* the whole budget, for the cone */
};

struct projected {
	double low, middle, high; /* days from now; INFINITY beyond PROJECTION_DAYS_MAX */
};

/* Room for the work; large, so on the heap. */
struct projection_work {
	double days[PROJECTION_PATHS];
	double cone[PROJECTION_CONE][PROJECTION_PATHS];
};

void projection_run(const struct projection *p, struct projection_work *work,
		    struct projected *ret);

/* Of the budget used so many days from now: low, middle and high in percent of the total. */
void projection_cone(const struct projection *p, const double days[PROJECTION_CONE],
		     struct projection_work *work, struct projected ret[PROJECTION_CONE]);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_FORECAST_PARTS_H
#define HEALTH_FORECAST_PARTS_H

#include "health/forecast.h"
#include "health/projection.h"

/* What the forecast's files share while it is made: large, so on the heap. */

enum forecast_track {
	TRACK_HOST,
	TRACK_NAND,
	TRACK_GAUGE, /* the counter of the method at hand */
	TRACK_COUNT
};

struct forecast_work {
	struct track tracks[TRACK_COUNT];
	bool has[TRACK_COUNT];
	double age; /* days that the drive was in use before the history; 0: not known */
	struct rate_bin bins[RATE_BINS_MAX];
	int64_t origin; /* day 0 of all tracks, seconds since the epoch */
	int64_t last;	/* time of the last sample, likewise */
	struct projection projections[METHOD_COUNT];
	const char *drivers[METHOD_COUNT]; /* "writes", "NAND writes", "wear" */
	struct projection_work paths;
};

/* Writes a day and write amplification, over the last days and over all. */
void forecast_rates(const struct forecast_work *w, struct forecast *ret);

/* Wear a day, from the first method that has it. driver NULL: the gauge itself. */
void forecast_wear(const struct projection *p, const struct track *gauge,
		   const struct track *driver, struct forecast *ret);

/*
 * Words for what stands out: a shift of the wear per byte, a slope or a shift of the writes.
 * driver: what these are called; origin: day 0 of the projection, seconds since the epoch.
 */
void forecast_trend(const struct projection *p, const char *driver, int64_t origin,
		    struct forecast *ret);

#endif

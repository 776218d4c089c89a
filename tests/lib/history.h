/* SPDX-License-Identifier: MIT */
#ifndef LIB_HISTORY_H
#define LIB_HISTORY_H

#include "health/forecast.h"

/*
 * The history of a drive that is made up day by day. Static memory, one at a time.
 */
struct history {
	struct series series;
	struct estimates estimates; /* which counter ends it, and where */
	struct facts facts;
	int64_t now;
	double host, nand, wear; /* counted so far: bytes, bytes, parts of 1 */
	/* how the counters show it */
	double host_step, nand_step; /* bytes; 0: not counted */
	double percent_step;	     /* points; 0: not counted */
	double rated_cycles;	     /* 0: erases are not counted */
	double days;		     /* so far */
};

/* Counts host bytes by 512,000 and percentage used by whole points; nothing written yet. */
struct history *history_new(void);

/* So many days go by, evenly written to; a sample at the end of each `every` days. */
void history_go(struct history *h, double days, double every, double bytes_per_day,
		double wear_per_byte);

/* A sample as things are. */
void history_sample(struct history *h);

/* The method ends when its counter is at the limit. */
void history_limit(struct history *h, enum estimate_method method, enum fact_id counter,
		   double limit);

/* Forecast from all that. */
const struct forecast *history_forecast(struct history *h);

#endif

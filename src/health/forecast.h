/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_FORECAST_H
#define HEALTH_FORECAST_H

#include "health/estimate.h"
#include "health/series.h"

/*
 * When a drive wears out, from its history: today's rates, and for each method the days until its
 * limit with an interval that comes from the data: how the daily writes vary, their trend, steps
 * and weekly rhythm, how write amplification changed, and the granularity of each counter, so that
 * a change inside one step is not a rate of zero.
 */

#define WAF_RECENT_DAYS 30.0

struct forecast_method {
	bool has_days;
	double days_left;	    /* the median */
	double days_low, days_high; /* 5 % and 95 %: a 90 % interval; high may be INFINITY */
	double data_days;	    /* of history that it rests on */
	char rests_on[160];	    /* "214 days of history: 12 points of percentage used" */
	char reason[200]; /* where it has no days: what is missing, and until when about */
};

/* One time of the forecast cone: life used in percent of the binding method's limit. */
struct forecast_point {
	int64_t time;
	double low, middle, high; /* 5 %, 50 %, 95 % */
};
#define FORECAST_POINTS_MAX 49

struct forecast {
	bool out_of_memory; /* nothing else counts then */
	double data_days;   /* between the first and the last sample that count; 0: no history */
	size_t nsamples;
	/* each rate over the last WAF_RECENT_DAYS or what there is of them, and over all history */
	bool has_writes_recent, has_writes_all, has_wear_recent, has_wear_all;
	double writes_per_day_recent, writes_per_day_all; /* host bytes */
	double wear_per_day_recent, wear_per_day_all;	  /* percent of life used */
	bool has_waf_recent, has_waf_all;		  /* over the history, not the lifetime */
	double waf_recent, waf_recent_days, waf_all;
	char waf_reason[120]; /* why there is none of late, where both counters are known */
	char trend[80];	      /* "writes grow by 12 % a month"; empty: none that stands out */
	struct forecast_method by_method[METHOD_COUNT];
	/* the future of the method of cone_method; none where npoints is 0 */
	enum estimate_method cone_method;
	struct forecast_point points[FORECAST_POINTS_MAX];
	size_t npoints;
};

/*
 * Forecast from a finished series. estimates: of the latest reading, by estimates_compute; they say
 * which counters end the drive, and where. now: seconds since the epoch; days count from there.
 * Total: anything gives an answer, with reasons where there are no days. The same input gives the
 * same numbers on every machine.
 */
void forecast_compute(const struct series *s, const struct facts *facts,
		      const struct estimates *estimates, int64_t now, struct forecast *ret);

/*
 * Let the history speak in the estimates that have days by it: days, interval, what they rest on;
 * then choose the binding one anew. Methods without a forecast keep the lifetime's average, and
 * say what is missing.
 */
void forecast_apply(const struct forecast *f, const struct facts *facts, struct estimates *e);

#endif

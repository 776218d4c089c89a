/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_ESTIMATE_H
#define HEALTH_ESTIMATE_H

#include "health/wear.h"

/*
 * Remaining life by each method, from a single reading's lifetime averages.
 * X(enumerator, name in JSON, name for people)
 */
#define ESTIMATE_METHODS(X)                                                      \
	X(METHOD_PERCENTAGE_USED, "percentage-used", "percentage used")          \
	X(METHOD_ERASE_BUDGET, "erase-budget", "erase budget")                   \
	X(METHOD_ENDURANCE_ESTIMATE, "endurance-estimate", "endurance estimate") \
	X(METHOD_RATED_TBW, "rated-tbw", "rated writes (TBW)")                   \
	X(METHOD_SPARE_DEPLETION, "spare-depletion", "spare depletion")          \
	X(METHOD_FTL_MODEL, "ftl-model", "FTL model")

enum estimate_method {
#define X(e, name, label) e,
	ESTIMATE_METHODS(X)
#undef X
		METHOD_COUNT
};

const char *method_name(enum estimate_method method);
const char *method_label(enum estimate_method method);

#define ESTIMATE_INPUTS_MAX 6

/* One number that an estimate rests on, for the reader to check. */
struct estimate_input {
	const char *name; /* a fact's name or a stable word with its unit; static */
	enum unit unit;
	i128 value; /* in unit */
};

struct estimate {
	enum estimate_method method;
	bool has_left, has_days;
	double left_percent; /* 0..100 */
	/*
	 * Days of being powered on as it was so far: a single reading knows power-on hours, not
	 * when they were. Worn out is 0.
	 */
	double days_left;
	/*
	 * 90 % interval from the counters' granularity alone: how the drive will be used is not in
	 * it. has_interval false: not known.
	 */
	bool has_interval;
	double days_low, days_high;
	/* days and interval are a forecast from the drive's history (forecast_apply), for calendar
	 * days; high may be INFINITY */
	bool by_history;
	bool trustworthy;	    /* may bind */
	enum confidence confidence; /* the least sure of its inputs */
	struct estimate_input inputs[ESTIMATE_INPUTS_MAX];
	size_t ninputs;
	/*
	 * The counter that ends it, where it is followed exactly and not at its end yet (else
	 * FACT_NONE), and where that end is, in the counter's own unit.
	 */
	enum fact_id counter;
	double limit;
	char spent[160];    /* "9 % used" */
	const char *note;   /* a remark behind all that; static, or NULL */
	char rests_on[400]; /* "9 % used in 27,210 h powered on", and the note */
	char reason[200];   /* why absent, without a date or not binding; empty otherwise */
};

struct estimates {
	struct estimate by_method[METHOD_COUNT]; /* one a method, in the order above */
	int binding;				 /* index, or -1: none */
	char binding_reason[200];
};

/*
 * When it ends, or reaches another number of days that it has (days_low): seconds since the epoch,
 * at most TIME_MAX. A forecast from the history counts from now, averages from the reading.
 */
int64_t estimate_time(const struct estimate *e, double days, const struct reading *r, int64_t now);

/*
 * Which one binds: the earliest date among the trustworthy ones.
 *  - Unconfirmed inputs (confidence medium) bind only where nothing surer gives a date; low ones
 *    never do.
 *  - A TBW rating is a warranty figure. It binds only where the drive reports no wear at all:
 *    neither a percentage nor an erase count.
 *  - Spare binds only against a threshold that the drive names.
 *  - The FTL model binds only where nothing else gives a date.
 *  - No date where little is used or the drive has run for less than a week: "not enough wear to
 *    tell".
 */
void estimates_compute(const struct drive_rule *rule, const struct facts *facts,
		       const struct wear *wear, struct estimates *ret);

#endif

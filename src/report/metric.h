/* SPDX-License-Identifier: MIT */
#ifndef REPORT_METRIC_H
#define REPORT_METRIC_H

#include "health/series.h"

/*
 * What can be shown of a history beside time: every fact, ratios of facts, and rates, which are
 * taken over a stretch of time behind each sample. One row each serves the option, its help, the
 * columns of tables and CSV, the keys of JSON and the plots.
 */
enum metric_kind {
	METRIC_FACT,
	METRIC_RATIO, /* fact / per, at one time */
	METRIC_DAILY, /* growth of the fact a day */
	METRIC_GROWTH /* growth of the fact / growth of per */
};

struct metric {
	const char *name;    /* as in --show: "writes-per-day" */
	const char *key;     /* in JSON and CSV; NULL: the fact's name */
	const char *heading; /* of a column: "WRITES/DAY" */
	const char *help;    /* NULL: the fact's label */
	enum metric_kind kind;
	enum fact_id fact, per;
};

extern const struct metric metrics[];
extern const size_t metrics_n;

/* By name, key or fact name, with - for _ too; NULL where there is none. */
const struct metric *metric_by_name(const char *name);

const char *metric_key(const struct metric *m);
const char *metric_help(const struct metric *m);

/* Is it a rate, which needs a stretch of time? */
bool metric_is_rate(const struct metric *m);

/* One value: an exact integer in the fact's unit for facts, else a real number in shown units. */
struct metric_value {
	bool is_integer;
	int64_t integer;
	double real; /* of an integer too */
	enum fact_bound bound;
};

/*
 * Reads one metric along a finished series. A counter that moves in steps stands still within
 * them, which is no rate of zero: the stretch is made so long that eight steps of the counter fit
 * in at the pace of the whole history. At the start of the history it is what there is.
 */
struct metric_reader {
	const struct metric *metric;
	const struct series *series;
	double seconds;	   /* of the stretch */
	size_t back, next; /* where it starts, and the sample that may follow there */
};

void metric_reader_init(struct metric_reader *reader, const struct metric *m,
			const struct series *s, double window_seconds);

/*
 * The value at sample i. Calls must have i rising. False where it is not known: the facts are not
 * there, there is nothing to compare with, or a counter has yet to make its first step.
 */
bool metric_read(struct metric_reader *reader, size_t i, struct metric_value *ret);

/* A value with its unit, as people read it ("102 GB", "1.41", "0.05 %"). */
const char *metric_text(const struct metric *m, const struct metric_value *v,
			char buf[UNIT_TEXT_MAX]);

/* As above for a real number alone, for axes. */
const char *metric_real_text(const struct metric *m, double v, char buf[UNIT_TEXT_MAX]);

#endif

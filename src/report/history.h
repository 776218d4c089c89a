/* SPDX-License-Identifier: MIT */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

#include "doc/view.h"
#include "health/series.h"
#include "report/drive.h"
#include "report/metric.h"

/* The answers of `history` about a drive's finished series, and about what drives there are. */

#define HISTORY_METRICS_MAX 16

struct history_query {
	/* what to show; none: all facts in documents, the usual columns in tables and plots */
	const struct metric *metrics[HISTORY_METRICS_MAX];
	size_t nmetrics;
	double window_seconds; /* of rates */
	/* which of the series' samples and events: from, and before; the rates see all of them */
	size_t sample_from, sample_to, event_from, event_to;
};
#define HISTORY_WINDOW_DAYS 1

/* Choose the samples and events from `since` to `until` (TIME_UNKNOWN: no bound). */
void history_range(const struct series *s, int64_t since, int64_t until, struct history_query *q);

/* Fill in the usual columns where none are asked for: those that the series knows anything of. */
void history_usual(const struct series *s, struct history_query *q);

struct doc *report_history(const struct series *s, const struct history_query *q, int64_t now);

/* Flat rows for CSV as member "rows": one a sample, the events up to it beside it. */
struct doc *report_history_rows(const struct series *s, const struct history_query *q);

/*
 * A table of samples with the events among them. More than max_rows samples are thinned out evenly
 * and a note says so; 0: all are shown.
 */
#define HISTORY_ROWS 50
struct history_table {
	struct view_column columns[HISTORY_METRICS_MAX + 2]; /* must outlive the view */
};
void report_history_view(const struct series *s, const struct history_query *q, size_t max_rows,
			 struct history_table *table, struct view *v);

/* One plot below the other, as wide as the terminal. */
void report_history_plots(const struct series *s, const struct history_query *q, unsigned columns,
			  bool unicode, struct view *v);

/* A drive in the database. */
struct history_drive {
	struct identity identity; /* with the last known place */
	int64_t first_time, last_time;
	uint64_t nsamples;
	bool at_path; /* no other drive was seen at its path later */
};

struct doc *report_history_drives(const struct history_drive *drives, size_t n, int64_t now);
struct doc *report_history_drive_rows(const struct history_drive *drives, size_t n);
void report_history_drives_view(const struct history_drive *drives, size_t n, struct view *v);

#endif

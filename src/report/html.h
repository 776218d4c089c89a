/* SPDX-License-Identifier: MIT */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/fleet.h"

/*
 * The report as one HTML page that needs nothing else: no script, no request, its style within, and
 * a content security policy that forbids the rest. About HTML_DRIVE_BYTES a drive at most, whatever
 * its history; the time is linear in drives and samples.
 */
#define HTML_DRIVE_BYTES (96 * 1024)

/*
 * charts: what drive_charts_add made of each drive, in the order of the reports that the fleet was
 * made of. host: the machine that the drives are of, or "". The error of out tells how it went.
 */
void report_page(const struct fleet *f, const struct str *charts, const char *host,
		 int64_t generated_at, struct str *out);

/* --- its parts ---------------------------------------------------------------------------------
 */

/* From the document's type to <main>. */
void html_head(const char *title, struct str *out);

/* A figure of a <dl class="tiles">, with a note in small print or "". */
void html_tile(struct str *out, const char *label, const char *value, const char *note);

/* What stands between <style> and </style>, and its SHA-256 in base64 for the policy. */
extern const char html_style[];
extern const char html_style_hash[];

/* The drives as a picture: when each ends, with its interval, and when to replace it. */
void html_calendar(const struct fleet *f, struct str *out);

/* One drive: charts, findings, events, estimates and every number with its source. */
void html_drive(const struct fleet_drive *d, const struct str *charts, bool open, struct str *out);

/* A verdict with a sign of its own, so that it does not speak by colour alone. */
void html_verdict(enum severity severity, struct str *out);

/*
 * A table; the titles of columns that hold numbers start with '>', those of dates with '@': neither
 * is broken across lines. Cells follow, row by row.
 */
struct html_table {
	struct str *out;
	const char *const *columns;
	size_t n, at;
};
void html_table_start(struct html_table *t, struct str *out, const char *class,
		      const char *const *columns, size_t n);
void html_cell(struct html_table *t, const char *fmt, ...) PRINTF(2, 3);
/* The same, for a cell whose markup the caller writes between the two. */
void html_cell_start(struct html_table *t);
void html_cell_end(struct html_table *t);
void html_table_end(struct html_table *t);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REPORT_ANSWERS_H
#define REPORT_ANSWERS_H

#include "doc/view.h"
#include "report/drive.h"

/*
 * The answers of list, show, health and life about n drives: a doc for machines and a view for
 * people, and for monitoring the Nagios and OpenMetrics texts. All are pure.
 */

/* The worst verdict of all drives; unknown where there is none. */
enum severity report_verdict(const struct drive_report *drives, size_t n);

struct doc *report_list(const struct drive_report *drives, size_t n, int64_t generated_at);
struct doc *report_show(const struct drive_report *drives, size_t n, int64_t generated_at);
struct doc *report_health(const struct drive_report *drives, size_t n, int64_t generated_at);
struct doc *report_life(const struct drive_report *drives, size_t n, int64_t generated_at);

/* Flat tables for CSV, as member "rows": one row a drive, one a drive and method. */
struct doc *report_list_rows(const struct drive_report *drives, size_t n);
struct doc *report_life_rows(const struct drive_report *drives, size_t n);

void report_list_view(const struct drive_report *drives, size_t n, struct view *v);
void report_show_view(const struct drive_report *drives, size_t n, struct view *v);
/* verbosity below 0: only drives that need attention; above 0: remarks and evidence too */
void report_health_view(const struct drive_report *drives, size_t n, int verbosity, struct view *v);
void report_life_view(const struct drive_report *drives, size_t n, bool verbose, struct view *v);

/* Plugin output: one line with performance data, then a line a drive. */
void report_health_nagios(const struct drive_report *drives, size_t n, struct str *out);

/* OpenMetrics 1.0 text, "# EOF" included; for health and life alike. */
void report_openmetrics(const struct drive_report *drives, size_t n, struct str *out);

/* The wear equation answered without a drive. */
struct wear_question {
	struct wear_equation equation; /* 0 where not given */
	double bytes_per_day, years;   /* 0 where not given */
};
struct doc *report_equation(const struct wear_question *q, int64_t generated_at);
void report_equation_view(const struct wear_question *q, struct view *v);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "doc/view.h"
#include "report/drive.h"

/* Phrases that several views share. Each writes into buf and returns it. */
#define REPORT_TEXT_MAX 256

/* "SAMSUNG MZQL21T9HCJR 1.92 TB, serial S64G..." as far as known. */
const char *report_title(const struct drive_report *r, char buf[REPORT_TEXT_MAX]);

/* "9 %", "at least 99 %"; "not reported" where unknown. */
const char *report_left(const struct drive_report *r, char buf[REPORT_TEXT_MAX]);
const char *report_used(const struct drive_report *r, char buf[REPORT_TEXT_MAX]);

/* "2034-05", "worn out", "after 2099" or "-". */
const char *report_end(const struct drive_report *r, const struct estimate *e,
		       char buf[REPORT_TEXT_MAX]);

/* The same as words of a sentence: "ends 2034-05", "worn out", "lasts > 50 years"; "no end date".
 */
const char *report_ends(const struct drive_report *r, const struct estimate *e,
			char buf[REPORT_TEXT_MAX]);

/* Its 90 % interval: "2032-11 to 2037-02"; "-" where it has none. */
const char *report_interval(const struct drive_report *r, const struct estimate *e,
			    char buf[REPORT_TEXT_MAX]);

/* A fact's value with its unit and bound ("at least 255 %"). */
const char *report_fact(enum fact_id id, const struct fact *f, char buf[REPORT_TEXT_MAX]);

/* A source without the rule and the field's own name behind it: "NVMe log 02h, offset 5". */
const char *report_source(const char *source, char buf[REPORT_TEXT_MAX]);

/*
 * "last seen 2026-05-01T10:00:00Z, 33 h ago", for a reading that is not of now; "last record ..."
 * where the drive is there.
 */
const char *report_age(const struct drive_report *r, char buf[REPORT_TEXT_MAX]);

enum view_style severity_style(enum severity severity);

/* The binding estimate, or NULL. */
const struct estimate *report_binding(const struct drive_report *r);

#endif

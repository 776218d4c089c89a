/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PROJECT_H
#define REPORT_PROJECT_H

#include "doc/view.h"
#include "ftl/fit_record.h"
#include "ftl/what_if.h"
#include "report/drive.h"

/* One drive with its fit and its answer; the answers of `project` only arrange what stands here. */
struct project_report {
	const struct drive_report *drive;
	const struct fit_reading *reading;
	const struct fit *fit;	    /* NULL: nothing to fit; reading->missing says why */
	const struct estimate *now; /* today's forecast; NULL: none */
	bool answers;		    /* what follows is there */
	struct what_if_answer answer;
	bool has_days;
	struct what_if_value days; /* left under the other conditions */
};

/* The command's answer about n drives; w: what was asked, asked false: nothing. */
struct project_answer {
	const struct project_report *drives;
	size_t n;
	const struct what_if *what_if;
	bool asked;
	const char *instead_of; /* NULL: not asked */
};

struct doc *report_project(const struct project_answer *a, int64_t generated_at);
/* Member "rows": one row a drive and number. */
struct doc *report_project_rows(const struct project_answer *a);
void report_project_view(const struct project_answer *a, struct view *v);

#define PROJECT_TEXT_MAX 200

/* "overprovisioning 10 % in all, trim weekly"; "nothing changed". Returns buf. */
const char *report_conditions(const struct project_answer *a, char buf[PROJECT_TEXT_MAX]);

/* Where a fitted number comes from; static. */
const char *report_parameter_source(const struct project_report *r, enum fit_parameter p);

const char *trim_habit_text(enum trim_habit habit);

#endif

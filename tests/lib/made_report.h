/* SPDX-License-Identifier: MIT */
#ifndef LIB_MADE_REPORT_H
#define LIB_MADE_REPORT_H

#include "report/drive.h"

/* A drive with a history and a forecast put together by hand, to be shown in reports. */
struct made_report {
	struct reading reading;
	struct drive_rule rule;
	struct assessment assessment;
	struct limits limits;
	struct series series;
	struct frame frame;
	struct frame *frames[1];
	struct drive_report report;
};

#define MADE_NOW INT64_C(1780272000) /* 2026-06-01 */

/*
 * An NVMe drive of 1.92 TB, `used` percent worn, with a sample every `hours` hours for `days` days
 * in which the counters rise evenly; no forecast yet. days 0: no history.
 */
struct made_report *made_report_new(const char *model, const char *serial, double used,
				    unsigned days, unsigned hours);
void made_report_free(struct made_report *m);

/* Its end: estimate and forecast say so many days left, with this interval. */
void made_report_end(struct made_report *m, double days, double low, double high);

/* An event so many days before MADE_NOW. */
void made_report_event(struct made_report *m, double days_ago, enum event_kind kind,
		       const char *text);

/* A finding; a critical one decides the verdict. */
void made_report_finding(struct made_report *m, const char *id, enum severity severity,
			 const char *text);

#endif

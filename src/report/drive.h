/* SPDX-License-Identifier: MIT */
#ifndef REPORT_DRIVE_H
#define REPORT_DRIVE_H

#include "doc/doc.h"
#include "health/assess.h"

/* One drive, read and judged; the reports below only arrange what stands here. */
struct drive_report {
	const struct reading *reading;
	const struct drive_rule *rule;
	const struct assessment *assessment;
	const struct limits *limits;
	const struct series *series;   /* NULL: no history; may have lost its samples */
	struct series_summary history; /* nsamples 0: no history */
	bool from_history;	       /* the reading is the last record: not of now */
	bool is_gone;		       /* and the drive is not there: its place may be another's */
	int64_t now;
};

/*
 * The parts of the JSON contract, each added as a member of one drive's object. Every key that
 * the contract names is always there.
 */
/* The members of an identity, without the family that a rule names. */
void report_add_identity_of(struct doc *identity, const struct identity *id);
void report_add_identity(struct doc *drive, const struct drive_report *r);
void report_add_facts(struct doc *drive, const struct drive_report *r);
void report_add_wear(struct doc *drive, const struct drive_report *r);
void report_add_conflicts(struct doc *drive, const struct drive_report *r);
void report_add_estimates(struct doc *drive, const struct drive_report *r); /* and "binding" */
void report_add_findings(struct doc *drive, const struct drive_report *r);
/* "from_history", "age_seconds" and "history": rates, trend, and what they rest on. */
void report_add_history(struct doc *drive, const struct drive_report *r);
void report_add_errors(struct doc *drive, const struct drive_report *r);

/* A new answer: {"schema": "nandlife.<command>/1", "generated_at": ...}; NULL: out of memory. */
struct doc *report_new(const char *command, int64_t generated_at);

/* When an estimate ends, seconds since the epoch. */
int64_t report_end_time(const struct drive_report *r, const struct estimate *e);

/* The same with another number of days that it has, as days_low. */
int64_t report_end_after(const struct drive_report *r, const struct estimate *e, double days);

/* All that `life` says of one drive. */
void report_add_life(struct doc *drive, const struct drive_report *r);

#define REPORT_NAME_MAX 256

/* The shortest name that tells the drive apart: its node, else serial, else "drive". Clean. */
const char *report_name(const struct drive_report *r, char buf[REPORT_NAME_MAX]);

#endif

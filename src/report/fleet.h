/* SPDX-License-Identifier: MIT */
#ifndef REPORT_FLEET_H
#define REPORT_FLEET_H

#include "doc/view.h"
#include "report/drive.h"

/*
 * All drives of a report, who ends first at the top, what they add up to, and which of them to
 * replace when.
 */

/* Why a drive is in the replacement proposal. X(enumerator, name in JSON) */
#define REPLACE_REASONS(X)              \
	X(REPLACE_NOT, "")              \
	X(REPLACE_FAILING, "failing")   \
	X(REPLACE_WORN_OUT, "worn-out") \
	X(REPLACE_ENDS, "ends")         \
	X(REPLACE_STAGGERED, "staggered")

enum replace_reason {
#define X(e, name) e,
	REPLACE_REASONS(X)
#undef X
};

const char *replace_reason_name(enum replace_reason reason);

/* Where a figure of writes a day comes from. */
enum writes_basis {
	WRITES_UNKNOWN,
	WRITES_RECENT,	 /* of the history: its last 30 days, or what there is of them */
	WRITES_LIFETIME, /* host bytes written over the hours powered on */
};

struct fleet_drive {
	const struct drive_report *r;
	const struct estimate *binding; /* NULL: none */
	bool ends;			/* the three are known */
	int64_t end, end_low, end_high; /* median and 90 % interval; equal where it has none */
	enum writes_basis writes_basis;
	double writes_per_day; /* host bytes */
	enum replace_reason reason;
	int64_t replace_by, order_by;  /* where there is a reason; not before `now` */
	const struct finding *failing; /* REPLACE_FAILING: the finding */
	size_t index;		       /* among the reports that the fleet was made of */
	size_t number;		       /* from 1, in this order: for links */
};

struct fleet_terms {
	double window_days; /* how far ahead replacements are planned */
	double lead_days;   /* from the order until a drive is in place */
};
#define FLEET_WINDOW_DAYS 730
#define FLEET_LEAD_DAYS	  30

struct fleet {
	int64_t now; /* the latest of the drives that are there */
	struct fleet_terms terms;
	struct fleet_drive *drives; /* by end: known ends, then by life left, then unknown */
	size_t n;
	/* those to be replaced within the window, by date; point into drives */
	const struct fleet_drive **plan;
	size_t nplan;
	size_t by_verdict[SEVERITY_CRITICAL + 1];
	u128 capacity_bytes;
	double writes_per_day;
	size_t capacity_unknown, writes_unknown, ends_unknown; /* drives that are in no sum */
};

/* now: where no drive is there. The reports must outlive it. -ENOMEM. */
int fleet_make(const struct drive_report *drives, size_t n, const struct fleet_terms *terms,
	       int64_t now, struct fleet *ret) MUST_USE;
void fleet_release(struct fleet *f);

/* Is what is known of it more than a day old? */
bool fleet_is_stale(const struct fleet_drive *d);

/* The worst of all; unknown where there is no drive. */
enum severity fleet_verdict(const struct fleet *f);

#define QUARTER_TEXT 16
/* "2026-Q4" */
const char *quarter_text(int64_t t, char buf[QUARTER_TEXT]);

/* The n-th run of the plan whose drives are due in one quarter; false behind the last one. */
struct fleet_quarter {
	const struct fleet_drive *const *drives;
	size_t n;
	int64_t order_by; /* the earliest */
};
bool fleet_quarter(const struct fleet *f, size_t n, struct fleet_quarter *ret);

/* What to order: "2 x MODEL 1.92 TB, 1 x MODEL 960 GB", "and 3 of other models" at last. */
#define ORDER_TEXT_MAX 1024
const char *fleet_order_text(const struct fleet_quarter *q, char buf[ORDER_TEXT_MAX]);

/* The answers of `report`. rows: one a drive, as member "rows". */
struct doc *report_fleet(const struct fleet *f, int64_t generated_at);
struct doc *report_fleet_rows(const struct fleet *f);
void report_fleet_view(const struct fleet *f, struct view *v);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_ARRAY_H
#define HEALTH_ARRAY_H

#include "health/assess.h"

/*
 * Drives that stand in for each other: members of one array, volume group or pool. Bought together
 * and written alike, they wear out together, and the second may fail while the first is rebuilt.
 * So each array gets a proposal that spreads the replacements.
 */

/* One member whose end is known, and what is proposed for it. */
struct array_member {
	size_t drive;	      /* index among the drives that were compared */
	int64_t end, end_low; /* wears out, median and 5 %, by the binding estimate */
	bool together;	      /* ends within one window of another member's end */
	int64_t replace;      /* proposal: replace it by then */
	bool overdue;	      /* it may end before it can be replaced in time: replace it now */
};

struct array_plan {
	const char *name;	      /* of the array; lives in the reading of a member */
	struct array_member *members; /* in the order of replacement */
	size_t n;
	size_t ntogether;
	/*
	 * Seconds from one replacement to the next, at least. Shorter than the window where the
	 * members end too soon for it.
	 */
	int64_t spacing;
};

struct array_plans {
	struct array_plan *items; /* by name */
	size_t n;
	struct array_member *members; /* of all of them */
};

/*
 * A plan for each array of which at least one member's end is known. Drives in no array, and
 * members without an estimate that ends, are in none; nor are those whose reading is older than
 * that of another member by more than stale_days: they have been replaced. now: seconds since the
 * epoch. -ENOMEM.
 */
int array_plans_make(const struct reading *const *readings,
		     const struct assessment *const *assessments, size_t n,
		     const struct limits *limits, int64_t now, struct array_plans *ret) MUST_USE;
void array_plans_release(struct array_plans *plans);

/*
 * The proposal for one array; sets all but `drive`, `end` and `end_low`, and sorts. Each member is
 * replaced at least a day before its earliest end and as late as that allows, so that two
 * replacements are a window apart; where time is too short for that, equally far from each other
 * and as far as possible.
 */
void array_stagger(struct array_plan *plan, int64_t window, int64_t now);

#endif

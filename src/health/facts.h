/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_FACTS_H
#define HEALTH_FACTS_H

#include "db/rules.h"

/*
 * From a reading and its rule to facts. A fact can have several sources: all are kept, the one
 * that is followed stands first, and where they disagree a conflict says so and why.
 */

#define CANDIDATES_MAX 8
#define CONFLICTS_MAX  16

struct fact_set {
	struct fact candidates[CANDIDATES_MAX]; /* [0] is followed */
	size_t n;
};

struct conflict {
	enum fact_id facts[4]; /* FACT_NONE where fewer */
	char text[320];	       /* both values with units and sources, which is followed and why */
};

struct facts {
	struct fact_set sets[FACT_COUNT];
	struct conflict conflicts[CONFLICTS_MAX];
	size_t nconflicts;
};

/*
 * Collect from standard logs (the rows' facts), rule meanings, ratings, and derivations
 * (percentage used from average erase count and rated cycles, capacity-based NAND bytes, ...).
 * A drive without a rule gets attributes only where cross-checks against standard logs agree.
 */
void facts_collect(const struct reading *r, const struct drive_rule *rule, struct facts *ret);

/* The followed value, or NULL. */
const struct fact *facts_get(const struct facts *facts, enum fact_id id);

/* Its number in the fact's unit; false where unknown. */
bool facts_number(const struct facts *facts, enum fact_id id, i128 *ret);

void facts_add_conflict(struct facts *facts, enum fact_id a, enum fact_id b, const char *fmt, ...)
	PRINTF(4, 5);

#endif

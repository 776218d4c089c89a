/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_ASSESS_H
#define HEALTH_ASSESS_H

#include "health/finding.h"

/* Everything nandlife concludes about one drive from one reading. About 130 KiB: heap. */
struct assessment {
	struct facts facts;
	struct wear wear;
	struct estimates estimates;
	struct finding findings[FINDINGS_MAX]; /* worst first, suppressed ones last */
	size_t nfindings;
	enum severity verdict; /* the worst finding that is not suppressed */
	char reason[240];      /* the line beside the verdict: why, with the numbers */
};

/*
 * Judge a reading: facts, wear, estimates, findings, verdict. Total: any reading gives an answer.
 * now: seconds since the epoch, or TIME_UNKNOWN; for staleness.
 */
void assess(const struct reading *r, const struct drive_rule *rule, const struct limits *limits,
	    const struct suppression *suppressions, size_t nsuppressions, int64_t now,
	    struct assessment *ret);

/* The same from facts that are already in ret->facts. */
void assess_facts(const struct reading *r, const struct drive_rule *rule,
		  const struct limits *limits, const struct suppression *suppressions,
		  size_t nsuppressions, int64_t now, struct assessment *ret);

#endif

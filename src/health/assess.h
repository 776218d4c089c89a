/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_ASSESS_H
#define HEALTH_ASSESS_H

#include "health/finding.h"

/* Everything nandlife concludes about one drive from one reading. About 100 KiB: heap. */
struct assessment {
	struct facts facts;
	struct wear wear;
	struct estimates estimates;
	struct finding findings[FINDINGS_MAX]; /* worst first */
	size_t nfindings;
	enum severity verdict;
	char reason[240]; /* the line beside the verdict: why, with the numbers */
};

/* now: seconds since the epoch; for end dates and staleness. */
void assess(const struct reading *r, const struct drive_rule *rule, const struct limits *limits,
	    const struct suppression *suppressions, size_t nsuppressions, int64_t now,
	    struct assessment *ret);

#endif

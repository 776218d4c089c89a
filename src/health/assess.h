/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_ASSESS_H
#define HEALTH_ASSESS_H

#include "health/finding.h"
#include "health/forecast.h"

/* Everything nandlife concludes about one drive from one reading. About 130 KiB: heap. */
struct assessment {
	struct facts facts;
	struct wear wear;
	struct estimates estimates;
	struct forecast forecast;	       /* nsamples 0: the drive has no history */
	struct finding findings[FINDINGS_MAX]; /* worst first, suppressed ones last */
	size_t nfindings;
	enum severity verdict; /* the worst finding that is not suppressed */
	char reason[240];      /* the line beside the verdict: why, with the numbers */
};

/* What a reading is judged by. */
struct criteria {
	const struct limits *limits;
	const struct suppression *suppressions;
	size_t nsuppressions;
	/*
	 * The drive's finished history, with this reading as its last sample; NULL: none. Findings
	 * of change, the recent write amplification and the forecast need it.
	 */
	const struct series *series;
	int64_t now; /* seconds since the epoch, or TIME_UNKNOWN; for staleness */
};

/* Judge a reading: facts, wear, estimates, findings, verdict. Total: any reading gives an answer.
 */
void assess(const struct reading *r, const struct drive_rule *rule, const struct criteria *criteria,
	    struct assessment *ret);

/* The same from facts that are already in ret->facts. */
void assess_facts(const struct reading *r, const struct drive_rule *rule,
		  const struct criteria *criteria, struct assessment *ret);

/*
 * Add a finding that needs more than one drive to an assessment; it takes its place among the
 * others and counts in the verdict. Dropped where there are FINDINGS_MAX already.
 */
void assess_add(const struct reading *r, const struct suppression *suppressions,
		size_t nsuppressions, const struct finding *finding, struct assessment *a);

#define ARRAY_WEAR_CORRELATED "array.wear-correlated"

/*
 * Compare drives that were assessed together: members of one array that end within one replacement
 * window of each other, or where an end is not known, that are worn alike. It warns from some time
 * before the first has to be replaced; earlier it is a remark. now: seconds since the epoch.
 * -ENOMEM.
 */
int assess_arrays(const struct reading *const *readings, struct assessment *const *assessments,
		  size_t n, const struct limits *limits, const struct suppression *suppressions,
		  size_t nsuppressions, int64_t now) MUST_USE;

#define IDENTITY_WWN_SHARED "identity.wwn-shared"

/*
 * Drives that carry the same world-wide name with another serial number: some makers burn one name
 * into a whole batch, docks invent one, RAID controllers show their volume's. They stay two drives,
 * and a remark on each says so.
 */
void assess_identities(const struct reading *const *readings, struct assessment *const *assessments,
		       size_t n, const struct suppression *suppressions, size_t nsuppressions);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_FIT_RECORD_H
#define FTL_FIT_RECORD_H

#include "ftl/fit.h"
#include "health/forecast.h"

/*
 * What a drive's own record says, for the fit: from the facts of its last reading, and from its
 * finished history where there is one. Where no counter tells NAND bytes they are taken from the
 * wear: percentage used x rated cycles x flash, with the counter's step and what is not known of
 * the flash as its error.
 */
struct fit_source {
	const struct identity *identity;
	const struct drive_rule *rule;
	const struct facts *facts;
	const struct series *series;	 /* NULL: none */
	const struct forecast *forecast; /* NULL: none */
};

/* Where the write amplification comes from. */
enum fit_evidence { EVIDENCE_NONE, EVIDENCE_NAND, EVIDENCE_ERASES, EVIDENCE_PERCENTAGE };

/* How the most worn block runs ahead of the average. */
struct fit_wear {
	bool has_unevenness, has_growth;
	double unevenness;   /* maximum over average, now */
	double growth;	     /* erases that it gains for each average one, over the history */
	double growth_error; /* about one deviation, by the counters' steps */
	double ahead;	     /* erases, now */
};

struct fit_reading {
	struct fit_record record;
	enum fit_evidence evidence;
	struct fit_wear wear;
	char missing[160]; /* EVIDENCE_NONE: what the record lacks */
};

/* Total; evidence says whether there is anything to fit. */
void fit_reading_take(const struct fit_source *s, struct fit_reading *ret);

/* "NAND bytes written" and so on; static. */
const char *fit_evidence_text(enum fit_evidence e);

#endif

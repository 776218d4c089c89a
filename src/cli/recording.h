/* SPDX-License-Identifier: MIT */
#ifndef CLI_RECORDING_H
#define CLI_RECORDING_H

#include "cli/drives.h"
#include "cli/sample_decoder.h"

/* Drives that were read just now go into the history, and what became of each. */

/* X(enumerator, word in JSON) */
#define RECORD_RESULTS(X)                             \
	X(RECORD_NEW, "recorded")                     \
	X(RECORD_SAME, "known") /* by another path */ \
	X(RECORD_STANDBY, "standby")                  \
	X(RECORD_NO_DATA, "no-data")

enum record_result {
#define X(e, word) e,
	RECORD_RESULTS(X)
#undef X
		RECORD_RESULT_COUNT
};

const char *record_result_name(enum record_result result);

struct recorded {
	struct identity identity; /* with the path at which it was read */
	enum record_result result;
	struct diag why; /* of RECORD_NO_DATA */
};

struct recording {
	struct context *ctx;
	struct store *store;
	struct sample_decoder decoder;
	char moved[PATH_MAX];	   /* where a corrupt database is now; or empty */
	struct recorded *recorded; /* one a drive that belongs into the answer */
	size_t n;
	size_t counts[RECORD_RESULT_COUNT];
	uint64_t pruned; /* old samples that were thinned out */
	bool no_access;	 /* to some drive */
};

/*
 * Open the database of ctx to be recorded to, and load the rules. A corrupt one is moved aside,
 * with a line on standard error; one of more than 32 MB is looked at as a whole by the first
 * recording of a day only. Fails as store_open and context_rules.
 */
int recording_open(struct context *ctx, struct recording *ret) MUST_USE;
void recording_release(struct recording *rec);

/*
 * Append a sample of each drive, in one transaction; the first time of a day the history is thinned
 * out too. Where the database turns out to be corrupt it is moved aside, and the drives go into a
 * new one. Called once.
 */
int recording_add(struct recording *rec, const struct drives *drives) MUST_USE;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef LIB_HIDDEN_DRIVE_H
#define LIB_HIDDEN_DRIVE_H

#include "ftl/fit_record.h"
#include "ftl/ftl.h"
#include "ftl/what_if.h"
#include "ftl/workload.h"

/*
 * A simulated drive whose parameters the fit must not see: it emits what a real one logs, and
 * tells what its write amplification is under another condition. Half of them work by policies or
 * under writes that the fitted family does not have.
 */
struct hidden_host {
	double fill, fill_early; /* share of the capacity that holds files, and at first */
	bool trim;		 /* deleted files are trimmed at once */
	double churn;		 /* share of the writes that replaces a file by one elsewhere */
	double sequential;	 /* share of the writes that goes through a region in order */
	struct workload workload;
};

struct hidden_drive {
	uint64_t seed;
	bool outside; /* of the fitted family */
	struct ftl_config device;
	double overprovisioning;
	double parity; /* programs beside each one of data */
	double slc;    /* programs of a pSLC cache a host write */
	bool tells_slc;
	struct hidden_host host;
	bool tells_use, user_tells_fill; /* of the fill: by Identify Namespace, by its owner */
	struct what_if change;
	char text[240]; /* all of that */
};

/* Everything is drawn from the seed. pages: its size, some thousands. */
void hidden_drive_draw(struct hidden_drive *h, uint64_t seed, uint32_t pages, bool outside);

/* Runs it from new and fills a finished series and the facts of its last reading. -ENOMEM. */
int hidden_drive_record(const struct hidden_drive *h, struct series *series,
			struct facts *facts) MUST_USE;

/* Its write amplification under the change, in the steady state; below 0: out of memory. */
double hidden_drive_truth(const struct hidden_drive *h);

/* The whole loop for one drive: what was recovered, and the truth. */
struct hidden_result {
	double truth, now;
	struct what_if_value waf;
	struct fit_value spare;
	double effective;
};
int hidden_drive_project(const struct fit_tables *t, const struct hidden_drive *h,
			 struct hidden_result *ret) MUST_USE;

/* Over many drives: median of the relative error, and the share of truths within the interval. */
struct hidden_score {
	double median_error, coverage;
	unsigned n;
};

/* seed + 0 .. n - 1, every second one outside of the family. told may be NULL. */
int hidden_drives_score(uint64_t seed, unsigned n, uint32_t pages,
			void (*told)(const struct hidden_drive *h, const struct hidden_result *r),
			struct hidden_score *ret) MUST_USE;

#endif

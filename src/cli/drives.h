/* SPDX-License-Identifier: MIT */
#ifndef CLI_DRIVES_H
#define CLI_DRIVES_H

#include "cli/context.h"
#include "decode/snapshot.h"
#include "report/answers.h"

/*
 * The drives that a command is about, read, decoded and judged: from the files of --from, else the
 * drives named on the command line, else every SSD of the machine.
 */
struct drive {
	struct snapshot snapshot;
	struct reading reading;
	struct drive_rule rule;
	struct assessment assessment;
};

struct drives {
	struct drive **items;
	size_t n, cap;
	struct drive_report *reports; /* one a drive, once they are judged */
	bool from_files;
	bool discovered; /* all that the machine has: what turns out to rotate is left out */
	/* exit code for the first drive that was named and could not be read; 0: none */
	int code;
};

void drives_release(struct drives *d);

/*
 * Read the snapshots alone. What was named and is not there becomes a drive in state DRIVE_ABSENT
 * and an error line on standard error; a negative errno (reason in ctx->diag) only where nothing
 * could go on.
 */
int drives_read(struct context *ctx, struct drives *ret) MUST_USE;

/* Decode and judge them all; fills reports. */
int drives_judge(struct context *ctx, struct drives *d) MUST_USE;

/* drives_read and drives_judge. */
int drives_load(struct context *ctx, struct drives *ret) MUST_USE;

#endif

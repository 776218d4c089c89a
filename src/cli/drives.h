/* SPDX-License-Identifier: MIT */
#ifndef CLI_DRIVES_H
#define CLI_DRIVES_H

#include "cli/context.h"
#include "cli/drive_fit.h"
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
	int64_t record;	   /* its number in the history; 0: not known there, or not looked for */
	bool from_history; /* the snapshot is its last record: it was not read now */
	bool is_here;	   /* though: it is there, but may not be opened or is left asleep */
	bool is_named;	   /* by its name in the history */
	bool has_history;
	struct series series;	/* once it is judged its events alone */
	struct drive_fit model; /* with_model; its fit only with keep_models */
};

struct store;

struct drives {
	/* what the command wants of the history; set before drives_read */
	bool with_history; /* join each drive's past, and answer from it for what cannot be read */
	bool by_history;   /* a named database answers alone where no drive is named */
	bool with_absent;  /* add drives of the history that vanished */
	bool with_retired; /* and those taken out long ago */
	bool with_model;   /* fit the FTL model: one more estimate */
	bool keep_models;  /* some megabytes a drive */
	struct owner_says says;
	/*
	 * Called with each drive as it is judged; number: its index in reports. Only then are the
	 * samples of its history there: all drives have too many of them to be kept. May be NULL.
	 */
	int (*judged)(void *arg, size_t number, const struct drive_report *r);
	void *judged_arg;

	struct fit_tables *tables; /* of with_model */
	struct drive **items;
	size_t n, cap;
	struct drive_report *reports; /* one a drive, once they are judged */
	bool from_files;
	bool discovered; /* all that the machine has: what turns out to rotate is left out */
	/* exit code for the first drive that was named and could not be read; 0: none */
	int code;
	struct store *store; /* NULL: no history, or not opened yet */
	bool store_tried;
	size_t nretired; /* of this machine's history, not seen for long, and left out */
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

/* Add a drive to be decoded. Takes over the snapshot, also on failure. */
int drives_add(struct drives *d, struct snapshot *s, struct drive **ret) MUST_USE;

#endif

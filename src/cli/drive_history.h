/* SPDX-License-Identifier: MIT */
#ifndef CLI_DRIVE_HISTORY_H
#define CLI_DRIVE_HISTORY_H

#include "cli/drives.h"
#include "store/store.h"

/*
 * The history database behind the drives of a command: their past, and what is known of drives
 * that cannot be read now. It is opened once, to read only. The default database may be missing or
 * unfit: then there is no history (the latter with a line on standard error). One that was named
 * must be there: exit code 66, 65 for one that is not ours or corrupt.
 */

/* Is there a history to look at? Opens it; false, not an error, where there is none. */
int history_open(struct context *ctx, struct drives *d, bool *ret) MUST_USE;
void history_close(struct drives *d);

/* Is the history alone to answer, and no drive to be read? */
bool history_answers_alone(const struct context *ctx, const struct drives *d);

/* Every drive of the history; their records are read when they are decoded. */
int history_add_all(struct context *ctx, struct drives *d) MUST_USE;

/* The drives that a word names. -ENOENT, reason in ctx->diag. */
int history_add_named(struct context *ctx, struct drives *d, const char *word) MUST_USE;

/*
 * A drive that may not be opened or is left asleep, of which there is a record: it takes the
 * drive's place. Otherwise nothing changes. Takes over the snapshot where it succeeds.
 */
int history_replace(struct context *ctx, struct drives *d, struct snapshot *s, bool *ret) MUST_USE;

/* Read the record of a drive that comes from the history. -ENOENT: it has none at that time. */
int history_read_record(struct context *ctx, struct drives *d, struct drive *drive) MUST_USE;

/*
 * Once all drives are decoded: find each in the history, and add those of the history that are not
 * there now, as far as they belong into the answer.
 */
int history_add_absent(struct context *ctx, struct drives *d) MUST_USE;

/* Fill drive->series with its past and, unless it is from the history, its reading; finished. */
int history_join(struct context *ctx, struct drives *d, struct drive *drive, int64_t now) MUST_USE;

#endif

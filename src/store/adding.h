/* SPDX-License-Identifier: MIT */
#ifndef STORE_ADDING_H
#define STORE_ADDING_H

#include "store/sample.h"

/* Live samples of one drive over two paths, so near to each other, are one. */
#define SAME_TIME_SECONDS 60

/* One append on its way through the files append*.c. */
struct adding {
	struct store *s;
	struct diag *d;
	const struct append *a;
	struct open_drive *drive;
	struct sample sample;
	struct frame frame;
	const struct stored_frame *stored_frame;
	struct bytes logs;	/* the snapshot's bytes, in s->packed */
	struct pack facts, raw; /* columns */
	bool has_raw;
	int64_t raw_number;
};

/* A sample of the same drive, before or after. */
struct neighbour {
	bool there;
	struct sample sample; /* has no frame: ask open_drive_frame for it */
	int64_t frame;
};

/*
 * The raw logs as raw_number and raw. Logs that say the same as the key's cost nothing. A new key
 * is due when the difference to this one has grown to what a key costs itself.
 */
int adding_encode_logs(struct adding *g) MUST_USE;

/*
 * Samples that are this one already: the same dump, or the same drive over another path. Where one
 * of them tells more, or the same, ret_there and ret say so; those that tell less are dropped.
 */
int adding_meet_others(struct adding *g, bool *ret_there, enum append_result *ret) MUST_USE;

/* The first sample from `time` on in the direction of `which`. */
int adding_find_neighbour(struct adding *g, enum statement which, int64_t time,
			  struct neighbour *ret) MUST_USE;

/* Bring the row of the drive up to date, and see whether it took another one's place. */
int adding_update_drive(struct adding *g) MUST_USE;

#endif

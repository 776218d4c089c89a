/* SPDX-License-Identifier: MIT */
#ifndef STORE_DRIVES_H
#define STORE_DRIVES_H

#include "store/frame.h"

/* A row of table drive. */
struct drive_row {
	struct stored_drive drive; /* without owns_path */
	char via[64];		   /* how it was read, where not directly: a part of its place */
	bool has_live;
	int64_t last_live; /* time of the live sample that came last */
};

/* All rows of a statement over DRIVE_COLUMNS. The caller frees them. */
int drive_rows_read(struct store *s, sqlite3_stmt *st, struct diag *d, struct drive_row **ret,
		    size_t *ret_n) MUST_USE;

/* The drive that this identity is, or may become; id 0 in ret: none. */
int drive_row_resolve(struct store *s, const struct identity *identity, struct diag *d,
		      struct drive_row *ret) MUST_USE;

int drive_row_add(struct store *s, const struct identity *identity, struct diag *d,
		  struct drive_row *ret) MUST_USE;
int drive_row_set(struct store *s, const struct drive_row *row, struct diag *d) MUST_USE;

/* Take over what a newer reading tells, but for the place; what it does not tell stays known. */
void drive_row_take(struct identity *known, const struct identity *now);

/*
 * The drive other than `row` that was seen live last in the place where row is now: by location
 * (slot, bay) where the kernel names one, else by node. id 0 in ret: none.
 */
int drive_row_before(struct store *s, const struct drive_row *row, struct diag *d,
		     struct drive_row *ret) MUST_USE;

/*
 * What is remembered of drives that samples are appended to: the row, the last sample, a few
 * frames, and the raw logs that the next ones are a difference to. Changes of the row reach the
 * database with open_drives_flush, or at the commit.
 */
struct raw_key {
	int64_t number; /* 0: none */
	int64_t base;	/* 0: it is whole */
	size_t stored;	/* bytes in the database */
	struct pack plain;
};

#define OPEN_FRAMES 8

struct open_drive {
	struct open_drive *next; /* with the same hash */
	struct drive_row row;
	bool changed; /* the row, since it was written */
	bool has_last;
	struct sample last; /* has no frame: ask open_drive_frame for last_frame */
	int64_t last_frame;
	struct stored_frame *frames[OPEN_FRAMES]; /* the one used last comes first */
	int64_t next_frame;			  /* number of the next new one */
	struct raw_key key, base;		  /* the current one, and what it refers to */
	int64_t next_raw;
};

/* Find the drive of an identity, or add it. The pointer is good until the next call. */
int open_drive_get(struct store *s, const struct identity *identity, struct diag *d,
		   struct open_drive **ret) MUST_USE;

/* Read again what the last sample is, after samples were changed other than at the end. */
int open_drive_reload(struct store *s, struct open_drive *o, struct diag *d) MUST_USE;

/* The frame of this number; good until OPEN_FRAMES others were asked for. */
int open_drive_frame(struct store *s, struct open_drive *o, int64_t number, struct diag *d,
		     const struct stored_frame **ret) MUST_USE;

/* A frame for a sample: one that it fits, else a new one. */
int open_drive_frame_for(struct store *s, struct open_drive *o, const struct frame *frame,
			 const struct sample *sample, struct diag *d,
			 const struct stored_frame **ret) MUST_USE;

int open_drives_flush(struct store *s, struct diag *d) MUST_USE;
void open_drives_forget(struct store *s);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <limits.h>

#include "health/series.h"

/*
 * The history database: SQLite in WAL mode with synchronous=FULL, numbered migrations (db/), every
 * sample of every drive with its facts, their sources and the raw logs that they were made of, so
 * that all facts can be made again when the drive rules improve.
 *
 * A drive is its model and serial number and, where known, its capacity; protocol, node, place and
 * firmware are dated attributes. A drive without a serial number is not kept.
 *
 * Errors, each with what happened and what to do in d: -ENOENT (no such database), -EINVAL (not a
 * database of nandlife, or of a newer one; it is left byte for byte as it was), -EUCLEAN (ours but
 * corrupt), -EBUSY (locked for longer than STORE_BUSY_MS), -EACCES, -EROFS, -ENOSPC, -EIO, -ENOMEM.
 */
struct store;

#define STORE_BUSY_MS 10000

enum store_mode {
	STORE_READ,  /* changes nothing, not even the -wal; falls back to an immutable open */
	STORE_WRITE, /* creates it where it is not there; a file of 0 bytes is new */
	/*
	 * as STORE_WRITE, and a corrupt database is moved aside (FILE.corrupt-TIME) for a new one;
	 * one of more than 32 MB is not read whole for this: see store_quick_check
	 */
	STORE_RECORD,
};

/*
 * now: for the name of a corrupt file and for dates of what is written. Where a corrupt one was
 * moved aside, ret_moved (may be NULL) has its new path, else it is empty.
 */
int store_open(const char *path, enum store_mode mode, int64_t now, struct diag *d,
	       struct store **ret, char ret_moved[PATH_MAX]) MUST_USE;
void store_close(struct store **s); /* sets it to NULL; NULL is fine */

/*
 * After -EUCLEAN from a store that was opened with STORE_RECORD: close it, move the corrupt
 * database aside, and open a new one in its place. *s is NULL on failure.
 */
int store_start_anew(struct store **s, int64_t now, struct diag *d,
		     char ret_moved[PATH_MAX]) MUST_USE;

/* --- drives ---------------------------------------------------------------------------------- */

struct stored_drive {
	int64_t id;
	struct identity identity; /* with the last known place */
	int64_t first_time, last_time;
	uint64_t nsamples;
	int64_t last_seen_here; /* the last live sample, at its path; TIME_UNKNOWN: none */
	bool owns_path;		/* no other drive was seen at this path later */
};

/* All drives, by model and serial. The caller frees the array. */
int store_drives(struct store *s, struct diag *d, struct stored_drive **ret,
		 size_t *ret_n) MUST_USE;

/*
 * "SAMSUNG_MZQL21T9HCJR_S64G1", as udev joins model and serial; with the capacity, where it is
 * known, "MODEL_SERIAL@BYTES", which is one drive alone. Returns ret.
 */
#define STORE_DRIVE_NAME_MAX (MODEL_MAX + SERIAL_MAX + 24)
const char *store_drive_name(const struct identity *i, bool capacity,
			     char ret[STORE_DRIVE_NAME_MAX]);

/*
 * The drives that a word names: a serial number (any case), a model and serial joined as in a by-id
 * link, the same with the capacity, a by-id link, or a node or place by the drive that was seen
 * there last. -ENOENT with near ones in d. Several: the same serial with other capacities or
 * models.
 */
int store_find(struct store *s, const char *word, struct diag *d, struct stored_drive **ret,
	       size_t *ret_n) MUST_USE;

/* The drive of this identity; -ENOENT. Without a capacity it is the only one of that serial. */
int store_find_identity(struct store *s, const struct identity *identity, struct diag *d,
			struct stored_drive *ret) MUST_USE;

/* --- writing --------------------------------------------------------------------------------- */

/*
 * Many appends are one transaction: all of them are there after store_commit, or none. After one
 * that failed for the database's sake (not -ENODATA), store_commit fails too.
 */
int store_begin(struct store *s, struct diag *d) MUST_USE;
int store_commit(struct store *s, struct diag *d) MUST_USE;
void store_rollback(struct store *s);

enum append_result {
	APPEND_NEW,  /* a sample more, or more of one that told less */
	APPEND_SAME, /* the very same sample is there already; undated dumps at any time */
	APPEND_LESS, /* the same drive at the same time, over another path or by another dump, which
			told as much or more; live ones within a minute */
};

struct append {
	const struct snapshot *snapshot; /* kept as it is */
	const struct reading *reading;	 /* of it; its identity must have a serial number */
	const struct facts *facts;
	const struct drive_rule *rule;
	bool live; /* read from the drive now, not imported */
};

/*
 * Add a sample with its raw logs, and the events that it shows against its neighbours. Outside
 * store_begin it is a transaction of its own. -ENODATA where the drive has no serial number, or the
 * sample no time.
 */
int store_append(struct store *s, const struct append *a, struct diag *d, enum append_result *ret,
		 int64_t *ret_drive) MUST_USE;

/* Something that nandlife did, or saw outside of samples. */
int store_add_event(struct store *s, int64_t drive, const struct event *event,
		    struct diag *d) MUST_USE;

/* --- reading --------------------------------------------------------------------------------- */

/*
 * Samples and events of a drive from `since` to `until` (TIME_UNKNOWN: no bound), ready for
 * series_finish. ret must be initialised.
 */
int store_series(struct store *s, int64_t drive, int64_t since, int64_t until, struct diag *d,
		 struct series *ret) MUST_USE;

/* The raw logs of the last sample not later than `at` (TIME_UNKNOWN: the last). -ENOENT. */
int store_snapshot(struct store *s, int64_t drive, int64_t at, struct diag *d,
		   struct snapshot *ret) MUST_USE;

/*
 * Every sample's raw logs, a drive after the other, oldest first; stops when fn returns non-zero,
 * and returns that. drive 0: all. fn must not use this store.
 */
typedef int store_snapshot_fn(void *arg, int64_t drive, bool live, const struct snapshot *snapshot);
int store_each_snapshot(struct store *s, int64_t drive, struct diag *d, store_snapshot_fn *fn,
			void *arg) MUST_USE;

/* --- upkeep ---------------------------------------------------------------------------------- */

/*
 * Make the facts of every sample anew from its raw logs. fn decodes into ret, whose reading is
 * initialised and is released for it; what it returns but 0 ends it all without a change. Samples
 * whose facts come out the same are not touched; events around the others are found anew. One
 * transaction.
 */
struct redecoded {
	struct reading reading;
	struct facts facts;
	struct drive_rule rule;
};
typedef int store_decode_fn(void *arg, const struct snapshot *snapshot, struct redecoded *ret);
int store_redecode(struct store *s, store_decode_fn *fn, void *arg,
		   void (*progress)(void *arg, uint64_t done, uint64_t total), void *progress_arg,
		   struct diag *d, uint64_t *ret_samples, uint64_t *ret_changed) MUST_USE;

struct retention {
	unsigned full_days;  /* every sample is kept for so long; 0: for ever */
	unsigned daily_days; /* then the last of each day for so long; 0: for ever */
};
#define RETENTION_FULL_DAYS 90

/*
 * Thin out what is older; samples on both sides of an event, and a drive's first and last, stay.
 * dry_run only counts. A transaction for each drive. ret_bytes: of the samples that go.
 */
int store_prune(struct store *s, const struct retention *r, int64_t now, bool dry_run,
		struct diag *d, uint64_t *ret_samples, uint64_t *ret_bytes) MUST_USE;

/*
 * A consistent copy while others write; progress counts pages. It takes its name when it is whole.
 * The target must not exist: -EEXIST. What store_check finds fault with is not copied: -EUCLEAN.
 */
int store_backup(struct store *s, const char *path,
		 void (*progress)(void *arg, uint64_t done, uint64_t total), void *progress_arg,
		 struct diag *d) MUST_USE;

/*
 * Every page of the file in its place and order, but not whether the indexes hold what the tables
 * do; reads all of it. 0 or -EUCLEAN with the first fault.
 */
int store_quick_check(struct store *s, struct diag *d) MUST_USE;

/* SQLite's own check of the whole file, and ours: 0 or -EUCLEAN with the first fault. */
int store_check(struct store *s, struct diag *d) MUST_USE;

#endif

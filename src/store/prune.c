/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "store/drives.h"

/* A row's own columns, beside facts and raw. */
#define ROW_BYTES 16

/* The samples of one drive, oldest first. */
struct thinning {
	struct thin_sample {
		int64_t time;
		uint64_t bytes;
		bool kept;
	} * samples;
	size_t n, cap;
};

static void thinning_release(struct thinning *t)
{
	free(t->samples);
}

static int read_sizes(struct store *s, int64_t drive, struct diag *d, struct thinning *t)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_SAMPLE_SIZES, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	while ((err = statement_step(s, st, d)) == 1) {
		if (t->n == t->cap) {
			size_t cap = t->cap ? t->cap * 2 : 1024;
			void *grown = realloc(t->samples, cap * sizeof(t->samples[0]));

			if (!grown)
				return store_no_memory(d);
			t->samples = grown;
			t->cap = cap;
		}
		t->samples[t->n++] = (struct thin_sample){
			.time = sqlite3_column_int64(st, 0),
			.bytes = (uint64_t)sqlite3_column_int64(st, 1) + ROW_BYTES
		};
	}
	return err;
}

/* By age: all, the last of a day, or none. */
static void keep_by_age(const struct retention *r, int64_t now, struct thinning *t)
{
	int64_t full_from = now - r->full_days * SECONDS_PER_DAY;
	int64_t daily_from = now - (r->full_days + (int64_t)r->daily_days) * SECONDS_PER_DAY;

	for (size_t i = 0; i < t->n; i++) {
		struct thin_sample *sample = &t->samples[i];
		bool last_of_day = i + 1 == t->n ||
				   time_day(sample->time) != time_day(t->samples[i + 1].time);

		if (!r->full_days || sample->time >= full_from)
			sample->kept = true;
		else if (!r->daily_days || sample->time >= daily_from)
			sample->kept = last_of_day;
		if (i == 0 || i + 1 == t->n)
			sample->kept = true;
	}
}

/* What an event says is only shown by the samples on both of its sides. */
static int keep_by_events(struct store *s, int64_t drive, struct diag *d, struct thinning *t)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_EVENT_TIMES, d, &st);
	size_t i = 0;

	if (err)
		return err;
	bind_number(st, 1, drive);
	while ((err = statement_step(s, st, d)) == 1) {
		int64_t time = sqlite3_column_int64(st, 0);

		while (i < t->n && t->samples[i].time < time)
			i++;
		if (i > 0)
			t->samples[i - 1].kept = true;
		if (i < t->n)
			t->samples[i].kept = true;
	}
	return err;
}

static int run_for_drive(struct store *s, enum statement id, int64_t drive, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, id, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	return statement_run(s, st, d);
}

static int delete_sample(struct store *s, int64_t drive, int64_t time, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_SAMPLE_DELETE, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, time);
	return statement_run(s, st, d);
}

static int set_count(struct store *s, int64_t drive, size_t n, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_DRIVE_COUNT, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, (int64_t)n);
	return statement_run(s, st, d);
}

/* The samples that are not kept, and then what no sample refers to any more. */
static int delete_samples(struct store *s, int64_t drive, const struct thinning *t, size_t kept,
			  struct diag *d)
{
	static const enum statement then[] = { SQL_FRAMES_DROP, SQL_RAW_DROP, SQL_RAW_BASES_DROP };
	int err = 0;

	for (size_t i = 0; i < t->n && !err; i++)
		if (!t->samples[i].kept)
			err = delete_sample(s, drive, t->samples[i].time, d);
	for (size_t i = 0; i < ARRAY_SIZE(then) && !err; i++)
		err = run_for_drive(s, then[i], drive, d);
	return err ? err : set_count(s, drive, kept, d);
}

static int prune_drive(struct store *s, int64_t drive, const struct retention *r, int64_t now,
		       bool dry_run, struct diag *d, uint64_t *samples, uint64_t *bytes)
{
	CLEANUP(thinning_release) struct thinning t = { 0 };
	uint64_t gone_bytes = 0;
	size_t gone = 0;
	bool own = false;
	int err = dry_run ? read_begin(s, d) : write_begin(s, d, &own);

	if (err)
		return err;
	err = read_sizes(s, drive, d, &t);
	if (!err) {
		keep_by_age(r, now, &t);
		err = keep_by_events(s, drive, d, &t);
	}
	for (size_t i = 0; i < t.n; i++)
		if (!t.samples[i].kept) {
			gone++;
			gone_bytes += t.samples[i].bytes;
		}
	if (!err && gone && !dry_run)
		err = delete_samples(s, drive, &t, t.n - gone, d);
	err = dry_run ? read_end(s, err) : write_end(s, own, err, d);
	if (err)
		return err;
	*samples += gone;
	*bytes += gone_bytes;
	return 0;
}

/* Pages that are free now leave the file; where others read or write, at another time. */
static int give_back(struct store *s, struct diag *d)
{
	int err = store_exec(s, "PRAGMA incremental_vacuum", d);

	if (!err)
		sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	return err;
}

int store_prune(struct store *s, const struct retention *r, int64_t now, bool dry_run,
		struct diag *d, uint64_t *ret_samples, uint64_t *ret_bytes)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	uint64_t samples = 0, bytes = 0;
	size_t n = 0;
	int err = store_drives(s, d, &drives, &n);

	/* frames and keys that are remembered may go */
	if (!err)
		open_drives_forget(s);
	for (size_t i = 0; i < n && !err; i++)
		err = prune_drive(s, drives[i].id, r, now, dry_run, d, &samples, &bytes);
	if (!err && samples && !dry_run && !s->in_transaction)
		err = give_back(s, d);
	if (err)
		return err;
	*ret_samples = samples;
	*ret_bytes = bytes;
	return 0;
}

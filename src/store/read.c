/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "store/sample.h"

/* --- series ---------------------------------------------------------------------------------- */

/* The frames of one series: read once, and handed over to it. */
struct frames {
	struct known_frame {
		const struct frame *frame; /* the series' own */
		struct stored_frame stored;
	} * known;
	size_t n, cap;
	size_t last; /* the one of the sample before */
};

static void frames_release(struct frames *f)
{
	free(f->known);
}

static int find_frame(struct store *s, int64_t drive, int64_t number, struct frames *f,
		      struct diag *d, struct series *series, const struct known_frame **ret)
{
	struct known_frame *k;
	int err;

	for (size_t i = 0; i < f->n; i++) {
		k = &f->known[(f->last + i) % f->n];
		if (k->stored.number == number) {
			f->last = (size_t)(k - f->known);
			*ret = k;
			return 0;
		}
	}
	if (f->n == f->cap) {
		size_t cap = f->cap ? f->cap * 2 : 4;
		struct known_frame *grown = realloc(f->known, cap * sizeof(*grown));

		if (!grown)
			return store_no_memory(d);
		f->known = grown;
		f->cap = cap;
	}
	k = &f->known[f->n];
	err = stored_frame_read(s, drive, number, d, &k->stored);
	if (err)
		return err;
	if (series_add_frame(series, &k->stored.frame, &k->frame))
		return store_no_memory(d);
	f->last = f->n++;
	*ret = k;
	return 0;
}

static int read_samples(struct store *s, int64_t drive, int64_t since, int64_t until,
			struct diag *d, struct series *series)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	CLEANUP(frames_release) struct frames frames = { 0 };
	const struct known_frame *frame = NULL;
	struct sample_row row;
	int err = statement_get(s, SQL_SAMPLES, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, since == TIME_UNKNOWN ? INT64_MIN : since);
	bind_number(st, 3, until == TIME_UNKNOWN ? INT64_MAX : until);
	while ((err = statement_step(s, st, d)) == 1) {
		sample_row_read(st, &row);
		err = find_frame(s, drive, row.frame, &frames, d, series, &frame);
		if (err || !frame)
			return err;
		if (facts_unpack(&frame->stored, row.facts, &row.sample))
			return store_malformed(s, d, "the facts of a sample");
		row.sample.frame = frame->frame;
		if (series_add_sample(series, &row.sample))
			return store_no_memory(d);
	}
	return err;
}

static int read_events(struct store *s, int64_t drive, int64_t since, int64_t until, struct diag *d,
		       struct series *series)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	struct event event;
	char kind[32];
	int err = statement_get(s, SQL_EVENTS, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, since == TIME_UNKNOWN ? INT64_MIN : since);
	bind_number(st, 3, until == TIME_UNKNOWN ? INT64_MAX : until);
	while ((err = statement_step(s, st, d)) == 1) {
		memset(&event, 0, sizeof(event));
		event.time = sqlite3_column_int64(st, 0);
		column_text(st, 1, kind, sizeof(kind));
		column_text(st, 2, event.text, sizeof(event.text));
		err = row_end(s, d);
		if (err)
			return err;
		event.kind = event_kind_by_name(kind);
		if (event.kind == EVENT_KIND_COUNT)
			return store_malformed(s, d, "the kind of an event");
		if (series_add_event(series, &event))
			return store_no_memory(d);
	}
	return err;
}

static int read_identity(struct store *s, int64_t drive, struct diag *d, struct series *series)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	CLEANUP(cleanup_free) struct drive_row *rows = NULL;
	size_t n = 0;
	int err = statement_get(s, SQL_DRIVE, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	err = drive_rows_read(s, st, d, &rows, &n);
	if (!err && n != 1)
		return diag_fail(d, -ENOENT, "%s: no drive number %lld", s->path, (long long)drive);
	if (!err)
		series->identity = rows[0].drive.identity;
	return err;
}

int store_series(struct store *s, int64_t drive, int64_t since, int64_t until, struct diag *d,
		 struct series *ret)
{
	struct series series;
	int err = open_drives_flush(s, d);

	if (!err)
		err = read_begin(s, d);
	if (err)
		return err;
	series_init(&series);
	err = read_identity(s, drive, d, &series);
	if (!err)
		err = read_samples(s, drive, since, until, d, &series);
	if (!err)
		err = read_events(s, drive, since, until, d, &series);
	err = read_end(s, err);
	if (err) {
		series_release(&series);
		return err;
	}
	*ret = series;
	return 0;
}

/* --- raw logs -------------------------------------------------------------------------------- */

int sample_snapshot(struct store *s, int64_t drive, const struct sample_row *row,
		    struct raw_key *key, struct diag *d, struct snapshot *ret)
{
	CLEANUP(pack_release) struct pack logs = { 0 };
	int err = 0;

	if (key->number != row->raw_number)
		err = raw_key_read(s, drive, row->raw_number, d, key);
	if (!err)
		err = sample_logs(s, key, row, d, &logs);
	if (err)
		return err;
	err = logs_unpack(pack_view(&logs), ret);
	if (err == -EUCLEAN)
		return store_malformed(s, d, "the raw logs of a sample");
	if (err)
		return store_no_memory(d);
	ret->time = row->sample.time;
	ret->time_is_file = row->sample.time_is_file;
	return 0;
}

static int snapshot_before(struct store *s, int64_t drive, int64_t at, struct diag *d,
			   struct snapshot *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	CLEANUP(raw_key_release) struct raw_key key = { 0 };
	struct sample_row row;
	int err = statement_get(s, SQL_SAMPLE_BEFORE, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, at == TIME_UNKNOWN ? INT64_MAX : at);
	err = statement_step(s, st, d);
	if (err < 0)
		return err;
	if (!err)
		return diag_fail(d, -ENOENT, "%s: no sample of this drive so early", s->path);
	sample_row_read(st, &row);
	return sample_snapshot(s, drive, &row, &key, d, ret);
}

int store_snapshot(struct store *s, int64_t drive, int64_t at, struct diag *d, struct snapshot *ret)
{
	int err = read_begin(s, d);

	return err ? err : read_end(s, snapshot_before(s, drive, at, d, ret));
}

static int each_of_drive(struct store *s, int64_t drive, struct diag *d, store_snapshot_fn *fn,
			 void *arg)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	CLEANUP(raw_key_release) struct raw_key key = { 0 };
	struct snapshot snapshot;
	struct sample_row row;
	int err = statement_get(s, SQL_SAMPLES, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, INT64_MIN);
	bind_number(st, 3, INT64_MAX);
	while ((err = statement_step(s, st, d)) == 1) {
		snapshot_init(&snapshot);
		sample_row_read(st, &row);
		err = sample_snapshot(s, drive, &row, &key, d, &snapshot);
		if (err)
			return err;
		err = fn(arg, drive, row.sample.live, &snapshot);
		snapshot_release(&snapshot);
		if (err)
			return err;
	}
	return err;
}

static int each_snapshot(struct store *s, int64_t drive, struct diag *d, store_snapshot_fn *fn,
			 void *arg)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	size_t n = 0;
	int err;

	if (drive)
		return each_of_drive(s, drive, d, fn, arg);
	err = store_drives(s, d, &drives, &n);
	for (size_t i = 0; i < n && !err; i++)
		err = each_of_drive(s, drives[i].id, d, fn, arg);
	return err;
}

int store_each_snapshot(struct store *s, int64_t drive, struct diag *d, store_snapshot_fn *fn,
			void *arg)
{
	int err = read_begin(s, d);

	return err ? err : read_end(s, each_snapshot(s, drive, d, fn, arg));
}

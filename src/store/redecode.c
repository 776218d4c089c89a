/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/events.h"
#include "store/sample.h"

/* One run over all samples. */
struct redecoding {
	struct store *s;
	struct diag *d;
	store_decode_fn *fn;
	void *arg;
	struct redecoded *fresh;
	uint64_t samples, changed;
	/* of the drive that it is at */
	struct open_drive *drive;
	struct raw_key key;
	struct pack facts;
	bool has_before, before_changed;
	struct sample before; /* without its frame */
	int64_t before_frame;
};

static int times_of(struct redecoding *r, int64_t **ret, size_t *ret_n)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	CLEANUP(cleanup_free) int64_t *times = NULL;
	size_t n = 0, cap = 0;
	int err = statement_get(r->s, SQL_SAMPLE_SIZES, r->d, &st);

	if (err)
		return err;
	bind_number(st, 1, r->drive->row.drive.id);
	while ((err = statement_step(r->s, st, r->d)) == 1) {
		if (n == cap) {
			int64_t *grown = realloc(times, (cap ? cap * 2 : 1024) * sizeof(*times));

			if (!grown)
				return store_no_memory(r->d);
			times = grown;
			cap = cap ? cap * 2 : 1024;
		}
		times[n++] = sqlite3_column_int64(st, 0);
	}
	if (err)
		return err;
	*ret = times;
	*ret_n = n;
	times = NULL;
	return 0;
}

/* The stored sample, and what its raw logs say now. */
static int decode(struct redecoding *r, int64_t time, struct sample *ret_old, int64_t *ret_frame)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	CLEANUP(snapshot_release) struct snapshot snapshot;
	const struct stored_frame *f;
	struct sample_row row;
	int err = statement_get(r->s, SQL_SAMPLE_AT, r->d, &st);

	snapshot_init(&snapshot);
	if (err)
		return err;
	bind_number(st, 1, r->drive->row.drive.id);
	bind_number(st, 2, time);
	err = statement_step(r->s, st, r->d);
	if (err < 0)
		return err;
	sample_row_read(st, &row);
	err = open_drive_frame(r->s, r->drive, row.frame, r->d, &f);
	if (err)
		return err;
	if (facts_unpack(f, row.facts, &row.sample))
		return store_malformed(r->s, r->d, "the facts of a sample");
	err = sample_snapshot(r->s, r->drive->row.drive.id, &row, &r->key, r->d, &snapshot);
	if (err)
		return err;
	*ret_old = row.sample;
	*ret_frame = row.frame;
	return r->fn(r->arg, &snapshot, r->fresh);
}

static bool same_sample(const struct sample *a, const struct sample *b)
{
	return a->has == b->has && a->at_least == b->at_least && a->at_most == b->at_most &&
	       memcmp(a->values, b->values, sizeof(a->values)) == 0;
}

static int set_facts(struct redecoding *r, const struct sample *sample, const struct frame *frame,
		     int64_t *ret_frame)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	const struct stored_frame *f;
	int err = open_drive_frame_for(r->s, r->drive, frame, sample, r->d, &f);

	if (err)
		return err;
	facts_pack(f, sample, &r->facts);
	if (r->facts.err)
		return store_no_memory(r->d);
	err = statement_get(r->s, SQL_SAMPLE_SET_FACTS, r->d, &st);
	if (err)
		return err;
	bind_number(st, 1, r->drive->row.drive.id);
	bind_number(st, 2, sample->time);
	bind_number(st, 3, f->number);
	bind_bytes(st, 4, pack_view(&r->facts));
	*ret_frame = f->number;
	return statement_run(r->s, st, r->d);
}

/* Of this sample and the one before, where one of them says something else now. */
static int find_events(struct redecoding *r, const struct sample *sample, int64_t frame)
{
	int64_t drive = r->drive->row.drive.id;
	const struct stored_frame *f;
	struct sample before = r->before, after = *sample;
	int err = events_forget(r->s, drive, sample->time, r->d);

	if (!err)
		err = open_drive_frame(r->s, r->drive, r->before_frame, r->d, &f);
	if (err)
		return err;
	before.frame = &f->frame;
	err = open_drive_frame(r->s, r->drive, frame, r->d, &f);
	if (err)
		return err;
	after.frame = &f->frame;
	return events_derive(r->s, drive, &before, &after, &r->fresh->rule, r->d);
}

static int redecode_sample(struct redecoding *r, int64_t time)
{
	struct sample old = { 0 }, now;
	struct frame frame;
	const struct stored_frame *f;
	int64_t number = 0;
	bool changed;
	int err = decode(r, time, &old, &number);

	if (err)
		return err;
	sample_take(&r->fresh->reading, &r->fresh->facts, &now, &frame);
	now.time = time;
	now.live = old.live;
	now.time_is_file = old.time_is_file;
	err = open_drive_frame(r->s, r->drive, number, r->d, &f);
	if (err)
		return err;
	changed = !same_sample(&old, &now) || !frame_equal(&f->frame, &frame);
	if (changed)
		err = set_facts(r, &now, &frame, &number);
	if (!err && r->has_before && (changed || r->before_changed))
		err = find_events(r, &now, number);
	r->has_before = true;
	r->before_changed = changed;
	r->before = now;
	r->before_frame = number;
	r->changed += changed;
	r->samples++;
	return err;
}

static int redecode_drive(struct redecoding *r, const struct stored_drive *drive,
			  void (*progress)(void *arg, uint64_t done, uint64_t total),
			  void *progress_arg, uint64_t total)
{
	CLEANUP(cleanup_free) int64_t *times = NULL;
	size_t n = 0;
	int err = open_drive_get(r->s, &drive->identity, r->d, &r->drive);

	raw_key_release(&r->key);
	r->has_before = false;
	if (!err)
		err = times_of(r, &times, &n);
	for (size_t i = 0; i < n && !err; i++) {
		reading_init(&r->fresh->reading);
		err = redecode_sample(r, times[i]);
		if (!err && i + 1 == n) {
			drive_row_take(&r->drive->row.drive.identity, &r->fresh->reading.identity);
			r->drive->changed = true;
		}
		reading_release(&r->fresh->reading);
		if (progress)
			progress(progress_arg, r->samples, total);
	}
	if (!err && n)
		err = open_drive_reload(r->s, r->drive, r->d);
	return err;
}

int store_redecode(struct store *s, store_decode_fn *fn, void *arg,
		   void (*progress)(void *arg, uint64_t done, uint64_t total), void *progress_arg,
		   struct diag *d, uint64_t *ret_samples, uint64_t *ret_changed)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	struct redecoding r = { .s = s, .d = d, .fn = fn, .arg = arg };
	uint64_t total = 0;
	bool own = false;
	size_t n = 0;
	int err = write_begin(s, d, &own);

	if (err)
		return err;
	r.fresh = calloc(1, sizeof(*r.fresh));
	err = r.fresh ? store_drives(s, d, &drives, &n) : store_no_memory(d);
	for (size_t i = 0; i < n; i++)
		total += drives[i].nsamples;
	for (size_t i = 0; i < n && !err; i++)
		err = redecode_drive(&r, &drives[i], progress, progress_arg, total);
	err = write_end(s, own, err, d);
	raw_key_release(&r.key);
	pack_release(&r.facts);
	free(r.fresh);
	if (err)
		return err;
	*ret_samples = r.samples;
	*ret_changed = r.changed;
	return 0;
}

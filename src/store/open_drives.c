/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "store/sample.h"

/*
 * Importing a year of a rack visits the same thousand drives again and again: what an append needs
 * of its drive is kept, within bounds, and all of it forgotten where they are passed.
 */
#define OPEN_BUCKETS   1024
#define OPEN_BYTES_MAX ((size_t)64 << 20)
/* A drive has a new frame when its place, firmware or rules change; older ones are not tried. */
#define FRAMES_TRIED 4

struct open_drives {
	struct open_drive *buckets[OPEN_BUCKETS];
	size_t bytes;
};

static void open_drive_free(struct open_drive *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < OPEN_FRAMES; i++)
		free(o->frames[i]);
	raw_key_release(&o->key);
	raw_key_release(&o->base);
	free(o);
}

void open_drives_forget(struct store *s)
{
	if (!s->drives)
		return;
	for (size_t i = 0; i < OPEN_BUCKETS; i++)
		while (s->drives->buckets[i]) {
			struct open_drive *o = s->drives->buckets[i];

			s->drives->buckets[i] = o->next;
			open_drive_free(o);
		}
	free(s->drives);
	s->drives = NULL;
}

int open_drives_flush(struct store *s, struct diag *d)
{
	int err = 0;

	for (size_t i = 0; s->drives && i < OPEN_BUCKETS && !err; i++)
		for (struct open_drive *o = s->drives->buckets[i]; o && !err; o = o->next) {
			if (!o->changed)
				continue;
			err = drive_row_set(s, &o->row, d);
			o->changed = err != 0;
		}
	return err;
}

/* --- frames ---------------------------------------------------------------------------------- */

/* Puts the last place's frame first, or a new one in its place. */
static struct stored_frame *to_front(struct open_drive *o, size_t from, struct stored_frame *f)
{
	memmove(o->frames + 1, o->frames, from * sizeof(o->frames[0]));
	o->frames[0] = f;
	return f;
}

/* Room for another frame, in front. */
static struct stored_frame *new_frame(struct store *s, struct open_drive *o)
{
	struct stored_frame *f = o->frames[OPEN_FRAMES - 1];

	if (!f) {
		f = calloc(1, sizeof(*f));
		if (!f)
			return NULL;
		s->drives->bytes += sizeof(*f);
	}
	return to_front(o, OPEN_FRAMES - 1, f);
}

int open_drive_frame(struct store *s, struct open_drive *o, int64_t number, struct diag *d,
		     const struct stored_frame **ret)
{
	struct stored_frame *f;
	int err;

	for (size_t i = 0; i < OPEN_FRAMES && o->frames[i]; i++)
		if (o->frames[i]->number == number) {
			*ret = to_front(o, i, o->frames[i]);
			return 0;
		}
	f = new_frame(s, o);
	if (!f)
		return store_no_memory(d);
	f->number = 0; /* until it is read whole */
	err = stored_frame_read(s, o->row.drive.id, number, d, f);
	if (err) {
		f->number = 0;
		return err;
	}
	*ret = f;
	return 0;
}

/* Numbers of the drive's latest frames; the first sets what the next new one will be. */
static int latest_frames(struct store *s, struct open_drive *o, struct diag *d,
			 int64_t ret[FRAMES_TRIED], size_t *ret_n)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_FRAME_NUMBERS, d, &st);
	size_t n = 0;

	if (err)
		return err;
	bind_number(st, 1, o->row.drive.id);
	bind_number(st, 2, FRAMES_TRIED);
	while ((err = statement_step(s, st, d)) == 1 && n < FRAMES_TRIED)
		ret[n++] = sqlite3_column_int64(st, 0);
	if (err < 0)
		return err;
	*ret_n = n;
	o->next_frame = n ? ret[0] + 1 : 1;
	return 0;
}

int open_drive_frame_for(struct store *s, struct open_drive *o, const struct frame *frame,
			 const struct sample *sample, struct diag *d,
			 const struct stored_frame **ret)
{
	int64_t numbers[FRAMES_TRIED];
	const struct stored_frame *known = NULL;
	struct stored_frame *f;
	size_t n = 0;
	int err;

	for (size_t i = 0; i < OPEN_FRAMES && o->frames[i]; i++)
		if (o->frames[i]->number && stored_frame_fits(o->frames[i], frame, sample)) {
			*ret = to_front(o, i, o->frames[i]);
			return 0;
		}
	err = latest_frames(s, o, d, numbers, &n);
	for (size_t i = 0; i < n && !err; i++) {
		err = open_drive_frame(s, o, numbers[i], d, &known);
		if (!err && known && stored_frame_fits(known, frame, sample)) {
			*ret = known;
			return 0;
		}
	}
	if (err)
		return err;
	f = new_frame(s, o);
	if (!f)
		return store_no_memory(d);
	err = stored_frame_add(s, o->row.drive.id, o->next_frame, frame, sample, d, f);
	if (err) {
		f->number = 0;
		return err;
	}
	o->next_frame++;
	*ret = f;
	return 0;
}

/* --- drives ---------------------------------------------------------------------------------- */

static unsigned hash_of(const char *serial)
{
	unsigned h = 2166136261u;

	while (*serial)
		h = (h ^ (uint8_t)*serial++) * 16777619u;
	return h % OPEN_BUCKETS;
}

static bool is_same(const struct identity *a, const struct identity *b)
{
	return strcmp(a->serial, b->serial) == 0 && strcmp(a->model, b->model) == 0 &&
	       a->has_capacity == b->has_capacity &&
	       (!a->has_capacity || a->capacity_bytes == b->capacity_bytes);
}

int open_drive_reload(struct store *s, struct open_drive *o, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	const struct stored_frame *f = NULL;
	struct sample_row row;
	int err = statement_get(s, SQL_SAMPLE_BEFORE, d, &st);

	o->has_last = false;
	if (err)
		return err;
	bind_number(st, 1, o->row.drive.id);
	bind_number(st, 2, INT64_MAX);
	err = statement_step(s, st, d);
	if (err != 1)
		return err;
	sample_row_read(st, &row);
	err = open_drive_frame(s, o, row.frame, d, &f);
	if (err || !f)
		return err;
	o->last = row.sample;
	if (facts_unpack(f, row.facts, &o->last))
		return store_malformed(s, d, "the facts of a sample");
	o->last.frame = NULL;
	o->last_frame = row.frame;
	o->has_last = true;
	if (o->key.number)
		return 0;
	err = raw_key_read(s, o->row.drive.id, row.raw_number, d, &o->key);
	if (!err && o->key.base)
		err = raw_key_read(s, o->row.drive.id, o->key.base, d, &o->base);
	return err;
}

static int next_raw(struct store *s, struct open_drive *o, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_RAW_LAST, d, &st);

	if (err)
		return err;
	bind_number(st, 1, o->row.drive.id);
	err = statement_step(s, st, d);
	if (err < 0)
		return err;
	o->next_raw = sqlite3_column_int64(st, 0) + 1;
	return 0;
}

static struct open_drive *remembered(const struct store *s, const struct drive_row *row)
{
	struct open_drive *o = s->drives->buckets[hash_of(row->drive.identity.serial)];

	while (o && o->row.drive.id != row->drive.id)
		o = o->next;
	return o;
}

static int load(struct store *s, const struct drive_row *row, struct diag *d,
		struct open_drive **ret)
{
	struct open_drive **bucket = &s->drives->buckets[hash_of(row->drive.identity.serial)];
	struct open_drive *o = calloc(1, sizeof(*o));
	int err;

	if (!o)
		return store_no_memory(d);
	o->row = *row;
	err = open_drive_reload(s, o, d);
	if (!err)
		err = next_raw(s, o, d);
	if (err) {
		open_drive_free(o);
		return err;
	}
	s->drives->bytes += sizeof(*o) + o->key.plain.cap + o->base.plain.cap;
	o->next = *bucket;
	*bucket = o;
	*ret = o;
	return 0;
}

/* The table of drives, emptied first where it has grown too large. */
static int make_room(struct store *s, struct diag *d)
{
	int err;

	if (s->drives && s->drives->bytes > OPEN_BYTES_MAX) {
		err = open_drives_flush(s, d);
		if (err)
			return err;
		open_drives_forget(s);
	}
	if (!s->drives)
		s->drives = calloc(1, sizeof(*s->drives));
	return s->drives ? 0 : store_no_memory(d);
}

/* A drive whose model or capacity becomes known is written at once: others look for it by them. */
static int learn(struct store *s, struct open_drive *o, const struct identity *identity,
		 struct diag *d)
{
	struct identity *known = &o->row.drive.identity;
	bool model = !known->model[0] && identity->model[0];
	bool capacity = !known->has_capacity && identity->has_capacity;

	if (!model && !capacity)
		return 0;
	if (model)
		memcpy(known->model, identity->model, sizeof(known->model));
	if (capacity) {
		known->has_capacity = true;
		known->capacity_bytes = identity->capacity_bytes;
	}
	return drive_row_set(s, &o->row, d);
}

int open_drive_get(struct store *s, const struct identity *identity, struct diag *d,
		   struct open_drive **ret)
{
	struct drive_row row;
	struct open_drive *o;
	int err = make_room(s, d);

	if (err)
		return err;
	for (o = s->drives->buckets[hash_of(identity->serial)]; o; o = o->next)
		if (is_same(&o->row.drive.identity, identity)) {
			*ret = o;
			return 0;
		}
	err = drive_row_resolve(s, identity, d, &row);
	if (!err && !row.drive.id) {
		err = drive_row_add(s, identity, d, &row);
		if (!err)
			err = drive_row_set(s, &row, d);
	}
	if (err)
		return err;
	o = remembered(s, &row);
	if (!o)
		err = load(s, &row, d, &o);
	if (!err && o)
		err = learn(s, o, identity, d);
	if (!err)
		*ret = o;
	return err;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "store/adding.h"
#include "store/events.h"

static void adding_release(struct adding *g)
{
	pack_release(&g->facts);
	pack_release(&g->raw);
}

/* What the two samples on either side show, where this one comes between them. */
static int find_events(struct adding *g, const struct neighbour *before,
		       const struct neighbour *after)
{
	int64_t drive = g->drive->row.drive.id;
	const struct stored_frame *f;
	struct sample own = g->sample, other;
	int err = 0;

	own.frame = &g->stored_frame->frame;
	if (before->there) {
		err = open_drive_frame(g->s, g->drive, before->frame, g->d, &f);
		if (err)
			return err;
		other = before->sample;
		other.frame = &f->frame;
		err = events_derive(g->s, drive, &other, &own, g->a->rule, g->d);
	}
	if (!err && after->there) {
		err = events_forget(g->s, drive, after->sample.time, g->d);
		if (!err)
			err = open_drive_frame(g->s, g->drive, after->frame, g->d, &f);
		if (err)
			return err;
		other = after->sample;
		other.frame = &f->frame;
		err = events_derive(g->s, drive, &own, &other, g->a->rule, g->d);
	}
	return err;
}

/* --- all of it ------------------------------------------------------------------------------- */

static int insert_sample(struct adding *g)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(g->s, SQL_SAMPLE_ADD, g->d, &st);

	if (err)
		return err;
	bind_number(st, 1, g->drive->row.drive.id);
	bind_number(st, 2, g->sample.time);
	bind_number(st, 3, g->stored_frame->number);
	bind_number(st, 4, g->raw_number);
	bind_number(st, 5,
		    (g->sample.live ? SAMPLE_LIVE : 0) |
			    (g->sample.time_is_file ? SAMPLE_TIME_IS_FILE : 0));
	bind_bytes(st, 6, pack_view(&g->facts));
	if (g->has_raw)
		bind_bytes(st, 7, pack_view(&g->raw));
	else
		bind_null(st, 7);
	return statement_run(g->s, st, g->d);
}

static void remember_last(struct adding *g)
{
	struct open_drive *o = g->drive;

	o->last = g->sample;
	o->last.frame = NULL;
	o->last_frame = g->stored_frame->number;
	o->has_last = true;
}

/* A sample later than all others, of a drive that is read over one path: what nearly all are. */
static bool is_next(const struct adding *g)
{
	const struct open_drive *o = g->drive;

	if (g->sample.time_is_file)
		return false;
	if (!o->has_last)
		return true;
	return g->sample.time > o->last.time &&
	       !(g->sample.live && o->last.live &&
		 g->sample.time - o->last.time <= SAME_TIME_SECONDS);
}

static int add(struct adding *g, enum append_result *ret)
{
	struct neighbour before = { .there = g->drive->has_last,
				    .sample = g->drive->last,
				    .frame = g->drive->last_frame };
	struct neighbour after = { 0 };
	bool next = is_next(g), there = false;
	int64_t frame;
	int err;

	err = open_drive_frame_for(g->s, g->drive, &g->frame, &g->sample, g->d, &g->stored_frame);
	if (err)
		return err;
	frame = g->stored_frame->number;
	facts_pack(g->stored_frame, &g->sample, &g->facts);
	if (g->facts.err)
		return store_no_memory(g->d);
	if (!next) {
		err = adding_meet_others(g, &there, ret);
		if (err || there)
			return err;
		err = adding_find_neighbour(g, SQL_SAMPLE_BEFORE, g->sample.time - 1, &before);
		if (!err)
			err = adding_find_neighbour(g, SQL_SAMPLE_AFTER, g->sample.time + 1,
						    &after);
		if (!err)
			err = open_drive_frame(g->s, g->drive, frame, g->d, &g->stored_frame);
	}
	if (!err)
		err = adding_encode_logs(g);
	if (!err)
		err = insert_sample(g);
	if (!err && !after.there)
		remember_last(g);
	if (!err)
		err = find_events(g, &before, &after);
	if (!err)
		err = adding_update_drive(g);
	if (!err && !next)
		err = open_drive_reload(g->s, g->drive, g->d);
	if (!err)
		*ret = APPEND_NEW;
	return err;
}

/* What can be said without the database. */
static int check(const struct append *a, struct diag *d)
{
	if (!a->reading->identity.serial[0])
		return diag_fail(d, -ENODATA,
				 "%s: the drive names no serial number, so it has no history",
				 a->snapshot->path[0] ? a->snapshot->path : "a drive");
	if (a->snapshot->time == TIME_UNKNOWN)
		return diag_fail(d, -ENODATA, "%s: nobody knows when it was read",
				 a->reading->identity.serial);
	return 0;
}

int store_append(struct store *s, const struct append *a, struct diag *d, enum append_result *ret,
		 int64_t *ret_drive)
{
	CLEANUP(adding_release) struct adding g = { .s = s, .d = d, .a = a };
	enum append_result result = APPEND_NEW;
	int64_t drive = 0;
	bool own = false;
	int err = check(a, d);

	if (!err)
		err = write_begin(s, d, &own);
	if (err)
		return err;
	err = open_drive_get(s, &a->reading->identity, d, &g.drive);
	if (!err) {
		drive = g.drive->row.drive.id;
		sample_take(a->reading, a->facts, &g.sample, &g.frame);
		g.sample.time = a->snapshot->time;
		g.sample.time_is_file = a->snapshot->time_is_file;
		g.sample.live = a->live;
		pack_clear(&s->packed);
		logs_pack(a->snapshot, &s->packed);
		g.logs = pack_view(&s->packed);
		err = s->packed.err ? store_no_memory(d) : add(&g, &result);
	}
	err = write_end(s, own, err, d);
	if (err)
		return err;
	*ret = result;
	if (ret_drive)
		*ret_drive = drive;
	return 0;
}

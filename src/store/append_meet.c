/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "store/adding.h"
#include "store/events.h"

/* Does a stored sample hold these very logs? */
static int has_same_logs(struct adding *g, const struct sample_row *row, bool *ret)
{
	CLEANUP(raw_key_release) struct raw_key key = { 0 };
	struct pack *logs = &g->s->coded;
	int err = raw_key_read(g->s, g->drive->row.drive.id, row->raw_number, g->d, &key);

	if (!err)
		err = sample_logs(g->s, &key, row, g->d, logs);
	if (!err)
		*ret = bytes_equal(g->logs, pack_view(logs));
	return err;
}

/* Of two readings of the same time: does this one know more facts? */
static bool tells_more(const struct adding *g, const struct sample *other)
{
	return __builtin_popcountll(g->sample.has) > __builtin_popcountll(other->has);
}

static int read_neighbour(struct adding *g, sqlite3_stmt *st, struct neighbour *ret)
{
	const struct stored_frame *f;
	struct sample_row row;
	int err;

	sample_row_read(st, &row);
	err = open_drive_frame(g->s, g->drive, row.frame, g->d, &f);
	if (err)
		return err;
	if (facts_unpack(f, row.facts, &row.sample))
		return store_malformed(g->s, g->d, "the facts of a sample");
	ret->there = true;
	ret->sample = row.sample;
	ret->frame = row.frame;
	return 0;
}

int adding_find_neighbour(struct adding *g, enum statement which, int64_t time,
			  struct neighbour *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(g->s, which, g->d, &st);

	ret->there = false;
	if (err)
		return err;
	bind_number(st, 1, g->drive->row.drive.id);
	bind_number(st, 2, time);
	err = statement_step(g->s, st, g->d);
	return err == 1 ? read_neighbour(g, st, ret) : err;
}

/* A dump without a time of its own is the same one again wherever it says the same. */
static int find_undated(struct adding *g, bool *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	struct sample_row row;
	int err = statement_get(g->s, SQL_SAMPLES_UNDATED, g->d, &st);

	if (err)
		return err;
	bind_number(st, 1, g->drive->row.drive.id);
	bind_bytes(st, 2, pack_view(&g->facts));
	*ret = false;
	while (!*ret && (err = statement_step(g->s, st, g->d)) == 1) {
		sample_row_read(st, &row);
		err = row.frame == g->stored_frame->number ? has_same_logs(g, &row, ret) : 0;
		if (err)
			return err;
	}
	return err < 0 ? err : 0;
}

static int forget_sample(struct adding *g, int64_t time)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(g->s, SQL_SAMPLE_DELETE, g->d, &st);

	if (err)
		return err;
	bind_number(st, 1, g->drive->row.drive.id);
	bind_number(st, 2, time);
	err = statement_run(g->s, st, g->d);
	if (!err)
		err = events_forget(g->s, g->drive->row.drive.id, time, g->d);
	if (!err) {
		g->drive->row.drive.nsamples--;
		g->drive->changed = true;
	}
	return err;
}

/* There is a sample of this very time: the same, a fuller one, or one that has to go. */
static int meet_same_time(struct adding *g, bool *ret_there, enum append_result *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	struct neighbour other = { 0 };
	struct sample_row row;
	bool same = false;
	int err = statement_get(g->s, SQL_SAMPLE_AT, g->d, &st);

	if (err)
		return err;
	bind_number(st, 1, g->drive->row.drive.id);
	bind_number(st, 2, g->sample.time);
	err = statement_step(g->s, st, g->d);
	if (err != 1)
		return err;
	sample_row_read(st, &row);
	err = has_same_logs(g, &row, &same);
	if (!err)
		err = read_neighbour(g, st, &other);
	if (err)
		return err;
	if (same || !tells_more(g, &other.sample)) {
		*ret_there = true;
		*ret = same ? APPEND_SAME : APPEND_LESS;
		return 0;
	}
	statement_end(&st);
	return forget_sample(g, g->sample.time);
}

/* Another path to the same drive was read just before or after. */
static int meet_other_path(struct adding *g, const struct neighbour *n, bool *ret_there,
			   enum append_result *ret)
{
	const struct stored_frame *f;
	int err;

	if (!n->there || !n->sample.live || !g->sample.live ||
	    llabs(n->sample.time - g->sample.time) > SAME_TIME_SECONDS)
		return 0;
	err = open_drive_frame(g->s, g->drive, n->frame, g->d, &f);
	if (err)
		return err;
	if (strcmp(f->frame.path, g->frame.path) == 0)
		return 0;
	if (tells_more(g, &n->sample))
		return forget_sample(g, n->sample.time);
	*ret_there = true;
	*ret = APPEND_LESS;
	return 0;
}

int adding_meet_others(struct adding *g, bool *ret_there, enum append_result *ret)
{
	struct neighbour n = { 0 };
	int err = meet_same_time(g, ret_there, ret);

	if (!err && !*ret_there && g->sample.time_is_file) {
		err = find_undated(g, ret_there);
		*ret = APPEND_SAME;
	}
	if (err || *ret_there || !g->sample.live)
		return err;
	err = adding_find_neighbour(g, SQL_SAMPLE_BEFORE, g->sample.time - 1, &n);
	if (!err)
		err = meet_other_path(g, &n, ret_there, ret);
	if (err || *ret_there)
		return err;
	err = adding_find_neighbour(g, SQL_SAMPLE_AFTER, g->sample.time + 1, &n);
	return err ? err : meet_other_path(g, &n, ret_there, ret);
}

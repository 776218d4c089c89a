/* SPDX-License-Identifier: MIT */
#include "cli/drive_history.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/settings.h"

/* What a failure of the database means for a command that only looks into it. */
static int open_failed(struct context *ctx, int err)
{
	bool named = context_names_db(ctx);

	if (err == -ENOMEM || err == -EINTR)
		return err;
	if (named) {
		if (err == -EINVAL || err == -EUCLEAN)
			ctx->fail_code = EX_DATAERR;
		return err;
	}
	if (err != -ENOENT)
		context_remark(ctx, "going on without the history: %s",
			       ctx->diag.err ? ctx->diag.text : strerror(-err));
	diag_clear(&ctx->diag);
	return 0;
}

int history_open(struct context *ctx, struct drives *d, bool *ret)
{
	int err = 0;

	if (d->with_history && !d->store_tried) {
		d->store_tried = true;
		err = store_open(ctx->options.db, STORE_READ, ctx->now, &ctx->diag, &d->store,
				 NULL);
		if (err)
			err = open_failed(ctx, err);
	}
	*ret = d->store != NULL;
	return err;
}

void history_close(struct drives *d)
{
	store_close(&d->store);
}

bool history_answers_alone(const struct context *ctx, const struct drives *d)
{
	size_t nwords;

	context_words(ctx, &nwords);
	return d->with_history && context_names_db(ctx) && !ctx->options.from.n &&
	       (ctx->options.at.set || (d->by_history && !nwords));
}

#define AHEAD_MAX 300 /* seconds that two clocks may differ; a later record has no right time */

static int read_last(struct context *ctx, struct drives *d, int64_t record, struct snapshot *ret)
{
	bool then = ctx->options.at.set;
	int64_t until = then ? ctx->options.at.value : ctx->now + AHEAD_MAX;
	int err = store_snapshot(d->store, record, until, &ctx->diag, ret);

	if (err != -ENOENT || then)
		return err;
	diag_clear(&ctx->diag);
	return store_snapshot(d->store, record, TIME_UNKNOWN, &ctx->diag, ret);
}

static bool is_there(const struct drives *d, int64_t id)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->items[i]->record == id)
			return true;
	return false;
}

/* word: what names it, or NULL */
static int add_record(struct drives *d, const struct stored_drive *stored, const char *word)
{
	struct snapshot s;
	struct drive *drive;
	int err;

	if (is_there(d, stored->id))
		return 0;
	snapshot_init(&s);
	text_copy(s.path, sizeof(s.path), word ? word : "");
	err = drives_add(d, &s, &drive);
	if (err)
		return err;
	drive->record = stored->id;
	drive->from_history = true;
	drive->is_named = word != NULL;
	return 0;
}

int history_add_all(struct context *ctx, struct drives *d)
{
	CLEANUP(cleanup_free) struct stored_drive *all = NULL;
	size_t n = 0;
	int err = store_drives(d->store, &ctx->diag, &all, &n);

	for (size_t i = 0; !err && i < n; i++)
		err = add_record(d, &all[i], NULL);
	return err;
}

int history_add_named(struct context *ctx, struct drives *d, const char *word)
{
	CLEANUP(cleanup_free) struct stored_drive *found = NULL;
	size_t n = 0;
	int err = store_find(d->store, word, &ctx->diag, &found, &n);

	for (size_t i = 0; !err && i < n; i++)
		err = add_record(d, &found[i], word);
	return err;
}

/* The stored drive at the place of a snapshot that has no identity; false where none is sure. */
static int find_by_place(struct context *ctx, struct drives *d, const struct snapshot *s,
			 int64_t *ret)
{
	const char *const places[] = { s->by_id, s->path };

	*ret = 0;
	for (size_t i = 0; i < ARRAY_SIZE(places) && !*ret; i++) {
		CLEANUP(cleanup_free) struct stored_drive *found = NULL;
		size_t n = 0;
		int err = *places[i] ? store_find(d->store, places[i], &ctx->diag, &found, &n)
				     : -ENOENT;

		if (err == -ENOENT)
			diag_clear(&ctx->diag);
		else if (err)
			return err;
		else if (n == 1 && (i == 0 || found->owns_path))
			*ret = found->id;
	}
	return 0;
}

int history_replace(struct context *ctx, struct drives *d, struct snapshot *s, bool *ret)
{
	struct snapshot record;
	struct drive *drive;
	int64_t id = 0;
	bool open;
	int err;

	*ret = false;
	if (s->state != DRIVE_NO_ACCESS && s->state != DRIVE_STANDBY)
		return 0;
	err = history_open(ctx, d, &open);
	if (!err && open)
		err = find_by_place(ctx, d, s, &id);
	if (err || !id)
		return err;
	snapshot_init(&record);
	/* it sits where it was found now, whatever the record says */
	text_copy(record.path, sizeof(record.path), s->path);
	text_copy(record.by_id, sizeof(record.by_id), s->by_id);
	text_copy(record.location, sizeof(record.location), s->location);
	err = drives_add(d, &record, &drive);
	if (err)
		return err;
	snapshot_release(s);
	drive->record = id;
	drive->from_history = drive->is_here = true;
	*ret = true;
	return 0;
}

int history_read_record(struct context *ctx, struct drives *d, struct drive *drive)
{
	struct snapshot place = drive->snapshot, record;
	int err;

	snapshot_init(&record);
	err = read_last(ctx, d, drive->record, &record);
	if (err)
		return err;
	if (drive->is_here) {
		text_copy(record.path, sizeof(record.path), place.path);
		text_copy(record.by_id, sizeof(record.by_id), place.by_id);
		text_copy(record.location, sizeof(record.location), place.location);
	}
	snapshot_release(&drive->snapshot);
	drive->snapshot = record;
	return 0;
}

/* Its number in the history; 0 where it is not known there. */
static int find_record(struct context *ctx, struct drives *d, const struct identity *identity,
		       int64_t *ret)
{
	struct stored_drive found;
	int err;

	*ret = 0;
	if (!*identity->serial)
		return 0;
	err = store_find_identity(d->store, identity, &ctx->diag, &found);
	if (err == -ENOENT) {
		diag_clear(&ctx->diag);
		return 0;
	}
	if (!err)
		*ret = found.id;
	return err;
}

/*
 * Gone for no longer than a reading may be old: that is told, with no value of it, for nobody knows
 * what became of it.
 */
static int add_missing(struct context *ctx, struct drives *d, const struct stored_drive *stored)
{
	char time[TIME_TEXT], path[NODE_MAX * 4];
	struct drive *drive;
	struct snapshot s;
	int err;

	snapshot_init(&s);
	s.state = DRIVE_ABSENT;
	text_escape(path, sizeof(path), stored->identity.path);
	snapshot_add_problem(&s, -ENODEV, "the drive is not there now; last seen at %.100s on %s",
			     path, time_format(stored->last_seen_here, time));
	err = drives_add(d, &s, &drive);
	if (err)
		return err;
	drive->record = stored->id;
	err = reading_decode(&drive->snapshot, NULL, &ctx->diag, &drive->reading);
	drive->reading.identity = stored->identity;
	/* another drive may sit there by now */
	drive->reading.identity.path[0] = '\0';
	return err;
}

/* What sits in a USB port is meant to be pulled out. */
static bool is_removable(const struct stored_drive *stored)
{
	return text_starts_with(stored->identity.location, "USB ");
}

static bool is_recent(const struct context *ctx, const struct stored_drive *stored)
{
	return stored->last_seen_here != TIME_UNKNOWN &&
	       (double)ctx->now - (double)stored->last_seen_here <=
		       ctx->settings->limits.stale_days * SECONDS_PER_DAY;
}

/*
 * In this machine's own history, a drive that vanished lately is told of, one that was taken out
 * long ago only where the list of a named database is asked for. Another machine's database is
 * answered from its records.
 */
static int add_absent(struct context *ctx, struct drives *d, const struct stored_drive *stored,
		      bool own)
{
	if (is_there(d, stored->id))
		return 0;
	if (own && is_recent(ctx, stored) && !is_removable(stored))
		return add_missing(ctx, d, stored);
	if (!context_names_db(ctx) || (own && !d->with_retired)) {
		d->nretired += !is_recent(ctx, stored);
		return 0;
	}
	return add_record(d, stored, NULL);
}

int history_add_absent(struct context *ctx, struct drives *d)
{
	CLEANUP(cleanup_free) struct stored_drive *all = NULL;
	bool open, own = !context_names_db(ctx);
	size_t n = 0;
	int err = history_open(ctx, d, &open);

	if (err || !open)
		return err;
	for (size_t i = 0; !err && i < d->n; i++) {
		struct drive *drive = d->items[i];

		if (!drive->record)
			err = find_record(ctx, d, &drive->reading.identity, &drive->record);
		own |= drive->record && !drive->from_history;
	}
	if (err || !d->discovered || !d->with_absent)
		return err;
	err = store_drives(d->store, &ctx->diag, &all, &n);
	for (size_t i = 0; !err && i < n; i++)
		err = add_absent(ctx, d, &all[i], own);
	return err;
}

/* What was read now is the last sample. */
static int add_reading(struct drives *d, struct drive *drive)
{
	struct series *s = &drive->series;
	const struct reading *r = &drive->reading;

	if (r->time == TIME_UNKNOWN || r->state != DRIVE_READ)
		return 0;
	return series_add_reading(s, r, &drive->assessment.facts, !d->from_files);
}

int history_join(struct context *ctx, struct drives *d, struct drive *drive, int64_t now)
{
	/* as it was then: a later sample is not known yet */
	bool then = ctx->options.at.set || d->from_files;
	int err;

	if (!d->store || !drive->record)
		return 0;
	err = store_series(d->store, drive->record, TIME_UNKNOWN, then ? now : TIME_UNKNOWN,
			   &ctx->diag, &drive->series);
	if (err || !drive->series.nsamples)
		return err;
	if (!drive->from_history)
		err = add_reading(d, drive);
	if (!err)
		err = series_finish(&drive->series, &drive->rule, now);
	drive->has_history = !err;
	return err;
}

/* SPDX-License-Identifier: MIT */
#include "cli/recording.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "cli/settings.h"

static const char *const names[] = {
#define X(e, word) [e] = word,
	RECORD_RESULTS(X)
#undef X
};

const char *record_result_name(enum record_result result)
{
	return names[result];
}

/* --- one drive ------------------------------------------------------------------------------- */

static void note(struct recording *rec, const struct snapshot *s, enum record_result result,
		 const struct diag *why)
{
	struct recorded *r = &rec->recorded[rec->n++];

	r->identity = rec->decoder.reading.identity;
	text_copy(r->identity.path, sizeof(r->identity.path), s->path);
	r->result = result;
	if (why)
		r->why = *why;
	rec->counts[result]++;
}

static int append(struct recording *rec, const struct snapshot *s)
{
	const struct append a = {
		.snapshot = s,
		.reading = &rec->decoder.reading,
		.facts = &rec->decoder.facts,
		.rule = rec->decoder.rule,
		.live = true,
	};
	enum append_result result;
	int err = store_append(rec->store, &a, &rec->ctx->diag, &result, NULL);

	if (!err)
		note(rec, s, result == APPEND_NEW ? RECORD_NEW : RECORD_SAME, NULL);
	return err;
}

/* A drive that gives nothing is told, and keeps no other from being recorded. */
static int add_drive(struct recording *rec, const struct drives *all, const struct snapshot *s)
{
	struct diag why = { 0 };
	int err = sample_decode(&rec->decoder, s, &why);

	if (err == -ENOMEM)
		return err;
	/* behind a bridge only the drive itself knows whether it rotates */
	if (!err && all->discovered && rec->decoder.reading.identity.rotational == 1)
		return 0;
	if (s->state == DRIVE_STANDBY) {
		note(rec, s, RECORD_STANDBY, NULL);
		return 0;
	}
	rec->no_access |= s->state == DRIVE_NO_ACCESS;
	if (!err)
		err = sample_check(&rec->decoder, &why);
	if (!err)
		return append(rec, s);
	note(rec, s, RECORD_NO_DATA, &why);
	return 0;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* Is it the first run of a day, of a history that has begun before? */
static int is_first_today(struct recording *rec, bool *ret)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	size_t n = 0;
	int err = store_drives(rec->store, &rec->ctx->diag, &drives, &n);

	if (err)
		return err;
	*ret = n > 0;
	for (size_t i = 0; i < n; i++)
		if (drives[i].last_time <= rec->ctx->now &&
		    time_day(drives[i].last_time) == time_day(rec->ctx->now))
			*ret = false;
	return 0;
}

static int prune(struct recording *rec)
{
	const struct retention keep = { .full_days = rec->ctx->settings->full_days,
					.daily_days = rec->ctx->settings->daily_days };
	uint64_t bytes;

	return store_prune(rec->store, &keep, rec->ctx->now, false, &rec->ctx->diag, &rec->pruned,
			   &bytes);
}

static int add_all(struct recording *rec, const struct drives *drives)
{
	int err = store_begin(rec->store, &rec->ctx->diag);

	if (err)
		return err;
	for (size_t i = 0; !err && i < drives->n; i++)
		if (drives->items[i]->snapshot.state != DRIVE_ABSENT)
			err = add_drive(rec, drives, &drives->items[i]->snapshot);
	if (!err)
		err = store_commit(rec->store, &rec->ctx->diag);
	if (err)
		store_rollback(rec->store);
	return err;
}

static int add(struct recording *rec, const struct drives *drives)
{
	bool first = false;
	int err = is_first_today(rec, &first);

	if (!err && first)
		err = store_quick_check(rec->store, &rec->ctx->diag);
	if (!err)
		err = add_all(rec, drives);
	if (!err && first)
		err = prune(rec);
	return err;
}

static void tell_moved(const struct recording *rec)
{
	context_error(rec->ctx, "%s was corrupt: it is now %s, and a new history begins",
		      rec->ctx->options.db, rec->moved);
}

/* What was noted so far went into the corrupt one. */
static int start_anew(struct recording *rec)
{
	int err;

	memset(rec->recorded, 0, rec->n * sizeof(*rec->recorded));
	memset(rec->counts, 0, sizeof(rec->counts));
	rec->n = 0;
	rec->pruned = 0;
	diag_clear(&rec->ctx->diag);
	err = store_start_anew(&rec->store, rec->ctx->now, &rec->ctx->diag, rec->moved);
	if (!err)
		tell_moved(rec);
	return err;
}

int recording_add(struct recording *rec, const struct drives *drives)
{
	int err;

	rec->recorded = calloc(drives->n + 1, sizeof(*rec->recorded));
	if (!rec->recorded)
		return -ENOMEM;
	err = add(rec, drives);
	if (err == -EUCLEAN) {
		err = start_anew(rec);
		if (!err)
			err = add(rec, drives);
	}
	/* of a drive that was named it is told already */
	for (size_t i = 0; !err && drives->discovered && i < rec->n; i++)
		if (rec->recorded[i].result == RECORD_NO_DATA)
			context_remark(rec->ctx, "%s: %s", rec->recorded[i].identity.path,
				       rec->recorded[i].why.text);
	return err;
}

int recording_open(struct context *ctx, struct recording *ret)
{
	int err;

	memset(ret, 0, sizeof(*ret));
	ret->ctx = ctx;
	err = context_settings(ctx);
	if (!err)
		err = sample_decoder_init(&ret->decoder, ctx);
	if (!err)
		err = store_open(ctx->options.db, STORE_RECORD, ctx->now, &ctx->diag, &ret->store,
				 ret->moved);
	if (!err && *ret->moved)
		tell_moved(ret);
	return err;
}

void recording_release(struct recording *rec)
{
	store_close(&rec->store);
	sample_decoder_release(&rec->decoder);
	free(rec->recorded);
	rec->recorded = NULL;
}

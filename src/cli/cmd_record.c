/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/drives.h"
#include "cli/sample_decoder.h"
#include "cli/settings.h"

/* What became of each drive. X(enumerator, word in JSON) */
#define RESULTS(X)                                    \
	X(RESULT_RECORDED, "recorded")                \
	X(RESULT_SAME, "known") /* by another path */ \
	X(RESULT_STANDBY, "standby")                  \
	X(RESULT_NO_DATA, "no-data")

enum result {
#define X(e, word) e,
	RESULTS(X)
#undef X
		RESULT_COUNT
};

static const char *const words[] = {
#define X(e, word) [e] = word,
	RESULTS(X)
#undef X
};

struct recording {
	struct context *ctx;
	struct store *store;
	struct sample_decoder decoder;
	struct doc *doc, *drives; /* the answer, filled as it goes */
	size_t counts[RESULT_COUNT];
	uint64_t pruned;
	bool no_access; /* to some drive */
};

static void add_drive(struct recording *rec, const struct snapshot *s, enum result result,
		      const char *why)
{
	struct doc *o = doc_object(rec->drives, NULL), *errors;
	struct identity id = rec->decoder.reading.identity;

	snprintf(id.path, sizeof(id.path), "%s", s->path);
	rec->counts[result]++;
	report_add_identity_of(doc_object(o, "identity"), &id);
	doc_string(o, "result", words[result]);
	errors = doc_array(o, "errors");
	if (why && *why)
		doc_string(errors, NULL, why);
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
	int64_t drive;
	int err = store_append(rec->store, &a, &rec->ctx->diag, &result, &drive);

	if (!err)
		add_drive(rec, s, result == APPEND_NEW ? RESULT_RECORDED : RESULT_SAME, NULL);
	return err;
}

/* A drive that gives nothing is told, and keeps no other from being recorded. */
static int record_drive(struct recording *rec, const struct drives *all, const struct snapshot *s)
{
	struct diag why = { 0 };
	int err = sample_decode(&rec->decoder, s, &why);

	if (err == -ENOMEM)
		return err;
	/* behind a bridge only the drive itself knows whether it rotates */
	if (!err && all->discovered && rec->decoder.reading.identity.rotational == 1)
		return 0;
	if (s->state == DRIVE_STANDBY) {
		add_drive(rec, s, RESULT_STANDBY, NULL);
		return 0;
	}
	rec->no_access |= s->state == DRIVE_NO_ACCESS;
	if (!err)
		err = sample_check(&rec->decoder, &why);
	if (!err)
		return append(rec, s);
	add_drive(rec, s, RESULT_NO_DATA, why.text);
	if (all->discovered) /* of a drive that was named it is told already */
		context_remark(rec->ctx, "%s: %s", s->path, why.text);
	return 0;
}

/* The first run of a day thins the history out. */
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

static int record_all(struct recording *rec, const struct drives *drives)
{
	bool first = false;
	int err = is_first_today(rec, &first);

	if (!err)
		err = store_begin(rec->store, &rec->ctx->diag);
	if (err)
		return err;
	for (size_t i = 0; !err && i < drives->n; i++)
		if (drives->items[i]->snapshot.state != DRIVE_ABSENT)
			err = record_drive(rec, drives, &drives->items[i]->snapshot);
	if (!err)
		err = store_commit(rec->store, &rec->ctx->diag);
	if (err)
		store_rollback(rec->store);
	return err || !first ? err : prune(rec);
}

static int open_store(struct recording *rec)
{
	struct context *ctx = rec->ctx;
	char moved[PATH_MAX] = "";
	int err = store_open(ctx->options.db, STORE_RECORD, ctx->now, &ctx->diag, &rec->store,
			     moved);

	if (err)
		return err;
	if (*moved)
		context_error(ctx, "%s was corrupt: it is now %s, and a new history begins",
			      ctx->options.db, moved);
	doc_string(rec->doc, "database", ctx->options.db);
	doc_string(rec->doc, "corrupt_moved_to", moved);
	return 0;
}

static void tell(const struct recording *rec, bool discovered, struct view *v)
{
	const size_t *n = rec->counts;
	char text[UNIT_TEXT_MAX];

	if (discovered && !n[RESULT_RECORDED] && !n[RESULT_SAME] && !n[RESULT_STANDBY] &&
	    !n[RESULT_NO_DATA]) {
		view_line(v, STYLE_PLAIN, 0, "no SSD found");
		return;
	}
	view_line(v, STYLE_PLAIN, 0, "%zu drive%s recorded", n[RESULT_RECORDED],
		  n[RESULT_RECORDED] == 1 ? "" : "s");
	if (n[RESULT_SAME])
		view_line(v, STYLE_PLAIN, 0, "%zu recorded already, by another path",
			  n[RESULT_SAME]);
	if (n[RESULT_STANDBY])
		view_line(v, STYLE_PLAIN, 0, "%zu in standby, left asleep", n[RESULT_STANDBY]);
	if (n[RESULT_NO_DATA])
		view_line(v, STYLE_WARNING, 0, "%zu gave no health data", n[RESULT_NO_DATA]);
	if (rec->pruned)
		view_line(v, STYLE_PLAIN, 0, "%s old samples thinned out",
			  format_grouped((i128)rec->pruned, text));
}

static int finish(struct recording *rec, const struct drives *drives)
{
	CLEANUP(view_release) struct view view = { 0 };
	int err;

	doc_integer(rec->doc, "recorded", rec->counts[RESULT_RECORDED], UNIT_COUNT);
	doc_integer(rec->doc, "pruned_samples", rec->pruned, UNIT_COUNT);
	tell(rec, drives->discovered, &view);
	if (rec->ctx->options.quiet && rec->ctx->options.format.value == FORMAT_TEXT)
		err = view_error(&view);
	else
		err = answer_print(rec->ctx, rec->doc, NULL, &view);
	if (err || drives->code)
		return err ? err : drives->code;
	/* nobody named a drive, and none could be read */
	return rec->no_access && !rec->counts[RESULT_RECORDED] ? EX_NOPERM : 0;
}

/* A sample is of the time when the drives have answered, not of when the program began. */
static int run(struct recording *rec)
{
	CLEANUP(drives_release) struct drives drives = { 0 };
	int err = context_settings(rec->ctx);

	if (!err)
		err = sample_decoder_init(&rec->decoder, rec->ctx);
	/* before any drive is bothered */
	if (!err)
		err = open_store(rec);
	if (!err)
		err = drives_read(rec->ctx, &drives);
	if (!err)
		err = record_all(rec, &drives);
	return err ? err : finish(rec, &drives);
}

int cmd_record(struct context *ctx)
{
	CLEANUP(cleanup_free) struct recording *rec = calloc(1, sizeof(*rec));
	CLEANUP(doc_release) struct doc *doc = report_new("record", ctx->now);
	int err;

	if (!rec || !doc)
		return -ENOMEM;
	rec->ctx = ctx;
	rec->doc = doc;
	rec->drives = doc_array(doc, "drives");
	err = run(rec);
	store_close(&rec->store);
	sample_decoder_release(&rec->decoder);
	return err;
}

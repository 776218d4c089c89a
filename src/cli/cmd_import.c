/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/dump_stream.h"
#include "cli/history_event.h"
#include "cli/import_files.h"
#include "cli/progress.h"
#include "cli/sample_decoder.h"
#include "report/drive.h"
#include "sys/sys.h"

/*
 * A transaction holds so many samples, or as many as came in so long: enough to spare the waits for
 * the disk, and few enough that an interruption costs little.
 */
#define BATCH_SAMPLES 10000
#define BATCH_MS      1000
#define BAR_MS	      100
#define LINE_MS	      5000
#define BAD_SHOWN_MAX 20 /* the rest is counted */
#define STOP	      (-ECANCELED)

struct import {
	struct context *ctx;
	struct store *store;
	struct sample_decoder decoder;
	struct sys sys;
	struct sys_hold hold;
	struct progress progress;
	const char *path;		  /* the file at hand */
	uint64_t total_bytes, done_bytes; /* of all files, and of those before it */
	int64_t begun_ms;
	size_t batch; /* samples that are not committed yet */
	uint64_t added, same, bad, by_file_time, events, committed;
	int err; /* why it stopped; the reason is in ctx->diag */
	bool interrupted;
};

static const char *shown_name(const char *path)
{
	return strcmp(path, "-") != 0 ? path : "standard input";
}

static void note_bad(void *arg, size_t line, const struct diag *why)
{
	struct import *im = arg;

	im->bad++;
	if (im->bad > BAD_SHOWN_MAX && !im->ctx->options.verbose)
		return;
	progress_end(&im->progress);
	context_error(im->ctx, "%s:%zu: %s", shown_name(im->path), line, why->text);
	if (im->bad == BAD_SHOWN_MAX && !im->ctx->options.verbose)
		context_error(im->ctx, "further ones are only counted; --verbose names them all");
}

/* Failures of the database end the import. */
static int stop(struct import *im, int err)
{
	im->err = err;
	return STOP;
}

static int commit(struct import *im)
{
	int err = store_commit(im->store, &im->ctx->diag);

	if (err)
		return stop(im, err);
	im->committed = im->added + im->same;
	im->batch = 0;
	return 0;
}

static int begin(struct import *im)
{
	int err = store_begin(im->store, &im->ctx->diag);

	im->begun_ms = sys_ms(&im->sys);
	return err ? stop(im, err) : 0;
}

/* Between two samples: a new transaction now and then. */
static int go_on(struct import *im)
{
	int err = 0;

	im->batch++;
	/* the clock is asked less often than it goes */
	if (im->batch >= BATCH_SAMPLES ||
	    (im->batch % 64 == 0 && sys_ms(&im->sys) - im->begun_ms >= BATCH_MS)) {
		err = commit(im);
		if (!err)
			err = begin(im);
	}
	return err;
}

/* What the dump does not say of itself. */
static void complete(struct import *im, struct snapshot *s)
{
	if (im->ctx->options.drive)
		text_copy(s->serial, sizeof(s->serial), im->ctx->options.drive);
	if (s->time == TIME_UNKNOWN) {
		s->time = im->ctx->now;
		s->time_is_file = true;
	}
}

static int append(struct import *im, const struct snapshot *s, struct diag *why)
{
	const struct append a = {
		.snapshot = s,
		.reading = &im->decoder.reading,
		.facts = &im->decoder.facts,
		.rule = im->decoder.rule,
		.live = s->live,
	};
	enum append_result result;
	int64_t drive;
	int err = store_append(im->store, &a, why, &result, &drive);

	if (err)
		return err;
	im->added += result == APPEND_NEW;
	im->same += result != APPEND_NEW;
	im->by_file_time += s->time_is_file;
	return 0;
}

static int take_sample(struct import *im, const struct snapshot *s, size_t line)
{
	struct diag why = { 0 };
	int err = sample_decode(&im->decoder, s, &why);

	if (!err)
		err = sample_check(&im->decoder, &why);
	if (err == -EINVAL || err == -ENODATA) {
		note_bad(im, line, &why);
		return 0;
	}
	if (err)
		return err;
	err = append(im, s, &why);
	if (err == -ENODATA) {
		note_bad(im, line, &why);
		return 0;
	}
	if (err) {
		diag_fail(&im->ctx->diag, err, "%s", why.text);
		return stop(im, err);
	}
	return go_on(im);
}

static int take(void *arg, struct snapshot *s, size_t line)
{
	int err;

	complete(arg, s);
	err = take_sample(arg, s, line);
	snapshot_release(s);
	return err;
}

/* An event of an export: kept where the samples do not show it already. */
static int take_event(void *arg, const struct cJSON *object, size_t line, struct diag *d)
{
	struct import *im = arg;
	struct diag why = { 0 };
	bool added = false;
	int err = history_event_import(im->store, object, &why, &added);

	(void)d;
	if (err == -ENOENT) {
		note_bad(im, line, &why);
		return 0;
	}
	if (err == -EINVAL)
		return err;
	if (err) {
		diag_fail(&im->ctx->diag, err, "%s", why.text);
		return stop(im, err);
	}
	im->events += added;
	return go_on(im);
}

static bool is_interrupted(struct import *im)
{
	struct pollfd fd = { .fd = im->hold.fd, .events = POLLIN };

	return im->sys.ops->poll(&im->sys, &fd, 1, 0) > 0;
}

static int passed(void *arg, uint64_t bytes)
{
	struct import *im = arg;
	if (is_interrupted(im)) {
		im->interrupted = true;
		return STOP;
	}
	progress_step(&im->progress, im->done_bytes + bytes, im->total_bytes, sys_ms(&im->sys));
	return 0;
}

/* A file that cannot be read is bad input like any other: the next ones may be good. */
static int import_file(struct import *im, const char *path, int *ret_code)
{
	const struct dump_stream stream = {
		.taker = { .take = take,
			   .bad = note_bad,
			   .other = take_event,
			   .arg = im,
			   .stop = STOP },
		.passed = passed,
	};
	struct diag why = { 0 };
	int err;

	im->path = path;
	err = dump_stream_read(&stream, path, &why);
	if (!err || err == STOP || err == -ENOMEM)
		return err;
	progress_end(&im->progress);
	context_error(im->ctx, "%s", why.text);
	if (err == -EINVAL || err == -EFBIG)
		im->bad++;
	else if (!*ret_code)
		*ret_code = exit_code_of(err);
	return 0;
}

static int import_all(struct import *im, const struct file_names *files, int *ret_code)
{
	int err = begin(im);

	for (size_t i = 0; !err && i < files->n; i++) {
		const struct file_names one = { .items = &files->items[i], .n = 1 };

		err = import_file(im, files->items[i], ret_code);
		im->done_bytes += import_bytes(&one);
	}
	/* also when interrupted: what was read is good */
	if (!err || im->interrupted)
		err = commit(im) ? STOP : err;
	if (im->err || err)
		store_rollback(im->store);
	return im->err ? im->err : err == STOP ? 0 : err;
}

static void tell(const struct import *im, struct view *v)
{
	char n[UNIT_TEXT_MAX];

	view_line(v, STYLE_PLAIN, 0, "%s new sample%s", format_grouped((i128)im->added, n),
		  im->added == 1 ? "" : "s");
	if (im->same)
		view_line(v, STYLE_PLAIN, 0, "%s known already", format_grouped((i128)im->same, n));
	if (im->by_file_time)
		view_line(v, STYLE_PLAIN, 0,
			  "%s without a time of their own: dated by the file's last change",
			  format_grouped((i128)im->by_file_time, n));
	if (im->events)
		view_line(v, STYLE_PLAIN, 0, "%s event%s", format_grouped((i128)im->events, n),
			  im->events == 1 ? "" : "s");
	if (im->bad)
		view_line(v, STYLE_BAD, 0, "%s could not be taken",
			  format_grouped((i128)im->bad, n));
}

static struct doc *answer(const struct import *im)
{
	struct doc *root = report_new("import", im->ctx->now);

	doc_string(root, "database", im->ctx->options.db);
	doc_integer(root, "new_samples", im->added, UNIT_COUNT);
	doc_integer(root, "same_samples", im->same, UNIT_COUNT);
	doc_integer(root, "bad", im->bad, UNIT_COUNT);
	doc_integer(root, "dated_by_file", im->by_file_time, UNIT_COUNT);
	doc_integer(root, "new_events", im->events, UNIT_COUNT);
	doc_bool(root, "interrupted", im->interrupted);
	return root;
}

static int add_drives(const struct import *im, struct doc *root)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	size_t n = 0;
	int err = store_drives(im->store, &im->ctx->diag, &drives, &n);

	doc_integer(root, "drives", n, UNIT_COUNT);
	return err;
}

/* The commands of other programs hold locks; nothing was lost, and what was committed stays. */
static int tell_failure(struct import *im, int err)
{
	char n[UNIT_TEXT_MAX];

	if (im->committed)
		context_error(im->ctx,
			      "%s samples are in the history; import the same again to go on",
			      format_grouped((i128)im->committed, n));
	return err;
}

static int run(struct import *im, const struct file_names *files, int *ret_code)
{
	struct context *ctx = im->ctx;
	int err;

	im->total_bytes = import_bytes(files);
	progress_start_long(&im->progress, STDERR_FILENO,
			    ctx->options.no_progress || ctx->options.quiet, "importing",
			    sys_ms(&im->sys));
	im->progress.bytes = true;
	err = im->sys.ops->hold_signals(&im->sys, &im->hold);
	if (err)
		return err;
	err = import_all(im, files, ret_code);
	progress_end(&im->progress);
	return err ? tell_failure(im, err) : 0;
}

static int finish(struct import *im, int code)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = answer(im);
	int err = add_drives(im, doc);

	tell(im, &view);
	if (!err)
		err = answer_print(im->ctx, doc, NULL, &view);
	if (!err && im->interrupted) {
		context_error(im->ctx, "interrupted: what was read so far is in the history");
		return EX_TEMPFAIL;
	}
	return err ? err : im->bad ? EX_DATAERR : code;
}

static int start(struct import *im)
{
	struct context *ctx = im->ctx;
	int err = sys_real(&im->sys, "");

	if (!err)
		err = sample_decoder_init(&im->decoder, ctx);
	if (!err)
		err = store_open(ctx->options.db, STORE_WRITE, ctx->now, &ctx->diag, &im->store,
				 NULL);
	return err;
}

int cmd_import(struct context *ctx)
{
	CLEANUP(cleanup_free) struct import *im = calloc(1, sizeof(*im));
	CLEANUP(file_names_release) struct file_names files = { 0 };
	const char *const *words;
	int err, code = 0;
	size_t n;

	words = context_words(ctx, &n);
	if (!n)
		return context_usage(ctx, "import what? Name files or folders, or - for standard "
					  "input");
	if (!im)
		return -ENOMEM;
	im->ctx = ctx;
	err = import_files(words, n, &ctx->diag, &files);
	if (!err)
		err = start(im);
	if (!err) {
		err = run(im, &files, &code);
		if (!err)
			err = finish(im, code);
		if (!err || err > 0)
			output_flush(&ctx->out);
		im->sys.ops->let_signals(&im->sys, &im->hold);
	}
	store_close(&im->store);
	sample_decoder_release(&im->decoder);
	return err;
}

/* SPDX-License-Identifier: MIT */
#include "cli/history_upkeep.h"

#include <errno.h>
#include <unistd.h>

#include "cli/answer.h"
#include "cli/progress.h"
#include "cli/sample_decoder.h"
#include "cli/settings.h"
#include "report/drive.h"
#include "sys/sys.h"

struct work {
	struct context *ctx;
	struct store *store;
	struct sys sys;
	struct progress progress;
	struct sample_decoder decoder;
};

static int begin(struct work *w, struct context *ctx, enum store_mode mode, const char *what)
{
	int err = sys_real(&w->sys, "");

	w->ctx = ctx;
	if (!err)
		err = store_open(ctx->options.db, mode, ctx->now, &ctx->diag, &w->store, NULL);
	progress_start_long(&w->progress, STDERR_FILENO,
			    ctx->options.no_progress || ctx->options.quiet, what, sys_ms(&w->sys));
	return err;
}

static void work_release(struct work *w)
{
	progress_end(&w->progress);
	store_close(&w->store);
	sample_decoder_release(&w->decoder);
}

static void show_progress(void *arg, uint64_t done, uint64_t total)
{
	struct work *w = arg;

	progress_step(&w->progress, done, total, sys_ms(&w->sys));
}

static int no_words(struct context *ctx, const char *name, size_t n)
{
	return n ? context_usage(ctx, "history %s takes no further word", name) : 0;
}

int history_backup(struct context *ctx, const char *const *words, size_t n)
{
	CLEANUP(work_release) struct work w = { 0 };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_new("history", ctx->now);
	int err;

	if (n != 1)
		return context_usage(ctx, "history backup needs the one file to write");
	err = begin(&w, ctx, STORE_READ, "copying");
	if (!err)
		err = store_backup(w.store, words[0], show_progress, &w, &ctx->diag);
	if (err == -EEXIST)
		ctx->fail_code = EX_USAGE;
	if (err)
		return err;
	doc_string(doc, "backup", words[0]);
	view_line(&view, STYLE_PLAIN, 0, "%s: a complete copy of %s", words[0], ctx->options.db);
	return answer_print(ctx, doc, NULL, &view);
}

int history_prune(struct context *ctx, const char *const *words, size_t n)
{
	CLEANUP(work_release) struct work w = { 0 };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_new("history", ctx->now);
	bool dry_run = ctx->options.dry_run;
	char count[UNIT_TEXT_MAX], size[UNIT_TEXT_MAX];
	uint64_t samples, bytes;
	struct retention keep;
	int err = no_words(ctx, "prune", n);

	(void)words;
	if (!err)
		err = context_settings(ctx);
	if (!err)
		err = begin(&w, ctx, dry_run ? STORE_READ : STORE_WRITE, "thinning out");
	if (err)
		return err;
	keep = (struct retention){ .full_days = ctx->settings->full_days,
				   .daily_days = ctx->settings->daily_days };
	err = store_prune(w.store, &keep, ctx->now, dry_run, &ctx->diag, &samples, &bytes);
	if (err)
		return err;
	doc_bool(doc, "dry_run", dry_run);
	doc_integer(doc, "full_days", keep.full_days, UNIT_NONE);
	doc_integer(doc, "daily_days", keep.daily_days, UNIT_NONE);
	doc_integer(doc, "pruned_samples", samples, UNIT_COUNT);
	doc_integer(doc, "pruned_bytes", bytes, UNIT_BYTES);
	view_line(&view, STYLE_PLAIN, 0, "%s samples, %s, %s", format_grouped((i128)samples, count),
		  format_bytes(bytes, size), dry_run ? "would be thinned out" : "thinned out");
	return answer_print(ctx, doc, NULL, &view);
}

static int decode_again(void *arg, const struct snapshot *s, struct redecoded *ret)
{
	struct work *w = arg;
	int err = sample_decode(&w->decoder, s, NULL);

	if (err)
		return err;
	ret->reading = w->decoder.reading;
	ret->facts = w->decoder.facts;
	ret->rule = *w->decoder.rule;
	reading_init(&w->decoder.reading); /* handed over */
	return 0;
}

int history_redecode(struct context *ctx, const char *const *words, size_t n)
{
	CLEANUP(work_release) struct work w = { 0 };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_new("history", ctx->now);
	char all[UNIT_TEXT_MAX], some[UNIT_TEXT_MAX];
	uint64_t samples, changed;
	int err = no_words(ctx, "redecode", n);

	(void)words;
	if (!err)
		err = sample_decoder_init(&w.decoder, ctx);
	if (!err)
		err = begin(&w, ctx, STORE_WRITE, "decoding");
	if (!err)
		err = store_redecode(w.store, decode_again, &w, show_progress, &w, &ctx->diag,
				     &samples, &changed);
	if (err)
		return err;
	doc_integer(doc, "samples", samples, UNIT_COUNT);
	doc_integer(doc, "changed_samples", changed, UNIT_COUNT);
	view_line(&view, STYLE_PLAIN, 0, "%s of %s samples say something else by today's rules",
		  format_grouped((i128)changed, some), format_grouped((i128)samples, all));
	return answer_print(ctx, doc, NULL, &view);
}

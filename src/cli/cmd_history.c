/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <langinfo.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/answer.h"
#include "cli/history_upkeep.h"
#include "cli/sample_decoder.h"
#include "report/history.h"

#define PLOT_COLUMNS 80 /* where the output is no terminal */
#define ANSWER_MAX   ((size_t)1 << 30)

static const struct {
	const char *name;
	int (*run)(struct context *ctx, const char *const *words, size_t n);
} subcommands[] = {
	{ "backup", history_backup },
	{ "export", history_export },
	{ "prune", history_prune },
	{ "redecode", history_redecode },
};

static int unknown_metric(struct context *ctx, const char *name)
{
	struct suggestion s = { .word = name };

	for (size_t i = 0; i < metrics_n; i++) {
		suggestion_offer(&s, metrics[i].name);
		suggestion_offer(&s, metric_key(&metrics[i]));
	}
	if (s.best)
		return context_usage(ctx, "--show: there is no '%s'; did you mean %s?", name,
				     s.best);
	return context_usage(ctx, "--show: there is no '%s'; nandlife help metrics lists them",
			     name);
}

/* "waf,writes-per-day" */
static int parse_show(struct context *ctx, struct history_query *q)
{
	const char *s = ctx->options.show;

	while (s) {
		size_t n = strcspn(s, ",");
		char name[64];

		if (n >= sizeof(name))
			return context_usage(ctx, "--show: there is no '%.64s...'", s);
		memcpy(name, s, n);
		name[n] = '\0';
		if (q->nmetrics == HISTORY_METRICS_MAX)
			return context_usage(ctx, "--show: more than %d at once",
					     HISTORY_METRICS_MAX);
		q->metrics[q->nmetrics] = metric_by_name(name);
		if (!q->metrics[q->nmetrics++])
			return unknown_metric(ctx, name);
		s = s[n] ? s + n + 1 : NULL;
	}
	return 0;
}

static int64_t moment(const struct option_past *past, int64_t now)
{
	if (!past->set)
		return TIME_UNKNOWN;
	return past->ago ? now - past->value : past->value;
}

static int parse_query(struct context *ctx, bool drive, struct history_query *q)
{
	const struct options *o = &ctx->options;

	if (!drive && (o->since.set || o->until.set || o->show || o->over.set || o->plot || o->all))
		return context_usage(ctx, "history shows samples of a drive: name one");
	if (!o->over.ago || o->over.value <= 0)
		return context_usage(ctx, "--over: write it as 12h, 1d or 4w");
	if (o->since.set && o->until.set &&
	    moment(&o->since, ctx->now) > moment(&o->until, ctx->now))
		return context_usage(ctx, "--since is later than --until");
	if (o->plot && o->format.value != FORMAT_TEXT)
		return context_usage(ctx, "--plot is for text: it has no other format");
	q->window_seconds = (double)o->over.value;
	return parse_show(ctx, q);
}

static int ambiguous(struct context *ctx, const char *word, const struct stored_drive *drives,
		     size_t n)
{
	CLEANUP(str_release) struct str names = { 0 };
	char name[STORE_DRIVE_NAME_MAX];

	for (size_t i = 0; i < n; i++)
		str_addf(&names, "%s%s", i ? ", " : "",
			 store_drive_name(&drives[i].identity, true, name));
	return context_usage(ctx, "%s stands for several drives, name one: %s", word,
			     str_text(&names));
}

int history_find(struct context *ctx, struct store *store, const char *word,
		 struct stored_drive *ret)
{
	CLEANUP(cleanup_free) struct stored_drive *drives = NULL;
	size_t n = 0;
	int err = store_find(store, word, &ctx->diag, &drives, &n);

	if (err)
		return err;
	if (n > 1)
		return ambiguous(ctx, word, drives, n);
	*ret = drives[0];
	return 0;
}

/* What the rules say of the drive now: how its counters wrap, for one. */
static int find_rule(struct context *ctx, struct store *store, int64_t drive,
		     struct sample_decoder *decoder)
{
	CLEANUP(snapshot_release) struct snapshot last;
	int err;

	snapshot_init(&last);
	err = sample_decoder_init(decoder, ctx);
	if (!err)
		err = store_snapshot(store, drive, TIME_UNKNOWN, &ctx->diag, &last);
	if (!err)
		err = sample_decode(decoder, &last, &ctx->diag);
	if (err == -ENOENT) { /* events alone */
		diag_clear(&ctx->diag);
		return 0;
	}
	return err;
}

static int load(struct context *ctx, struct store *store, const char *word,
		struct sample_decoder *decoder, struct series *ret)
{
	struct stored_drive drive = { .id = 0 };
	int err = history_find(ctx, store, word, &drive);

	if (!err)
		err = find_rule(ctx, store, drive.id, decoder);
	if (!err)
		err = store_series(store, drive.id, TIME_UNKNOWN, TIME_UNKNOWN, &ctx->diag, ret);
	if (!err)
		err = series_finish(ret, decoder->rule, ctx->now);
	if (err)
		return err;
	ret->identity = drive.identity;
	return 0;
}

static bool shows_unicode(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static int print(struct context *ctx, const struct series *s, struct history_query *q)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(doc_release) struct doc *rows = NULL;
	unsigned columns = ctx->out.terminal.columns;
	struct history_table table;

	ctx->out.text.max = ANSWER_MAX;
	history_range(s, moment(&ctx->options.since, ctx->now),
		      moment(&ctx->options.until, ctx->now), q);
	if (ctx->options.format.value != FORMAT_TEXT) {
		doc = report_history(s, q, ctx->now);
		rows = report_history_rows(s, q);
		return answer_print(ctx, doc, doc_get(rows, "rows"), &view);
	}
	if (!q->nmetrics)
		history_usual(s, q);
	if (ctx->options.plot)
		report_history_plots(s, q, columns ? columns : PLOT_COLUMNS, shows_unicode(),
				     &view);
	else
		report_history_view(s, q, ctx->options.all ? 0 : HISTORY_ROWS, &table, &view);
	return view_to_text(&view, &ctx->out.terminal, &ctx->out.text);
}

static int show_drive(struct context *ctx, struct store *store, const char *word,
		      struct history_query *q)
{
	CLEANUP(sample_decoder_release) struct sample_decoder decoder = { 0 };
	CLEANUP(series_release) struct series s;
	int err;

	series_init(&s);
	err = load(ctx, store, word, &decoder, &s);
	return err ? err : print(ctx, &s, q);
}

static int show_drives(struct context *ctx, struct store *store)
{
	CLEANUP(cleanup_free) struct stored_drive *stored = NULL;
	CLEANUP(cleanup_free) struct history_drive *drives = NULL;
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(doc_release) struct doc *rows = NULL;
	size_t n = 0;
	int err = store_drives(store, &ctx->diag, &stored, &n);

	if (err)
		return err;
	drives = calloc(n ? n : 1, sizeof(*drives));
	if (!drives)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		drives[i] = (struct history_drive){ .identity = stored[i].identity,
						    .first_time = stored[i].first_time,
						    .last_time = stored[i].last_time,
						    .nsamples = stored[i].nsamples,
						    .at_path = stored[i].owns_path };
	ctx->out.text.max = ANSWER_MAX;
	doc = report_history_drives(drives, n, ctx->now);
	rows = report_history_drive_rows(drives, n);
	report_history_drives_view(drives, n, &view);
	return answer_print(ctx, doc, doc_get(rows, "rows"), &view);
}

/* What the options stand for that are subcommands too. */
static int check_options(struct context *ctx, const char *subcommand)
{
	if (ctx->options.dry_run && (!subcommand || strcmp(subcommand, "prune") != 0))
		return context_usage(ctx, "--dry-run is for history prune");
	if (ctx->options.output && (!subcommand || strcmp(subcommand, "export") != 0))
		return context_usage(ctx, "--output is for history export");
	if (ctx->options.redecode && subcommand && strcmp(subcommand, "redecode") != 0)
		return context_usage(ctx, "--redecode and %s exclude each other", subcommand);
	return 0;
}

int cmd_history(struct context *ctx)
{
	struct history_query q = { .nmetrics = 0 };
	const char *const *words, *name = NULL;
	struct store *store = NULL;
	size_t n, at = 0;
	int err;

	words = context_words(ctx, &n);
	for (size_t i = 0; n && i < ARRAY_SIZE(subcommands); i++)
		if (strcmp(words[0], subcommands[i].name) == 0) {
			name = subcommands[i].name;
			at = i;
		}
	err = check_options(ctx, name);
	if (err)
		return err;
	if (name)
		return subcommands[at].run(ctx, words + 1, n - 1);
	if (ctx->options.redecode)
		return history_redecode(ctx, words, n);
	if (n > 1)
		return context_usage(ctx, "history shows one drive at a time");
	err = parse_query(ctx, n > 0, &q);
	if (err)
		return err;
	err = store_open(ctx->options.db, STORE_READ, ctx->now, &ctx->diag, &store, NULL);
	if (!err)
		err = n ? show_drive(ctx, store, words[0], &q) : show_drives(ctx, store);
	store_close(&store);
	return err;
}

/* SPDX-License-Identifier: MIT */
#include "cli/answer.h"
#include "cli/drives.h"
#include "cli/settings.h"

/* The Nagios codes; the order of the severities is another one. */
static int verdict_code(enum severity verdict)
{
	static const int codes[] = {
		[SEVERITY_OK] = 0,
		[SEVERITY_WARNING] = 1,
		[SEVERITY_CRITICAL] = 2,
		[SEVERITY_UNKNOWN] = EXIT_UNKNOWN,
	};

	return codes[verdict];
}

static void tell_retired(const struct context *ctx, size_t n, struct view *v)
{
	if (n)
		view_line(v, STYLE_DIM, 0,
			  "%zu further drive%s of the history: not seen here within %g days, and "
			  "left "
			  "out; `nandlife history` lists %s",
			  n, n == 1 ? "" : "s", ctx->settings->limits.stale_days,
			  n == 1 ? "it" : "them");
}

static int print(struct context *ctx, const struct drives *d)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	struct str *out = &ctx->out.text;

	switch (ctx->options.format.value) {
	case FORMAT_NAGIOS:
		report_health_nagios(d->reports, d->n, out);
		return str_error(out);
	case FORMAT_OPENMETRICS:
		report_openmetrics(d->reports, d->n, out);
		return str_error(out);
	default:
		doc = report_health(d->reports, d->n, ctx->now);
		report_health_view(d->reports, d->n, ctx->options.quiet ? -1 : ctx->options.verbose,
				   &view);
		if (!ctx->options.quiet)
			tell_retired(ctx, d->nretired, &view);
		doc_integer(doc, "retired_drives", d->nretired, UNIT_COUNT);
		return answer_print(ctx, doc, NULL, &view);
	}
}

int cmd_health(struct context *ctx)
{
	CLEANUP(drives_release)
	struct drives drives = { .with_history = true, .with_absent = true };
	int err = drives_load(ctx, &drives);

	if (!err)
		err = print(ctx, &drives);
	return err ? err : verdict_code(report_verdict(drives.reports, drives.n));
}

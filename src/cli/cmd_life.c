/* SPDX-License-Identifier: MIT */
#include "cli/answer.h"
#include "cli/drives.h"

static bool asks_equation(const struct options *o)
{
	return o->capacity.set || o->pe.set || o->waf.set || o->unevenness.set || o->daily.set ||
	       o->years.set;
}

/* The wear equation without a drive. */
static int answer_equation(struct context *ctx)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	const struct options *o = &ctx->options;
	const struct wear_question question = {
		.equation = { .capacity_bytes = o->capacity.value,
			      .pe_cycles = o->pe.value,
			      .waf = o->waf.value,
			      .unevenness = o->unevenness.value },
		.bytes_per_day = o->daily.set ? o->daily.value : 0,
		.years = o->years.set ? o->years.value : 0,
	};
	size_t nwords;

	context_words(ctx, &nwords);
	if (nwords || o->from.n)
		return context_usage(ctx, "the wear equation is answered without a drive");
	if (ctx->options.format.value == FORMAT_OPENMETRICS)
		return context_usage(ctx, "the wear equation has no openmetrics format");
	if (!o->capacity.set || !o->pe.set)
		return context_usage(ctx, "the wear equation needs --capacity and --pe");
	if (o->years.set && !o->daily.set)
		return context_usage(ctx, "--years needs --daily");
	if (o->years.set && (o->waf.set || o->unevenness.set))
		return context_usage(ctx, "--years asks for the factors: leave --waf and "
					  "--unevenness out");
	if (!o->years.set && (!o->waf.set || !o->unevenness.set))
		return context_usage(ctx, "the wear equation needs --waf and --unevenness, or "
					  "--daily and --years");
	doc = report_equation(&question, ctx->now);
	report_equation_view(&question, &view);
	return answer_print(ctx, doc, NULL, &view);
}

int cmd_life(struct context *ctx)
{
	CLEANUP(drives_release)
	struct drives drives = { .with_history = true, .by_history = true, .with_model = true };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(doc_release) struct doc *rows = NULL;
	struct str *out = &ctx->out.text;
	int err;

	if (asks_equation(&ctx->options))
		return answer_equation(ctx);
	err = drives_load(ctx, &drives);
	if (err)
		return err;
	if (ctx->options.format.value == FORMAT_OPENMETRICS) {
		report_openmetrics(drives.reports, drives.n, out);
		err = str_error(out);
	} else {
		doc = report_life(drives.reports, drives.n, ctx->now);
		rows = report_life_rows(drives.reports, drives.n);
		report_life_view(drives.reports, drives.n, ctx->options.verbose, &view);
		err = answer_print(ctx, doc, doc_get(rows, "rows"), &view);
	}
	return err ? err : drives.code;
}

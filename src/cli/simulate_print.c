/* SPDX-License-Identifier: MIT */
#include <langinfo.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/simulate.h"
#include "report/simulation_html.h"

#define PAGE_MAX     ((size_t)1 << 24)
#define PLOT_COLUMNS 100 /* where the width of the terminal is not known */

void simulate_report_start(const struct context *ctx, struct simulation_report *ret)
{
	const struct options *o = &ctx->options;

	ret->columns = ctx->out.terminal.columns ? ctx->out.terminal.columns : PLOT_COLUMNS;
	ret->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	ret->daily_bytes = o->daily.set ? o->daily.value : 0;
	ret->warranty_years = o->warranty_years.value;
}

static int write_page(struct context *ctx, const struct simulation_report *r, const struct doc *doc)
{
	CLEANUP(str_release) struct str page = { .max = PAGE_MAX };
	int err = doc_error(doc);

	if (err)
		return err;
	report_simulation_page(r, doc, ctx->now, &page);
	return answer_page(ctx, &page);
}

int simulate_print(struct context *ctx, const struct simulation_report *r, void *arg)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(doc_release) struct doc *rows = NULL;
	struct simulation_report report = *r;

	(void)arg;
	simulate_report_start(ctx, &report);
	doc = report_simulation(&report, ctx->now);
	if (ctx->options.html)
		return write_page(ctx, &report, doc);
	rows = report_simulation_rows(&report);
	report_simulation_view(&report, &view);
	return answer_print(ctx, doc, doc_get(rows, "rows"), &view);
}

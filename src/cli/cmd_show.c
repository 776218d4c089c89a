/* SPDX-License-Identifier: MIT */
#include "cli/answer.h"
#include "cli/drives.h"
#include "cli/foreign_names.h"

int cmd_show(struct context *ctx)
{
	CLEANUP(drives_release) struct drives drives = { .with_history = true };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	size_t nwords;
	int err;

	context_words(ctx, &nwords);
	if (!nwords && !ctx->options.from.n)
		return context_usage(ctx, "show needs a drive, or --from FILE");
	err = drives_load(ctx, &drives);
	if (err)
		return err;
	for (size_t i = 0; i < drives.n; i++)
		if (!drives.items[i]->rule.matched)
			foreign_names_add(&drives.items[i]->reading);
	doc = report_show(drives.reports, drives.n, ctx->now);
	report_show_view(drives.reports, drives.n, &view);
	err = answer_print(ctx, doc, NULL, &view);
	return err ? err : drives.code;
}

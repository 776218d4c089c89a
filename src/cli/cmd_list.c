/* SPDX-License-Identifier: MIT */
#include "cli/answer.h"
#include "cli/drives.h"

int cmd_list(struct context *ctx)
{
	CLEANUP(drives_release)
	struct drives drives = { .with_history = true, .with_absent = true, .with_retired = true };
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(doc_release) struct doc *rows = NULL;
	int err = drives_load(ctx, &drives);

	if (err)
		return err;
	doc = report_list(drives.reports, drives.n, ctx->now);
	rows = report_list_rows(drives.reports, drives.n);
	report_list_view(drives.reports, drives.n, &view);
	err = answer_print(ctx, doc, doc_get(rows, "rows"), &view);
	return err ? err : drives.code;
}

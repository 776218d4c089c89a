/* SPDX-License-Identifier: MIT */
#include "cli/answer.h"

#include <errno.h>
#include <string.h>

#include "cli/files.h"

/* Rows may stand in a document of their own. Without memory there are none at all. */
static int rows_error(const struct doc *rows)
{
	if (!rows)
		return -ENOMEM;
	while (rows->parent)
		rows = rows->parent;
	return doc_error(rows);
}

int answer_print(struct context *ctx, const struct doc *doc, const struct doc *rows,
		 const struct view *view)
{
	struct str *out = &ctx->out.text;
	int err = doc_error(doc);

	if (err < 0)
		return err;
	if (ctx->options.format.value == FORMAT_TEXT)
		return view_to_text(view, &ctx->out.terminal, out);
	if (ctx->options.format.value == FORMAT_CSV) {
		err = rows_error(rows);
		if (err < 0)
			return err;
		doc_render_csv(rows, out);
	} else {
		doc_render_json(doc, out);
	}
	return str_error(out);
}

int answer_page(struct context *ctx, struct str *page)
{
	const char *path = ctx->options.html;
	int err = str_error(page);

	if (err)
		return err;
	if (strcmp(path, "-") == 0) {
		str_release(&ctx->out.text);
		ctx->out.text = *page;
		*page = (struct str){ 0 };
		return 0;
	}
	err = file_write(path, bytes_of(str_text(page), page->len), &ctx->diag);
	ctx->fail_code = err && exit_code_of(err) == EX_OSERR ? EX_IOERR : 0;
	return err;
}

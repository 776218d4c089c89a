/* SPDX-License-Identifier: MIT */
#include "cli/answer.h"

int answer_print(struct context *ctx, const struct doc *doc, const struct doc *rows,
		 const struct view *view)
{
	struct str *out = &ctx->out.text;
	int err = doc_error(doc);

	if (err < 0)
		return err;
	if (ctx->options.format.value == FORMAT_TEXT)
		return view_to_text(view, &ctx->out.terminal, out);
	if (ctx->options.format.value == FORMAT_CSV)
		doc_render_csv(rows, out);
	else
		doc_render_json(doc, out);
	return str_error(out);
}

/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_H
#define CLI_ANSWER_H

#include "cli/context.h"
#include "doc/doc.h"

/*
 * Print an answer in the format asked for: the view as text, the doc as JSON, rows (an array within
 * the doc; NULL where the command offers no CSV) as CSV. Commands print the formats of monitoring
 * themselves. 0, -ENOMEM.
 */
int answer_print(struct context *ctx, const struct doc *doc, const struct doc *rows,
		 const struct view *view) MUST_USE;

/*
 * Write a page to the file that --html names; "-": it takes the place of the answer, and page is
 * empty afterwards. -ENOMEM, also that of the page itself, and what file_write returns.
 */
int answer_page(struct context *ctx, struct str *page) MUST_USE;

#endif

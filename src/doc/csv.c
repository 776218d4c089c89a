/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"
#include "doc/render.h"

static void add_cell(struct str *out, const char *s)
{
	char clean[4096];

	text_escape(clean, sizeof(clean), s);
	/* a spreadsheet runs cells that begin so: defuse them */
	if (*clean && strchr("=+-@", *clean))
		str_add_char(out, '\'');
	if (!strpbrk(clean, ",\"\r\n")) {
		str_add(out, clean);
		return;
	}
	str_add_char(out, '"');
	for (const char *c = clean; *c; c++) {
		if (*c == '"')
			str_add_char(out, '"');
		str_add_char(out, *c);
	}
	str_add_char(out, '"');
}

static void add_value(struct str *out, const struct doc *node)
{
	char number[NUMBER_TEXT_MAX];

	switch (node->kind) {
	case DOC_BOOL:
		str_add(out, node->boolean ? "true" : "false");
		break;
	case DOC_INTEGER:
	case DOC_REAL:
		str_add(out, doc_number_text(node, number));
		break;
	case DOC_STRING:
		add_cell(out, node->string);
		break;
	default: /* unknown is an empty cell */
		break;
	}
}

void doc_render_csv(const struct doc *rows, struct str *out)
{
	const struct doc *first = rows ? rows->first : NULL;

	for (const struct doc *m = first ? first->first : NULL; m; m = m->next)
		str_addf(out, "%s%s", m->key, m->next ? "," : "\r\n");
	for (const struct doc *row = first; row; row = row->next) {
		for (const struct doc *m = row->first; m; m = m->next) {
			add_value(out, m);
			str_add(out, m->next ? "," : "\r\n");
		}
	}
}

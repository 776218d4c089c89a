/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/html.h"
#include "report/markup.h"

static const char *title(const char *column)
{
	return column + (*column == '>' || *column == '@');
}

static const char *class_of(const char *column)
{
	return *column == '>' ? " class=\"num\"" : *column == '@' ? " class=\"day\"" : "";
}

void html_table_start(struct html_table *t, struct str *out, const char *class,
		      const char *const *columns, size_t n)
{
	*t = (struct html_table){ .out = out, .columns = columns, .n = n };
	str_addf(out, "<table class=\"%s\"><thead><tr>", class);
	for (size_t i = 0; i < n; i++) {
		str_addf(out, "<th scope=\"col\"%s>", class_of(columns[i]));
		markup_add(out, title(columns[i]));
		str_add(out, "</th>");
	}
	str_add(out, "</tr></thead><tbody>\n");
}

/* The first cell heads its row; on a narrow screen each of the others carries its column's title.
 */
void html_cell_start(struct html_table *t)
{
	const char *column = t->columns[t->at];

	if (!t->at) {
		str_add(t->out, "<tr><th scope=\"row\">");
		return;
	}
	str_addf(t->out, "<td%s data-l=\"", class_of(column));
	markup_add(t->out, title(column));
	str_add(t->out, "\"><span>");
}

void html_cell_end(struct html_table *t)
{
	str_add(t->out, t->at ? "</span></td>" : "</th>");
	if (++t->at < t->n)
		return;
	t->at = 0;
	str_add(t->out, "</tr>\n");
}

void html_cell(struct html_table *t, const char *fmt, ...)
{
	va_list ap;

	html_cell_start(t);
	va_start(ap, fmt);
	markup_addv(t->out, fmt, ap);
	va_end(ap);
	html_cell_end(t);
}

void html_table_end(struct html_table *t)
{
	str_add(t->out, "</tbody></table>\n");
}

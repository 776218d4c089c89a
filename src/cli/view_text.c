/* SPDX-License-Identifier: MIT */
#include "cli/view_text.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <string.h>

#define COLUMN_GAP "  "
#define RESET	   "\033[0m"

/* The only place that knows which colour a meaning has. */
static const char *colour_of(enum view_style style)
{
	static const char *const colours[] = {
		[STYLE_PLAIN] = NULL,	      [STYLE_HEADING] = "\033[1m",
		[STYLE_DIM] = "\033[2m",      [STYLE_GOOD] = "\033[32m",
		[STYLE_WARNING] = "\033[33m", [STYLE_BAD] = "\033[1;31m",
		[STYLE_UNKNOWN] = "\033[35m",
	};

	return colours[style];
}

static void unref_table(struct libscols_table **table)
{
	scols_unref_table(*table);
}

static void add_line(const struct view_block *b, const struct terminal *t, struct str *out)
{
	const char *text = b->ncells ? b->cells[0].text : "";
	const char *colour = t->colour && b->ncells ? colour_of(b->cells[0].style) : NULL;

	if (*text)
		str_add_repeat(out, ' ', b->indent);
	str_addf(out, "%s%s%s\n", colour ? colour : "", text, colour ? RESET : "");
}

static int add_columns(struct libscols_table *table, const struct view_block *b, bool wraps)
{
	for (size_t i = 0; i < b->ncolumns; i++) {
		struct libscols_column *column;
		int flags = 0;

		if (b->columns[i].flags & COLUMN_RIGHT)
			flags |= SCOLS_FL_RIGHT;
		if (wraps && (b->columns[i].flags & COLUMN_WRAP))
			flags |= SCOLS_FL_WRAP;
		column = scols_table_new_column(
			table, b->columns[i].title ? b->columns[i].title : "", 0, flags);
		/* cells are escaped already: \xNN stays as it is */
		if (!column || scols_column_set_safechars(column, "\\"))
			return -ENOMEM;
	}
	return 0;
}

static int add_rows(struct libscols_table *table, const struct view_block *b, bool colour)
{
	struct libscols_line *line = NULL;

	for (size_t i = 0; i < b->ncells; i++) {
		size_t column = i % b->ncolumns;
		const char *sequence = colour ? colour_of(b->cells[i].style) : NULL;

		if (!column) {
			line = scols_table_new_line(table, NULL);
			if (!line)
				return -ENOMEM;
		}
		if (scols_line_set_data(line, column, b->cells[i].text))
			return -ENOMEM;
		if (sequence && *b->cells[i].text &&
		    scols_cell_set_color(scols_line_get_cell(line, column), sequence))
			return -ENOMEM;
	}
	return 0;
}

/* Indent each line and drop the padding at its end. */
static void add_indented(const char *text, unsigned indent, struct str *out)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), used = n;

		while (used && text[used - 1] == ' ')
			used--;
		if (used)
			str_add_repeat(out, ' ', indent);
		str_add_bytes(out, text, used);
		str_add_char(out, '\n');
		text += n + (text[n] == '\n');
	}
}

static int add_table(const struct view_block *b, const struct terminal *t, struct str *out)
{
	CLEANUP(unref_table) struct libscols_table *table = scols_new_table();
	CLEANUP(cleanup_free) char *text = NULL;
	bool wraps = t->columns > b->indent + 20;
	int err;

	if (!b->ncells)
		return 0;
	if (!table)
		return -ENOMEM;
	if (scols_table_set_column_separator(table, COLUMN_GAP) ||
	    scols_table_enable_noheadings(table, !b->columns[0].title) ||
	    scols_table_enable_colors(table, t->colour) ||
	    scols_table_set_termforce(table,
				      wraps ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER))
		return -ENOMEM;
	if (wraps && scols_table_set_termwidth(table, t->columns - b->indent))
		return -ENOMEM;
	err = add_columns(table, b, wraps);
	if (err)
		return err;
	err = add_rows(table, b, t->colour);
	if (err)
		return err;
	err = scols_print_table_to_string(table, &text);
	if (err)
		return err < 0 ? err : -ENOMEM;
	add_indented(text, b->indent, out);
	return 0;
}

int view_to_text(const struct view *v, const struct terminal *t, struct str *out)
{
	int err = view_error(v);

	for (size_t i = 0; !err && i < v->n; i++) {
		if (v->blocks[i].kind == VIEW_LINE)
			add_line(&v->blocks[i], t, out);
		else
			err = add_table(&v->blocks[i], t, out);
	}
	return err ? err : str_error(out);
}

/* SPDX-License-Identifier: MIT */
#include "cli/view_text.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <string.h>

#include "base/text.h"
#include "cli/wrap.h"

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
	str_add(out, colour ? colour : "");
	if (t->columns)
		add_wrapped(out, text, b->indent, b->indent, t->columns);
	else
		str_addf(out, "%s\n", text);
	if (colour && !str_error(out)) {
		out->s[--out->len] = '\0';
		str_add(out, RESET "\n");
	}
}

/*
 * How a table fits the terminal. Only its last column may give way: its text is wrapped within the
 * column, or, where too little room is left for that, hung below the row that it belongs to.
 */
struct fit {
	size_t columns; /* that the table shows */
	size_t wrap_at; /* columns of the last one; 0: as wide as it is */
	bool hangs;	/* the last one is not shown in the table */
};

#define WRAP_MIN    30 /* columns; wrapped text narrower than that cannot be read */
#define HANG_INDENT 4

static size_t widest(const struct view_block *b, size_t column)
{
	size_t width = b->columns[column].title ? text_columns(b->columns[column].title) : 0;

	for (size_t i = column; i < b->ncells; i += b->ncolumns) {
		size_t n = text_columns(b->cells[i].text);

		width = n > width ? n : width;
	}
	return width;
}

static struct fit fit_table(const struct view_block *b, const struct terminal *t)
{
	struct fit fit = { .columns = b->ncolumns };
	size_t last = b->ncolumns - 1, used = b->indent;

	if (!t->columns || !(b->columns[last].flags & COLUMN_WRAP) || !last)
		return fit;
	for (size_t i = 0; i < last; i++)
		used += widest(b, i) + strlen(COLUMN_GAP);
	if (used + widest(b, last) <= t->columns)
		return fit;
	fit.hangs = used + WRAP_MIN > t->columns;
	fit.wrap_at = t->columns - (fit.hangs ? b->indent + HANG_INDENT : used);
	if (fit.hangs)
		fit.columns--;
	return fit;
}

static int add_columns(struct libscols_table *table, const struct view_block *b,
		       const struct fit *fit)
{
	for (size_t i = 0; i < fit->columns; i++) {
		bool wraps = fit->wrap_at && !fit->hangs && i == b->ncolumns - 1;
		int flags = b->columns[i].flags & COLUMN_RIGHT ? SCOLS_FL_RIGHT : 0;
		const char *title = b->columns[i].title ? b->columns[i].title : "";
		struct libscols_column *column;

		column = scols_table_new_column(table, title, 0,
						flags | (wraps ? SCOLS_FL_WRAP : 0));
		/* cells are escaped already: \xNN stays as it is */
		if (!column || scols_column_set_safechars(column, wraps ? "\\\n" : "\\"))
			return -ENOMEM;
		if (wraps && scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
						       scols_wrapnl_nextchunk, NULL))
			return -ENOMEM;
	}
	return 0;
}

static int set_cell(struct libscols_line *line, size_t column, const struct view_cell *cell,
		    const struct fit *fit, bool colour)
{
	CLEANUP(str_release) struct str wrapped = { 0 };
	const char *sequence = colour ? colour_of(cell->style) : NULL;
	const char *text = cell->text;

	if (fit->wrap_at && !fit->hangs && column == fit->columns - 1) {
		add_wrapped(&wrapped, text, 0, 0, fit->wrap_at);
		if (str_error(&wrapped) < 0)
			return str_error(&wrapped);
		wrapped.s[wrapped.len - 1] = '\0'; /* the newline at the end */
		text = wrapped.s;
	}
	if (scols_line_set_data(line, column, text))
		return -ENOMEM;
	if (sequence && *text && scols_cell_set_color(scols_line_get_cell(line, column), sequence))
		return -ENOMEM;
	return 0;
}

static int add_rows(struct libscols_table *table, const struct view_block *b, const struct fit *fit,
		    bool colour)
{
	struct libscols_line *line = NULL;

	for (size_t i = 0; i < b->ncells; i++) {
		size_t column = i % b->ncolumns;
		int err;

		if (!column) {
			line = scols_table_new_line(table, NULL);
			if (!line)
				return -ENOMEM;
		}
		if (column == fit->columns)
			continue;
		err = set_cell(line, column, &b->cells[i], fit, colour);
		if (err)
			return err;
	}
	return 0;
}

/* One line of a table, without the padding at its end. */
static void add_table_line(const char *line, size_t n, unsigned indent, struct str *out)
{
	while (n && line[n - 1] == ' ')
		n--;
	if (n)
		str_add_repeat(out, ' ', indent);
	str_add_bytes(out, line, n);
	str_add_char(out, '\n');
}

/* The text of the last column of a row, below it. */
static void add_hanging(const struct view_block *b, size_t row, const struct terminal *t,
			const struct fit *fit, struct str *out)
{
	const struct view_cell *cell = &b->cells[row * b->ncolumns + b->ncolumns - 1];
	const char *sequence = t->colour ? colour_of(cell->style) : NULL;
	size_t indent = b->indent + HANG_INDENT;

	if (!*cell->text)
		return;
	str_add_repeat(out, ' ', indent);
	str_add(out, sequence ? sequence : "");
	add_wrapped(out, cell->text, indent, indent, indent + fit->wrap_at);
	if (sequence && !str_error(out)) {
		out->s[--out->len] = '\0';
		str_addf(out, RESET "\n");
	}
}

static void add_lines(const struct view_block *b, const char *text, const struct terminal *t,
		      const struct fit *fit, struct str *out)
{
	size_t row = 0;
	bool heading = b->columns[0].title != NULL;

	while (*text) {
		size_t n = strcspn(text, "\n");

		add_table_line(text, n, b->indent, out);
		text += n + (text[n] == '\n');
		if (fit->hangs && !heading)
			add_hanging(b, row++, t, fit, out);
		heading = false;
	}
}

/* Of a line of a cell what the library prints as it is: the ASCII that it begins with. */
static size_t plain_length(const char *line)
{
	size_t n = 0;

	while (line[n] >= ' ' && line[n] <= '~')
		n++;
	while (n && line[n - 1] == ' ')
		n--;
	return n;
}

/* Behind this cell in what was printed, or NULL where a line of it is not there. */
static const char *find_cell(const char *printed, const char *end, const char *text)
{
	while (printed && *text) {
		size_t n = plain_length(text), line = strcspn(text, "\n");
		const char *at = n ? memmem(printed, (size_t)(end - printed), text, n) : printed;

		printed = at ? at + n : NULL;
		text += line + (text[line] == '\n');
	}
	return printed;
}

/* Where its memory runs out, the library leaves cells empty and does not tell. */
static bool is_whole(struct libscols_table *table, const char *printed, size_t columns)
{
	const char *end = printed + strlen(printed);

	for (size_t i = 0; i < columns && !scols_table_is_noheadings(table); i++) {
		struct libscols_column *column = scols_table_get_column(table, i);
		const char *text = scols_cell_get_data(scols_column_get_header(column));

		printed = find_cell(printed, end, text ? text : "");
	}
	for (size_t row = 0; row < scols_table_get_nlines(table); row++)
		for (size_t i = 0; i < columns; i++) {
			struct libscols_line *line = scols_table_get_line(table, row);
			const char *text = scols_cell_get_data(scols_line_get_cell(line, i));

			printed = find_cell(printed, end, text ? text : "");
			if (!printed)
				return false;
		}
	return true;
}

static int add_table(const struct view_block *b, const struct terminal *t, struct str *out)
{
	CLEANUP(unref_table) struct libscols_table *table = scols_new_table();
	CLEANUP(cleanup_free) char *text = NULL;
	struct fit fit;
	int err;

	if (!b->ncells)
		return 0;
	/* widths are decided here: libsmartcols would break words */
	if (!table || scols_table_set_column_separator(table, COLUMN_GAP) ||
	    scols_table_enable_noheadings(table, !b->columns[0].title) ||
	    scols_table_enable_colors(table, t->colour) ||
	    scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER))
		return -ENOMEM;
	fit = fit_table(b, t);
	err = add_columns(table, b, &fit);
	if (!err)
		err = add_rows(table, b, &fit, t->colour);
	if (err)
		return err;
	err = scols_print_table_to_string(table, &text);
	if (err)
		return err < 0 ? err : -ENOMEM;
	/* nor does its stream */
	if (!text || !is_whole(table, text, fit.columns))
		return -ENOMEM;
	add_lines(b, text, t, &fit, out);
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

/* SPDX-License-Identifier: MIT */
#ifndef DOC_VIEW_H
#define DOC_VIEW_H

#include "base/cleanup.h"
#include "base/str.h"

/*
 * What a command shows to people: lines and tables in order, each text with a meaning, not a
 * colour. The terminal decides on colours and widths. All text is made safe for a terminal when it
 * is added. Like a doc, failures stick: ask view_error once at the end.
 */

enum view_style {
	STYLE_PLAIN,
	STYLE_HEADING,
	STYLE_DIM, /* sources, footnotes */
	STYLE_GOOD,
	STYLE_WARNING,
	STYLE_BAD,
	STYLE_UNKNOWN,
};

struct view_column {
	const char *title; /* NULL in tables without a header */
	unsigned flags;	   /* enum view_column_flag */
};

enum view_column_flag {
	COLUMN_RIGHT = 1 << 0,
	COLUMN_WRAP = 1 << 1, /* long text may wrap at the terminal's width */
};

enum view_kind {
	VIEW_LINE,  /* one cell; an empty one is a blank line */
	VIEW_TABLE, /* columns and row-major cells */
};

struct view_cell {
	char *text;
	enum view_style style;
};

struct view_block {
	enum view_kind kind;
	unsigned indent;		   /* columns */
	const struct view_column *columns; /* static */
	size_t ncolumns;
	struct view_cell *cells;
	size_t ncells, cap;
};

struct view {
	struct view_block *blocks;
	size_t n, cap;
	int err;
};

void view_release(struct view *v);

/* 0 or the sticky -ENOMEM. */
int view_error(const struct view *v);

/* One line of its own. */
void view_line(struct view *v, enum view_style style, unsigned indent, const char *fmt, ...)
	PRINTF(4, 5);
void view_gap(struct view *v);

/* Begin a table; the cells that follow fill it row by row. columns must be static. */
void view_table(struct view *v, const struct view_column *columns, size_t n, unsigned indent);
void view_cell(struct view *v, enum view_style style, const char *fmt, ...) PRINTF(3, 4);

#endif

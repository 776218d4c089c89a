/* SPDX-License-Identifier: MIT */
#include "doc/view.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define CELL_TEXT_MAX 1024

void view_release(struct view *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n; i++) {
		for (size_t c = 0; c < v->blocks[i].ncells; c++)
			free(v->blocks[i].cells[c].text);
		free(v->blocks[i].cells);
	}
	free(v->blocks);
	*v = (struct view){ 0 };
}

int view_error(const struct view *v)
{
	return v->err;
}

/* Room for one more element of an array that doubles; NULL (sticky) when out of memory. */
static void *grow(struct view *v, void **array, size_t n, size_t *cap, size_t size)
{
	void *more;

	if (v->err)
		return NULL;
	if (n == *cap) {
		more = reallocarray(*array, *cap ? *cap * 2 : 8, size);
		if (!more) {
			v->err = -ENOMEM;
			return NULL;
		}
		*array = more;
		*cap = *cap ? *cap * 2 : 8;
	}
	return (char *)*array + n * size;
}

static struct view_block *add_block(struct view *v, enum view_kind kind, unsigned indent)
{
	struct view_block *b = grow(v, (void **)&v->blocks, v->n, &v->cap,
				    sizeof(struct view_block));

	if (!b)
		return NULL;
	*b = (struct view_block){ .kind = kind, .indent = indent };
	v->n++;
	return b;
}

static PRINTF(3, 0) void add_cell(struct view *v, enum view_style style, const char *fmt,
				  va_list ap)
{
	char raw[CELL_TEXT_MAX], clean[CELL_TEXT_MAX];
	struct view_block *b = v->n ? &v->blocks[v->n - 1] : NULL;
	struct view_cell *cell;

	if (v->err || !b)
		return;
	vsnprintf(raw, sizeof(raw), fmt, ap);
	text_escape(clean, sizeof(clean), raw);
	cell = grow(v, (void **)&b->cells, b->ncells, &b->cap, sizeof(struct view_cell));
	if (!cell)
		return;
	*cell = (struct view_cell){ .text = strdup(clean), .style = style };
	if (!cell->text)
		v->err = -ENOMEM;
	else
		b->ncells++;
}

void view_line(struct view *v, enum view_style style, unsigned indent, const char *fmt, ...)
{
	va_list ap;

	if (!add_block(v, VIEW_LINE, indent))
		return;
	va_start(ap, fmt);
	add_cell(v, style, fmt, ap);
	va_end(ap);
}

void view_gap(struct view *v)
{
	view_line(v, STYLE_PLAIN, 0, "%s", "");
}

void view_table(struct view *v, const struct view_column *columns, size_t n, unsigned indent)
{
	struct view_block *b = add_block(v, VIEW_TABLE, indent);

	if (!b)
		return;
	b->columns = columns;
	b->ncolumns = n;
}

void view_cell(struct view *v, enum view_style style, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_cell(v, style, fmt, ap);
	va_end(ap);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"
#include "ftl/access.h"

enum column {
	COLUMN_BYTES,
	COLUMN_OP,
	COLUMN_ORDER,
	COLUMN_REQUESTS,
	COLUMN_SHARE,
	COLUMN_ALIGN,
	COLUMN_READ,
	COLUMN_RANDOM,
	COLUMN_COUNT
};

static const struct {
	const char *title;
	enum column column;
} titles[] = {
	{ "bytes", COLUMN_BYTES },	 { "size", COLUMN_BYTES },  { "op", COLUMN_OP },
	{ "order", COLUMN_ORDER },	 { "share", COLUMN_SHARE }, { "align", COLUMN_ALIGN },
	{ "requests", COLUMN_REQUESTS }, { "read", COLUMN_READ },   { "random", COLUMN_RANDOM },
};

#define CELL_MAX	   32
#define CELLS_MAX	   16
#define ACCESS_REQUEST_MAX (UINT64_C(1) << 40) /* bytes of one request */

struct parser {
	const char *name; /* of the file */
	unsigned line;
	enum column columns[CELLS_MAX];
	unsigned ncolumns;
	bool has[COLUMN_COUNT];
	char cells[CELLS_MAX][CELL_MAX];
	unsigned ncells;
	struct access_row *rows;
	size_t n;
};

static void release(struct parser *p)
{
	free(p->rows);
}

static int fail(const struct parser *p, struct diag *d, const char *what, const char *value,
		const char *advice)
{
	return diag_fail(d, -EINVAL, "%s:%u: %s '%s'%s", p->name, p->line, what, value, advice);
}

static int split(struct parser *p, const char *s, size_t n, struct diag *d)
{
	const char *end = s + n;

	for (p->ncells = 0;; s++) {
		const char *comma = memchr(s, ',', (size_t)(end - s)), *stop = comma ? comma : end;

		while (s < stop && (*s == ' ' || *s == '\t' || *s == '"'))
			s++;
		for (n = (size_t)(stop - s); n && strchr(" \t\"\r", s[n - 1]); n--)
			;
		if (p->ncells == CELLS_MAX || n >= CELL_MAX || memchr(s, '\0', n))
			return diag_fail(d, -EINVAL, "%s:%u: this is no table of accesses", p->name,
					 p->line);
		memcpy(p->cells[p->ncells], s, n);
		p->cells[p->ncells++][n] = '\0';
		if (!comma)
			return 0;
		s = comma;
	}
}

static int read_titles(struct parser *p, struct diag *d)
{
	for (unsigned i = 0; i < p->ncells; i++) {
		struct suggestion s = { .word = p->cells[i] };
		size_t k = 0;

		while (k < ARRAY_SIZE(titles) && !text_equal_nocase(titles[k].title, p->cells[i]))
			suggestion_offer(&s, titles[k++].title);
		if (k == ARRAY_SIZE(titles))
			return diag_fail(
				d, -EINVAL,
				"%s:%u: there is no column '%s'%s%s; the first line has the "
				"titles bytes, op, order, requests or share, align",
				p->name, p->line, p->cells[i], s.best ? "; did you mean " : "",
				s.best ? s.best : "");
		if (p->has[titles[k].column])
			return fail(p, d, "a second column", p->cells[i], "");
		p->columns[i] = titles[k].column;
		p->has[titles[k].column] = true;
	}
	p->ncolumns = p->ncells;
	if (!p->has[COLUMN_BYTES] || !(p->has[COLUMN_SHARE] || p->has[COLUMN_REQUESTS]))
		return diag_fail(d, -EINVAL,
				 "%s:%u: the columns bytes, and share or requests, are "
				 "needed",
				 p->name, p->line);
	if ((p->has[COLUMN_OP] && p->has[COLUMN_READ]) ||
	    (p->has[COLUMN_ORDER] && p->has[COLUMN_RANDOM]))
		return diag_fail(d, -EINVAL,
				 "%s:%u: op and read say the same, and order and random: one of "
				 "each",
				 p->name, p->line);
	return 0;
}

/* One line's values, before read and random split them into rows. */
struct values {
	struct access_row row;
	double weight, read, random;
};

static int read_op(struct parser *p, const char *text, struct access_row *row, struct diag *d)
{
	for (unsigned op = 0; op < 3; op++) {
		if (text_equal_nocase(request_op_text((enum request_op)op), text)) {
			row->op = (enum request_op)op;
			return 0;
		}
	}
	return fail(p, d, "there is no op", text, "; there are read, write and trim");
}

static int read_order(struct parser *p, const char *text, struct access_row *row, struct diag *d)
{
	row->sequential = text_equal_nocase(text, "sequential");
	if (row->sequential || text_equal_nocase(text, "random"))
		return 0;
	return fail(p, d, "there is no order", text, "; there are random and sequential");
}

static int read_size(struct parser *p, const char *what, const char *text, uint64_t *ret,
		     struct diag *d)
{
	if (parse_bytes(text, ret) < 0 || !*ret || *ret > ACCESS_REQUEST_MAX)
		return fail(p, d, what, text, " is no size from 1 to 1TiB, as 4KiB");
	return 0;
}

static int read_share(struct parser *p, const char *text, double *ret, struct diag *d)
{
	if (parse_share(text, ret) < 0 || *ret > 1)
		return fail(p, d, "the share", text, " is none from 0 to 1, as 0.67 or 67%");
	return 0;
}

static int read_cell(struct parser *p, enum column column, const char *text, struct values *v,
		     struct diag *d)
{
	uint64_t n = 0;

	switch (column) {
	case COLUMN_BYTES:
		return read_size(p, "the size", text, &v->row.bytes, d);
	case COLUMN_ALIGN:
		return *text ? read_size(p, "the alignment", text, &v->row.align, d) : 0;
	case COLUMN_OP:
		return read_op(p, text, &v->row, d);
	case COLUMN_ORDER:
		return read_order(p, text, &v->row, d);
	case COLUMN_READ:
		return read_share(p, text, &v->read, d);
	case COLUMN_RANDOM:
		return read_share(p, text, &v->random, d);
	case COLUMN_SHARE:
		return p->has[COLUMN_REQUESTS] ? 0 : read_share(p, text, &v->weight, d);
	default:
		if (parse_u64(text, UINT64_C(1) << 53, &n) < 0)
			return fail(p, d, "the number of requests", text, " is no whole number");
		v->weight = (double)n;
		return 0;
	}
}

static int add_row(struct parser *p, const struct access_row *row, double weight, struct diag *d)
{
	struct access_row *rows;

	if (weight <= 0)
		return 0;
	if (p->n == ACCESS_ROWS_MAX)
		return diag_fail(d, -EINVAL, "%s:%u: more than %u rows", p->name, p->line,
				 ACCESS_ROWS_MAX);
	rows = reallocarray(p->rows, p->n + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	p->rows = rows;
	rows[p->n] = *row;
	rows[p->n++].share = weight;
	return 0;
}

/* A row where op and order are given, two or four where they are shares. */
static int add_rows(struct parser *p, struct values *v, struct diag *d)
{
	int r = 0;

	for (unsigned i = 0; i < 4 && !r; i++) {
		struct access_row row = v->row;
		double weight = v->weight;

		if (p->has[COLUMN_READ]) {
			row.op = i & 2 ? REQUEST_READ : REQUEST_WRITE;
			weight *= i & 2 ? v->read : 1 - v->read;
		} else if (i & 2) {
			break;
		}
		if (p->has[COLUMN_RANDOM]) {
			row.sequential = !(i & 1);
			weight *= i & 1 ? v->random : 1 - v->random;
		} else if (i & 1) {
			continue;
		}
		r = add_row(p, &row, weight, d);
	}
	return r;
}

static int read_line(struct parser *p, const char *s, size_t n, struct diag *d)
{
	struct values v = { .row.op = REQUEST_WRITE };
	int r = split(p, s, n, d);

	if (r < 0 || !p->ncolumns)
		return r < 0 ? r : read_titles(p, d);
	if (p->ncells != p->ncolumns)
		return diag_fail(d, -EINVAL, "%s:%u: %u values for %u columns", p->name, p->line,
				 p->ncells, p->ncolumns);
	for (unsigned i = 0; i < p->ncells && !r; i++)
		r = read_cell(p, p->columns[i], p->cells[i], &v, d);
	if (r < 0)
		return r;
	v.row.align = v.row.align ? v.row.align : v.row.bytes;
	return add_rows(p, &v, d);
}

int access_table_parse(struct bytes text, const char *name, struct access_table *ret,
		       struct diag *d)
{
	CLEANUP(release) struct parser p = { .name = name };
	const char *s = (const char *)text.data, *end = s + text.len;
	double all = 0, writes = 0;

	while (s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t n = newline ? (size_t)(newline - s) : (size_t)(end - s);
		int r;

		p.line++;
		r = n && *s != '#' && *s != '\r' ? read_line(&p, s, n, d) : 0;
		if (r < 0)
			return r;
		s += n + (newline != NULL);
	}
	for (size_t i = 0; i < p.n; i++) {
		all += p.rows[i].share;
		writes += p.rows[i].op == REQUEST_WRITE ? p.rows[i].share : 0;
	}
	if (writes <= 0)
		return diag_fail(d, -EINVAL, "%s: %s in this table of accesses", name,
				 all > 0 ? "no writes" : "nothing");
	for (size_t i = 0; i < p.n; i++)
		p.rows[i].share /= all;
	*ret = (struct access_table){ .rows = p.rows, .n = p.n };
	p.rows = NULL;
	return 0;
}

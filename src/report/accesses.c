/* SPDX-License-Identifier: MIT */
#include "report/accesses.h"

#include <stdio.h>

#include "base/units.h"
#include "report/drive.h"

#define CELLS	6
#define CLASSES 64

static const char *order_text(bool sequential)
{
	return sequential ? "sequential" : "random";
}

static uint64_t requests_of(const struct access_counter *c)
{
	return c->requests[REQUEST_READ] + c->requests[REQUEST_WRITE] + c->requests[REQUEST_TRIM];
}

/* --- for programs ------------------------------------------------------------------------------
 */

static void add_trace(struct doc *root, const struct accesses_report *r)
{
	const struct trace_counts *n = &r->trace->counts;
	const struct access_counter *c = r->counter;
	struct doc *o = doc_object(root, "trace");

	doc_string(o, "file", r->file);
	doc_string(o, "format", trace_format_word(r->trace->format));
	doc_string(o, "device",
		   r->trace->options.device ? r->trace->options.device : r->trace->device);
	doc_integer(o, "lines", n->lines, UNIT_COUNT);
	doc_integer(o, "requests", n->requests, UNIT_COUNT);
	doc_integer(o, "bad_lines", n->bad, UNIT_COUNT);
	doc_integer(o, "requests_out_of_order", n->backwards, UNIT_COUNT);
	doc_integer(o, "requests_of_other_devices", n->elsewhere, UNIT_COUNT);
	doc_integer(o, "requests_of_rounded_size", c->rounded, UNIT_COUNT);
	doc_real(o, "seconds", (double)c->last_ns / 1e9, 9);
	doc_integer(o, "extent_bytes", c->extent, UNIT_BYTES);
	doc_integer(o, "read_bytes", c->bytes[REQUEST_READ], UNIT_BYTES);
	doc_integer(o, "written_bytes", c->bytes[REQUEST_WRITE], UNIT_BYTES);
	doc_integer(o, "trimmed_bytes", c->bytes[REQUEST_TRIM], UNIT_BYTES);
}

struct doc *report_accesses(const struct accesses_report *r, int64_t generated_at)
{
	struct doc *root = report_new("simulate", generated_at), *list;

	add_trace(root, r);
	list = doc_array(root, "accesses");
	for (size_t i = 0; i < r->table->n; i++) {
		const struct access_row *row = &r->table->rows[i];
		struct doc *o = doc_object(list, NULL);

		doc_integer(o, "bytes", row->bytes, UNIT_BYTES);
		doc_string(o, "op", request_op_text(row->op));
		doc_string(o, "order", order_text(row->sequential));
		doc_integer(o, "requests", row->requests, UNIT_COUNT);
		doc_real(o, "share", row->share, 6);
		doc_integer(o, "align", row->align, UNIT_BYTES);
	}
	return root;
}

/* --- for people --------------------------------------------------------------------------------
 */

static const struct view_column columns[] = {
	{ "SIZE UP TO", 0 },
	{ "READ RANDOM", COLUMN_RIGHT },
	{ "SEQUENTIAL", COLUMN_RIGHT },
	{ "WRITE RANDOM", COLUMN_RIGHT },
	{ "SEQUENTIAL", COLUMN_RIGHT },
	{ "TRIM", COLUMN_RIGHT },
	{ "ALL", COLUMN_RIGHT },
};

static unsigned class_of(uint64_t bytes)
{
	unsigned class = 0;

	while (class + 1 < CLASSES && bytes > UINT64_C(1) << class)
		class ++;
	return class;
}

static void add_share(struct view *v, uint64_t n, uint64_t all)
{
	if (n)
		view_cell(v, STYLE_PLAIN, "%.2f %%", (double)n / (double)all * 100);
	else
		view_cell(v, STYLE_DIM, "-");
}

static void add_shares(struct view *v, const uint64_t cells[CELLS], uint64_t all)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CELLS; i++)
		sum += cells[i];
	for (unsigned i = 0; i < CELLS - 2; i++)
		add_share(v, cells[i], all);
	add_share(v, cells[CELLS - 2] + cells[CELLS - 1], all);
	add_share(v, sum, all);
}

/* Sizes are joined to powers of two, so that the table stays readable. */
static void add_table(struct view *v, const struct access_table *t, uint64_t all)
{
	uint64_t classes[CLASSES][CELLS] = { 0 }, total[CELLS] = { 0 };
	bool used[CLASSES] = { 0 };
	char size[UNIT_TEXT_MAX];

	for (size_t i = 0; i < t->n; i++) {
		const struct access_row *row = &t->rows[i];
		unsigned cell = (unsigned)row->op * 2 + row->sequential, class;

		class = class_of(row->bytes);
		classes[class][cell] += row->requests;
		total[cell] += row->requests;
		used[class] = true;
	}
	view_table(v, columns, ARRAY_SIZE(columns), 2);
	for (unsigned i = 0; i < CLASSES; i++) {
		if (!used[i])
			continue;
		view_cell(v, STYLE_PLAIN, "%s", format_bytes_binary((u128)1 << i, size));
		add_shares(v, classes[i], all);
	}
	view_cell(v, STYLE_HEADING, "all sizes");
	add_shares(v, total, all);
}

static void add_volume(struct view *v, const struct access_counter *c, enum request_op op,
		       const char *verb)
{
	char n[UNIT_TEXT_MAX], bytes[UNIT_TEXT_MAX], mean[UNIT_TEXT_MAX];

	if (!c->requests[op])
		return;
	view_line(v, STYLE_PLAIN, 2, "%s %s in %s request%s, %s each", verb,
		  format_bytes(c->bytes[op], bytes), format_grouped((i128)c->requests[op], n),
		  c->requests[op] == 1 ? "" : "s",
		  format_bytes(c->bytes[op] / c->requests[op], mean));
}

void report_accesses_view(const struct accesses_report *r, struct view *v)
{
	const struct access_counter *c = r->counter;
	const uint64_t all = requests_of(c);
	const char *device = r->trace->options.device ? r->trace->options.device : r->trace->device;
	char n[UNIT_TEXT_MAX], extent[UNIT_TEXT_MAX];

	view_line(v, STYLE_HEADING, 0, "%s: %s%s%s", r->file, trace_format_name(r->trace->format),
		  *device ? ", device " : "", device);
	view_line(v, STYLE_PLAIN, 2, "%s request%s in %.6g s, up to byte %s",
		  format_grouped((i128)all, n), all == 1 ? "" : "s", (double)c->last_ns / 1e9,
		  format_bytes(c->extent, extent));
	add_volume(v, c, REQUEST_READ, "read");
	add_volume(v, c, REQUEST_WRITE, "written");
	add_volume(v, c, REQUEST_TRIM, "trimmed");
	view_gap(v);
	add_table(v, r->table, all);
}

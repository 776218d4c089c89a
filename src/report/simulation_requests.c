/* SPDX-License-Identifier: MIT */
#include "report/simulation_requests.h"

#include <stdio.h>

#include "base/units.h"

static void add_trace(struct doc *model, const struct simulation_trace *t)
{
	struct doc *o;

	if (!t) {
		doc_null(model, "trace");
		return;
	}
	o = doc_object(model, "trace");
	doc_string(o, "format", trace_format_word(t->format));
	doc_string(o, "device", t->device);
	doc_string(o, "map", t->map);
	doc_integer(o, "requests", t->counts.requests, UNIT_COUNT);
	doc_integer(o, "bad_lines", t->counts.bad, UNIT_COUNT);
	doc_integer(o, "requests_of_other_devices", t->counts.elsewhere, UNIT_COUNT);
	doc_integer(o, "extent_bytes", t->extent, UNIT_BYTES);
	doc_integer_if(o, "touched_pages", t->has_touched, t->touched, UNIT_COUNT);
}

void report_requests_asked(struct doc *model, const struct simulation_report *r)
{
	const struct simulation_config *c = r->config;
	const struct request_mix *m = &c->mix;
	const bool shares = c->workload.kind != WORKLOAD_TRACE &&
			    c->workload.kind != WORKLOAD_SIZES;
	const bool sized = shares && c->workload.kind != WORKLOAD_JESD219;

	doc_real(model, "fill", c->fill > 0 ? c->fill : 1, 6);
	doc_integer_if(model, "request_bytes", sized, m->bytes, UNIT_BYTES);
	doc_integer_if(model, "align_bytes", sized, m->align ? m->align : m->bytes, UNIT_BYTES);
	doc_integer(model, "partition_start_bytes", m->start, UNIT_BYTES);
	doc_string(model, "partial", c->coalesce ? "coalesce" : "modify");
	doc_real_if(model, "read_share", shares, m->reads, 6);
	doc_real_if(model, "trim_share", shares, m->trims, 6);
	add_trace(model, r->trace);
}

/* Pages written for the host, those of which it wrote a part too, over what it wrote. */
static double partial_share(const struct simulation_report *r)
{
	const struct request_totals *t = &r->result->requests;
	double pages = (double)r->result->measured.host_writes;

	return pages * r->config->page_bytes / (double)t->written_bytes - 1;
}

static bool has_requests(const struct simulation_report *r)
{
	return r->result && r->result->requests.written_bytes;
}

void report_requests_done(struct doc *root, const struct simulation_report *r)
{
	const struct request_totals *t;
	struct doc *o;

	if (!has_requests(r)) {
		doc_null(root, "requests");
		return;
	}
	t = &r->result->requests;
	o = doc_object(root, "requests");
	doc_integer(o, "reads", t->reads, UNIT_COUNT);
	doc_integer(o, "writes", t->writes, UNIT_COUNT);
	doc_integer(o, "trims", t->trims, UNIT_COUNT);
	doc_integer(o, "read_bytes", t->read_bytes, UNIT_BYTES);
	doc_integer(o, "written_bytes", t->written_bytes, UNIT_BYTES);
	doc_integer(o, "trimmed_bytes", t->trimmed_bytes, UNIT_BYTES);
	doc_integer(o, "partial_pages", t->partial_pages, UNIT_COUNT);
	doc_integer(o, "pages_read_to_modify", t->modified_pages, UNIT_COUNT);
	doc_integer(o, "coalesced_pages", t->coalesced_pages, UNIT_COUNT);
	doc_real(o, "partial_write_amplification", 1 + partial_share(r), 6);
}

/* --- for people --------------------------------------------------------------------------------
 */

static void add_trace_line(struct view *v, const struct simulation_trace *t)
{
	char n[UNIT_TEXT_MAX], touched[UNIT_TEXT_MAX], map[UNIT_TEXT_MAX + 32] = "";

	if (t->has_touched)
		snprintf(map, sizeof(map), ", %s pages touched",
			 format_grouped((i128)t->touched, touched));
	view_line(v, STYLE_PLAIN, 2, "the trace: %s%s%s, %s requests%s, places %s",
		  trace_format_name(t->format), *t->device ? ", device " : "", t->device,
		  format_grouped((i128)t->counts.requests, n), map, t->map);
}

void report_requests_model_view(struct view *v, const struct simulation_report *r)
{
	const struct simulation_config *c = r->config;
	const struct request_mix *m = &c->mix;
	char size[UNIT_TEXT_MAX], align[UNIT_TEXT_MAX], start[UNIT_TEXT_MAX];

	if (c->fill > 0 && c->fill < 1)
		view_line(v, STYLE_PLAIN, 2, "%.4g %% of the drive hold data", c->fill * 100);
	if (r->trace)
		add_trace_line(v, r->trace);
	if (!c->by_requests || c->workload.kind == WORKLOAD_TRACE ||
	    c->workload.kind == WORKLOAD_SIZES)
		return;
	view_line(v, STYLE_PLAIN, 2,
		  "requests of %s at multiples of %s from byte %s on, %.4g %% reads, %.4g %% trims",
		  c->workload.kind == WORKLOAD_JESD219 ? "512 B to 64 KiB"
						       : format_bytes_binary(m->bytes, size),
		  format_bytes_binary(m->align				     ? m->align
				      : c->workload.kind == WORKLOAD_JESD219 ? 4096
									     : m->bytes,
				      align),
		  format_grouped((i128)m->start, start), m->reads * 100, m->trims * 100);
}

void report_requests_rows_view(struct view *v, const struct simulation_report *r)
{
	const struct request_totals *t;
	char n[UNIT_TEXT_MAX], modified[UNIT_TEXT_MAX];

	if (!has_requests(r))
		return;
	t = &r->result->requests;
	if (!t->partial_pages)
		return;
	view_cell(v, STYLE_PLAIN, "  partial pages");
	view_cell(v, STYLE_PLAIN, "%.4f", partial_share(r));
	view_cell(v, STYLE_DIM,
		  "more flash a byte written; %s pages written in part, %s of them read before",
		  format_grouped((i128)t->partial_pages, n),
		  format_grouped((i128)t->modified_pages, modified));
}

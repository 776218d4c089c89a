/* SPDX-License-Identifier: MIT */
#include "report/simulation_html.h"

#include <math.h>
#include <stdio.h>

#include "base/times.h"
#include "report/html.h"
#include "report/markup.h"
#include "report/simulation_outcome.h"

#define TEXT_MAX 160

static void add_figures(const struct simulation_report *r, struct str *out)
{
	const struct endurance_answer a = simulation_endurance(r);
	const struct interval *w = r->result ? &r->result->waf : NULL;
	char value[TEXT_MAX] = "", note[TEXT_MAX] = "", low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX];
	double unevenness, extents, bytes;

	if (!w || r->result->measured.host_writes)
		snprintf(value, sizeof(value), "%.4g", w ? w->mean : r->analytic->waf);
	if (w && w->known)
		snprintf(note, sizeof(note), "95 %% interval %.4g to %.4g", w->low, w->high);
	html_tile(out, "Write amplification", *value ? value : "unknown",
		  w ? note : r->analytic->model);
	if (a.basis != ENDURANCE_UNKNOWN) {
		snprintf(note, sizeof(note), "95 %% %s to %s", format_bytes((u128)a.bytes.low, low),
			 format_bytes((u128)a.bytes.high, high));
		html_tile(out, "Host writes until the end (TBW)",
			  format_bytes((u128)a.bytes.mean, value), a.bytes.known ? note : "");
		snprintf(value, sizeof(value), "%.3g", a.dwpd);
		snprintf(note, sizeof(note), "for %g years", r->warranty_years);
		html_tile(out, "Drive writes a day", value, note);
	}
	if (a.basis != ENDURANCE_UNKNOWN && r->daily_bytes > 0) {
		snprintf(value, sizeof(value), "%.4g", a.years.mean);
		snprintf(note, sizeof(note), "at %s a day",
			 format_bytes((u128)r->daily_bytes, low));
		html_tile(out, "Years", value, note);
	}
	if (simulation_unevenness(r, &unevenness)) {
		snprintf(value, sizeof(value), "%.3f", unevenness);
		html_tile(out, "Wear unevenness", value, "most worn block / average");
	}
	if (simulation_extents(r, &extents, &bytes))
		html_tile(out, "Extents", format_grouped((i128)llround(extents), low),
			  "of a map of variable length");
}

static void add_head(const struct simulation_report *r, int64_t generated_at, struct str *out)
{
	const struct simulation_config *c = r->config;
	char capacity[UNIT_TEXT_MAX], workload[WORKLOAD_TEXT_MAX], policy[VICTIM_TEXT_MAX];
	char time[TIME_TEXT], title[TEXT_MAX];

	format_bytes((u128)c->capacity_pages * c->page_bytes, capacity);
	workload_text(&c->workload, workload);
	snprintf(title, sizeof(title), "Simulation of a %s drive", capacity);
	html_head(title, out);
	str_add(out, "<header><h1>");
	markup_add(out, title);
	str_add(out, "</h1>\n<p class=\"sub\">");
	markup_addf(out, "%s writes \u00b7 %s \u00b7 spare %.4g %% \u00b7 generated ", workload,
		    victim_text(&c->device.victim, policy), simulation_spare(c) * 100);
	str_addf(out, "<time>%s</time></p>\n", time_format(generated_at, time));
	if (r->stopped) {
		str_add(out, "<p class=\"v v-warning\">\u25b2 ");
		markup_add(out, r->stopped);
		str_add(out, "</p>\n");
	}
	str_add(out, "<dl class=\"tiles\">\n");
	add_figures(r, out);
	str_add(out, "</dl></header>\n");
}

static void add_causes(const struct simulation_report *r, struct str *out)
{
	static const char *const columns[] = { "Written for", ">Flash bytes a host byte",
					       ">Share" };
	struct simulation_cause causes[CAUSES_MAX];
	size_t n = simulation_causes(r, causes);
	struct html_table t;
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += causes[i].share;
	if (all <= 0)
		return;
	str_add(out, "<section><h2>What the flash was written for</h2>\n");
	html_table_start(&t, out, "causes", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < n; i++) {
		if (causes[i].share <= 0)
			continue;
		html_cell(&t, "%s", causes[i].label);
		html_cell(&t, "%.4f", causes[i].share);
		html_cell(&t, "%.1f %%", causes[i].share / all * 100);
	}
	html_table_end(&t);
	str_add(out, "</section>\n");
}

static void add_map(const struct simulation_report *r, struct str *out)
{
	static const char *const columns[] = { "Unit of the map", ">Entries", ">In the drive",
					       ">In a host driver" };
	struct mapping_memory units[MAPPING_UNITS_MAX];
	size_t n = simulation_mapping(r, units);
	char text[UNIT_TEXT_MAX], bytes[UNIT_TEXT_MAX];
	struct html_table t;
	double extents, map;

	str_add(out, "<section><h2>Memory of the mapping table</h2>\n");
	html_table_start(&t, out, "map", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < n; i++) {
		html_cell(&t, "%s%g KiB", i + 1 == n ? "a block, " : "",
			  (double)units[i].unit_bytes / 1024);
		html_cell(&t, "%s", format_grouped(units[i].entries, text));
		html_cell(&t, "%s", format_bytes(units[i].device_bytes, text));
		html_cell(&t, "%s", format_bytes(units[i].host_bytes, text));
	}
	html_table_end(&t);
	str_add(out, "<p class=\"note\">");
	markup_add(out, "Entries have as many whole bytes as number the places in the flash; in a "
			"host driver 4 or 8. ");
	if (simulation_extents(r, &extents, &map))
		markup_addf(out, "A map of variable length needs %s entries at the end: %s.",
			    format_grouped((i128)llround(extents), text),
			    format_bytes((u128)map, bytes));
	str_add(out, "</p></section>\n");
}

static const char *parameter_text(const struct doc *m, char buf[UNIT_TEXT_MAX])
{
	switch (m->kind) {
	case DOC_INTEGER:
		return format_grouped(m->integer, buf);
	case DOC_REAL:
		snprintf(buf, UNIT_TEXT_MAX, "%.*g", m->digits, m->real);
		return buf;
	case DOC_STRING:
		return m->string;
	case DOC_BOOL:
		return m->boolean ? "yes" : "no";
	default:
		return "none";
	}
}

/* Every member of the model as it was used: the names are those of the JSON answer. */
static void add_parameters(const struct doc *model, struct str *out)
{
	char text[UNIT_TEXT_MAX], name[TEXT_MAX];

	str_add(out, "<section><h2>Every parameter</h2>\n<dl class=\"tiles\">\n");
	for (const struct doc *m = model ? model->first : NULL; m; m = m->next) {
		if (m->kind == DOC_ARRAY || m->kind == DOC_OBJECT)
			continue;
		snprintf(name, sizeof(name), "%s", m->key);
		for (char *c = name; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		html_tile(out, name, parameter_text(m, text), "");
	}
	str_add(out, "</dl></section>\n");
}

void report_simulation_page(const struct simulation_report *r, const struct doc *doc,
			    int64_t generated_at, struct str *out)
{
	add_head(r, generated_at, out);
	if (r->result)
		report_simulation_charts(r, out);
	add_causes(r, out);
	add_map(r, out);
	add_parameters(doc_get(doc, "model"), out);
	str_add(out, "</main></body></html>\n");
}

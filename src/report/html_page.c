/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/fleet_text.h"
#include "report/html.h"
#include "report/markup.h"

/* Up to so many drives are shown unfolded. */
#define OPEN_MAX 8

void html_verdict(enum severity severity, struct str *out)
{
	static const char *const signs[] = {
		[SEVERITY_OK] = "\u2713",
		[SEVERITY_UNKNOWN] = "?",
		[SEVERITY_WARNING] = "\u25b2",
		[SEVERITY_CRITICAL] = "\u2715",
	};

	str_addf(out, "<span class=\"v v-%s\">%s %s</span>", severity_name(severity),
		 signs[severity], severity_label(severity));
}

void html_head(const char *title, struct str *out)
{
	str_addf(out,
		 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<meta name=\"color-scheme\" content=\"light dark\">\n"
		 "<meta name=\"referrer\" content=\"no-referrer\">\n"
		 "<link rel=\"icon\" href=\"data:,\">\n"
		 "<title>",
		 html_style_hash);
	markup_add(out, title);
	str_add(out, "</title>\n<style>");
	str_add(out, html_style);
	str_add(out, "</style></head>\n<body><main>\n");
}

void html_tile(struct str *out, const char *label, const char *value, const char *note)
{
	str_add(out, "<div><dt>");
	markup_add(out, label);
	str_add(out, "</dt><dd>");
	markup_add(out, value);
	if (*note) {
		str_add(out, "<small>");
		markup_add(out, note);
		str_add(out, "</small>");
	}
	str_add(out, "</dd></div>\n");
}

static void add_summary(const struct fleet *f, const char *host, int64_t generated_at,
			struct str *out)
{
	const struct fleet_drive *first = &f->drives[0];
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX], time[TIME_TEXT];

	str_add(out, "<header><h1>SSD lifetime report");
	if (*host)
		markup_addf(out, " of %s", host);
	str_add(out, "</h1>\n<p class=\"sub\">");
	html_verdict(fleet_verdict(f), out);
	markup_addf(out, " \u00b7 %zu drive%s: %s \u00b7 generated ", f->n, f->n == 1 ? "" : "s",
		    fleet_verdicts(f, text));
	str_addf(out, "<time>%s</time></p>", time_format(generated_at, time));
	str_add(out, "\n<dl class=\"tiles\">\n");
	html_tile(out, "Capacity", fleet_capacity(f, text), "");
	snprintf(name, sizeof(name), "%s", fleet_host_writes(f, text));
	html_tile(out, "Host writes", name, "");
	if (f->n && first->ends)
		html_tile(out, "Ends first", report_end(first->r, first->binding, text),
			  report_name(first->r, name));
	else
		html_tile(out, "Ends first", "unknown", f->n ? "no drive has an end date yet" : "");
	snprintf(text, sizeof(text), "%zu of %zu", f->nplan, f->n);
	snprintf(name, sizeof(name), "within %.0f days", f->terms.window_days);
	html_tile(out, "To replace", text, name);
	str_add(out, "</dl></header>\n");
}

static void add_left(struct html_table *t, const struct fleet_drive *d)
{
	const struct wear *w = &d->r->assessment->wear;
	char text[REPORT_TEXT_MAX];

	html_cell_start(t);
	markup_add(t->out, report_left(d->r, text));
	if (w->has_left)
		str_addf(t->out,
			 "<svg class=\"meter\" viewBox=\"0 0 72 5\" aria-hidden=\"true\"><rect "
			 "class=\"full\" width=\"72\" height=\"5\"/><rect class=\"left\" "
			 "width=\"%.1f\" height=\"5\"/></svg>",
			 0.72 * (double)w->left / unit_scale(UNIT_PERCENT));
	html_cell_end(t);
}

/* A value with a remark in small print below it. */
static void add_remarked(struct html_table *t, const char *value, const char *remark)
{
	html_cell_start(t);
	markup_add(t->out, value);
	if (*remark) {
		str_add(t->out, "<small>");
		markup_add(t->out, remark);
		str_add(t->out, "</small>");
	}
	html_cell_end(t);
}

static void add_row(struct html_table *t, const struct fleet_drive *d)
{
	const struct assessment *a = d->r->assessment;
	char text[REPORT_TEXT_MAX], remark[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];

	html_cell_start(t);
	str_addf(t->out, "<a href=\"#d%zu\">", d->number);
	markup_add(t->out, report_name(d->r, name));
	str_add(t->out, "</a><small>");
	markup_add(t->out, report_title(d->r, text));
	if (fleet_is_stale(d))
		markup_addf(t->out, "; %s", report_age(d->r, text));
	str_add(t->out, "</small>");
	html_cell_end(t);
	html_cell_start(t);
	html_verdict(a->verdict, t->out);
	html_cell_end(t);
	add_left(t, d);
	report_interval(d->r, d->binding, remark);
	add_remarked(t, report_end(d->r, d->binding, text), *remark == '-' ? "" : remark);
	html_cell(t, "%s", fleet_waf(d, text));
	if (a->wear.has_unevenness)
		html_cell(t, "%.2f", a->wear.unevenness);
	else
		html_cell(t, "-");
	add_remarked(t, fleet_writes(d, text), fleet_writes_basis(d, remark));
	fleet_findings(d, text);
	add_remarked(t, *text ? text : "no findings", a->forecast.trend);
}

static void add_drives(const struct fleet *f, struct str *out)
{
	static const char *const columns[] = {
		"Drive",
		"Health",
		">Life left",
		"@Ends (90 % interval)",
		">WAF, 30 days / life",
		">Unevenness",
		">Writes a day",
		"Findings, trend",
	};
	struct html_table t;

	str_add(out, "<section><h2>Who ends first</h2>\n");
	html_table_start(&t, out, "fleet", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < f->n; i++)
		add_row(&t, &f->drives[i]);
	html_table_end(&t);
	if (f->ends_unknown) {
		str_add(out, "<p class=\"note\">");
		markup_addf(out,
			    "%zu of %zu drives have no end date; what is missing stands with each "
			    "drive's estimates.",
			    f->ends_unknown, f->n);
		str_add(out, "</p>\n");
	}
	str_add(out, "</section>\n");
}

static void add_orders(const struct fleet *f, struct str *out)
{
	static const char *const columns[] = { "Quarter", "@Order by", ">Drives", "What" };
	char text[REPORT_TEXT_MAX], quarter[QUARTER_TEXT], order[ORDER_TEXT_MAX];
	struct fleet_quarter q;
	struct html_table t;

	str_add(out, "<h3>What to order</h3>\n");
	html_table_start(&t, out, "orders", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; fleet_quarter(f, i, &q); i++) {
		html_cell(&t, "%s", quarter_text(q.drives[0]->replace_by, quarter));
		html_cell(&t, "%s", fleet_date(f, q.order_by, text));
		html_cell(&t, "%zu", q.n);
		html_cell(&t, "%s", fleet_order_text(&q, order));
	}
	html_table_end(&t);
}

static void add_plan(const struct fleet *f, struct str *out)
{
	static const char *const columns[] = { "Drive", "@Replace by", "@Order by", "Array",
					       "Why" };
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];
	struct html_table t;

	str_add(out, "<h3>Which drives, and when</h3>\n");
	html_table_start(&t, out, "plan", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < f->nplan; i++) {
		const struct fleet_drive *d = f->plan[i];
		const char *array = d->r->reading->identity.array;

		html_cell_start(&t);
		str_addf(out, "<a href=\"#d%zu\">", d->number);
		markup_add(out, report_name(d->r, name));
		str_add(out, "</a>");
		html_cell_end(&t);
		html_cell(&t, "%s", fleet_date(f, d->replace_by, text));
		html_cell(&t, "%s", fleet_date(f, d->order_by, text));
		html_cell(&t, "%s", *array ? array : "-");
		html_cell(&t, "%s", fleet_reason(d, text));
	}
	html_table_end(&t);
}

static void add_calendar(const struct fleet *f, struct str *out)
{
	str_add(out, "<section><h2>Replacement calendar</h2>\n");
	html_calendar(f, out);
	if (f->nplan) {
		add_orders(f, out);
		add_plan(f, out);
		str_add(out, "<p class=\"note\">");
		markup_addf(
			out,
			"A drive is due at the early end of its 90 %% interval, or now where it "
			"is worn out or failing; members of one array are spread. Orders are "
			"%.0f days ahead.",
			f->terms.lead_days);
		str_add(out, "</p>\n");
	} else {
		str_add(out, "<p>");
		markup_addf(out, "Nothing to replace within %.0f days.", f->terms.window_days);
		str_add(out, "</p>\n");
	}
	str_add(out, "</section>\n");
}

void report_page(const struct fleet *f, const struct str *charts, const char *host,
		 int64_t generated_at, struct str *out)
{
	char title[REPORT_TEXT_MAX], time[TIME_TEXT];

	snprintf(title, sizeof(title), "SSD lifetime report, %.10s", time_format(f->now, time));
	html_head(title, out);
	add_summary(f, host, generated_at, out);
	if (f->n) {
		add_drives(f, out);
		add_calendar(f, out);
		str_add(out, "<section class=\"each\"><h2>Drive by drive</h2>\n");
		for (size_t i = 0; i < f->n; i++)
			html_drive(&f->drives[i], &charts[f->drives[i].index], f->n <= OPEN_MAX,
				   out);
		str_add(out, "</section>\n");
	}
	str_add(out, "</main></body></html>\n");
}

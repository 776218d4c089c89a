/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/fleet_text.h"
#include "report/html.h"
#include "report/markup.h"

#define EVENTS_MAX 64 /* shown, the latest; the charts mark as many */

static void add_pair(struct str *out, const char *label, const char *value, const char *note)
{
	str_add(out, "<div><dt>");
	markup_add(out, label);
	str_add(out, "</dt><dd>");
	markup_add(out, *value ? value : "unknown");
	if (*note) {
		str_add(out, "<small>");
		markup_add(out, note);
		str_add(out, "</small>");
	}
	str_add(out, "</dd></div>\n");
}

static const char *ratio_text(bool known, double ratio, char buf[32])
{
	*buf = '\0';
	if (known)
		snprintf(buf, 32, "%.2f", ratio);
	return buf;
}

static void add_figures(const struct fleet_drive *d, struct str *out)
{
	const struct assessment *a = d->r->assessment;
	const struct wear *w = &a->wear;
	char text[REPORT_TEXT_MAX], note[REPORT_TEXT_MAX], ratio[32];

	str_add(out, "<dl class=\"tiles\">\n");
	snprintf(note, sizeof(note), "%s%s", d->binding ? "by " : "no method gives it",
		 d->binding ? method_label(d->binding->method) : "");
	add_pair(out, "Life left", w->has_left ? report_left(d->r, text) : "", note);
	report_interval(d->r, d->binding, note);
	add_pair(out, "Ends", d->ends ? report_end(d->r, d->binding, text) : "",
		 d->ends && *note != '-' ? note : "");
	snprintf(note, sizeof(note), "over %.0f days", w->waf_recent_days);
	add_pair(out, "WAF, recent", ratio_text(w->has_waf_recent, w->waf_recent, ratio),
		 w->has_waf_recent ? note : "needs history");
	add_pair(out, "WAF, lifetime", ratio_text(w->has_waf_lifetime, w->waf_lifetime, ratio), "");
	add_pair(out, "Wear unevenness", ratio_text(w->has_unevenness, w->unevenness, ratio),
		 "most worn block / average");
	add_pair(out, "Host writes a day",
		 d->writes_basis == WRITES_UNKNOWN ? "" : fleet_writes(d, text),
		 fleet_writes_basis(d, note));
	str_add(out, "</dl>\n");
	if (*a->forecast.trend) {
		str_add(out, "<p class=\"sub\">Trend: ");
		markup_add(out, a->forecast.trend);
		str_add(out, "</p>\n");
	}
}

static void add_finding(const struct finding *f, struct str *out)
{
	str_add(out, "<li>");
	html_verdict(f->severity, out);
	str_add(out, " ");
	markup_add(out, f->text);
	markup_addf(out, " [%s]", f->id);
	if (f->suppressed)
		markup_addf(out, " \u00b7 accepted: %s", f->suppressed_why);
	str_add(out, "<small>");
	markup_add(out, f->evidence);
	if (*f->advice)
		markup_addf(out, "%s%s", *f->evidence ? " \u00b7 " : "", f->advice);
	str_add(out, "</small></li>\n");
}

static void add_list(const char *title, struct str *out)
{
	str_addf(out, "<h3>%s</h3>\n<ul class=\"findings\">\n", title);
}

static void add_findings(const struct drive_report *r, struct str *out)
{
	const struct assessment *a = r->assessment;

	add_list("Findings", out);
	for (size_t i = 0; i < a->nfindings; i++)
		add_finding(&a->findings[i], out);
	if (!a->nfindings)
		str_add(out, "<li>none</li>\n");
	str_add(out, "</ul>\n");
}

static void add_texts(const struct drive_report *r, struct str *out)
{
	const struct facts *facts = &r->assessment->facts;

	if (facts->nconflicts)
		add_list("Numbers that contradict each other", out);
	for (size_t i = 0; i < facts->nconflicts; i++) {
		str_add(out, "<li>");
		markup_add(out, facts->conflicts[i].text);
		str_add(out, "</li>\n");
	}
	if (facts->nconflicts)
		str_add(out, "</ul>\n");
	if (r->reading->nproblems)
		add_list("What could not be read", out);
	for (size_t i = 0; i < r->reading->nproblems; i++) {
		str_add(out, "<li>");
		markup_add(out, r->reading->problems[i].text);
		str_add(out, "</li>\n");
	}
	if (r->reading->nproblems)
		str_add(out, "</ul>\n");
}

static void add_events(const struct drive_report *r, struct str *out)
{
	const struct series *s = r->series;
	size_t first = s && s->nevents > EVENTS_MAX ? s->nevents - EVENTS_MAX : 0;
	char time[TIME_TEXT];

	if (!s || !s->nevents)
		return;
	str_add(out, "<h3>Events</h3>\n");
	if (first) {
		str_add(out, "<p class=\"note\">");
		markup_addf(out, "the latest %d of %zu", EVENTS_MAX, s->nevents);
		str_add(out, "</p>\n");
	}
	str_add(out, "<ul class=\"events\">\n");
	for (size_t i = first; i < s->nevents; i++) {
		str_addf(out, "<li><b>%zu</b> %.10s %s: ", i + 1,
			 time_format(s->events[i].time, time), event_kind_name(s->events[i].kind));
		markup_add(out, s->events[i].text);
		str_add(out, "</li>\n");
	}
	str_add(out, "</ul>\n");
}

static void add_estimates(const struct drive_report *r, struct str *out)
{
	static const char *const columns[] = { "Method", ">Left", "@Ends", "@90 % interval",
					       "Rests on" };
	const struct estimates *all = &r->assessment->estimates;
	char text[REPORT_TEXT_MAX];
	struct html_table t;

	str_add(out, "<h3>Estimates</h3>\n");
	html_table_start(&t, out, "estimates", columns, ARRAY_SIZE(columns));
	for (int i = 0; i < METHOD_COUNT; i++) {
		const struct estimate *e = &all->by_method[i];

		html_cell(&t, "%s%s", method_label(e->method), all->binding == i ? " (binds)" : "");
		if (e->has_left)
			html_cell(&t, "%.3g %%", e->left_percent);
		else
			html_cell(&t, "-");
		html_cell(&t, "%s", report_end(r, e, text));
		html_cell(&t, "%s", report_interval(r, e, text));
		html_cell(&t, "%s%s%s", e->rests_on, *e->rests_on && *e->reason ? "; " : "",
			  e->reason);
	}
	html_table_end(&t);
	str_add(out, "<p class=\"note\">");
	markup_add(out, all->binding_reason);
	str_add(out, "</p>\n");
}

/* --- every number with its source ----------------------------------------------------------------
 */

static void add_evidence(struct html_table *t, const char *what, const char *value,
			 const char *known, const char *source)
{
	html_cell(t, "%s", what);
	html_cell(t, "%s", value);
	html_cell(t, "%s", known);
	html_cell(t, "%s", source);
}

static void add_fact(struct html_table *t, enum fact_id id, const struct fact *f)
{
	char value[REPORT_TEXT_MAX], known[64];

	report_fact(id, f, value);
	snprintf(known, sizeof(known), "%s, %s%s", quality_name(f->quality),
		 confidence_name(f->confidence),
		 f->confidence >= CONFIDENCE_MEDIUM ? " (unconfirmed)" : "");
	add_evidence(t, fact_label(id), value, known, f->source);
}

static void add_ratio(struct html_table *t, const char *what, bool known, double ratio,
		      const char *how, const char *source)
{
	char text[32];

	if (known)
		add_evidence(t, what, ratio_text(true, ratio, text), how, source);
}

static void add_wear(struct html_table *t, const struct drive_report *r)
{
	const struct wear *w = &r->assessment->wear;
	char text[REPORT_TEXT_MAX];

	if (w->has_used)
		add_evidence(t, "life used", report_used(r, text),
			     confidence_name(w->used_confidence), w->used_source);
	add_ratio(t, "write amplification, lifetime", w->has_waf_lifetime, w->waf_lifetime,
		  *w->waf_note ? w->waf_note : "computed", w->waf_source);
	add_ratio(t, "wear unevenness", w->has_unevenness, w->unevenness, "computed",
		  w->unevenness_source);
}

static void add_rate(struct html_table *t, const char *what, bool known, double per_day,
		     enum unit unit, const char *source)
{
	char text[UNIT_TEXT_MAX], bytes[UNIT_TEXT_MAX];

	if (!known)
		return;
	if (unit == UNIT_BYTES)
		snprintf(text, sizeof(text), "%.32s a day", format_bytes((u128)per_day, bytes));
	else
		snprintf(text, sizeof(text), "%.3g %% a day", per_day);
	add_evidence(t, what, text, "history", source);
}

static void add_forecast(struct html_table *t, const struct forecast *f)
{
	char all[96], recent[96];

	snprintf(all, sizeof(all), "%zu samples over %.0f days", f->nsamples, f->data_days);
	snprintf(recent, sizeof(recent), "its last %.0f days",
		 f->data_days < WAF_RECENT_DAYS ? f->data_days : WAF_RECENT_DAYS);
	add_rate(t, "host writes, recent", f->has_writes_recent, f->writes_per_day_recent,
		 UNIT_BYTES, recent);
	add_rate(t, "host writes, all history", f->has_writes_all, f->writes_per_day_all,
		 UNIT_BYTES, all);
	add_rate(t, "wear, recent", f->has_wear_recent, f->wear_per_day_recent, UNIT_PERCENT,
		 recent);
	add_rate(t, "wear, all history", f->has_wear_all, f->wear_per_day_all, UNIT_PERCENT, all);
	add_ratio(t, "write amplification, recent", f->has_waf_recent, f->waf_recent, "history",
		  recent);
	add_ratio(t, "write amplification, all history", f->has_waf_all, f->waf_all, "history",
		  all);
}

static void add_numbers(const struct drive_report *r, struct str *out)
{
	static const char *const columns[] = { "Number", ">Value", "How known", "Source" };
	const struct facts *facts = &r->assessment->facts;
	struct html_table t;
	size_t missing = 0;

	str_add(out, "<h3>Every number and its source</h3>\n");
	html_table_start(&t, out, "evidence", columns, ARRAY_SIZE(columns));
	add_wear(&t, r);
	add_forecast(&t, &r->assessment->forecast);
	for (int i = 0; i < FACT_COUNT; i++)
		for (size_t k = 0; k < facts->sets[i].n; k++)
			add_fact(&t, (enum fact_id)i, &facts->sets[i].candidates[k]);
	html_table_end(&t);
	str_add(out, "<p class=\"note\">");
	for (int i = 0; i < FACT_COUNT; i++)
		if (!facts->sets[i].n)
			markup_addf(out, "%s%s", missing++ ? ", " : "Not reported: ",
				    fact_label((enum fact_id)i));
	str_add(out, missing ? ".</p>\n" : "</p>\n");
}

static void add_identity(const struct drive_report *r, struct str *out)
{
	const struct identity *id = &r->reading->identity;
	const char *const rows[][2] = {
		{ "firmware ", id->firmware }, { r->is_gone ? "last at " : "at ", id->path },
		{ "", id->location },	       { "array ", id->array },
		{ "WWN ", id->wwn },
	};
	char text[REPORT_TEXT_MAX], time[TIME_TEXT];

	str_add(out, "<p class=\"sub\">");
	markup_add(out, report_title(r, text));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (*rows[i][1])
			markup_addf(out, " \u00b7 %s%s", rows[i][0], rows[i][1]);
	if (r->from_history)
		markup_addf(out, " \u00b7 %s", report_age(r, text));
	else if (r->reading->time != TIME_UNKNOWN)
		str_addf(out, " \u00b7 <span class=\"day\">read %s</span>",
			 time_format(r->reading->time, time));
	str_add(out, "</p>\n");
}

void html_drive(const struct fleet_drive *d, const struct str *charts, bool open, struct str *out)
{
	const struct drive_report *r = d->r;
	char name[REPORT_NAME_MAX], text[REPORT_TEXT_MAX];

	str_addf(out, "<details class=\"drive\"%s><summary>", open ? " open" : "");
	markup_add(out, report_name(r, name));
	str_add(out, " ");
	html_verdict(r->assessment->verdict, out);
	str_add(out, " <small>");
	markup_add(out, *r->reading->identity.model ? r->reading->identity.model : "unknown model");
	if (d->ends)
		markup_addf(out, " \u00b7 %s", report_ends(r, d->binding, text));
	str_addf(out, "</small></summary>\n<div class=\"body\" id=\"d%zu\">\n", d->number);
	add_identity(r, out);
	if (r->assessment->verdict != SEVERITY_OK) {
		str_add(out, "<p>");
		markup_add(out, r->assessment->reason);
		str_add(out, "</p>\n");
	}
	if (r->reading->state == DRIVE_READ) {
		add_figures(d, out);
		str_add_bytes(out, str_text(charts), charts->len);
		str_take_error(out, charts);
	}
	add_events(r, out);
	add_findings(r, out);
	add_texts(r, out);
	if (r->reading->state == DRIVE_READ) {
		add_estimates(r, out);
		add_numbers(r, out);
	}
	str_add(out, "</div></details>\n");
}

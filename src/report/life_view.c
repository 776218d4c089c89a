/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "report/answers.h"
#include "report/text.h"

static const struct view_column quantities[] = {
	{ NULL, 0 },
	{ NULL, 0 },
	{ NULL, COLUMN_WRAP },
};

static const struct view_column methods[] = {
	{ "", 0 },     { "METHOD", 0 },	       { "LEFT", COLUMN_RIGHT },
	{ "ENDS", 0 }, { "90 % INTERVAL", 0 }, { "RESTS ON", COLUMN_WRAP },
};

static void add_fact(struct view *v, const struct drive_report *r, enum fact_id id)
{
	const struct fact *f = facts_get(&r->assessment->facts, id);
	char text[REPORT_TEXT_MAX];

	view_cell(v, STYLE_PLAIN, "%s", fact_label(id));
	view_cell(v, f ? STYLE_PLAIN : STYLE_DIM, "%s", report_fact(id, f, text));
	view_cell(v, STYLE_DIM, "%s", f ? report_source(f->source, text) : "");
}

static void add_ratio(struct view *v, const char *label, bool has, double ratio, const char *source)
{
	view_cell(v, STYLE_PLAIN, "%s", label);
	if (has)
		view_cell(v, STYLE_PLAIN, "%.2f", ratio);
	else
		view_cell(v, STYLE_DIM, "unknown");
	view_cell(v, STYLE_DIM, "%s", source);
}

static const char *unevenness_text(const struct drive_report *r, char buf[REPORT_TEXT_MAX])
{
	const struct facts *facts = &r->assessment->facts;
	char most[UNIT_TEXT_MAX], average[UNIT_TEXT_MAX];
	i128 max, avg;

	if (!r->assessment->wear.has_unevenness)
		return "needs maximum and average erase counts";
	if (!facts_number(facts, FACT_ERASE_COUNT_MAX, &max) ||
	    !facts_number(facts, FACT_ERASE_COUNT_AVG, &avg))
		return r->assessment->wear.unevenness_source;
	snprintf(buf, REPORT_TEXT_MAX, "most worn block %s cycles, average %s",
		 format_grouped(max, most), format_grouped(avg, average));
	return buf;
}

/* "over the last 30 days; 110 GB over 214 days of history" */
static void add_pace(struct view *v, const struct drive_report *r, const char *label,
		     bool has_recent, const char *recent, bool has_all, const char *all)
{
	const struct forecast *f = &r->assessment->forecast;
	double covered = f->data_days < WAF_RECENT_DAYS ? f->data_days : WAF_RECENT_DAYS;
	char days[UNIT_TEXT_MAX], lately[UNIT_TEXT_MAX];

	format_days(f->data_days, days);
	format_days(covered, lately);
	if (!has_recent && !has_all)
		return;
	view_cell(v, STYLE_PLAIN, "%s", label);
	view_cell(v, STYLE_PLAIN, "%s", has_recent ? recent : all);
	if (has_recent && has_all && f->data_days > WAF_RECENT_DAYS)
		view_cell(v, STYLE_DIM, "over the last %s; %s over all %s of history", lately, all,
			  days);
	else
		view_cell(v, STYLE_DIM, "over %s of history", has_recent ? lately : days);
}

static const char *percent_a_day(double percent, char buf[REPORT_TEXT_MAX])
{
	snprintf(buf, REPORT_TEXT_MAX, "%.3g %%", percent);
	return buf;
}

/* What the drive does today, and how it changes. */
static void add_history(struct view *v, const struct drive_report *r)
{
	const struct forecast *f = &r->assessment->forecast;
	char a[REPORT_TEXT_MAX], b[REPORT_TEXT_MAX], first[TIME_TEXT];
	char recent[UNIT_TEXT_MAX], all[UNIT_TEXT_MAX];

	add_pace(v, r, "host writes a day", f->has_writes_recent,
		 format_bytes((u128)f->writes_per_day_recent, recent), f->has_writes_all,
		 format_bytes((u128)f->writes_per_day_all, all));
	add_pace(v, r, "life used a day", f->has_wear_recent,
		 percent_a_day(f->wear_per_day_recent, a), f->has_wear_all,
		 percent_a_day(f->wear_per_day_all, b));
	view_cell(v, STYLE_PLAIN, "history");
	view_cell(v, STYLE_PLAIN, "%s", format_days(f->data_days, all));
	time_format(r->history.first, first);
	first[sizeof("2026-05-01") - 1] = '\0';
	snprintf(a, sizeof(a), "; %zu left out for wrong times", r->history.naside);
	view_cell(v, STYLE_DIM, "%zu sample%s since %s%s%s%s", r->history.nsamples,
		  r->history.nsamples == 1 ? "" : "s", first, r->history.naside ? a : "",
		  *f->trend ? "; " : "", f->trend);
}

static void add_waf(struct view *v, const struct drive_report *r)
{
	const struct wear *w = &r->assessment->wear;
	const char *missing = r->assessment->forecast.waf_reason;
	char source[REPORT_TEXT_MAX], days[UNIT_TEXT_MAX], lately[REPORT_TEXT_MAX] = "";

	if (w->has_waf_recent)
		snprintf(lately, sizeof(lately), "%.2f over the last %s", w->waf_recent,
			 format_days(w->waf_recent_days, days));
	else if (*missing)
		snprintf(lately, sizeof(lately), "of late unknown: %s", missing);
	if (!w->has_waf_lifetime)
		snprintf(source, sizeof(source), "needs host and NAND bytes written");
	else
		snprintf(source, sizeof(source), "over the whole life%s%s%s%.120s",
			 *w->waf_note ? "; " : "", w->waf_note, *lately ? "; " : "", lately);
	add_ratio(v, "write amplification", w->has_waf_lifetime, w->waf_lifetime, source);
}

static void add_quantities(struct view *v, const struct drive_report *r)
{
	const struct wear *w = &r->assessment->wear;
	char text[REPORT_TEXT_MAX], source[REPORT_TEXT_MAX];

	view_table(v, quantities, ARRAY_SIZE(quantities), 2);
	view_cell(v, STYLE_PLAIN, "life used");
	view_cell(v, w->has_used ? STYLE_PLAIN : STYLE_DIM, "%s", report_used(r, text));
	view_cell(v, STYLE_DIM, "%s", w->has_used ? report_source(w->used_source, text) : "");
	add_fact(v, r, FACT_HOST_BYTES_WRITTEN);
	add_fact(v, r, FACT_NAND_BYTES_WRITTEN);
	add_waf(v, r);
	add_ratio(v, "wear unevenness", w->has_unevenness, w->unevenness,
		  unevenness_text(r, source));
	add_fact(v, r, FACT_POWER_ON_HOURS);
	if (r->history.nsamples)
		add_history(v, r);
}

static bool shows_interval(const struct estimate *e)
{
	return e->has_days && e->has_interval && e->days_left > 0;
}

/* Is there an interval that knows the counters' steps alone? */
static bool any_plain_interval(const struct estimates *e)
{
	for (size_t i = 0; i < METHOD_COUNT; i++)
		if (shows_interval(&e->by_method[i]) && !e->by_method[i].by_history)
			return true;
	return false;
}

static bool any_forecast(const struct estimates *e)
{
	for (size_t i = 0; i < METHOD_COUNT; i++)
		if (shows_interval(&e->by_method[i]) && e->by_method[i].by_history)
			return true;
	return false;
}

static void add_estimate(struct view *v, const struct drive_report *r, const struct estimate *e)
{
	bool binds = report_binding(r) == e;
	enum view_style style = e->has_left ? STYLE_PLAIN : STYLE_DIM;
	char text[REPORT_TEXT_MAX];

	view_cell(v, style, "%s", binds ? "*" : "");
	view_cell(v, style, "%s", method_label(e->method));
	if (e->has_left)
		view_cell(v, style, "%.3g %%", e->left_percent);
	else
		view_cell(v, style, "-");
	view_cell(v, style, "%s", report_end(r, e, text));
	view_cell(v, style, "%s", report_interval(r, e, text));
	view_cell(v, style, "%s%s%s", e->rests_on, *e->rests_on && *e->reason ? "; " : "",
		  e->reason);
}

static void add_drive(struct view *v, const struct drive_report *r, bool verbose)
{
	const struct estimates *e = &r->assessment->estimates;
	const struct facts *facts = &r->assessment->facts;
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];

	view_line(v, STYLE_HEADING, 0, "%s   %s", report_name(r, name), report_title(r, text));
	if (r->from_history)
		view_line(v, STYLE_UNKNOWN, 2, "%s: not read now", report_age(r, text));
	if (r->reading->state != DRIVE_READ) {
		view_line(v, STYLE_UNKNOWN, 2, "%s", r->assessment->reason);
		return;
	}
	add_quantities(v, r);
	view_gap(v);
	view_table(v, methods, ARRAY_SIZE(methods), 2);
	for (int i = 0; i < METHOD_COUNT; i++)
		if (verbose || e->by_method[i].has_left || i == METHOD_PERCENTAGE_USED)
			add_estimate(v, r, &e->by_method[i]);
	view_line(v, STYLE_DIM, 2, "%s%s", e->binding >= 0 ? "* " : "", e->binding_reason);
	if (any_forecast(e))
		view_line(v, STYLE_DIM, 2,
			  "intervals by history show how the use varied and the counters' steps");
	if (any_plain_interval(e))
		view_line(v, STYLE_DIM, 2,
			  "%s the counters' steps alone, not how the use may change",
			  any_forecast(e) ? "the others show" : "the interval shows");
	for (size_t i = 0; i < facts->nconflicts; i++)
		view_line(v, STYLE_WARNING, 2, "conflict: %s", facts->conflicts[i].text);
}

void report_life_view(const struct drive_report *drives, size_t n, bool verbose, struct view *v)
{
	if (!n)
		view_line(v, STYLE_PLAIN, 0, "no SSD found");
	for (size_t i = 0; i < n; i++) {
		if (i)
			view_gap(v);
		add_drive(v, &drives[i], verbose);
	}
}

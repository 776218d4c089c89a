/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/fleet_text.h"

/* Two tables, so that each fits a terminal of 100 columns, and a line of a mail. */
static const struct view_column drive_columns[] = {
	{ "DRIVE", 0 }, { "MODEL", 0 },		{ "LEFT", COLUMN_RIGHT },
	{ "ENDS", 0 },	{ "90 % INTERVAL", 0 }, { "HEALTH", 0 },
};

static const struct view_column use_columns[] = {
	{ "DRIVE", 0 },
	{ "WRITES/DAY", COLUMN_RIGHT },
	{ "WAF 30 D / LIFE", COLUMN_RIGHT },
	{ "UNEVEN", COLUMN_RIGHT },
	{ "TREND, AGE", COLUMN_WRAP },
};

static const struct view_column plan_columns[] = {
	{ "REPLACE BY", 0 }, { "ORDER BY", 0 },	     { "DRIVE", 0 },
	{ "ARRAY", 0 },	     { "WHY", COLUMN_WRAP },
};

static const struct view_column order_columns[] = {
	{ "QUARTER", 0 },
	{ "ORDER BY", 0 },
	{ "DRIVES", COLUMN_RIGHT },
	{ "WHAT", COLUMN_WRAP },
};

static const struct view_column finding_columns[] = {
	{ NULL, 0 },
	{ NULL, 0 },
	{ NULL, COLUMN_WRAP },
};

/* The trend of what is written, and how old all this is. */
static const char *fleet_notes(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX])
{
	const char *trend = d->r->assessment->forecast.trend;
	char age[REPORT_TEXT_MAX] = "";

	if (fleet_is_stale(d))
		report_age(d->r, age);
	snprintf(buf, REPORT_TEXT_MAX, "%s%s%s", trend, *age && *trend ? "; " : "", age);
	return buf;
}

static void add_end(struct view *v, const struct fleet_drive *d)
{
	const struct assessment *a = d->r->assessment;
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];
	const char *model = d->r->reading->identity.model;

	view_cell(v, STYLE_PLAIN, "%s", report_name(d->r, name));
	view_cell(v, STYLE_PLAIN, "%s", *model ? model : "-");
	view_cell(v, STYLE_PLAIN, "%s", report_left(d->r, text));
	view_cell(v, STYLE_PLAIN, "%s", report_end(d->r, d->binding, text));
	view_cell(v, STYLE_PLAIN, "%s", report_interval(d->r, d->binding, text));
	view_cell(v, severity_style(a->verdict), "%s", severity_label(a->verdict));
}

static void add_use(struct view *v, const struct fleet_drive *d)
{
	const struct wear *w = &d->r->assessment->wear;
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];

	view_cell(v, STYLE_PLAIN, "%s", report_name(d->r, name));
	view_cell(v, STYLE_PLAIN, "%s%s", fleet_writes(d, text),
		  d->writes_basis == WRITES_LIFETIME ? " *" : "");
	view_cell(v, STYLE_PLAIN, "%s", fleet_waf(d, text));
	if (w->has_unevenness)
		view_cell(v, STYLE_PLAIN, "%.2f", w->unevenness);
	else
		view_cell(v, STYLE_PLAIN, "-");
	view_cell(v, STYLE_PLAIN, "%s", fleet_notes(d, text));
}

/* What is wrong with each drive, in words; remarks and what was accepted are left to health. */
static void add_findings(struct view *v, const struct fleet *f)
{
	bool any = false;

	for (size_t i = 0; i < f->n; i++) {
		const struct assessment *a = f->drives[i].r->assessment;
		char name[REPORT_NAME_MAX];

		for (size_t k = 0; k < a->nfindings; k++) {
			const struct finding *found = &a->findings[k];

			if (found->suppressed || found->severity == SEVERITY_OK)
				continue;
			if (!any) {
				view_gap(v);
				view_line(v, STYLE_HEADING, 0, "Findings");
				view_table(v, finding_columns, ARRAY_SIZE(finding_columns), 0);
				any = true;
			}
			view_cell(v, STYLE_PLAIN, "%s", report_name(f->drives[i].r, name));
			view_cell(v, severity_style(found->severity), "%s",
				  severity_label(found->severity));
			view_cell(v, STYLE_PLAIN, "%s%s%s [%s]", found->text,
				  *found->advice ? "; " : "", found->advice, found->id);
		}
	}
}

static bool any_lifetime(const struct fleet *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->drives[i].writes_basis == WRITES_LIFETIME)
			return true;
	return false;
}

static void add_totals(struct view *v, const struct fleet *f)
{
	char text[REPORT_TEXT_MAX];

	view_line(v, STYLE_PLAIN, 0, "capacity     %s", fleet_capacity(f, text));
	view_line(v, STYLE_PLAIN, 0, "host writes  %s", fleet_host_writes(f, text));
	if (f->ends_unknown)
		view_line(v, STYLE_PLAIN, 0,
			  "no end date  %zu of %zu drives: nandlife life says what is missing",
			  f->ends_unknown, f->n);
}

static void add_plan(struct view *v, const struct fleet *f)
{
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX], quarter[QUARTER_TEXT];
	char order[ORDER_TEXT_MAX];
	struct fleet_quarter q;

	view_gap(v);
	if (!f->nplan) {
		view_line(v, STYLE_HEADING, 0, "Nothing to replace within %.0f days",
			  f->terms.window_days);
		return;
	}
	view_line(v, STYLE_HEADING, 0, "To replace within %.0f days: %zu of %zu drives",
		  f->terms.window_days, f->nplan, f->n);
	view_table(v, plan_columns, ARRAY_SIZE(plan_columns), 0);
	for (size_t i = 0; i < f->nplan; i++) {
		const struct fleet_drive *d = f->plan[i];
		const char *array = d->r->reading->identity.array;

		view_cell(v, STYLE_PLAIN, "%s", fleet_date(f, d->replace_by, text));
		view_cell(v, STYLE_PLAIN, "%s", fleet_date(f, d->order_by, text));
		view_cell(v, STYLE_PLAIN, "%s", report_name(d->r, name));
		view_cell(v, STYLE_PLAIN, "%s", *array ? array : "-");
		view_cell(v, STYLE_PLAIN, "%s", fleet_reason(d, text));
	}
	view_gap(v);
	view_line(v, STYLE_HEADING, 0, "What to order, %.0f days ahead", f->terms.lead_days);
	view_table(v, order_columns, ARRAY_SIZE(order_columns), 0);
	for (size_t i = 0; fleet_quarter(f, i, &q); i++) {
		view_cell(v, STYLE_PLAIN, "%s", quarter_text(q.drives[0]->replace_by, quarter));
		view_cell(v, STYLE_PLAIN, "%s", fleet_date(f, q.order_by, text));
		view_cell(v, STYLE_PLAIN, "%zu", q.n);
		view_cell(v, STYLE_PLAIN, "%s", fleet_order_text(&q, order));
	}
}

void report_fleet_view(const struct fleet *f, struct view *v)
{
	char text[REPORT_TEXT_MAX], time[TIME_TEXT];

	if (!f->n) {
		view_line(v, STYLE_UNKNOWN, 0, "no SSD found");
		return;
	}
	view_line(v, STYLE_HEADING, 0, "SSD lifetime report, %.10s: %zu drive%s, %s",
		  time_format(f->now, time), f->n, f->n == 1 ? "" : "s", fleet_verdicts(f, text));
	view_gap(v);
	view_table(v, drive_columns, ARRAY_SIZE(drive_columns), 0);
	for (size_t i = 0; i < f->n; i++)
		add_end(v, &f->drives[i]);
	view_gap(v);
	view_table(v, use_columns, ARRAY_SIZE(use_columns), 0);
	for (size_t i = 0; i < f->n; i++)
		add_use(v, &f->drives[i]);
	if (any_lifetime(f))
		view_line(v, STYLE_DIM, 0,
			  "* over its whole life, a day powered on: no history says more");
	view_gap(v);
	add_totals(v, f);
	add_findings(v, f);
	add_plan(v, f);
}

/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "report/project.h"
#include "report/text.h"

#define DAYS_PER_YEAR 365.25

static const struct view_column parameters[] = {
	{ "PARAMETER", 0 },
	{ "FIT", COLUMN_RIGHT },
	{ "90 % INTERVAL", 0 },
	{ "RESTS ON", COLUMN_WRAP },
};

static const struct view_column answers[] = {
	{ "", 0 },     { "WRITE AMPLIFICATION", 0 }, { "YEARS LEFT", 0 },
	{ "ENDS", 0 }, { "RESTS ON", COLUMN_WRAP },
};

static void add_measured(struct view *v, const struct project_report *r)
{
	const struct fit_window *w = &r->fit->late;
	char host[UNIT_TEXT_MAX], days[UNIT_TEXT_MAX] = "";

	if (w->days > 0)
		format_days(w->days, days);
	view_line(v, STYLE_PLAIN, 2, "write amplification %.2f over %s, %s of host writes; by %s",
		  r->fit->waf, w->days > 0 ? days : "the whole life",
		  format_bytes((u128)w->host, host), fit_evidence_text(r->reading->evidence));
	if (r->fit->waf < 1)
		view_line(v, STYLE_DIM, 2,
			  "below 1: the controller compresses, or a counter is in another unit");
	if (r->fit->strained)
		view_line(v, STYLE_WARNING, 2,
			  "no drive of the model fits this record well: take the answer with care");
}

static void add_parameter(struct view *v, const struct project_report *r, enum fit_parameter p)
{
	const struct fit_value *x = &r->fit->values[p];
	const char *unit = fit_parameter_is_share(p) ? " %" : "";
	double scale = fit_parameter_is_share(p) ? 100 : 1;
	enum view_style style = x->told ? STYLE_PLAIN : STYLE_DIM;

	view_cell(v, style, "%s", fit_parameter_label(p));
	if (x->told)
		view_cell(v, style, "%.3g%s", x->median * scale, unit);
	else
		view_cell(v, style, "-");
	view_cell(v, style, "%.3g to %.3g%s", x->low * scale, x->high * scale, unit);
	view_cell(v, STYLE_DIM, "%s", report_parameter_source(r, p));
}

static void add_pairs(struct view *v, const struct fit *f)
{
	for (unsigned i = 0; i < f->npairs; i++)
		view_line(v, STYLE_DIM, 2, "cannot be told apart: %s and %s (correlation %.2f)",
			  fit_parameter_label(f->pairs[i].a), fit_parameter_label(f->pairs[i].b),
			  f->pairs[i].correlation);
}

static void add_wear(struct view *v, const struct fit_wear *w)
{
	if (w->has_growth && w->growth > 2 * w->growth_error)
		view_line(v, STYLE_PLAIN, 2,
			  "wear levelling: the most worn block is %.0f cycles ahead of the average "
			  "and gains %.2g more for each average one",
			  w->ahead, w->growth);
	else if (w->has_growth)
		view_line(v, STYLE_PLAIN, 2,
			  "wear levelling: the most worn block is held %.0f cycles ahead of the "
			  "average",
			  w->ahead);
	else if (w->has_unevenness)
		view_line(
			v, STYLE_PLAIN, 2,
			"wear levelling: the most worn block is %.0f cycles ahead of the average; "
			"whether it gains takes a history",
			w->ahead);
	else
		view_line(v, STYLE_DIM, 2,
			  "wear levelling: not told; it needs maximum and average erase counts");
}

static void years(struct view *v, const struct what_if_value *days, bool has_interval)
{
	double y = days->median / DAYS_PER_YEAR;

	if (!has_interval)
		view_cell(v, STYLE_PLAIN, "%.3g", y);
	else if (isinf(days->high))
		view_cell(v, STYLE_PLAIN, "%.3g (from %.3g)", y, days->low / DAYS_PER_YEAR);
	else
		view_cell(v, STYLE_PLAIN, "%.3g (%.3g to %.3g)", y, days->low / DAYS_PER_YEAR,
			  days->high / DAYS_PER_YEAR);
}

static void add_today(struct view *v, const struct project_report *r)
{
	char text[REPORT_TEXT_MAX];
	struct what_if_value days;

	view_cell(v, STYLE_PLAIN, "today");
	view_cell(v, STYLE_PLAIN, "%.2f", r->fit->waf);
	if (!r->now) {
		view_cell(v, STYLE_DIM, "-");
		view_cell(v, STYLE_DIM, "-");
		view_cell(v, STYLE_DIM, "%s", r->drive->assessment->estimates.binding_reason);
		return;
	}
	days = (struct what_if_value){ r->now->days_left, r->now->days_low, r->now->days_high };
	years(v, &days, r->now->has_interval);
	view_cell(v, STYLE_PLAIN, "%s", report_end(r->drive, r->now, text));
	view_cell(v, STYLE_DIM, "%s: %s", method_label(r->now->method), r->now->rests_on);
}

static void add_then(struct view *v, const struct project_answer *a, const struct project_report *r)
{
	const double capacity = a->what_if->has_instead ? a->what_if->instead_capacity
							: r->reading->record.capacity;
	struct estimate then = r->now ? *r->now : (struct estimate){ .has_days = true };
	char text[REPORT_TEXT_MAX], conditions[PROJECT_TEXT_MAX], size[UNIT_TEXT_MAX];

	view_cell(v, STYLE_PLAIN, "then");
	view_cell(v, STYLE_PLAIN, "%.2f (%.2f to %.2f)", r->answer.waf.median, r->answer.waf.low,
		  r->answer.waf.high);
	if (r->has_days) {
		years(v, &r->days, true);
		then.days_left = r->days.median;
		view_cell(v, STYLE_PLAIN, "%s", report_end(r->drive, &then, text));
	} else {
		view_cell(v, STYLE_DIM, "-");
		view_cell(v, STYLE_DIM, "-");
	}
	report_conditions(a, conditions);
	if (a->what_if->has_overprovisioning && capacity > 0)
		view_cell(v, STYLE_DIM, "%s: keep partitions within %s", conditions,
			  format_bytes((u128)(r->answer.capacity.median * capacity), size));
	else
		view_cell(v, STYLE_DIM, "%s", conditions);
}

static void add_drive(struct view *v, const struct project_answer *a,
		      const struct project_report *r)
{
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];

	view_line(v, STYLE_HEADING, 0, "%s   %s", report_name(r->drive, name),
		  report_title(r->drive, text));
	if (r->drive->reading->state != DRIVE_READ) {
		view_line(v, STYLE_UNKNOWN, 2, "%s", r->drive->assessment->reason);
		return;
	}
	if (!r->fit) {
		view_line(v, STYLE_UNKNOWN, 2, "nothing to fit: %s", r->reading->missing);
		return;
	}
	add_measured(v, r);
	view_gap(v);
	view_table(v, parameters, ARRAY_SIZE(parameters), 2);
	for (int p = 0; p < FIT_PARAMETER_COUNT; p++)
		add_parameter(v, r, (enum fit_parameter)p);
	add_pairs(v, r->fit);
	add_wear(v, &r->reading->wear);
	view_gap(v);
	view_table(v, answers, ARRAY_SIZE(answers), 2);
	add_today(v, r);
	if (r->answers)
		add_then(v, a, r);
	if (r->answers)
		view_line(v, STYLE_DIM, 2,
			  "intervals of 90 %%: what the record allows, and how far the model errs");
}

void report_project_view(const struct project_answer *a, struct view *v)
{
	if (!a->n)
		view_line(v, STYLE_PLAIN, 0, "no SSD found");
	for (size_t i = 0; i < a->n; i++) {
		if (i)
			view_gap(v);
		add_drive(v, a, &a->drives[i]);
	}
}

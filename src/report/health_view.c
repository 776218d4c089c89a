/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "report/answers.h"
#include "report/text.h"

static const struct view_column columns[] = {
	{ NULL, 0 },
	{ NULL, 0 },
	{ NULL, COLUMN_WRAP },
};

/* Remarks and suppressed findings are for --verbose; what counts is always shown. */
static bool is_shown(const struct finding *f, bool verbose)
{
	return verbose || (!f->suppressed && f->severity != SEVERITY_OK);
}

/* The reason beside the verdict often is a finding's text: then its advice is all that is new. */
static void add_text(struct view *v, const struct finding *f, bool told)
{
	enum view_style style = severity_style(f->severity);

	if (f->suppressed)
		view_cell(v, STYLE_DIM, "%s [%s]; accepted: %s", f->text, f->id, f->suppressed_why);
	else if (told)
		view_cell(v, style, "%s%s[%s]", f->advice, *f->advice ? " " : "", f->id);
	else
		view_cell(v, style, "%s%s%s [%s]", f->text, *f->advice ? "; " : "", f->advice,
			  f->id);
}

static void add_finding(struct view *v, const struct finding *f, const char *reason, bool verbose)
{
	view_cell(v, STYLE_PLAIN, "%s", "");
	view_cell(v, STYLE_PLAIN, "%s", "");
	add_text(v, f, strcmp(f->text, reason) == 0);
	if (!verbose || !*f->evidence || strcmp(f->evidence, f->text) == 0)
		return;
	view_cell(v, STYLE_PLAIN, "%s", "");
	view_cell(v, STYLE_PLAIN, "%s", "");
	view_cell(v, STYLE_DIM, "  %s", f->evidence);
}

static void add_drive(struct view *v, const struct drive_report *r, bool verbose)
{
	const struct assessment *a = r->assessment;
	char name[REPORT_NAME_MAX], age[REPORT_TEXT_MAX];

	view_cell(v, STYLE_PLAIN, "%s", report_name(r, name));
	view_cell(v, severity_style(a->verdict), "%s", severity_label(a->verdict));
	if (r->from_history)
		view_cell(v, STYLE_PLAIN, "%s (%s)", a->reason, report_age(r, age));
	else
		view_cell(v, STYLE_PLAIN, "%s", a->reason);
	for (size_t i = 0; i < a->nfindings; i++)
		if (is_shown(&a->findings[i], verbose))
			add_finding(v, &a->findings[i], a->reason, verbose);
}

static void add_summary(struct view *v, const struct drive_report *drives, size_t n)
{
	static const enum severity order[] = { SEVERITY_CRITICAL, SEVERITY_WARNING,
					       SEVERITY_UNKNOWN, SEVERITY_OK };
	char text[REPORT_TEXT_MAX] = "";
	size_t at = 0;

	for (size_t k = 0; k < ARRAY_SIZE(order); k++) {
		size_t count = 0;

		for (size_t i = 0; i < n; i++)
			count += drives[i].assessment->verdict == order[k];
		if (count)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%zu %s",
					       at ? ", " : "", count, severity_label(order[k]));
	}
	view_line(v, STYLE_DIM, 0, "%zu drives: %s", n, text);
}

void report_health_view(const struct drive_report *drives, size_t n, int verbosity, struct view *v)
{
	if (!n) {
		view_line(v, STYLE_UNKNOWN, 0, "UNKNOWN   no SSD found");
		return;
	}
	view_table(v, columns, ARRAY_SIZE(columns), 0);
	for (size_t i = 0; i < n; i++)
		if (verbosity >= 0 || drives[i].assessment->verdict != SEVERITY_OK)
			add_drive(v, &drives[i], verbosity > 0);
	if (n > 1)
		add_summary(v, drives, n);
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/answers.h"
#include "report/text.h"

static const struct view_column columns[] = {
	{ "DRIVE", 0 }, { "MODEL", 0 },	 { "SIZE", COLUMN_RIGHT }, { "LEFT", COLUMN_RIGHT },
	{ "ENDS", 0 },	{ "HEALTH", 0 }, { "TEMP", COLUMN_RIGHT }, { "WHY", COLUMN_WRAP },
};

static void add_row(struct view *v, const struct drive_report *r)
{
	const struct identity *id = &r->reading->identity;
	const struct assessment *a = r->assessment;
	char name[REPORT_NAME_MAX], text[REPORT_TEXT_MAX], number[UNIT_TEXT_MAX];
	const char *reason;
	i128 celsius;

	view_cell(v, STYLE_PLAIN, "%s", report_name(r, name));
	view_cell(v, STYLE_PLAIN, "%s", *id->model ? id->model : "-");
	view_cell(v, STYLE_PLAIN, "%s",
		  id->has_capacity ? format_bytes(id->capacity_bytes, number) : "-");
	view_cell(v, STYLE_PLAIN, "%s", report_left(r, text));
	view_cell(v, STYLE_PLAIN, "%s", report_end(r, report_binding(r), text));
	view_cell(v, severity_style(a->verdict), "%s", severity_label(a->verdict));
	if (facts_number(&a->facts, FACT_TEMPERATURE, &celsius))
		view_cell(v, STYLE_PLAIN, "%s", format_quantity(celsius, UNIT_CELSIUS, number));
	else
		view_cell(v, STYLE_PLAIN, "-");
	reason = a->verdict == SEVERITY_OK ? "" : a->reason;
	if (r->from_history)
		view_cell(v, STYLE_PLAIN, "%s%s%s", report_age(r, text), *reason ? "; " : "",
			  reason);
	else
		view_cell(v, STYLE_PLAIN, "%s", reason);
}

void report_list_view(const struct drive_report *drives, size_t n, struct view *v)
{
	if (!n) {
		view_line(v, STYLE_PLAIN, 0, "no SSD found");
		return;
	}
	view_table(v, columns, ARRAY_SIZE(columns), 0);
	for (size_t i = 0; i < n; i++)
		add_row(v, &drives[i]);
}

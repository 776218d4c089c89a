/* SPDX-License-Identifier: MIT */
#include "report/answers.h"
#include "report/text.h"

/* Flat tables for CSV: the columns are keys, a missing value an empty cell. */

static void add_identity(struct doc *row, const struct drive_report *r)
{
	const struct identity *id = &r->reading->identity;

	doc_string(row, "path", id->path);
	doc_string(row, "by_id", id->by_id);
	doc_string(row, "model", id->model);
	doc_string(row, "serial", id->serial);
	doc_string(row, "firmware", id->firmware);
	doc_integer_if(row, "capacity_bytes", id->has_capacity, id->capacity_bytes, UNIT_BYTES);
}

static void add_left(struct doc *row, const struct wear *w)
{
	doc_integer_if(row, "life_left_percent", w->has_left, w->left, UNIT_PERCENT);
}

static void add_end(struct doc *row, const struct drive_report *r, const struct estimate *e)
{
	char time[TIME_TEXT];

	doc_string(row, "end_date",
		   e && e->has_days ? time_format(report_end_time(r, e), time) : NULL);
}

struct doc *report_list_rows(const struct drive_report *drives, size_t n)
{
	struct doc *root = doc_new(), *rows = doc_array(root, "rows");
	i128 celsius;

	for (size_t i = 0; i < n; i++) {
		const struct drive_report *r = &drives[i];
		struct doc *row = doc_object(rows, NULL);

		add_identity(row, r);
		add_left(row, &r->assessment->wear);
		add_end(row, r, report_binding(r));
		doc_string(row, "verdict", severity_name(r->assessment->verdict));
		if (facts_number(&r->assessment->facts, FACT_TEMPERATURE, &celsius))
			doc_integer(row, "temperature_celsius", celsius, UNIT_CELSIUS);
		else
			doc_null(row, "temperature_celsius");
		doc_string(row, "reason", r->assessment->reason);
	}
	return root;
}

struct doc *report_life_rows(const struct drive_report *drives, size_t n)
{
	struct doc *root = doc_new(), *rows = doc_array(root, "rows");

	for (size_t i = 0; i < n; i++) {
		for (int m = 0; m < METHOD_COUNT; m++) {
			const struct drive_report *r = &drives[i];
			const struct estimates *all = &r->assessment->estimates;
			const struct estimate *e = &all->by_method[m];
			struct doc *row = doc_object(rows, NULL);

			add_identity(row, r);
			doc_string(row, "method", method_name(e->method));
			doc_bool(row, "binding", all->binding == m);
			doc_real_if(row, "life_left_percent", e->has_left, e->left_percent, 6);
			doc_real_if(row, "days_left", e->has_days, e->days_left, 6);
			doc_real_if(row, "days_left_low", e->has_interval, e->days_low, 6);
			doc_real_if(row, "days_left_high", e->has_interval, e->days_high, 6);
			add_end(row, r, e);
			doc_string(row, "rests_on", e->rests_on);
			doc_string(row, "reason_if_absent", e->reason);
		}
	}
	return root;
}

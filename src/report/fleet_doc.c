/* SPDX-License-Identifier: MIT */
#include "report/fleet_text.h"

/* The report for machines. */

static void add_time(struct doc *o, const char *key, bool known, int64_t t)
{
	char text[TIME_TEXT];

	doc_string(o, key, known ? time_format(t, text) : NULL);
}

static const char *basis_name(enum writes_basis basis)
{
	static const char *const names[] = { "", "recent", "lifetime" };

	return names[basis];
}

static void add_replacement(struct doc *drive, const struct fleet_drive *d)
{
	bool due = d->reason != REPLACE_NOT;

	add_time(drive, "replace_by", due, d->replace_by);
	add_time(drive, "order_by", due, d->order_by);
	doc_string(drive, "replace_because", replace_reason_name(d->reason));
}

static void add_drive(struct doc *list, const struct fleet_drive *d)
{
	struct doc *o = doc_object(list, NULL);

	report_add_life(o, d->r);
	report_add_findings(o, d->r);
	doc_real_if(o, "host_bytes_per_day", d->writes_basis != WRITES_UNKNOWN, d->writes_per_day,
		    6);
	doc_string(o, "host_bytes_per_day_basis", basis_name(d->writes_basis));
	doc_string(o, "trend", d->r->assessment->forecast.trend);
	doc_string(o, "array", d->r->reading->identity.array);
	add_replacement(o, d);
}

static void add_totals(struct doc *root, const struct fleet *f)
{
	struct doc *o = doc_object(root, "totals"), *verdicts;

	doc_integer(o, "drives", (i128)f->n, UNIT_COUNT);
	doc_integer_if(o, "capacity_bytes", f->capacity_unknown < f->n, (i128)f->capacity_bytes,
		       UNIT_BYTES);
	doc_integer(o, "capacity_unknown_drives", (i128)f->capacity_unknown, UNIT_COUNT);
	doc_real_if(o, "host_bytes_per_day", f->writes_unknown < f->n, f->writes_per_day, 6);
	doc_integer(o, "host_bytes_per_day_unknown_drives", (i128)f->writes_unknown, UNIT_COUNT);
	verdicts = doc_object(o, "verdicts");
	for (int i = SEVERITY_CRITICAL; i >= SEVERITY_OK; i--)
		doc_integer(verdicts, severity_name((enum severity)i), (i128)f->by_verdict[i],
			    UNIT_COUNT);
	doc_integer(o, "end_unknown_drives", (i128)f->ends_unknown, UNIT_COUNT);
	doc_real(o, "window_days", f->terms.window_days, 15);
	doc_real(o, "lead_days", f->terms.lead_days, 15);
	doc_integer(o, "drives_to_replace", (i128)f->nplan, UNIT_COUNT);
}

static void add_plan(struct doc *root, const struct fleet *f)
{
	struct doc *list = doc_array(root, "replacements");
	struct fleet_quarter q;
	char quarter[QUARTER_TEXT], order[ORDER_TEXT_MAX];

	for (size_t i = 0; fleet_quarter(f, i, &q); i++) {
		struct doc *o = doc_object(list, NULL), *serials;

		doc_string(o, "quarter", quarter_text(q.drives[0]->replace_by, quarter));
		add_time(o, "order_by", true, q.order_by);
		doc_integer(o, "drives", (i128)q.n, UNIT_COUNT);
		doc_string(o, "what", fleet_order_text(&q, order));
		serials = doc_array(o, "serials");
		for (size_t k = 0; k < q.n; k++)
			doc_string(serials, NULL, q.drives[k]->r->reading->identity.serial);
	}
}

struct doc *report_fleet(const struct fleet *f, int64_t generated_at)
{
	struct doc *root = report_new("report", generated_at), *list;

	doc_string(root, "verdict", severity_name(fleet_verdict(f)));
	list = doc_array(root, "drives");
	for (size_t i = 0; i < f->n; i++)
		add_drive(list, &f->drives[i]);
	add_totals(root, f);
	add_plan(root, f);
	return root;
}

static void add_row(struct doc *rows, const struct fleet_drive *d)
{
	const struct drive_report *r = d->r;
	const struct identity *id = &r->reading->identity;
	const struct wear *w = &r->assessment->wear;
	struct doc *row = doc_object(rows, NULL);
	bool interval = d->ends && d->binding->has_interval;
	char text[REPORT_TEXT_MAX];

	doc_string(row, "path", r->is_gone ? NULL : id->path); /* it may be another's now */
	doc_string(row, "model", id->model);
	doc_string(row, "serial", id->serial);
	doc_string(row, "firmware", id->firmware);
	doc_string(row, "array", id->array);
	doc_integer_if(row, "capacity_bytes", id->has_capacity, id->capacity_bytes, UNIT_BYTES);
	doc_string(row, "verdict", severity_name(r->assessment->verdict));
	doc_integer_if(row, "life_left_percent", w->has_left, w->left, UNIT_PERCENT);
	doc_string(row, "binding", d->binding ? method_name(d->binding->method) : NULL);
	add_time(row, "end_date", d->ends, d->end);
	add_time(row, "end_date_low", interval, d->end_low);
	add_time(row, "end_date_high", interval, d->end_high);
	doc_real_if(row, "waf_recent", w->has_waf_recent, w->waf_recent, 6);
	doc_real_if(row, "waf_lifetime", w->has_waf_lifetime, w->waf_lifetime, 6);
	doc_real_if(row, "unevenness", w->has_unevenness, w->unevenness, 6);
	doc_real_if(row, "host_bytes_per_day", d->writes_basis != WRITES_UNKNOWN, d->writes_per_day,
		    6);
	doc_string(row, "host_bytes_per_day_basis", basis_name(d->writes_basis));
	doc_string(row, "trend", r->assessment->forecast.trend);
	doc_string(row, "findings", fleet_findings(d, text));
	add_replacement(row, d);
}

struct doc *report_fleet_rows(const struct fleet *f)
{
	struct doc *root = doc_new(), *rows = doc_array(root, "rows");

	for (size_t i = 0; i < f->n; i++)
		add_row(rows, &f->drives[i]);
	return root;
}

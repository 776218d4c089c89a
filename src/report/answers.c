/* SPDX-License-Identifier: MIT */
#include "report/answers.h"

enum severity report_verdict(const struct drive_report *drives, size_t n)
{
	enum severity worst = SEVERITY_OK;

	if (!n)
		return SEVERITY_UNKNOWN;
	for (size_t i = 0; i < n; i++)
		if (drives[i].assessment->verdict > worst)
			worst = drives[i].assessment->verdict;
	return worst;
}

struct doc *report_list(const struct drive_report *drives, size_t n, int64_t generated_at)
{
	struct doc *root = report_new("list", generated_at);
	struct doc *list = doc_array(root, "drives");

	for (size_t i = 0; i < n; i++) {
		const struct drive_report *r = &drives[i];
		const struct wear *w = &r->assessment->wear;
		const struct estimates *e = &r->assessment->estimates;
		struct doc *o = doc_object(list, NULL);
		char time[TIME_TEXT];
		bool ends = e->binding >= 0 && e->by_method[e->binding].has_days;
		i128 celsius;

		report_add_identity(o, r);
		doc_integer_if(o, "life_left_percent", w->has_left, w->left, UNIT_PERCENT);
		doc_string(o, "end_date",
			   ends ? time_format(report_end_time(r, &e->by_method[e->binding]), time)
				: NULL);
		doc_string(o, "verdict", severity_name(r->assessment->verdict));
		doc_string(o, "reason", r->assessment->reason);
		if (facts_number(&r->assessment->facts, FACT_TEMPERATURE, &celsius))
			doc_integer(o, "temperature_celsius", celsius, UNIT_CELSIUS);
		else
			doc_null(o, "temperature_celsius");
		report_add_history(o, r);
		report_add_errors(o, r);
	}
	return root;
}

struct doc *report_health(const struct drive_report *drives, size_t n, int64_t generated_at)
{
	struct doc *root = report_new("health", generated_at), *list;

	doc_string(root, "verdict", severity_name(report_verdict(drives, n)));
	list = doc_array(root, "drives");
	for (size_t i = 0; i < n; i++) {
		struct doc *o = doc_object(list, NULL);

		report_add_identity(o, &drives[i]);
		report_add_findings(o, &drives[i]);
		report_add_history(o, &drives[i]);
		report_add_errors(o, &drives[i]);
	}
	return root;
}

struct doc *report_life(const struct drive_report *drives, size_t n, int64_t generated_at)
{
	struct doc *root = report_new("life", generated_at);
	struct doc *list = doc_array(root, "drives");

	for (size_t i = 0; i < n; i++)
		report_add_life(doc_object(list, NULL), &drives[i]);
	return root;
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "report/answers.h"
#include "report/rule.h"

static void add_attribute(struct doc *list, const struct attribute *a,
			  const struct drive_rule *rule)
{
	const struct attribute_meaning *m = rule_meaning(rule, a->id);
	struct doc *o = doc_object(list, NULL);

	doc_integer(o, "id", a->id, UNIT_NONE);
	doc_string(o, "name", m ? m->name : a->name);
	doc_string(o, "name_from", m ? "drive rules" : *a->name ? "the dump" : NULL);
	doc_string(o, "fact", m && m->fact != FACT_NONE ? fact_name(m->fact) : NULL);
	doc_string(o, "confidence", m ? confidence_name(m->confidence) : "unknown");
	doc_integer_if(o, "value", a->has_value, a->value, UNIT_NONE);
	doc_integer_if(o, "worst", a->has_worst, a->worst, UNIT_NONE);
	doc_integer_if(o, "threshold", a->has_threshold, a->threshold, UNIT_NONE);
	doc_integer_if(o, "raw", a->has_raw, a->raw, UNIT_NONE);
	doc_string(o, "raw_text", a->raw_text);
}

static void add_value(struct doc *o, const struct decoded *d)
{
	const char *key = d->field->name;

	switch (d->value.kind) {
	case VALUE_NUMBER:
		doc_integer(o, key, d->value.number, d->field->unit);
		break;
	case VALUE_TEXT:
	case VALUE_RAW:
		doc_string(o, key, d->value.text);
		break;
	default:
		doc_null(o, key);
	}
}

/* Fields come log by log: one object a log, in the order they were read. */
static void add_logs(struct doc *drive, const struct reading *r)
{
	struct doc *list = doc_array(drive, "logs"), *fields = NULL;
	const struct decoded *last = NULL;

	for (size_t i = 0; i < r->nfields; i++) {
		const struct decoded *d = &r->fields[i];
		bool same = last && last->layout == d->layout && last->id == d->id &&
			    last->sub == d->sub && last->key == d->key;

		if (!same) {
			struct doc *log = doc_object(list, NULL);

			doc_string(log, "layout", d->layout->name);
			doc_string(log, "title", d->layout->title);
			doc_integer(log, "id", d->id, UNIT_NONE);
			doc_integer(log, "sub", d->sub, UNIT_NONE);
			if (d->layout->keyed || d->layout->records)
				doc_integer(log, "key", d->key, UNIT_NONE);
			fields = doc_object(log, "fields");
		}
		add_value(fields, d);
		last = d;
	}
}

static const char *selftest_result_name(enum selftest_result result)
{
	static const char *const names[] = { "passed", "aborted", "failed", "running", "unknown" };

	return names[result];
}

static void add_selftests(struct doc *drive, const struct reading *r)
{
	struct doc *list;

	if (!r->selftest_log_read) {
		doc_null(drive, "selftests");
		return;
	}
	list = doc_array(drive, "selftests");
	for (size_t i = 0; i < r->nselftests; i++) {
		const struct selftest *t = &r->selftests[i];
		struct doc *o = doc_object(list, NULL);

		doc_string(o, "kind", t->kind);
		doc_string(o, "result", selftest_result_name(t->result));
		doc_integer(o, "code", t->code, UNIT_NONE);
		doc_integer_if(o, "power_on_hours", t->has_hours, t->hours, UNIT_HOURS);
		doc_bool(o, "hours_unreliable", t->hours_unreliable);
		doc_integer_if(o, "failing_lba", t->has_lba, t->lba, UNIT_NONE);
		if (t->has_segment)
			doc_integer(o, "segment", t->segment, UNIT_NONE);
	}
}

static const char *smart_status_name(const struct reading *r)
{
	static const char *const names[] = { NULL, "passed", "failed" };

	return names[r->smart_status];
}

struct doc *report_show(const struct drive_report *drives, size_t n, int64_t generated_at)
{
	struct doc *root = report_new("show", generated_at);
	struct doc *list = doc_array(root, "drives");

	for (size_t i = 0; i < n; i++) {
		const struct drive_report *r = &drives[i];
		struct doc *o = doc_object(list, NULL), *attributes;
		char time[TIME_TEXT];

		report_add_identity(o, r);
		report_add_facts(o, r);
		report_add_wear(o, r);
		report_add_conflicts(o, r);
		report_add_estimates(o, r);
		doc_string(o, "state", drive_state_name(r->reading->state));
		doc_string(o, "read_at",
			   r->reading->time == TIME_UNKNOWN ? NULL
							    : time_format(r->reading->time, time));
		report_add_rule(o, r->rule);
		doc_string(o, "smart_status", smart_status_name(r->reading));
		attributes = doc_array(o, "attributes");
		for (size_t k = 0; k < r->reading->nattributes; k++)
			add_attribute(attributes, &r->reading->attributes[k], r->rule);
		add_selftests(o, r->reading);
		add_logs(o, r->reading);
		report_add_errors(o, r);
	}
	return root;
}

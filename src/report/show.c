/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "report/answers.h"

#define HOURS_PER_YEAR 8766.0

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
	if (a->has_value)
		doc_integer(o, "value", a->value, UNIT_NONE);
	else
		doc_null(o, "value");
	if (a->has_worst)
		doc_integer(o, "worst", a->worst, UNIT_NONE);
	else
		doc_null(o, "worst");
	if (a->has_threshold)
		doc_integer(o, "threshold", a->threshold, UNIT_NONE);
	else
		doc_null(o, "threshold");
	if (a->has_raw)
		doc_integer(o, "raw", a->raw, UNIT_NONE);
	else
		doc_null(o, "raw");
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
		if (t->has_hours)
			doc_integer(o, "power_on_hours", t->hours, UNIT_HOURS);
		else
			doc_null(o, "power_on_hours");
		doc_bool(o, "hours_unreliable", t->hours_unreliable);
		if (t->has_lba)
			doc_integer(o, "failing_lba", t->lba, UNIT_NONE);
		else
			doc_null(o, "failing_lba");
		if (t->has_segment)
			doc_integer(o, "segment", t->segment, UNIT_NONE);
	}
}

static const char *smart_status_name(const struct reading *r)
{
	static const char *const names[] = { NULL, "passed", "failed" };

	return names[r->smart_status];
}

static void add_ratings(struct doc *o, const struct drive_rule *rule)
{
	doc_string(o, "nand", rule->nand);
	if (rule->has_warranty_years)
		doc_real(o, "warranty_years", rule->warranty_years, 4);
	else
		doc_null(o, "warranty_years");
	doc_bool(o, "no_write_limit", rule->no_write_limit);
	doc_bool(o, "compresses", rule->compresses);
	if (rule->has_raw_nand_bytes)
		doc_integer(o, "raw_nand_bytes", rule->raw_nand_bytes, UNIT_BYTES);
	else
		doc_null(o, "raw_nand_bytes");
	/* a fleet figure: the chance that a drive fails in a year, not a life and not wear */
	if (rule->has_mtbf_hours)
		doc_real(o, "yearly_failure_percent",
			 (1 - exp(-HOURS_PER_YEAR / (double)rule->mtbf_hours)) * 100, 3);
	else
		doc_null(o, "yearly_failure_percent");
	if (rule->has_limit_celsius)
		doc_integer(o, "limit_celsius", rule->limit_celsius, UNIT_NONE);
	else
		doc_null(o, "limit_celsius");
	if (rule->has_shutdown_celsius)
		doc_integer(o, "shutdown_celsius", rule->shutdown_celsius, UNIT_NONE);
	else
		doc_null(o, "shutdown_celsius");
	doc_string(o, "over_temperature", over_temperature_name(rule->over_temperature));
	doc_bool(o, "hot_plug_unsafe", rule->hot_plug_unsafe);
	doc_string(o, "ratings_source", rule->ratings_source);
}

/* What the drive rules say of this drive; null where none names it. */
static void add_rule(struct doc *drive, const struct drive_rule *rule)
{
	struct doc *o, *list;

	if (!rule->matched) {
		doc_null(drive, "rule");
		return;
	}
	o = doc_object(drive, "rule");
	doc_string(o, "vendor", rule->vendor);
	doc_string(o, "family", rule->family);
	doc_string(o, "origin", rule->origin);
	doc_string(o, "confidence", confidence_name(rule->confidence));
	add_ratings(o, rule);
	list = doc_array(o, "trim_quirks");
	for (unsigned q = TRIM_CORRUPTS; q <= TRIM_ZEROES; q <<= 1)
		if (rule->trim_quirks & q)
			doc_string(list, NULL, trim_quirk_name((enum trim_quirk)q));
	list = doc_array(o, "hazards");
	for (size_t i = 0; i < rule->nhazards; i++) {
		struct doc *h = doc_object(list, NULL);

		doc_string(h, "id", rule->hazards[i].id);
		doc_string(h, "text", rule->hazards[i].text);
		doc_string(h, "fixed_in", rule->hazards[i].fixed_in);
		doc_string(h, "source", rule->hazards[i].source);
	}
	list = doc_array(o, "maker_claims");
	for (size_t i = 0; i < rule->nclaims; i++) {
		struct doc *c = doc_object(list, NULL);

		doc_string(c, "text", rule->claims[i].text);
		doc_string(c, "source", rule->claims[i].source);
	}
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
		add_rule(o, r->rule);
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

/* SPDX-License-Identifier: MIT */
#include "report/drive.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

struct doc *report_new(const char *command, int64_t generated_at)
{
	struct doc *root = doc_new();
	char time[TIME_TEXT];

	doc_stringf(root, "schema", "nandlife.%s/1", command);
	doc_string(root, "generated_at", time_format(generated_at, time));
	return root;
}

void report_add_identity_of(struct doc *identity, const struct identity *id)
{
	doc_string(identity, "path", id->path);
	doc_string(identity, "by_id", id->by_id);
	doc_string(identity, "location", id->location);
	doc_string(identity, "protocol", protocol_name(id->protocol));
	doc_string(identity, "model", id->model);
	doc_string(identity, "serial", id->serial);
	doc_string(identity, "firmware", id->firmware);
	doc_string(identity, "wwn", id->wwn);
	doc_integer_if(identity, "capacity_bytes", id->has_capacity, id->capacity_bytes,
		       UNIT_BYTES);
	doc_integer_if(identity, "logical_block_bytes", id->logical_block_bytes > 0,
		       id->logical_block_bytes, UNIT_BYTES);
	if (id->rotational < 0)
		doc_null(identity, "rotational");
	else
		doc_bool(identity, "rotational", id->rotational);
	doc_string(identity, "vendor", id->vendor);
}

void report_add_identity(struct doc *drive, const struct drive_report *r)
{
	struct doc *o = doc_object(drive, "identity");
	struct identity id = r->reading->identity;

	if (r->is_gone) /* another drive may have its node now */
		id.path[0] = '\0';
	report_add_identity_of(o, &id);
	doc_string(o, "family", r->rule->matched ? r->rule->family : NULL);
}

static void add_fact(struct doc *facts, const char *key, const struct fact_set *set)
{
	const struct fact *f = &set->candidates[0];
	struct doc *o;

	if (!set->n) {
		doc_null(facts, key);
		return;
	}
	o = doc_object(facts, key);
	doc_integer(o, "value", f->value, fact_unit(fact_by_name(key)));
	doc_string(o, "quality", quality_name(f->quality));
	doc_string(o, "bound", bound_name(f->bound));
	doc_string(o, "source", f->source);
	doc_string(o, "confidence", confidence_name(f->confidence));
}

void report_add_facts(struct doc *drive, const struct drive_report *r)
{
	struct doc *o = doc_object(drive, "facts");

	for (int i = 0; i < FACT_COUNT; i++)
		add_fact(o, fact_name((enum fact_id)i), &r->assessment->facts.sets[i]);
}

void report_add_wear(struct doc *drive, const struct drive_report *r)
{
	const struct wear *w = &r->assessment->wear;
	struct doc *o = doc_object(drive, "wear");

	doc_real_if(o, "waf_lifetime", w->has_waf_lifetime, w->waf_lifetime, 6);
	doc_real_if(o, "waf_recent", w->has_waf_recent, w->waf_recent, 6);
	doc_real_if(o, "waf_recent_days", w->has_waf_recent, w->waf_recent_days, 6);
	doc_real_if(o, "unevenness", w->has_unevenness, w->unevenness, 6);
	doc_integer_if(o, "life_used_percent", w->has_used, w->used, UNIT_PERCENT);
	doc_integer_if(o, "life_left_percent", w->has_left, w->left, UNIT_PERCENT);
	doc_string(o, "bound", w->has_used ? bound_name(w->bound) : NULL);
	doc_string(o, "waf_source", w->has_waf_lifetime ? w->waf_source : NULL);
	doc_string(o, "waf_note", w->has_waf_lifetime ? w->waf_note : NULL);
	doc_string(o, "unevenness_source", w->has_unevenness ? w->unevenness_source : NULL);
	doc_string(o, "life_used_source", w->has_used ? w->used_source : NULL);
}

void report_add_conflicts(struct doc *drive, const struct drive_report *r)
{
	const struct facts *facts = &r->assessment->facts;
	struct doc *list = doc_array(drive, "conflicts");

	for (size_t i = 0; i < facts->nconflicts; i++) {
		const struct conflict *c = &facts->conflicts[i];
		struct doc *o = doc_object(list, NULL);
		struct doc *names = doc_array(o, "facts");

		for (size_t k = 0; k < ARRAY_SIZE(c->facts); k++)
			if (c->facts[k] != FACT_NONE)
				doc_string(names, NULL, fact_name(c->facts[k]));
		doc_string(o, "text", c->text);
	}
}

int64_t report_end_after(const struct drive_report *r, const struct estimate *e, double days)
{
	return estimate_time(e, days, r->reading, r->now);
}

int64_t report_end_time(const struct drive_report *r, const struct estimate *e)
{
	return report_end_after(r, e, e->days_left);
}

static void add_estimate(struct doc *list, const struct drive_report *r, const struct estimate *e)
{
	struct doc *o = doc_object(list, NULL), *inputs;
	char time[TIME_TEXT];

	doc_string(o, "method", method_name(e->method));
	doc_real_if(o, "life_left_percent", e->has_left, e->left_percent, 6);
	doc_real_if(o, "days_left", e->has_days, e->days_left, 6);
	doc_real_if(o, "days_left_low", e->has_days && e->has_interval, e->days_low, 6);
	doc_real_if(o, "days_left_high", e->has_days && e->has_interval, e->days_high, 6);
	doc_string(o, "end_date", e->has_days ? time_format(report_end_time(r, e), time) : NULL);
	inputs = doc_object(o, "inputs");
	for (size_t i = 0; i < e->ninputs; i++)
		doc_integer(inputs, e->inputs[i].name, e->inputs[i].value, e->inputs[i].unit);
	doc_bool(o, "trustworthy", e->trustworthy);
	doc_bool(o, "by_history", e->by_history);
	doc_string(o, "rests_on", e->rests_on);
	doc_string(o, "reason_if_absent", e->reason);
}

void report_add_estimates(struct doc *drive, const struct drive_report *r)
{
	const struct estimates *all = &r->assessment->estimates;
	struct doc *list = doc_array(drive, "estimates");

	for (int i = 0; i < METHOD_COUNT; i++)
		add_estimate(list, r, &all->by_method[i]);
	doc_string(drive, "binding",
		   all->binding >= 0 ? method_name(all->by_method[all->binding].method) : NULL);
	doc_string(drive, "binding_reason", all->binding_reason);
}

static void add_finding(struct doc *list, const struct finding *f)
{
	struct doc *o = doc_object(list, NULL);

	doc_string(o, "id", f->id);
	doc_string(o, "severity", severity_name(f->severity));
	doc_string(o, "text", f->text);
	doc_string(o, "evidence", f->evidence);
	doc_string(o, "advice", f->advice);
	if (f->suppressed)
		doc_string(o, "suppressed_because", f->suppressed_why);
}

void report_add_findings(struct doc *drive, const struct drive_report *r)
{
	const struct assessment *a = r->assessment;
	struct doc *list;

	doc_string(drive, "verdict", severity_name(a->verdict));
	doc_string(drive, "reason", a->reason);
	list = doc_array(drive, "findings");
	for (size_t i = 0; i < a->nfindings; i++)
		add_finding(list, &a->findings[i]);
}

static void add_rate(struct doc *o, const char *key, const char *key_all, bool has, double recent,
		     bool has_all, double all)
{
	doc_real_if(o, key, has, recent, 6);
	doc_real_if(o, key_all, has_all, all, 6);
}

static void add_time(struct doc *o, const char *key, int64_t t)
{
	char time[TIME_TEXT];

	doc_string(o, key, time_format(t, time));
}

/* Only the samples are dropped to save memory: the events are there wherever there is a history. */
static void add_events(struct doc *o, const struct series *s)
{
	struct doc *list = doc_array(o, "events");

	for (size_t i = 0; s && i < s->nevents; i++) {
		struct doc *e = doc_object(list, NULL);

		add_time(e, "time", s->events[i].time);
		doc_string(e, "kind", event_kind_name(s->events[i].kind));
		doc_string(e, "text", s->events[i].text);
	}
}

void report_add_history(struct doc *drive, const struct drive_report *r)
{
	const struct forecast *f = &r->assessment->forecast;
	int64_t time = r->reading->time;
	bool dated = time != TIME_UNKNOWN && r->now != TIME_UNKNOWN && time <= r->now;
	struct doc *o;

	doc_bool(drive, "from_history", r->from_history);
	doc_integer_if(drive, "age_seconds", dated, dated ? r->now - time : 0, UNIT_SECONDS);
	if (!r->history.nsamples) {
		doc_null(drive, "history");
		return;
	}
	o = doc_object(drive, "history");
	add_time(o, "first", r->history.first);
	add_time(o, "last", r->history.last);
	doc_real(o, "days", f->data_days, 6);
	doc_integer(o, "samples", (i128)r->history.nsamples, UNIT_COUNT);
	doc_integer(o, "samples_set_aside", (i128)r->history.naside, UNIT_COUNT);
	add_rate(o, "host_bytes_written_per_day_recent", "host_bytes_written_per_day",
		 f->has_writes_recent, f->writes_per_day_recent, f->has_writes_all,
		 f->writes_per_day_all);
	add_rate(o, "life_used_percent_per_day_recent", "life_used_percent_per_day",
		 f->has_wear_recent, f->wear_per_day_recent, f->has_wear_all, f->wear_per_day_all);
	doc_real_if(o, "waf", f->has_waf_all, f->waf_all, 6);
	doc_string(o, "waf_recent_reason_if_absent", f->waf_reason);
	doc_string(o, "trend", f->trend);
	add_events(o, r->series);
}

void report_add_errors(struct doc *drive, const struct drive_report *r)
{
	struct doc *list = doc_array(drive, "errors");

	for (size_t i = 0; i < r->reading->nproblems; i++)
		doc_string(list, NULL, r->reading->problems[i].text);
}

void report_add_life(struct doc *drive, const struct drive_report *r)
{
	report_add_identity(drive, r);
	report_add_facts(drive, r);
	report_add_wear(drive, r);
	report_add_conflicts(drive, r);
	report_add_estimates(drive, r);
	report_add_history(drive, r);
	report_add_errors(drive, r);
}

const char *report_name(const struct drive_report *r, char buf[REPORT_NAME_MAX])
{
	const struct identity *id = &r->reading->identity;
	bool here = *id->path && !(r->is_gone && *id->serial);
	const char *name = here ? id->path : *id->serial ? id->serial : id->model;

	text_escape(buf, REPORT_NAME_MAX, *name ? name : "drive");
	return buf;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "report/answers.h"
#include "report/rule.h"
#include "report/text.h"

static const struct view_column pairs[] = {
	{ NULL, 0 },
	{ NULL, 0 },
	{ NULL, COLUMN_WRAP },
};

static const struct view_column attribute_columns[] = {
	{ "ID", COLUMN_RIGHT },	    { "ATTRIBUTE", 0 },		{ "VALUE", COLUMN_RIGHT },
	{ "WORST", COLUMN_RIGHT },  { "THRESH", COLUMN_RIGHT }, { "RAW", COLUMN_RIGHT },
	{ "MEANING", COLUMN_WRAP },
};

static const struct view_column selftest_columns[] = {
	{ "SELF-TEST", 0 },
	{ "RESULT", 0 },
	{ "AT HOUR", COLUMN_RIGHT },
	{ "DETAIL", COLUMN_WRAP },
};

static void add_pair(struct view *v, const char *name, const char *value)
{
	view_cell(v, STYLE_PLAIN, "%s", name);
	view_cell(v, *value ? STYLE_PLAIN : STYLE_DIM, "%s", *value ? value : "not reported");
	view_cell(v, STYLE_PLAIN, "%s", "");
}

static void add_identity(struct view *v, const struct drive_report *r)
{
	const struct identity *id = &r->reading->identity;
	const char *protocol = protocol_name(id->protocol);
	char text[REPORT_TEXT_MAX] = "", number[UNIT_TEXT_MAX], binary[UNIT_TEXT_MAX];
	char exact[UNIT_TEXT_MAX];

	view_table(v, pairs, ARRAY_SIZE(pairs), 2);
	add_pair(v, "model", id->model);
	add_pair(v, "serial", id->serial);
	add_pair(v, "firmware", id->firmware);
	if (id->has_capacity)
		snprintf(text, sizeof(text), "%s (%s, %s bytes)",
			 format_bytes_precise(id->capacity_bytes, number),
			 format_bytes_binary(id->capacity_bytes, binary),
			 format_grouped(id->capacity_bytes, exact));
	add_pair(v, "size", text);
	text[0] = '\0';
	if (id->logical_block_bytes)
		snprintf(text, sizeof(text), "%u bytes", id->logical_block_bytes);
	add_pair(v, "logical block", text);
	add_pair(v, "protocol", protocol ? protocol : "");
	add_pair(v, "WWN", id->wwn);
	add_pair(v, "stable name", id->by_id);
	add_pair(v, "where", id->location);
	add_pair(v, "drive rule", r->rule->matched ? r->rule->origin : "none for this model");
}

/* Every fact that has a value, with the sources that were not followed below it. */
static void add_facts(struct view *v, const struct drive_report *r)
{
	char text[REPORT_TEXT_MAX];

	view_gap(v);
	view_line(v, STYLE_HEADING, 2, "facts");
	view_table(v, pairs, ARRAY_SIZE(pairs), 2);
	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact_set *set = &r->assessment->facts.sets[i];

		for (size_t k = 0; k < set->n; k++) {
			const struct fact *f = &set->candidates[k];

			view_cell(v, STYLE_PLAIN, "%s", k ? "" : fact_label((enum fact_id)i));
			view_cell(v, k ? STYLE_DIM : STYLE_PLAIN, "%s",
				  report_fact((enum fact_id)i, f, text));
			view_cell(v, STYLE_DIM, "%s%s%s", f->source,
				  f->confidence == CONFIDENCE_MEDIUM &&
						  !strstr(f->source, "unconfirmed")
					  ? " (unconfirmed)"
					  : "",
				  k ? " (not followed)" : "");
		}
	}
}

static void add_number(struct view *v, bool has, unsigned number)
{
	if (has)
		view_cell(v, STYLE_PLAIN, "%u", number);
	else
		view_cell(v, STYLE_DIM, "-");
}

static void add_attribute(struct view *v, const struct attribute *a, const struct drive_rule *rule)
{
	const struct attribute_meaning *m = rule_meaning(rule, a->id);
	char number[UNIT_TEXT_MAX];

	view_cell(v, STYLE_PLAIN, "%u", a->id);
	view_cell(v, m ? STYLE_PLAIN : STYLE_DIM, "%s",
		  m	     ? m->name
		  : *a->name ? a->name
			     : "unknown");
	add_number(v, a->has_value, a->value);
	add_number(v, a->has_worst, a->worst);
	add_number(v, a->has_threshold, a->threshold);
	view_cell(v, STYLE_PLAIN, "%s",
		  *a->raw_text ? a->raw_text
		  : a->has_raw ? format_grouped(a->raw, number)
			       : "-");
	if (m && m->fact != FACT_NONE)
		view_cell(v, STYLE_DIM, "%s, %s", fact_label(m->fact),
			  confidence_name(m->confidence));
	else
		view_cell(v, STYLE_DIM, "%s",
			  m	     ? ""
			  : *a->name ? "the dump's name; meaning unconfirmed"
				     : "");
}

static void add_attributes(struct view *v, const struct drive_report *r)
{
	if (!r->reading->nattributes)
		return;
	view_gap(v);
	view_line(v, STYLE_HEADING, 2, "SMART attributes");
	view_table(v, attribute_columns, ARRAY_SIZE(attribute_columns), 2);
	for (size_t i = 0; i < r->reading->nattributes; i++)
		add_attribute(v, &r->reading->attributes[i], r->rule);
}

static void add_selftests(struct view *v, const struct drive_report *r)
{
	static const char *const results[] = { "passed", "aborted", "FAILED", "running",
					       "unknown" };
	const struct reading *reading = r->reading;
	char number[UNIT_TEXT_MAX];

	if (!reading->nselftests)
		return;
	view_gap(v);
	view_table(v, selftest_columns, ARRAY_SIZE(selftest_columns), 2);
	for (size_t i = 0; i < reading->nselftests; i++) {
		const struct selftest *t = &reading->selftests[i];

		view_cell(v, STYLE_PLAIN, "%s", t->kind);
		view_cell(v, t->result == SELFTEST_FAILED ? STYLE_BAD : STYLE_PLAIN, "%s",
			  results[t->result]);
		view_cell(v, STYLE_PLAIN, "%s%s",
			  t->has_hours ? format_grouped(t->hours, number) : "-",
			  t->hours_unreliable ? " ?" : "");
		if (t->has_lba)
			view_cell(v, STYLE_PLAIN, "first bad block %s",
				  format_grouped(t->lba, number));
		else if (t->has_segment)
			view_cell(v, STYLE_PLAIN, "segment %u", t->segment);
		else
			view_cell(v, STYLE_PLAIN, "%s", "");
	}
}

static void add_field(struct view *v, const struct decoded *d)
{
	char number[UNIT_TEXT_MAX];

	view_cell(v, STYLE_PLAIN, "%s", d->field->label);
	switch (d->value.kind) {
	case VALUE_NUMBER:
		view_cell(v, STYLE_PLAIN, "%s",
			  format_quantity(d->value.number, d->field->unit, number));
		break;
	case VALUE_ABSENT:
		view_cell(v, STYLE_DIM, "not reported");
		break;
	default:
		view_cell(v, STYLE_PLAIN, "%s", d->value.text);
	}
	view_cell(v, STYLE_PLAIN, "%s", "");
}

/* Reserved and unknown bytes are kept in the JSON; people get the fields that mean something. */
static bool is_for_people(const struct decoded *d)
{
	return d->field->type != FIELD_RESERVED && d->field->type != FIELD_UNKNOWN &&
	       d->field->type != FIELD_GROUP;
}

static void add_logs(struct view *v, const struct drive_report *r)
{
	const struct decoded *last = NULL;

	for (size_t i = 0; i < r->reading->nfields; i++) {
		const struct decoded *d = &r->reading->fields[i];

		if (!is_for_people(d))
			continue;
		if (!last || last->layout != d->layout || last->id != d->id ||
		    last->sub != d->sub) {
			view_gap(v);
			view_line(v, STYLE_HEADING, 2, "%s", d->layout->title);
			view_table(v, pairs, ARRAY_SIZE(pairs), 2);
		}
		add_field(v, d);
		last = d;
	}
}

static void add_drive(struct view *v, const struct drive_report *r)
{
	const struct reading *reading = r->reading;
	const struct facts *facts = &r->assessment->facts;
	char text[REPORT_TEXT_MAX], name[REPORT_NAME_MAX];

	view_line(v, STYLE_HEADING, 0, "%s   %s", report_name(r, name), report_title(r, text));
	view_line(v, severity_style(r->assessment->verdict), 2, "%s   %s",
		  severity_label(r->assessment->verdict), r->assessment->reason);
	if (reading->state == DRIVE_ABSENT)
		return;
	add_identity(v, r);
	add_facts(v, r);
	for (size_t i = 0; i < facts->nconflicts; i++)
		view_line(v, STYLE_WARNING, 2, "conflict: %s", facts->conflicts[i].text);
	add_attributes(v, r);
	add_selftests(v, r);
	if (r->rule->matched) {
		view_gap(v);
		view_line(v, STYLE_HEADING, 2, "what the drive rules say of this model");
		report_model_view(r->rule, v);
	}
	add_logs(v, r);
	if (reading->nproblems)
		view_gap(v);
	for (size_t i = 0; i < reading->nproblems; i++)
		view_line(v, STYLE_WARNING, 2, "not read: %s", reading->problems[i].text);
}

void report_show_view(const struct drive_report *drives, size_t n, struct view *v)
{
	for (size_t i = 0; i < n; i++) {
		if (i)
			view_gap(v);
		add_drive(v, &drives[i]);
	}
}

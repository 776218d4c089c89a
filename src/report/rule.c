/* SPDX-License-Identifier: MIT */
#include "report/rule.h"

#include <math.h>
#include <string.h>

#include "report/drive.h"

static const enum trim_quirk trim_quirks[] = {
	TRIM_CORRUPTS,
	TRIM_QUEUED_CORRUPTS,
	TRIM_NO_SPEED_GAIN,
	TRIM_ZEROES,
};

static void add_family(struct doc *families, const struct rules_family *f)
{
	struct doc *o = doc_object(families, NULL);

	doc_string(o, "file", f->file);
	doc_string(o, "vendor", f->vendor);
	doc_string(o, "family", f->family);
	doc_string(o, "model", f->model);
	doc_string(o, "firmware", f->firmware);
	doc_string(o, "confidence", confidence_name(f->confidence));
	doc_integer(o, "ratings", (i128)f->nratings, UNIT_COUNT);
	doc_integer(o, "hazards", (i128)f->nhazards, UNIT_COUNT);
}

struct doc *report_families(const struct rules *rules, int64_t generated_at)
{
	struct doc *root = report_new("db", generated_at);
	struct doc *families = doc_array(root, "families");
	struct rules_family f;

	for (size_t i = 0; rules_family_at(rules, i, &f); i++)
		if (!f.abstract)
			add_family(families, &f);
	return root;
}

void report_families_view(const struct rules *rules, struct view *v)
{
	static const struct view_column columns[] = {
		{ "VENDOR", 0 },
		{ "FAMILY", 0 },
		{ "RATINGS", COLUMN_RIGHT },
		{ "HAZARDS", COLUMN_RIGHT },
		{ "MATCH", 0 },
		{ "MODEL", COLUMN_WRAP },
	};
	struct rules_family f;

	view_table(v, columns, ARRAY_SIZE(columns), 0);
	for (size_t i = 0; rules_family_at(rules, i, &f); i++) {
		if (f.abstract)
			continue;
		view_cell(v, STYLE_PLAIN, "%s", f.vendor);
		view_cell(v, STYLE_PLAIN, "%s", f.family);
		view_cell(v, STYLE_PLAIN, "%zu", f.nratings);
		view_cell(v, f.nhazards ? STYLE_WARNING : STYLE_PLAIN, "%zu", f.nhazards);
		view_cell(v, STYLE_PLAIN, "%s", confidence_name(f.confidence));
		view_cell(v, STYLE_DIM, "%s", f.model && *f.model ? f.model : "by its attributes");
	}
}

static void add_meaning(struct doc *meanings, const struct attribute_meaning *m)
{
	struct doc *o = doc_object(meanings, NULL);

	doc_integer(o, "id", m->id, UNIT_COUNT);
	doc_string(o, "name", m->name);
	doc_string(o, "fact", m->fact == FACT_NONE ? NULL : fact_name(m->fact));
	doc_string(o, "confidence", confidence_name(m->confidence));
	doc_string(o, "source", m->source);
}

static void add_hazard(struct doc *hazards, const struct firmware_hazard *h)
{
	struct doc *o = doc_object(hazards, NULL);

	doc_string(o, "id", h->id);
	doc_string(o, "firmware", h->firmware);
	doc_integer_if(o, "power_on_hours", h->has_hours, h->hours, UNIT_HOURS);
	doc_string(o, "fixed_in", h->fixed_in);
	doc_string(o, "text", h->text);
	doc_string(o, "advice", h->advice);
	doc_string(o, "source", h->source);
}

#define HOURS_PER_YEAR 8766.0

double report_yearly_failure_percent(const struct drive_rule *rule)
{
	return (1 - exp(-HOURS_PER_YEAR / (double)rule->mtbf_hours)) * 100;
}

static void add_ratings(struct doc *o, const struct drive_rule *rule)
{
	doc_integer_if(o, "rated_pe_cycles", rule->has_rated_pe, rule->rated_pe, UNIT_CYCLES);
	doc_string(o, "rated_pe_cycles_confidence",
		   rule->has_rated_pe ? confidence_name(rule->rated_pe_confidence) : NULL);
	doc_integer_if(o, "rated_pe_cycles_slc", rule->has_rated_pe_slc, rule->rated_pe_slc,
		       UNIT_CYCLES);
	doc_integer_if(o, "rated_bytes_written", rule->has_tbw, rule->tbw_bytes, UNIT_BYTES);
	doc_string(o, "rated_bytes_written_confidence",
		   rule->has_tbw ? confidence_name(rule->tbw_confidence) : NULL);
	doc_bool(o, "no_write_limit", rule->no_write_limit);
	doc_real_if(o, "warranty_years", rule->has_warranty_years, rule->warranty_years, 3);
	doc_integer_if(o, "raw_nand_bytes", rule->has_raw_nand_bytes, rule->raw_nand_bytes,
		       UNIT_BYTES);
	if (rule->has_mtbf_hours)
		doc_real(o, "yearly_failure_percent", report_yearly_failure_percent(rule), 3);
	else
		doc_null(o, "yearly_failure_percent");
	doc_string(o, "nand", rule->nand);
	doc_string(o, "ratings_source", rule->ratings_source);
}

static void add_traits(struct doc *o, const struct drive_rule *rule)
{
	struct doc *quirks;

	doc_bool(o, "compresses", rule->compresses);
	doc_bool(o, "hot_plug_unsafe", rule->hot_plug_unsafe);
	quirks = doc_array(o, "trim_quirks");
	for (size_t i = 0; i < ARRAY_SIZE(trim_quirks); i++)
		if (rule->trim_quirks & trim_quirks[i])
			doc_string(quirks, NULL, trim_quirk_name(trim_quirks[i]));
	doc_string(o, "over_temperature",
		   rule->over_temperature == OVER_TEMPERATURE_UNKNOWN
			   ? NULL
			   : over_temperature_name(rule->over_temperature));
	doc_integer_if(o, "limit_celsius", rule->has_limit_celsius,
		       (i128)rule->limit_celsius * unit_scale(UNIT_CELSIUS), UNIT_CELSIUS);
	doc_integer_if(o, "shutdown_celsius", rule->has_shutdown_celsius,
		       (i128)rule->shutdown_celsius * unit_scale(UNIT_CELSIUS), UNIT_CELSIUS);
	doc_string(o, "newest_firmware", rule->newest_firmware);
}

void report_add_rule(struct doc *parent, const struct drive_rule *rule)
{
	struct doc *o, *list;

	if (!rule->matched) {
		doc_null(parent, "rule");
		return;
	}
	o = doc_object(parent, "rule");
	doc_string(o, "vendor", rule->vendor);
	doc_string(o, "family", rule->family);
	doc_string(o, "origin", rule->origin);
	doc_string(o, "confidence", confidence_name(rule->confidence));
	add_ratings(o, rule);
	add_traits(o, rule);
	list = doc_array(o, "meanings");
	for (size_t i = 0; i < rule->nmeanings; i++)
		add_meaning(list, &rule->meanings[i]);
	list = doc_array(o, "vendor_logs");
	for (size_t i = 0; i < RULE_LAYOUTS_MAX && rule->layouts[i]; i++)
		doc_string(list, NULL, rule->layouts[i]->title);
	list = doc_array(o, "hazards");
	for (size_t i = 0; i < rule->nhazards; i++)
		add_hazard(list, &rule->hazards[i]);
	list = doc_array(o, "claims");
	for (size_t i = 0; i < rule->nclaims; i++) {
		struct doc *claim = doc_object(list, NULL);

		doc_string(claim, "text", rule->claims[i].text);
		doc_string(claim, "source", rule->claims[i].source);
	}
}

struct doc *report_rule(const struct identity *asked, const struct drive_rule *rule,
			int64_t generated_at)
{
	struct doc *root = report_new("db", generated_at);

	doc_string(root, "model", asked->model);
	doc_string(root, "firmware", asked->firmware);
	doc_string(root, "protocol", protocol_name(asked->protocol));
	doc_integer_if(root, "capacity_bytes", asked->has_capacity, asked->capacity_bytes,
		       UNIT_BYTES);
	report_add_rule(root, rule);
	return root;
}

struct doc *report_rule_problems(const struct rules_problem *problems, size_t n,
				 int64_t generated_at)
{
	struct doc *root = report_new("db", generated_at);
	struct doc *list = doc_array(root, "problems");

	for (size_t i = 0; i < n; i++) {
		struct doc *o = doc_object(list, NULL);

		doc_string(o, "where", problems[i].where);
		doc_string(o, "text", problems[i].text);
	}
	return root;
}

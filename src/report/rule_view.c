/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "report/rule.h"

#define TEXT_MAX 256

static const struct view_column pairs[] = {
	{ NULL, 0 },
	{ NULL, 0 },
	{ NULL, COLUMN_WRAP },
};

static void add_pair(struct view *v, const char *name, const char *value, const char *note)
{
	view_cell(v, STYLE_PLAIN, "%s", name);
	view_cell(v, *value ? STYLE_PLAIN : STYLE_DIM, "%s", *value ? value : "not known");
	view_cell(v, STYLE_DIM, "%s", note);
}

static void add_quantity(struct view *v, const char *name, bool has, i128 n, enum unit unit,
			 const char *note)
{
	char text[UNIT_TEXT_MAX] = "";

	if (has)
		format_quantity(n, unit, text);
	add_pair(v, name, text, has ? note : "");
}

static void add_failure_chance(struct view *v, const struct drive_rule *rule)
{
	char text[TEXT_MAX];

	if (!rule->has_mtbf_hours)
		return;
	snprintf(text, sizeof(text), "%.2g %% a year", report_yearly_failure_percent(rule));
	add_pair(v, "chance of failure", text, "by the maker's MTBF; has nothing to do with wear");
}

static void add_ratings(struct view *v, const struct drive_rule *rule)
{
	char text[TEXT_MAX] = "", number[UNIT_TEXT_MAX];

	add_pair(v, "NAND", rule->nand, "");
	add_quantity(v, "raw NAND", rule->has_raw_nand_bytes, rule->raw_nand_bytes, UNIT_BYTES, "");
	add_quantity(v, "rated P/E cycles", rule->has_rated_pe, rule->rated_pe, UNIT_CYCLES,
		     confidence_name(rule->rated_pe_confidence));
	if (rule->has_rated_pe_slc)
		add_quantity(v, "rated P/E cycles, pSLC area", true, rule->rated_pe_slc,
			     UNIT_CYCLES, "");
	if (rule->no_write_limit)
		add_pair(v, "rated writes (TBW)", "no write limit", "the warranty says so");
	else
		add_quantity(v, "rated writes (TBW)", rule->has_tbw, rule->tbw_bytes, UNIT_BYTES,
			     confidence_name(rule->tbw_confidence));
	if (rule->has_warranty_years)
		snprintf(text, sizeof(text), "%.3g years", rule->warranty_years);
	add_pair(v, "warranty", text, "");
	add_failure_chance(v, rule);
	if (*rule->ratings_source)
		add_pair(v, "source of the ratings", rule->ratings_source, "");
	if (rule->has_shutdown_celsius)
		add_pair(v, "switches off at",
			 format_quantity((i128)rule->shutdown_celsius * unit_scale(UNIT_CELSIUS),
					 UNIT_CELSIUS, number),
			 "");
	if (rule->has_limit_celsius)
		add_pair(v, "temperature limit",
			 format_quantity((i128)rule->limit_celsius * unit_scale(UNIT_CELSIUS),
					 UNIT_CELSIUS, number),
			 rule->over_temperature == OVER_TEMPERATURE_UNKNOWN
				 ? ""
				 : over_temperature_name(rule->over_temperature));
	if (*rule->newest_firmware)
		add_pair(v, "newest firmware", rule->newest_firmware, "");
}

static void add_traits(struct view *v, const struct drive_rule *rule)
{
	const struct {
		bool has;
		const char *text;
	} rows[] = {
		{ rule->compresses, "compresses: a write amplification below 1 is real" },
		{ rule->hot_plug_unsafe, "must not be unplugged while it has power" },
		{ rule->trim_quirks & TRIM_CORRUPTS, "TRIM corrupts data: never send it" },
		{ rule->trim_quirks & TRIM_QUEUED_CORRUPTS,
		  "queued TRIM corrupts data; the kernel avoids it" },
		{ rule->trim_quirks & TRIM_NO_SPEED_GAIN, "TRIM does not restore its write speed" },
		{ rule->trim_quirks & TRIM_ZEROES, "reads zeroes after TRIM, dependably" },
		{ rule->host_counter_wraps_32, "its count of sectors written wraps at 2^32" },
		{ rule->statistics_percent_stuck,
		  "does not maintain the percentage used in Device Statistics" },
		{ rule->transient_pending,
		  "pending sectors (attribute 197) come and go harmlessly" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].has)
			view_line(v, STYLE_PLAIN, 2, "%s", rows[i].text);
	for (size_t i = 0; i < rule->nclaims; i++)
		view_line(v, STYLE_DIM, 2, "the maker claims: %s (%s)", rule->claims[i].text,
			  rule->claims[i].source);
}

static void add_hazards(struct view *v, const struct drive_rule *rule)
{
	for (size_t i = 0; i < rule->nhazards; i++) {
		const struct firmware_hazard *h = &rule->hazards[i];

		view_gap(v);
		view_line(v, STYLE_WARNING, 2, "firmware hazard: %s", h->text);
		if (*h->firmware)
			view_line(v, STYLE_PLAIN, 4, "firmware %s", h->firmware);
		if (*h->fixed_in)
			view_line(v, STYLE_PLAIN, 4, "fixed in %s", h->fixed_in);
		view_line(v, STYLE_PLAIN, 4, "%s", h->advice);
		view_line(v, STYLE_DIM, 4, "%s", h->source);
	}
}

static void add_meanings(struct view *v, const struct drive_rule *rule)
{
	static const struct view_column columns[] = {
		{ "ID", COLUMN_RIGHT }, { "ATTRIBUTE", 0 },	     { "TELLS", 0 },
		{ "CONFIDENCE", 0 },	{ "EVIDENCE", COLUMN_WRAP },
	};

	if (!rule->nmeanings)
		return;
	view_gap(v);
	view_table(v, columns, ARRAY_SIZE(columns), 2);
	for (size_t i = 0; i < rule->nmeanings; i++) {
		const struct attribute_meaning *m = &rule->meanings[i];

		view_cell(v, STYLE_PLAIN, "%u", m->id);
		view_cell(v, STYLE_PLAIN, "%s", m->name);
		view_cell(v, STYLE_PLAIN, "%s", m->fact == FACT_NONE ? "" : fact_label(m->fact));
		view_cell(v, STYLE_DIM, "%s%s", confidence_name(m->confidence),
			  m->confidence == CONFIDENCE_MEDIUM ? " (unconfirmed)" : "");
		view_cell(v, STYLE_DIM, "%s", m->source);
	}
}

void report_model_view(const struct drive_rule *rule, struct view *v)
{
	view_table(v, pairs, ARRAY_SIZE(pairs), 2);
	add_ratings(v, rule);
	add_traits(v, rule);
	add_hazards(v, rule);
}

void report_rule_view(const struct identity *asked, bool size_is_guess,
		      const struct drive_rule *rule, struct view *v)
{
	char size[UNIT_TEXT_MAX] = "";
	const char *protocol = protocol_name(asked->protocol);

	if (asked->has_capacity)
		format_bytes(asked->capacity_bytes, size);
	view_line(v, STYLE_HEADING, 0, "%s", asked->model);
	if (!rule->matched) {
		view_line(v, STYLE_PLAIN, 2, "no rule names this model");
		return;
	}
	view_table(v, pairs, ARRAY_SIZE(pairs), 2);
	add_pair(v, "family", rule->family, rule->vendor);
	add_pair(v, "rule", rule->origin, confidence_name(rule->confidence));
	if (protocol)
		add_pair(v, "protocol", protocol, "");
	add_pair(v, "size", size,
		 size_is_guess ? "as its name says"
		 : *size       ? ""
			       : "its ratings may depend on it: give --size");
	if (*asked->firmware)
		add_pair(v, "firmware", asked->firmware, "");
	for (size_t i = 0; i < RULE_LAYOUTS_MAX && rule->layouts[i]; i++)
		add_pair(v, i ? "" : "vendor logs", rule->layouts[i]->title, "");
	report_model_view(rule, v);
	add_meanings(v, rule);
}

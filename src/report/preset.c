/* SPDX-License-Identifier: MIT */
#include "report/preset.h"

#include "base/units.h"
#include "report/answers.h"

static double spare_percent(const struct preset *p)
{
	double op = preset_overprovisioning(p, preset_number(p, PRESET_USER));

	return 100 * op / (1 + op);
}

static const char *basis_text(const struct preset_value *x)
{
	return x->sourced ? "source" : x->fitted ? "fitted" : "assumed";
}

static void add_head(struct doc *o, const struct preset *p)
{
	doc_string(o, "name", p->name);
	doc_string(o, "title", p->title);
	doc_integer(o, "user_bytes", (i128)preset_number(p, PRESET_USER), UNIT_BYTES);
	doc_integer(o, "raw_bytes", (i128)preset_number(p, PRESET_RAW), UNIT_BYTES);
	doc_real(o, "spare_percent", spare_percent(p), 3);
	doc_integer(o, "map_bytes", (i128)preset_map_bytes(p), UNIT_BYTES);
	doc_integer(o, "dram_bytes", (i128)preset_number(p, PRESET_DRAM), UNIT_BYTES);
	doc_bool(o, "map_fits_dram", preset_map_fits(p));
	doc_integer(o, "fitted_values", preset_fitted(p), UNIT_COUNT);
}

struct doc *report_presets(const struct preset *presets, size_t n, int64_t generated_at)
{
	struct doc *root = report_new("db", generated_at);
	struct doc *list = doc_array(root, "presets");

	for (size_t i = 0; i < n; i++)
		add_head(doc_object(list, NULL), &presets[i]);
	return root;
}

void report_presets_view(const struct preset *presets, size_t n, struct view *v)
{
	static const struct view_column columns[] = {
		{ "PRESET", 0 },	   { "SIZE", COLUMN_RIGHT },
		{ "SPARE", COLUMN_RIGHT }, { "PAGE MAP", COLUMN_RIGHT },
		{ "DRAM", COLUMN_RIGHT },  { "DRIVE", COLUMN_WRAP },
	};
	char text[UNIT_TEXT_MAX];

	view_table(v, columns, ARRAY_SIZE(columns), 0);
	for (size_t i = 0; i < n; i++) {
		const struct preset *p = &presets[i];

		view_cell(v, STYLE_PLAIN, "%s", p->name);
		view_cell(v, STYLE_PLAIN, "%s",
			  format_bytes((u128)preset_number(p, PRESET_USER), text));
		view_cell(v, STYLE_PLAIN, "%.3g %%", spare_percent(p));
		view_cell(v, preset_map_fits(p) ? STYLE_PLAIN : STYLE_WARNING, "%s",
			  format_bytes((u128)preset_map_bytes(p), text));
		view_cell(v, STYLE_PLAIN, "%s",
			  format_bytes((u128)preset_number(p, PRESET_DRAM), text));
		view_cell(v, STYLE_PLAIN, "%s", p->title);
	}
	view_gap(v);
	view_line(v, STYLE_DIM, 0,
		  "where the page map is larger than the DRAM, page mapping is an assumption; "
		  "nandlife db presets NAME tells where each value is known from");
}

struct doc *report_preset(const struct preset *p, int64_t generated_at)
{
	struct doc *root = report_new("db", generated_at), *values, *modes;
	struct doc *o = doc_object(root, "preset");

	add_head(o, p);
	doc_string(o, "about", p->about);
	modes = doc_array(o, "capacity_modes_bytes");
	for (unsigned i = 0; i < p->nmodes; i++)
		doc_integer(modes, NULL, (i128)p->modes[i], UNIT_BYTES);
	values = doc_array(o, "values");
	for (unsigned i = 0; i < PRESET_KEY_COUNT; i++) {
		const struct preset_value *x = &p->values[i];
		struct doc *row;

		if (!x->given)
			continue;
		row = doc_object(values, NULL);
		doc_string(row, "key", preset_key_text(i));
		if (preset_key_is_number(i))
			doc_real(row, "value", x->number, 15);
		else
			doc_string(row, "value", x->text);
		doc_string(row, "basis", basis_text(x));
		doc_string(row, "text", x->basis);
	}
	return root;
}

void report_preset_view(const struct preset *p, struct view *v)
{
	static const struct view_column columns[] = {
		{ "VALUE OF", 0 },
		{ "VALUE", COLUMN_RIGHT },
		{ "BASIS", 0 },
		{ "KNOWN FROM", COLUMN_WRAP },
	};
	char text[UNIT_TEXT_MAX];

	view_line(v, STYLE_HEADING, 0, "%s: %s", p->name, p->title);
	view_line(v, STYLE_PLAIN, 2, "%s", p->about);
	for (unsigned i = 0; i < p->nmodes; i++)
		view_line(v, STYLE_PLAIN, 2, "formatted to %s: overprovisioning %.3g %%",
			  format_bytes((u128)p->modes[i], text),
			  100 * preset_overprovisioning(p, p->modes[i]));
	view_line(v, STYLE_PLAIN, 2, "a map of all units takes %s, which %s",
		  format_bytes((u128)preset_map_bytes(p), text),
		  preset_map_fits(p) ? "the DRAM holds"
				     : "the DRAM does not hold: its mapping is an assumption");
	view_gap(v);
	view_table(v, columns, ARRAY_SIZE(columns), 2);
	for (unsigned i = 0; i < PRESET_KEY_COUNT; i++) {
		const struct preset_value *x = &p->values[i];

		if (!x->given)
			continue;
		view_cell(v, STYLE_PLAIN, "%s", preset_key_text(i));
		if (preset_key_is_number(i))
			view_cell(v, STYLE_PLAIN, "%.15g", x->number);
		else
			view_cell(v, STYLE_PLAIN, "%s", x->text);
		view_cell(v, x->sourced ? STYLE_PLAIN : STYLE_DIM, "%s", basis_text(x));
		view_cell(v, STYLE_DIM, "%s", x->basis);
	}
}

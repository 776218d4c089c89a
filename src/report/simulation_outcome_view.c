/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ftl/erase_histogram.h"
#include "report/plot.h"
#include "report/simulation_outcome.h"

#define PLOT_ROWS   8
#define BINS_SHOWN  8
#define BAR_COLUMNS 40

static const struct view_column units_columns[] = {
	{ "MAP UNIT", COLUMN_RIGHT },
	{ "ENTRIES", COLUMN_RIGHT },
	{ "IN THE DRIVE", COLUMN_RIGHT },
	{ "IN A HOST DRIVER", COLUMN_RIGHT },
};

static const struct view_column erases_columns[] = {
	{ "ERASES", COLUMN_RIGHT },
	{ "BLOCKS", COLUMN_RIGHT },
	{ "", 0 },
};

static void add_row(struct view *v, const char *label, const char *value, const char *note)
{
	view_cell(v, STYLE_PLAIN, "%s", label);
	view_cell(v, STYLE_PLAIN, "%s", value);
	view_cell(v, STYLE_DIM, "%s", note);
}

static const char *basis_text(const struct simulation_report *r, const struct endurance_answer *a,
			      char buf[128])
{
	double unevenness;

	switch (a->basis) {
	case ENDURANCE_SIMULATED:
		return "of host writes, as it came";
	case ENDURANCE_MODEL:
		return "of host writes, by integrating over the blocks' limits";
	default:
		snprintf(buf, 128, "of host writes: flash x cycles / (amplification x %s%.3f)",
			 simulation_unevenness(r, &unevenness)
				 ? "unevenness "
				 : "unevenness, too early to tell, so ",
			 a->unevenness);
		return buf;
	}
}

static void add_endurance(struct view *v, const struct simulation_report *r)
{
	const struct endurance_answer a = simulation_endurance(r);
	const double capacity = (double)r->config->capacity_pages * r->config->page_bytes;
	char value[UNIT_TEXT_MAX], low[UNIT_TEXT_MAX], high[UNIT_TEXT_MAX], note[256], buf[128];
	int n = 0;

	if (a.basis == ENDURANCE_UNKNOWN)
		return;
	if (a.bytes.known)
		n = snprintf(note, sizeof(note), "95 %% %s to %s; ",
			     format_bytes((u128)a.bytes.low, low),
			     format_bytes((u128)a.bytes.high, high));
	snprintf(note + n, sizeof(note) - (size_t)n, "%s; %.1f times the drive",
		 basis_text(r, &a, buf), a.bytes.mean / capacity);
	add_row(v, "end of life (TBW)", format_bytes((u128)a.bytes.mean, value), note);
	snprintf(value, sizeof(value), "%.3g", a.dwpd);
	snprintf(note, sizeof(note), "for %g years", r->warranty_years);
	add_row(v, "drive writes a day", value, note);
	if (r->daily_bytes <= 0)
		return;
	n = 0;
	if (a.years.known)
		n = snprintf(note, sizeof(note), "95 %% %.4g to %.4g; ", a.years.low, a.years.high);
	snprintf(note + n, sizeof(note) - (size_t)n, "at %s of host writes a day",
		 format_bytes((u128)r->daily_bytes, low));
	snprintf(value, sizeof(value), "%.4g", a.years.mean);
	add_row(v, "years", value, note);
}

static void add_extents(struct view *v, const struct simulation_report *r)
{
	char value[UNIT_TEXT_MAX], bytes[UNIT_TEXT_MAX], note[128];
	double extents, map;

	if (!simulation_extents(r, &extents, &map))
		return;
	snprintf(note, sizeof(note),
		 "runs that a map of variable length needs at the end; it takes %s",
		 format_bytes((u128)map, bytes));
	add_row(v, "extents", format_grouped((i128)llround(extents), value), note);
}

void simulation_outcome_lifetime(const struct simulation_report *r, struct view *v)
{
	char value[32];
	double lifetime;

	if (r->config->end == END_DEATH || !simulation_lifetime_waf(r, &lifetime))
		return;
	snprintf(value, sizeof(value), "%.4f", lifetime);
	add_row(v, "  since new", value, "the first fill and the wearing in too");
}

void simulation_outcome_rows(const struct simulation_report *r, struct view *v)
{
	add_endurance(v, r);
	add_extents(v, r);
}

/* --- below the table ----------------------------------------------------------------------------
 */

static void add_curve(const struct simulation_report *r, struct view *v)
{
	static const struct {
		double bytes;
		const char *name;
	} units[] = { { 1e12, " TB" }, { 1e9, " GB" }, { 1e6, " MB" }, { 1e3, " kB" } };
	const struct simulation_result *x = r->result;
	CLEANUP(cleanup_free) struct plot_point *points = NULL;
	struct plot plot = {
		.title = "Write amplification, over what the host wrote",
		.axis = PLOT_NUMBERS,
		.columns = r->columns,
		.rows = PLOT_ROWS,
		.unicode = r->unicode,
	};
	double all = x->samples ? (double)x->timeline[x->samples - 1].host_writes *
					  r->config->page_bytes
				: 0;
	size_t unit = 0;

	while (unit + 1 < ARRAY_SIZE(units) && all < 10 * units[unit].bytes)
		unit++;
	points = calloc(x->samples + 1, sizeof(*points));
	if (!points) {
		v->err = -ENOMEM;
		return;
	}
	for (unsigned i = 0; i < x->samples; i++) {
		const struct simulation_sample *s = &x->timeline[i];

		points[plot.n++] = (struct plot_point){
			.time = llround((double)s->host_writes * r->config->page_bytes /
					units[unit].bytes),
			.value = s->written ? (double)s->programmed / (double)s->written : NAN,
		};
	}
	plot.points = points;
	plot.axis_unit = units[unit].name;
	plot.until = plot.n ? points[plot.n - 1].time : 0;
	view_gap(v);
	plot_view(&plot, v);
}

static void add_erases(const struct simulation_report *r, struct view *v)
{
	struct erase_histogram h;
	char bar[BAR_COLUMNS + 1], text[UNIT_TEXT_MAX];
	uint32_t most = 1;

	erase_histogram_of(r->device, BINS_SHOWN, &h);
	if (h.n < 2)
		return;
	for (unsigned i = 0; i < h.n; i++)
		most = h.blocks[i] > most ? h.blocks[i] : most;
	view_gap(v);
	view_table(v, erases_columns, ARRAY_SIZE(erases_columns), 2);
	for (unsigned i = 0; i < h.n; i++) {
		uint32_t from = h.first + i * h.width;
		unsigned n = (unsigned)((uint64_t)h.blocks[i] * BAR_COLUMNS / most);

		for (unsigned k = 0; k < n; k++)
			bar[k] = '#';
		bar[n] = '\0';
		if (h.width > 1)
			view_cell(v, STYLE_PLAIN, "%u-%u", from, from + h.width - 1);
		else
			view_cell(v, STYLE_PLAIN, "%u", from);
		view_cell(v, STYLE_PLAIN, "%s", format_grouped(h.blocks[i], text));
		view_cell(v, STYLE_DIM, "%s", bar);
	}
}

static void add_units(const struct simulation_report *r, struct view *v)
{
	struct mapping_memory units[MAPPING_UNITS_MAX];
	size_t n = simulation_mapping(r, units);
	char text[UNIT_TEXT_MAX];

	view_gap(v);
	view_table(v, units_columns, ARRAY_SIZE(units_columns), 2);
	for (size_t i = 0; i < n; i++) {
		uint64_t kib = units[i].unit_bytes / 1024;

		if (i + 1 == n)
			view_cell(v, STYLE_PLAIN, "block, %llu KiB", (unsigned long long)kib);
		else
			view_cell(v, STYLE_PLAIN, "%llu KiB", (unsigned long long)kib);
		view_cell(v, STYLE_PLAIN, "%s", format_grouped(units[i].entries, text));
		view_cell(v, STYLE_PLAIN, "%s", format_bytes(units[i].device_bytes, text));
		view_cell(v, STYLE_PLAIN, "%s", format_bytes(units[i].host_bytes, text));
	}
}

void simulation_outcome_view(const struct simulation_report *r, struct view *v)
{
	if (r->result && r->result->samples && !r->timed)
		add_curve(r, v);
	if (r->device)
		add_erases(r, v);
	add_units(r, v);
}

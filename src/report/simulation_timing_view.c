/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/plot.h"
#include "report/simulation_timing.h"

#define PLOT_ROWS 8

static const struct view_column columns[] = {
	{ "STAGE", 0 },
	{ "FROM", COLUMN_RIGHT },
	{ "TIME", COLUMN_RIGHT },
	{ "WRITTEN", COLUMN_RIGHT },
	{ "READ", COLUMN_RIGHT },
	{ "MB/s MIN", COLUMN_RIGHT },
	{ "MEAN", COLUMN_RIGHT },
	{ "MAX", COLUMN_RIGHT },
	{ "IOPS", COLUMN_RIGHT },
	{ "WAF", COLUMN_RIGHT },
	{ "MEDIAN", COLUMN_RIGHT },
	{ "99 %", COLUMN_RIGHT },
};

/* A duration with three digits and the unit that suits it. */
static const char *duration_text(uint64_t ns, char buf[UNIT_TEXT_MAX])
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {
		{ 3600e9, "h" }, { 60e9, "min" }, { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }
	};
	size_t i = 0;
	double v;

	if (!ns) {
		snprintf(buf, UNIT_TEXT_MAX, "0 s");
		return buf;
	}
	while (i + 1 < ARRAY_SIZE(units) && (double)ns < units[i].ns)
		i++;
	v = (double)ns / units[i].ns;
	snprintf(buf, UNIT_TEXT_MAX, "%.*f %s",
		 v < 9.995   ? 2
		 : v < 99.95 ? 1
			     : 0,
		 v, units[i].name);
	return buf;
}

static void cell(struct view *v, bool known, const char *text)
{
	view_cell(v, STYLE_PLAIN, "%s", known ? text : "-");
}

static void cell_real(struct view *v, bool known, double x)
{
	char text[UNIT_TEXT_MAX];

	if (x >= 1000)
		format_grouped((i128)llround(x), text);
	else
		snprintf(text, sizeof(text), "%.*f", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x);
	cell(v, known, text);
}

static void add_stage(struct view *v, const struct stage_result *s)
{
	const uint64_t ns = s->end_ns - s->start_ns;
	const bool any = s->writes + s->reads;
	const struct latency_summary *l = s->writes ? &s->write_latency : &s->read_latency;
	char text[UNIT_TEXT_MAX];

	view_cell(v, STYLE_PLAIN, "%s", stage_text(s->kind));
	cell(v, true, duration_text(s->start_ns, text));
	cell(v, true, duration_text(ns, text));
	cell(v, s->writes, format_bytes(s->written_bytes, text));
	cell(v, s->reads, format_bytes(s->read_bytes, text));
	cell_real(v, any, s->least_mb_per_s);
	cell_real(v, any, mb_per_second(s->written_bytes + s->read_bytes, ns));
	cell_real(v, any, s->most_mb_per_s);
	cell_real(v, any, per_second(s->writes + s->reads, ns));
	cell_real(v, s->pages, s->pages ? (double)s->programs / (double)s->pages : 0);
	cell(v, any, duration_text(l->p50_ns, text));
	cell(v, any, duration_text(l->p99_ns, text));
}

static void add_curve(const struct timed_report *t, struct view *v)
{
	CLEANUP(cleanup_free) struct plot_point *points = NULL;
	struct plot plot = {
		.title = "MB/s",
		.axis = PLOT_ELAPSED,
		.columns = t->columns,
		.rows = PLOT_ROWS,
		.unicode = t->unicode,
		.from_zero = true,
	};

	points = calloc(t->result->npoints + 1, sizeof(*points));
	if (!points) {
		v->err = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < t->result->npoints; i++) {
		const struct curve_point *p = &t->result->points[i];
		uint64_t bytes = p->written_bytes + p->read_bytes;

		points[plot.n++] = (struct plot_point){
			.time = (int64_t)(p->start_ns / 2 + p->end_ns / 2) / 1000000,
			.value = mb_per_second(bytes, p->end_ns - p->start_ns),
		};
	}
	plot.points = points;
	plot.until = (int64_t)(t->result->end_ns / 1000000);
	plot_view(&plot, v);
}

void report_timing_view(const struct timed_report *t, struct view *v)
{
	view_gap(v);
	view_table(v, columns, ARRAY_SIZE(columns), 2);
	for (size_t i = 0; i < t->result->n; i++)
		add_stage(v, &t->result->stages[i]);
	view_gap(v);
	add_curve(t, v);
}

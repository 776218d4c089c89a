/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ftl/erase_histogram.h"
#include "report/chart.h"
#include "report/simulation_html.h"
#include "report/ticks.h"

#define POINTS_MAX 256

/* The points of one curve on their way into a chart. */
struct curve_points {
	struct chart_point at[POINTS_MAX];
	size_t n;
	double least, most;
};

struct axis_unit {
	double size;
	const char *title;
};

static void add_point(struct curve_points *c, int64_t x, double y)
{
	if (!isfinite(y) || c->n == POINTS_MAX)
		return;
	c->least = c->n ? fmin(c->least, y) : y;
	c->most = c->n ? fmax(c->most, y) : y;
	c->at[c->n++] = (struct chart_point){ x, 0, y, y, false };
}

/* The largest unit of which the axis has several. */
static const struct axis_unit *unit_of(const struct axis_unit *units, size_t n, double length)
{
	size_t i = 0;

	while (i + 1 < n && length < 3 * units[i].size)
		i++;
	return &units[i];
}

static const struct axis_unit *written_unit(double bytes)
{
	static const struct axis_unit units[] = { { 1e12, "host writes, TB" },
						  { 1e9, "host writes, GB" },
						  { 1e6, "host writes, MB" },
						  { 1e3, "host writes, kB" } };

	return unit_of(units, ARRAY_SIZE(units), bytes);
}

static const struct axis_unit *time_unit(double ms)
{
	static const struct axis_unit units[] = { { 3600e3, "time, hours" },
						  { 60e3, "time, minutes" },
						  { 1e3, "time, seconds" },
						  { 1, "time, ms" } };

	return unit_of(units, ARRAY_SIZE(units), ms);
}

static struct chart new_chart(const char *name, const char *title, const char *y_title,
			      const struct curve_points *c, const struct axis_unit *unit)
{
	struct chart chart = {
		.name = name,
		.title = title,
		.y_title = y_title,
		.axis = CHART_NUMBERS,
		.x_title = unit->title,
		.x_unit = unit->size,
		.to = c->n ? c->at[c->n - 1].time : 1,
		.top = axis_top(c->most * 1.05),
		.nlines = 1,
	};

	chart.lines[0] = (struct chart_line){ .points = c->at, .n = c->n };
	return chart;
}

static void add_level(struct chart *c, double value, const char *label)
{
	struct chart_level *l = &c->levels[c->nlevels++];

	l->value = value;
	snprintf(l->label, sizeof(l->label), "%s", label);
}

/* --- over what the host wrote -----------------------------------------------------------------
 */

static int64_t written_at(const struct simulation_report *r, unsigned sample)
{
	return (int64_t)r->result->timeline[sample].host_writes * r->config->page_bytes;
}

static void add_waf(const struct simulation_report *r, struct curve_points *p, struct str *out)
{
	const struct simulation_result *x = r->result;
	struct chart c;

	*p = (struct curve_points){ 0 };
	for (unsigned i = 0; i < x->samples; i++)
		if (x->timeline[i].written)
			add_point(p, written_at(r, i),
				  (double)x->timeline[i].programmed /
					  (double)x->timeline[i].written);
	if (!p->n)
		return;
	c = new_chart("waf", "Write amplification", "flash pages a host page", p,
		      written_unit((double)p->at[p->n - 1].time));
	snprintf(c.lines[0].label, sizeof(c.lines[0].label), "%.2f", p->at[p->n - 1].middle);
	if (r->analytic && r->analytic->waf < c.top)
		add_level(&c, r->analytic->waf, "analytic model");
	snprintf(c.summary, sizeof(c.summary),
		 "From the first fill of the drive on: %.3g to %.3g flash pages for each page that "
		 "the host writes, %.4g at the end%s.",
		 p->least, p->most, p->at[p->n - 1].middle,
		 r->analytic ? "; the analytic model is of the steady state" : "");
	chart_add(&c, out);
}

static void add_extents(const struct simulation_report *r, struct curve_points *p, struct str *out)
{
	static const struct axis_unit units[] = { { 1e6, "extents, millions" },
						  { 1e3, "extents, thousands" },
						  { 1, "extents" } };
	const struct simulation_result *x = r->result;
	const struct axis_unit *unit = unit_of(units, ARRAY_SIZE(units),
					       r->config->device.logical_pages);
	struct chart c;

	*p = (struct curve_points){ 0 };
	for (unsigned i = 0; i < x->samples; i++)
		if (x->timeline[i].has_extents)
			add_point(p, written_at(r, i), x->timeline[i].extents / unit->size);
	if (!p->n)
		return;
	c = new_chart("extents", "Extents of a variable-length map", unit->title, p,
		      written_unit((double)p->at[p->n - 1].time));
	snprintf(
		c.summary, sizeof(c.summary),
		"Runs of pages that follow each other for the host and in the flash: %.6g at most, "
		"%.6g at the end, of %u pages.",
		p->most * unit->size, p->at[p->n - 1].middle * unit->size,
		r->config->device.logical_pages);
	chart_add(&c, out);
}

/* --- over time ---------------------------------------------------------------------------------
 */

/* Neighbours are taken together where there are more points than a chart shows. */
static void add_speed(const struct simulation_report *r, struct curve_points *p, struct str *out)
{
	const struct stages_result *x = r->timed->result;
	const uint32_t merged = x->npoints / POINTS_MAX + 1;
	struct chart c;

	*p = (struct curve_points){ 0 };
	for (uint32_t i = 0; i < x->npoints; i += merged) {
		uint32_t last = i + merged < x->npoints ? i + merged - 1 : x->npoints - 1;
		uint64_t bytes = 0, start = x->points[i].start_ns, end = x->points[last].end_ns;

		for (uint32_t k = i; k <= last; k++)
			bytes += x->points[k].written_bytes + x->points[k].read_bytes;
		add_point(p, (int64_t)((start / 2 + end / 2) / 1000000),
			  mb_per_second(bytes, end - start));
	}
	if (!p->n)
		return;
	c = new_chart("speed", "Throughput", "MB a second", p, time_unit((double)x->end_ns / 1e6));
	c.to = (int64_t)(x->end_ns / 1000000);
	c.to = c.to ? c.to : 1;
	snprintf(c.summary, sizeof(c.summary),
		 "Reads and writes together, idle times too: %.4g to %.4g MB a second, %.4g at the "
		 "end.",
		 p->least, p->most, p->at[p->n - 1].middle);
	chart_add(&c, out);
}

/* --- wear --------------------------------------------------------------------------------------
 */

static void add_erases(const struct simulation_report *r, struct curve_points *p, struct str *out)
{
	static const struct axis_unit erases = { 1, "erases of a block" };
	struct erase_histogram h;
	struct chart c;

	*p = (struct curve_points){ 0 };
	erase_histogram_of(r->device, ERASE_BINS_MAX, &h);
	for (unsigned i = 0; i < h.n; i++) {
		int64_t from = h.first + (int64_t)i * h.width;

		add_point(p, from, h.blocks[i]);
		add_point(p, from + h.width, h.blocks[i]);
	}
	c = new_chart("erases", "Erase counts of the blocks", "blocks", p, &erases);
	c.from = h.first;
	c.lines[0].band = true;
	snprintf(c.summary, sizeof(c.summary),
		 "Erase counts %u to %u, mean %.1f; a step is %u erase%s wide.",
		 r->result->wear.least, r->result->wear.most, r->result->wear.mean, h.width,
		 h.width == 1 ? "" : "s");
	chart_add(&c, out);
}

void report_simulation_charts(const struct simulation_report *r, struct str *out)
{
	CLEANUP(cleanup_free) struct curve_points *p = malloc(sizeof(*p));

	if (!p) {
		str_take_error(out, &(struct str){ .err = -ENOMEM });
		return;
	}
	str_add(out, "<div class=\"charts\">\n");
	if (r->timed)
		add_speed(r, p, out);
	else
		add_waf(r, p, out);
	if (!r->timed)
		add_extents(r, p, out);
	if (r->device)
		add_erases(r, p, out);
	str_add(out, "</div>\n");
}

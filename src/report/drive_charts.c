/* SPDX-License-Identifier: MIT */
#include "report/drive_charts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "health/temperature.h"
#include "report/curve.h"
#include "report/markup.h"
#include "report/text.h"
#include "report/ticks.h"

#define SHORTEST_DAYS 2.0 /* of a chart */
#define LONGEST_YEARS 30.0

#define MARKS_MAX     64
#define DATE_TEXT     16
#define DEGREES	      "\u00b0C"

/* What the charts of a drive share. Large: heap. */
struct sheet {
	const struct drive_report *r;
	size_t number;
	struct str *out;
	struct curve_window window; /* of the charts of the past */
	struct chart_mark marks[MARKS_MAX];
	size_t nmarks;
	struct curve curves[3];
	struct chart_point cone[FORECAST_POINTS_MAX];
	struct chart_end end;
	char missing[400]; /* charts that the history does not allow */
};

static const char *date_text(int64_t t, char buf[DATE_TEXT])
{
	char text[TIME_TEXT];

	snprintf(buf, DATE_TEXT, "%.10s", time_format(t, text));
	return buf;
}

static void miss(struct sheet *s, const char *what)
{
	size_t n = strlen(s->missing);

	snprintf(s->missing + n, sizeof(s->missing) - n, "%s%s", n ? ", " : "", what);
}

/* A chart over the past, with the drive's events. */
static struct chart new_chart(const struct sheet *s, char name[32], const char *what)
{
	snprintf(name, 32, "c%zu-%s", s->number, what);
	return (struct chart){
		.name = name,
		.from = s->window.from,
		.to = s->window.to,
		.marks = s->marks,
		.nmarks = s->nmarks,
	};
}

static void add_level(struct chart *c, double value, const char *fmt, ...) PRINTF(3, 4);
static void add_level(struct chart *c, double value, const char *fmt, ...)
{
	struct chart_level *level = &c->levels[c->nlevels++];
	va_list ap;

	level->value = value;
	va_start(ap, fmt);
	vsnprintf(level->label, sizeof(level->label), fmt, ap);
	va_end(ap);
}

static struct chart_line *add_line(struct chart *c, const struct curve *curve)
{
	struct chart_line *line = &c->lines[c->nlines++];

	*line = (struct chart_line){ .points = curve->points, .n = curve->n };
	return line;
}

/* --- life left -------------------------------------------------------------------------------- */

static int64_t days_after(int64_t t, double days)
{
	return days * SECONDS_PER_DAY >= (double)(TIME_MAX - t)
		       ? TIME_MAX
		       : t + (int64_t)(days * SECONDS_PER_DAY);
}

/* The forecast's cone, or two lines from now where the estimate is a lifetime's average. */
static size_t fill_cone(struct sheet *s, const struct estimate *e)
{
	const struct forecast *f = &s->r->assessment->forecast;
	double left = e->left_percent;
	size_t n = 0;

	if (f->npoints && f->cone_method == e->method) {
		for (; n < f->npoints; n++)
			s->cone[n] = (struct chart_point){
				.time = f->points[n].time,
				.low = 100 - f->points[n].high,
				.middle = 100 - f->points[n].middle,
				.high = 100 - f->points[n].low,
			};
		return n;
	}
	if (!e->has_days || e->days_left <= 0)
		return 0;
	s->cone[n++] = (struct chart_point){ s->r->now, left, left, left, false };
	if (e->has_interval) {
		double shares[] = { e->days_low, e->days_left, e->days_high };

		for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
			double days = isfinite(shares[i]) ? shares[i] : 3 * e->days_left;

			s->cone[n++] = (struct chart_point){
				.time = days_after(s->r->now, days),
				.low = left * (1 - days / fmax(e->days_low, 1)),
				.middle = left * (1 - days / e->days_left),
				.high = isfinite(e->days_high) ? left * (1 - days / e->days_high)
							       : left,
			};
		}
	} else {
		s->cone[n++] = (struct chart_point){ days_after(s->r->now, e->days_left), 0, 0, 0,
						     false };
	}
	return n;
}

/* As far as the cone goes, but not so far that what was measured is a dot. */
static int64_t last_time(const struct sheet *s, const struct estimate *e, size_t npoints)
{
	double past = (double)(s->r->now - s->window.from) / SECONDS_PER_DAY;
	double most = fmax(fmax(2.2 * e->days_left, 4 * past), 365);
	int64_t to = days_after(s->r->now, fmin(most, LONGEST_YEARS * 365.25));

	if (!npoints)
		return s->window.to;
	return s->cone[npoints - 1].time < to ? s->cone[npoints - 1].time : to;
}

/* The cone up to the chart's end, which it may cross between two points. */
static size_t cut_cone(struct sheet *s, size_t n, int64_t to)
{
	for (size_t i = 1; i < n; i++) {
		struct chart_point *p = &s->cone[i];
		const struct chart_point *q = p - 1;
		double share;

		if (p->time <= to)
			continue;
		share = (double)(to - q->time) / (double)(p->time - q->time);
		p->low = q->low + share * (p->low - q->low);
		p->middle = q->middle + share * (p->middle - q->middle);
		p->high = q->high + share * (p->high - q->high);
		p->time = to;
		return i + 1;
	}
	return n;
}

static void set_end(struct sheet *s, const struct estimate *e)
{
	char text[REPORT_TEXT_MAX];

	s->end = (struct chart_end){ report_end_after(s->r, e, e->days_left),
				     report_end_after(s->r, e, e->days_left),
				     report_end_after(s->r, e, e->days_left), "" };
	if (e->has_interval) {
		s->end.low = report_end_after(s->r, e, e->days_low);
		s->end.high = report_end_after(s->r, e, e->days_high);
	}
	snprintf(s->end.label, sizeof(s->end.label), "%.40s", report_ends(s->r, e, text));
}

static void life_summary(const struct sheet *s, const struct estimate *e, const struct curve *past,
			 char buf[512])
{
	const struct forecast *f = &s->r->assessment->forecast;
	char text[REPORT_TEXT_MAX], from[DATE_TEXT], now[DATE_TEXT], interval[REPORT_TEXT_MAX];
	int n = 0;

	if (past->n > 1)
		n = snprintf(buf, 512, "From %.3g %% left on %s to ", past->first,
			     date_text(past->first_time, from));
	n += snprintf(buf + n, 512 - (size_t)n, "%.3g %% left on %s, by %s. ", e->left_percent,
		      date_text(s->r->now, now), method_label(e->method));
	if (!e->has_days)
		snprintf(buf + n, 512 - (size_t)n, "No date: %s.",
			 *e->reason ? e->reason : "not enough wear to tell");
	else if (e->days_left <= 0)
		snprintf(buf + n, 512 - (size_t)n, "Worn out.");
	else
		snprintf(buf + n, 512 - (size_t)n,
			 "It %s; 90\u00a0%% interval %s; this rests on %s.",
			 report_ends(s->r, e, text), report_interval(s->r, e, interval),
			 f->npoints && f->cone_method == e->method
				 ? f->by_method[e->method].rests_on
				 : "the lifetime's average and the counter's steps alone");
}

static void add_life(struct sheet *s)
{
	const struct estimate *e = report_binding(s->r);
	struct curve *past = &s->curves[0];
	char name[32];
	struct chart c = new_chart(s, name, "life");
	struct chart_line *line;
	size_t npoints;

	if (!e || !e->has_left) {
		miss(s, "life left (no method gives it)");
		return;
	}
	npoints = fill_cone(s, e);
	c.to = last_time(s, e, npoints);
	npoints = cut_cone(s, npoints, c.to);
	*past = (struct curve){ 0 };
	if (s->r->series)
		curve_life_left(s->r->series, e, &(struct curve_window){ c.from, c.to }, past);
	if (past->n + npoints < 2) {
		miss(s, "life left");
		return;
	}
	if (!past->n)
		past->points[past->n++] = (struct chart_point){ s->r->now, e->left_percent,
								e->left_percent, e->left_percent,
								false };
	c.title = "Life left";
	c.y_title = "life left, %";
	c.top = 100;
	line = add_line(&c, past);
	snprintf(line->label, sizeof(line->label), "%.3g %%", e->left_percent);
	if (npoints) {
		c.lines[c.nlines++] = (struct chart_line){
			.stroke = STROKE_DASHED,
			.band = e->has_interval,
			.points = s->cone,
			.n = npoints,
		};
		set_end(s, e);
		c.end = &s->end;
		c.keys = true;
	}
	life_summary(s, e, past, c.summary);
	chart_add(&c, s->out);
}

/* --- the past ----------------------------------------------------------------------------------
 */

/* Bytes in the largest unit that keeps the numbers of an axis short. */
static const struct byte_scale {
	double bytes;
	const char *name, *title;
} byte_scales[] = {
	{ 1e15, "PB", "host writes, PB a day" }, { 1e12, "TB", "host writes, TB a day" },
	{ 1e9, "GB", "host writes, GB a day" },	 { 1e6, "MB", "host writes, MB a day" },
	{ 1e3, "kB", "host writes, kB a day" },	 { 1, "B", "host writes, B a day" },
};

static const struct byte_scale *byte_scale(double bytes)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(byte_scales) && bytes < byte_scales[i].bytes)
		i++;
	return &byte_scales[i];
}

static void scale_curve(struct curve *c, double by)
{
	for (size_t i = 0; i < c->n; i++) {
		c->points[i].low *= by;
		c->points[i].middle *= by;
		c->points[i].high *= by;
	}
	c->lowest *= by;
	c->highest *= by;
	c->last *= by;
}

static const char *shade_text(const struct curve *c)
{
	return c->thinned ? "; the shade spans the lowest and the highest" : "";
}

static void add_writes(struct sheet *s)
{
	struct curve *rate = &s->curves[0];
	const struct byte_scale *scale;
	struct chart_line *line;
	char name[32], from[DATE_TEXT], to[DATE_TEXT];
	struct chart c = new_chart(s, name, "writes");

	curve_rate(s->r->series, FACT_HOST_BYTES_WRITTEN, &s->window, rate);
	if (rate->n < 2) {
		miss(s, "writes a day");
		return;
	}
	scale = byte_scale(rate->highest);
	scale_curve(rate, 1 / scale->bytes);
	c.title = "Host writes a day";
	c.y_title = scale->title;
	c.top = axis_top(rate->highest);
	line = add_line(&c, rate);
	line->band = true;
	snprintf(line->label, sizeof(line->label), "%.3g %s", rate->points[rate->n - 1].middle,
		 scale->name);
	snprintf(c.summary, sizeof(c.summary),
		 "Between %.3g and %.3g %s a day from %s to %s, last %.3g %s%s.", rate->lowest,
		 rate->highest, scale->name, date_text(rate->first_time, from),
		 date_text(rate->last_time, to), rate->last, scale->name, shade_text(rate));
	chart_add(&c, s->out);
}

static void add_waf(struct sheet *s)
{
	const struct wear *w = &s->r->assessment->wear;
	struct curve *ratio = &s->curves[0];
	struct chart_line *line;
	char name[32], from[DATE_TEXT], to[DATE_TEXT];
	struct chart c = new_chart(s, name, "waf");
	int n;

	curve_ratio(s->r->series, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN, &s->window,
		    ratio);
	if (ratio->n < 2) {
		miss(s, "write amplification");
		return;
	}
	c.title = "Write amplification";
	c.y_title = "NAND bytes a host byte";
	c.top = axis_top(w->has_waf_lifetime ? fmax(ratio->highest, w->waf_lifetime)
					     : ratio->highest);
	line = add_line(&c, ratio);
	line->band = true;
	snprintf(line->label, sizeof(line->label), "%.2f", ratio->points[ratio->n - 1].middle);
	if (w->has_waf_lifetime)
		add_level(&c, w->waf_lifetime, "lifetime %.2f", w->waf_lifetime);
	n = snprintf(c.summary, sizeof(c.summary), "Between %.2f and %.2f from %s to %s, last %.2f",
		     ratio->lowest, ratio->highest, date_text(ratio->first_time, from),
		     date_text(ratio->last_time, to), ratio->last);
	if (w->has_waf_lifetime)
		snprintf(c.summary + n, sizeof(c.summary) - (size_t)n, "; lifetime %.2f.",
			 w->waf_lifetime);
	else
		snprintf(c.summary + n, sizeof(c.summary) - (size_t)n, ".");
	chart_add(&c, s->out);
}

static void add_erases(struct sheet *s)
{
	static const struct {
		enum fact_id id;
		const char *name;
		enum chart_stroke stroke;
		enum chart_tone tone;
	} rows[] = {
		{ FACT_ERASE_COUNT_MAX, "max", STROKE_DASHED, TONE_SECOND },
		{ FACT_ERASE_COUNT_AVG, "avg", STROKE_SOLID, TONE_MAIN },
		{ FACT_ERASE_COUNT_MIN, "min", STROKE_DOTTED, TONE_QUIET },
	};
	char name[32], number[UNIT_TEXT_MAX];
	struct chart c = new_chart(s, name, "erases");
	double highest = 0;
	size_t at = 0;
	i128 rated;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct curve *curve = &s->curves[i];
		struct chart_line *line;

		curve_fact(s->r->series, rows[i].id, &s->window, curve);
		if (curve->n < 2)
			continue;
		highest = fmax(highest, curve->highest);
		line = add_line(&c, curve);
		line->stroke = rows[i].stroke;
		line->tone = rows[i].tone;
		format_grouped((i128)curve->last, number);
		snprintf(line->label, sizeof(line->label), "%s %.20s", rows[i].name, number);
		at += (size_t)snprintf(c.summary + at, sizeof(c.summary) - at,
				       "%s%s from %.6g to %.30s", at ? ", " : "", rows[i].name,
				       curve->first, number);
	}
	if (!c.nlines) {
		miss(s, "erase counts");
		return;
	}
	c.title = "Erase counts of the blocks";
	c.y_title = "program/erase cycles";
	if (facts_number(&s->r->assessment->facts, FACT_RATED_PE_CYCLES, &rated)) {
		char label[CHART_LABEL_MAX];

		/* a rating far beyond the counts would press them flat */
		if ((double)rated <= 10 * highest)
			highest = fmax(highest, (double)rated);
		snprintf(label, sizeof(label), "rated %.20s",
			 format_quantity(rated, UNIT_CYCLES, number));
		add_level(&c, (double)rated, "%s", label);
		at += (size_t)snprintf(c.summary + at, sizeof(c.summary) - at, "; %s", label);
	} else {
		at += (size_t)snprintf(c.summary + at, sizeof(c.summary) - at,
				       "; the rated cycles are not known");
	}
	snprintf(c.summary + at, sizeof(c.summary) - at, ".");
	c.top = axis_top(highest);
	chart_add(&c, s->out);
}

static void add_temperature(struct sheet *s)
{
	struct curve *curve = &s->curves[0];
	struct temperature_limits limits;
	struct chart_line *line;
	char name[32], from[DATE_TEXT], to[DATE_TEXT];
	struct chart c = new_chart(s, name, "temperature");

	curve_fact(s->r->series, FACT_TEMPERATURE, &s->window, curve);
	if (curve->n < 2) {
		miss(s, "temperature");
		return;
	}
	temperature_limits(s->r->reading, s->r->rule, s->r->limits, &limits);
	c.title = "Temperature";
	c.y_title = "temperature, " DEGREES;
	c.top = axis_top(fmax(curve->highest, limits.critical.celsius));
	line = add_line(&c, curve);
	line->band = true;
	snprintf(line->label, sizeof(line->label), "%.3g " DEGREES, curve->last);
	add_level(&c, limits.warning.celsius, "warning %g " DEGREES, limits.warning.celsius);
	if (limits.critical.celsius > limits.warning.celsius)
		add_level(&c, limits.critical.celsius, "critical %g " DEGREES,
			  limits.critical.celsius);
	snprintf(c.summary, sizeof(c.summary),
		 "Between %.3g and %.3g " DEGREES " from %s to %s, last %.3g " DEGREES
		 "%s. Warning limit %g " DEGREES " (%s), critical %g " DEGREES " (%s).",
		 curve->lowest, curve->highest, date_text(curve->first_time, from),
		 date_text(curve->last_time, to), curve->last, shade_text(curve),
		 limits.warning.celsius, limits.warning.who, limits.critical.celsius,
		 limits.critical.who);
	chart_add(&c, s->out);
}

/* The first and last sample that count; the chart ends now. */
static void set_window(struct sheet *s)
{
	const struct series *series = s->r->series;
	int64_t least = (int64_t)(SHORTEST_DAYS * SECONDS_PER_DAY);

	s->window = (struct curve_window){ s->r->now, s->r->now };
	for (size_t i = 0; series && i < series->nsamples; i++) {
		if (series->samples[i].aside)
			continue;
		if (series->samples[i].time < s->window.from)
			s->window.from = series->samples[i].time;
		if (series->samples[i].time > s->window.to)
			s->window.to = series->samples[i].time;
	}
	if (s->window.to - s->window.from < least)
		s->window.from = s->window.to - least;
}

/* The latest MARKS_MAX events, numbered as report_events lists them. */
static void set_marks(struct sheet *s)
{
	const struct series *series = s->r->series;
	size_t first = series && series->nevents > MARKS_MAX ? series->nevents - MARKS_MAX : 0;

	for (size_t i = first; series && i < series->nevents; i++)
		if (series->events[i].time >= s->window.from &&
		    series->events[i].time <= s->window.to)
			s->marks[s->nmarks++] = (struct chart_mark){ series->events[i].time,
								     (unsigned)i + 1 };
}

void drive_charts_add(const struct drive_report *r, size_t number, struct str *out)
{
	CLEANUP(cleanup_free) struct sheet *s = calloc(1, sizeof(*s));
	bool history = r->series && r->series->nsamples > 1;

	if (!s) {
		out->err = out->err ? out->err : -ENOMEM;
		return;
	}
	*s = (struct sheet){ .r = r, .number = number, .out = out };
	set_window(s);
	set_marks(s);
	str_add(out, "<div class=\"charts\">\n");
	add_life(s);
	if (history) {
		add_writes(s);
		add_waf(s);
		add_erases(s);
		add_temperature(s);
	}
	str_add(out, "</div>\n");
	if (!history)
		str_add(out, "<p class=\"note\">Charts of writes, write amplification, erase "
			     "counts and temperature need a history of two samples or more; "
			     "<code>nandlife record</code> keeps one.</p>\n");
	if (*s->missing) {
		str_add(out, "<p class=\"note\">No chart, because this history does not show it: ");
		markup_add(out, s->missing);
		str_add(out, ".</p>\n");
	}
}

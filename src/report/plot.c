/* SPDX-License-Identifier: MIT */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/times.h"

#define DOTS_ACROSS	2 /* of a Braille pattern */
#define DOTS_DOWN	4
#define TICKS		4 /* about so many values on the vertical axis */
#define GUTTER_MAX	14
#define LABEL_GAP	2
#define LABEL_MAX	96
#define AXIS_TICKS_MAX	16
#define ELAPSED_COLUMNS 10 /* of an axis, at least, for each step of elapsed time */
#define CANVAS_BYTES	(PLOT_COLUMNS_MAX * PLOT_ROWS_MAX)

/* The state of one drawing. */
struct drawing {
	const struct plot *p;
	unsigned columns, rows, gutter; /* in characters: of the curve, and left of it */
	int64_t since, until;
	double low, high, step;	     /* of the vertical axis */
	uint8_t cells[CANVAS_BYTES]; /* row-major; bits of a Braille pattern */
};

static bool is_drawn(const struct drawing *d, const struct plot_point *pt)
{
	return isfinite(pt->value) && pt->time >= d->since && pt->time <= d->until;
}

static bool find_range(struct drawing *d)
{
	const struct plot *p = d->p;
	bool any = false;

	d->since = p->since;
	d->until = p->until;
	if (p->since == p->until && p->n) {
		d->since = p->points[0].time;
		d->until = p->points[p->n - 1].time;
	}
	for (size_t i = 0; i < p->n; i++) {
		double v = p->points[i].value;

		if (!is_drawn(d, &p->points[i]))
			continue;
		d->low = any ? fmin(d->low, v) : v;
		d->high = any ? fmax(d->high, v) : v;
		any = true;
	}
	return any;
}

/* 1, 2 or 5 times a power of ten, not below v. */
static double round_step(double v)
{
	double power = pow(10, floor(log10(v))), digit = v / power;

	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/* Round ends for the vertical axis. */
static void choose_axis(struct drawing *d)
{
	double span;

	if (d->p->from_zero && d->low > 0)
		d->low = 0;
	span = d->high - d->low;
	/* a flat curve lies in the middle; a double must be able to tell the steps apart */
	if (span <= fabs(d->high) * 1e-9)
		span = d->high != 0 ? fabs(d->high) * 0.1 : 1;
	d->step = round_step(span / TICKS);
	d->low = floor(d->low / d->step) * d->step;
	d->high = ceil(d->high / d->step) * d->step;
	if (d->high <= d->low)
		d->high = d->low + d->step;
}

/* The row of dots of a value, 0 at the top. */
static int dot_row(const struct drawing *d, double v)
{
	int rows = (int)d->rows * DOTS_DOWN;

	return (int)lround((d->high - v) / (d->high - d->low) * (rows - 1));
}

static int dot_column(const struct drawing *d, int64_t t)
{
	int columns = (int)d->columns * DOTS_ACROSS;

	if (d->until <= d->since)
		return columns / 2;
	return (int)lround(((double)t - (double)d->since) / ((double)d->until - (double)d->since) *
			   (columns - 1));
}

static void set_dot(struct drawing *d, int column, int row)
{
	/* Unicode 9.1, table 21-1: dots 1 2 3 7 on the left, 4 5 6 8 on the right */
	static const uint8_t bits[DOTS_DOWN][DOTS_ACROSS] = {
		{ 0x01, 0x08 }, { 0x02, 0x10 }, { 0x04, 0x20 }, { 0x40, 0x80 }
	};
	unsigned x = (unsigned)column / DOTS_ACROSS, y = (unsigned)row / DOTS_DOWN;

	d->cells[y * d->columns + x] |= bits[row % DOTS_DOWN][column % DOTS_ACROSS];
}

/* All dots from one to the other (Bresenham). */
static void draw_line(struct drawing *d, int x0, int y0, int x1, int y1)
{
	int dx = abs(x1 - x0), dy = -abs(y1 - y0), sx = x0 < x1 ? 1 : -1, sy = y0 < y1 ? 1 : -1;
	int err = dx + dy;

	for (;;) {
		int twice = 2 * err;

		set_dot(d, x0, y0);
		if (x0 == x1 && y0 == y1)
			return;
		if (twice >= dy) {
			err += dy;
			x0 += sx;
		}
		if (twice <= dx) {
			err += dx;
			y0 += sy;
		}
	}
}

static void draw_curve(struct drawing *d)
{
	const struct plot_point *before = NULL;

	for (size_t i = 0; i < d->p->n; i++) {
		const struct plot_point *pt = &d->p->points[i];
		int x, y;

		if (!is_drawn(d, pt))
			continue;
		x = dot_column(d, pt->time);
		y = dot_row(d, pt->value);
		if (before && (d->p->gap_seconds <= 0 ||
			       (double)(pt->time - before->time) <= d->p->gap_seconds))
			draw_line(d, dot_column(d, before->time), dot_row(d, before->value), x, y);
		else
			set_dot(d, x, y);
		before = pt;
	}
}

/* The value that stands at this row of characters; false where none does. */
static bool tick_at(const struct drawing *d, unsigned row, double *ret)
{
	long n = lround((d->high - d->low) / d->step);

	for (long i = 0; i <= n; i++) {
		double v = d->low + (double)i * d->step;

		if ((unsigned)dot_row(d, v) / DOTS_DOWN == row) {
			*ret = fabs(v) < d->step / 2 ? 0 : v;
			return true;
		}
	}
	return false;
}

static void tick_text(const struct drawing *d, double v, char buf[UNIT_TEXT_MAX])
{
	if (d->p->label)
		d->p->label(d->p->label_arg, v, buf);
	else
		snprintf(buf, UNIT_TEXT_MAX, "%.6g", v);
}

static unsigned widest_tick(const struct drawing *d)
{
	char text[UNIT_TEXT_MAX];
	size_t widest = 0;
	double v;

	for (unsigned row = 0; row < d->rows; row++) {
		if (!tick_at(d, row, &v))
			continue;
		tick_text(d, v, text);
		widest = text_columns(text) > widest ? text_columns(text) : widest;
	}
	return widest < GUTTER_MAX ? (unsigned)widest : GUTTER_MAX;
}

static void add_cell(struct str *line, uint8_t bits, bool unicode)
{
	const unsigned code = 0x2800u + bits;

	if (!bits) {
		str_add_char(line, ' ');
	} else if (!unicode) {
		str_add_char(line, '*');
	} else {
		str_add_char(line, (char)(0xe0 | code >> 12));
		str_add_char(line, (char)(0x80 | (code >> 6 & 0x3f)));
		str_add_char(line, (char)(0x80 | (code & 0x3f)));
	}
}

static void add_line(struct view *v, struct str *line)
{
	while (line->len && line->s[line->len - 1] == ' ')
		line->s[--line->len] = '\0';
	if (str_error(line))
		v->err = v->err ? v->err : str_error(line);
	view_line(v, STYLE_PLAIN, 0, "%s", str_text(line));
	str_release(line);
}

static void add_row(const struct drawing *d, unsigned row, struct view *v)
{
	struct str line = { 0 };
	char text[UNIT_TEXT_MAX] = "";
	double tick;
	bool has_tick = tick_at(d, row, &tick);
	size_t width;

	if (has_tick)
		tick_text(d, tick, text);
	width = text_columns(text);
	str_add_repeat(&line, ' ', width < d->gutter ? d->gutter - width : 0);
	str_addf(&line, "%s ", text);
	if (d->p->unicode)
		str_add(&line, has_tick ? "┤" : "│");
	else
		str_add(&line, has_tick ? "+" : "|");
	for (unsigned x = 0; x < d->columns; x++)
		add_cell(&line, d->cells[row * d->columns + x], d->p->unicode);
	add_line(v, &line);
}

/* A date as exact as the axis is long. */
static void date_text(const struct drawing *d, int64_t t, char buf[LABEL_MAX])
{
	int64_t span = d->until - d->since;

	time_format(t, buf);
	if (span > 3 * 366 * (int64_t)SECONDS_PER_DAY) {
		buf[7] = '\0'; /* 2026-05 */
	} else if (span > 4 * SECONDS_PER_DAY) {
		buf[10] = '\0'; /* 2026-05-01 */
	} else {
		buf[10] = ' ';
		buf[16] = '\0'; /* 2026-05-01 10:00 */
	}
}

/* Steps of an axis of elapsed time in milliseconds, with the unit that suits them. */
static const struct {
	int64_t step, unit;
	const char *name;
} elapsed[] = {
	{ 1, 1, "ms" },
	{ 2, 1, "ms" },
	{ 5, 1, "ms" },
	{ 10, 1, "ms" },
	{ 20, 1, "ms" },
	{ 50, 1, "ms" },
	{ 100, 1, "ms" },
	{ 200, 1, "ms" },
	{ 500, 1, "ms" },
	{ 1000, 1000, "s" },
	{ 2000, 1000, "s" },
	{ 5000, 1000, "s" },
	{ 10000, 1000, "s" },
	{ 20000, 1000, "s" },
	{ 30000, 1000, "s" },
	{ 60000, 60000, "min" },
	{ 120000, 60000, "min" },
	{ 300000, 60000, "min" },
	{ 600000, 60000, "min" },
	{ 900000, 60000, "min" },
	{ 1800000, 60000, "min" },
	{ 3600000, 3600000, "h" },
	{ 7200000, 3600000, "h" },
	{ 10800000, 3600000, "h" },
	{ 21600000, 3600000, "h" },
	{ 43200000, 3600000, "h" },
	{ 86400000, 86400000, "d" },
	{ 172800000, 86400000, "d" },
	{ 432000000, 86400000, "d" },
	{ 864000000, 86400000, "d" },
	{ 1728000000, 86400000, "d" },
	{ 4320000000, 86400000, "d" },
	{ 8640000000, 86400000, "d" },
};

/* The place in `elapsed` of the step for an axis with so many columns. */
static size_t elapsed_step(const struct drawing *d)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(elapsed) &&
	       (d->until - d->since) / elapsed[i].step > d->columns / ELAPSED_COLUMNS)
		i++;
	return i;
}

static int64_t axis_step(const struct drawing *d)
{
	double span = (double)d->until - (double)d->since;
	int64_t step, most = d->columns / ELAPSED_COLUMNS;

	if (d->p->axis == PLOT_NUMBERS)
		return span / 4 > 1 ? (int64_t)round_step(span / 4) : 1;
	step = elapsed[elapsed_step(d)].step;
	/* longer than the longest of the table */
	return (d->until - d->since) / step > most ? (d->until - d->since) / most : step;
}

static void axis_text(const struct drawing *d, int64_t t, char buf[LABEL_MAX])
{
	char number[UNIT_TEXT_MAX];
	size_t i;

	switch (d->p->axis) {
	case PLOT_DATES:
		date_text(d, t, buf);
		break;
	case PLOT_ELAPSED:
		i = elapsed_step(d);
		snprintf(buf, LABEL_MAX, "%lld %s", (long long)(t / elapsed[i].unit),
			 elapsed[i].name);
		break;
	case PLOT_NUMBERS:
		snprintf(buf, LABEL_MAX, "%s%s%s", format_grouped(t, number),
			 d->p->axis_unit ? " " : "", d->p->axis_unit ? d->p->axis_unit : "");
		break;
	}
}

/* What stands under the horizontal axis, from left to right. */
struct axis_ticks {
	int64_t at[AXIS_TICKS_MAX];
	unsigned column[AXIS_TICKS_MAX];
	size_t n;
};

/* Dates are spread evenly over the axis, its ends included. */
static void spread_ticks(const struct drawing *d, struct axis_ticks *ret)
{
	char text[LABEL_MAX];
	size_t width, n;

	axis_text(d, d->since, text);
	width = text_columns(text);
	/* those at the ends stand within the curve, so that their neighbours are nearer */
	n = 1 + d->columns / (width + width / 2 + LABEL_GAP);
	n = n > 5 ? 5 : n;
	if (d->until <= d->since || n == 1) {
		*ret = (struct axis_ticks){ { d->since }, { d->columns / 2 }, 1 };
		return;
	}
	ret->n = n;
	for (size_t i = 0; i < n; i++) {
		ret->at[i] = d->since + (d->until - d->since) / (int64_t)(n - 1) * (int64_t)i;
		ret->column[i] = (unsigned)(i * (d->columns - 1) / (n - 1));
	}
}

static void round_ticks(const struct drawing *d, struct axis_ticks *ret)
{
	int64_t step = axis_step(d), t = (d->since + step - 1) / step * step;

	ret->n = 0;
	for (; t <= d->until && ret->n < AXIS_TICKS_MAX; t += step) {
		ret->at[ret->n] = t;
		ret->column[ret->n++] = (unsigned)dot_column(d, t) / DOTS_ACROSS;
	}
}

/* The line under the curve with a tick at each label, and the labels under that. */
static void add_axis(const struct drawing *d, struct view *v)
{
	struct str axis = { 0 }, labels = { 0 };
	struct axis_ticks ticks;
	const size_t indent = d->gutter + 2;
	size_t next = 0, at = 0; /* columns of the labels so far */

	if (d->p->axis == PLOT_DATES)
		spread_ticks(d, &ticks);
	else
		round_ticks(d, &ticks);
	str_add_repeat(&axis, ' ', d->gutter + 1);
	str_add(&axis, d->p->unicode ? "└" : "+");
	str_add_repeat(&labels, ' ', indent);
	for (unsigned x = 0; x < d->columns; x++) {
		bool tick = next < ticks.n && x == ticks.column[next];
		char text[LABEL_MAX];
		size_t start, width;

		str_add(&axis, d->p->unicode ? (tick ? "┴" : "─") : tick ? "+" : "-");
		if (!tick)
			continue;
		axis_text(d, ticks.at[next++], text);
		width = text_columns(text);
		/* the middle of the label under its tick, within the curve's columns */
		start = x > width / 2 ? x - width / 2 : 0;
		start = start + width > d->columns ? d->columns - width : start;
		if (at && start < at + 1)
			continue; /* no room */
		str_add_repeat(&labels, ' ', start - at);
		str_add(&labels, text);
		at = start + width;
	}
	add_line(v, &axis);
	add_line(v, &labels);
}

static void add_marks(const struct drawing *d, struct view *v)
{
	char marks[PLOT_COLUMNS_MAX + 1];
	bool any = false;

	memset(marks, ' ', d->columns);
	marks[d->columns] = '\0';
	for (size_t i = 0; i < d->p->nmarks; i++) {
		int64_t t = d->p->marks[i];

		if (t < d->since || t > d->until)
			continue;
		marks[dot_column(d, t) / DOTS_ACROSS] = '^';
		any = true;
	}
	if (any) {
		struct str line = { 0 };

		str_add_repeat(&line, ' ', d->gutter + 2);
		str_add(&line, marks);
		add_line(v, &line);
	}
}

void plot_view(const struct plot *p, struct view *v)
{
	struct drawing d = { .p = p };
	unsigned columns = p->columns;

	view_line(v, STYLE_HEADING, 0, "%s", p->title);
	if (!find_range(&d)) {
		view_line(v, STYLE_DIM, 2, "nothing to show: it is not known at any time");
		return;
	}
	columns = columns < PLOT_COLUMNS_MIN ? PLOT_COLUMNS_MIN : columns;
	columns = columns > PLOT_COLUMNS_MAX ? PLOT_COLUMNS_MAX : columns;
	d.rows = p->rows < 2 ? 2 : p->rows > PLOT_ROWS_MAX ? PLOT_ROWS_MAX : p->rows;
	choose_axis(&d);
	d.gutter = widest_tick(&d);
	d.columns = columns - d.gutter - 2;
	draw_curve(&d);
	for (unsigned row = 0; row < d.rows; row++)
		add_row(&d, row, v);
	add_axis(&d, v);
	add_marks(&d, v);
}

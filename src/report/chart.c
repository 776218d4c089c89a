/* SPDX-License-Identifier: MIT */
#include "report/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/markup.h"
#include "report/ticks.h"

/*
 * Two coordinate systems. The outer picture has no viewBox: y is in CSS pixels, x in percent of the
 * width. Curves cannot be given in percent, so they stand in an inner picture of STRETCHED units
 * across that is stretched to the width; strokes keep theirs by vector-effect.
 */
#define HEIGHT	    160 /* of the plot, CSS pixels */
#define STRETCHED   2000
#define EDGE	    3  /* beyond the plot, for the width of strokes; CSS pixels */
#define BEYOND	    4  /* times the height that a curve may leave the plot */
#define LINE_HEIGHT 14 /* of text, CSS pixels */

#define Y_TICKS	    5
#define X_TICKS	    9

/* Numbers of events closer than this, in percent of the width, are told as one: "3-5". */
#define MARKS_APART 7.0

struct picture {
	const struct chart *c;
	struct str *out;
};

static double clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

static double share(const struct chart *c, double time)
{
	return clamp((time - (double)c->from) / (double)(c->to - c->from), 0, 1);
}

static double percent(const struct chart *c, double time)
{
	return 100 * share(c, time);
}

static double y_of(const struct chart *c, double v)
{
	return HEIGHT * (1 - clamp(v / c->top, 0, 1));
}

/* Text beyond the middle of the width ends where it belongs, so that it stays within the chart. */
static const char *anchor_at(double percent)
{
	return percent < 20 ? "start" : percent > 80 ? "end" : "middle";
}

static void add_text(const struct picture *p, const char *class, double x, double dx, double y,
		     const char *anchor, const char *text)
{
	str_addf(p->out, "<text class=\"%s\" x=\"%.2f%%\" dx=\"%.0f\" y=\"%.1f\"", class, x, dx, y);
	if (strcmp(anchor, "start") != 0)
		str_addf(p->out, " text-anchor=\"%s\"", anchor);
	str_add(p->out, ">");
	markup_add(p->out, text);
	str_add(p->out, "</text>");
}

static void add_y_axis(const struct picture *p)
{
	struct tick ticks[TICKS_MAX];
	size_t n = ticks_numbers(p->c->top, Y_TICKS, ticks);

	for (size_t i = 0; i < n; i++) {
		double y = y_of(p->c, ticks[i].at);

		str_addf(p->out,
			 "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>",
			 i ? "grid" : "axis", y, y);
		add_text(p, "tick", 0, -6, y + 4, "end", ticks[i].label);
	}
	add_text(p, "name", 0, -50, -22, "start", p->c->y_title);
}

static void add_x_axis(const struct picture *p)
{
	struct tick ticks[TICKS_MAX];
	const struct chart *c = p->c;
	const bool dates = c->axis == CHART_DATES;
	size_t n = dates ? ticks_dates(c->from, c->to, X_TICKS, ticks)
			 : ticks_between((double)c->from / c->x_unit, (double)c->to / c->x_unit,
					 X_TICKS, ticks);

	for (size_t i = 0; i < n; i++) {
		double x = percent(c, ticks[i].at * (dates ? 1 : c->x_unit));

		str_addf(p->out, "<g class=\"%s\">", tick_class(i, n));
		str_addf(p->out,
			 "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
			 x, x, HEIGHT, HEIGHT + 4);
		add_text(p, "tick", x, 0, HEIGHT + 17, "middle", ticks[i].label);
		str_add(p->out, "</g>");
	}
	add_text(p, "name", 100, 0, HEIGHT + 33, "end", dates ? "date (UTC)" : c->x_title);
}

/* Does the first line begin nearer to this height than it ends? */
static bool runs_left(const struct chart *c, double y)
{
	const struct chart_line *l = &c->lines[0];

	return c->nlines && l->n &&
	       fabs(y_of(c, l->points[0].middle) - y) <
		       fabs(y_of(c, l->points[l->n - 1].middle) - y);
}

static void add_levels(const struct picture *p)
{
	double taken[2] = { -LINE_HEIGHT, -LINE_HEIGHT }; /* by labels at the left, at the right */

	for (size_t i = 0; i < p->c->nlevels; i++) {
		const struct chart_level *l = &p->c->levels[i];
		double y = y_of(p->c, l->value), text = y < LINE_HEIGHT ? y + 12 : y - 5;
		bool right = runs_left(p->c, y);
		char label[CHART_LABEL_MAX + 32];
		bool beyond = l->value > p->c->top;

		if (fabs(taken[right] - text) < LINE_HEIGHT)
			right = !right;
		taken[right] = text;
		snprintf(label, sizeof(label), "%s%s", l->label,
			 beyond ? ", above this scale" : "");
		if (!beyond)
			str_addf(p->out,
				 "<line class=\"level\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" "
				 "y2=\"%.1f\"/>",
				 y, y);
		add_text(p, "level", right ? 100 : 0, right ? -4 : 4, text, right ? "end" : "start",
			 label);
	}
}

static void add_marks(const struct picture *p)
{
	const struct chart *c = p->c;

	for (size_t i = 0; i < c->nmarks;) {
		double first = percent(c, (double)c->marks[i].time);
		size_t k = i;
		char label[32];

		for (; k < c->nmarks && percent(c, (double)c->marks[k].time) - first < MARKS_APART;
		     k++) {
			double x = percent(c, (double)c->marks[k].time);

			str_addf(p->out,
				 "<line class=\"mark\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" "
				 "y2=\"%d\"/>",
				 x, x, HEIGHT);
		}
		if (k - i == 1)
			snprintf(label, sizeof(label), "%u", c->marks[i].number);
		else
			snprintf(label, sizeof(label), "%u\xe2\x80\x93%u", c->marks[i].number,
				 c->marks[k - 1].number);
		add_text(p, "mark", first, 0, -5, anchor_at(first), label);
		i = k;
	}
}

static int stretched_x(const struct chart *c, const struct chart_point *point)
{
	return (int)(STRETCHED * share(c, (double)point->time) + 0.5);
}

/*
 * In tenths of a pixel: the inner picture is ten times as high as it is shown. Not clamped to the
 * plot: a line leaves it where it does, not where its next point is.
 */
static int stretched_y(const struct chart *c, double v)
{
	return (int)lround(10 * HEIGHT * (1 - clamp(v / c->top, -BEYOND, BEYOND)));
}

/* One closed shape for each stretch of points that hang together. */
static void add_band(const struct picture *p, const struct chart_line *l)
{
	str_add(p->out, "<path class=\"band\" d=\"");
	for (size_t i = 0; i < l->n;) {
		size_t k = i;

		for (; k < l->n && (k == i || !l->points[k].apart); k++)
			str_addf(p->out, "%c%d %d", k == i ? 'M' : 'L',
				 stretched_x(p->c, &l->points[k]),
				 stretched_y(p->c, l->points[k].high));
		for (size_t j = k; j-- > i;)
			str_addf(p->out, "L%d %d", stretched_x(p->c, &l->points[j]),
				 stretched_y(p->c, l->points[j].low));
		str_add(p->out, "Z");
		i = k;
	}
	str_add(p->out, "\"/>");
}

static void add_line(const struct picture *p, const struct chart_line *l)
{
	static const char *const strokes[] = { "solid", "dashed", "dotted" };
	static const char *const tones[] = { "main", "second", "quiet" };

	str_addf(p->out, "<path class=\"line %s %s\" d=\"", strokes[l->stroke], tones[l->tone]);
	for (size_t i = 0; i < l->n; i++) {
		bool starts = !i || l->points[i].apart;

		str_addf(p->out, "%c%d %d", starts ? 'M' : 'L', stretched_x(p->c, &l->points[i]),
			 stretched_y(p->c, l->points[i].middle));
		/* a point by itself is a dot: the line of no length has round ends */
		if (starts && (i + 1 == l->n || l->points[i + 1].apart))
			str_add(p->out, "h0");
	}
	str_add(p->out, "\"/>");
}

static void add_curves(const struct picture *p)
{
	str_addf(p->out,
		 "<svg y=\"-%d\" width=\"100%%\" height=\"%d\" viewBox=\"0 -%d %d %d\" "
		 "preserveAspectRatio=\"none\">",
		 EDGE, HEIGHT + 2 * EDGE, EDGE * 10, STRETCHED, (HEIGHT + 2 * EDGE) * 10);
	for (size_t i = 0; i < p->c->nlines; i++)
		if (p->c->lines[i].n && p->c->lines[i].band)
			add_band(p, &p->c->lines[i]);
	for (size_t i = 0; i < p->c->nlines; i++)
		if (p->c->lines[i].n)
			add_line(p, &p->c->lines[i]);
	str_add(p->out, "</svg>");
}

struct line_label {
	double y;
	const char *text;
};

/* Beside the last points, moved apart so that none covers another; the order stays. */
static void add_labels(const struct picture *p)
{
	struct line_label labels[CHART_LINES_MAX], moved;
	size_t n = 0;
	double excess;

	for (size_t i = 0; i < p->c->nlines; i++) {
		const struct chart_line *l = &p->c->lines[i];
		size_t at = n;

		if (!l->n || !*l->label)
			continue;
		moved = (struct line_label){ y_of(p->c, l->points[l->n - 1].middle), l->label };
		for (; at && labels[at - 1].y > moved.y; at--)
			labels[at] = labels[at - 1];
		labels[at] = moved;
		n++;
	}
	for (size_t i = 1; i < n; i++)
		if (labels[i].y < labels[i - 1].y + LINE_HEIGHT)
			labels[i].y = labels[i - 1].y + LINE_HEIGHT;
	excess = n && labels[n - 1].y > HEIGHT ? labels[n - 1].y - HEIGHT : 0;
	for (size_t i = n; i-- > 0;) {
		labels[i].y -= excess;
		if (i && labels[i - 1].y <= labels[i].y - LINE_HEIGHT + excess)
			excess = clamp(labels[i - 1].y - (labels[i].y - LINE_HEIGHT), 0, excess);
	}
	for (size_t i = 0; i < n; i++)
		add_text(p, "value", 100, 6, labels[i].y + 4, "start", labels[i].text);
}

/* The last measured value at its place within the chart, where the future follows. */
static void add_now(const struct picture *p, const struct chart_line *l)
{
	const struct chart_point *last = &l->points[l->n - 1];
	double x = percent(p->c, (double)last->time), y = y_of(p->c, last->middle);

	str_addf(p->out, "<circle class=\"now\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"4\"/>", x, y);
	add_text(p, "value", x, x > 80 ? -8 : 8, y < LINE_HEIGHT ? y + 16 : y - 7,
		 x > 80 ? "end" : "start", l->label);
}

static void add_end(const struct picture *p)
{
	const struct chart_end *e = p->c->end;
	double low = percent(p->c, (double)e->low), high = percent(p->c, (double)e->high);
	double middle = percent(p->c, (double)e->middle);

	str_addf(p->out, "<line class=\"end\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
		 low, high, HEIGHT, HEIGHT);
	if (e->middle <= p->c->to)
		str_addf(p->out, "<circle class=\"end\" cx=\"%.2f%%\" cy=\"%d\" r=\"4.5\"/>",
			 middle, HEIGHT);
	add_text(p, "value", middle, 0, HEIGHT - 10, anchor_at(middle), e->label);
}

static void add_keys(struct str *out, bool interval)
{
	str_add(out, "<p class=\"keys\">"
		     "<span><svg width=\"24\" height=\"8\" aria-hidden=\"true\"><path class=\"line "
		     "solid "
		     "main\" d=\"M1 4H23\"/></svg> measured</span>"
		     "<span><svg width=\"24\" height=\"8\" aria-hidden=\"true\"><path class=\"line "
		     "dashed "
		     "main\" d=\"M1 4H23\"/></svg> median</span>");
	if (interval)
		str_add(out, "<span><svg width=\"24\" height=\"8\" aria-hidden=\"true\"><path "
			     "class=\"band\" d=\"M0 0H24V8H0Z\"/></svg> 90 % interval</span>");
	str_add(out, "</p>");
}

static bool any_band(const struct chart *c)
{
	for (size_t i = 0; i < c->nlines; i++)
		if (c->lines[i].band && c->lines[i].n)
			return true;
	return false;
}

void chart_add(const struct chart *c, struct str *out)
{
	const struct picture p = { c, out };

	str_add(out, "<figure><figcaption>");
	markup_add(out, c->title);
	str_add(out, "</figcaption>");
	if (c->keys)
		add_keys(out, any_band(c));
	str_addf(out,
		 "<svg class=\"chart%s\" role=\"img\" aria-labelledby=\"%s-t %s-d\" height=\"%d\">"
		 "<title id=\"%s-t\">",
		 c->end ? " future" : "", c->name, c->name, HEIGHT, c->name);
	markup_add(out, c->title);
	str_addf(out, "</title><desc id=\"%s-d\">", c->name);
	markup_add(out, c->summary);
	str_add(out, "</desc>");
	add_y_axis(&p);
	add_x_axis(&p);
	add_marks(&p);
	add_curves(&p);
	add_levels(&p);
	if (c->end && c->nlines && c->lines[0].n)
		add_now(&p, &c->lines[0]);
	else
		add_labels(&p);
	if (c->end)
		add_end(&p);
	str_add(out, "</svg><p class=\"note\">");
	markup_add(out, c->summary);
	str_add(out, "</p></figure>\n");
}

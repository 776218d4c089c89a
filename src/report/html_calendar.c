/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/fleet_text.h"
#include "report/html.h"
#include "report/markup.h"
#include "report/ticks.h"

/* CSS pixels; x is in percent of the width, as in the charts. */
#define ROW_HEIGHT    36
#define BAR_OFFSET    24 /* of the bar below the row's upper edge */
#define TOP	      8
#define ROWS_MAX      40
#define X_TICKS	      9

#define SHORTEST_DAYS 365.0
#define LONGEST_DAYS  (15 * 365.25)

struct calendar {
	const struct fleet *f;
	struct str *out;
	int64_t to;
	size_t rows;
};

static double percent(const struct calendar *c, int64_t t)
{
	double share = (double)(t - c->f->now) / (double)(c->to - c->f->now);

	return share < 0 ? 0 : share > 1 ? 100 : 100 * share;
}

/* The drives that end first; those without a date stand in the table alone. */
static size_t count_rows(const struct fleet *f)
{
	size_t n = 0;

	while (n < f->n && n < ROWS_MAX && f->drives[n].ends)
		n++;
	return n;
}

static int64_t last_time(const struct fleet *f, size_t rows)
{
	double days = f->terms.window_days > SHORTEST_DAYS ? f->terms.window_days : SHORTEST_DAYS;

	for (size_t i = 0; i < rows; i++) {
		double end = (double)(f->drives[i].end - f->now) / SECONDS_PER_DAY * 1.15;

		days = end > days ? end : days;
	}
	days = days > LONGEST_DAYS ? LONGEST_DAYS : days;
	return f->now + (int64_t)(days * SECONDS_PER_DAY);
}

static void add_axis(const struct calendar *c, int height)
{
	struct tick ticks[TICKS_MAX];
	size_t n = ticks_dates(c->f->now, c->to, X_TICKS, ticks);
	double window = percent(c,
				c->f->now + (int64_t)(c->f->terms.window_days * SECONDS_PER_DAY));

	str_addf(c->out, "<rect class=\"window\" x=\"0\" y=\"0\" width=\"%.2f%%\" height=\"%d\"/>",
		 window, height);
	for (size_t i = 0; i < n; i++) {
		double x = percent(c, (int64_t)ticks[i].at);

		str_addf(
			c->out,
			"<g class=\"%s\"><line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" "
			"y2=\"%d\"/><text class=\"tick\" x=\"%.2f%%\" y=\"%d\" "
			"text-anchor=\"middle\">%s</text></g>",
			tick_class(i, n), x, x, height, x, height + 16, ticks[i].label);
	}
	str_addf(c->out,
		 "<text class=\"name\" x=\"100%%\" y=\"%d\" text-anchor=\"end\">date (UTC)</text>",
		 height + 32);
}

static void add_row(const struct calendar *c, const struct fleet_drive *d, int y)
{
	char name[REPORT_NAME_MAX], text[REPORT_TEXT_MAX];
	int bar = y + BAR_OFFSET;

	str_addf(c->out, "<text class=\"value\" x=\"0\" dx=\"4\" y=\"%d\">", bar - 9);
	markup_addf(c->out, "%.32s  %s", report_name(d->r, name),
		    report_end(d->r, d->binding, text));
	str_add(c->out, "</text>");
	str_addf(c->out, "<line class=\"end\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
		 percent(c, d->end_low), percent(c, d->end_high), bar, bar);
	if (d->end <= c->to)
		str_addf(c->out, "<circle class=\"end\" cx=\"%.2f%%\" cy=\"%d\" r=\"4.5\"/>",
			 percent(c, d->end), bar);
	/* a sign of its own shape: a triangle that stands on the date */
	if (d->reason != REPLACE_NOT)
		str_addf(c->out,
			 "<svg x=\"%.2f%%\" y=\"%d\" width=\"1\" height=\"1\" "
			 "class=\"by\"><path d=\"M-5 8H5L0 0Z\"/></svg>",
			 percent(c, d->replace_by), bar + 4);
}

void html_calendar(const struct fleet *f, struct str *out)
{
	struct calendar c = { .f = f, .out = out, .rows = count_rows(f) };
	int height = TOP + (int)c.rows * ROW_HEIGHT + 4;
	char summary[REPORT_TEXT_MAX * 2], first[REPORT_NAME_MAX], end[REPORT_TEXT_MAX];

	if (!c.rows) {
		str_add(out, "<p class=\"note\">No drive has an end date yet.</p>\n");
		return;
	}
	c.to = last_time(f, c.rows);
	snprintf(summary, sizeof(summary),
		 "When each drive ends: the dot is the median, the bar the 90 %% interval, the "
		 "triangle the date to replace it by; the shade is the next %.0f days. A date is "
		 "known for %zu "
		 "of %zu drives%s. First: %.60s, %s.",
		 f->terms.window_days, f->n - f->ends_unknown, f->n,
		 f->n - f->ends_unknown > c.rows ? "; the first ones are shown" : "",
		 report_name(f->drives[0].r, first),
		 report_end(f->drives[0].r, f->drives[0].binding, end));
	str_addf(out,
		 "<figure><svg class=\"chart calendar\" role=\"img\" aria-labelledby=\"cal-t "
		 "cal-d\" height=\"%d\"><title id=\"cal-t\">Replacement calendar</title>"
		 "<desc id=\"cal-d\">",
		 height);
	markup_add(out, summary);
	str_add(out, "</desc>");
	add_axis(&c, height);
	for (size_t i = 0; i < c.rows; i++)
		add_row(&c, &f->drives[i], TOP + (int)i * ROW_HEIGHT);
	str_add(out, "</svg><p class=\"note\">");
	markup_add(out, summary);
	str_add(out, "</p></figure>\n");
}

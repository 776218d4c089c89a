/* SPDX-License-Identifier: MIT */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/*
 * A chart over time, or over any numbers, as SVG within HTML. It is as wide as its place and stays
 * legible at any width without a script: what shows data is stretched, text and strokes are not.
 * Lines differ by their dashes and labels, not by colour alone.
 */

enum chart_axis {
	CHART_DATES,   /* times are seconds since the epoch */
	CHART_NUMBERS, /* times are numbers, of which x_unit make one that is shown */
};

struct chart_point {
	int64_t time;
	double low, middle, high;
	bool apart; /* nothing is known between the point before and this one */
};

enum chart_stroke {
	STROKE_SOLID,  /* measured */
	STROKE_DASHED, /* expected */
	STROKE_DOTTED,
};

enum chart_tone {
	TONE_MAIN,
	TONE_SECOND,
	TONE_QUIET,
};

#define CHART_LABEL_MAX 48

struct chart_line {
	enum chart_stroke stroke;
	enum chart_tone tone;
	bool band; /* shade from low to high */
	const struct chart_point *points;
	size_t n;
	char label[CHART_LABEL_MAX]; /* beside its last point; empty: none */
};

/* A limit: a line across the chart. One above the chart is told of at its top. */
struct chart_level {
	double value;
	char label[CHART_LABEL_MAX];
};

/* Something that happened, by the number that the page explains it under. */
struct chart_mark {
	int64_t time;
	unsigned number;
};

/* Where the lines are expected to reach 0: 5 %, median, 95 %; times, high may be INT64_MAX. */
struct chart_end {
	int64_t low, middle, high;
	char label[CHART_LABEL_MAX];
};

#define CHART_LINES_MAX	 4
#define CHART_LEVELS_MAX 2

struct chart {
	const char *name; /* for ids; unique in the page and harmless there */
	const char *title;
	const char *y_title; /* what and in which unit: "life left, %" */
	char summary[512];   /* the same in words: shown below, and read out for the picture */
	enum chart_axis axis;
	const char *x_title; /* of CHART_NUMBERS: what and in which unit */
	double x_unit;
	int64_t from, to;
	double top; /* the y axis goes from 0 to here */
	struct chart_line lines[CHART_LINES_MAX];
	size_t nlines;
	struct chart_level levels[CHART_LEVELS_MAX];
	size_t nlevels;
	const struct chart_mark *marks; /* by time */
	size_t nmarks;
	const struct chart_end *end; /* or NULL */
	bool keys;		     /* explain: measured, median, interval */
};

/* A <figure> with caption, picture and summary. */
void chart_add(const struct chart *c, struct str *out);

#endif

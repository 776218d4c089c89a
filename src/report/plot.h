/* SPDX-License-Identifier: MIT */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "doc/view.h"

/*
 * A curve over time on a terminal, drawn with Braille patterns (two by four dots a character), or
 * with asterisks where only ASCII can be shown. The vertical axis has round values with their unit,
 * the horizontal one what its kind says.
 */
enum plot_axis {
	PLOT_DATES,   /* seconds since the epoch, shown in UTC */
	PLOT_ELAPSED, /* milliseconds since the start, shown as round times: 30 s, 2 h */
	PLOT_NUMBERS, /* whole numbers, shown round and grouped */
};

struct plot_point {
	int64_t time; /* on the horizontal axis */
	double value;
};

#define PLOT_COLUMNS_MIN 40
#define PLOT_COLUMNS_MAX 160
#define PLOT_ROWS_MAX	 24

struct plot {
	const char *title;		 /* with its unit where the axis has none */
	enum plot_axis axis;		 /* the horizontal one */
	const char *axis_unit;		 /* of PLOT_NUMBERS, behind each; NULL: none */
	const struct plot_point *points; /* by time; not finite: left out */
	size_t n;
	int64_t since, until; /* ends of the axis of time; equal: those of the points */
	/* points further apart are not joined: nothing is known between them; 0: join all */
	double gap_seconds;
	const int64_t *marks; /* times of events, shown as ^ under the axis */
	size_t nmarks;
	unsigned columns; /* of the terminal; brought within the limits above */
	unsigned rows;	  /* of the curve, 2 to PLOT_ROWS_MAX */
	bool from_zero;	  /* the axis starts at 0 */
	bool unicode;
	/* A value of the axis with its unit; writes into buf and returns it. */
	const char *(*label)(const void *arg, double v, char buf[UNIT_TEXT_MAX]);
	const void *label_arg;
};

/* Add the lines of it: title, curve, axis of time. Without points it says so. */
void plot_view(const struct plot *p, struct view *v);

#endif

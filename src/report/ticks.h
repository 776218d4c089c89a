/* SPDX-License-Identifier: MIT */
#ifndef REPORT_TICKS_H
#define REPORT_TICKS_H

#include <stddef.h>
#include <stdint.h>

/* Where an axis is labelled: round numbers and round dates, as a person would choose them. */

#define TICKS_MAX      16
#define TICK_LABEL_MAX 24

struct tick {
	double at; /* the value, or seconds since the epoch */
	char label[TICK_LABEL_MAX];
};

/*
 * The end of an axis from 0 that holds `highest`: 1, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten.
 * 1 where highest is not positive.
 */
double axis_top(double highest);

/* From 0 to top in steps of 1, 2 or 5 times a power of ten, at most `most` of them (3 or more). */
size_t ticks_numbers(double top, unsigned most, struct tick ret[TICKS_MAX]);

/* From the first such step that is not below `low` to the last that is not above `high`. */
size_t ticks_between(double low, double high, unsigned most, struct tick ret[TICKS_MAX]);

/*
 * The class of the n-th of so many labels: the style leaves out those that a narrow place has no
 * room for, "most" first, then "more".
 */
const char *tick_class(size_t n, size_t of);

/* Days, Mondays, months, quarters or years (all UTC) from `from` to `to`, at most `most`. */
size_t ticks_dates(int64_t from, int64_t to, unsigned most, struct tick ret[TICKS_MAX]);

#endif

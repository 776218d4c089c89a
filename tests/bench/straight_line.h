/* SPDX-License-Identifier: MIT */
#ifndef BENCH_STRAIGHT_LINE_H
#define BENCH_STRAIGHT_LINE_H

#include <stddef.h>
#include <stdint.h>

/*
 * The forecast that anyone would make first, to be measured against: a straight line by least
 * squares through wear against time, continued to the limit. Its spread is that of a moving-block
 * bootstrap of the residuals (Kuensch 1989), which keeps the dependence between neighbours.
 */

struct interval_forecast {
	double low, middle, high; /* days left: 5 %, 50 %, 95 % */
};

struct wear_point {
	double days, wear;
};

/*
 * Points by time; at most STRAIGHT_LINE_POINTS of them count, evenly chosen. now and limit in their
 * units. Days beyond `horizon`, and those of a line that does not rise, are `horizon`.
 */
void straight_line_forecast(const struct wear_point *points, size_t n, double now, double limit,
			    double horizon, uint64_t seed, struct interval_forecast *ret);

#define STRAIGHT_LINE_POINTS 600

#endif

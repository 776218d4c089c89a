/* SPDX-License-Identifier: MIT */
#include "bench/straight_line.h"

#include <math.h>
#include <stdlib.h>

#include "bench/draw.h"

#define REPLICATES 400

struct line {
	double days, wear; /* a point on it: the means */
	double slope;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct line fit(const struct wear_point *p, size_t n)
{
	struct line l = { 0, 0, 0 };
	double sxx = 0, sxy = 0;

	for (size_t i = 0; i < n; i++) {
		l.days += p[i].days / (double)n;
		l.wear += p[i].wear / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		sxx += (p[i].days - l.days) * (p[i].days - l.days);
		sxy += (p[i].days - l.days) * (p[i].wear - l.wear);
	}
	l.slope = sxx > 0 ? sxy / sxx : 0;
	return l;
}

static double days_left(const struct line *l, double now, double limit, double horizon)
{
	double left = l->slope > 0 ? l->days + (limit - l->wear) / l->slope - now : horizon;

	return fmin(fmax(left, 0), horizon);
}

/* The points again, each with the residual of another; the residuals come in blocks. */
static void resample(struct draw *r, const struct wear_point *p, size_t n, const struct line *l,
		     const double *residuals, struct wear_point *ret)
{
	/* long blocks, as wear is a sum: with them the line scores best */
	size_t block = (n + 3) / 4, from = 0;

	for (size_t i = 0; i < n; i++) {
		if (i % block == 0)
			from = draw_below(r, (unsigned)(n - block + 1));
		ret[i].days = p[i].days;
		ret[i].wear = l->wear + l->slope * (p[i].days - l->days) +
			      residuals[from + i % block];
	}
}

void straight_line_forecast(const struct wear_point *points, size_t n, double now, double limit,
			    double horizon, uint64_t seed, struct interval_forecast *ret)
{
	struct wear_point p[STRAIGHT_LINE_POINTS], again[STRAIGHT_LINE_POINTS];
	double residuals[STRAIGHT_LINE_POINTS], ends[REPLICATES];
	size_t count = n < STRAIGHT_LINE_POINTS ? n : STRAIGHT_LINE_POINTS;
	struct draw r;
	struct line l;

	*ret = (struct interval_forecast){ 0, horizon, horizon };
	if (count < 3)
		return;
	for (size_t i = 0; i < count; i++)
		p[i] = points[i * (n - 1) / (count - 1)];
	l = fit(p, count);
	for (size_t i = 0; i < count; i++)
		residuals[i] = p[i].wear - l.wear - l.slope * (p[i].days - l.days);
	draw_seed(&r, seed, 0);
	for (size_t i = 0; i < REPLICATES; i++) {
		struct line other;

		resample(&r, p, count, &l, residuals, again);
		other = fit(again, count);
		ends[i] = days_left(&other, now, limit, horizon);
	}
	qsort(ends, REPLICATES, sizeof(*ends), compare);
	ret->low = ends[REPLICATES / 20];
	ret->middle = ends[REPLICATES / 2];
	ret->high = ends[REPLICATES - 1 - REPLICATES / 20];
}

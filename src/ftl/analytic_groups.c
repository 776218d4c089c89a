/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "ftl/analytic.h"

#define BISECTIONS  100 /* more than a double has bits */

#define ZIPF_ALONE  512 /* pages that are groups of their own; then groups grow by 1 / 64 */
#define ZIPF_GROWTH 64
#define ZIPF_GROUPS 2048 /* more than 2^32 pages make */

/* Of a group in one pass through the blocks: a page that is written at this rate survives it with
 * probability exp(-x rate). */
static double rewritten(double writes, double pages, double x)
{
	return writes > 0 ? writes / -expm1(-x * writes / pages) : pages / x;
}

/*
 * A pass takes x, or the age at which all blocks are refreshed. Pages come to the main area when
 * the cache has had them for its time, and leave it at once when the host writes them.
 */
static struct analytic_cached fifo_at(double x, const struct analytic_groups *g, double cache)
{
	struct analytic_cached c = { 0 };

	for (unsigned i = 0; i < g->n; i++) {
		double folded = exp(-cache * g->writes[i] / g->pages[i]);

		c.folded += g->writes[i] * folded;
		c.main += folded * rewritten(g->writes[i], g->pages[i], x);
	}
	return c;
}

struct analytic_cached analytic_fifo_cached(double spare, const struct analytic_groups *g,
					    double cache, double age)
{
	double a = 1 / (1 - spare), low = 0, high = a;

	while (high * fifo_at(high, g, cache).main < a && high < 1e6)
		high *= 2; /* a cache leaves the main area less to do */
	for (int i = 0; i < BISECTIONS; i++) {
		double x = (low + high) / 2;

		if (x * fifo_at(x, g, cache).main < a)
			low = x;
		else
			high = x;
	}
	return fifo_at(fmin(high, age), g, cache);
}

double analytic_fifo_groups(double spare, const struct analytic_groups *g)
{
	return analytic_fifo_cached(spare, g, 0, INFINITY).main;
}

double analytic_fifo_refreshed(double spare, double age)
{
	return fmax(analytic_fifo(spare), 1 / -expm1(-age));
}

/* Groups of one page, or of many with nearly the same weight. Returns how many. */
static unsigned zipf_groups(double exponent, uint32_t pages, double *writes, double *share)
{
	const double all = zipf_weight(exponent, 0, pages);
	unsigned groups = 0;
	uint32_t n;

	for (uint32_t first = 0; first < pages && groups < ZIPF_GROUPS; first += n) {
		n = first < ZIPF_ALONE ? 1 : first / ZIPF_GROWTH;
		n = n < pages - first ? n : pages - first;
		writes[groups] = zipf_weight(exponent, first, n) / all;
		share[groups++] = (double)n / pages;
	}
	return groups;
}

double analytic_fifo_zipf(double spare, double exponent, uint32_t pages)
{
	double writes[ZIPF_GROUPS], share[ZIPF_GROUPS];
	double a = 1 / (1 - spare), low = 0, high = a, waf = 1;
	const unsigned n = zipf_groups(exponent, pages, writes, share);

	for (int i = 0; i < 50; i++) {
		double x = (low + high) / 2;

		waf = 0;
		for (unsigned g = 0; g < n; g++) /* a page of no weight at all is never lost */
			waf += rewritten(writes[g], share[g], x);
		if (x * waf < a)
			low = x;
		else
			high = x;
	}
	return waf;
}

/* Of a group whose blocks hold a pages for each page of data; all spare used up costs no end. */
static double cost(const struct analytic_curve *c, double writes, double a)
{
	if (writes <= 0)
		return 0;
	return a > 1 ? writes * analytic_curve_at(c, 1 - 1 / a) : INFINITY;
}

/*
 * Move pages between the groups i and j until their common write amplification is the least: it is
 * convex, so that a third of the way can be cut off with each look.
 */
static void balance(const struct analytic_curve *c, const struct analytic_groups *g, unsigned i,
		    unsigned j, double *a)
{
	double pages = g->pages[i] * a[i] + g->pages[j] * a[j];
	double low = 1, high = (pages - g->pages[j]) / g->pages[i];

	for (int step = 0; step < 80; step++) {
		double x = low + (high - low) / 3, y = high - (high - low) / 3;
		double at_x = cost(c, g->writes[i], x) +
			      cost(c, g->writes[j], (pages - g->pages[i] * x) / g->pages[j]);
		double at_y = cost(c, g->writes[i], y) +
			      cost(c, g->writes[j], (pages - g->pages[i] * y) / g->pages[j]);

		if (at_x > at_y)
			low = x;
		else
			high = y;
	}
	a[i] = (low + high) / 2;
	a[j] = (pages - g->pages[i] * a[i]) / g->pages[j];
}

double analytic_best_split(const struct analytic_curve *c, double spare,
			   const struct analytic_groups *g, double ret_spare[FTL_CLASSES_MAX])
{
	double a[FTL_CLASSES_MAX], waf = 0;

	for (unsigned i = 0; i < g->n; i++)
		a[i] = 1 / (1 - spare);
	for (unsigned round = 0; round < (g->n > 2 ? 20 : 1); round++)
		for (unsigned i = 0; i < g->n; i++)
			for (unsigned j = i + 1; j < g->n; j++)
				balance(c, g, i, j, a);
	for (unsigned i = 0; i < g->n; i++) {
		waf += cost(c, g->writes[i], a[i]);
		if (ret_spare)
			ret_spare[i] = 1 - 1 / a[i];
	}
	return waf;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/fit_model.h"

#include "base/cleanup.h"
#include "base/portable_math.h"
#include "ftl/analytic.h"

#define SPARE_LEAST 0.008
#define SPARE_MOST  0.97

/* Where the separation is given: between the spare of usual drives, 7 and 28 %. */
#define SPARE_MIDDLE 0.15

static const double hot_pages[FIT_HOT] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.35 };

/* The hot share f of the pages gets f^(1 - skew) of the writes. */
static const double skews[] = { 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98 };

/* Pages; the last one stands for blocks so large that greedy is first in, first out. */
static const uint32_t block_pages[FIT_BLOCKS] = { 32, 64, 128, 256, 0 };

struct hot_cold {
	double pages[2], writes[2];
};

static struct hot_cold groups_of(unsigned skew)
{
	double f = hot_pages[(skew - 1) % FIT_HOT];
	double r = portable_pow(f, 1 - skews[(skew - 1) / FIT_HOT]);

	return (struct hot_cold){ { f, 1 - f }, { r, 1 - r } };
}

double fit_hot_writes(unsigned skew)
{
	const double fifth = 0.2;
	struct hot_cold g;

	if (!skew)
		return fifth;
	g = groups_of(skew);
	if (g.pages[0] >= fifth)
		return g.writes[0] * fifth / g.pages[0];
	return g.writes[0] + g.writes[1] * (fifth - g.pages[0]) / g.pages[1];
}

static double log_spare_at(double i)
{
	const double low = portable_log(SPARE_LEAST), high = portable_log(SPARE_MOST);

	return low + (high - low) * i / (FIT_SPARES - 1);
}

/* Between the points of a row, in proportion to the logarithm of the spare. */
static double look_up(const struct fit_tables *t, const double row[FIT_SPARES], double log_spare)
{
	double at = (log_spare - t->first) / t->step;
	unsigned i;

	at = at < 0 ? 0 : at > FIT_SPARES - 1 ? FIT_SPARES - 1 : at;
	i = at < FIT_SPARES - 2 ? (unsigned)at : FIT_SPARES - 2;
	return row[i] + (row[i + 1] - row[i]) * (at - i);
}

/* analytic_fifo with the same bits on every machine: log of it. */
static double log_fifo(double spare)
{
	double a = 1 / (1 - spare), low = 0, high = 1 / a;

	for (int i = 0; i < 50; i++) {
		double u = (low + high) / 2;

		if (1 - u + portable_log(u) / a < 0)
			low = u;
		else
			high = u;
	}
	return -portable_log(1 - high);
}

/* 1 - exp(-x), x not negative */
static double lost(double x)
{
	return x < 1e-5 ? x - x * x / 2 : x > 700 ? 1 : 1 - portable_exp(-x);
}

/* As analytic_fifo_groups. */
static double log_fifo_groups(double spare, const struct hot_cold *g)
{
	double a = 1 / (1 - spare), low = 0, high = a, waf = 1;

	for (int i = 0; i < 32; i++) {
		double x = (low + high) / 2;

		waf = 0;
		for (int k = 0; k < 2; k++)
			waf += g->writes[k] / lost(x * g->writes[k] / g->pages[k]);
		if (x * waf < a)
			low = x;
		else
			high = x;
	}
	return portable_log(waf);
}

/* Of one group alone whose blocks hold a pages for each page of data. */
static double cost(const struct fit_tables *t, double a)
{
	double spare = 1 - 1 / a;

	if (spare < SPARE_LEAST) /* about 1 / 2 spare there */
		return 0.5 / (spare > 1e-6 ? spare : 1e-6);
	return portable_exp(look_up(t, t->block[FIT_BLOCKS - 1], portable_log(spare)));
}

/* As analytic_best_split of two groups. */
static double log_split(const struct fit_tables *t, double spare, const struct hot_cold *g)
{
	const double all = 1 / (1 - spare);
	double low = g->pages[0], high = all - g->pages[1], best = 0;

	for (int step = 0; step < 26; step++) {
		double x = low + (high - low) / 3, y = high - (high - low) / 3, at_x, at_y;

		at_x = g->writes[0] * cost(t, x / g->pages[0]) +
		       g->writes[1] * cost(t, (all - x) / g->pages[1]);
		at_y = g->writes[0] * cost(t, y / g->pages[0]) +
		       g->writes[1] * cost(t, (all - y) / g->pages[1]);
		best = at_x < at_y ? at_x : at_y;
		if (at_x > at_y)
			low = x;
		else
			high = y;
	}
	return portable_log(best);
}

void fit_tables_fill(struct fit_tables *t)
{
	double *fifo = t->block[FIT_BLOCKS - 1];

	if (t->step > 0)
		return;
	t->first = log_spare_at(0);
	t->step = log_spare_at(1) - t->first;
	t->middle = portable_log(SPARE_MIDDLE);
	for (unsigned i = 0; i < FIT_SPARES; i++) {
		double spare = portable_exp(log_spare_at(i));

		fifo[i] = log_fifo(spare);
		for (unsigned k = 0; k < FIT_BLOCKS - 1; k++)
			t->block[k][i] = portable_log(analytic_greedy(spare, block_pages[k]));
	}
	for (unsigned s = 0; s < FIT_SKEWS; s++) {
		struct hot_cold g;

		if (s)
			g = groups_of(s);
		for (unsigned i = 0; i < FIT_SPARES; i++) {
			double spare = portable_exp(log_spare_at(i));

			t->skewed[s][i] = s ? log_fifo_groups(spare, &g) - fifo[i] : 0;
			t->split[s][i] = s ? log_split(t, spare, &g) : fifo[i];
		}
	}
}

double fit_spare(const struct fit_drive *d)
{
	double live = d->fill + (1 - d->trimmed) * (1 - d->fill);
	double spare = 1 - live / d->flash;

	return spare < SPARE_LEAST ? SPARE_LEAST : spare > SPARE_MOST ? SPARE_MOST : spare;
}

static double separation_at(const struct fit_drive *d, double log_spare, double middle)
{
	double x = d->separate + d->separate_slope * (log_spare - middle);

	return 1 / (1 + portable_exp(-x));
}

double fit_separation(const struct fit_drive *d)
{
	return separation_at(d, portable_log(fit_spare(d)), portable_log(SPARE_MIDDLE));
}

double fit_waf(const struct fit_tables *t, const struct fit_drive *d)
{
	double s = portable_log(fit_spare(d)), fifo = look_up(t, t->block[FIT_BLOCKS - 1], s);
	double uniform = look_up(t, t->block[d->block], s), mixed, apart, share, waf;

	uniform += d->victim * (-s - uniform); /* any block: 1 / spare */
	mixed = uniform + look_up(t, t->skewed[d->skew], s);
	apart = look_up(t, t->split[d->skew], s) + uniform - fifo;
	apart = apart < 0 ? 0 : apart > mixed ? mixed : apart;
	share = separation_at(d, s, t->middle);
	waf = portable_exp(mixed + share * (apart - mixed));
	waf = 1 + (1 - d->sequential) * (waf - 1);
	return d->factor * (waf + d->fixed);
}

/* SPDX-License-Identifier: MIT */
#include "ftl/batch_means.h"

#include <math.h>

#define CORRELATION_LEAST (-0.5)
#define CORRELATION_MOST  0.9

#define MERGED		  4 /* batches that are looked at as one, too */

void batch_means_add(struct batch_means *b, uint64_t programmed)
{
	b->programmed[b->n++] = programmed;
	if (b->n < BATCHES_MAX)
		return;
	for (unsigned i = 0; i < BATCHES_MAX / 2; i++)
		b->programmed[i] = b->programmed[2 * i] + b->programmed[2 * i + 1];
	b->n = BATCHES_MAX / 2;
	b->length *= 2;
}

/* The 97.5 % point of Student's distribution with 4 and more degrees of freedom: within 2 %, and
 * 0.1 % from 19 on. */
static double student(unsigned freedom)
{
	const double z = 1.959964, f = freedom;

	return z + (z * z * z + z) / (4 * f) +
	       (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * f * f);
}

/* Half of the interval, from so many neighbours taken as one batch. */
static double half_width(const struct batch_means *b, double mean, unsigned merged)
{
	const unsigned n = b->n / merged;
	double squares = 0, products = 0, before = 0, correlation;

	for (unsigned i = 0; i < n; i++) {
		double off = -mean;

		for (unsigned k = 0; k < merged; k++)
			off += (double)b->programmed[i * merged + k] / (double)b->length / merged;
		squares += off * off;
		products += off * before;
		before = off;
	}
	correlation = squares > 0 ? products / squares : 0;
	/* as estimated it is too low by about this much (Kendall 1954) */
	correlation += (1 + 4 * correlation) / n;
	correlation = correlation < CORRELATION_LEAST  ? CORRELATION_LEAST
		      : correlation > CORRELATION_MOST ? CORRELATION_MOST
						       : correlation;
	if (merged > 1) /* too few of them to tell */
		correlation = 0;
	return student(n - 1) * sqrt(squares / (n - 1) / n * (1 + correlation) / (1 - correlation));
}

/*
 * What changes slowly hardly correlates neighbours, but it does not average out in longer batches:
 * the wider of two intervals counts.
 */
struct interval batch_means_interval(const struct batch_means *b)
{
	struct interval v = { 0 };
	double half;

	for (unsigned i = 0; i < b->n; i++)
		v.mean += (double)b->programmed[i] / (double)b->length / b->n;
	if (b->n < BATCHES_LEAST)
		return v;
	half = fmax(half_width(b, v.mean, 1), half_width(b, v.mean, MERGED));
	v.low = v.mean - half;
	v.high = v.mean + half;
	v.known = true;
	return v;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/batch_means.h"

#include <math.h>

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

/* The 97.5 % point of Student's distribution with 19 and more degrees of freedom, within 0.1 %. */
static double student(unsigned freedom)
{
	const double z = 1.959964, f = freedom;

	return z + (z * z * z + z) / (4 * f) +
	       (5 * z * z * z * z * z + 16 * z * z * z + 3 * z) / (96 * f * f);
}

struct interval batch_means_interval(const struct batch_means *b)
{
	struct interval v = { 0 };
	double squares = 0, products = 0, before = 0, deviation, correlation;

	for (unsigned i = 0; i < b->n; i++)
		v.mean += (double)b->programmed[i] / (double)b->length / b->n;
	if (b->n < BATCHES_LEAST)
		return v;
	for (unsigned i = 0; i < b->n; i++) {
		double off = (double)b->programmed[i] / (double)b->length - v.mean;

		squares += off * off;
		products += off * before;
		before = off;
	}
	correlation = squares > 0 ? products / squares : 0;
	correlation = correlation < 0 ? 0 : correlation > 0.9 ? 0.9 : correlation;
	deviation = sqrt(squares / (b->n - 1) / b->n * (1 + correlation) / (1 - correlation));
	v.low = v.mean - student(b->n - 1) * deviation;
	v.high = v.mean + student(b->n - 1) * deviation;
	v.known = true;
	return v;
}

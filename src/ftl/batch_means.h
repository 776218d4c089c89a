/* SPDX-License-Identifier: MIT */
#ifndef FTL_BATCH_MEANS_H
#define FTL_BATCH_MEANS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The ratio of two running totals (pages programmed over pages written) with a confidence interval
 * by batch means (Law, "Simulation Modeling and Analysis", chapter 9): the run is cut into batches
 * of equal length, long enough to be nearly independent of each other. When they become too many,
 * two neighbours become one. What correlation is left between neighbours widens the interval.
 */
#define BATCHES_MAX   64
#define BATCHES_LEAST 20 /* fewer give no interval */

struct batch_means {
	uint64_t length; /* of a batch, in pages written */
	uint64_t programmed[BATCHES_MAX];
	unsigned n;
};

struct interval {
	double mean, low, high; /* 95 % */
	bool known;		/* low and high are */
};

/* Add one batch of the present length. */
void batch_means_add(struct batch_means *b, uint64_t programmed);

/* mean is 0 where there is no batch yet. */
struct interval batch_means_interval(const struct batch_means *b);

#endif

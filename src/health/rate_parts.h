/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_RATE_PARTS_H
#define HEALTH_RATE_PARTS_H

#include "health/rate.h"

/* The past of a rate, cut into stretches in all ways: what rate_fit() is made of. */

/* Sums over the bins before each, to have those of any stretch at once. */
struct sums {
	double w, t, tt, z, tz, zz;
};

struct rate_fit_work {
	const struct rate_bin *bins;
	size_t n;
	const struct rate_prior *prior;
	double t[RATE_BINS_MAX], z[RATE_BINS_MAX]; /* middle, logarithm of the rate */
	double calm[RATE_BINS_MAX];		   /* z without lone outliers */
	double y[RATE_BINS_MAX];
	struct sums sums[RATE_BINS_MAX + 1];
	double sigma;			     /* noise of a typical bin */
	double slope_prior;		     /* variance, per day squared */
	double evidence[RATE_BINS_MAX + 1];  /* log, of the bins before each */
	double changes[RATE_BINS_MAX + 1];   /* expected among them */
	size_t likeliest[RATE_BINS_MAX + 1]; /* start of the stretch that ends before each */
	double posterior[RATE_BINS_MAX];     /* of each start of the last stretch */
};

/* Level and slope of a stretch, at `at`, and how well they are known. */
struct stretch {
	double level, slope, level_var, slope_var, covariance, log_evidence;
};

/*
 * Bins from..to-1 as a level and a slope at day `at`: conjugate normal regression. `spread`: noise
 * variance against sigma squared. The evidence leaves out what is the same for all splits.
 */
struct stretch stretch_regress(const struct rate_fit_work *w, size_t from, size_t to, double at,
			       double spread);

/* The same without a slope. */
struct stretch stretch_level(const struct rate_fit_work *w, size_t from, size_t to, double spread);

/* bins, n, prior and slope_prior stand there: find the rest. */
void rate_split(struct rate_fit_work *w);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_RATE_H
#define HEALTH_RATE_H

#include "base/rng.h"
#include "health/track.h"

/*
 * How a rate (bytes a day, wear a byte) went so far, and so how it may go on.
 *
 * The logarithm of the rate is taken as stretches with a level and a slope each, and noise about
 * them. Where the last stretch began is not known: every beginning gets its probability (as in
 * Fearnhead 2006, Exact and efficient Bayesian inference for multiple changepoint problems), and
 * each path into the future draws one, its level and slope within their uncertainty, and whether
 * the slope goes on by proportion or by amount. How often shifts come, how large they are and where
 * they lead is learned from those of the drive's own history: a long calm one lets few be expected.
 */

/* What is believed of a rate before anything is seen of it. */
struct rate_prior {
	double slopes;	    /* probability that a stretch has a slope */
	double slope;	    /* standard deviation of the yearly change of its logarithm */
	double noise;	    /* standard deviation of a bin's logarithm */
	double noise_floor; /* the counters cannot tell better than this */
	double shifts;	    /* in a history of any length, beside those that it shows */
	double shift;	    /* size of a shift: standard deviation of the logarithm */
	bool averages;	    /* the noise is that of the rate itself, not of its measurement */
};

#define RATE_STARTS_MAX 12

/* One place where the last stretch may have begun. */
struct rate_start {
	double weight;	     /* probability; all together 1 */
	double day;	     /* when */
	double level, slope; /* at the end: logarithm of the rate, its change a day */
	double level_sd, slope_sd, correlation;
	double flat;			   /* probability that there is no slope, and with */
	double flat_level, flat_sd;	   /* these then */
	double linear;			   /* probability that it grows by amount, and with */
	double linear_level, linear_slope; /* these then */
	double level_before;		   /* of the stretch before, where there is one */
	bool has_before;
};

struct rate_model {
	struct rate_start starts[RATE_STARTS_MAX]; /* likeliest first */
	size_t nstarts;
	size_t nbins;
	double end;	       /* the day from which slopes count */
	double history;	       /* days */
	double noise_days;     /* variance of the mean over so many days, in squares of it: */
	double noise_variance; /* falls as 1 / days beyond */
	/* shifts to come: as many in `history` as a gamma variable of this shape tells */
	double shifts;
	double shifts_missed;	     /* hazard beside that, in days known so far */
	double shift_mean, shift_sd; /* known as well as from so many of them: */
	double shifts_known;
	double pull;   /* of a shift, back to the middle */
	double middle; /* level over all history */
};

/* n at least 1; bins in order of time. */
void rate_fit(const struct rate_bin *bins, size_t n, const struct rate_prior *prior,
	      struct rate_model *ret);

/* Logarithm of the rate at the end of the history, by what is likeliest. */
double rate_level(const struct rate_model *m);

/* One possible future. */
struct rate_path {
	double level, slope; /* at its beginning, as above */
	bool linear;
	double slope_ends; /* after so many days */
	double shifts_per_day, shifts_missed, history, shift_mean, shift_sd, next_shift, shifted;
	double pull; /* of a shift, back to the middle of all history */
	double middle;
	double sign;  /* -1: the mirror of another path */
	double noise; /* standard normal: its luck over all the time to come */
};

void rate_path_draw(const struct rate_model *m, struct rng *rnd, bool mirrored,
		    struct rate_path *ret);

/* Logarithm of the rate so many days after the end; days never decrease from call to call. */
double rate_path_at(struct rate_path *p, struct rng *rnd, double days);

#endif

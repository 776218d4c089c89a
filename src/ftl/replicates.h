/* SPDX-License-Identifier: MIT */
#ifndef FTL_REPLICATES_H
#define FTL_REPLICATES_H

#include "ftl/simulation.h"

/*
 * Runs that differ in their seed only, as one. Their means are independent of each other, so that
 * the interval is Student's (Law, "Simulation Modeling and Analysis", chapter 9: replications);
 * unknown of fewer than two.
 */
struct interval replicates_interval(const double *means, unsigned n);

/*
 * Counts and requests are sums; bytes are sums, and means of runs to the end of life; wear is over
 * all: least and most of any, the others' means. There is no timeline.
 */
void replicates_pool(const struct simulation_result *runs, unsigned n, bool to_death,
		     struct simulation_result *ret);

#endif

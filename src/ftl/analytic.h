/* SPDX-License-Identifier: MIT */
#ifndef FTL_ANALYTIC_H
#define FTL_ANALYTIC_H

#include <stdbool.h>

#include "ftl/simulation.h"

/*
 * Write amplification in the steady state, in the limit of many blocks. spare is the share of the
 * pages that hold no data, 0 < spare < 1; b is the number of pages a block.
 */

/* (1 + OP) / 2 OP: victims spread evenly over all counts (Agarwal and Marrow 2010); too low. */
double analytic_agarwal_marrow(double spare);

/* Of uniform writes with the oldest block as victim, by Lambert's W (Xiang and Kurkoski 2012). */
double analytic_fifo(double spare);

/* Of uniform writes with a random victim: 1 / spare. */
double analytic_random(double spare);

/* Of uniform writes with the emptiest block as victim, exact for finite b: a balance of flows. */
double analytic_greedy(double spare, uint32_t b);

/* ... with the emptiest of d blocks drawn at random (Van Houdt 2013; Li, Lee and Lui 2013). */
double analytic_choices(double spare, uint32_t b, unsigned d);

/* Groups of pages with shares of the writes and of the pages. */
struct analytic_groups {
	unsigned n;
	double writes[FTL_CLASSES_MAX], pages[FTL_CLASSES_MAX];
};

/* Of such writes with the oldest block as victim: exact. */
double analytic_fifo_groups(double spare, const struct analytic_groups *g);

/* Of Zipf's law, in so many groups that more of them change nothing that is shown. */
double analytic_fifo_zipf(double spare, double exponent, uint32_t pages);

/* Write amplification of uniform writes at a spare share, under one policy. */
struct analytic_curve {
	struct victim_choice victim;
	uint32_t pages_per_block;
};

/* False where no model is known. */
bool analytic_curve_is_known(const struct analytic_curve *c);
double analytic_curve_at(const struct analytic_curve *c, double spare);

/*
 * Of groups that are kept apart, with the spare split between them so that the write amplification
 * is the least (Desnoyers 2012; Stoica and Ailamaki 2013). ret_spare (may be NULL) gets each
 * group's spare share. Split in proportion to the pages, separation would gain nothing over uniform
 * writes.
 */
double analytic_best_split(const struct analytic_curve *c, double spare,
			   const struct analytic_groups *g, double ret_spare[FTL_CLASSES_MAX]);

/*
 * The spare share that uniform writes see where before each write, with probability q again and
 * again, one page in use is trimmed (Frankie et al. 2012).
 */
double analytic_trimmed_spare(double spare, double q);

/*
 * Host pages written until the end of life: blocks wear out at limits that are distributed normally
 * around pe with deviation cv * pe, and each takes its spare with it. blocks is without the
 * reserve.
 */
double analytic_life(const struct analytic_curve *c, double logical_pages, double blocks, double pe,
		     double cv);

struct analytic_answer {
	double waf;
	const char *model; /* its name; static */
	bool has_best_split;
	double best_split; /* write amplification with separated groups at the best split */
	bool has_life;
	double life_pages; /* host pages until the end of life */
};

/* The model that applies to a planned simulation. -EOPNOTSUPP with the reason in d where none does.
 */
int analytic_answer(const struct simulation_config *c, struct analytic_answer *ret,
		    struct diag *d) MUST_USE;

#endif

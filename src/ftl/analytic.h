/* SPDX-License-Identifier: MIT */
#ifndef FTL_ANALYTIC_H
#define FTL_ANALYTIC_H

#include <stdbool.h>

#include "ftl/pslc.h"
#include "ftl/simulation.h"

/*
 * Write amplification in the steady state, in the limit of many blocks: pages programmed for each
 * page that the host writes. spare is the share of the pages that hold no data, 0 < spare < 1; b is
 * the number of pages a block. All of it is pure: the same arguments give the same number, nothing
 * is kept, nothing is allocated.
 *
 * Times are in host writes over the logical pages: at 1, the host has written as much as the drive
 * holds. A page that is written uniformly survives a time t with probability exp(-t).
 */

/*
 * (1 + OP) / 2 OP = 1 / (2 spare): valid pages spread evenly over the blocks (Agarwal and Marrow
 * 2010). An approximation of analytic_fifo, too low the more spare there is: 1 % at OP = 0.03, 8 %
 * at 0.3 (2.17 against 2.36), and below the 1 that is possible where OP is above 1.
 */
double analytic_agarwal_marrow(double spare);

/* Of uniform writes with the oldest block as victim, by Lambert's W (Xiang and Kurkoski 2012). */
double analytic_fifo(double spare);

/* Of uniform writes with a random victim: 1 / spare. */
double analytic_random(double spare);

/* Of uniform writes with the emptiest block as victim, exact for finite b: a balance of flows. */
double analytic_greedy(double spare, uint32_t b);

/* ... with the emptiest of d blocks drawn at random (Van Houdt 2013; Li, Lee and Lui 2013). */
double analytic_choices(double spare, uint32_t b, unsigned d);

/*
 * As analytic_greedy, analytic_fifo and analytic_random where each block is also refreshed, that is
 * moved whatever it holds, when it is `age` old, in the time above. Derived from the same balance
 * of flows; tests hold them against the simulator. Refresh alone may free all that is needed: 1 /
 * (1 - exp(-age)).
 */
double analytic_greedy_refreshed(double spare, uint32_t b, double age);
double analytic_fifo_refreshed(double spare, double age);
double analytic_random_refreshed(double spare, double age);

/*
 * The age at which a block of b pages has been read `limit` times, where the host reads so many
 * pages for each that it writes, uniformly; infinite where it never is. Of the mean: blocks differ
 * by about 1 / sqrt(limit).
 */
double analytic_read_age(double reads, double limit, uint32_t b);

/* Groups of pages with shares of the writes and of the pages; a group may have no writes. */
struct analytic_groups {
	unsigned n;
	double writes[FTL_CLASSES_MAX], pages[FTL_CLASSES_MAX];
};

/* Of such writes with the oldest block as victim: exact. */
double analytic_fifo_groups(double spare, const struct analytic_groups *g);

/*
 * A write cache before the main area: first in, first out, so that it holds what was written within
 * the time `cache`; what is written anew within it is never folded. main: host pages that the main
 * area takes, its own collection included; folded: those that come from the cache. The main area
 * holds that much less than the logical pages. Exact with the oldest block as victim; age as in
 * analytic_fifo_refreshed, infinite for none.
 */
struct analytic_cached {
	double folded, main;
};
struct analytic_cached analytic_fifo_cached(double spare, const struct analytic_groups *g,
					    double cache, double age);

/* Of Zipf's law, in so many groups that more of them change nothing that is shown. */
double analytic_fifo_zipf(double spare, double exponent, uint32_t pages);

/* Write amplification of uniform writes at a spare share, under one policy. */
struct analytic_curve {
	struct victim_choice victim;
	uint32_t pages_per_block;
	double refresh_age; /* blocks are refreshed at this age, in the time above; 0: never */
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
 * The spare share that uniform writes see where a share `cold` of the logical pages is never
 * written and stands in blocks of its own.
 */
double analytic_cold_spare(double spare, double cold);

/*
 * Host pages written until the end of life: blocks wear out at limits that are distributed normally
 * around pe with deviation cv * pe, and each takes its spare with it. blocks is without the
 * reserve.
 */
double analytic_life(const struct analytic_curve *c, double logical_pages, double blocks, double pe,
		     double cv);

#define ANALYTIC_MODEL_MAX 192

struct analytic_answer {
	double waf;	       /* with the write cache and parity, in flash pages a host page */
	double folded, parity; /* of it */
	char model[ANALYTIC_MODEL_MAX]; /* its name */
	bool has_agarwal_marrow;
	double agarwal_marrow; /* of the same spare: the approximation, uniform writes alone */
	bool has_best_split;
	double best_split; /* write amplification with separated groups at the best split */
	bool has_life;
	double life_pages; /* host pages until the end of life */
};

/* The model that applies to a planned simulation. -EOPNOTSUPP with the reason in d where none does.
 */
int analytic_answer(const struct simulation_config *c, struct analytic_answer *ret,
		    struct diag *d) MUST_USE;

/* ... with a write cache before it, or none. */
int analytic_answer_cached(const struct simulation_config *c, const struct pslc_config *cache,
			   unsigned bits, struct analytic_answer *ret, struct diag *d) MUST_USE;

#endif

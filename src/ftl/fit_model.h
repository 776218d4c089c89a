/* SPDX-License-Identifier: MIT */
#ifndef FTL_FIT_MODEL_H
#define FTL_FIT_MODEL_H

#include "base/rng.h"

/*
 * Write amplification of a real drive as a function of a few physical parameters, made of the
 * analytic models in the steady state: greedy collection with finite blocks, random victims, first
 * in first out with groups of pages, and separated groups at the best split. It is tabulated once,
 * so that a fit can ask for it some ten thousand times.
 */

#define FIT_SPARES 36
#define FIT_HOT	   6 /* sizes of the hot group */
#define FIT_SKEWS  (1 + FIT_HOT * 7)
#define FIT_BLOCKS 5

struct fit_tables {
	double block[FIT_BLOCKS][FIT_SPARES]; /* logarithms of write amplifications */
	double skewed[FIT_SKEWS][FIT_SPARES]; /* over that of uniform writes, first in first out */
	double split[FIT_SKEWS][FIT_SPARES];
	double first, step; /* logarithms of the spare: of the first column, from one to the next */
	double middle;	    /* of the spare at which the separation of a drive is given */
};

/* About 35 KiB; takes some 10 ms. t begins as zeros; tables that are filled stay as they are. */
void fit_tables_fill(struct fit_tables *t);

/* What a drive may be like. Shares are 0 to 1; capacity is that which the host sees. */
struct fit_drive {
	double flash;	 /* flash that collection uses, over the capacity; above 1 */
	double fill;	 /* share of the capacity that holds files */
	double trimmed;	 /* share of the rest that the drive knows to be unused */
	unsigned skew;	 /* row of the tables: hot group's size and its share of the writes */
	unsigned block;	 /* row of the tables: pages of a block */
	double victim;	 /* 0: the emptiest block is collected; 1: any */
	double separate; /* how far hot and cold pages come apart: logit of the share of the gain */
	double separate_slope; /* its change with the logarithm of the spare */
	double sequential;     /* share of the writes that costs nothing */
	double fixed;	       /* flash writes a host write beside it: a pSLC cache */
	double factor;	       /* over all: parity, partial pages, compression */
	double churn;	       /* share of the writes that goes to new places */
};

/* Spare share as collection sees it. */
double fit_spare(const struct fit_drive *d);

/* Share of the gain of a perfect separation, at today's spare. */
double fit_separation(const struct fit_drive *d);

/* Share of the writes that the most written fifth of the pages gets. */
double fit_hot_writes(unsigned skew);

double fit_waf(const struct fit_tables *t, const struct fit_drive *d);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_ENDURANCE_ANSWER_H
#define FTL_ENDURANCE_ANSWER_H

#include "ftl/batch_means.h"

/* How the host writes until the end of life are known; the first that applies. */
enum endurance_basis {
	ENDURANCE_UNKNOWN,   /* the cycles are not given, or not those of all that wears */
	ENDURANCE_SIMULATED, /* the model ran until it was worn out */
	ENDURANCE_MODEL,     /* the integral over the blocks' limits */
	ENDURANCE_EQUATION,  /* flash x cycles / (write amplification x unevenness) */
};

const char *endurance_basis_text(enum endurance_basis basis);

struct endurance_question {
	double capacity_bytes;	/* of the user: what a drive write is */
	double flash_bytes;	/* that the cycles apply to */
	double pe_cycles;	/* 0: not given */
	struct interval waf;	/* flash bytes a host byte */
	double unevenness;	/* 0: not known, taken as 1 */
	double simulated_bytes; /* 0: it was not */
	double model_bytes;	/* 0: no model applies */
	double daily_bytes;	/* 0: not asked */
	double warranty_years;
};

/* Intervals are 95 %, of the simulation alone: what is known of cycles and workload is not in it.
 */
struct endurance_answer {
	enum endurance_basis basis;
	struct interval bytes; /* host bytes until the end of life: TBW */
	struct interval years; /* at daily_bytes; 0 where not asked */
	double dwpd;	       /* drive writes a day over the warranty that use it up */
	double unevenness;     /* as used by ENDURANCE_EQUATION */
};

struct endurance_answer endurance_answer(const struct endurance_question *q);

#endif

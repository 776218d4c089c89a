/* SPDX-License-Identifier: MIT */
#ifndef FTL_FIT_H
#define FTL_FIT_H

#include <stdbool.h>

#include "base/diag.h"
#include "ftl/fit_model.h"

/*
 * Which drives the record of a drive allows: importance sampling. Drives are drawn from what is
 * known of drives in general and of this one (its flash, its fill), and weighted by how well they
 * explain the write amplification that was measured. What follows from the weighted drives carries
 * the uncertainty of all parameters together.
 *
 * The random numbers are always the same: the same record gives the same fit on every machine.
 */

#define FIT_WINDOWS_MAX 16

/* A stretch of the record with its counters. */
struct fit_window {
	double days;	      /* its length; 0: not known */
	double host, nand;    /* bytes written */
	double relative_step; /* of nand / host, by the counters' steps: about one deviation */
	bool has_fill;
	double fill; /* share of the capacity that holds files */
};

enum trim_habit { TRIM_UNKNOWN, TRIM_NEVER, TRIM_WEEKLY, TRIM_DAILY, TRIM_AT_ONCE };

struct fit_record {
	double capacity; /* bytes that the host sees; 0: not known */
	double raw;	 /* bytes of flash, by the drive rules; 0: not known */
	/* bytes that an erase of every block takes, by NAND writes over erase counts; 0: unknown */
	double cycle, cycle_relative; /* and its relative deviation */
	bool has_life;
	struct fit_window life;			    /* from new */
	struct fit_window windows[FIT_WINDOWS_MAX]; /* by time, each long enough to tell */
	unsigned nwindows;
	double writes_per_day; /* host bytes of late; 0: not known */
	bool has_fill;
	double fill; /* today's */
	enum trim_habit trim;
	bool has_slc;
	double slc_share; /* pSLC bytes a host byte; nand holds them too */
	bool compresses;
};

/* The parameters as they are told to people. */
#define FIT_PARAMETERS(X)                                                                 \
	X(FIT_OVERPROVISIONING, "overprovisioning", "flash beyond the capacity", true)    \
	X(FIT_FILL, "fill", "capacity that holds files", true)                            \
	X(FIT_TRIMMED, "trimmed", "free capacity known as unused", true)                  \
	X(FIT_SPARE, "effective_spare", "effective spare", true)                          \
	X(FIT_HOT_WRITES, "writes_of_hottest_fifth", "writes to the hottest fifth", true) \
	X(FIT_SEPARATION, "separation", "separation of hot and cold", true)               \
	X(FIT_VICTIM, "victim_randomness", "victims not the emptiest", true)              \
	X(FIT_SEQUENTIAL, "sequential_writes", "writes that cost no collection", true)    \
	X(FIT_FIXED, "slc_writes", "pSLC writes a host write", false)                     \
	X(FIT_FACTOR, "overhead_factor", "factor over all (parity, partial pages)", false)

enum fit_parameter {
#define X(e, name, label, share) e,
	FIT_PARAMETERS(X)
#undef X
		FIT_PARAMETER_COUNT
};

const char *fit_parameter_name(enum fit_parameter p);
const char *fit_parameter_label(enum fit_parameter p);
bool fit_parameter_is_share(enum fit_parameter p);

struct fit_value {
	double median, low, high; /* 90 % */
	bool told;		  /* the record narrows it */
	bool given;		  /* it was known before: from the record or the command line */
};

#define FIT_PAIRS_MAX 8

struct fit_pair {
	enum fit_parameter a, b;
	double correlation;
};

struct fit {
	struct fit_record record;
	struct fit_drive *drives; /* n, owned */
	double *weights;	  /* sum 1 */
	unsigned n;
	double effective;	/* drives that the weights are worth */
	bool strained;		/* no drive of the family explains the record well */
	struct fit_window late; /* that the measured write amplification is of */
	double waf;		/* measured */
	/* filled in by fit_tell: */
	struct fit_value values[FIT_PARAMETER_COUNT];
	struct fit_pair pairs[FIT_PAIRS_MAX];
	unsigned npairs;
};

/* -ENODATA with the reason in d where the record has no write amplification; -ENOMEM. */
int fit_compute(const struct fit_tables *t, const struct fit_record *record, struct diag *d,
		struct fit *ret) MUST_USE;
void fit_release(struct fit *f);

/* Find values and pairs, which people are shown and nothing is computed from. -ENOMEM. */
int fit_tell(struct fit *f) MUST_USE;

/* A value and what it counts for. */
struct weighted {
	double value, weight;
};
void weighted_sort(struct weighted *w, unsigned n);
/* Of sorted values whose weights sum to 1. */
double weighted_quantile(const struct weighted *sorted, unsigned n, double q);

/* Share of the free capacity that is known as unused, of a drive that is trimmed so. */
double fit_trimmed_share(enum trim_habit habit, const struct fit_drive *d,
			 double capacities_per_day);

#endif

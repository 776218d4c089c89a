/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_WEAR_H
#define HEALTH_WEAR_H

#include "health/facts.h"

/* Wear as of one reading. Ratios are plain numbers, percentages 0..100 (used may pass 100). */
struct wear {
	bool has_waf_lifetime, has_waf_recent, has_unevenness, has_used, has_left;
	double waf_lifetime; /* NAND bytes / host bytes, as measured (may be below 1) */
	bool waf_plausible;  /* false: below 1 without compression; estimates then use 1 */
	bool waf_settled;    /* enough was written, and the counters are sure enough, to judge by */
	double waf_recent, waf_recent_days; /* from history */
	double unevenness;		    /* maximum / average block erase count, at least 1 */
	bool unevenness_settled;	    /* enough erases for the ratio to mean something */
	i128 used;			    /* thousandths of a percent; unclipped */
	i128 left;			    /* 100 % - used, clamped to 0..100 % */
	bool used_plausible;		    /* false: a life used up in days, with no second sign */
	enum fact_bound bound;		    /* of used: at-least for a floored counter */
	enum confidence used_confidence;    /* that the number means life used */
	char waf_source[FACT_SOURCE_MAX], used_source[FACT_SOURCE_MAX],
		unevenness_source[FACT_SOURCE_MAX];
	char waf_note[160]; /* why it has low confidence, or empty */
};

/*
 * May add conflicts: WAF below 1, a maximum erase count below the average, measures of life used
 * that differ (life_measures_compare), rates that no drive can reach, host writes too few for the
 * wear.
 */
void wear_compute(const struct reading *r, const struct drive_rule *rule, struct facts *facts,
		  struct wear *ret);

/*
 * Hours powered on, where they are plausible: above 22 years they are another number misread.
 * False, output untouched, otherwise.
 */
#define POWER_ON_HOURS_MAX 200000
bool wear_power_on_hours(const struct facts *facts, i128 *ret);

/* The WAF to estimate with: as measured, but 1 where that is below 1 without compression. */
double wear_waf(const struct wear *wear);

/*
 * One way to tell how much of the rated life is used. Everything here is about the TLC/QLC/MLC
 * area; a pSLC area has its own counts.
 */
struct life_measure {
	enum fact_id facts[2]; /* what it is made of; FACT_NONE where fewer */
	i128 used;	       /* thousandths of a percent */
	enum fact_bound bound;
	enum confidence confidence;
	bool warranty;	/* a share of rated writes: not wear */
	char text[200]; /* "21.4 % by rated writes (32 of 150 TB)" */
};

#define LIFE_MEASURES_MAX (CANDIDATES_MAX + 2)

/* All measures of life used, the followed one first. Returns how many. */
size_t life_measures(const struct facts *facts, struct life_measure ret[LIFE_MEASURES_MAX]);

/*
 * Do two measures contradict each other: more than 10 points apart, bounds respected; a share of
 * rated writes also where it differs ten-fold from a wear of 5 % or more?
 */
bool life_measures_differ(const struct life_measure *a, const struct life_measure *b);

/*
 * Add a conflict for each measure that contradicts the followed one and has none yet, and for two
 * others that contradict it and each other.
 */
void life_measures_compare(struct facts *facts);

/*
 * The wear equation (Intel's form, used since the X25-M):
 *   lifetime host writes = capacity x rated P/E cycles / (write amplification x unevenness)
 * 0 where a number is not positive.
 */
struct wear_equation {
	double capacity_bytes, pe_cycles, waf, unevenness;
};
double wear_equation_host_bytes(const struct wear_equation *e);

/*
 * The largest product waf x unevenness with which the drive lasts `days` at `bytes_per_day`; 0
 * where a number is not positive. Below 1 nothing helps: the drive cannot last so long.
 */
double wear_equation_allowed_product(double capacity_bytes, double pe_cycles, double bytes_per_day,
				     double days);

#endif

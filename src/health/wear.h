/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_WEAR_H
#define HEALTH_WEAR_H

#include "health/facts.h"

/* Wear as of one reading. Ratios are plain numbers, percentages 0..100 (used may pass 100). */
struct wear {
	bool has_waf_lifetime, has_waf_recent, has_unevenness, has_used, has_left;
	double waf_lifetime; /* NAND bytes / host bytes, as measured (may be below 1) */
	bool waf_plausible;  /* false: below 1 without compression; estimates then use 1 */
	double waf_recent, waf_recent_days; /* from history */
	double unevenness;		    /* maximum / average block erase count, at least 1 */
	i128 used;			    /* thousandths of a percent; unclipped */
	i128 left;			    /* 100 % - used, clamped to 0..100 % */
	enum fact_bound bound; /* of used: at-least for a floored or saturated counter */
	char waf_source[FACT_SOURCE_MAX], used_source[FACT_SOURCE_MAX],
		unevenness_source[FACT_SOURCE_MAX];
	char waf_note[160]; /* why it has low confidence, or empty */
};

/* May add conflicts (WAF below 1, measures of life used that differ by more than 10 points). */
void wear_compute(const struct reading *r, const struct drive_rule *rule, struct facts *facts,
		  struct wear *ret);

/*
 * The wear equation (Intel's form; the mission's endurance formula):
 *   lifetime host writes = capacity x rated P/E cycles / (write amplification x unevenness)
 */
struct wear_equation {
	double capacity_bytes, pe_cycles, waf, unevenness;
};
double wear_equation_host_bytes(const struct wear_equation *e);

/* The largest product waf x unevenness with which the drive lasts `days` at `bytes_per_day`. */
double wear_equation_allowed_product(double capacity_bytes, double pe_cycles, double bytes_per_day,
				     double days);

#endif

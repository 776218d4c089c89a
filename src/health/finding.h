/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_FINDING_H
#define HEALTH_FINDING_H

#include "health/estimate.h"

enum severity {
	SEVERITY_OK, /* a remark */
	SEVERITY_UNKNOWN,
	SEVERITY_WARNING,
	SEVERITY_CRITICAL, /* the order is the order of the verdict: the worst wins */
};

const char *severity_name(enum severity severity);  /* "warning" */
const char *severity_label(enum severity severity); /* "WARNING" */

/*
 * Limits that findings compare with. Every default stands in limit_rows alone. What the drive
 * itself names (temperatures, spare threshold) comes before them.
 */
struct limits {
	double used_warning, used_critical; /* percent of the rated life used */
	double spare_margin;		    /* points above the threshold that warn */
	double waf_high, unevenness_high;   /* ratios */
	double temperature_warning;	    /* C; where the drive names none */
	double temperature_critical;
	double shutdown_margin;		    /* C below a known shutdown temperature */
	double hazard_hours;		    /* hours before a firmware time bomb: critical */
	double array_window, array_horizon; /* days; members that end so close, so soon, warn */
	double array_used, array_points;    /* percent; members this worn, and so alike, warn */
	double stale_days;		    /* age of a reading */
	double reallocated_warning;	    /* blocks, where no spare is reported */
	double rising_days;		    /* in which counters that rise are news */
	double media_rising, reallocated_rising, crc_rising; /* so many within them warn */
	double spare_falling;				     /* points within SPARE_DAYS */
	double change_factor; /* times its own past: a change of WAF or wear rate */
};

void limits_defaults(struct limits *ret);

/* One row a limit: its name in nandlife.conf [limits] and in --limit NAME=VALUE, range, help. */
struct limit_row {
	const char *name, *help;
	enum unit unit;
	size_t offset; /* of the double in struct limits */
	double standard;
	double low, high;
};
extern const struct limit_row limit_rows[];
extern const size_t limit_rows_n;

/* Set one limit by name. -ENOENT, -EINVAL (no number), -ERANGE (with the range in d). */
int limits_set(struct limits *limits, const char *name, const char *value, struct diag *d) MUST_USE;

struct finding {
	const char *id; /* stable words: "wear.life-low" */
	enum severity severity;
	char text[320], evidence[320], advice[200];
	bool suppressed; /* by the administrator; does not count in the verdict */
	char suppressed_why[120];
};

#define FINDINGS_MAX 48

/* "Finding id is accepted for this drive because ..." from nandlife.conf. serial "": any drive. */
struct suppression {
	char serial[SERIAL_MAX], id[48], reason[120];
};

/* Every finding id that can occur, for help and completion; NULL ends it. */
extern const char *const finding_ids[];

#endif

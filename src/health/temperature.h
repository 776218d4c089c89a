/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_TEMPERATURE_H
#define HEALTH_TEMPERATURE_H

#include "health/finding.h"

struct temperature_limit {
	double celsius;
	const char *who; /* who named it: a field of the drive, "drive rules" or "default" */
};

struct temperature_limits {
	struct temperature_limit warning, critical;
};

/* What the drive names, else the drive rules, else the administrator's or our own defaults. */
void temperature_limits(const struct reading *r, const struct drive_rule *rule,
			const struct limits *limits, struct temperature_limits *ret);

#endif

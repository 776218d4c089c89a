/* SPDX-License-Identifier: MIT */
#ifndef CLI_DRIVE_FIT_H
#define CLI_DRIVE_FIT_H

#include "ftl/fit_estimate.h"
#include "health/assess.h"

/* The FTL model fitted to a drive that was judged. */
struct drive_fit {
	struct fit_reading reading;
	struct fit fit;
	bool has_fit;
};

void drive_fit_release(struct drive_fit *m);

/* What the owner says of today, beside what the drive says. */
struct owner_says {
	bool has_fill;
	double fill;
	enum trim_habit trim;
};

/*
 * Fit the model; series: its history with its samples, or NULL. The estimate "ftl-model" of the
 * assessment is filled in, and for it alone the fit is only made where it rests on one; whole: the
 * fit is wanted for itself, with its values. t: zeros, or filled. says may be NULL. -ENOMEM.
 */
int drive_fit_make(struct fit_tables *t, const struct reading *r, const struct drive_rule *rule,
		   const struct series *series, const struct owner_says *says, bool whole,
		   struct assessment *a, struct drive_fit *ret) MUST_USE;

#endif

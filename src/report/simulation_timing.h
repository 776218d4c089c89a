/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIMULATION_TIMING_H
#define REPORT_SIMULATION_TIMING_H

#include "doc/doc.h"
#include "doc/view.h"
#include "ftl/stages_run.h"

/* The part of the answer of simulate that a drive in time adds. */
struct timed_report {
	const struct stages_config *config; /* as it ran */
	const struct stages_result *result;
	unsigned columns; /* of the terminal, for the curve */
	bool unicode;
};

/* Members of the model: the hardware and the stages as used. */
void report_timing_model(struct doc *model, const struct timed_report *t);

/* The curve as array `key` of root. */
void report_timing_curve(struct doc *root, const char *key, const struct timed_report *t);

/* "stages" with their figures, and "latency" of the last measuring one. */
void report_timing_stages(struct doc *root, const struct timed_report *t);

/* A table of the stages, and the curve drawn. */
void report_timing_view(const struct timed_report *t, struct view *v);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REVIEWS_PRESET_RUN_H
#define REVIEWS_PRESET_RUN_H

#include "ftl/preset.h"
#include "ftl/stages_run.h"

/* A preset of db/presets; ends the program with the reason where it cannot be read. */
void preset_read(const char *name, struct preset *ret);

/*
 * Stages on a drive by name, on one so-many-th of its blocks and of its time: what comes out is of
 * the whole drive. user_bytes: of a capacity mode; 0: the preset's own.
 */
struct preset_run {
	struct preset preset;
	struct simulation_config config; /* of the part */
	struct stages_run *run;
	struct stages_result result;
};

void preset_run_start(struct preset_run *r, const char *name, double user_bytes, unsigned scale,
		      const struct stage *stages, size_t n);
void preset_run_release(struct preset_run *r); /* for CLEANUP */

/* MB/s of requests within a stage, from one time in it to another, both in seconds. */
double preset_run_speed(const struct preset_run *r, size_t stage, double from_s, double to_s);

/* Seconds of a stage by which the host had written so many bytes in it; infinite: it did not. */
double preset_run_written_at(const struct preset_run *r, size_t stage, double bytes);

/* Pages programmed for each one that the host's writes took, over a stage. */
double preset_run_waf(const struct preset_run *r, size_t stage);

#endif

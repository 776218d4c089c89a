/* SPDX-License-Identifier: MIT */
#ifndef FTL_STAGES_RUN_H
#define FTL_STAGES_RUN_H

#include "ftl/latency.h"
#include "ftl/stages.h"
#include "ftl/stages_curve.h"
#include "ftl/timing_drive.h"

/*
 * A run of stages on a drive in time, in steps. The host keeps queue_depth requests going; one that
 * has a time of its own is not begun before it. The same configuration gives the same result on
 * every machine.
 *
 * With model.scale, the device of the configuration is that part of the drive, and the stages are
 * of the whole drive; so are the results.
 */
struct stages_config {
	struct timed_config drive;
	const struct stage *stages;
	size_t n;
	uint32_t points; /* of a stage's curve, at most; 0: CURVE_POINTS */
	uint64_t seed;
};

#define CURVE_POINTS	  512
#define CURVE_POINTS_MOST 16384 /* of a stage that says how often it wants one */

/*
 * Divide capacity and cache by model.scale: fewer blocks down to 1024, then fewer pages a block
 * down to 128, then fewer blocks; a window and what a search costs go with the blocks. -EINVAL with
 * the reason and the highest possible scale in d.
 */
int stages_scale(struct timed_config *c, struct diag *d) MUST_USE;

struct stages_run;

/* -EINVAL with the reason in d where a stage is impossible, -ENOMEM. The stages stay the caller's.
 */
int stages_run_new(const struct stages_config *c, const struct ftl_memory *memory, struct diag *d,
		   struct stages_run **ret) MUST_USE;
void stages_run_free(struct stages_run *r);
void stages_run_release(struct stages_run **r); /* for CLEANUP */

/* Go on for about n requests: 1, or 0 where all is done; -errno of a source, which said why,
 * -ERANGE where a request of it is not within the drive, or -ENOMEM. */
int stages_run_step(struct stages_run *r, uint64_t n) MUST_USE;

/* How much is done, 0 to 1. */
double stages_run_progress(const struct stages_run *r);

/* What one stage did; of one that is not over, as far as it came. */
struct stage_result {
	enum stage_kind kind;
	uint64_t start_ns, end_ns;
	uint64_t written_bytes, read_bytes;
	uint64_t writes, reads;	      /* requests */
	uint64_t pages, programs;     /* that writes took; programmed for whatever cause */
	struct timed_totals totals;   /* within it */
	struct ftl_totals device;     /* within it; those of FTL_HOST are folded too */
	struct pslc_totals cache;     /* within it */
	uint32_t first_point, points; /* of the curve */
	double least_iops, most_iops; /* of its points that are whole */
	double least_mb_per_s, most_mb_per_s;
	struct latency_summary write_latency, read_latency;
};

/* Of time in nanoseconds; 0 where no time passed. */
double per_second(uint64_t n, uint64_t ns);
double mb_per_second(uint64_t bytes, uint64_t ns);

struct stages_result {
	const struct stage_result *stages;
	size_t n; /* begun */
	bool done, dead;
	bool has_cache;
	struct pslc_wear cache_wear; /* over the whole run */
	uint64_t cache_programs;     /* pages, over the whole run */
	unsigned scale;		     /* what is multiplied: see drive_model */
	const struct curve_point *points;
	uint32_t npoints;
	uint64_t end_ns;
};

void stages_run_result(struct stages_run *r, struct stages_result *ret);
const struct timed_drive *stages_run_drive(const struct stages_run *r);

#endif

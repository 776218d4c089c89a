/* SPDX-License-Identifier: MIT */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include "cli/simulate_workload.h"
#include "ftl/stages_run.h"

struct sys;

/* What is done with the report of a run; its parts do not stay. */
struct simulate_show {
	int (*show)(struct context *ctx, const struct simulation_report *r, void *arg);
	void *arg;
};

/*
 * The simulation that the options describe, complete and possible. Wrong usage where it is not,
 * with the reason and the nearest possible value. What it takes from files is in `in`, which the
 * caller releases, in any case.
 */
int simulate_config(struct context *ctx, struct simulate_input *in,
		    struct simulation_config *ret) MUST_USE;

/* The same but for the trace, which is not opened. */
int simulate_describe(struct context *ctx, struct simulate_input *in,
		      struct simulation_config *ret) MUST_USE;

/* Do the options ask for a drive in time? */
bool simulate_is_timed(const struct context *ctx);

struct simulation_report;

/* What of the answer the options and the terminal say. */
void simulate_report_start(const struct context *ctx, struct simulation_report *ret);

/* A value that is one of n names: its number. Wrong usage with the near name where it is none. */
int simulate_name(struct context *ctx, const char *option, const char *value,
		  const char *const *names, size_t n, unsigned *ret) MUST_USE;

/* The hardware that the options describe. Wrong usage where it is impossible. */
int simulate_model(struct context *ctx, uint32_t page_bytes, struct drive_model *ret) MUST_USE;

/* What is done to the drive: of --phases, or one measuring stage from new. The caller releases. */
int simulate_stages(struct context *ctx, const struct simulation_config *c,
		    struct stages *ret) MUST_USE;

/* simulate with a drive in time; c is planned. */
int simulate_timed(struct context *ctx, const struct simulation_config *c,
		   struct simulate_input *in, const struct simulate_show *show);

/* One run as the options say, or the answer of a formula. */
int simulate_once(struct context *ctx, const struct simulate_show *show) MUST_USE;

/* As above, printed. */
int simulate_print(struct context *ctx, const struct simulation_report *r, void *arg);

/* simulate --sweep and --replicates */
int simulate_sweep(struct context *ctx);

/* A run in steps: false or not 1 when it is done. */
struct simulate_job {
	bool (*step)(void *state); /* a part of a second; false: it is done */
	double (*progress)(const void *state);
	void *state;
};

/*
 * Run to the end or to a signal, with the progress shown. Returns why it was stopped; NULL: it was
 * not.
 */
const char *simulate_run(struct context *ctx, struct sys *sys, const struct simulate_job *job);

/* The largest arrays must fit the memory, or the system would end some other program. */
int simulate_check_memory(struct context *ctx, struct sys *sys, uint64_t needed) MUST_USE;

extern const struct ftl_memory simulate_memory;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_SIMULATE_WORKLOAD_H
#define CLI_SIMULATE_WORKLOAD_H

#include "cli/context.h"
#include "cli/presets.h"
#include "cli/trace_file.h"
#include "report/simulation.h"

/* What a run takes from files; it must stay while it runs. */
struct simulate_input {
	struct presets presets;	     /* the options may point into it */
	const struct preset *preset; /* NULL: none was named */
	struct access_table table;
	struct trace_file *trace;
	struct trace_survey survey; /* of the trace */
	enum trace_mapping mapping;
	uint32_t touched;	      /* pages that the trace touches, of TRACE_MAP_COMPACT */
	struct simulation_trace told; /* of the answer */
	struct source source;	      /* requests for a drive in time */
};

void simulate_input_release(struct simulate_input *in);

/* Before the plan: the shares and sizes of requests, and their table. */
int simulate_mix(struct context *ctx, struct simulation_config *c,
		 struct simulate_input *in) MUST_USE;

/*
 * After the plan: open the trace, read it once to see that it fits the drive, and make it the
 * configuration's. Does nothing for other workloads.
 */
int simulate_trace(struct context *ctx, struct simulation_config *c,
		   struct simulate_input *in) MUST_USE;

/* For a run in time: the requests where the stages' own do not do. source.next is NULL else. */
int simulate_requests(struct context *ctx, const struct simulation_config *c,
		      struct simulate_input *in, struct request_source *ret) MUST_USE;

/* The options of a trace. */
int simulate_trace_options(struct context *ctx, struct trace_options *ret) MUST_USE;

/* The reading of a trace failed. */
int simulate_trace_failed(struct context *ctx, int r);

/* There is nothing in it. */
int simulate_trace_is_empty(struct context *ctx, const char *name, const struct trace_counts *n);

/* Say how many bad lines were left out, and what else was noticed. */
void simulate_trace_remarks(const struct context *ctx, const struct trace *t);

/* simulate --summarise */
int simulate_summarise(struct context *ctx);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIMULATION_H
#define REPORT_SIMULATION_H

#include "doc/doc.h"
#include "doc/view.h"
#include "ftl/analytic.h"
#include "ftl/simulation.h"
#include "ftl/trace.h"
#include "report/simulation_timing.h"

/* The trace that a simulation followed. */
struct simulation_trace {
	enum trace_format format;
	struct trace_counts counts;
	const char *device; /* "" where it is not known */
	const char *map;    /* how its places became the model's */
	uint64_t extent;
	bool has_touched;
	uint32_t touched; /* pages of a compact map */
};

/* The answer of simulate: what the model was, what came out, and how sure that is. */
struct simulation_report {
	const struct simulation_config *config; /* as planned */
	const struct simulation_result *result; /* NULL: answered by the analytic model alone */
	const struct analytic_answer *analytic; /* NULL: no model applies */
	const struct timed_report *timed;	/* NULL: a run without time */
	const struct simulation_trace *trace;	/* NULL: the workload is none */
	unsigned replicates;			/* runs that this is of; 0 is as 1 */
	const char *note;			/* for people; NULL: none */
	const struct ftl *device;		/* as it was at the end; NULL as the result */
	double daily_bytes;    /* that the host writes, for the years; 0: not asked */
	double warranty_years; /* for drive writes a day */
	unsigned columns;      /* of the terminal, for curves */
	bool unicode;
	const char *stopped; /* why it ended before its time; NULL: it did not */
	double cpu_seconds;
};

struct doc *report_simulation(const struct simulation_report *r, int64_t generated_at);

/* For CSV, as member "rows": the timeline, or the one row of an analytic answer. */
struct doc *report_simulation_rows(const struct simulation_report *r);

void report_simulation_view(const struct simulation_report *r, struct view *v);

#endif

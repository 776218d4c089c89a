/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SWEEP_H
#define REPORT_SWEEP_H

#include "ftl/replicates.h"
#include "report/simulation.h"

/* The answer of simulate --sweep: a row for each combination of the values. */

#define SWEEP_AXES_MAX 8
#define SWEEP_FIGURES  8

struct sweep_axis {
	const char *key;	   /* of the rows; outlives the answer */
	const char *title;	   /* of the table's column */
	const char *const *values; /* as they were typed */
	unsigned n;
};

/* What one run gave, without pointers: it crosses from process to process. */
struct sweep_outcome {
	bool known;
	bool simulated, timed, has_analytic, has_life;
	struct simulation_result result; /* of simulated; without a timeline */
	double analytic_waf, life_bytes;
	double spare; /* as it resulted */
	double iops, mb_per_s, write_p50_us, write_p99_us, read_p50_us, read_p99_us; /* of timed */
	double cpu_seconds;
	char stopped[96]; /* "": it was not */
};

struct sweep_row {
	const char *values[SWEEP_AXES_MAX];
	const struct sweep_outcome *runs; /* replicates */
	unsigned n;			  /* of them known */
	bool to_death;
};

struct sweep_report {
	const struct sweep_axis *axes;
	unsigned naxes;
	const struct sweep_row *rows; /* those of which a run is known */
	size_t nrows, all;
	unsigned replicates;
	uint64_t seed;
	const char *stopped;
	double cpu_seconds;
	/* room for the view's columns, SWEEP_AXES_MAX + SWEEP_FIGURES; as long as the view */
	struct view_column *columns;
};

/* "rows" in it are those for CSV. */
struct doc *report_sweep(const struct sweep_report *r, int64_t generated_at);
void report_sweep_view(const struct sweep_report *r, struct view *v);

/* What a run's report gives of it. */
void sweep_outcome_of(const struct simulation_report *r, struct sweep_outcome *ret);

/* One row of replicates as one run. */
struct interval sweep_waf(const struct sweep_row *row);
void sweep_pool(const struct sweep_row *row, struct simulation_result *ret);

#endif

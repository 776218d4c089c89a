/* SPDX-License-Identifier: MIT */
#ifndef REPORT_ACCESSES_H
#define REPORT_ACCESSES_H

#include "doc/doc.h"
#include "doc/view.h"
#include "ftl/access.h"
#include "ftl/trace.h"

/* The answer of simulate --summarise: what a trace asks. */
struct accesses_report {
	const char *file;
	const struct trace *trace; /* read to its end */
	const struct access_counter *counter;
	const struct access_table *table;
};

/* "accesses" in it are the rows for CSV, which a workload takes. */
struct doc *report_accesses(const struct accesses_report *r, int64_t generated_at);

void report_accesses_view(const struct accesses_report *r, struct view *v);

#endif

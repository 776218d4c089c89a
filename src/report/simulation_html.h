/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIMULATION_HTML_H
#define REPORT_SIMULATION_HTML_H

#include "report/simulation.h"

/*
 * The answer of simulate as one HTML page that needs nothing else, as report_page of
 * report/html.h: figures, curves, where the writes went, the wear of the blocks, the map's memory,
 * every parameter. doc: what report_simulation made of it. The error of out tells how it went.
 */
void report_simulation_page(const struct simulation_report *r, const struct doc *doc,
			    int64_t generated_at, struct str *out);

/* Its charts, as figures. */
void report_simulation_charts(const struct simulation_report *r, struct str *out);

#endif

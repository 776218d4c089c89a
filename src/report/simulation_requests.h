/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIMULATION_REQUESTS_H
#define REPORT_SIMULATION_REQUESTS_H

#include "report/simulation.h"

/* Parts of simulate's answer: what the host asks, where it does so by requests. */

/* In "model": shares and sizes as used, and the trace. */
void report_requests_asked(struct doc *model, const struct simulation_report *r);

/* "requests": what was done of them; null where the host writes by pages. */
void report_requests_done(struct doc *root, const struct simulation_report *r);

/* Rows of the table of results, and the lines about the drive before it. */
void report_requests_model_view(struct view *v, const struct simulation_report *r);
void report_requests_rows_view(struct view *v, const struct simulation_report *r);

#endif

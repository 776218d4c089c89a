/* SPDX-License-Identifier: MIT */
#ifndef REPORT_SIMULATION_OUTCOME_H
#define REPORT_SIMULATION_OUTCOME_H

#include "ftl/endurance_answer.h"
#include "ftl/mapping_memory.h"
#include "report/simulation.h"

/* Parts of the answer of simulate that its JSON, its text and its page share. */

/* What the host's writes cost, by cause: flash bytes a host byte, adding up to the whole. */
#define CAUSES_MAX 8
struct simulation_cause {
	const char *key, *label;
	double share;
};
size_t simulation_causes(const struct simulation_report *r,
			 struct simulation_cause ret[CAUSES_MAX]);

/* Flash programmed over host writes since the drive was new, in pages. False where unknown. */
bool simulation_lifetime_waf(const struct simulation_report *r, double *ret);

/* The highest erase count over the mean, where enough was erased to tell. */
#define UNEVENNESS_ERASES 20
bool simulation_unevenness(const struct simulation_report *r, double *ret);

struct endurance_answer simulation_endurance(const struct simulation_report *r);
size_t simulation_mapping(const struct simulation_report *r,
			  struct mapping_memory ret[MAPPING_UNITS_MAX]);
/* Extents now, in the whole drive; and what their map takes, in bytes. */
bool simulation_extents(const struct simulation_report *r, double *ret, double *ret_bytes);

/* Into the document. */
void simulation_outcome_waf(struct doc *waf, const struct simulation_report *r);
void simulation_outcome_erases(struct doc *root, const struct simulation_report *r);
void simulation_outcome_life(struct doc *root, const struct simulation_report *r);
void simulation_outcome_map(struct doc *root, const struct simulation_report *r);

/* Rows of the table of quantities, and what follows the table. */
void simulation_outcome_lifetime(const struct simulation_report *r, struct view *v);
void simulation_outcome_rows(const struct simulation_report *r, struct view *v);
void simulation_outcome_view(const struct simulation_report *r, struct view *v);

#endif

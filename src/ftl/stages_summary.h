/* SPDX-License-Identifier: MIT */
#ifndef FTL_STAGES_SUMMARY_H
#define FTL_STAGES_SUMMARY_H

#include "ftl/simulation.h"
#include "ftl/stages_run.h"

/*
 * The same as a run without time gives, of the measuring stages that wrote, or of all stages where
 * none did: pages that the host wrote and the flash programmed. Pages written to a cache are the
 * host's, and ret->folded those that went from it to the main area.
 */
void stages_summarise(const struct stages_run *r, const struct stages_result *x,
		      struct simulation_result *ret);

#endif

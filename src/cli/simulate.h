/* SPDX-License-Identifier: MIT */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include "cli/context.h"
#include "ftl/simulation.h"

/*
 * The simulation that the options describe, complete and possible. Wrong usage where it is not,
 * with the reason and the nearest possible value.
 */
int simulate_config(struct context *ctx, struct simulation_config *ret) MUST_USE;

#endif

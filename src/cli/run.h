/* SPDX-License-Identifier: MIT */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/context.h"

/*
 * Run a command line (without the program's name) in a context that was initialised: parse it, run
 * its command, write the answer, tell what went wrong. Returns the exit code.
 */
int run_command_line(struct context *ctx, int argc, char **argv);

#endif

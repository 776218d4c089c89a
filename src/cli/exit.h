/* SPDX-License-Identifier: MIT */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

#include <stddef.h>
#include <sysexits.h>

/*
 * Exit codes. `health` answers with its verdict, everything else follows sysexits(3).
 */
#define EXIT_UNKNOWN 3

struct exit_row {
	int code;
	const char *meaning;
};
extern const struct exit_row exit_rows[], verdict_rows[];
extern const size_t exit_rows_n, verdict_rows_n;

/* The code for a negative errno; EX_OK for 0. */
int exit_code_of(int err);

#endif

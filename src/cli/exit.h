/* SPDX-License-Identifier: MIT */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

#include <sysexits.h>

/*
 * Exit codes. `health` answers with its verdict, everything else follows sysexits(3). The meanings
 * here are the ones shown to users.
 *
 * X(code, meaning)
 */
#define EXIT_CODES(X)                                                 \
	X(EX_OK, "success")                                           \
	X(EX_USAGE, "wrong usage")                                    \
	X(EX_DATAERR, "bad input data")                               \
	X(EX_NOINPUT, "no such file or drive")                        \
	X(EX_UNAVAILABLE, "not supported by the drive or the system") \
	X(EX_SOFTWARE, "a bug in nandlife")                           \
	X(EX_OSERR, "a system call failed")                           \
	X(EX_IOERR, "input or output error")                          \
	X(EX_TEMPFAIL, "busy or locked, try again")                   \
	X(EX_NOPERM, "permission is missing")                         \
	X(EX_CONFIG, "mistake in the configuration")

/* Of `health`, and of failures with --format nagios. */
#define EXIT_VERDICTS(X) \
	X(0, "OK")       \
	X(1, "WARNING")  \
	X(2, "CRITICAL") \
	X(3, "UNKNOWN, or no verdict")

#define EXIT_UNKNOWN 3

/* The code for a negative errno; EX_OK for 0. */
int exit_code_of(int err);

#endif

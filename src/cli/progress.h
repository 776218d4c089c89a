/* SPDX-License-Identifier: MIT */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How far long work has come, on standard error: a bar on a terminal, one line a step elsewhere.
 * Nothing is shown of work that is done within PROGRESS_PATIENCE_MS. The caller passes the time:
 * milliseconds of a clock that does not jump.
 */
#define PROGRESS_PATIENCE_MS 2000

struct progress {
	int fd;
	bool silent, bar;
	bool drawn;	  /* a bar stands on the terminal */
	unsigned columns; /* of the terminal */
	const char *what; /* "reading drives" */
	int64_t start_ms;
	size_t shown; /* the last step that was shown */
};

/* silent: --no-progress or --quiet. what must be static text. */
void progress_start(struct progress *p, int fd, bool silent, const char *what, int64_t now_ms);

/* `done` of `total` steps are done. */
void progress_step(struct progress *p, size_t done, size_t total, int64_t now_ms);

/* Take the bar away. */
void progress_end(struct progress *p);

#endif

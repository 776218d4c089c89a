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
	bool bytes;	  /* the steps are bytes, and of an unknown total where that is 0 */
	const char *what; /* "reading drives" */
	int64_t start_ms, shown_ms;
	int64_t every_ms; /* steps that come closer are not shown; 0: each is */
	size_t shown;	  /* the last step that was shown */
};

/* silent: --no-progress or --quiet. what must be static text. */
void progress_start(struct progress *p, int fd, bool silent, const char *what, int64_t now_ms);

/* As above for work of very many steps: a line now and then, and no more of the bar than is seen.
 */
void progress_start_long(struct progress *p, int fd, bool silent, const char *what, int64_t now_ms);

/* `done` of `total` steps are done. */
void progress_step(struct progress *p, size_t done, size_t total, int64_t now_ms);

/*
 * A share of the work is done, 0 to 1; with the time left, as far as the share tells it. In a log,
 * one line for each tenth.
 */
void progress_share(struct progress *p, double share, int64_t now_ms);

/* Take the bar away. */
void progress_end(struct progress *p);

#endif

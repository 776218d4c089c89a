/* SPDX-License-Identifier: MIT */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "base/str.h"
#include "cli/view_text.h"

/*
 * Where a command's answer goes: it is built up in `text` and written by output_flush, so that a
 * write error is noticed and told once.
 */
struct output {
	int fd;
	struct terminal terminal; /* its width and whether it shows colours */
	struct str text;	  /* not yet written */
	int err;		  /* negative errno of the first failed write; sticks */
};

/* Colour where fd is a terminal, unless NO_COLOR is set or TERM is "dumb". */
void output_init(struct output *o, int fd);
void output_release(struct output *o);

/*
 * Write what has gathered. 0, or the sticky negative errno; -EPIPE means that nobody reads on,
 * which is no failure of ours.
 */
int output_flush(struct output *o);

#endif

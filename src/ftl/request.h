/* SPDX-License-Identifier: MIT */
#ifndef FTL_REQUEST_H
#define FTL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What a host asks of a drive. Workloads and traces give requests; a timed drive, a summary or the
 * page model take them.
 */
enum request_op {
	REQUEST_READ,
	REQUEST_WRITE,
	REQUEST_TRIM,
};

struct request {
	enum request_op op;
	uint64_t offset, bytes; /* where in the logical space, how much; never 0 bytes */
	bool has_time;
	uint64_t time_ns; /* since the first request; of a trace that has times */
};

/* A stream of requests. next: 1 and a request, 0 at the end, -errno with the reason in its diag. */
struct request_source {
	int (*next)(void *state, struct request *ret);
	void *state;
};

#endif

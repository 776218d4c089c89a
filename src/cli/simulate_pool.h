/* SPDX-License-Identifier: MIT */
#ifndef CLI_SIMULATE_POOL_H
#define CLI_SIMULATE_POOL_H

#include "cli/context.h"

/*
 * Many runs, each in a process of its own, as many at a time as there are workers. What comes out
 * does not depend on how many those are.
 */
struct simulate_pool {
	size_t jobs;
	unsigned workers;
	/* In a child: do a job and fill result_size bytes. False ends the giving out of jobs. */
	bool (*run)(void *arg, size_t job, void *ret_result);
	void *arg;
	size_t result_size;
	/* In the parent, after a result has come: false where no more jobs are to be begun. */
	bool (*goes_on)(void *arg, const void *result);
	char *results; /* jobs of them */
	bool *done;    /* jobs of them */
};

/*
 * Run them, with the progress shown. *ret_stopped: why not all were; NULL: they were. -errno of
 * processes and pipes with the reason in ctx->diag.
 */
int simulate_pool_run(struct context *ctx, struct simulate_pool *p,
		      const char **ret_stopped) MUST_USE;

#endif

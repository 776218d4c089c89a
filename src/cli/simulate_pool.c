/* SPDX-License-Identifier: MIT */
#include "cli/simulate_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/progress.h"
#include "sys/sys.h"

#define WORKERS_MAX 1024
#define EXIT_FAILED 70

struct worker {
	pid_t pid; /* 0: none */
	int fd;
	size_t job, got; /* bytes of the result */
};

struct pool {
	struct context *ctx;
	struct simulate_pool *p;
	struct sys sys;
	struct sys_hold hold;
	struct progress progress;
	struct worker workers[WORKERS_MAX];
	struct pollfd fds[WORKERS_MAX + 1];
	unsigned running;
	size_t next, done;
	bool ends; /* begin no more */
	bool stopped;
};

/* All of a child's life. */
static void live(struct pool *pool, size_t job, int fd)
{
	char *result = calloc(1, pool->p->result_size);
	int status = EXIT_FAILED;

	pool->sys.ops->let_signals(&pool->sys, &pool->hold);
	if (result) {
		pool->p->run(pool->p->arg, job, result);
		if (!sys_write_all(&pool->sys, fd, result, pool->p->result_size))
			status = 0;
	}
	free(result);
	_exit(status); /* nothing of the parent's is to be flushed or cleaned up here */
}

static int begin(struct pool *pool, struct worker *w)
{
	int ends[2], r = pool->sys.ops->pipe(&pool->sys, ends);
	pid_t pid;

	if (r < 0)
		return diag_fail(&pool->ctx->diag, r, "no pipe: %s", strerror(-r));
	pid = pool->sys.ops->fork(&pool->sys);
	if (pid == 0) {
		sys_close(&pool->sys, &ends[0]);
		live(pool, pool->next, ends[1]);
	}
	sys_close(&pool->sys, &ends[1]);
	if (pid < 0) {
		sys_close(&pool->sys, &ends[0]);
		return diag_fail(&pool->ctx->diag, pid, "no process: %s", strerror(-pid));
	}
	*w = (struct worker){ .pid = pid, .fd = ends[0], .job = pool->next++ };
	pool->running++;
	return 0;
}

static int end(struct pool *pool, struct worker *w)
{
	const bool whole = w->got == pool->p->result_size;
	int status = 0;

	sys_close(&pool->sys, &w->fd);
	while (pool->sys.ops->wait(&pool->sys, w->pid, &status) == -EAGAIN)
		pool->sys.ops->sleep(&pool->sys, 1); /* its pipe is closed: it is about to end */
	w->pid = 0;
	pool->running--;
	if (!whole)
		return diag_fail(&pool->ctx->diag, -ECHILD, "a run was ended by signal %d",
				 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	pool->p->done[w->job] = true;
	pool->done++;
	if (!pool->p->goes_on(pool->p->arg, pool->p->results + w->job * pool->p->result_size))
		pool->ends = true;
	progress_step(&pool->progress, pool->done, pool->p->jobs, sys_ms(&pool->sys));
	return 0;
}

/* Take what has come from a child. */
static int take(struct pool *pool, struct worker *w)
{
	const size_t size = pool->p->result_size;
	char *at = pool->p->results + w->job * size + w->got;
	ssize_t n = 0;

	if (w->got < size)
		n = pool->sys.ops->read(&pool->sys, w->fd, at, size - w->got);
	if (n == -EINTR || n == -EAGAIN)
		return 0;
	if (n > 0)
		w->got += (size_t)n;
	return n <= 0 || w->got == size ? end(pool, w) : 0;
}

static int wait_for_some(struct pool *pool)
{
	int r;

	pool->fds[0] = (struct pollfd){ .fd = pool->hold.fd, .events = POLLIN };
	for (unsigned i = 0; i < pool->p->workers; i++)
		pool->fds[i + 1] = (struct pollfd){ .fd = pool->workers[i].pid ? pool->workers[i].fd
									       : -1,
						    .events = POLLIN };
	r = pool->sys.ops->poll(&pool->sys, pool->fds, pool->p->workers + 1, -1);
	if (r < 0 && r != -EINTR)
		return diag_fail(&pool->ctx->diag, r, "poll: %s", strerror(-r));
	return 0;
}

static int step(struct pool *pool)
{
	char taken[SYS_SIGNAL_BYTES];
	int r = 0;

	for (unsigned i = 0; i < pool->p->workers && !r; i++)
		if (!pool->workers[i].pid && !pool->ends && pool->next < pool->p->jobs)
			r = begin(pool, &pool->workers[i]);
	if (!r && pool->running)
		r = wait_for_some(pool);
	if (!r && pool->running && pool->fds[0].revents) {
		/* taken, so that it does not end nandlife before the rows are shown */
		(void)!pool->sys.ops->read(&pool->sys, pool->hold.fd, taken, sizeof(taken));
		pool->stopped = true;
		return 0;
	}
	for (unsigned i = 0; i < pool->p->workers && !r; i++)
		if (pool->workers[i].pid && pool->fds[i + 1].revents)
			r = take(pool, &pool->workers[i]);
	return r;
}

static void kill_all(struct pool *pool)
{
	int status;

	for (unsigned i = 0; i < pool->p->workers; i++) {
		struct worker *w = &pool->workers[i];

		if (!w->pid)
			continue;
		pool->sys.ops->kill(&pool->sys, w->pid, SIGKILL);
		while (pool->sys.ops->wait(&pool->sys, w->pid, &status) == -EAGAIN)
			pool->sys.ops->sleep(&pool->sys, 1);
		sys_close(&pool->sys, &w->fd);
		w->pid = 0;
	}
}

int simulate_pool_run(struct context *ctx, struct simulate_pool *p, const char **ret_stopped)
{
	CLEANUP(cleanup_free) struct pool *pool = calloc(1, sizeof(*pool));
	int r = pool ? sys_real(&pool->sys, "") : -ENOMEM;

	if (r < 0)
		return r;
	p->workers = p->workers > WORKERS_MAX ? WORKERS_MAX : p->workers;
	pool->ctx = ctx;
	pool->p = p;
	r = pool->sys.ops->hold_signals(&pool->sys, &pool->hold);
	if (r < 0)
		return r;
	progress_start_long(&pool->progress, STDERR_FILENO,
			    ctx->options.no_progress || ctx->options.quiet, "simulating",
			    sys_ms(&pool->sys));
	do
		r = step(pool);
	while (!r && !pool->stopped && (pool->running || (!pool->ends && pool->next < p->jobs)));
	kill_all(pool);
	progress_end(&pool->progress);
	pool->sys.ops->let_signals(&pool->sys, &pool->hold);
	*ret_stopped = pool->stopped ? "stopped by a signal: this is what was known by then" : NULL;
	return r;
}

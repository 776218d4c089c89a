/* SPDX-License-Identifier: MIT */
#include "sys/sys.h"

static struct sys_faulty *faulty(struct sys *s)
{
	return (struct sys_faulty *)s; /* base is the first member */
}

/* 0, or the error that this call has to fail with. */
static int count(struct sys *s)
{
	struct sys_faulty *f = faulty(s);

	f->calls++;
	if (f->fail_at == 0)
		return 0;
	if (f->calls == f->fail_at || (f->for_good && f->calls > f->fail_at))
		return -f->err;
	return 0;
}

/* The same call of the inner system, unless it is this one's turn to fail. */
#define PASS(call, ...)                                                                    \
	do {                                                                               \
		struct sys *inner = faulty(s)->inner;                                      \
		int err = count(s);                                                        \
		return err < 0 ? err : inner->ops->call(inner __VA_OPT__(, ) __VA_ARGS__); \
	} while (0)

static int faulty_open(struct sys *s, const char *path, int flags, mode_t mode)
{
	PASS(open, path, flags, mode);
}

static ssize_t faulty_read(struct sys *s, int fd, void *buf, size_t n)
{
	PASS(read, fd, buf, n);
}

static ssize_t faulty_write(struct sys *s, int fd, const void *buf, size_t n)
{
	PASS(write, fd, buf, n);
}

static int faulty_list(struct sys *s, const char *path, struct sys_names *ret)
{
	PASS(list, path, ret);
}

static int faulty_resolve(struct sys *s, const char *path, char *ret, size_t size)
{
	PASS(resolve, path, ret, size);
}

static int faulty_mkdir(struct sys *s, const char *path, mode_t mode)
{
	PASS(mkdir, path, mode);
}

static int faulty_unlink(struct sys *s, const char *path)
{
	PASS(unlink, path);
}

static int faulty_pipe(struct sys *s, int ret[2])
{
	PASS(pipe, ret);
}

static pid_t faulty_fork(struct sys *s)
{
	PASS(fork);
}

static int faulty_exec(struct sys *s, const char *path, char *const argv[], int out_fd)
{
	PASS(exec, path, argv, out_fd);
}

static int faulty_poll(struct sys *s, struct pollfd *fds, nfds_t n, int timeout_ms)
{
	PASS(poll, fds, n, timeout_ms);
}

static int faulty_hold_signals(struct sys *s, struct sys_hold *ret)
{
	PASS(hold_signals, ret);
}

static int faulty_now(struct sys *s, int64_t *ret_seconds)
{
	PASS(now, ret_seconds);
}

static int64_t faulty_monotonic(struct sys *s)
{
	return sys_ms(faulty(s)->inner);
}

static int faulty_close(struct sys *s, int fd)
{
	struct sys *inner = faulty(s)->inner;

	return inner->ops->close(inner, fd);
}

static int faulty_kill(struct sys *s, pid_t pid, int signal)
{
	struct sys *inner = faulty(s)->inner;

	return inner->ops->kill(inner, pid, signal);
}

static int faulty_wait(struct sys *s, pid_t pid, int *ret_status)
{
	struct sys *inner = faulty(s)->inner;

	return inner->ops->wait(inner, pid, ret_status);
}

static void faulty_let_signals(struct sys *s, struct sys_hold *hold)
{
	struct sys *inner = faulty(s)->inner;

	inner->ops->let_signals(inner, hold);
}

static void faulty_sleep(struct sys *s, unsigned ms)
{
	struct sys *inner = faulty(s)->inner;

	inner->ops->sleep(inner, ms);
}

static const struct sys_ops faulty_ops = {
	.open = faulty_open,
	.close = faulty_close,
	.read = faulty_read,
	.write = faulty_write,
	.list = faulty_list,
	.resolve = faulty_resolve,
	.mkdir = faulty_mkdir,
	.unlink = faulty_unlink,
	.pipe = faulty_pipe,
	.fork = faulty_fork,
	.exec = faulty_exec,
	.kill = faulty_kill,
	.wait = faulty_wait,
	.poll = faulty_poll,
	.hold_signals = faulty_hold_signals,
	.let_signals = faulty_let_signals,
	.now = faulty_now,
	.monotonic = faulty_monotonic,
	.sleep = faulty_sleep,
};

void sys_faulty(struct sys_faulty *f, struct sys *inner, unsigned fail_at, int err, bool for_good)
{
	*f = (struct sys_faulty){
		.base = *inner,
		.inner = inner,
		.fail_at = fail_at,
		.err = err,
		.for_good = for_good,
	};
	f->base.ops = &faulty_ops;
}

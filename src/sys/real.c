/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sys/sys.h"

static int real_open(struct sys *s, const char *path, int flags, mode_t mode)
{
	char full[PATH_MAX];
	int err = sys_host_path(s, path, full, sizeof(full));

	if (err < 0)
		return err;
	int fd = open(full, flags, mode);
	return fd < 0 ? -errno : fd;
}

static int real_close(struct sys *s, int fd)
{
	(void)s;
	return close(fd) < 0 ? -errno : 0;
}

static ssize_t real_read(struct sys *s, int fd, void *buf, size_t n)
{
	(void)s;
	ssize_t got = read(fd, buf, n);
	return got < 0 ? -errno : got;
}

static ssize_t real_write(struct sys *s, int fd, const void *buf, size_t n)
{
	(void)s;
	ssize_t done = write(fd, buf, n);
	return done < 0 ? -errno : done;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(a, b);
}

static int read_names(DIR *dir, struct sys_names *names)
{
	size_t cap = 0;

	for (;;) {
		errno = 0;
		const struct dirent *e = readdir(dir);
		if (!e)
			return -errno;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (names->n == SYS_NAMES_MAX)
			return -E2BIG;
		if (names->n == cap) {
			cap = cap ? cap * 2 : 16;
			char(*more)[SYS_NAME_MAX] = realloc(names->items, cap * sizeof(*more));
			if (!more)
				return -ENOMEM;
			names->items = more;
		}
		snprintf(names->items[names->n++], SYS_NAME_MAX, "%s", e->d_name);
	}
}

static int real_list(struct sys *s, const char *path, struct sys_names *ret)
{
	CLEANUP(sys_names_release) struct sys_names names = { 0 };
	char full[PATH_MAX];
	int err = sys_host_path(s, path, full, sizeof(full));

	if (err < 0)
		return err;
	DIR *dir = opendir(full);
	if (!dir)
		return -errno;
	err = read_names(dir, &names);
	closedir(dir);
	if (err < 0)
		return err;
	if (names.n)
		qsort(names.items, names.n, sizeof(*names.items), compare_names);
	*ret = names;
	names = (struct sys_names){ 0 };
	return 0;
}

static int real_resolve(struct sys *s, const char *path, char *ret, size_t size)
{
	char full[PATH_MAX], real[PATH_MAX];
	int err = sys_host_path(s, path, full, sizeof(full));

	if (err < 0)
		return err;
	if (!realpath(full, real))
		return -errno;
	size_t skip = strlen(s->root);
	if (strncmp(real, s->root, skip) || (real[skip] != '/' && real[skip] != '\0'))
		return -EXDEV; /* a link that leads out of the captured tree */
	const char *below = real[skip] ? real + skip : "/";
	if (strlen(below) >= size)
		return -ENAMETOOLONG;
	memcpy(ret, below, strlen(below) + 1);
	return 0;
}

static int real_mkdir(struct sys *s, const char *path, mode_t mode)
{
	char full[PATH_MAX];
	int err = sys_host_path(s, path, full, sizeof(full));

	if (err < 0)
		return err;
	return mkdir(full, mode) < 0 ? -errno : 0;
}

static int real_unlink(struct sys *s, const char *path)
{
	char full[PATH_MAX];
	int err = sys_host_path(s, path, full, sizeof(full));

	if (err < 0)
		return err;
	return unlink(full) < 0 ? -errno : 0;
}

static int real_pipe(struct sys *s, int ret[2])
{
	(void)s;
	return pipe2(ret, O_CLOEXEC) < 0 ? -errno : 0;
}

static pid_t real_fork(struct sys *s)
{
	(void)s;
	/* what stands in a stdio buffer would be written twice */
	fflush(NULL);
	pid_t pid = fork();
	return pid < 0 ? -errno : pid;
}

/* Become another program whose standard output is out_fd and whose other streams are /dev/null. */
static int real_exec(struct sys *s, const char *path, char *const argv[], int out_fd)
{
	static char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
					     NULL };
	char full[PATH_MAX];
	int err = sys_host_path(s, path, full, sizeof(full));

	if (err < 0)
		return err;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return -errno;
	if (dup2(null, STDIN_FILENO) < 0 || dup2(out_fd, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return -errno;
	execve(full, argv, environment);
	return -errno;
}

static int real_kill(struct sys *s, pid_t pid, int signal)
{
	(void)s;
	return kill(pid, signal) < 0 ? -errno : 0;
}

static int real_wait(struct sys *s, pid_t pid, int *ret_status)
{
	(void)s;
	pid_t done = waitpid(pid, ret_status, WNOHANG);
	if (done < 0)
		return -errno;
	return done == 0 ? -EAGAIN : 0;
}

static int real_poll(struct sys *s, struct pollfd *fds, nfds_t n, int timeout_ms)
{
	(void)s;
	int ready = poll(fds, n, timeout_ms);
	return ready < 0 ? -errno : ready;
}

static int real_hold_signals(struct sys *s, struct sys_hold *ret)
{
	sigset_t held;

	(void)s;
	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	sigaddset(&held, SIGHUP);
	int fd = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	ret->fd = fd;
	sigprocmask(SIG_BLOCK, &held, &ret->before);
	return 0;
}

static void real_let_signals(struct sys *s, struct sys_hold *hold)
{
	(void)s;
	close(hold->fd);
	sigprocmask(SIG_SETMASK, &hold->before, NULL);
}

static int real_now(struct sys *s, int64_t *ret_seconds)
{
	struct timespec ts;

	(void)s;
	if (clock_gettime(CLOCK_REALTIME, &ts) < 0)
		return -errno;
	*ret_seconds = ts.tv_sec;
	return 0;
}

static int64_t real_monotonic(struct sys *s)
{
	struct timespec ts = { 0 };

	(void)s;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void real_sleep(struct sys *s, unsigned ms)
{
	struct timespec left = { .tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 };

	(void)s;
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static const struct sys_ops real_ops = {
	.open = real_open,
	.close = real_close,
	.read = real_read,
	.write = real_write,
	.list = real_list,
	.resolve = real_resolve,
	.mkdir = real_mkdir,
	.unlink = real_unlink,
	.pipe = real_pipe,
	.fork = real_fork,
	.exec = real_exec,
	.kill = real_kill,
	.wait = real_wait,
	.poll = real_poll,
	.hold_signals = real_hold_signals,
	.let_signals = real_let_signals,
	.now = real_now,
	.monotonic = real_monotonic,
	.sleep = real_sleep,
};

int sys_real(struct sys *s, const char *root)
{
	struct sys made = { .ops = &real_ops };

	if (root[0] && !realpath(root, made.root))
		return -errno;
	if (!strcmp(made.root, "/"))
		made.root[0] = '\0';
	*s = made;
	return 0;
}

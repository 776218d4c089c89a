/* SPDX-License-Identifier: MIT */
#ifndef SYS_SYS_H
#define SYS_SYS_H

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"

/*
 * The seam to Linux: every file, process, clock and signal that nandlife touches goes through one
 * table, so that tests can put a captured tree in the place of / and make the n-th call fail. The
 * libraries that talk to drives (libnvme, libatasmart, libsgutils2) call ioctl() by themselves;
 * tests replace that function.
 *
 * Paths are absolute and stand below the root prefix. All calls return 0 or a count, or -errno.
 */

#define SYS_NAME_MAX  256
#define SYS_NAMES_MAX 4096
#define SYS_FILE_MAX  ((size_t)64 << 20)

/* Entries of a directory, sorted, without "." and ".."; at most SYS_NAMES_MAX. */
struct sys_names {
	char (*items)[SYS_NAME_MAX];
	size_t n;
};

void sys_names_release(struct sys_names *names);

#define SYS_SIGNAL_BYTES 128 /* of one signal in a signalfd (signalfd(2)) */

/*
 * SIGINT, SIGTERM and SIGHUP are held back between hold_signals and let_signals. One that has come
 * can be read from fd; if it is not, it takes its effect at let_signals.
 */
struct sys_hold {
	int fd;
	sigset_t before;
};

struct sys;

struct sys_ops {
	int (*open)(struct sys *s, const char *path, int flags, mode_t mode);
	int (*close)(struct sys *s, int fd);
	ssize_t (*read)(struct sys *s, int fd, void *buf, size_t n);
	ssize_t (*write)(struct sys *s, int fd, const void *buf, size_t n);
	int (*list)(struct sys *s, const char *path, struct sys_names *ret);
	int (*resolve)(struct sys *s, const char *path, char *ret, size_t size);
	int (*mkdir)(struct sys *s, const char *path, mode_t mode);
	int (*unlink)(struct sys *s, const char *path);
	int (*pipe)(struct sys *s, int ret[2]);
	pid_t (*fork)(struct sys *s);
	int (*exec)(struct sys *s, const char *path, char *const argv[], int out_fd);
	int (*kill)(struct sys *s, pid_t pid, int signal);
	int (*wait)(struct sys *s, pid_t pid, int *ret_status);
	int (*poll)(struct sys *s, struct pollfd *fds, nfds_t n, int timeout_ms);
	int (*hold_signals)(struct sys *s, struct sys_hold *ret);
	void (*let_signals)(struct sys *s, struct sys_hold *hold);
	int (*now)(struct sys *s, int64_t *ret_seconds);
	int64_t (*monotonic)(struct sys *s); /* milliseconds; cannot fail */
	void (*sleep)(struct sys *s, unsigned ms);
};

struct sys {
	const struct sys_ops *ops;
	char root[PATH_MAX]; /* "" for / */
};

/* The real system below root ("" or "/" for all of it). -ENAMETOOLONG, or errors of realpath. */
int sys_real(struct sys *s, const char *root) MUST_USE;

/*
 * A system whose calls fail: calls of `inner` are counted from 1, and call number fail_at fails
 * with -err (with all later ones, if for_good is set). fail_at 0 only counts. Closing, waiting,
 * killing and the monotonic clock never fail: there is no way to recover from that.
 */
struct sys_faulty {
	struct sys base;
	struct sys *inner;
	unsigned calls, fail_at;
	int err;
	bool for_good;
};

void sys_faulty(struct sys_faulty *f, struct sys *inner, unsigned fail_at, int err, bool for_good);

/* A descriptor with close-on-exec, or -errno. */
int sys_open(struct sys *s, const char *path, int flags) MUST_USE;
void sys_close(struct sys *s, int *fd); /* sets *fd to -1; does nothing at -1 */

/*
 * All of a file, with a NUL behind it. -EFBIG where it has more than max bytes. The caller frees.
 */
int sys_read_file(struct sys *s, const char *path, size_t max, char **ret,
		  size_t *ret_len) MUST_USE;

/*
 * The first line of a small file (a sysfs attribute) without surrounding blanks, cut at size - 1
 * bytes; the path is formatted. ret is "" on failure, so that callers may ignore the error where
 * an attribute is optional.
 */
int sys_read_line(struct sys *s, char *ret, size_t size, const char *fmt, ...) PRINTF(4, 5);

/* A sysfs attribute that is an unsigned decimal number; `absent` where it is not there or none. */
uint64_t sys_read_number(struct sys *s, uint64_t absent, const char *fmt, ...) PRINTF(3, 4);

/* The entries of a directory. -ENOENT, ... */
int sys_list(struct sys *s, struct sys_names *ret, const char *fmt, ...) PRINTF(3, 4) MUST_USE;

/* The path with all links resolved, again below the root prefix. ret is "" on failure. */
int sys_resolve(struct sys *s, char *ret, size_t size, const char *fmt, ...) PRINTF(4, 5);

/* True where the path exists. */
bool sys_exists(struct sys *s, const char *fmt, ...) PRINTF(2, 3);

/* Write all of it, whatever signals come between. */
int sys_write_all(struct sys *s, int fd, const void *buf, size_t n) MUST_USE;

/* Replace a small file's contents. */
int sys_write_file(struct sys *s, const char *path, const char *text) MUST_USE;

/* The path as the C library sees it, root prefix in front. */
int sys_host_path(const struct sys *s, const char *path, char *ret, size_t size) MUST_USE;

/* Milliseconds of the monotonic clock. */
int64_t sys_ms(struct sys *s);

/* Seconds since the epoch. */
int sys_now(struct sys *s, int64_t *ret) MUST_USE;

#endif

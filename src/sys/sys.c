/* SPDX-License-Identifier: MIT */
#include "sys/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

#define READ_CHUNK ((size_t)64 << 10)

void sys_names_release(struct sys_names *names)
{
	free(names->items);
	*names = (struct sys_names){ 0 };
}

static int PRINTF(2, 0) format_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int n = vsnprintf(path, PATH_MAX, fmt, ap);

	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

int sys_open(struct sys *s, const char *path, int flags)
{
	return s->ops->open(s, path, flags | O_CLOEXEC | O_NOCTTY, 0);
}

void sys_close(struct sys *s, int *fd)
{
	if (*fd >= 0)
		s->ops->close(s, *fd);
	*fd = -1;
}

static int read_all(struct sys *s, int fd, size_t max, char **ret, size_t *ret_len)
{
	CLEANUP(cleanup_free) char *buf = NULL;
	size_t len = 0, cap = 0;

	for (;;) {
		if (len == cap) {
			if (cap > max)
				return -EFBIG;
			cap = cap ? cap * 2 : READ_CHUNK < max ? READ_CHUNK : max + 1;
			if (cap > max + 1)
				cap = max + 1;
			char *more = realloc(buf, cap + 1);
			if (!more)
				return -ENOMEM;
			buf = more;
		}
		ssize_t n = s->ops->read(s, fd, buf + len, cap - len);
		if (n == -EINTR)
			continue;
		if (n < 0)
			return (int)n;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	if (len > max)
		return -EFBIG;
	buf[len] = '\0';
	*ret = buf;
	*ret_len = len;
	buf = NULL;
	return 0;
}

int sys_read_file(struct sys *s, const char *path, size_t max, char **ret, size_t *ret_len)
{
	int fd = sys_open(s, path, O_RDONLY);

	if (fd < 0)
		return fd;
	int err = read_all(s, fd, max, ret, ret_len);
	sys_close(s, &fd);
	return err;
}

int sys_read_line(struct sys *s, char *ret, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	ret[0] = '\0';
	va_start(ap, fmt);
	int err = format_path(path, fmt, ap);
	va_end(ap);
	if (err < 0)
		return err;

	/* sysfs attributes are at most a page, and are read at one go */
	char text[4097];
	int fd = sys_open(s, path, O_RDONLY);
	if (fd < 0)
		return fd;
	ssize_t n = s->ops->read(s, fd, text, sizeof(text) - 1);
	sys_close(s, &fd);
	if (n < 0)
		return (int)n;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';

	const char *from = text + strspn(text, " \t");
	size_t len = strlen(from);
	while (len > 0 && strchr(" \t\r", from[len - 1]))
		len--;
	if (len >= size)
		len = size - 1;
	memcpy(ret, from, len);
	ret[len] = '\0';
	return 0;
}

uint64_t sys_read_number(struct sys *s, uint64_t absent, const char *fmt, ...)
{
	char path[PATH_MAX], text[32];
	uint64_t v;
	va_list ap;

	va_start(ap, fmt);
	int err = format_path(path, fmt, ap);
	va_end(ap);
	if (err < 0 || sys_read_line(s, text, sizeof(text), "%s", path) < 0 ||
	    parse_u64(text, UINT64_MAX, &v) < 0)
		return absent;
	return v;
}

int sys_list(struct sys *s, struct sys_names *ret, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	int err = format_path(path, fmt, ap);
	va_end(ap);
	return err < 0 ? err : s->ops->list(s, path, ret);
}

int sys_resolve(struct sys *s, char *ret, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	ret[0] = '\0';
	va_start(ap, fmt);
	int err = format_path(path, fmt, ap);
	va_end(ap);
	return err < 0 ? err : s->ops->resolve(s, path, ret, size);
}

bool sys_exists(struct sys *s, const char *fmt, ...)
{
	char path[PATH_MAX], resolved[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	int err = format_path(path, fmt, ap);
	va_end(ap);
	return err == 0 && s->ops->resolve(s, path, resolved, sizeof(resolved)) == 0;
}

int sys_write_all(struct sys *s, int fd, const void *buf, size_t n)
{
	const char *at = buf;

	while (n > 0) {
		ssize_t done = s->ops->write(s, fd, at, n);
		if (done == -EINTR)
			continue;
		if (done < 0)
			return (int)done;
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

int sys_write_file(struct sys *s, const char *path, const char *text)
{
	int fd = s->ops->open(s, path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return fd;
	int err = sys_write_all(s, fd, text, strlen(text));
	sys_close(s, &fd);
	return err;
}

int sys_host_path(const struct sys *s, const char *path, char *ret, size_t size)
{
	int n = snprintf(ret, size, "%s%s", s->root, path);

	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

int64_t sys_ms(struct sys *s)
{
	return s->ops->monotonic(s);
}

int sys_now(struct sys *s, int64_t *ret)
{
	return s->ops->now(s, ret);
}

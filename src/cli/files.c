/* SPDX-License-Identifier: MIT */
#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/times.h"

#define READ_STEP ((size_t)64 << 10)

void file_close(int *fd)
{
	if (*fd > STDERR_FILENO)
		close(*fd);
}

void file_release(struct file *f)
{
	free(f->data);
	*f = (struct file){ .time = TIME_UNKNOWN };
}

static int fail(struct diag *d, int err, const char *path)
{
	return diag_fail(d, err, "%s: %s", strcmp(path, "-") ? path : "standard input",
			 strerror(-err));
}

int file_open(const char *path, struct diag *d, int64_t *ret_time)
{
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) : STDIN_FILENO;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return fail(d, -errno, path);
	if (S_ISBLK(st.st_mode)) {
		file_close(&fd);
		return diag_fail(d, -EINVAL, "%s is a drive, not a file: name it without --from",
				 path);
	}
	*ret_time = S_ISREG(st.st_mode) ? st.st_mtime : TIME_UNKNOWN;
	return fd;
}

ssize_t file_read_some(int fd, void *buf, size_t n, const char *path, struct diag *d)
{
	ssize_t got;

	do
		got = read(fd, buf, n);
	while (got < 0 && errno == EINTR);
	return got < 0 ? fail(d, -errno, path) : got;
}

static int read_all(int fd, const char *path, struct diag *d, struct str *text)
{
	char buf[READ_STEP];

	for (;;) {
		ssize_t n = file_read_some(fd, buf, sizeof(buf), path, d);

		if (n < 0)
			return (int)n;
		str_add_bytes(text, buf, (size_t)n);
		if (str_error(text) < 0)
			return fail(d, str_error(text) == -E2BIG ? -EFBIG : str_error(text), path);
		if (!n)
			return 0;
	}
}

int file_read(const char *path, struct diag *d, struct file *ret)
{
	CLEANUP(str_release) struct str text = { .max = FILE_BYTES_MAX };
	int64_t time = TIME_UNKNOWN;
	CLEANUP(file_close) int fd = file_open(path, d, &time);
	size_t len;
	int r;

	if (fd < 0)
		return fd;
	r = read_all(fd, path, d, &text);
	if (r < 0)
		return r;
	len = text.len;
	str_add(&text, "");
	ret->data = (uint8_t *)(len ? str_steal(&text) : calloc(1, 1));
	if (!ret->data)
		return -ENOMEM;
	ret->len = len;
	ret->time = time;
	return 0;
}

static int write_all(int fd, struct bytes data)
{
	while (data.len) {
		ssize_t n = write(fd, data.data, data.len);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			data = bytes_slice(data, (size_t)n, data.len);
	}
	return 0;
}

/* A pipe or a device cannot be replaced, only written to. */
static int write_in_place(const char *path, struct bytes data)
{
	CLEANUP(file_close) int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : write_all(fd, data);
}

static int write_beside(const char *path, struct bytes data)
{
	char temporary[PATH_MAX];
	mode_t mask = umask(0);
	int fd, r;

	umask(mask);
	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_all(fd, data);
	if (!r && (fchmod(fd, 0666 & ~mask) < 0 || fsync(fd) < 0))
		r = -errno;
	if (close(fd) < 0 && !r)
		r = -errno;
	if (!r && rename(temporary, path) < 0)
		r = -errno;
	if (r < 0)
		unlink(temporary);
	return r;
}

int file_write(const char *path, struct bytes data, struct diag *d)
{
	struct stat st;
	bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	int r = special ? write_in_place(path, data) : write_beside(path, data);

	return r < 0 ? fail(d, r, path) : 0;
}

void file_names_release(struct file_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->items[i]);
	free(names->items);
	*names = (struct file_names){ 0 };
}

static void close_folder(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n >= m && !strcmp(name + n - m, suffix);
}

static int add_name(struct file_names *names, const char *folder, const char *name)
{
	CLEANUP(str_release) struct str path = { 0 };
	char **items = reallocarray(names->items, names->n + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	names->items = items;
	str_addf(&path, "%s/%s", folder, name);
	items[names->n] = str_steal(&path);
	if (!items[names->n])
		return -ENOMEM;
	names->n++;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int folder_list(const char *folder, const char *suffix, struct diag *d, struct file_names *ret)
{
	CLEANUP(file_names_release) struct file_names names = { 0 };
	CLEANUP(close_folder) DIR *dir = opendir(folder);
	const struct dirent *entry;
	int r;

	if (!dir)
		return fail(d, -errno, folder);
	for (errno = 0; (entry = readdir(dir)) != NULL; errno = 0) {
		if (entry->d_name[0] == '.' || !ends_in(entry->d_name, suffix))
			continue;
		r = add_name(&names, folder, entry->d_name);
		if (r < 0)
			return r;
	}
	if (errno)
		return fail(d, -errno, folder);
	if (names.n)
		qsort(names.items, names.n, sizeof(*names.items), by_name);
	*ret = names;
	names = (struct file_names){ 0 };
	return 0;
}

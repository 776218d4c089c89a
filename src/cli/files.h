/* SPDX-License-Identifier: MIT */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "base/diag.h"

/* Files that users name: dumps, captures, the configuration, drive rules. */

#define FILE_BYTES_MAX ((size_t)64 << 20)

struct file {
	uint8_t *data; /* a NUL stands behind the last byte; NULL: not read */
	size_t len;
	int64_t time; /* of the last change; TIME_UNKNOWN for a pipe */
};

void file_release(struct file *f);

static inline struct bytes file_bytes(const struct file *f)
{
	return bytes_of(f->data, f->len);
}

/*
 * Open a file to read, "-" being standard input; *ret_time is as file.time. A descriptor, -EINVAL
 * for a block device (that is a drive, not a file), or an error of open. d names the file.
 */
int file_open(const char *path, struct diag *d, int64_t *ret_time) MUST_USE;
void file_close(int *fd); /* for CLEANUP; does nothing for standard input */

/* Up to n bytes as read(2) does, past interruptions; d names the file. */
ssize_t file_read_some(int fd, void *buf, size_t n, const char *path, struct diag *d) MUST_USE;

/*
 * Read all of a file, "-" being standard input. -EINVAL for a block device (that is a drive, not a
 * file), -EFBIG above FILE_BYTES_MAX, errors of open and read; d names the file.
 */
int file_read(const char *path, struct diag *d, struct file *ret) MUST_USE;

/*
 * Write a file anew, through a temporary one beside it, so that a failure leaves what was there.
 * A path that is no regular file (a pipe, /dev/stdout) is written to directly.
 */
int file_write(const char *path, struct bytes data, struct diag *d) MUST_USE;

struct file_names {
	char **items; /* full paths */
	size_t n;
};

void file_names_release(struct file_names *names);

/* The files of a folder whose names end in `suffix`, hidden ones left out, sorted by name. */
int folder_list(const char *folder, const char *suffix, struct diag *d,
		struct file_names *ret) MUST_USE;

#endif

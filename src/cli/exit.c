/* SPDX-License-Identifier: MIT */
#include "cli/exit.h"

#include <errno.h>

#include "base/cleanup.h"

const struct exit_row exit_rows[] = {
	{ EX_OK, "success" },
	{ EX_USAGE, "wrong usage" },
	{ EX_DATAERR, "bad input data" },
	{ EX_NOINPUT, "no such file or drive" },
	{ EX_UNAVAILABLE, "not supported by the drive or the system" },
	{ EX_SOFTWARE, "a bug in nandlife" },
	{ EX_OSERR, "a system call failed" },
	{ EX_IOERR, "input or output error" },
	{ EX_TEMPFAIL, "busy or locked: try again" },
	{ EX_NOPERM, "permission is missing" },
	{ EX_CONFIG, "mistake in the configuration" },
};
const size_t exit_rows_n = ARRAY_SIZE(exit_rows);

/* Of `health`, and of failures with --format nagios. */
const struct exit_row verdict_rows[] = {
	{ 0, "OK" },
	{ 1, "WARNING" },
	{ 2, "CRITICAL" },
	{ EXIT_UNKNOWN, "UNKNOWN, or no verdict was reached" },
};
const size_t verdict_rows_n = ARRAY_SIZE(verdict_rows);

static const struct {
	int err;
	int code;
} rows[] = {
	{ EINVAL, EX_DATAERR },
	{ EBADMSG, EX_DATAERR },
	{ EILSEQ, EX_DATAERR },
	{ EPROTO, EX_DATAERR },
	{ ERANGE, EX_DATAERR },
	{ EOVERFLOW, EX_DATAERR },
	{ ENODATA, EX_DATAERR },
	{ EUCLEAN, EX_DATAERR }, /* a corrupt database */
	{ E2BIG, EX_DATAERR },

	{ ENOENT, EX_NOINPUT },
	{ ENODEV, EX_NOINPUT },
	{ ENXIO, EX_NOINPUT },
	{ ENOTDIR, EX_NOINPUT },
	{ EISDIR, EX_NOINPUT },
	{ ENOTBLK, EX_NOINPUT },
	{ ELOOP, EX_NOINPUT },
	{ ENAMETOOLONG, EX_NOINPUT },

	{ EOPNOTSUPP, EX_UNAVAILABLE },
	{ ENOTTY, EX_UNAVAILABLE },
	{ ENOSYS, EX_UNAVAILABLE },
	{ ENOMEDIUM, EX_UNAVAILABLE },

	{ ENOTRECOVERABLE, EX_SOFTWARE },

	{ EIO, EX_IOERR },
	{ EREMOTEIO, EX_IOERR },
	{ ETIMEDOUT, EX_IOERR },
	{ ETIME, EX_IOERR },
	{ ENOSPC, EX_IOERR },
	{ EDQUOT, EX_IOERR },
	{ EFBIG, EX_IOERR },
	{ EROFS, EX_IOERR },
	{ EPIPE, EX_IOERR },
	{ EBADF, EX_IOERR },

	{ EBUSY, EX_TEMPFAIL },
	{ EAGAIN, EX_TEMPFAIL },
	{ EDEADLK, EX_TEMPFAIL },
	{ EINTR, EX_TEMPFAIL }, /* by a signal: nothing is wrong with the drives */

	{ EACCES, EX_NOPERM },
	{ EPERM, EX_NOPERM },
};

int exit_code_of(int err)
{
	if (!err)
		return EX_OK;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].err == -err)
			return rows[i].code;
	return EX_OSERR;
}

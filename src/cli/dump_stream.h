/* SPDX-License-Identifier: MIT */
#ifndef CLI_DUMP_STREAM_H
#define CLI_DUMP_STREAM_H

#include "decode/reading.h"

/*
 * The drives of a file of any length. Objects of JSON, one a line or one after the other, are taken
 * part by part; other kinds of dumps, and objects longer than that, may have FILE_BYTES_MAX.
 */
struct dump_stream {
	struct dump_taker taker;
	/* Told how many bytes of the file were read so far; may be NULL. Not 0 ends the reading. */
	int (*passed)(void *arg, uint64_t bytes);
};

/*
 * Read path, "-" being standard input. 0 where all of it was given to the taker, good or bad;
 * errors of open, read and dump_each with the reason in d, which names the file.
 */
int dump_stream_read(const struct dump_stream *stream, const char *path, struct diag *d) MUST_USE;

#endif

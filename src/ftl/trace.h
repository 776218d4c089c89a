/* SPDX-License-Identifier: MIT */
#ifndef FTL_TRACE_H
#define FTL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "ftl/request.h"

/*
 * Block traces in text, one request a line. Bytes are pushed in pieces of any size, requests come
 * out; the pieces make no difference. The format is recognised by the first line that has the shape
 * of one. Sources of the formats: SNIA IOTTA 388 (MSR Cambridge), the README of alibaba/block-
 * traces, SNIA IOTTA 27917 (Tencent CBS), the samples of CMU-SAFARI/MQSim, fio's "Trace file
 * format" and iolog.c (times in microseconds), blkparse(1).
 *
 * X(enumerator, word of --trace-format, name for people)
 */
#define TRACE_FORMATS(X)                                       \
	X(TRACE_MSR, "msr", "MSR Cambridge CSV")               \
	X(TRACE_ALIBABA, "alibaba", "Alibaba block trace CSV") \
	X(TRACE_TENCENT, "tencent", "Tencent CBS CSV")         \
	X(TRACE_MQSIM, "mqsim", "MQSim/DiskSim ASCII")         \
	X(TRACE_FIO2, "fio2", "fio iolog version 2")           \
	X(TRACE_FIO3, "fio3", "fio iolog version 3")           \
	X(TRACE_BLKPARSE, "blkparse", "blkparse text")

enum trace_format {
	TRACE_UNKNOWN, /* not recognised yet */
#define X(e, word, name) e,
	TRACE_FORMATS(X)
#undef X
		TRACE_FORMAT_COUNT
};

const char *trace_format_word(enum trace_format format);
const char *trace_format_name(enum trace_format format);

/* "auto" gives TRACE_UNKNOWN. -EINVAL with the near word in d. */
int trace_format_parse(const char *word, enum trace_format *ret, struct diag *d) MUST_USE;

#define TRACE_BUFFER	 (64u << 10)
#define TRACE_LINE_MAX	 (16u << 10) /* a longer line is a bad line */
#define TRACE_DEVICE_MAX 256	     /* longer names are cut */

struct trace_options {
	enum trace_format format; /* TRACE_UNKNOWN: by the content */
	bool skip_bad;		  /* count bad lines, instead of ending at the first */
	const char *device;	  /* its requests alone; NULL: there must be one only */
};

struct trace_counts {
	uint64_t lines, requests;
	uint64_t bad;	    /* lines left out */
	uint64_t backwards; /* requests older than one before them: they come at once */
	uint64_t elsewhere; /* requests of other devices */
};

struct trace {
	struct trace_options options;
	const char *name; /* of the file, for messages; the caller's */
	enum trace_format format;
	struct trace_counts counts;
	struct diag first_bad; /* where lines were left out: the first */
	char device[TRACE_DEVICE_MAX];
	bool has_device;

	char buffer[TRACE_BUFFER];
	size_t start, end; /* of what is not read yet */
	bool started, ended, finished, skipping;
	char action; /* of blkparse: which of an input's events is taken */
	bool has_time;
	uint64_t first_time, waited; /* raw units; microseconds of fio's waits */
	uint64_t now_ns;
};

/* Begin; name and options.device must stay. */
void trace_start(struct trace *t, const char *name, const struct trace_options *options);

/* Take bytes, as many as there is room for; returns how many. */
size_t trace_push(struct trace *t, const void *data, size_t n) MUST_USE;

/* Nothing follows. */
void trace_end(struct trace *t);

/*
 * The next request. 1, 0 at the end, -EAGAIN: push more first. -EINVAL at a bad line, -EXDEV where
 * a second device appears and none was chosen: d says "NAME:LINE: what", and the trace is over.
 */
int trace_next(struct trace *t, struct request *ret, struct diag *d) MUST_USE;

/* --- trace_line.c: used by trace.c only --- */

struct trace_line {
	const char *s;
	size_t n;
};

/* The format that a line has the shape of, its numbers aside. */
enum trace_format trace_line_format(const struct trace_line *l);

/* Do the bytes begin with a format's first line, as fio's? 0, or the number of the version. */
unsigned trace_fio_version(const struct trace_line *l);

/* The event of a line of blkparse (Q, D, C, ...); 0: none. */
char trace_blkparse_action(const struct trace_line *l);

/* A request in its own terms. */
struct trace_record {
	enum request_op op;
	uint64_t offset, bytes;
	uint64_t time; /* in time_ns nanoseconds */
	uint64_t unit_ns;
	struct trace_line device[2];
};

/*
 * 1 with the record, 0 where the line asks nothing of the drive, -EINVAL with the reason in d; of
 * the trace it changes the waits of fio alone.
 */
int trace_line_read(struct trace *t, const struct trace_line *l, struct trace_record *ret,
		    struct diag *d) MUST_USE;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_TRACE_FILE_H
#define CLI_TRACE_FILE_H

#include "ftl/trace.h"
#include "ftl/trace_map.h"

/* A trace in a file, packed or not, as a source of requests. */
struct trace_file;

struct trace_survey {
	enum trace_format format;
	struct trace_counts counts;
	uint64_t extent; /* bytes up to the last one that is asked for */
	uint64_t writes;
	char device[TRACE_DEVICE_MAX]; /* "" where all lines were bad */
};

/* path "-" is standard input, which can be read once. Errors as file_open. */
int trace_file_new(const char *path, const struct trace_options *options, struct diag *d,
		   struct trace_file **ret) MUST_USE;
void trace_file_free(struct trace_file *f);
void trace_file_release(struct trace_file **f); /* for CLEANUP */

/* Can it be read again from the start? */
bool trace_file_rewinds(const struct trace_file *f);

/* Where the requests that come next are in a model's places; most is as in trace_map. */
void trace_file_map(struct trace_file *f, enum trace_mapping mapping, uint64_t capacity,
		    uint32_t page_bytes, uint32_t most);

/* Number the pages of a request, of TRACE_MAP_COMPACT. -ENOSPC where there are too many, -ENOMEM.
 */
int trace_file_touch(struct trace_file *f, const struct request *r) MUST_USE;

/* Pages of the model that have been given to pages of the trace, of TRACE_MAP_COMPACT. */
uint32_t trace_file_touched(const struct trace_file *f);

/* The next request as it stands in the file. 1, 0 at the end, -errno with the reason in d. */
int trace_file_next(struct trace_file *f, struct request *ret, struct diag *d) MUST_USE;

/* From the start again. */
int trace_file_rewind(struct trace_file *f, struct diag *d) MUST_USE;

/* For struct request_source: the requests in the model's places, again and again; -errno with the
 * reason in trace_file_failure. */
int trace_file_repeat(void *trace_file, struct request *ret);
const struct diag *trace_file_failure(const struct trace_file *f);

/* What was read so far. */
const struct trace *trace_file_trace(const struct trace_file *f);
/* Bytes of the file, and how many of them were read; 0 where it is no plain file. */
uint64_t trace_file_size(const struct trace_file *f);
uint64_t trace_file_taken(const struct trace_file *f);

#endif

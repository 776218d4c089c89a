/* SPDX-License-Identifier: MIT */
#ifndef FTL_STAGES_H
#define FTL_STAGES_H

#include <stddef.h>

#include "base/diag.h"
#include "ftl/source.h"

/*
 * What is done to a drive in time, stage after stage:
 *   trim      the whole drive is trimmed
 *   fill      the whole drive is written in order, once where nothing else is said
 *   write     the workload's requests are written
 *   read      ... read
 *   idle      nothing is asked; the drive folds and collects if it does that
 *   measure   as write, with the workload's share of reads; its figures are the result
 */
#define STAGES(X)               \
	X(STAGE_TRIM, "trim")   \
	X(STAGE_FILL, "fill")   \
	X(STAGE_WRITE, "write") \
	X(STAGE_READ, "read")   \
	X(STAGE_IDLE, "idle")   \
	X(STAGE_MEASURE, "measure")

enum stage_kind {
#define X(e, name) e,
	STAGES(X)
#undef X
		STAGE_KIND_COUNT
};

const char *stage_text(enum stage_kind kind);

#define NS_PER_SECOND	1000000000ull
#define STAGES_MAX	256
#define STAGE_BYTES_MAX (64u << 20) /* of a request */

/* It ends after the duration or the bytes, what comes first; where both are 0, see above. */
struct stage {
	enum stage_kind kind;
	uint64_t duration_ns;
	uint64_t bytes;	    /* written and read */
	uint32_t drive_ppm; /* the same, in millionths of the drive's size */
	struct workload workload;
	uint32_t request_bytes;		     /* not of a workload that has sizes of its own */
	uint32_t align;			     /* offsets are multiples of it; 0: of the size */
	uint32_t read_ppm;		     /* share of the requests that read */
	unsigned queue_depth;		     /* requests that the host keeps going; 0: 1 */
	uint64_t interval_ns;		     /* of the curve; 0: as fine as the points allow */
	const struct request_source *source; /* in the place of the workload; NULL: none */
};

/* What a stage has where its line, or its builder, does not say: of uniform 4 KiB requests. */
struct stage stage_default(enum stage_kind kind);

struct stages {
	struct stage *list;
	size_t n;
};

void stages_release(struct stages *s);

/* -ENOMEM; -E2BIG above STAGES_MAX. */
int stages_add(struct stages *s, const struct stage *stage) MUST_USE;

/*
 * One stage a line: its name, how long ("10h", "15min", "90s", "20GB", "2x" the drive's size) and
 * what else is not as in `base`, as NAME=VALUE: workload, size, align, qd, reads, every. Empty
 * lines and what follows a # do not count. -EINVAL with the name of the file, the line and the
 * reason in d.
 */
int stages_parse(const char *text, const char *name, const struct stage *base, struct stages *ret,
		 struct diag *d) MUST_USE;

/* "90s", "15min", "10h", "2d", "5ms": -EINVAL where it is none, -ERANGE where it is too long. */
int stage_duration_parse(const char *s, uint64_t *ret_ns) MUST_USE;

/*
 * Begin the requests of the stage's workload over `capacity` bytes. The same seed, the same
 * requests. -EINVAL with the reason in d.
 */
int stage_requests_start(const struct stage *stage, uint64_t capacity, uint64_t seed,
			 struct source *ret, struct diag *d) MUST_USE;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_ACCESS_H
#define FTL_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "ftl/request.h"

/*
 * How often a host asks what: a table of sizes, operations and order, in the manner of IOmeter's
 * access specifications. A trace is summarised to one, and a workload follows one.
 *
 * A request is sequential where one of the last ACCESS_STREAMS requests of the same operation
 * ended where it begins.
 */
#define ACCESS_STREAMS	16
#define ACCESS_ROWS_MAX 8192

struct access_row {
	enum request_op op;
	bool sequential;
	uint64_t bytes;
	uint64_t align;	   /* offsets are multiples of it; a power of two where it was counted */
	uint64_t requests; /* counted; 0 in a table that gives shares */
	double share;	   /* of all requests; the shares' sum is 1 */
};

struct access_table {
	struct access_row *rows; /* by size, operation and order */
	size_t n;
};

void access_table_release(struct access_table *t);

const char *request_op_text(enum request_op op);

/*
 * CSV with a line of titles: bytes (or size), op and order, requests or share, align; or with
 * read and random, as shares, in the place of op and order. name is the file's. -EINVAL with
 * "NAME:LINE: what" in d, -ENOMEM.
 */
int access_table_parse(struct bytes text, const char *name, struct access_table *ret,
		       struct diag *d) MUST_USE;

/* --- counting --- */

#define ACCESS_SIZES_MAX 1024 /* beyond them a size counts as the next power of two */
#define ACCESS_SLOTS	 4096
#define ACCESS_CELLS	 6 /* operation and order */

struct access_size {
	uint64_t bytes;
	uint64_t requests[ACCESS_CELLS];
	uint64_t offsets[ACCESS_CELLS]; /* all of them, joined by "or" */
};

struct access_counter {
	struct access_size sizes[ACCESS_SIZES_MAX + 64];
	unsigned nsizes;
	uint16_t slots[ACCESS_SLOTS]; /* place in sizes, and one; 0: free */
	uint64_t ends[3][ACCESS_STREAMS];
	unsigned nends[3], oldest[3];
	uint64_t requests[3], bytes[3];
	uint64_t extent;  /* bytes up to the last one that a request touches */
	uint64_t last_ns; /* of the last request that has a time */
	uint64_t rounded; /* requests whose size counts as another */
};

/* All-zero memory is a start. */
void access_count(struct access_counter *c, const struct request *r);

/* -ENOMEM. */
int access_counted(const struct access_counter *c, struct access_table *ret) MUST_USE;

#endif

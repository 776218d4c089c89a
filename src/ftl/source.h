/* SPDX-License-Identifier: MIT */
#ifndef FTL_SOURCE_H
#define FTL_SOURCE_H

#include "ftl/access.h"
#include "ftl/workload.h"

/*
 * Requests of a synthetic workload: its places, in requests of one size, or of the sizes of
 * JESD219 or of a table of accesses.
 */
struct request_mix {
	uint32_t bytes;		   /* of a request; not of jesd219 and sizes */
	uint32_t align;		   /* offsets are multiples of it; 0: of the size */
	uint64_t start;		   /* ... and so much behind that: where a partition begins */
	double reads, trims;	   /* shares of the requests; the rest writes; not of sizes */
	struct access_table table; /* of sizes; the caller's */
};

struct source {
	struct request_mix mix;
	struct writer writer; /* of places: multiples of the alignment */
	struct rng random;
	uint64_t bytes; /* that may be asked for, from mix.start on */
	uint64_t place_bytes;
	uint64_t after[3]; /* where the last request of each operation ended */
};

/*
 * Begin, over `capacity` bytes. -EINVAL with the reason, and the nearest possible value, in d:
 * there must be room for a request behind the start, and not too many places.
 */
int source_start(struct source *s, const struct workload *w, const struct request_mix *mix,
		 uint64_t capacity, uint64_t seed, struct diag *d) MUST_USE;

/* Goes on for ever: always 1. For struct request_source. */
int source_next(void *source, struct request *ret);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_TRACE_MAP_H
#define FTL_TRACE_MAP_H

#include <stddef.h>

#include "base/diag.h"
#include "ftl/request.h"

/*
 * How the places of a trace become places of the model.
 *   none      as they are; a trace that reaches beyond the model does not fit
 *   fold      modulo the model's size: sizes and order stay, places that are far apart may meet
 *   compact   the pages that the trace touches, numbered in the order of their first touch: what
 *             is hot and what is in order stays so, what is never touched takes no room
 *
 * X(enumerator, word of --trace-map)
 */
#define TRACE_MAPPINGS(X)         \
	X(TRACE_MAP_NONE, "none") \
	X(TRACE_MAP_FOLD, "fold") \
	X(TRACE_MAP_COMPACT, "compact")

enum trace_mapping {
#define X(e, word) e,
	TRACE_MAPPINGS(X)
#undef X
		TRACE_MAPPING_COUNT
};

struct trace_map {
	enum trace_mapping mapping;
	uint64_t capacity; /* bytes of the model: whole pages */
	uint32_t page_bytes;

	/* compact: a hash table of pages, and the page of each number */
	uint64_t *pages;
	uint32_t *numbers; /* NO_NUMBER: the slot is free */
	size_t slots;
	uint64_t *page_of;
	uint32_t n, room, most;

	struct request rest; /* not given yet; 0 bytes: none */
	bool by_number;	     /* of a large trim: look at the numbers, not at the pages */
	uint32_t at;
};

/* most: numbers that are given out, of compact. */
void trace_map_start(struct trace_map *m, enum trace_mapping mapping, uint64_t capacity,
		     uint32_t page_bytes, uint32_t most);
void trace_map_release(struct trace_map *m);

/*
 * Take a request, when the one before has been given whole. -ERANGE: it reaches beyond the model
 * (none).
 */
int trace_map_take(struct trace_map *m, const struct request *r) MUST_USE;

/*
 * The next part of it in the model's places. 1, 0 where nothing is left; of compact -ENOSPC where
 * it touches more pages than there are numbers, -ENOMEM.
 */
int trace_map_next(struct trace_map *m, struct request *ret) MUST_USE;

#endif

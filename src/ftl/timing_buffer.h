/* SPDX-License-Identifier: MIT */
#ifndef FTL_TIMING_BUFFER_H
#define FTL_TIMING_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cleanup.h"

/*
 * Written data that a controller holds back for a while, in whole pages of which some parts may not
 * have been written: what is written again meanwhile is programmed once, and small writes that
 * follow each other become whole pages. The page that came first leaves first.
 */
struct held_page {
	uint32_t page;
	bool joined;	/* by several writes */
	uint64_t parts; /* a bit for each part that was written */
};

struct timing_buffer {
	struct held_page *ring;
	uint32_t *next;	  /* of the ring's place in its chain */
	uint32_t *chains; /* first place with this hash */
	uint32_t room, n, oldest;
	unsigned hash_bits;
	uint32_t part_bytes;
	uint64_t whole; /* all parts of a page */
};

/* room: in pages, 0: none. page_bytes is a multiple of 512 up to 4 GiB. -ENOMEM. */
int timing_buffer_start(struct timing_buffer *b, uint32_t room, uint32_t page_bytes) MUST_USE;
void timing_buffer_release(struct timing_buffer *b);

/* The parts of a page that bytes from offset on touch, both within it. */
uint64_t timing_buffer_parts(const struct timing_buffer *b, uint64_t offset, uint64_t bytes);

/* The page that is held, NULL where it is not. Valid until the next call that changes b. */
struct held_page *timing_buffer_find(struct timing_buffer *b, uint32_t page);

/* The oldest page leaves; there is one. */
struct held_page timing_buffer_take(struct timing_buffer *b);

/* Hold a page that is not held; there is room. */
void timing_buffer_add(struct timing_buffer *b, uint32_t page, uint64_t parts);

#endif

/* SPDX-License-Identifier: MIT */
#include "ftl/timing_buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX
#define PARTS	64
#define SECTOR	512

static uint32_t hash(const struct timing_buffer *b, uint32_t page)
{
	/* Knuth's multiplicative hash: 2^32 over the golden ratio */
	return page * 2654435769u >> (32 - b->hash_bits);
}

int timing_buffer_start(struct timing_buffer *b, uint32_t room, uint32_t page_bytes)
{
	*b = (struct timing_buffer){ .room = room, .hash_bits = 4 };
	b->part_bytes = page_bytes / PARTS > SECTOR ? page_bytes / PARTS : SECTOR;
	while (b->hash_bits < 31 && 1u << b->hash_bits < room)
		b->hash_bits++;
	b->whole = timing_buffer_parts(b, 0, page_bytes);
	if (!room)
		return 0;
	b->ring = malloc(room * sizeof(*b->ring));
	b->next = malloc(room * sizeof(*b->next));
	b->chains = malloc(((size_t)1 << b->hash_bits) * sizeof(*b->chains));
	if (!b->ring || !b->next || !b->chains) {
		timing_buffer_release(b);
		return -ENOMEM;
	}
	memset(b->chains, 0xff, ((size_t)1 << b->hash_bits) * sizeof(*b->chains)); /* NOWHERE */
	return 0;
}

void timing_buffer_release(struct timing_buffer *b)
{
	free(b->ring);
	free(b->next);
	free(b->chains);
	*b = (struct timing_buffer){ 0 };
}

uint64_t timing_buffer_parts(const struct timing_buffer *b, uint64_t offset, uint64_t bytes)
{
	uint64_t first = offset / b->part_bytes, last = (offset + bytes - 1) / b->part_bytes;
	uint64_t n = last - first + 1;

	return (n >= PARTS ? UINT64_MAX : ((uint64_t)1 << n) - 1) << first;
}

struct held_page *timing_buffer_find(struct timing_buffer *b, uint32_t page)
{
	uint32_t at = b->n ? b->chains[hash(b, page)] : NOWHERE;

	while (at != NOWHERE && b->ring[at].page != page)
		at = b->next[at];
	return at == NOWHERE ? NULL : &b->ring[at];
}

struct held_page timing_buffer_take(struct timing_buffer *b)
{
	uint32_t at = b->oldest, *link;
	struct held_page p = b->ring[at];

	for (link = &b->chains[hash(b, p.page)]; *link != at; link = &b->next[*link])
		;
	*link = b->next[at];
	b->oldest = at + 1 == b->room ? 0 : at + 1;
	b->n--;
	return p;
}

void timing_buffer_add(struct timing_buffer *b, uint32_t page, uint64_t parts)
{
	uint32_t at = (uint32_t)(((uint64_t)b->oldest + b->n) % b->room), h = hash(b, page);

	b->ring[at] = (struct held_page){ .page = page, .parts = parts };
	b->next[at] = b->chains[h];
	b->chains[h] = at;
	b->n++;
}

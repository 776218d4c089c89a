/* SPDX-License-Identifier: MIT */
#include "ftl/trace_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_NUMBER   UINT32_MAX
#define SLOTS_FIRST ((size_t)1 << 12)

void trace_map_start(struct trace_map *m, enum trace_mapping mapping, uint64_t capacity,
		     uint32_t page_bytes, uint32_t most)
{
	*m = (struct trace_map){
		.mapping = mapping,
		.capacity = capacity,
		.page_bytes = page_bytes,
		.most = most,
	};
}

void trace_map_release(struct trace_map *m)
{
	free(m->pages);
	free(m->numbers);
	free(m->page_of);
	*m = (struct trace_map){ 0 };
}

/* --- numbers of pages --------------------------------------------------------------------------
 */

/* The slot of a page, or the free one where it would be. */
static size_t slot_of(const struct trace_map *m, uint64_t page)
{
	size_t slot = (size_t)((page * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (m->slots - 1);

	while (m->numbers[slot] != NO_NUMBER && m->pages[slot] != page)
		slot = (slot + 1) & (m->slots - 1);
	return slot;
}

static uint32_t number_of(const struct trace_map *m, uint64_t page)
{
	return m->slots ? m->numbers[slot_of(m, page)] : NO_NUMBER;
}

static int grow_slots(struct trace_map *m)
{
	struct trace_map to = *m;

	to.slots = m->slots ? 2 * m->slots : SLOTS_FIRST;
	to.pages = malloc(to.slots * sizeof(*to.pages));
	to.numbers = malloc(to.slots * sizeof(*to.numbers));
	if (!to.pages || !to.numbers) {
		free(to.pages);
		free(to.numbers);
		return -ENOMEM;
	}
	memset(to.numbers, 0xff, to.slots * sizeof(*to.numbers));
	for (uint32_t i = 0; i < m->n; i++) {
		size_t slot = slot_of(&to, m->page_of[i]);

		to.pages[slot] = m->page_of[i];
		to.numbers[slot] = i;
	}
	free(m->pages);
	free(m->numbers);
	*m = to;
	return 0;
}

static int grow_numbers(struct trace_map *m)
{
	size_t room = m->room ? 2 * (size_t)m->room : SLOTS_FIRST;
	uint64_t *page_of;

	room = room < NO_NUMBER ? room : NO_NUMBER;
	page_of = reallocarray(m->page_of, room, sizeof(*page_of));
	if (!page_of)
		return -ENOMEM;
	m->page_of = page_of;
	m->room = (uint32_t)room;
	return 0;
}

/* The number of a page, a new one where it has none. */
static int give_number(struct trace_map *m, uint64_t page, uint32_t *ret)
{
	uint32_t number = number_of(m, page);
	size_t slot;
	int r = 0;

	if (number != NO_NUMBER) {
		*ret = number;
		return 0;
	}
	if (m->n >= m->most)
		return -ENOSPC;
	if (m->n == m->room)
		r = grow_numbers(m);
	if (!r && 2 * ((size_t)m->n + 1) > m->slots)
		r = grow_slots(m);
	if (r < 0)
		return r;
	slot = slot_of(m, page);
	m->pages[slot] = page;
	m->numbers[slot] = m->n;
	m->page_of[m->n] = page;
	*ret = m->n++;
	return 0;
}

/* --- requests ----------------------------------------------------------------------------------
 */

/* Whole pages only are trimmed; a partial one would keep its data in any case. */
static void shrink_trim(const struct trace_map *m, struct request *r)
{
	const uint32_t size = m->page_bytes;
	uint64_t end = (r->offset + r->bytes) / size * size, head = r->offset % size;

	if (head)
		r->offset = r->offset > UINT64_MAX - size ? end : r->offset + size - head;
	r->bytes = end > r->offset ? end - r->offset : 0;
}

int trace_map_take(struct trace_map *m, const struct request *r)
{
	m->rest = *r;
	m->by_number = false;
	m->at = 0;
	if (m->mapping == TRACE_MAP_NONE) {
		if (r->offset <= m->capacity && r->bytes <= m->capacity - r->offset)
			return 0;
		m->rest.bytes = 0;
		return -ERANGE;
	}
	if (m->mapping == TRACE_MAP_FOLD) {
		m->rest.offset %= m->capacity;
		if (r->bytes > m->capacity)
			m->rest.bytes = m->capacity;
	} else if (r->op == REQUEST_TRIM) {
		shrink_trim(m, &m->rest);
		m->by_number = m->rest.bytes / m->page_bytes > m->n;
	}
	return 0;
}

static struct request part_of(struct trace_map *m, uint64_t offset, uint64_t bytes)
{
	struct request part = m->rest;

	part.offset = offset;
	part.bytes = bytes;
	m->rest.offset += bytes;
	m->rest.bytes -= bytes;
	return part;
}

static int next_folded(struct trace_map *m, struct request *ret)
{
	uint64_t offset = m->rest.offset % m->capacity, left = m->capacity - offset;

	*ret = part_of(m, offset, m->rest.bytes < left ? m->rest.bytes : left);
	return 1;
}

/* A run of numbers whose pages lie within the trim. */
static int next_by_number(struct trace_map *m, struct request *ret)
{
	const uint64_t first = m->rest.offset / m->page_bytes;
	const uint64_t n = m->rest.bytes / m->page_bytes;
	uint32_t from;

	while (m->at < m->n && m->page_of[m->at] - first >= n)
		m->at++;
	from = m->at;
	while (m->at < m->n && m->page_of[m->at] - first < n)
		m->at++;
	if (from == m->at) {
		m->rest.bytes = 0;
		return 0;
	}
	*ret = m->rest;
	ret->offset = (uint64_t)from * m->page_bytes;
	ret->bytes = (uint64_t)(m->at - from) * m->page_bytes;
	return 1;
}

static int next_number(struct trace_map *m, uint64_t page, uint32_t *ret)
{
	if (m->rest.op != REQUEST_TRIM)
		return give_number(m, page, ret);
	*ret = number_of(m, page);
	return 0;
}

/* The longest run of the rest whose numbers follow each other. */
static int next_compact(struct trace_map *m, struct request *ret)
{
	const uint32_t size = m->page_bytes;

	while (m->rest.bytes) {
		uint64_t page = m->rest.offset / size, in_page = m->rest.offset % size, bytes;
		uint32_t number, next;
		int r = next_number(m, page, &number);

		if (r < 0)
			return r;
		bytes = size - in_page;
		for (next = number; number != NO_NUMBER && bytes < m->rest.bytes; bytes += size) {
			r = next_number(m, ++page, &next);
			if (r < 0)
				return r;
			if (next == NO_NUMBER || next - number != (bytes + in_page) / size)
				break;
		}
		bytes = bytes < m->rest.bytes ? bytes : m->rest.bytes;
		*ret = part_of(m, (uint64_t)number * size + in_page, bytes);
		if (number != NO_NUMBER)
			return 1;
	}
	return 0;
}

int trace_map_next(struct trace_map *m, struct request *ret)
{
	if (!m->rest.bytes)
		return 0;
	if (m->mapping == TRACE_MAP_NONE) {
		*ret = part_of(m, m->rest.offset, m->rest.bytes);
		return 1;
	}
	if (m->mapping == TRACE_MAP_FOLD)
		return next_folded(m, ret);
	return m->by_number ? next_by_number(m, ret) : next_compact(m, ret);
}

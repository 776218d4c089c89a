/* SPDX-License-Identifier: MIT */
#include "ftl/access.h"

#include <errno.h>
#include <stdlib.h>

/* Where a size stands in the slots: any good mixing does. */
static unsigned slot_of(uint64_t bytes)
{
	return (unsigned)((bytes * UINT64_C(0x9e3779b97f4a7c15)) >> 52) % ACCESS_SLOTS;
}

static uint64_t power_above(uint64_t bytes)
{
	uint64_t power = 1;

	while (power < bytes && power < UINT64_C(1) << 63)
		power <<= 1;
	return power;
}

/* The place of a size; a new one where there is room, else that of a power of two. */
static struct access_size *size_of(struct access_counter *c, uint64_t bytes)
{
	for (;;) {
		unsigned slot = slot_of(bytes);

		while (c->slots[slot] && c->sizes[c->slots[slot] - 1].bytes != bytes)
			slot = (slot + 1) % ACCESS_SLOTS;
		if (c->slots[slot])
			return &c->sizes[c->slots[slot] - 1];
		if (c->nsizes < ACCESS_SIZES_MAX || !(bytes & (bytes - 1))) {
			c->sizes[c->nsizes].bytes = bytes;
			c->slots[slot] = (uint16_t)++c->nsizes;
			return &c->sizes[c->nsizes - 1];
		}
		bytes = power_above(bytes);
		c->rounded++;
	}
}

/* Does it go on where another one ended? Its own end is noted in the place of that one. */
static bool goes_on(struct access_counter *c, const struct request *r)
{
	uint64_t *ends = c->ends[r->op], end = r->offset + r->bytes;
	unsigned n = c->nends[r->op];

	for (unsigned i = 0; i < n; i++) {
		if (ends[i] == r->offset) {
			ends[i] = end;
			return true;
		}
	}
	if (n < ACCESS_STREAMS) {
		ends[c->nends[r->op]++] = end;
	} else {
		ends[c->oldest[r->op]] = end;
		c->oldest[r->op] = (c->oldest[r->op] + 1) % ACCESS_STREAMS;
	}
	return false;
}

void access_count(struct access_counter *c, const struct request *r)
{
	struct access_size *size = size_of(c, r->bytes);
	unsigned cell = (unsigned)r->op * 2 + goes_on(c, r);

	size->requests[cell]++;
	size->offsets[cell] |= r->offset;
	c->requests[r->op]++;
	if (__builtin_add_overflow(c->bytes[r->op], r->bytes, &c->bytes[r->op]))
		c->bytes[r->op] = UINT64_MAX;
	if (r->offset + r->bytes > c->extent)
		c->extent = r->offset + r->bytes;
	if (r->has_time)
		c->last_ns = r->time_ns;
}

static int by_size(const void *a, const void *b)
{
	const struct access_row *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return (int)x->sequential - (int)y->sequential;
}

/* The largest power of two that divides all offsets; where they all are 0, the size's. */
static uint64_t common_power(uint64_t offsets, uint64_t bytes)
{
	offsets = offsets ? offsets : bytes;
	return offsets & -offsets;
}

int access_counted(const struct access_counter *c, struct access_table *ret)
{
	struct access_row *rows = calloc((size_t)c->nsizes * ACCESS_CELLS + 1, sizeof(*rows));
	const double all = (double)(c->requests[0] + c->requests[1] + c->requests[2]);
	size_t n = 0;

	if (!rows)
		return -ENOMEM;
	for (unsigned i = 0; i < c->nsizes * ACCESS_CELLS; i++) {
		const struct access_size *s = &c->sizes[i / ACCESS_CELLS];
		unsigned cell = i % ACCESS_CELLS;

		if (!s->requests[cell])
			continue;
		rows[n++] = (struct access_row){
			.op = (enum request_op)(cell / 2),
			.sequential = cell % 2,
			.bytes = s->bytes,
			.align = common_power(s->offsets[cell], s->bytes),
			.requests = s->requests[cell],
			.share = (double)s->requests[cell] / all,
		};
	}
	qsort(rows, n, sizeof(*rows), by_size);
	*ret = (struct access_table){ .rows = rows, .n = n };
	return 0;
}

void access_table_release(struct access_table *t)
{
	free(t->rows);
	*t = (struct access_table){ 0 };
}

const char *request_op_text(enum request_op op)
{
	static const char *const names[] = { "read", "write", "trim" };

	return names[op];
}

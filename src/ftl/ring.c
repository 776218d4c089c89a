/* SPDX-License-Identifier: MIT */
#include "ftl/device.h"

static void put(struct victim_ring *r, uint32_t place, uint32_t block)
{
	r->slot[place & r->mask] = block;
	r->place[block] = place & r->mask;
}

static uint32_t at(const struct victim_ring *r, uint32_t place)
{
	return r->slot[place & r->mask];
}

/* The first block of a count goes to the hole, which is the end of that count; returns its place.
 */
static uint32_t shift_up(struct victim_ring *r, uint32_t valid, uint32_t hole)
{
	uint32_t first = r->start[valid]++;

	if ((first ^ hole) & r->mask)
		put(r, hole, at(r, first));
	return first;
}

/* The ring grows by one; each greater count moves up by one to make room. */
void ring_add(struct ftl *f, uint32_t block, uint32_t valid)
{
	struct victim_ring *r = &f->ring;
	uint32_t v = f->config.pages_per_block, hole = r->start[v + 1]++;

	for (; v > valid; v--)
		hole = shift_up(r, v, hole);
	put(r, hole, block);
	f->least = valid < f->least ? valid : f->least;
	f->ranked++;
}

/* The gap goes to the beginning of the ring: each lesser count moves up by one. */
void ring_remove(struct ftl *f, uint32_t block, uint32_t valid)
{
	struct victim_ring *r = &f->ring;
	uint32_t hole = shift_up(r, valid, r->place[block]);

	for (uint32_t v = valid; v > f->least; v--)
		hole = shift_up(r, v - 1, hole);
	for (uint32_t v = f->least; v-- > 0;)
		r->start[v] = r->start[f->least];
	f->ranked--;
}

void ring_lose(struct ftl *f, uint32_t block, uint32_t valid)
{
	struct victim_ring *r = &f->ring;
	uint32_t first = r->start[valid + 1]++, place = r->place[block];

	put(r, place, at(r, first));
	put(r, first, block);
	f->least = valid < f->least ? valid : f->least;
}

uint32_t ring_draw(struct ftl *f, uint32_t valid)
{
	const struct victim_ring *r = &f->ring;
	uint32_t n = r->start[valid + 1] - r->start[valid];

	return at(r, r->start[valid] + (uint32_t)rng_below(&f->random, n));
}

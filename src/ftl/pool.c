/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>

#include "ftl/device.h"
#include "ftl/storage.h"

static bool is_less_worn(const struct ftl *f, uint32_t a, uint32_t b)
{
	uint32_t x = f->blocks[a].erases, y = f->blocks[b].erases;

	return x < y || (x == y && a < b);
}

static uint32_t *ring_slot(const struct ftl *f, uint32_t i)
{
	uint64_t at = (uint64_t)f->free.first + i;

	return &f->free.blocks[at < f->config.blocks ? at : at - f->config.blocks];
}

static void pool_put(struct ftl *f, uint32_t block)
{
	struct free_pool *p = &f->free;
	uint32_t at = p->n++;

	f->blocks[block].valid = BLOCK_UNRANKED | BLOCK_FREE | stream_of(f, block) << 24;
	if (f->config.leveling == WEAR_LEVELING_NONE) {
		*ring_slot(f, at) = block;
		return;
	}
	for (; at && is_less_worn(f, block, p->blocks[(at - 1) / 2]); at = (at - 1) / 2)
		p->blocks[at] = p->blocks[(at - 1) / 2];
	p->blocks[at] = block;
}

static uint32_t take_least_worn(struct ftl *f)
{
	struct free_pool *p = &f->free;
	uint32_t block = p->blocks[0], last = p->blocks[--p->n], at = 0;

	for (;;) {
		uint64_t child = 2 * (uint64_t)at + 1;

		if (child + 1 < p->n && is_less_worn(f, p->blocks[child + 1], p->blocks[child]))
			child++;
		if (child >= p->n || !is_less_worn(f, p->blocks[child], last))
			break;
		p->blocks[at] = p->blocks[child];
		at = (uint32_t)child;
	}
	p->blocks[at] = last;
	return block;
}

/* Of the blocks erased last, as many as are in reserve, one that comes from the same stream. */
static uint32_t take_own(struct ftl *f, unsigned stream)
{
	const uint32_t n = f->free.n;
	uint32_t at = n - 1, block;

	for (uint32_t i = n; i > 0 && n - i < f->reserve; i--) {
		if (stream_of(f, *ring_slot(f, i - 1)) == stream) {
			at = i - 1;
			break;
		}
	}
	block = *ring_slot(f, at);
	for (f->free.n--; at < f->free.n; at++)
		*ring_slot(f, at) = *ring_slot(f, at + 1);
	return block;
}

static uint32_t take_first(struct ftl *f)
{
	uint32_t block = *ring_slot(f, 0);

	f->free.n--;
	f->free.first = f->free.first + 1 < f->config.blocks ? f->free.first + 1 : 0;
	return block;
}

static uint32_t take(struct ftl *f, unsigned stream)
{
	if (f->config.leveling != WEAR_LEVELING_NONE)
		return take_least_worn(f);
	switch (f->config.reuse) {
	case REUSE_FIRST:
		return take_first(f);
	case REUSE_LAST:
		return *ring_slot(f, --f->free.n);
	default:
		return take_own(f, stream);
	}
}

uint32_t pool_take(struct ftl *f, unsigned stream)
{
	uint32_t block = take(f, stream);

	f->blocks[block].valid = BLOCK_UNRANKED | stream << 24;
	return block;
}

void pool_erase(struct ftl *f, uint32_t block)
{
	uint32_t erases = ++f->blocks[block].erases;

	f->totals.erases++;
	f->most_erases = erases > f->most_erases ? erases : f->most_erases;
	if (f->limits && erases >= f->limits[block]) {
		f->blocks[block].valid = BLOCK_UNRANKED | BLOCK_RETIRED;
		if (!f->held.n) {
			f->retired++;
			return;
		}
		block = f->held.blocks[--f->held.n];
	}
	pool_put(f, block);
}

/* Erase counts only grow, so a count that is behind is put right when it comes to the top. */
static void sink_top(struct wear_heap *w, uint32_t block, uint32_t count)
{
	uint64_t at = 0;

	for (;;) {
		uint64_t child = 2 * at + 1;

		if (child + 1 < w->n && w->counts[child + 1] < w->counts[child])
			child++;
		if (child >= w->n || w->counts[child] >= count)
			break;
		w->blocks[at] = w->blocks[child];
		w->counts[at] = w->counts[child];
		at = child;
	}
	w->blocks[at] = block;
	w->counts[at] = count;
}

uint32_t pool_overdue(struct ftl *f)
{
	struct wear_heap *w = &f->wear;

	while (w->n && f->most_erases - w->counts[0] > f->config.leveling_spread) {
		uint32_t block = w->blocks[0];

		if (f->blocks[block].valid & BLOCK_RETIRED) {
			w->n--;
			sink_top(w, w->blocks[w->n], w->counts[w->n]);
		} else if (f->blocks[block].erases != w->counts[0]) {
			sink_top(w, block, f->blocks[block].erases);
		} else {
			/* a free or open block is in use already */
			return f->blocks[block].valid & BLOCK_FULL ? block : NO_BLOCK;
		}
	}
	return NO_BLOCK;
}

static uint32_t draw_limit(struct ftl *f)
{
	double mean = f->config.pe_cycles;
	double limit = rint(mean + mean * f->config.pe_cv * rng_normal(&f->random));

	return limit < 1 ? 1 : limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

/* Any so many of all: each block takes its chance of what is still to be drawn (Knuth's S). */
static void draw_bad_blocks(struct ftl *f)
{
	uint32_t left = f->config.bad_blocks;

	for (uint32_t block = f->config.blocks; left && block-- > 0;) {
		if (rng_below(&f->random, (uint64_t)block + 1) >= left)
			continue;
		f->blocks[block].valid = BLOCK_UNRANKED | BLOCK_RETIRED;
		f->retired++;
		left--;
	}
}

/* The first ones are held back. */
static void put_first(struct ftl *f, uint32_t block)
{
	if (f->held.n == f->config.held_back) {
		pool_put(f, block);
		return;
	}
	f->blocks[block].valid = BLOCK_UNRANKED | BLOCK_FREE;
	f->retired++;
	f->held.blocks[f->held.n++] = block;
}

int pool_start(struct ftl *f)
{
	const uint32_t n = f->config.blocks;

	f->free.blocks = storage_get(f, n, sizeof(uint32_t));
	if (!f->free.blocks)
		return -ENOMEM;
	if (f->config.leveling == WEAR_LEVELING_STATIC) {
		f->wear.blocks = storage_get(f, n, sizeof(uint32_t));
		f->wear.counts = storage_get(f, n, sizeof(uint32_t));
		if (!f->wear.blocks || !f->wear.counts)
			return -ENOMEM;
		for (uint32_t block = 0; block < n; block++)
			f->wear.blocks[block] = block;
		f->wear.n = n;
	}
	if (f->config.pe_cycles) {
		f->limits = storage_get(f, n, sizeof(uint32_t));
		if (!f->limits)
			return -ENOMEM;
		for (uint32_t block = 0; block < n; block++)
			f->limits[block] = draw_limit(f);
	}
	if (f->config.held_back) {
		f->held.blocks = storage_get(f, f->config.held_back, sizeof(uint32_t));
		if (!f->held.blocks)
			return -ENOMEM;
	}
	draw_bad_blocks(f);
	for (uint32_t i = n; i-- > 0;) {
		/* block 0 is used first */
		uint32_t block = f->config.reuse == REUSE_FIRST ? n - 1 - i : i;

		if (!(f->blocks[block].valid & BLOCK_RETIRED))
			put_first(f, block);
	}
	return 0;
}

void pool_release(struct ftl *f)
{
	const uint32_t n = f->config.blocks;

	storage_put(f, f->free.blocks, n, sizeof(uint32_t));
	storage_put(f, f->held.blocks, f->config.held_back, sizeof(uint32_t));
	storage_put(f, f->wear.blocks, n, sizeof(uint32_t));
	storage_put(f, f->wear.counts, n, sizeof(uint32_t));
	storage_put(f, f->limits, n, sizeof(uint32_t));
}

/* SPDX-License-Identifier: MIT */
#include "ftl/device.h"

/*
 * prev is the elder sibling, or the parent of its first child; next the younger sibling. The root
 * of a heap has neither.
 */

static uint32_t meld(struct ftl *f, uint32_t a, uint32_t b)
{
	const uint64_t *filled = f->heaps.filled;
	uint32_t *child = f->heaps.child, top = a, under = b;

	if (a == NO_BLOCK || b == NO_BLOCK)
		return a == NO_BLOCK ? b : a;
	if (filled[b] == filled[a] ? b < a : filled[b] < filled[a]) {
		top = b;
		under = a;
	}
	f->blocks[under].prev = top;
	f->blocks[under].next = child[top];
	if (child[top] != NO_BLOCK)
		f->blocks[child[top]].prev = under;
	child[top] = under;
	return top;
}

/* A heap of all siblings from `first` on: melded in pairs, then the pairs from the last to the
 * first. */
static uint32_t meld_siblings(struct ftl *f, uint32_t first)
{
	uint32_t pairs = NO_BLOCK, root = NO_BLOCK;

	while (first != NO_BLOCK) {
		uint32_t second = f->blocks[first].next, rest = NO_BLOCK, pair;

		if (second != NO_BLOCK)
			rest = f->blocks[second].next;
		pair = meld(f, first, second);
		f->blocks[pair].next = pairs;
		pairs = pair;
		first = rest;
	}
	while (pairs != NO_BLOCK) {
		uint32_t next = f->blocks[pairs].next;

		root = meld(f, root, pairs);
		pairs = next;
	}
	return root;
}

void heaps_add(struct ftl *f, uint32_t block, uint32_t valid)
{
	f->heaps.child[block] = NO_BLOCK;
	f->heaps.root[valid] = meld(f, f->heaps.root[valid], block);
}

void heaps_remove(struct ftl *f, uint32_t block, uint32_t valid)
{
	uint32_t *child = f->heaps.child, rest = meld_siblings(f, child[block]);

	if (f->heaps.root[valid] == block) {
		f->heaps.root[valid] = rest;
		return;
	}
	if (child[f->blocks[block].prev] == block)
		child[f->blocks[block].prev] = f->blocks[block].next;
	else
		f->blocks[f->blocks[block].prev].next = f->blocks[block].next;
	if (f->blocks[block].next != NO_BLOCK)
		f->blocks[f->blocks[block].next].prev = f->blocks[block].prev;
	f->heaps.root[valid] = meld(f, f->heaps.root[valid], rest);
}

void heaps_lose(struct ftl *f, uint32_t block, uint32_t valid)
{
	heaps_remove(f, block, valid + 1);
	heaps_add(f, block, valid);
}

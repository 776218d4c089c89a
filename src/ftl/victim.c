/* SPDX-License-Identifier: MIT */
#include "ftl/device.h"

/*
 * Without maps every page in use is as likely to be lost next as any other, so blocks with equally
 * many valid pages are alike, and few of all blocks are near to being victims. INDEX_FEW ranks only
 * these; where none is left, the limit is raised so that one block in so many is ranked.
 */
#define FEW_SHARE 16

enum victim_index victim_index_of(const struct ftl_config *c)
{
	const struct victim_choice *v = &c->victim;

	switch (v->policy) {
	case VICTIM_RANDOM:
	case VICTIM_CHOICES:
		return INDEX_NONE;
	case VICTIM_COST_BENEFIT:
		return INDEX_HEAPS;
	default:
		if (victim_has_ties(v->policy) && v->ties == TIES_RANDOM)
			return INDEX_RING;
		return c->counts && v->policy == VICTIM_GREEDY ? INDEX_FEW : INDEX_LISTS;
	}
}

void victim_rank(struct ftl *f, uint32_t block)
{
	uint32_t valid = valid_pages(f, block);

	f->blocks[block].valid &= ~BLOCK_UNRANKED;
	if (f->index == INDEX_HEAPS) {
		heaps_add(f, block, valid);
	} else if (f->index == INDEX_RING) {
		ring_add(f, block, valid);
	} else {
		list_insert(f->blocks, list_head(f, valid), block);
		f->least = valid < f->least ? valid : f->least;
		f->ranked++;
	}
}

/* The blocks that were filled first enter the window where it has room. */
static void fill_window(struct ftl *f)
{
	uint32_t queue = queue_head(f);

	while (f->ranked < f->window && f->blocks[queue].next != queue) {
		uint32_t block = f->blocks[queue].next;

		list_remove(f->blocks, block);
		victim_rank(f, block);
	}
}

void victim_add(struct ftl *f, uint32_t block)
{
	f->blocks[block].valid |= BLOCK_FULL;
	switch (f->config.victim.policy) {
	case VICTIM_RANDOM:
	case VICTIM_CHOICES:
		break;
	case VICTIM_FIFO:
		list_insert(f->blocks, f->blocks[queue_head(f)].prev, block);
		break;
	case VICTIM_WINDOWED:
		list_insert(f->blocks, f->blocks[queue_head(f)].prev, block);
		fill_window(f);
		break;
	case VICTIM_COST_BENEFIT:
		f->heaps.filled[block] = f->totals.host_writes;
		victim_rank(f, block);
		break;
	default:
		if (f->index != INDEX_FEW || valid_pages(f, block) <= f->few)
			victim_rank(f, block);
	}
}

void victim_remove(struct ftl *f, uint32_t block)
{
	uint32_t flags = f->blocks[block].valid, valid = valid_pages(f, block);

	f->blocks[block].valid = valid | BLOCK_UNRANKED | (flags & BLOCK_STREAM);
	if (f->index == INDEX_NONE)
		return;
	if (flags & BLOCK_UNRANKED) {
		if (f->index != INDEX_FEW)
			list_remove(f->blocks, block); /* from the queue */
		return;
	}
	if (f->index == INDEX_HEAPS) {
		heaps_remove(f, block, valid);
		return;
	}
	if (f->index == INDEX_RING) {
		ring_remove(f, block, valid);
	} else {
		list_remove(f->blocks, block);
		f->ranked--;
	}
	if (f->config.victim.policy == VICTIM_WINDOWED)
		fill_window(f);
}

/* How many full blocks have at most so many valid pages? */
static uint32_t count_full(const struct ftl *f, uint32_t most)
{
	uint32_t n = 0;

	for (uint32_t block = 0; block < f->config.blocks; block++)
		n += f->blocks[block].valid & BLOCK_FULL && valid_pages(f, block) <= most;
	return n;
}

/* Raise the limit of INDEX_FEW, no further than needed. */
static void rank_more(struct ftl *f)
{
	const uint32_t b = f->config.pages_per_block, enough = f->config.blocks / FEW_SHARE + 1;
	uint32_t low = f->few, high = b;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (count_full(f, middle) >= enough)
			high = middle;
		else
			low = middle + 1;
	}
	f->few = low;
	for (uint32_t block = 0; block < f->config.blocks; block++) {
		uint32_t flags = f->blocks[block].valid;

		if (flags & BLOCK_FULL && flags & BLOCK_UNRANKED && valid_pages(f, block) <= low)
			victim_rank(f, block);
	}
}

static uint32_t pick_fewest_ranked(struct ftl *f)
{
	if (!f->ranked && f->index == INDEX_FEW)
		rank_more(f);
	if (!f->ranked)
		return NO_BLOCK;
	if (f->index == INDEX_RING) {
		while (f->ring.start[f->least] == f->ring.start[f->least + 1])
			f->least++;
		return ring_draw(f, f->least);
	}
	while (f->blocks[list_head(f, f->least)].next == list_head(f, f->least))
		f->least++;
	return f->config.victim.ties == TIES_NEWEST ? f->blocks[list_head(f, f->least)].next
						    : f->blocks[list_head(f, f->least)].prev;
}

static uint32_t pick_drawn(struct ftl *f, uint32_t draws)
{
	uint32_t best = NO_BLOCK, n = f->config.blocks;

	if (f->free.n + f->retired + f->lent + streams_of(&f->config) >= n)
		return victim_fewest(f); /* few or none are full */
	while (draws) {
		uint32_t block = (uint32_t)rng_below(&f->random, n);

		if (!(f->blocks[block].valid & BLOCK_FULL))
			continue;
		draws--;
		if (best == NO_BLOCK || valid_pages(f, block) < valid_pages(f, best))
			best = block;
	}
	return best;
}

/*
 * Of one count the block that was filled first is the best, so only the tops compete. The factor of
 * 1 / 2 is the same for all and is left out.
 */
static uint32_t pick_cost_benefit(const struct ftl *f)
{
	const uint32_t b = f->config.pages_per_block;
	uint32_t best = NO_BLOCK;
	double best_score = -1;

	for (uint32_t valid = 0; valid <= b; valid++) {
		uint32_t top = f->heaps.root[valid];
		double score;

		if (top == NO_BLOCK)
			continue;
		if (!valid)
			return top;
		score = (double)(f->totals.host_writes - f->heaps.filled[top]) *
			(double)(b - valid) / (double)valid;
		if (score > best_score) {
			best = top;
			best_score = score;
		}
	}
	return best;
}

uint32_t victim_pick(struct ftl *f)
{
	uint32_t queue = queue_head(f);

	switch (f->config.victim.policy) {
	case VICTIM_FIFO:
		return f->blocks[queue].next == queue ? NO_BLOCK : f->blocks[queue].next;
	case VICTIM_RANDOM:
		return pick_drawn(f, 1);
	case VICTIM_CHOICES:
		return pick_drawn(f, f->config.victim.argument);
	case VICTIM_COST_BENEFIT:
		return pick_cost_benefit(f);
	default:
		return pick_fewest_ranked(f);
	}
}

uint32_t victim_fewest(const struct ftl *f)
{
	uint32_t best = NO_BLOCK;

	for (uint32_t block = 0; block < f->config.blocks; block++)
		if (f->blocks[block].valid & BLOCK_FULL &&
		    (best == NO_BLOCK || valid_pages(f, block) < valid_pages(f, best)))
			best = block;
	return best;
}

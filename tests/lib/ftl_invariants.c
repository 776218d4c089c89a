/* SPDX-License-Identifier: MIT */
#include "lib/ftl_invariants.h"

#include <stdlib.h>

#include "base/cleanup.h"

static bool is_open(const struct ftl *f, uint32_t block, uint32_t *ret_next)
{
	for (unsigned i = 0; i < streams_of(&f->config); i++) {
		const struct ftl_stream *s = &f->streams[i];

		if (s->block == block && s->next < f->config.pages_per_block) {
			*ret_next = s->next;
			return true;
		}
	}
	return false;
}

/* Parity of so many erased blocks, of the full ones and of what is programmed of the open ones. */
static uint64_t parity_programmed(const struct ftl *f, uint64_t erases)
{
	const uint32_t k = f->config.stripe;
	uint64_t full = erases, n = 0;
	uint32_t next = 0;

	for (uint32_t block = 0; k && block < f->config.blocks; block++) {
		full += !!(f->blocks[block].valid & BLOCK_FULL);
		n += is_open(f, block, &next) ? next / k : 0;
	}
	return k ? n + full * ((f->config.pages_per_block + k - 1) / k) : 0;
}

/* Every block is in one state, and the numbers of the states and of the pages add up. */
static const char *states(const struct ftl *f)
{
	const uint32_t b = f->config.pages_per_block;
	uint64_t valid = 0, programmed = 0, erases = 0, all = 0;
	uint32_t free = 0, retired = 0, bad = 0, most = 0, lent = 0;

	for (uint32_t block = 0; block < f->config.blocks; block++) {
		uint32_t flags = f->blocks[block].valid, next = 0;
		bool open = is_open(f, block, &next);

		if (!(flags & (BLOCK_FREE | BLOCK_FULL | BLOCK_RETIRED)) && !open &&
		    lent < f->lent && !valid_pages(f, block)) {
			lent++;
			erases += f->blocks[block].erases;
			most = f->blocks[block].erases > most ? f->blocks[block].erases : most;
			continue;
		}
		if (!!(flags & BLOCK_FREE) + !!(flags & BLOCK_FULL) + !!(flags & BLOCK_RETIRED) +
			    open !=
		    1)
			return "a block is in no state or in two";
		if (flags & (BLOCK_FREE | BLOCK_RETIRED) && valid_pages(f, block))
			return "an erased block has valid pages";
		if (valid_pages(f, block) > (open ? next : b))
			return "a block has more valid pages than programmed ones";
		if (!(flags & (BLOCK_FULL | BLOCK_UNRANKED)))
			return "a block that is not full is ranked";
		if (f->limits && f->blocks[block].erases > f->limits[block])
			return "a block was erased beyond its limit";
		if (flags & BLOCK_RETIRED && !f->blocks[block].erases) {
			bad++;
			continue;
		}
		if (f->limits &&
		    !(flags & BLOCK_RETIRED) != (f->blocks[block].erases < f->limits[block]))
			return "a block at its limit is in use";
		free += !!(flags & BLOCK_FREE);
		retired += !!(flags & BLOCK_RETIRED);
		valid += valid_pages(f, block);
		programmed += open ? next : flags & BLOCK_FULL ? b : 0;
		erases += f->blocks[block].erases;
		most = f->blocks[block].erases > most ? f->blocks[block].erases : most;
	}
	for (unsigned i = 0; i < FTL_PARITY; i++)
		all += f->totals.programs[i];
	if (valid != f->pages_in_use)
		return "the valid pages are not the pages in use";
	if (erases != f->totals.erases || most != f->most_erases)
		return "the erases do not add up";
	if (all != (erases - f->lent_erases) * b + programmed)
		return "the programs are not erases x pages and what is programmed now";
	if (f->totals.programs[FTL_HOST] != f->totals.host_writes)
		return "the host's programs are not its writes";
	if (f->totals.victims[FTL_GC] + f->totals.victims[FTL_WEAR_LEVELING] +
		    f->totals.victims[FTL_REFRESH] !=
	    erases - f->lent_erases)
		return "the victims are not the erases";
	if (lent != f->lent)
		return "the lent blocks do not add up";
	if (free != f->free.n + f->held.n || retired != ftl_retired_blocks(f) ||
	    bad != f->config.bad_blocks)
		return "the free, retired or bad blocks do not add up";
	if (f->held.n + (retired < f->config.held_back ? retired : f->config.held_back) !=
	    f->config.held_back)
		return "the blocks held back have not taken the place of those that wore out";
	if (f->totals.programs[FTL_PARITY] != parity_programmed(f, erases - f->lent_erases))
		return "the parity is not that of what was programmed";
	return f->dead || free >= f->reserve ? NULL : "the reserve is used up";
}

/* Map and reverse map are inverse to each other, and so are they and the valid pages. */
static const char *maps(const struct ftl *f)
{
	const uint32_t b = f->config.pages_per_block, mask = (1u << f->shift) - 1;
	CLEANUP(cleanup_free) uint32_t *valid = calloc(f->config.blocks, sizeof(*valid));
	uint32_t in_use = 0, next = 0;

	for (uint32_t page = 0; valid && page < f->config.logical_pages; page++) {
		uint32_t at = f->map[page], block = at >> f->shift, in_block = at & mask;

		if (at == NO_PAGE)
			continue;
		if (block >= f->config.blocks || in_block >= b)
			return "a page is mapped outside the device";
		if (f->back[(size_t)block * b + in_block] != page)
			return "the reverse map does not lead back";
		if (!(f->live[(size_t)block * f->live_words + in_block / 64] >> in_block % 64 & 1))
			return "a mapped page is not live";
		if (is_open(f, block, &next) && in_block >= next)
			return "a page is mapped to where nothing is programmed";
		valid[block]++;
		in_use++;
	}
	for (uint32_t block = 0; valid && block < f->config.blocks; block++)
		if (valid[block] != valid_pages(f, block))
			return "a block's valid pages are not those that are mapped to it";
	return in_use == f->pages_in_use ? NULL : "the mapped pages are not the pages in use";
}

static uint32_t count_heap(const struct ftl *f, uint32_t valid, const char **why)
{
	CLEANUP(cleanup_free) uint32_t *stack = calloc(f->config.blocks + 1, sizeof(*stack));
	uint32_t n = 0, found = 0;

	if (!stack)
		return 0;
	if (f->heaps.root[valid] != NO_BLOCK)
		stack[n++] = f->heaps.root[valid];
	while (n) {
		uint32_t block = stack[--n];

		if (++found > f->config.blocks || valid_pages(f, block) != valid) {
			*why = "a block is in the heap of another count";
			return found;
		}
		for (uint32_t c = f->heaps.child[block]; c != NO_BLOCK; c = f->blocks[c].next) {
			if (f->heaps.filled[c] < f->heaps.filled[block])
				*why = "a heap has a younger block above an older one";
			stack[n++] = c;
		}
	}
	return found;
}

static uint32_t count_list(const struct ftl *f, uint32_t head, uint32_t valid, const char **why)
{
	uint32_t n = 0;

	for (uint32_t x = f->blocks[head].next; x != head; x = f->blocks[x].next, n++) {
		if (n > f->config.blocks || f->blocks[f->blocks[x].next].prev != x) {
			*why = "a list is broken";
			return n;
		}
		if (valid != NO_PAGE &&
		    (f->blocks[x].valid & BLOCK_UNRANKED || valid_pages(f, x) != valid))
			*why = "a block is in the list of another count";
		if (valid == NO_PAGE && !(f->blocks[x].valid & BLOCK_UNRANKED))
			*why = "a ranked block is in the queue";
	}
	return n;
}

static uint32_t count_ring(const struct ftl *f, uint32_t valid, const char **why)
{
	const struct victim_ring *r = &f->ring;
	uint32_t n = r->start[valid + 1] - r->start[valid];

	if (n > f->config.blocks) {
		*why = "the ring is broken";
		return 0;
	}
	for (uint32_t i = r->start[valid]; i != r->start[valid + 1]; i++) {
		uint32_t block = r->slot[i & r->mask];

		if (r->place[block] != (i & r->mask))
			*why = "a block is not at its place in the ring";
		if (f->blocks[block].valid & BLOCK_UNRANKED || valid_pages(f, block) != valid)
			*why = "a block is in the ring among another count";
	}
	return n;
}

/* The index holds every full block once, each by its count. */
static const char *victims(const struct ftl *f)
{
	uint32_t found = 0, full = 0, queued = 0;
	const char *why = NULL;

	for (uint32_t block = 0; block < f->config.blocks; block++)
		full += f->blocks[block].valid & BLOCK_FULL &&
			(f->index != INDEX_FEW || valid_pages(f, block) <= f->few);
	if (f->index == INDEX_NONE)
		return NULL;
	for (uint32_t valid = 0; valid <= f->config.pages_per_block && !why; valid++) {
		uint32_t n = f->index == INDEX_HEAPS ? count_heap(f, valid, &why)
			     : f->index == INDEX_RING
				     ? count_ring(f, valid, &why)
				     : count_list(f, list_head(f, valid), valid, &why);

		if (n && f->index != INDEX_HEAPS && valid < f->least)
			why = "a ranked block has fewer valid pages than the least";
		found += n;
	}
	queued = count_list(f, queue_head(f), NO_PAGE, &why);
	if (why)
		return why;
	if (f->index != INDEX_HEAPS && found != f->ranked)
		return "the ranked blocks do not add up";
	if (found > f->window ||
	    (queued && found < f->window && f->config.victim.policy == VICTIM_WINDOWED))
		return "the window is not full, or too full";
	return found + queued == full ? NULL : "the index does not hold the full blocks";
}

/* Blocks that are open or full stand in the order of their ages. */
static const char *refreshes(const struct ftl *f)
{
	const struct block_ages *a = &f->ages;
	const uint32_t n = f->config.blocks;
	uint32_t used = 0, found = 0;

	for (uint32_t block = 0; block < n; block++)
		used += !(f->blocks[block].valid & (BLOCK_FREE | BLOCK_RETIRED));
	for (uint32_t x = n; a->opened && found <= n; x = a->younger[x], found++) {
		uint32_t next = a->younger[x];

		if (a->older[next] != x)
			return "the list of ages is broken";
		if (next == n)
			break;
		if (x < n && a->opened[x] > a->opened[next])
			return "a younger block stands before an older one";
	}
	return a->opened && found + f->lent != used ? "the ages are not those of the blocks in use"
						    : NULL;
}

const char *ftl_broken_invariant(const struct ftl *f)
{
	const char *why = states(f);

	if (!why)
		why = refreshes(f);
	if (!why && f->map)
		why = maps(f);
	return why ? why : victims(f);
}

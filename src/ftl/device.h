/* SPDX-License-Identifier: MIT */
#ifndef FTL_DEVICE_H
#define FTL_DEVICE_H

#include "base/rng.h"
#include "ftl/ftl.h"

/*
 * The inside of struct ftl, for the files of this folder and for tests that check its invariants.
 *
 * Every block is in one of these states:
 *   free      erased, in the pool or held back
 *   open      a stream programs it
 *   full      all its pages are programmed; garbage collection may take it
 *   retired   at the limit of its erase cycles, or bad from the start
 *
 * Full blocks are kept in the index that the victim policy needs. A ranked block moves in it with
 * each page that it loses; the others only count. The write path is compiled once for each index.
 */

enum victim_index {
	INDEX_NONE,  /* random and choices: blocks are drawn from all */
	INDEX_LISTS, /* one list of ranked blocks a count of valid pages */
	INDEX_FEW,  /* the same, but only blocks with few valid pages are ranked: greedy, no maps */
	INDEX_RING, /* ranked blocks sorted by their count in one ring: any can be drawn */
	INDEX_HEAPS, /* one heap a count, the block that was filled first on top */
};

#define PLACES_DRAWN 64

#define NO_PAGE	     UINT32_MAX
#define NO_BLOCK     UINT32_MAX

/* Flags beside the number of valid pages. */
#define BLOCK_UNRANKED (1u << 31)
#define BLOCK_FULL     (1u << 30)
#define BLOCK_RETIRED  (1u << 29)
#define BLOCK_FREE     (1u << 28)
#define BLOCK_STREAM   (0xfu << 24) /* that programmed it last */
#define BLOCK_FLAGS    (BLOCK_UNRANKED | BLOCK_FULL | BLOCK_RETIRED | BLOCK_FREE | BLOCK_STREAM)

/*
 * A block, or one of the list heads that stand behind the blocks: one for each count of valid pages
 * and one for the queue of full blocks that are not ranked yet. Lists are circular, so that moving
 * a block takes no decision.
 */
struct ftl_block {
	uint32_t prev, next;
	uint32_t valid; /* valid pages and flags */
	uint32_t erases;
};

/* An open block; its valid pages count while it fills. */
struct ftl_stream {
	uint32_t block; /* NO_BLOCK: none yet */
	uint32_t next;	/* page to program; pages_per_block: the block is full and given back */
};

/*
 * Ranked blocks in one ring in the order of their valid pages: those with v stand from start[v] to
 * before start[v + 1]. A block that loses a page changes places with the first of its count.
 */
struct victim_ring {
	uint32_t *slot;	 /* block at each place */
	uint32_t *place; /* of each block */
	uint32_t *start; /* pages_per_block + 2; they count up for ever, the mask gives the place */
	uint32_t mask;
};

/* Pairing heaps (Fredman et al. 1986) through prev and next of the blocks. */
struct victim_heaps {
	uint32_t *root;	  /* a count of valid pages; NO_BLOCK: none */
	uint32_t *child;  /* a block */
	uint64_t *filled; /* host writes when the block was full */
};

/*
 * Free blocks: a heap with the least worn on top, or in the order in which they were erased, in a
 * ring that begins at `first`.
 */
struct free_pool {
	uint32_t *blocks;
	uint32_t first, n;
};

/* Blocks by their erase count, the least worn on top; a count here may be behind the true one. */
struct wear_heap {
	uint32_t *blocks;
	uint32_t *counts; /* of the block at each place */
	uint32_t n;
};

/*
 * Blocks that are open or full in the order in which they were opened: a circular list whose head
 * stands behind the blocks. Without an age that matters there is none.
 */
struct block_ages {
	uint32_t *older, *younger;
	uint64_t *opened;
	uint64_t now;
};

struct ftl {
	struct ftl_config config;
	struct ftl_memory memory;
	struct rng random; /* decisions of the device */
	struct rng writes; /* pages of ftl_write_uniform and ftl_trim_uniform */

	unsigned shift; /* page in a block: the low bits of a physical page number */
	uint32_t live_words;
	enum victim_index index;
	bool dead;

	uint32_t *map;	/* physical page of each logical one; NO_PAGE: not in use */
	uint32_t *back; /* logical page last programmed to each physical one, pages_per_block a
			   block */
	uint64_t *live; /* live_words a block: which pages of a full block are valid */
	struct ftl_block *blocks; /* then the list heads */
	struct ftl_stream streams[2 * FTL_CLASSES_MAX];

	uint32_t least;	 /* all but INDEX_HEAPS: no ranked block has fewer valid pages */
	uint32_t ranked; /* blocks in the index, all but INDEX_HEAPS */
	uint32_t window; /* ... at most so many */
	uint32_t few;	 /* INDEX_FEW: valid pages of a block that is ranked, at most */
	struct victim_ring ring;
	struct victim_heaps heaps;

	struct free_pool free;
	struct free_pool held; /* blocks held back */
	struct wear_heap wear;
	uint32_t *limits;     /* erases that each block bears; NULL: any number */
	uint32_t retired;     /* worn out, bad from the start or held back */
	uint32_t lent;	      /* blocks that a write cache has taken from the pool */
	uint64_t lent_erases; /* erases of blocks that it gave back */
	uint32_t *reads;      /* of each block since it was opened; NULL: any number */
	struct block_ages ages;
	uint32_t most_erases;
	uint32_t reserve;

	uint32_t places[PLACES_DRAWN]; /* of uniform.c */
	uint64_t places_pending;       /* those of them that may stand for a page, a bit each */
	unsigned places_next;	       /* all before it are used */

	uint32_t pages_in_use;
	struct ftl_totals totals;
};

/* The list heads behind the blocks. */
static inline uint32_t list_head(const struct ftl *f, uint32_t valid)
{
	return f->config.blocks + valid;
}

static inline uint32_t queue_head(const struct ftl *f)
{
	return f->config.blocks + f->config.pages_per_block + 1;
}

static inline void list_remove(struct ftl_block *blocks, uint32_t block)
{
	uint32_t prev = blocks[block].prev, next = blocks[block].next;

	blocks[prev].next = next;
	blocks[next].prev = prev;
}

/* Insert behind `prev`. */
static inline void list_insert(struct ftl_block *blocks, uint32_t prev, uint32_t block)
{
	uint32_t next = blocks[prev].next;

	blocks[block].prev = prev;
	blocks[block].next = next;
	blocks[prev].next = block;
	blocks[next].prev = block;
}

static inline uint32_t valid_pages(const struct ftl *f, uint32_t block)
{
	return f->blocks[block].valid & ~BLOCK_FLAGS;
}

static inline unsigned stream_of(const struct ftl *f, uint32_t block)
{
	return (f->blocks[block].valid & BLOCK_STREAM) >> 24;
}

static inline unsigned streams_of(const struct ftl_config *c)
{
	return c->classes * (c->separate_gc ? 2 : 1);
}

static inline unsigned class_of(const struct ftl *f, uint32_t page)
{
	unsigned class = 0;

	while (class + 1 < f->config.classes && page >= f->config.class_end[class])
		class ++;
	return class;
}

/* victim.c: the index of full blocks. */
enum victim_index victim_index_of(const struct ftl_config *c);
void victim_add(struct ftl *f, uint32_t block);	   /* it is full now */
void victim_rank(struct ftl *f, uint32_t block);   /* full, not ranked, in no queue */
void victim_remove(struct ftl *f, uint32_t block); /* whatever the policy says of it */
/* The policy's choice, still in the index; NO_BLOCK where no block is full. */
uint32_t victim_pick(struct ftl *f);
/* A block with the fewest valid pages, by looking at all. */
uint32_t victim_fewest(const struct ftl *f);

/* ring.c, heaps.c: a ranked block arrives with its count, leaves, has lost a page. */
void ring_add(struct ftl *f, uint32_t block, uint32_t valid);
void ring_remove(struct ftl *f, uint32_t block, uint32_t valid);
void ring_lose(struct ftl *f, uint32_t block, uint32_t valid);
uint32_t ring_draw(struct ftl *f, uint32_t valid);
void heaps_add(struct ftl *f, uint32_t block, uint32_t valid);
void heaps_remove(struct ftl *f, uint32_t block, uint32_t valid);
void heaps_lose(struct ftl *f, uint32_t block, uint32_t valid);

/* uniform.c: a block without maps is open now. */
void uniform_opened(struct ftl *f, uint32_t block);

/* pool.c: free blocks and wear. */
int pool_start(struct ftl *f) MUST_USE; /* all blocks free, their limits drawn */
void pool_release(struct ftl *f);
uint32_t pool_take(struct ftl *f, unsigned stream);
void pool_erase(struct ftl *f, uint32_t block); /* back to the pool, or retired */
/* The full block that static levelling moves now; NO_BLOCK: none. */
uint32_t pool_overdue(struct ftl *f);

/* refresh.c: reads and ages. */
int refresh_start(struct ftl *f) MUST_USE;
void refresh_release(struct ftl *f);
uint64_t refresh_memory_bytes(const struct ftl_config *c);
void refresh_opened(struct ftl *f, uint32_t block);
void refresh_erased(struct ftl *f, uint32_t block);

/* uniform.c: the block of a page in use, each page as likely as any other. Needs counts. */
uint32_t uniform_block(struct ftl *f);

/*
 * collect.c: give the stream an open block with room, collecting as far as needed. False at the end
 * of life.
 */
bool collect_room(struct ftl *f, unsigned stream);
/*
 * Collect the policy's victim though no block is needed. False where nothing is to be gained, or
 * no room is left to do it.
 */
bool collect_background(struct ftl *f);
/* The stream's block is full: it becomes a candidate. */
void collect_filled(struct ftl *f, unsigned stream);
/* Move a full block's pages for this cause and erase it, if there is room to. */
bool collect_block(struct ftl *f, uint32_t block, enum ftl_cause cause);
/* Have the reserve whole again after blocks wore out in other collecting; false at the end of life.
 */
bool collect_reserve(struct ftl *f);

/* Pages of parity that have been programmed beside the first n data pages of a block. */
static inline uint32_t parity_beside(const struct ftl_config *c, uint32_t n)
{
	return n == c->pages_per_block ? ftl_parity_pages(c) : n / c->stripe;
}

/* The stream programmed n pages: count them. The caller has seen to its block's valid pages. */
static inline void stream_programmed(struct ftl *f, unsigned stream, uint32_t n,
				     enum ftl_cause cause)
{
	struct ftl_stream *s = &f->streams[stream];

	if (f->config.stripe)
		f->totals.programs[FTL_PARITY] += parity_beside(&f->config, s->next + n) -
						  parity_beside(&f->config, s->next);
	s->next += n;
	f->totals.programs[cause] += n;
	if (s->next == f->config.pages_per_block)
		collect_filled(f, stream);
}

/* A full block has lost a page and has few of them now. */
static inline void few_ranked(struct ftl *f, struct ftl_block *blocks, uint32_t block)
{
	uint32_t valid = blocks[block].valid & ~BLOCK_FLAGS;

	if (blocks[block].valid & BLOCK_UNRANKED) {
		victim_rank(f, block);
		return;
	}
	list_remove(blocks, block);
	list_insert(blocks, list_head(f, valid), block);
	f->least = valid < f->least ? valid : f->least;
}

/* A page of this block is not valid any more. `index` is f->index, constant where it is inlined. */
static inline __attribute__((always_inline)) void lose_page(struct ftl *f, struct ftl_block *blocks,
							    uint32_t block, enum victim_index index)
{
	uint32_t valid = --blocks[block].valid;

	if (index == INDEX_FEW) {
		if ((valid & ~BLOCK_FLAGS) <= f->few && valid & BLOCK_FULL)
			few_ranked(f, blocks, block);
		return;
	}
	if (index == INDEX_NONE || valid & BLOCK_UNRANKED)
		return;
	valid &= ~BLOCK_FLAGS;
	if (index == INDEX_LISTS) {
		list_remove(blocks, block);
		list_insert(blocks, list_head(f, valid), block);
		f->least = valid < f->least ? valid : f->least;
	} else if (index == INDEX_RING) {
		ring_lose(f, block, valid);
	} else {
		heaps_lose(f, block, valid);
	}
}

#endif

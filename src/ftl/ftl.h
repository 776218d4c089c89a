/* SPDX-License-Identifier: MIT */
#ifndef FTL_FTL_H
#define FTL_FTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftl/policy.h"

/*
 * A flash translation layer with a page map: logical pages are written out of place to the open
 * block of a stream, and garbage collection moves what is valid in a victim block before it erases
 * it.
 *
 * Everything is in one struct ftl with its own random numbers: the same configuration and calls
 * give the same device on every machine. There is no clock in here; an age counts host writes.
 *
 * A page number has 32 bits. In the map a physical page is block << shift | page in the block,
 * 2^shift the power of two that holds a block, so that no division stands in the write path. Memory
 * is 4 bytes a logical page, 4 bytes and a bit a physical one, and 16 to 40 bytes a block.
 *
 * Without maps (counts), the device knows only how many pages of each block are valid. That is
 * exact in distribution where every page that is in use is as likely to be overwritten or trimmed
 * next as any other: which of them it is then says nothing about the future.
 */

#define FTL_PAGES_PER_BLOCK_MAX (1u << 23)
#define FTL_CLASSES_MAX		8

/*
 * What a page was programmed for.
 *   host           the host's writes
 *   gc             pages that collection moved to free a block
 *   wear levelling ... to bring a block that lags behind into use
 *   refresh        ... because they were read too often or are too old
 *   parity         pages that protect those of a stripe
 */
enum ftl_cause { FTL_HOST, FTL_GC, FTL_WEAR_LEVELING, FTL_REFRESH, FTL_PARITY, FTL_CAUSES };

/*
 * How wear is levelled.
 *   none      erase counts are not looked at: the block to use next is chosen by enum block_reuse
 *   dynamic   the least worn free block is used next
 *   static    as dynamic, and where the erase counts spread by more than a threshold, the least
 * worn block is collected whatever it holds, so that cold data do not keep it out of use
 */
#define WEAR_LEVELINGS(X)                   \
	X(WEAR_LEVELING_NONE, "none")       \
	X(WEAR_LEVELING_DYNAMIC, "dynamic") \
	X(WEAR_LEVELING_STATIC, "static")

enum wear_leveling {
#define X(e, name) e,
	WEAR_LEVELINGS(X)
#undef X
		WEAR_LEVELING_COUNT
};

const char *wear_leveling_text(enum wear_leveling leveling);

/*
 * Which free block a stream opens without wear levelling. With one stream it makes no difference to
 * the wear. With streams for hot and cold data it decides whether a block stays with its kind of
 * data, and so how far the erase counts drift apart: no theory tells, as firmware differs.
 *   own    of the blocks erased last, as many as are in reserve, one that held data of the same
 *          stream, as each stream has one block of the reserve for itself; else the last
 *   last   the one erased last: all streams share a stack
 *   first  the one erased first: all streams share a queue
 */
#define BLOCK_REUSES(X)       \
	X(REUSE_OWN, "own")   \
	X(REUSE_LAST, "last") \
	X(REUSE_FIRST, "first")

enum block_reuse {
#define X(e, name) e,
	BLOCK_REUSES(X)
#undef X
		BLOCK_REUSE_COUNT
};

const char *block_reuse_text(enum block_reuse reuse);

/*
 * Where the large arrays come from. get gives zeroed memory or NULL; put takes it back with its
 * size. A caller with huge pages to give makes large devices two to three times as fast.
 */
struct ftl_memory {
	void *(*get)(void *owner, size_t bytes);
	void (*put)(void *owner, void *memory, size_t bytes);
	void *owner;
};

struct ftl_config {
	uint32_t logical_pages;
	uint32_t pages_per_block;
	uint32_t blocks; /* all, with the reserve of ftl_reserve_blocks, held back and bad ones */
	uint32_t held_back;  /* of them: each takes the place of a block that wears out */
	uint32_t bad_blocks; /* of them: never used, drawn at random */
	uint32_t stripe;     /* data pages that share one page of parity; 0: no parity. The pages of
				a block are data pages; its parity pages are beside them */
	struct victim_choice victim;
	bool separate_gc; /* garbage collection writes to blocks of its own */
	unsigned classes; /* of pages with blocks of their own, told apart by an oracle */
	uint32_t class_end[FTL_CLASSES_MAX]; /* the first logical page of the next class */
	uint32_t spare_low;  /* collect when so few blocks are free, the reserve not counted ... */
	uint32_t spare_high; /* ... until more than so many are; not below spare_low */
	enum block_reuse reuse; /* without wear levelling */
	enum wear_leveling leveling;
	uint32_t leveling_spread; /* threshold of static levelling, in erases */
	uint32_t pe_cycles;	  /* mean of the blocks' limits; 0: they never wear out */
	double pe_cv;		  /* deviation of the limits over their mean */
	uint32_t read_limit;	  /* reads of a block that make a refresh due; 0: any number */
	uint64_t refresh_age;	  /* age of a block that does, in the unit of ftl_advance; 0: any */
	bool counts;		  /* no maps */
	uint64_t seed;
};

struct ftl_totals {
	uint64_t host_writes;	       /* logical pages written */
	uint64_t trims;		       /* logical pages trimmed that were in use */
	uint64_t programs[FTL_CAUSES]; /* pages; those of FTL_HOST are the host's writes */
	uint64_t reads;		       /* logical pages read that were in use */
	uint64_t erases;
	uint64_t victims[FTL_CAUSES]; /* blocks collected: FTL_GC, FTL_WEAR_LEVELING, FTL_REFRESH */
};

struct ftl;

/*
 * Blocks beyond those that hold data: collection needs one for each block that it writes to, and
 * one more where a block can wear out while it is collected.
 */
uint32_t ftl_reserve_blocks(const struct ftl_config *c);

/* Blocks that are open for writing at a time: they are part of the blocks that hold data. */
uint32_t ftl_open_blocks(const struct ftl_config *c);

/* The fewest blocks with which this many logical pages can always be written. */
uint64_t ftl_least_blocks(const struct ftl_config *c);

/*
 * An empty device. memory may be NULL: from calloc. -EINVAL with the reason in d where the
 * configuration is impossible, -ENOMEM.
 */
int ftl_new(const struct ftl_config *c, const struct ftl_memory *memory, struct diag *d,
	    struct ftl **ret) MUST_USE;
void ftl_free(struct ftl *f);
void ftl_release(struct ftl **f); /* for CLEANUP */

/* Bytes of memory that the arrays of such a device take. */
uint64_t ftl_memory_bytes(const struct ftl_config *c);

/*
 * Write logical pages in this order. Returns how many were written: fewer than n at the end of life
 * only, when garbage collection can free nothing more; a device at its end writes no more.
 */
size_t ftl_write(struct ftl *f, const uint32_t *pages, size_t n) MUST_USE;

/* Fetch the map's entry for a page that is written soon, some tens of writes ahead. Needs maps. */
static inline void ftl_expect(const uint32_t *map, uint32_t page)
{
	__builtin_prefetch(&map[page], 1);
}
#define FTL_NOT_IN_USE UINT32_MAX /* an entry of the map */
const uint32_t *ftl_map_of(const struct ftl *f);

/* As ftl_write for n pages, each drawn uniformly from all logical pages. Needs counts. */
size_t ftl_write_uniform(struct ftl *f, size_t n) MUST_USE;

/* As ftl_write for n pages that are not in use; no more of them are left than there are. Needs
 * counts. */
size_t ftl_write_unused(struct ftl *f, size_t n) MUST_USE;

/* Trim a logical page; one that is not in use stays so. Needs maps. */
void ftl_trim(struct ftl *f, uint32_t page);

/* Trim one page that is in use, drawn uniformly; nothing where none is. */
void ftl_trim_uniform(struct ftl *f);

/*
 * Read logical pages in this order; a block that has been read as often as its limit is refreshed.
 * Returns how many of the pages were in use: the others cost no read of the flash. Needs maps.
 */
size_t ftl_read(struct ftl *f, const uint32_t *pages, size_t n);

/* As ftl_read for n pages that are in use, each drawn uniformly from them; none where none is. */
void ftl_read_uniform(struct ftl *f, size_t n);

/*
 * It is now `now`, never less than before, in any unit: blocks that were opened refresh_age or
 * longer ago are refreshed. A block that is still open is not: it is when it is full.
 */
void ftl_advance(struct ftl *f, uint64_t now);

/* Pages of parity in a full block. */
static inline uint32_t ftl_parity_pages(const struct ftl_config *c)
{
	return c->stripe ? (c->pages_per_block + c->stripe - 1) / c->stripe : 0;
}

bool ftl_is_dead(const struct ftl *f);
const struct ftl_config *ftl_config_of(const struct ftl *f);
const struct ftl_totals *ftl_totals_of(const struct ftl *f);
uint32_t ftl_pages_in_use(const struct ftl *f);
uint32_t ftl_free_blocks(const struct ftl *f);
uint32_t ftl_retired_blocks(const struct ftl *f); /* worn out */
uint32_t ftl_held_back(const struct ftl *f);	  /* still there to replace a worn one */

/* Erase counts over all blocks but those that were bad from the start, retired ones too. */
struct ftl_wear {
	uint32_t least, most;
	double mean, deviation;
};
struct ftl_wear ftl_wear_of(const struct ftl *f);
uint32_t ftl_erase_count(const struct ftl *f, uint32_t block);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_PSLC_H
#define FTL_PSLC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "ftl/ftl.h"

/*
 * A write cache of cells that hold one bit (pSLC).
 *   static     blocks of its own, beside those of the main area
 *   dynamic    free blocks of the main area, each with one page for `bits` of them; as many as the
 *              main area can spare at the time
 *
 * Pages are written to it in order and leave it in order: what was not overwritten or trimmed
 * meanwhile is folded, that is written to the main area.
 */
#define PSLC_MODES(X)            \
	X(PSLC_NONE, "none")     \
	X(PSLC_STATIC, "static") \
	X(PSLC_DYNAMIC, "dynamic")

enum pslc_mode {
#define X(e, name) e,
	PSLC_MODES(X)
#undef X
		PSLC_MODE_COUNT
};

/* When the cache is full: fold its oldest block first, or write past it into the main area. */
#define PSLC_OVERFLOWS(X)          \
	X(PSLC_FOLD_FIRST, "fold") \
	X(PSLC_WRITE_PAST, "past")

enum pslc_overflow {
#define X(e, name) e,
	PSLC_OVERFLOWS(X)
#undef X
		PSLC_OVERFLOW_COUNT
};

const char *pslc_mode_text(enum pslc_mode mode);
const char *pslc_overflow_text(enum pslc_overflow overflow);

struct pslc_config {
	enum pslc_mode mode;
	enum pslc_overflow overflow;
	uint64_t bytes;		/* it holds so much; dynamic: at most */
	uint32_t program_bytes; /* programmed at once on a die */
	uint64_t read_ns, program_ns, erase_ns;
	uint64_t fold_bytes;	/* folded at once in idle; 0: all */
	uint64_t fold_pause_ns; /* ... and then, after so much more idle time, again; 0: once in an
				   idle period */
	uint64_t held_bytes;	/* idle folding stops when the cache holds no more than this */
};

struct pslc_totals {
	uint64_t programs; /* pages written to the cache */
	uint64_t folded;   /* pages written from it to the main area */
	uint64_t dropped;  /* pages that were overwritten or trimmed before */
	uint64_t past;	   /* pages that were written past it */
	uint64_t erases;   /* of blocks of the cache */
};

struct pslc {
	struct pslc_config config;
	struct ftl *main;
	uint32_t slots, block_slots; /* all, of a block */
	uint32_t *log;		     /* page in each slot */
	uint32_t *where;	     /* slot of each page; NO_PAGE: not cached */
	uint64_t head, tail;	     /* slots written and given back; they count up for ever */
	uint32_t valid;		     /* pages that are not overwritten or trimmed */
	uint32_t *lent;		     /* dynamic: blocks of the main area, oldest first, a ring */
	uint32_t lent_slots;	     /* of the ring */
	uint64_t lent_head, lent_tail;
	uint32_t
		*lent_erases; /* dynamic: erases of each block of the main area while it was lent */
	struct pslc_totals totals;
};

/* Erase counts of the blocks of a static cache, or of those of the main area for a dynamic one. */
struct pslc_wear {
	double mean;
	uint32_t most;
};

struct pslc_wear pslc_wear_of(const struct pslc *p);

/*
 * An empty cache before a device of logical_pages pages. block_slots: pages that one of its blocks
 * holds. -ENOMEM; -EINVAL with the reason in d.
 */
int pslc_start(struct pslc *p, const struct pslc_config *c, struct ftl *main, uint32_t page_bytes,
	       unsigned bits, struct diag *d) MUST_USE;
void pslc_release(struct pslc *p); /* before its device goes */

/* Bytes of memory that it takes. */
uint64_t pslc_memory_bytes(const struct pslc_config *c, uint32_t logical_pages,
			   uint32_t page_bytes);

/* Is a page in the cache? */
static inline bool pslc_has(const struct pslc *p, uint32_t page)
{
	return p->where && p->where[page] != UINT32_MAX;
}

/* Slots in use, with those of pages that are not valid any more. */
static inline uint32_t pslc_used(const struct pslc *p)
{
	return (uint32_t)(p->head - p->tail);
}

/* Take a page in. False where there is no room. */
bool pslc_write(struct pslc *p, uint32_t page);

/* Has a dynamic cache blocks that the main area needs by now? Its oldest ones are to be folded. */
bool pslc_crowds(const struct pslc *p);

/* The page is written past the cache, or trimmed: what the cache has of it is worth nothing. */
void pslc_drop(struct pslc *p, uint32_t page);

/*
 * Fold the oldest block, or what there is of it. Returns the pages that were written to the main
 * area, or -1 where the device is at its end.
 */
int64_t pslc_fold_block(struct pslc *p);

#endif

/* SPDX-License-Identifier: MIT */
#include "ftl/pslc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ftl/device.h"

#define FOLD_BATCH 64

const char *pslc_mode_text(enum pslc_mode mode)
{
	static const char *const names[] = {
#define X(e, name) name,
		PSLC_MODES(X)
#undef X
	};

	return names[mode];
}

const char *pslc_overflow_text(enum pslc_overflow overflow)
{
	static const char *const names[] = {
#define X(e, name) name,
		PSLC_OVERFLOWS(X)
#undef X
	};

	return names[overflow];
}

uint64_t pslc_memory_bytes(const struct pslc_config *c, uint32_t logical_pages, uint32_t page_bytes)
{
	return c->mode == PSLC_NONE ? 0 : 4 * (c->bytes / page_bytes + logical_pages);
}

int pslc_start(struct pslc *p, const struct pslc_config *c, struct ftl *main, uint32_t page_bytes,
	       unsigned bits, struct diag *d)
{
	const struct ftl_config *f = ftl_config_of(main);
	uint64_t slots;

	*p = (struct pslc){ .config = *c, .main = main };
	if (c->mode == PSLC_NONE)
		return 0;
	if (f->counts)
		return diag_fail(d, -EINVAL, "a write cache needs the pages engine, with its map");
	p->block_slots = f->pages_per_block / bits ? f->pages_per_block / bits : 1;
	slots = c->bytes / page_bytes / p->block_slots * p->block_slots;
	if (slots < 2 * p->block_slots || slots > UINT32_MAX / 2)
		return diag_fail(d, -EINVAL,
				 "a write cache of %llu bytes: two blocks of it, %llu bytes, are "
				 "the least",
				 (unsigned long long)c->bytes, 2ull * p->block_slots * page_bytes);
	p->slots = (uint32_t)slots;
	p->lent_slots = p->slots / p->block_slots;
	p->log = malloc(p->slots * sizeof(*p->log));
	p->where = malloc((size_t)f->logical_pages * sizeof(*p->where));
	p->lent = malloc(p->lent_slots * sizeof(*p->lent));
	if (!p->log || !p->where || !p->lent)
		return -ENOMEM;
	memset(p->where, 0xff, (size_t)f->logical_pages * sizeof(*p->where)); /* NO_PAGE */
	return 0;
}

void pslc_release(struct pslc *p)
{
	free(p->log);
	free(p->where);
	free(p->lent);
	*p = (struct pslc){ 0 };
}

/*
 * Take one more free block of the main area. Beside what holds all pages that are in use, the
 * cached ones too, the cache gets one half and collection the other.
 */
static bool lend_block(struct pslc *p)
{
	struct ftl *f = p->main;
	const uint64_t b = f->config.pages_per_block;
	uint64_t lent = p->lent_head - p->lent_tail, keep = f->reserve + f->config.spare_high;
	uint64_t data = (f->pages_in_use + (uint64_t)p->valid + p->block_slots + b - 1) / b;

	if (lent == p->lent_slots || f->free.n <= keep + 1 ||
	    2 * (lent + 1) + data + keep + streams_of(&f->config) + f->retired > f->config.blocks)
		return false;
	f->lent++;
	p->lent[p->lent_head++ % p->lent_slots] = pool_take(f, 0);
	return true;
}

static bool has_room(struct pslc *p)
{
	if (p->config.mode == PSLC_DYNAMIC && p->head % p->block_slots == 0 &&
	    p->head / p->block_slots == p->lent_head)
		return lend_block(p);
	return pslc_used(p) < p->slots;
}

void pslc_drop(struct pslc *p, uint32_t page)
{
	if (!pslc_has(p, page))
		return;
	p->where[page] = NO_PAGE;
	p->valid--;
	p->totals.dropped++;
}

bool pslc_write(struct pslc *p, uint32_t page)
{
	uint32_t slot;

	if (!has_room(p))
		return false;
	pslc_drop(p, page);
	ftl_trim(p->main, page);
	slot = (uint32_t)(p->head++ % p->slots);
	p->log[slot] = page;
	p->where[page] = slot;
	p->valid++;
	p->totals.programs++;
	return true;
}

static bool fold_pages(struct pslc *p, const uint32_t *pages, uint32_t n)
{
	p->totals.folded += n;
	return ftl_write(p->main, pages, n) == n;
}

int64_t pslc_fold_block(struct pslc *p)
{
	uint32_t pages[FOLD_BATCH], n = 0, left = p->block_slots;
	uint64_t before = p->totals.folded;

	if (pslc_used(p) < left)
		left = pslc_used(p);
	for (; left; left--) {
		uint32_t slot = (uint32_t)(p->tail++ % p->slots), page = p->log[slot];

		if (p->where[page] != slot)
			continue;
		p->where[page] = NO_PAGE;
		p->valid--;
		pages[n++] = page;
		if (n == FOLD_BATCH) {
			if (!fold_pages(p, pages, n))
				return -1;
			n = 0;
		}
	}
	if (n && !fold_pages(p, pages, n))
		return -1;
	/* a block that is folded before it is full loses the rest of its pages */
	if (p->tail % p->block_slots)
		p->tail = p->head = p->head + p->block_slots - p->tail % p->block_slots;
	p->totals.erases++;
	if (p->config.mode == PSLC_DYNAMIC) {
		p->main->lent--;
		pool_erase(p->main, p->lent[p->lent_tail++ % p->lent_slots]);
	}
	return (int64_t)(p->totals.folded - before);
}

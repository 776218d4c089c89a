/* SPDX-License-Identifier: MIT */
#include "ftl/pslc.h"

#include <errno.h>
#include <string.h>

#include "ftl/device.h"
#include "ftl/storage.h"

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
	p->log = storage_get(main, p->slots, sizeof(*p->log));
	p->where = storage_get(main, f->logical_pages, sizeof(*p->where));
	p->lent = storage_get(main, p->lent_slots, sizeof(*p->lent));
	p->lent_erases = storage_get(main, f->blocks, sizeof(*p->lent_erases));
	if (!p->log || !p->where || !p->lent || !p->lent_erases)
		return -ENOMEM;
	memset(p->where, 0xff, (size_t)f->logical_pages * sizeof(*p->where)); /* NO_PAGE */
	return 0;
}

void pslc_release(struct pslc *p)
{
	if (!p->main)
		return;
	storage_put(p->main, p->log, p->slots, sizeof(*p->log));
	storage_put(p->main, p->where, p->main->config.logical_pages, sizeof(*p->where));
	storage_put(p->main, p->lent, p->lent_slots, sizeof(*p->lent));
	storage_put(p->main, p->lent_erases, p->main->config.blocks, sizeof(*p->lent_erases));
	*p = (struct pslc){ 0 };
}

/*
 * Blocks of the main area beside those that hold all pages in use, the cached ones too, and those
 * that collection cannot do without. The cache gets one half of them, collection the other.
 */
static uint64_t blocks_to_share(const struct pslc *p)
{
	const struct ftl *f = p->main;
	const uint64_t b = f->config.pages_per_block;
	uint64_t pages = f->pages_in_use + (uint64_t)p->valid + p->block_slots;
	uint64_t taken = (pages + b - 1) / b + f->reserve + f->config.spare_high +
			 streams_of(&f->config) + f->retired;

	return taken < f->config.blocks ? f->config.blocks - taken : 0;
}

bool pslc_crowds(const struct pslc *p)
{
	return p->lent_head != p->lent_tail &&
	       2 * (p->lent_head - p->lent_tail) > blocks_to_share(p);
}

/* Take one more free block of the main area. */
static bool lend_block(struct pslc *p)
{
	struct ftl *f = p->main;
	uint64_t lent = p->lent_head - p->lent_tail;

	if (lent == p->lent_slots || f->free.n <= f->reserve + f->config.spare_high + 1 ||
	    2 * (lent + 1) > blocks_to_share(p))
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

/* The oldest block that was lent. */
static void give_back(struct pslc *p)
{
	uint32_t block = p->lent[p->lent_tail++ % p->lent_slots];

	p->main->lent--;
	p->main->lent_erases++;
	p->lent_erases[block]++;
	pool_erase(p->main, block);
}

int64_t pslc_fold_block(struct pslc *p)
{
	const uint32_t slots = p->block_slots;
	uint32_t pages[FOLD_BATCH], n = 0, left = pslc_used(p) < slots ? pslc_used(p) : slots;
	uint64_t before = p->totals.folded;

	if (!left)
		return 0;
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
	if (p->tail % slots)
		p->tail = p->head = p->head + slots - p->tail % slots;
	p->totals.erases++;
	if (p->config.mode == PSLC_DYNAMIC)
		give_back(p);
	return (int64_t)(p->totals.folded - before);
}

struct pslc_wear pslc_wear_of(const struct pslc *p)
{
	struct pslc_wear w = { 0 };
	const uint32_t n = p->config.mode == PSLC_STATIC ? p->lent_slots
			   : p->log			 ? p->main->config.blocks
							 : 0;

	if (!n)
		return w;
	w.mean = (double)p->totals.erases / n;
	w.most = (uint32_t)((p->totals.erases + n - 1) / n); /* in turn */
	for (uint32_t i = 0; i < n && p->config.mode == PSLC_DYNAMIC; i++)
		w.most = i && w.most > p->lent_erases[i] ? w.most : p->lent_erases[i];
	return w;
}

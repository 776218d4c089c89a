/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "ftl/device.h"
#include "ftl/storage.h"

/*
 * Refresh: what a block holds is written anew where its pages have been read so often that the
 * charge of their neighbours suffers (read disturb), or are so old that they have lost too much of
 * their own (retention).
 */

int refresh_start(struct ftl *f)
{
	struct block_ages *a = &f->ages;
	const size_t n = f->config.blocks;

	if (f->config.read_limit) {
		f->reads = storage_get(f, n, sizeof(uint32_t));
		if (!f->reads)
			return -ENOMEM;
	}
	if (!f->config.refresh_age)
		return 0;
	a->older = storage_get(f, n + 1, sizeof(uint32_t));
	a->younger = storage_get(f, n + 1, sizeof(uint32_t));
	a->opened = storage_get(f, n, sizeof(uint64_t));
	if (!a->older || !a->younger || !a->opened)
		return -ENOMEM;
	a->older[n] = a->younger[n] = (uint32_t)n;
	return 0;
}

void refresh_release(struct ftl *f)
{
	const size_t n = f->config.blocks;

	storage_put(f, f->reads, n, sizeof(uint32_t));
	storage_put(f, f->ages.older, n + 1, sizeof(uint32_t));
	storage_put(f, f->ages.younger, n + 1, sizeof(uint32_t));
	storage_put(f, f->ages.opened, n, sizeof(uint64_t));
}

uint64_t refresh_memory_bytes(const struct ftl_config *c)
{
	const uint64_t n = c->blocks;

	return (c->read_limit ? 4 * n : 0) + (c->refresh_age ? 8 * (n + 1) + 8 * n : 0);
}

void refresh_opened(struct ftl *f, uint32_t block)
{
	struct block_ages *a = &f->ages;
	uint32_t head = f->config.blocks;

	if (f->reads)
		f->reads[block] = 0;
	if (!a->opened)
		return;
	a->opened[block] = a->now;
	a->younger[block] = head;
	a->older[block] = a->older[head];
	a->younger[a->older[head]] = block;
	a->older[head] = block;
}

void refresh_erased(struct ftl *f, uint32_t block)
{
	struct block_ages *a = &f->ages;

	a->younger[a->older[block]] = a->younger[block];
	a->older[a->younger[block]] = a->older[block];
}

/* One read more of a block. One that is open is due with its next read when it is full. */
static void count_read(struct ftl *f, uint32_t block)
{
	f->totals.reads++;
	if (!f->reads)
		return;
	f->reads[block] += f->reads[block] < UINT32_MAX;
	if (f->reads[block] >= f->config.read_limit && f->blocks[block].valid & BLOCK_FULL &&
	    collect_reserve(f))
		(void)!(collect_block(f, block, FTL_REFRESH) && collect_reserve(f));
}

size_t ftl_read(struct ftl *f, const uint32_t *pages, size_t n)
{
	uint64_t before = f->totals.reads;

	for (size_t i = 0; i < n; i++)
		if (f->map[pages[i]] != NO_PAGE)
			count_read(f, f->map[pages[i]] >> f->shift);
	return f->totals.reads - before;
}

void ftl_read_uniform(struct ftl *f, size_t n)
{
	if (!f->pages_in_use)
		return;
	for (size_t i = 0; i < n; i++) {
		uint32_t page;

		if (!f->map) {
			count_read(f, uniform_block(f));
			continue;
		}
		do
			page = (uint32_t)rng_below(&f->writes, f->config.logical_pages);
		while (f->map[page] == NO_PAGE);
		count_read(f, f->map[page] >> f->shift);
	}
}

/* The block that was opened longest ago and is full; NO_BLOCK: none is old enough. */
static uint32_t oldest_due(const struct ftl *f)
{
	const struct block_ages *a = &f->ages;
	const uint32_t head = f->config.blocks;

	for (uint32_t x = a->younger[head]; x != head; x = a->younger[x]) {
		if (a->now - a->opened[x] < f->config.refresh_age)
			break;
		if (f->blocks[x].valid & BLOCK_FULL)
			return x;
	}
	return NO_BLOCK;
}

/* Each block that is refreshed leaves the list, and new ones in it are young: this ends. */
void ftl_advance(struct ftl *f, uint64_t now)
{
	f->ages.now = now;
	while (f->ages.opened && collect_reserve(f)) {
		uint32_t block = oldest_due(f);

		if (block == NO_BLOCK || !collect_block(f, block, FTL_REFRESH))
			break;
	}
}

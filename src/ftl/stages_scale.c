/* SPDX-License-Identifier: MIT */
#include "ftl/stages_run.h"

#include <errno.h>

/* A part of a drive that is like the whole: so many blocks and pages a block, if it can. */
#define SCALED_BLOCKS	    1024
#define SCALED_BLOCKS_LEAST 64
#define SCALED_PAGES	    128

/* n parts of `from` when `from` becomes `to`, to the nearest whole number. */
static uint64_t part_of(uint64_t n, uint64_t to, uint64_t from)
{
	return (uint64_t)(((unsigned __int128)n * to + from / 2) / from);
}

/*
 * The write amplification depends on the pages of a block, and hardly on the number of blocks: that
 * becomes less first, then the pages where they are many.
 */
static bool divide(uint64_t pages, uint64_t blocks, uint64_t scale, uint64_t *ret_pages,
		   uint64_t *ret_blocks)
{
	uint64_t all = pages * blocks / scale;

	*ret_pages = pages;
	*ret_blocks = part_of(blocks, 1, scale);
	if (*ret_blocks < SCALED_BLOCKS) {
		*ret_blocks = blocks < SCALED_BLOCKS ? blocks : SCALED_BLOCKS;
		*ret_pages = part_of(all, 1, *ret_blocks);
	}
	if (*ret_pages < SCALED_PAGES) {
		*ret_pages = pages < SCALED_PAGES ? pages : SCALED_PAGES;
		*ret_blocks = part_of(all, 1, *ret_pages);
	}
	return *ret_blocks >= SCALED_BLOCKS_LEAST;
}

/* What is counted in blocks, or costs a time for each of them. */
static void scale_blocks(struct timed_config *c, uint64_t to, uint64_t from)
{
	struct ftl_config *f = &c->device;

	f->spare_low = (uint32_t)part_of(f->spare_low, to, from);
	f->spare_high = (uint32_t)part_of(f->spare_high, to, from);
	f->held_back = (uint32_t)part_of(f->held_back, to, from);
	f->bad_blocks = (uint32_t)part_of(f->bad_blocks, to, from);
	if (f->victim.policy == VICTIM_WINDOWED) {
		f->victim.argument = (uint32_t)part_of(f->victim.argument, to, from);
		f->victim.argument += !f->victim.argument;
	}
	c->model.search_ns = part_of(c->model.search_ns, from, to);
}

int stages_scale(struct timed_config *c, struct diag *d)
{
	struct ftl_config *f = &c->device;
	const uint32_t scale = c->model.scale, reserve = ftl_reserve_blocks(f);
	const uint64_t b = f->pages_per_block, data = f->blocks - reserve;
	uint64_t pages, blocks, most;

	if (scale <= 1)
		return 0;
	if (!divide(b, data, scale, &pages, &blocks)) {
		most = b * data / (SCALED_BLOCKS_LEAST * (b < SCALED_PAGES ? b : SCALED_PAGES));
		return diag_fail(d, -EINVAL,
				 "one %uth of this drive is too small to be like it; a scale of %u "
				 "is possible",
				 scale, (unsigned)(most ? most : 1));
	}
	/* the spare stays what it is */
	f->logical_pages = (uint32_t)((unsigned __int128)f->logical_pages * pages * blocks /
				      ((unsigned __int128)b * data));
	f->pages_per_block = (uint32_t)pages;
	f->blocks = (uint32_t)blocks + reserve;
	scale_blocks(c, blocks, data);
	c->model.pslc.bytes /= scale;
	c->model.pslc.fold_bytes /= scale;
	c->model.pslc.held_bytes /= scale;
	c->model.pslc.fold_pause_ns /= scale;
	c->model.idle_delay_ns /= scale;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/erase_histogram.h"

#include "ftl/device.h"

static bool was_always_bad(const struct ftl *f, uint32_t block)
{
	return f->blocks[block].valid & BLOCK_RETIRED && !f->blocks[block].erases;
}

void erase_histogram_of(const struct ftl *f, unsigned bins, struct erase_histogram *ret)
{
	const struct ftl_wear wear = ftl_wear_of(f);
	const uint32_t span = wear.most - wear.least + 1;
	struct erase_histogram h = { .first = wear.least,
				     .width = span / bins + (span % bins != 0) };

	h.n = span / h.width + (span % h.width != 0);
	for (uint32_t block = 0; block < f->config.blocks; block++)
		if (!was_always_bad(f, block))
			h.blocks[(f->blocks[block].erases - h.first) / h.width]++;
	*ret = h;
}

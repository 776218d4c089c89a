/* SPDX-License-Identifier: MIT */
#ifndef FTL_ERASE_HISTOGRAM_H
#define FTL_ERASE_HISTOGRAM_H

#include "ftl/ftl.h"

/* How many blocks were erased how often; those that were bad from the start left out. */
#define ERASE_BINS_MAX 24

struct erase_histogram {
	uint32_t first, width; /* bin i: first + i * width erases and up to width - 1 more */
	unsigned n;
	uint32_t blocks[ERASE_BINS_MAX];
};

/* Of at most so many bins, 1 to ERASE_BINS_MAX. */
void erase_histogram_of(const struct ftl *f, unsigned bins, struct erase_histogram *ret);

#endif

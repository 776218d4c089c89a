/* SPDX-License-Identifier: MIT */
#include "ftl/extents.h"

#include "ftl/device.h"

#define WINDOW 1024

/* Pages in from..to-1 with which an extent begins. */
static uint64_t starts(const struct ftl *f, uint32_t from, uint32_t to)
{
	const uint32_t mask = (1u << f->shift) - 1, *map = f->map;
	uint32_t before = from ? map[from - 1] : NO_PAGE;
	uint64_t n = 0;

	for (uint32_t page = from; page < to; page++) {
		uint32_t here = map[page];
		/* NO_PAGE + 1 is 0, the first page of a block */
		bool goes_on = here == before + 1 && here & mask;

		n += here != NO_PAGE && !goes_on;
		before = here;
	}
	return n;
}

bool extents_count(const struct ftl *f, struct extents *ret)
{
	const uint32_t pages = f->config.logical_pages, windows = EXTENTS_LOOKED_AT / WINDOW;
	uint64_t n = 0;

	if (!f->map)
		return false;
	if (pages <= EXTENTS_LOOKED_AT) {
		*ret = (struct extents){ (double)starts(f, 0, pages), true };
		return true;
	}
	for (uint32_t i = 0; i < windows; i++) {
		uint32_t from = (uint32_t)((uint64_t)(pages - WINDOW) * i / (windows - 1));

		n += starts(f, from, from + WINDOW);
	}
	*ret = (struct extents){ (double)n * pages / EXTENTS_LOOKED_AT, false };
	return true;
}

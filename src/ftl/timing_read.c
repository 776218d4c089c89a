/* SPDX-License-Identifier: MIT */
#include "ftl/timing_inside.h"

struct timed_place timed_place(const struct timed_drive *t, uint32_t page)
{
	const struct ftl *f = t->device;
	uint32_t physical = f->map[page];

	if (pslc_has(&t->cache, page))
		return (struct timed_place){ AREA_CACHE, true, t->cache.where[page] };
	if (physical == NO_PAGE)
		return (struct timed_place){ 0 };
	return (struct timed_place){ AREA_MAIN, true,
				     (uint64_t)(physical >> f->shift) * f->config.pages_per_block +
					     (physical & ((1u << f->shift) - 1)) };
}

/* Blocks that are read too often are refreshed. */
static void count_reads(struct timed_drive *t, uint32_t page, uint64_t n, uint64_t at_ns)
{
	for (; n; n--, page++)
		ftl_read(t->device, &page, 1);
	if (timed_has_news(t))
		timed_charge(t, at_ns, false);
}

uint64_t timed_read_pages(struct timed_drive *t, uint32_t first, uint64_t n, uint64_t at_ns)
{
	const uint32_t k = t->config.model.flash_page_bytes / t->config.page_bytes;
	uint64_t end = at_ns;

	for (uint64_t i = 0; i < n;) {
		struct timed_place p = timed_place(t, first + (uint32_t)i);
		uint64_t run = 1, unit, done;

		if (!p.known) {
			i++;
			continue;
		}
		for (; i + run < n; run++) { /* of one flash page */
			struct timed_place q = timed_place(t, first + (uint32_t)(i + run));

			if (!q.known || q.area != p.area || q.number / k != p.number / k)
				break;
		}
		if (t->config.device.read_limit && p.area == AREA_MAIN)
			count_reads(t, first + (uint32_t)i, run, at_ns);
		unit = t->timing.areas[p.area].unit_share / PPM;
		done = timing_read(&t->timing, p.area, at_ns, p.number / unit,
				   run * t->config.page_bytes);
		end = done > end ? done : end;
		i += run;
	}
	return end;
}

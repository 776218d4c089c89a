/* SPDX-License-Identifier: MIT */
#include "ftl/timing_inside.h"

#define AGE_STEPS 64 /* looks at the blocks' ages in the time after which they are refreshed */

static uint64_t victims(const struct ftl_totals *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < FTL_CAUSES; i++)
		n += t->victims[i];
	return n;
}

/* Blocks that the controller looks at for one victim. */
static uint64_t looked_at(const struct ftl *f)
{
	uint64_t full = f->config.blocks - f->free.n - f->retired - f->lent;

	switch (f->config.victim.policy) {
	case VICTIM_FIFO:
	case VICTIM_RANDOM:
		return 1;
	case VICTIM_CHOICES:
		return f->config.victim.argument;
	case VICTIM_WINDOWED:
		return full < f->config.victim.argument ? full : f->config.victim.argument;
	default:
		return full;
	}
}

void timed_charge(struct timed_drive *t, uint64_t at_ns, bool owed)
{
	const struct ftl_totals *now = &t->device->totals;
	uint64_t moved = timed_moved(now) - timed_moved(&t->seen);
	uint64_t parity = now->programs[FTL_PARITY] - t->seen.programs[FTL_PARITY];
	uint64_t blocks = victims(now) - victims(&t->seen);
	uint64_t erases = now->erases - t->seen.erases - (t->device->lent_erases - t->lent_erases);
	struct timing_work w = {
		.reads = timing_victim_reads(&t->timing, moved, t->config.device.pages_per_block,
					     blocks),
		.moved = 2 * moved + parity,
		.programs = moved + parity,
		.erase_ns = erases * t->erase_ns,
	};

	t->seen = *now;
	t->lent_erases = t->device->lent_erases;
	t->totals.moved += moved + parity;
	t->totals.collected += blocks;
	if (blocks) {
		t->totals.searched += blocks * looked_at(t->device);
		timing_search(&t->timing, at_ns, blocks * looked_at(t->device));
	}
	timing_work(&t->timing, &w, at_ns, owed);
}

static void timed_charge_fold(struct timed_drive *t, uint64_t pages, uint64_t at_ns, bool owed)
{
	const uint32_t k = t->config.model.flash_page_bytes / t->config.page_bytes;
	struct timing_work w = {
		.reads = (pages + k - 1) / k,
		.moved = 2 * pages,
		.programs = pages,
		.erase_ns = t->cache_erase_ns,
		.from = AREA_CACHE,
		.to = AREA_MAIN,
	};

	timing_work(&t->timing, &w, at_ns, owed);
	timed_charge(t, at_ns, owed);
}

bool timed_fold(struct timed_drive *t, uint64_t at_ns, bool owed)
{
	int64_t n = pslc_fold_block(&t->cache);

	if (n < 0)
		return false;
	timed_charge_fold(t, (uint64_t)n, at_ns, owed);
	return true;
}

void timed_age(struct timed_drive *t, uint64_t at_ns)
{
	const uint64_t age = t->config.device.refresh_age, scale = t->config.model.scale;

	ftl_advance(t->device, at_ns * scale);
	if (timed_has_news(t))
		timed_charge(t, at_ns, false);
	t->next_age_ns = at_ns + (age / scale > AGE_STEPS ? age / scale / AGE_STEPS : 1);
}

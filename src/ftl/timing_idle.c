/* SPDX-License-Identifier: MIT */
#include "ftl/timing_inside.h"

/* Free blocks that idle collection wants: a share of what the data leave. */
static bool wants_free(const struct timed_drive *t)
{
	const struct ftl *f = t->device;
	uint64_t b = f->config.pages_per_block, used = (f->pages_in_use + b - 1) / b + f->reserve;
	uint64_t spare;

	used += streams_of(&f->config) + f->retired + f->lent;
	if (used >= f->config.blocks)
		return false;
	spare = f->config.blocks - used;
	return (uint64_t)(f->free.n > f->reserve ? f->free.n - f->reserve : 0) <
	       spare * t->config.model.idle_free_ppm / PPM;
}

/* Do what is to be done in idle once; false where there is nothing. */
static bool idle_step(struct timed_drive *t, uint64_t at_ns, uint64_t *folded)
{
	const struct pslc_config *c = &t->config.model.pslc;
	const struct drive_model *m = &t->config.model;

	if (t->cache.log && t->cache.head != t->cache.tail && *folded != UINT64_MAX &&
	    (!t->cache.valid || (uint64_t)t->cache.valid * t->config.page_bytes > c->held_bytes)) {
		uint64_t before = t->cache.totals.folded;

		t->dead = t->dead || !timed_fold(t, at_ns, false);
		*folded += (t->cache.totals.folded - before) * t->config.page_bytes;
		return !t->dead;
	}
	if (m->collection == COLLECT_ON_DEMAND || !wants_free(t) || !collect_background(t->device))
		return false;
	t->totals.idle_collected++;
	timed_charge(t, at_ns, false);
	return true;
}

void timed_drive_idle(struct timed_drive *t, uint64_t from_ns, uint64_t until_ns)
{
	const struct pslc_config *c = &t->config.model.pslc;
	uint64_t now, folded = 0, resume = 0;

	t->dead = t->dead || !timed_flush(t, from_ns);
	timing_settle(&t->timing);
	if (t->config.device.refresh_age)
		timed_age(t, until_ns);
	now = timing_quiet(&t->timing);
	now = (now > from_ns ? now : from_ns) + t->config.model.idle_delay_ns;
	while (now < until_ns && !t->dead) {
		if (folded == UINT64_MAX && c->fold_pause_ns && now >= resume)
			folded = 0;
		if (!idle_step(t, now, &folded)) {
			if (folded != UINT64_MAX || !c->fold_pause_ns || resume <= now)
				break;
			now = resume;
			continue;
		}
		now = timing_quiet(&t->timing);
		if (folded != UINT64_MAX && c->fold_bytes && folded >= c->fold_bytes) {
			folded = UINT64_MAX; /* a pause */
			resume = now + c->fold_pause_ns;
		}
	}
}

/* SPDX-License-Identifier: MIT */
#include "ftl/timing_drive.h"

#include <errno.h>
#include <stdlib.h>

#include "ftl/device.h"

#define AGE_STEPS 64 /* looks at the blocks' ages in the time after which they are refreshed */
#define CHUNK	  64 /* pages that are written in one go */

struct timed_drive {
	struct timed_config config;
	struct ftl *device;
	struct pslc cache;
	struct timing timing;
	struct timed_totals totals;
	uint64_t erase_ns, cache_erase_ns; /* of one of the device's blocks */
	struct ftl_totals seen;		   /* what of the device's work is charged */
	uint64_t cache_erases;		   /* of them, erases of lent blocks */
	uint64_t credit;		   /* continuous collection, in millionths of a page */
	uint64_t next_age_ns;		   /* when ages are looked at next */
	bool dead;
};

/* --- what the device did, in time ------------------------------------------------------------- */

/* Pages that were read and programmed elsewhere; parity is computed, not read. */
static uint64_t programs_moved(const struct ftl_totals *t)
{
	return t->programs[FTL_GC] + t->programs[FTL_WEAR_LEVELING] + t->programs[FTL_REFRESH];
}

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

static uint64_t lent_erases(const struct timed_drive *t)
{
	return t->cache.config.mode == PSLC_DYNAMIC ? t->cache.totals.erases : 0;
}

static bool something_new(const struct timed_drive *t)
{
	const struct ftl_totals *now = &t->device->totals;

	return now->erases != t->seen.erases ||
	       now->programs[FTL_PARITY] != t->seen.programs[FTL_PARITY];
}

static void charge(struct timed_drive *t, uint64_t at_ns, bool owed)
{
	const struct ftl_totals *now = &t->device->totals;
	uint64_t moved = programs_moved(now) - programs_moved(&t->seen);
	uint64_t parity = now->programs[FTL_PARITY] - t->seen.programs[FTL_PARITY];
	uint64_t blocks = victims(now) - victims(&t->seen);
	uint64_t erases = now->erases - t->seen.erases - (lent_erases(t) - t->cache_erases);
	struct timing_work w = {
		.reads = timing_victim_reads(&t->timing, moved, t->config.device.pages_per_block,
					     blocks),
		.moved = 2 * moved + parity,
		.programs = moved + parity,
		.erase_ns = erases * t->erase_ns,
	};

	t->seen = *now;
	t->cache_erases = lent_erases(t);
	t->totals.moved += moved + parity;
	t->totals.collected += blocks;
	if (blocks) {
		t->totals.searched += blocks * looked_at(t->device);
		timing_search(&t->timing, at_ns, blocks * looked_at(t->device));
	}
	timing_work(&t->timing, &w, at_ns, owed);
}

static void charge_fold(struct timed_drive *t, uint64_t pages, uint64_t at_ns, bool owed)
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
	charge(t, at_ns, owed);
}

static bool spreads(const struct timed_drive *t)
{
	return !t->config.model.collects_at_once;
}

/* Pages that the host can write before the device has to collect again. */
static uint64_t pages_left(const struct timed_drive *t)
{
	return t->config.device.pages_per_block - t->device->streams[0].next;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void collect_continuously(struct timed_drive *t, uint64_t n, uint64_t at_ns)
{
	struct ftl *f = t->device;

	t->credit += n * t->config.model.continuous_ppm;
	while (t->credit >= (uint64_t)PPM * f->config.pages_per_block) {
		uint64_t before = programs_moved(&f->totals), moved;

		if (!collect_background(f)) {
			t->credit = 0; /* there is nothing to gain: time that is not used is lost */
			break;
		}
		moved = programs_moved(&f->totals) - before;
		t->credit -= moved * PPM;
		t->totals.idle_collected++;
		charge(t, at_ns, spreads(t));
	}
}

static bool write_main(struct timed_drive *t, const uint32_t *pages, uint32_t n, uint64_t at_ns,
		       uint64_t *ret_ns)
{
	uint64_t end;

	if (ftl_write(t->device, pages, n) != n)
		return false;
	if (something_new(t))
		charge(t, at_ns, spreads(t));
	end = timing_program(&t->timing, AREA_MAIN, at_ns, n, pages_left(t));
	*ret_ns = end > *ret_ns ? end : *ret_ns;
	if (t->config.model.collection == COLLECT_CONTINUOUS)
		collect_continuously(t, n, at_ns);
	return true;
}

static bool fold_one(struct timed_drive *t, uint64_t at_ns, bool owed)
{
	int64_t n = pslc_fold_block(&t->cache);

	if (n < 0)
		return false;
	charge_fold(t, (uint64_t)n, at_ns, owed);
	return true;
}

static bool write_cached(struct timed_drive *t, const uint32_t *pages, uint32_t n, uint64_t at_ns,
			 uint64_t *ret_ns)
{
	const bool folds = t->config.model.pslc.overflow == PSLC_FOLD_FIRST;
	uint64_t end;

	for (uint32_t i = 0; i < n; i++) {
		bool in = pslc_write(&t->cache, pages[i]);

		if (!in && folds && pslc_used(&t->cache)) {
			if (!fold_one(t, at_ns, false))
				return false;
			in = pslc_write(&t->cache, pages[i]);
		}
		if (in) {
			end = timing_program(&t->timing, AREA_CACHE, at_ns, 1, pages_left(t));
			*ret_ns = end > *ret_ns ? end : *ret_ns;
			continue;
		}
		pslc_drop(&t->cache, pages[i]);
		t->cache.totals.past++;
		if (!write_main(t, &pages[i], 1, at_ns, ret_ns))
			return false;
	}
	return true;
}

static bool write_pages(struct timed_drive *t, uint32_t first, uint64_t n, uint64_t at_ns,
			uint64_t *ret_ns)
{
	uint32_t pages[CHUNK];

	t->totals.pages += n;
	while (n) {
		uint32_t k = n < CHUNK ? (uint32_t)n : CHUNK;
		bool ok;

		for (uint32_t i = 0; i < k; i++)
			pages[i] = first + i;
		ok = t->cache.log ? write_cached(t, pages, k, at_ns, ret_ns)
				  : write_main(t, pages, k, at_ns, ret_ns);
		if (!ok)
			return false;
		first += k;
		n -= k;
	}
	return true;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Where a page is: its area, and its number in the order in which the area is programmed. */
struct place {
	enum timing_areas area;
	bool known;
	uint64_t number;
};

static struct place place_of(const struct timed_drive *t, uint32_t page)
{
	const struct ftl *f = t->device;
	uint32_t physical = f->map[page];

	if (pslc_has(&t->cache, page))
		return (struct place){ AREA_CACHE, true, t->cache.where[page] };
	if (physical == NO_PAGE)
		return (struct place){ 0 };
	return (struct place){ AREA_MAIN, true,
			       (uint64_t)(physical >> f->shift) * f->config.pages_per_block +
				       (physical & ((1u << f->shift) - 1)) };
}

/* Blocks that are read too often are refreshed. */
static void count_reads(struct timed_drive *t, uint32_t page, uint64_t n, uint64_t at_ns)
{
	for (; n; n--, page++)
		ftl_read(t->device, &page, 1);
	if (something_new(t))
		charge(t, at_ns, spreads(t));
}

/* Read pages that are in use from at_ns on: when the last one is there. */
static uint64_t read_pages(struct timed_drive *t, uint32_t first, uint64_t n, uint64_t at_ns)
{
	const uint32_t k = t->config.model.flash_page_bytes / t->config.page_bytes;
	uint64_t end = at_ns;

	for (uint64_t i = 0; i < n;) {
		struct place p = place_of(t, first + (uint32_t)i);
		uint64_t run = 1, unit, done;

		if (!p.known) {
			i++;
			continue;
		}
		for (; i + run < n; run++) { /* of one flash page */
			struct place q = place_of(t, first + (uint32_t)(i + run));

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

/* --- requests --------------------------------------------------------------------------------- */

/* A page of which only a part is written: the rest is read before, where it is in use. */
static bool write_partial(struct timed_drive *t, uint32_t page, uint64_t bytes, uint64_t at_ns,
			  uint64_t *ret_ns)
{
	t->totals.partial_pages++;
	t->totals.partial_bytes += bytes;
	if (place_of(t, page).known) {
		t->totals.modified_pages++;
		at_ns = read_pages(t, page, 1, at_ns);
	}
	return write_pages(t, page, 1, at_ns, ret_ns);
}

static bool write_request(struct timed_drive *t, const struct request *r, uint64_t at_ns,
			  uint64_t *ret_ns)
{
	const uint64_t size = t->config.page_bytes, end = r->offset + r->bytes;
	uint64_t offset = r->offset, head = offset % size;

	at_ns = timing_link(&t->timing, at_ns, at_ns, r->bytes);
	*ret_ns = at_ns;
	t->totals.writes++;
	t->totals.written_bytes += r->bytes;
	if (head) {
		uint64_t bytes = size - head < r->bytes ? size - head : r->bytes;

		if (!write_partial(t, (uint32_t)(offset / size), bytes, at_ns, ret_ns))
			return false;
		offset += bytes;
	}
	if (end - offset >= size) {
		uint64_t n = (end - offset) / size;

		if (!write_pages(t, (uint32_t)(offset / size), n, at_ns, ret_ns))
			return false;
		offset += n * size;
	}
	return offset == end ||
	       write_partial(t, (uint32_t)(offset / size), end - offset, at_ns, ret_ns);
}

static void read_request(struct timed_drive *t, const struct request *r, uint64_t at_ns,
			 uint64_t *ret_ns)
{
	const uint64_t size = t->config.page_bytes, first = r->offset / size;
	uint64_t last = (r->offset + r->bytes - 1) / size;
	uint64_t ready = read_pages(t, (uint32_t)first, last - first + 1, at_ns);

	*ret_ns = timing_link(&t->timing, at_ns, ready, r->bytes);
	t->totals.reads++;
	t->totals.read_bytes += r->bytes;
}

/* Only whole pages can be given up. */
static void trim_request(struct timed_drive *t, const struct request *r)
{
	const uint64_t size = t->config.page_bytes;
	uint64_t first = (r->offset + size - 1) / size, end = (r->offset + r->bytes) / size;

	for (uint64_t page = first; page < end; page++) {
		if (t->cache.where)
			pslc_drop(&t->cache, (uint32_t)page);
		ftl_trim(t->device, (uint32_t)page);
	}
	t->totals.trims++;
	t->totals.trimmed_bytes += r->bytes;
}

/* Blocks that are too old are refreshed. */
static void grow_old(struct timed_drive *t, uint64_t at_ns)
{
	const uint64_t age = t->config.device.refresh_age, scale = t->config.model.scale;

	ftl_advance(t->device, at_ns * scale);
	if (something_new(t))
		charge(t, at_ns, spreads(t));
	t->next_age_ns = at_ns + (age / scale > AGE_STEPS ? age / scale / AGE_STEPS : 1);
}

bool timed_drive_submit(struct timed_drive *t, const struct request *r, uint64_t at_ns,
			uint64_t *ret_ns)
{
	uint64_t begun = timing_command(&t->timing, at_ns + t->config.model.host_command_ns);
	uint64_t end = begun;

	if (t->dead)
		return false;
	if (at_ns >= t->next_age_ns)
		grow_old(t, at_ns);
	switch (r->op) {
	case REQUEST_WRITE:
		t->dead = !write_request(t, r, begun, &end);
		break;
	case REQUEST_READ:
		read_request(t, r, begun, &end);
		break;
	case REQUEST_TRIM:
		trim_request(t, r);
		break;
	}
	*ret_ns = end;
	return !t->dead;
}

void timed_drive_expect(const struct timed_drive *t, const struct request *r)
{
	uint64_t page = r->offset / t->config.page_bytes;

	__builtin_prefetch(&t->device->map[page], 1);
	if (t->cache.where)
		__builtin_prefetch(&t->cache.where[page], 1);
}

void timed_drive_fetch(const struct timed_drive *t, const struct request *r)
{
	const struct ftl *f = t->device;
	uint32_t old = f->map[r->offset / t->config.page_bytes], block = old >> f->shift;

	if (old == NO_PAGE)
		return;
	__builtin_prefetch(&f->blocks[block], 1);
	__builtin_prefetch(
		&f->live[(size_t)block * f->live_words + (old & ((1u << f->shift) - 1)) / 64], 1);
}

/* --- idle ------------------------------------------------------------------------------------- */

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
	    (uint64_t)t->cache.valid * t->config.page_bytes > c->held_bytes) {
		uint64_t before = t->cache.totals.folded;

		t->dead = t->dead || !fold_one(t, at_ns, false);
		*folded += (t->cache.totals.folded - before) * t->config.page_bytes;
		return !t->dead;
	}
	if (m->collection == COLLECT_ON_DEMAND || !wants_free(t) || !collect_background(t->device))
		return false;
	t->totals.idle_collected++;
	charge(t, at_ns, false);
	return true;
}

void timed_drive_idle(struct timed_drive *t, uint64_t from_ns, uint64_t until_ns)
{
	const struct pslc_config *c = &t->config.model.pslc;
	uint64_t now, folded = 0, resume = 0;

	timing_settle(&t->timing, from_ns);
	if (t->config.device.refresh_age)
		grow_old(t, until_ns);
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

/* --- beginning and end ------------------------------------------------------------------------ */

/* A block of the device may be a part of what a die erases at once, or many of them. */
static uint64_t block_erase_ns(const struct timed_config *c, uint64_t erase_ns)
{
	return (uint64_t)((unsigned __int128)erase_ns * c->device.pages_per_block * c->page_bytes /
			  c->model.erase_bytes);
}

uint64_t timed_drive_memory_bytes(const struct timed_config *c)
{
	return ftl_memory_bytes(&c->device) +
	       pslc_memory_bytes(&c->model.pslc, c->device.logical_pages, c->page_bytes) +
	       sizeof(struct timed_drive);
}

int timed_drive_new(const struct timed_config *c, const struct ftl_memory *memory, struct diag *d,
		    struct timed_drive **ret)
{
	CLEANUP(timed_drive_release) struct timed_drive *t = NULL;
	int r = drive_model_check(&c->model, c->page_bytes, d);

	if (r < 0)
		return r;
	if (c->device.counts)
		return diag_fail(d, -EINVAL, "a drive in time needs the engine 'pages'");
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->config = *c;
	t->next_age_ns = c->device.refresh_age ? 0 : UINT64_MAX;
	t->erase_ns = block_erase_ns(c, c->model.times.erase_ns);
	t->cache_erase_ns = block_erase_ns(c, c->model.pslc.erase_ns);
	r = ftl_new(&c->device, memory, d, &t->device);
	if (!r)
		r = pslc_start(&t->cache, &c->model.pslc, t->device, c->page_bytes,
			       cell_bits(c->model.cell), d);
	if (!r)
		r = timing_start(&t->timing, &c->model, c->page_bytes);
	if (r < 0)
		return r;
	*ret = t;
	t = NULL;
	return 0;
}

void timed_drive_free(struct timed_drive *t)
{
	if (!t)
		return;
	ftl_free(t->device);
	pslc_release(&t->cache);
	timing_release(&t->timing);
	free(t);
}

void timed_drive_release(struct timed_drive **t)
{
	timed_drive_free(*t);
}

uint64_t timed_drive_bytes(const struct timed_drive *t)
{
	return (uint64_t)t->config.device.logical_pages * t->config.page_bytes;
}

const struct ftl *timed_drive_device(const struct timed_drive *t)
{
	return t->device;
}

const struct timed_totals *timed_drive_totals(const struct timed_drive *t)
{
	return &t->totals;
}

const struct pslc *timed_drive_cache(const struct timed_drive *t)
{
	return &t->cache;
}

const struct timing *timed_drive_timing(const struct timed_drive *t)
{
	return &t->timing;
}

uint64_t timed_drive_programs(const struct timed_drive *t)
{
	const struct ftl_totals *d = &t->device->totals;

	return d->programs[FTL_HOST] + programs_moved(d) + d->programs[FTL_PARITY] +
	       t->cache.totals.programs;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "ftl/device.h"
#include "ftl/storage.h"

/* Streams of random numbers of one seed. */
enum { RANDOM_DEVICE = 1, RANDOM_WRITES };

const char *wear_leveling_text(enum wear_leveling leveling)
{
	static const char *const names[] = {
#define X(e, name) name,
		WEAR_LEVELINGS(X)
#undef X
	};

	return names[leveling];
}

const char *block_reuse_text(enum block_reuse reuse)
{
	static const char *const names[] = {
#define X(e, name) name,
		BLOCK_REUSES(X)
#undef X
	};

	return names[reuse];
}

static void *calloc_get(void *owner, size_t bytes)
{
	(void)owner;
	return calloc(bytes, 1);
}

static void calloc_put(void *owner, void *memory, size_t bytes)
{
	(void)owner;
	(void)bytes;
	free(memory);
}

static unsigned bits_for(uint32_t n)
{
	return n > 1 ? 32 - (unsigned)__builtin_clz(n - 1) : 0;
}

uint32_t ftl_reserve_blocks(const struct ftl_config *c)
{
	return c->classes + (c->pe_cycles ? 1 : 0);
}

uint32_t ftl_open_blocks(const struct ftl_config *c)
{
	return streams_of(c);
}

/*
 * With one open block a single spare page is progress. With more of them, each may be full of pages
 * that are not valid any more while the next block is needed.
 */
uint64_t ftl_least_blocks(const struct ftl_config *c)
{
	uint64_t pages = c->logical_pages, b = c->pages_per_block, open = streams_of(c);
	uint64_t data = open == 1 ? pages / b + 1 : (pages + b - 1) / b + open;

	return data + ftl_reserve_blocks(c) + c->spare_high + c->held_back + c->bad_blocks;
}

static uint32_t live_words(const struct ftl_config *c)
{
	return (c->pages_per_block + 63) / 64;
}

static size_t ring_slots(const struct ftl_config *c)
{
	return (size_t)1 << bits_for(c->blocks + 1);
}

/* What each array takes, in the order of struct ftl; the index's three are as the policy needs
 * them. */
struct arrays {
	size_t map, back, live, blocks, slot, place, start, root, child, filled;
};

static struct arrays arrays_of(const struct ftl_config *c)
{
	enum victim_index index = victim_index_of(c);
	bool ring = index == INDEX_RING, heaps = index == INDEX_HEAPS;
	size_t n = c->blocks, b = c->pages_per_block;

	return (struct arrays){
		.map = c->counts ? 0 : c->logical_pages,
		.back = c->counts ? 0 : n * b,
		.live = c->counts ? 0 : n * live_words(c),
		.blocks = n + b + 2,
		.slot = ring ? ring_slots(c) : 0,
		.place = ring ? n : 0,
		.start = ring ? b + 2 : 0,
		.root = heaps ? b + 1 : 0,
		.child = heaps ? n : 0,
		.filled = heaps ? n : 0,
	};
}

uint64_t ftl_memory_bytes(const struct ftl_config *c)
{
	struct arrays a = arrays_of(c);
	uint64_t pool = 4, leveling = c->leveling == WEAR_LEVELING_STATIC ? 8 : 0;

	return 4 * (a.map + a.back + a.slot + a.place + a.start + a.root + a.child) +
	       8 * (a.live + a.filled) + sizeof(struct ftl_block) * a.blocks +
	       (pool + leveling + (c->pe_cycles ? 4 : 0)) * c->blocks + 4 * (uint64_t)c->held_back +
	       refresh_memory_bytes(c);
}

static int check_classes(const struct ftl_config *c, struct diag *d)
{
	uint32_t before = 0;

	if (c->classes < 1 || c->classes > FTL_CLASSES_MAX)
		return diag_fail(d, -EINVAL, "%u classes of pages: 1 to %d are possible",
				 c->classes, FTL_CLASSES_MAX);
	if (c->classes > 1 && c->counts)
		return diag_fail(d, -EINVAL, "a model without maps cannot tell classes apart");
	for (unsigned i = 0; i + 1 < c->classes; i++) {
		if (c->class_end[i] <= before || c->class_end[i] >= c->logical_pages)
			return diag_fail(d, -EINVAL, "class %u of the pages is empty", i + 1);
		before = c->class_end[i];
	}
	return 0;
}

static int check(const struct ftl_config *c, struct diag *d)
{
	int r;

	if (!c->logical_pages || c->logical_pages == NO_PAGE)
		return diag_fail(d, -EINVAL, "%u logical pages: 1 to %u are possible",
				 c->logical_pages, NO_PAGE - 1);
	if (c->pages_per_block < 2 || c->pages_per_block > FTL_PAGES_PER_BLOCK_MAX)
		return diag_fail(d, -EINVAL, "%u pages a block: 2 to %u are possible",
				 c->pages_per_block, FTL_PAGES_PER_BLOCK_MAX);
	r = check_classes(c, d);
	if (r < 0)
		return r;
	if (c->stripe > c->pages_per_block)
		return diag_fail(d, -EINVAL,
				 "a stripe of %u data pages is longer than a block: at most %u are "
				 "possible",
				 c->stripe, c->pages_per_block);
	if (c->spare_high < c->spare_low)
		return diag_fail(d, -EINVAL,
				 "collection would stop at %u free blocks, before it starts at %u",
				 c->spare_high, c->spare_low);
	if (c->blocks < ftl_least_blocks(c))
		return diag_fail(
			d, -EINVAL,
			"%u blocks cannot hold %u pages and keep %u open and %u in reserve, held "
			"back or bad: %llu are needed",
			c->blocks, c->logical_pages, ftl_open_blocks(c),
			ftl_reserve_blocks(c) + c->spare_high + c->held_back + c->bad_blocks,
			(unsigned long long)ftl_least_blocks(c));
	if ((uint64_t)c->blocks << bits_for(c->pages_per_block) > NO_PAGE ||
	    (uint64_t)c->blocks + c->pages_per_block + 2 > NO_BLOCK)
		return diag_fail(d, -E2BIG,
				 "%u blocks of %u pages have more pages than 32 bits can number",
				 c->blocks, c->pages_per_block);
	return 0;
}

static int allocate(struct ftl *f)
{
	struct arrays a = arrays_of(&f->config);

	f->blocks = storage_get(f, a.blocks, sizeof(*f->blocks));
	if (a.map) {
		f->map = storage_get(f, a.map, sizeof(*f->map));
		f->back = storage_get(f, a.back, sizeof(*f->back));
		f->live = storage_get(f, a.live, sizeof(*f->live));
		if (!f->map || !f->back || !f->live)
			return -ENOMEM;
		memset(f->map, 0xff, a.map * sizeof(*f->map)); /* NO_PAGE */
	}
	if (a.slot) {
		f->ring.slot = storage_get(f, a.slot, sizeof(*f->ring.slot));
		f->ring.place = storage_get(f, a.place, sizeof(*f->ring.place));
		f->ring.start = storage_get(f, a.start, sizeof(*f->ring.start));
		f->ring.mask = (uint32_t)a.slot - 1;
		if (!f->ring.slot || !f->ring.place || !f->ring.start)
			return -ENOMEM;
	}
	if (a.root) {
		f->heaps.root = storage_get(f, a.root, sizeof(*f->heaps.root));
		f->heaps.child = storage_get(f, a.child, sizeof(*f->heaps.child));
		f->heaps.filled = storage_get(f, a.filled, sizeof(*f->heaps.filled));
		if (!f->heaps.root || !f->heaps.child || !f->heaps.filled)
			return -ENOMEM;
		memset(f->heaps.root, 0xff, a.root * sizeof(*f->heaps.root)); /* NO_BLOCK */
	}
	if (!f->blocks || refresh_start(f) < 0)
		return -ENOMEM;
	return pool_start(f);
}

static void start(struct ftl *f)
{
	const struct ftl_config *c = &f->config;

	f->shift = bits_for(c->pages_per_block);
	f->live_words = live_words(c);
	f->index = victim_index_of(c);
	f->reserve = ftl_reserve_blocks(c);
	f->window = c->victim.policy == VICTIM_WINDOWED ? c->victim.argument : UINT32_MAX;
	f->least = c->pages_per_block;
	f->places_next = PLACES_DRAWN;
	rng_seed(&f->random, c->seed, RANDOM_DEVICE);
	rng_seed(&f->writes, c->seed, RANDOM_WRITES);
	for (unsigned i = 0; i < streams_of(c); i++)
		f->streams[i] = (struct ftl_stream){ NO_BLOCK, c->pages_per_block };
}

int ftl_new(const struct ftl_config *c, const struct ftl_memory *memory, struct diag *d,
	    struct ftl **ret)
{
	CLEANUP(ftl_release) struct ftl *f = NULL;
	int r = check(c, d);

	if (r < 0)
		return r;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->config = *c;
	f->memory = memory ? *memory : (struct ftl_memory){ calloc_get, calloc_put, NULL };
	start(f);
	r = allocate(f);
	if (r < 0)
		return r;
	for (uint32_t i = c->blocks; i < c->blocks + c->pages_per_block + 2; i++)
		f->blocks[i].prev = f->blocks[i].next = i;
	*ret = f;
	f = NULL;
	return 0;
}

void ftl_free(struct ftl *f)
{
	struct arrays a;

	if (!f)
		return;
	a = arrays_of(&f->config);
	storage_put(f, f->map, a.map, sizeof(*f->map));
	storage_put(f, f->back, a.back, sizeof(*f->back));
	storage_put(f, f->live, a.live, sizeof(*f->live));
	storage_put(f, f->blocks, a.blocks, sizeof(*f->blocks));
	storage_put(f, f->ring.slot, a.slot, sizeof(*f->ring.slot));
	storage_put(f, f->ring.place, a.place, sizeof(*f->ring.place));
	storage_put(f, f->ring.start, a.start, sizeof(*f->ring.start));
	storage_put(f, f->heaps.root, a.root, sizeof(*f->heaps.root));
	storage_put(f, f->heaps.child, a.child, sizeof(*f->heaps.child));
	storage_put(f, f->heaps.filled, a.filled, sizeof(*f->heaps.filled));
	pool_release(f);
	refresh_release(f);
	free(f);
}

void ftl_release(struct ftl **f)
{
	ftl_free(*f);
}

bool ftl_is_dead(const struct ftl *f)
{
	return f->dead;
}

const struct ftl_config *ftl_config_of(const struct ftl *f)
{
	return &f->config;
}

const struct ftl_totals *ftl_totals_of(const struct ftl *f)
{
	return &f->totals;
}

const uint32_t *ftl_map_of(const struct ftl *f)
{
	return f->map;
}

uint32_t ftl_pages_in_use(const struct ftl *f)
{
	return f->pages_in_use;
}

uint32_t ftl_free_blocks(const struct ftl *f)
{
	return f->free.n;
}

uint32_t ftl_retired_blocks(const struct ftl *f)
{
	return f->retired - f->held.n - f->config.bad_blocks;
}

uint32_t ftl_held_back(const struct ftl *f)
{
	return f->held.n;
}

uint32_t ftl_erase_count(const struct ftl *f, uint32_t block)
{
	return f->blocks[block].erases;
}

struct ftl_wear ftl_wear_of(const struct ftl *f)
{
	const uint32_t n = f->config.blocks;
	const double good = n - f->config.bad_blocks;
	struct ftl_wear w = { .least = UINT32_MAX, .mean = (double)f->totals.erases / good };
	double squares = 0;

	for (uint32_t block = 0; block < n; block++) {
		uint32_t erases = f->blocks[block].erases;

		if (f->blocks[block].valid & BLOCK_RETIRED && !erases)
			continue; /* bad from the start */
		w.least = erases < w.least ? erases : w.least;
		w.most = erases > w.most ? erases : w.most;
		squares += (erases - w.mean) * (erases - w.mean);
	}
	w.deviation = sqrt(squares / good);
	return w;
}

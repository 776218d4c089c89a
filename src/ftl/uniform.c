/* SPDX-License-Identifier: MIT */
#include "ftl/device.h"

/*
 * Writes without maps. A page that is in use is found by drawing places in blocks until one is
 * below its block's number of valid pages: each such place stands for one page, so all are equally
 * likely.
 */

/*
 * Places are drawn ahead, and those that stand for no page are sorted out without a branch that
 * could be mispredicted. The others are looked at again when they are used: a full block may have
 * lost the page meanwhile. Only a block that is open can gain pages, so no place of such a block is
 * sorted out; uniform_opened gives back those of a block that is opened later.
 */
static void draw_places(struct ftl *f)
{
	const uint64_t places = (uint64_t)f->config.blocks << f->shift;
	const uint32_t mask = (1u << f->shift) - 1;
	const struct ftl_block *blocks = f->blocks;
	const unsigned shift = f->shift;
	struct rng random = f->writes; /* in registers */
	uint64_t pending = 0;

	for (unsigned i = 0; i < PLACES_DRAWN; i++) {
		uint32_t place = (uint32_t)rng_below(&random, places);
		uint32_t valid = blocks[place >> shift].valid;

		f->places[i] = place;
		pending |= (uint64_t)(((place & mask) < (valid & ~BLOCK_FLAGS)) |
				      !(valid & BLOCK_FULL))
			   << i;
	}
	f->writes = random;
	f->places_pending = pending;
	f->places_next = 0;
}

void uniform_opened(struct ftl *f, uint32_t block)
{
	uint64_t back = 0;

	for (unsigned i = 0; i < PLACES_DRAWN; i++)
		back |= (uint64_t)(f->places[i] >> f->shift == block) << i;
	f->places_pending |= f->places_next < PLACES_DRAWN
				     ? back >> f->places_next << f->places_next
				     : 0;
}

/* The next place that stands for a page. The caller keeps pending and next in f: see draw_block. */
static inline __attribute__((always_inline)) uint32_t next_block(struct ftl *f,
								 const struct ftl_block *blocks,
								 uint64_t *pending, unsigned *next)
{
	const unsigned shift = f->shift;
	const uint32_t mask = (1u << shift) - 1;

	for (;;) {
		uint32_t place;

		while (!*pending) {
			draw_places(f);
			*pending = f->places_pending;
		}
		*next = (unsigned)__builtin_ctzll(*pending);
		place = f->places[*next];
		*pending &= *pending - 1;
		if ((place & mask) < (blocks[place >> shift].valid & ~BLOCK_FLAGS))
			return place >> shift;
	}
}

static inline __attribute__((always_inline)) uint32_t draw_block(struct ftl *f)
{
	unsigned last;
	uint32_t block = next_block(f, f->blocks, &f->places_pending, &last);

	f->places_next = last + 1;
	return block;
}

/* Write n pages to the open block, which has room for them; returns how many were not in use. */
static inline __attribute__((always_inline)) uint32_t write_run(struct ftl *f, uint32_t n,
								enum victim_index index)
{
	struct ftl_block *blocks = f->blocks;
	const uint64_t pages = f->config.logical_pages;
	uint32_t *valid = &blocks[f->streams[0].block].valid, fresh = 0, in_use = f->pages_in_use;

	for (uint32_t i = 0; i < n; i++) {
		if (in_use == pages || rng_below(&f->writes, pages) < in_use) {
			lose_page(f, blocks, draw_block(f), index);
		} else {
			fresh++;
			in_use++;
		}
		++*valid;
	}
	return fresh;
}

static uint32_t run_unindexed(struct ftl *f, uint32_t n)
{
	return write_run(f, n, INDEX_NONE);
}

static uint32_t run_lists(struct ftl *f, uint32_t n)
{
	return write_run(f, n, INDEX_LISTS);
}

/*
 * As write_run with INDEX_FEW where every page is in use, without a decision that could be
 * mispredicted: blocks with few pages are noted, and ranked when the run is over, in the order in
 * which they lost their last page, as they would be one by one.
 */
static void run_noting(struct ftl *f, uint32_t n)
{
	struct ftl_block *blocks = f->blocks;
	uint32_t *open = &blocks[f->streams[0].block].valid, noted[PLACES_DRAWN], k = 0;
	uint64_t pending = f->places_pending;
	const uint32_t few = f->few;
	unsigned last = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t block = next_block(f, blocks, &pending, &last);
		uint32_t valid = --blocks[block].valid;

		noted[k] = block;
		k += ((valid & ~BLOCK_FLAGS) <= few) & (valid / BLOCK_FULL & 1);
		++*open;
	}
	f->places_pending = pending;
	f->places_next = last + 1;
	for (uint32_t i = 0; i < k; i++)
		few_ranked(f, blocks, noted[i]);
}

static uint32_t run_few(struct ftl *f, uint32_t n)
{
	uint32_t k;

	if (f->pages_in_use < f->config.logical_pages)
		return write_run(f, n, INDEX_FEW);
	for (; n; n -= k) {
		k = n < PLACES_DRAWN ? n : PLACES_DRAWN;
		run_noting(f, k);
	}
	return 0;
}

static uint32_t run_ring(struct ftl *f, uint32_t n)
{
	return write_run(f, n, INDEX_RING);
}

static uint32_t run_heaps(struct ftl *f, uint32_t n)
{
	return write_run(f, n, INDEX_HEAPS);
}

/* Pages that take the place of none. */
static uint32_t run_unused(struct ftl *f, uint32_t n)
{
	f->blocks[f->streams[0].block].valid += n;
	return n;
}

static size_t write_runs(struct ftl *f, size_t n, uint32_t (*run)(struct ftl *, uint32_t))
{
	struct ftl_stream *s = &f->streams[0];
	const uint32_t b = f->config.pages_per_block;
	size_t done = 0;

	while (done < n && !f->dead) {
		uint32_t k;

		if (s->next == b && !collect_room(f, 0))
			break;
		k = n - done < b - s->next ? (uint32_t)(n - done) : b - s->next;
		f->pages_in_use += run(f, k);
		f->totals.host_writes += k;
		stream_programmed(f, 0, k, FTL_HOST);
		done += k;
	}
	return done;
}

size_t ftl_write_uniform(struct ftl *f, size_t n)
{
	static uint32_t (*const run[])(struct ftl *, uint32_t) = {
		[INDEX_NONE] = run_unindexed, [INDEX_LISTS] = run_lists, [INDEX_FEW] = run_few,
		[INDEX_RING] = run_ring,      [INDEX_HEAPS] = run_heaps,
	};

	return write_runs(f, n, run[f->index]);
}

size_t ftl_write_unused(struct ftl *f, size_t n)
{
	size_t left = f->config.logical_pages - f->pages_in_use;

	return write_runs(f, n < left ? n : left, run_unused);
}

uint32_t uniform_block(struct ftl *f)
{
	return draw_block(f);
}

void ftl_trim_uniform(struct ftl *f)
{
	if (!f->pages_in_use)
		return;
	if (f->map) {
		uint32_t page;

		do
			page = (uint32_t)rng_below(&f->writes, f->config.logical_pages);
		while (f->map[page] == NO_PAGE);
		ftl_trim(f, page);
		return;
	}
	lose_page(f, f->blocks, draw_block(f), f->index);
	f->pages_in_use--;
	f->totals.trims++;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/device.h"

/*
 * The path of host writes. It is inlined with a constant index into one function for each, and
 * works on batches. What a batch needs is fetched in steps, each of which follows what the one
 * before has fetched: the map entries (by the caller), the blocks that they lead to, and the
 * neighbours of these in their lists. Collection in between may
 * move a page, so all is read again; only the time of a cache miss is won.
 */
#define BATCH 64

/* Fewer blocks than that stay in the cache, with their neighbours. */
#define BLOCKS_FAR (1u << 15)

static void fetch_blocks(const struct ftl *f, const uint32_t *pages, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t old = f->map[pages[i]], block = old >> f->shift;

		if (old == NO_PAGE)
			continue;
		__builtin_prefetch(&f->blocks[block], 1);
		__builtin_prefetch(&f->live[(size_t)block * f->live_words +
					    (old & ((1u << f->shift) - 1)) / 64],
				   1);
	}
}

static void fetch_neighbours(const struct ftl *f, const uint32_t *pages, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t old = f->map[pages[i]];

		if (old == NO_PAGE)
			continue;
		__builtin_prefetch(&f->blocks[f->blocks[old >> f->shift].prev], 1);
		__builtin_prefetch(&f->blocks[f->blocks[old >> f->shift].next], 1);
	}
}

/* `live` is of the page's block. */
static inline void live_clear(uint64_t *live, uint32_t in_block)
{
	live[in_block / 64] &= ~((uint64_t)1 << in_block % 64);
}

/* Write n pages to a stream that has room for them. */
static inline __attribute__((always_inline)) void write_run(struct ftl *f, unsigned stream,
							    const uint32_t *pages, uint32_t n,
							    enum victim_index index)
{
	struct ftl_stream *s = &f->streams[stream];
	struct ftl_block *blocks = f->blocks;
	uint32_t *map = f->map;
	uint32_t *back = f->back + (size_t)s->block * f->config.pages_per_block + s->next;
	uint32_t physical = s->block << f->shift | s->next, fresh = 0;
	const unsigned shift = f->shift;
	const uint32_t mask = (1u << shift) - 1, words = f->live_words;
	uint64_t *live = f->live;

	blocks[s->block].valid += n; /* first: a page may be written twice in one run */
	for (uint32_t i = 0; i < n; i++) {
		uint32_t page = pages[i], old = map[page];

		map[page] = physical + i;
		back[i] = page;
		if (old == NO_PAGE) {
			fresh++;
			continue;
		}
		live_clear(live + (size_t)(old >> shift) * words, old & mask);
		lose_page(f, blocks, old >> shift, index);
	}
	f->pages_in_use += fresh;
	f->totals.host_writes += n;
	stream_programmed(f, stream, n, FTL_HOST);
}

/* How many of the n pages go to one stream and fit its open block. */
static uint32_t run_length(const struct ftl *f, unsigned stream, unsigned class,
			   const uint32_t *pages, uint32_t n)
{
	uint32_t left = f->config.pages_per_block - f->streams[stream].next, run = 1;

	n = n < left ? n : left;
	if (f->config.classes == 1)
		return n;
	while (run < n && class_of(f, pages[run]) == class)
		run++;
	return run;
}

static inline __attribute__((always_inline)) uint32_t write_batch(struct ftl *f,
								  const uint32_t *pages, uint32_t n,
								  enum victim_index index)
{
	const unsigned streams_a_class = f->config.separate_gc ? 2 : 1;
	uint32_t done = 0;

	while (done < n) {
		unsigned class = class_of(f, pages[done]), stream = class * streams_a_class;
		uint32_t run;

		if (f->streams[stream].next == f->config.pages_per_block &&
		    !collect_room(f, stream))
			break;
		run = run_length(f, stream, class, pages + done, n - done);
		write_run(f, stream, pages + done, run, index);
		done += run;
	}
	return done;
}

static uint32_t write_unindexed(struct ftl *f, const uint32_t *pages, uint32_t n)
{
	return write_batch(f, pages, n, INDEX_NONE);
}

static uint32_t write_lists(struct ftl *f, const uint32_t *pages, uint32_t n)
{
	return write_batch(f, pages, n, INDEX_LISTS);
}

static uint32_t write_ring(struct ftl *f, const uint32_t *pages, uint32_t n)
{
	return write_batch(f, pages, n, INDEX_RING);
}

static uint32_t write_heaps(struct ftl *f, const uint32_t *pages, uint32_t n)
{
	return write_batch(f, pages, n, INDEX_HEAPS);
}

size_t ftl_write(struct ftl *f, const uint32_t *pages, size_t n)
{
	static uint32_t (*const write[])(struct ftl *, const uint32_t *, uint32_t) = {
		[INDEX_NONE] = write_unindexed, [INDEX_LISTS] = write_lists,
		[INDEX_FEW] = write_lists, /* only without maps, which have no pages to write */
		[INDEX_RING] = write_ring,	[INDEX_HEAPS] = write_heaps,
	};
	const bool far = f->index == INDEX_LISTS && f->config.blocks >= BLOCKS_FAR;
	size_t done = 0;

	while (done < n && !f->dead) {
		uint32_t k = n - done < BATCH ? (uint32_t)(n - done) : BATCH;

		fetch_blocks(f, pages + done, k);
		if (far)
			fetch_neighbours(f, pages + done, k);
		done += write[f->index](f, pages + done, k);
	}
	return done;
}

void ftl_trim(struct ftl *f, uint32_t page)
{
	uint32_t old = f->map[page], block = old >> f->shift;

	if (old == NO_PAGE)
		return;
	f->map[page] = NO_PAGE;
	live_clear(f->live + (size_t)block * f->live_words, old & ((1u << f->shift) - 1));
	lose_page(f, f->blocks, block, f->index);
	f->pages_in_use--;
	f->totals.trims++;
}

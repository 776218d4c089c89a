/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "ftl/device.h"

/* Pages of a victim that are gathered before they are programmed, so that the map is fetched ahead.
 */
#define GATHERED_MAX 256

/* So many entries of the reverse map are fetched at once; then the processor has seen the way. */
#define BACK_FETCHED 512

static void open_block(struct ftl *f, struct ftl_stream *s)
{
	const uint32_t b = f->config.pages_per_block;

	s->block = pool_take(f, (unsigned)(s - f->streams));
	s->next = 0;
	if (f->reads || f->ages.opened)
		refresh_opened(f, s->block);
	if (!f->live) {
		uniform_opened(f, s->block);
		return;
	}
	/* valid unless it is lost; pages that are not programmed yet are not asked for */
	memset(f->live + (size_t)s->block * f->live_words, 0xff, f->live_words * sizeof(uint64_t));
	if (b % 64)
		f->live[(size_t)s->block * f->live_words + b / 64] = ((uint64_t)1 << b % 64) - 1;
}

void collect_filled(struct ftl *f, unsigned stream)
{
	victim_add(f, f->streams[stream].block);
}

/* How many of n pages the stream's block takes now; a new block is opened where it is full. */
static uint32_t room(struct ftl *f, struct ftl_stream *s, uint32_t n)
{
	uint32_t left;

	if (s->next == f->config.pages_per_block)
		open_block(f, s);
	left = f->config.pages_per_block - s->next;
	return n < left ? n : left;
}

static void programmed(struct ftl *f, unsigned stream, uint32_t n, enum ftl_cause cause)
{
	f->blocks[f->streams[stream].block].valid += n;
	stream_programmed(f, stream, n, cause);
}

static void program(struct ftl *f, unsigned stream, const uint32_t *pages, uint32_t n,
		    enum ftl_cause cause)
{
	struct ftl_stream *s = &f->streams[stream];

	while (n) {
		uint32_t k = room(f, s, n), physical = s->block << f->shift | s->next;
		uint32_t *back = f->back + (size_t)s->block * f->config.pages_per_block + s->next;
		uint32_t *map = f->map;

		memcpy(back, pages, k * sizeof(*pages));
		for (uint32_t i = 0; i < k; i++)
			map[back[i]] = physical + i;
		programmed(f, stream, k, cause);
		pages += k;
		n -= k;
	}
}

static unsigned collect_stream(const struct ftl *f, unsigned class)
{
	return f->config.separate_gc ? 2 * class + 1 : class;
}

/* Program what was gathered, each run of one class to the stream of that class. */
static void program_gathered(struct ftl *f, const uint32_t *pages, uint32_t n, enum ftl_cause cause)
{
	uint32_t run;

	if (f->config.classes == 1) {
		program(f, collect_stream(f, 0), pages, n, cause);
		return;
	}
	for (; n; pages += run, n -= run) {
		unsigned class = class_of(f, pages[0]);

		for (run = 1; run < n && class_of(f, pages[run]) == class; run++)
			;
		program(f, collect_stream(f, class), pages, run, cause);
	}
}

static void move_pages(struct ftl *f, uint32_t victim, enum ftl_cause cause)
{
	const uint32_t *back = f->back + (size_t)victim * f->config.pages_per_block;
	const uint64_t *live = f->live + (size_t)victim * f->live_words;
	const uint32_t b = f->config.pages_per_block;
	uint32_t pages[GATHERED_MAX], n = 0;

	/* together with the live bits, which tell which of them are needed */
	for (uint32_t i = 0; i < b && i < BACK_FETCHED; i += 64 / sizeof(*back))
		__builtin_prefetch(&back[i]);
	for (uint32_t word = 0; word < f->live_words; word++) {
		for (uint64_t bits = live[word]; bits; bits &= bits - 1) {
			uint32_t page = back[word * 64 + (unsigned)__builtin_ctzll(bits)];

			__builtin_prefetch(&f->map[page], 1);
			pages[n++] = page;
		}
		if (n > GATHERED_MAX - 64) {
			program_gathered(f, pages, n, cause);
			n = 0;
		}
	}
	if (n)
		program_gathered(f, pages, n, cause);
}

/* Without maps only the numbers move. */
static void move_counts(struct ftl *f, uint32_t n, enum ftl_cause cause)
{
	unsigned stream = collect_stream(f, 0);

	while (n) {
		uint32_t k = room(f, &f->streams[stream], n);

		programmed(f, stream, k, cause);
		n -= k;
	}
}

static void collect(struct ftl *f, uint32_t victim, enum ftl_cause cause)
{
	uint32_t valid = valid_pages(f, victim);

	victim_remove(f, victim);
	f->totals.victims[cause]++;
	if (f->live)
		move_pages(f, victim, cause);
	else
		move_counts(f, valid, cause);
	if (f->ages.opened)
		refresh_erased(f, victim);
	pool_erase(f, victim);
}

/* Pages that collection can program before it needs a free block back. */
static bool fits(const struct ftl *f, uint32_t pages)
{
	uint64_t left = (uint64_t)f->free.n * f->config.pages_per_block;

	if (f->config.classes > 1) /* the victim may hold pages of any of them */
		return f->free.n >= f->config.classes;
	return left + f->config.pages_per_block - f->streams[collect_stream(f, 0)].next >= pages;
}

/*
 * The policy's victim. One without a page to gain is allowed, as its policy takes no account of
 * that, but not for ever: after so many in a row as there are blocks, the block with the fewest is
 * taken.
 */
static uint32_t choose(struct ftl *f, uint32_t *barren)
{
	const uint32_t b = f->config.pages_per_block;
	uint32_t victim = *barren < f->config.blocks ? victim_pick(f) : victim_fewest(f);

	if (victim == NO_BLOCK)
		return NO_BLOCK;
	if (valid_pages(f, victim) < b) {
		*barren = 0;
		return victim;
	}
	if (*barren >= f->config.blocks || f->config.victim.policy == VICTIM_GREEDY)
		return NO_BLOCK; /* nothing is to be gained anywhere */
	++*barren;
	return victim;
}

bool collect_block(struct ftl *f, uint32_t block, enum ftl_cause cause)
{
	if (!fits(f, valid_pages(f, block)))
		return false;
	collect(f, block, cause);
	return true;
}

static void level_wear(struct ftl *f)
{
	uint32_t block = pool_overdue(f);

	if (block != NO_BLOCK)
		(void)!collect_block(f, block, FTL_WEAR_LEVELING);
}

static bool lacks_room(const struct ftl *f, unsigned stream)
{
	bool full = f->streams[stream].next == f->config.pages_per_block;

	/* a block that wore out left the reserve short: nothing may be written before it is whole
	 */
	return f->free.n < f->reserve || (full && f->free.n == f->reserve);
}

static bool starts(const struct ftl *f, unsigned stream)
{
	return lacks_room(f, stream) || (f->streams[stream].next == f->config.pages_per_block &&
					 f->free.n <= f->reserve + f->config.spare_low);
}

static bool continues(const struct ftl *f, unsigned stream)
{
	return lacks_room(f, stream) ||
	       (f->config.spare_high && f->free.n <= f->reserve + f->config.spare_high);
}

bool collect_room(struct ftl *f, unsigned stream)
{
	uint32_t barren = 0;

	if (starts(f, stream)) {
		do {
			uint32_t victim = choose(f, &barren);

			if (victim == NO_BLOCK || !fits(f, valid_pages(f, victim))) {
				f->dead = lacks_room(f, stream);
				break;
			}
			collect(f, victim, FTL_GC);
			if (f->wear.blocks)
				level_wear(f);
		} while (continues(f, stream));
	}
	if (!f->dead && f->streams[stream].next == f->config.pages_per_block)
		open_block(f, &f->streams[stream]);
	return !f->dead;
}

bool collect_reserve(struct ftl *f)
{
	uint32_t barren = 0;

	while (!f->dead && f->free.n < f->reserve) {
		uint32_t victim = choose(f, &barren);

		f->dead = victim == NO_BLOCK || !collect_block(f, victim, FTL_GC);
	}
	return !f->dead;
}

bool collect_background(struct ftl *f)
{
	uint32_t victim = collect_reserve(f) ? victim_pick(f) : NO_BLOCK;

	if (victim == NO_BLOCK || valid_pages(f, victim) == f->config.pages_per_block ||
	    !collect_block(f, victim, FTL_GC))
		return false;
	if (f->wear.blocks)
		level_wear(f);
	(void)!collect_reserve(f); /* the victim may have worn out */
	return true;
}

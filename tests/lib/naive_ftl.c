/* SPDX-License-Identifier: MIT */
#include "lib/naive_ftl.h"

#include <assert.h>
#include <stdlib.h>

struct naive_block {
	uint32_t *pages; /* logical page programmed to each, in order */
	bool *valid;
	uint32_t programmed;
	uint32_t erases;
	unsigned stream; /* that programmed it last */
	uint64_t freed;	 /* when it became free, filled, and came to its count of valid pages: */
	uint64_t filled; /* numbers that count up with each such event */
	uint64_t arrived;
	uint64_t filled_at; /* host writes */
	bool moving;	    /* it is being collected */
	bool in_window;	    /* of windowed: among the W that were filled first */
};

struct naive_ftl {
	struct ftl_config config;
	struct naive_block *blocks;
	struct naive_block *open[2 * FTL_CLASSES_MAX]; /* NULL: none */
	uint64_t events, writes, collected;
};

static uint32_t count_valid(const struct naive_ftl *f, const struct naive_block *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->config.pages_per_block; i++)
		n += i < b->programmed && b->valid[i];
	return n;
}

static bool is_full(const struct naive_ftl *f, const struct naive_block *b)
{
	return b->programmed == f->config.pages_per_block;
}

static bool is_free(const struct naive_ftl *f, const struct naive_block *b)
{
	for (unsigned s = 0; s < 2 * FTL_CLASSES_MAX; s++)
		if (f->open[s] == b)
			return false;
	return !b->programmed && !b->moving;
}

static uint32_t count_free(const struct naive_ftl *f)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->config.blocks; i++)
		n += is_free(f, &f->blocks[i]);
	return n;
}

static uint32_t freed_later(const struct naive_ftl *f, const struct naive_block *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->config.blocks; i++)
		n += is_free(f, &f->blocks[i]) && f->blocks[i].freed > b->freed;
	return n;
}

/* The block that became free last, of the same stream if one is among as many as the reserve has.
 */
static struct naive_block *take_free(struct naive_ftl *f, unsigned stream)
{
	struct naive_block *last = NULL, *own = NULL;

	for (uint32_t i = 0; i < f->config.blocks; i++) {
		struct naive_block *b = &f->blocks[i];

		if (!is_free(f, b))
			continue;
		if (!last || b->freed > last->freed)
			last = b;
		if (b->stream == stream && freed_later(f, b) < ftl_reserve_blocks(&f->config) &&
		    (!own || b->freed > own->freed))
			own = b;
	}
	assert(last);
	return own ? own : last;
}

static unsigned class_of_page(const struct naive_ftl *f, uint32_t page)
{
	unsigned class = 0;

	while (class + 1 < f->config.classes && page >= f->config.class_end[class])
		class ++;
	return class;
}

/* Full blocks enter the window in the order in which they were filled, and leave it as victims. */
static void fill_window(struct naive_ftl *f)
{
	for (;;) {
		struct naive_block *first = NULL;
		uint32_t n = 0;

		for (uint32_t i = 0; i < f->config.blocks; i++) {
			struct naive_block *b = &f->blocks[i];

			n += b->in_window;
			if (is_full(f, b) && !b->in_window && (!first || b->filled < first->filled))
				first = b;
		}
		if (!first || n >= f->config.victim.argument)
			return;
		first->in_window = true;
		first->arrived = f->events++;
	}
}

static void program(struct naive_ftl *f, unsigned stream, uint32_t page)
{
	struct naive_block *b = f->open[stream] ? f->open[stream] : take_free(f, stream);

	f->open[stream] = b;
	b->stream = stream;
	b->pages[b->programmed] = page;
	b->valid[b->programmed++] = true;
	if (!is_full(f, b))
		return;
	b->filled = b->arrived = f->events++;
	b->filled_at = f->writes;
	f->open[stream] = NULL;
	if (f->config.victim.policy == VICTIM_WINDOWED)
		fill_window(f);
}

static double gain(const struct naive_ftl *f, const struct naive_block *b)
{
	double valid = count_valid(f, b), all = f->config.pages_per_block;

	if (valid == 0)
		return 1e300;
	return (double)(f->writes - b->filled_at) * (all - valid) / valid;
}

/* Is x the better victim? */
static bool is_better(const struct naive_ftl *f, const struct naive_block *x,
		      const struct naive_block *y)
{
	uint32_t a = count_valid(f, x), b = count_valid(f, y);

	switch (f->config.victim.policy) {
	case VICTIM_FIFO:
		return x->filled < y->filled;
	case VICTIM_COST_BENEFIT:
		if (gain(f, x) != gain(f, y))
			return gain(f, x) > gain(f, y);
		return a != b			      ? a < b
		       : x->filled_at != y->filled_at ? x->filled_at < y->filled_at
						      : x < y;
	default:
		if (a != b)
			return a < b;
		return f->config.victim.ties == TIES_NEWEST ? x->arrived > y->arrived
							    : x->arrived < y->arrived;
	}
}

/* The policy's victim; the emptiest of all after so many without gain as there are blocks. */
static struct naive_block *choose(const struct naive_ftl *f, uint32_t barren)
{
	struct naive_block *victim = NULL;
	bool any = barren >= f->config.blocks;

	for (uint32_t i = 0; i < f->config.blocks; i++) {
		struct naive_block *b = &f->blocks[i];

		if (!is_full(f, b) ||
		    (f->config.victim.policy == VICTIM_WINDOWED && !b->in_window && !any))
			continue;
		if (!victim ||
		    (any ? count_valid(f, b) < count_valid(f, victim) : is_better(f, b, victim)))
			victim = b;
	}
	return victim;
}

/* False where nothing can be gained. */
static bool collect(struct naive_ftl *f, uint32_t *barren)
{
	struct naive_block *victim = choose(f, *barren);

	if (!victim)
		return false;
	if (count_valid(f, victim) < f->config.pages_per_block)
		*barren = 0;
	else if ((*barren)++ >= f->config.blocks || f->config.victim.policy == VICTIM_GREEDY)
		return false;
	victim->in_window = false;
	victim->moving = true;
	victim->programmed = 0; /* no candidate while its pages move; they stand where they are */
	if (f->config.victim.policy == VICTIM_WINDOWED)
		fill_window(f);
	for (uint32_t i = 0; i < f->config.pages_per_block; i++) {
		unsigned class;

		if (!victim->valid[i])
			continue;
		class = class_of_page(f, victim->pages[i]);
		program(f, f->config.separate_gc ? 2 * class + 1 : class, victim->pages[i]);
		victim->valid[i] = false;
		f->collected++;
	}
	victim->erases++;
	victim->moving = false;
	victim->freed = f->events++;
	return true;
}

static void invalidate(struct naive_ftl *f, uint32_t page)
{
	for (uint32_t i = 0; i < f->config.blocks; i++) {
		struct naive_block *b = &f->blocks[i];

		for (uint32_t j = 0; j < b->programmed; j++) {
			if (!b->valid[j] || b->pages[j] != page)
				continue;
			b->valid[j] = false;
			b->arrived = f->events++;
			return;
		}
	}
}

void naive_ftl_trim(struct naive_ftl *f, uint32_t page)
{
	invalidate(f, page);
}

void naive_ftl_write(struct naive_ftl *f, uint32_t page)
{
	unsigned class = class_of_page(f, page), stream = f->config.separate_gc ? 2 * class : class;
	uint32_t reserve = ftl_reserve_blocks(&f->config), barren = 0;

	if (!f->open[stream] && count_free(f) <= reserve + f->config.spare_low) {
		do
			if (!collect(f, &barren))
				break;
		while ((!f->open[stream] && count_free(f) <= reserve) ||
		       (f->config.spare_high && count_free(f) <= reserve + f->config.spare_high));
	}
	if (!f->open[stream])
		f->open[stream] = take_free(f, stream);
	invalidate(f, page);
	f->writes++;
	program(f, stream, page);
}

struct naive_ftl *naive_ftl_new(const struct ftl_config *c)
{
	struct naive_ftl *f = calloc(1, sizeof(*f));

	assert(f);
	f->config = *c;
	f->blocks = calloc(c->blocks, sizeof(*f->blocks));
	assert(f->blocks);
	for (uint32_t i = c->blocks; i-- > 0;) {
		f->blocks[i].pages = calloc(c->pages_per_block, sizeof(uint32_t));
		f->blocks[i].valid = calloc(c->pages_per_block, sizeof(bool));
		assert(f->blocks[i].pages && f->blocks[i].valid);
		f->blocks[i].freed = f->events++;
	}
	return f;
}

void naive_ftl_free(struct naive_ftl *f)
{
	for (uint32_t i = 0; i < f->config.blocks; i++) {
		free(f->blocks[i].pages);
		free(f->blocks[i].valid);
	}
	free(f->blocks);
	free(f);
}

uint64_t naive_ftl_collected(const struct naive_ftl *f)
{
	return f->collected;
}

uint32_t naive_ftl_erase_count(const struct naive_ftl *f, uint32_t block)
{
	return f->blocks[block].erases;
}

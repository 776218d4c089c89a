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
	uint64_t filled_at;	    /* host writes */
	bool moving;		    /* it is being collected */
	bool in_window;		    /* of windowed: among the W that were filled first */
	bool out;		    /* bad, held back or worn out */
	uint32_t limit;		    /* erases it bears; 0: any number */
	uint32_t reads;		    /* since it was opened */
	uint64_t opened, opened_at; /* an event, and a time */
};

struct naive_ftl {
	struct ftl_config config;
	struct naive_block *blocks;
	struct naive_block *open[2 * FTL_CLASSES_MAX]; /* NULL: none */
	uint32_t *held, n_held; /* the last one takes the place of the next worn one */
	uint64_t events, writes, now;
	uint64_t programs[FTL_CAUSES];
	bool dead;
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
	return !b->programmed && !b->moving && !b->out;
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

/* Is x to be used before y? */
static bool is_next(const struct naive_ftl *f, unsigned stream, const struct naive_block *x,
		    const struct naive_block *y)
{
	const uint32_t reserve = ftl_reserve_blocks(&f->config);
	bool a = x->stream == stream && freed_later(f, x) < reserve;
	bool b = y->stream == stream && freed_later(f, y) < reserve;

	if (f->config.leveling != WEAR_LEVELING_NONE)
		return x->erases != y->erases ? x->erases < y->erases : x < y;
	if (f->config.reuse == REUSE_FIRST)
		return x->freed < y->freed;
	if (f->config.reuse == REUSE_OWN && a != b)
		return a;
	return x->freed > y->freed;
}

static struct naive_block *take_free(struct naive_ftl *f, unsigned stream)
{
	struct naive_block *next = NULL;

	for (uint32_t i = 0; i < f->config.blocks; i++) {
		struct naive_block *b = &f->blocks[i];

		if (is_free(f, b) && (!next || is_next(f, stream, b, next)))
			next = b;
	}
	assert(next);
	next->reads = 0;
	next->opened = f->events++;
	next->opened_at = f->now;
	return next;
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

static void program(struct naive_ftl *f, unsigned stream, uint32_t page, enum ftl_cause cause)
{
	struct naive_block *b = f->open[stream] ? f->open[stream] : take_free(f, stream);

	f->open[stream] = b;
	b->stream = stream;
	b->pages[b->programmed] = page;
	b->valid[b->programmed++] = true;
	f->programs[cause]++;
	if (f->config.stripe && (b->programmed % f->config.stripe == 0 || is_full(f, b)))
		f->programs[FTL_PARITY]++;
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

static bool fits(const struct naive_ftl *f, const struct naive_block *victim)
{
	const struct naive_block *open = f->open[f->config.separate_gc ? 1 : 0];
	uint32_t room = count_free(f) * f->config.pages_per_block;

	if (f->config.classes > 1)
		return count_free(f) >= f->config.classes;
	return room + (open ? f->config.pages_per_block - open->programmed : 0) >=
	       count_valid(f, victim);
}

static void erase(struct naive_ftl *f, struct naive_block *b)
{
	b->moving = false;
	if (!b->limit || ++b->erases < b->limit) {
		b->erases += !b->limit;
		b->freed = f->events++;
		return;
	}
	b->out = true;
	if (!f->n_held)
		return;
	b = &f->blocks[f->held[--f->n_held]];
	b->out = false;
	b->freed = f->events++;
}

/* False where there is no room to. */
static bool move(struct naive_ftl *f, struct naive_block *victim, enum ftl_cause cause)
{
	if (!fits(f, victim))
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
		program(f, f->config.separate_gc ? 2 * class + 1 : class, victim->pages[i], cause);
		victim->valid[i] = false;
	}
	erase(f, victim);
	return true;
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
	return move(f, victim, FTL_GC);
}

static bool whole(struct naive_ftl *f)
{
	uint32_t barren = 0;

	while (!f->dead && count_free(f) < ftl_reserve_blocks(&f->config))
		f->dead = !collect(f, &barren);
	return !f->dead;
}

bool naive_ftl_collect(struct naive_ftl *f)
{
	struct naive_block *victim = whole(f) ? choose(f, 0) : NULL;

	if (!victim || count_valid(f, victim) == f->config.pages_per_block ||
	    !move(f, victim, FTL_GC))
		return false;
	whole(f);
	return true;
}

void naive_ftl_read(struct naive_ftl *f, uint32_t page)
{
	struct naive_block *b = NULL;

	for (uint32_t i = 0; i < f->config.blocks && !b; i++)
		for (uint32_t j = 0; j < f->blocks[i].programmed; j++)
			if (f->blocks[i].valid[j] && f->blocks[i].pages[j] == page)
				b = &f->blocks[i];
	if (b && ++b->reads >= f->config.read_limit && f->config.read_limit && is_full(f, b) &&
	    whole(f) && move(f, b, FTL_REFRESH))
		whole(f);
}

void naive_ftl_advance(struct naive_ftl *f, uint64_t now)
{
	struct naive_block *due;

	f->now = now;
	do {
		due = NULL;
		for (uint32_t i = 0; i < f->config.blocks && f->config.refresh_age; i++) {
			struct naive_block *b = &f->blocks[i];

			if (is_full(f, b) && now - b->opened_at >= f->config.refresh_age &&
			    (!due || b->opened < due->opened))
				due = b;
		}
	} while (whole(f) && due && move(f, due, FTL_REFRESH));
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

static bool lacks_room(const struct naive_ftl *f, unsigned stream)
{
	const uint32_t reserve = ftl_reserve_blocks(&f->config);

	return count_free(f) < reserve || (!f->open[stream] && count_free(f) == reserve);
}

bool naive_ftl_write(struct naive_ftl *f, uint32_t page)
{
	unsigned class = class_of_page(f, page), stream = f->config.separate_gc ? 2 * class : class;
	uint32_t reserve = ftl_reserve_blocks(&f->config), barren = 0;

	if (f->dead)
		return false;
	if (!f->open[stream] && count_free(f) <= reserve + f->config.spare_low) {
		do {
			if (collect(f, &barren))
				continue;
			f->dead = lacks_room(f, stream);
			break;
		} while (lacks_room(f, stream) ||
			 (f->config.spare_high && count_free(f) <= reserve + f->config.spare_high));
	}
	if (f->dead)
		return false;
	if (!f->open[stream])
		f->open[stream] = take_free(f, stream);
	invalidate(f, page);
	f->writes++;
	program(f, stream, page, FTL_HOST);
	return true;
}

/* Which blocks are bad and what each bears is drawn by the device; the first good ones in the
 * order of use from the end are held back. */
struct naive_ftl *naive_ftl_new(const struct ftl *like)
{
	const struct ftl_config *c = ftl_config_of(like);
	struct naive_ftl *f = calloc(1, sizeof(*f));

	assert(f);
	f->config = *c;
	f->blocks = calloc(c->blocks, sizeof(*f->blocks));
	f->held = calloc(c->blocks, sizeof(*f->held));
	assert(f->blocks && f->held);
	for (uint32_t i = 0; i < c->blocks; i++) {
		uint32_t block = c->reuse == REUSE_FIRST ? i : c->blocks - 1 - i;
		struct naive_block *b = &f->blocks[block];

		b->pages = calloc(c->pages_per_block, sizeof(uint32_t));
		b->valid = calloc(c->pages_per_block, sizeof(bool));
		assert(b->pages && b->valid);
		b->limit = like->limits ? like->limits[block] : 0;
		b->out = like->blocks[block].valid & BLOCK_RETIRED || f->n_held < c->held_back;
		if (b->out && !(like->blocks[block].valid & BLOCK_RETIRED))
			f->held[f->n_held++] = block;
		if (!b->out)
			b->freed = f->events++;
	}
	return f;
}

void naive_ftl_free(struct naive_ftl *f)
{
	for (uint32_t i = 0; i < f->config.blocks; i++) {
		free(f->blocks[i].pages);
		free(f->blocks[i].valid);
	}
	free(f->held);
	free(f->blocks);
	free(f);
}

uint64_t naive_ftl_programs(const struct naive_ftl *f, enum ftl_cause cause)
{
	return f->programs[cause];
}

uint32_t naive_ftl_erase_count(const struct naive_ftl *f, uint32_t block)
{
	return f->blocks[block].erases;
}

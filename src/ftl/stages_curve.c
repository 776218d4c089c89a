/* SPDX-License-Identifier: MIT */
#include "ftl/stages_curve.h"

#include <errno.h>
#include <stdlib.h>

void stages_curve_release(struct stages_curve *c)
{
	free(c->points);
	*c = (struct stages_curve){ 0 };
}

int stages_curve_stage(struct stages_curve *c, uint16_t stage, uint64_t at_ns, uint64_t interval_ns,
		       uint32_t most, const struct curve_state *s)
{
	if (c->n + most > c->room) {
		struct curve_point *p = realloc(c->points, (c->n + most) * sizeof(*p));

		if (!p)
			return -ENOMEM;
		c->points = p;
		c->room = c->n + most;
	}
	c->first = c->n;
	c->most = most;
	c->interval_ns = interval_ns;
	c->now = (struct curve_point){ .start_ns = at_ns,
				       .end_ns = at_ns + interval_ns,
				       .stage = stage };
	c->before = *s;
	return 0;
}

static void join(struct curve_point *to, const struct curve_point *p)
{
	to->end_ns = p->end_ns;
	to->written_bytes += p->written_bytes;
	to->read_bytes += p->read_bytes;
	to->requests += p->requests;
	to->pages += p->pages;
	to->programs += p->programs;
	to->free_blocks = p->free_blocks;
	to->cached_pages = p->cached_pages;
}

static void thin(struct stages_curve *c)
{
	struct curve_point *p = c->points + c->first;

	for (uint32_t i = 0; i < c->most / 2; i++) {
		p[i] = p[2 * i];
		join(&p[i], &p[2 * i + 1]);
	}
	c->n -= c->most / 2;
	c->interval_ns *= 2;
}

static void keep(struct stages_curve *c, const struct curve_state *s)
{
	const struct curve_point *p = &c->now;

	if (c->n - c->first == c->most)
		thin(c);
	c->points[c->n++] = (struct curve_point){
		.start_ns = p->start_ns * c->scale,
		.end_ns = p->end_ns * c->scale,
		.written_bytes = p->written_bytes * c->scale,
		.read_bytes = p->read_bytes * c->scale,
		.requests = p->requests * c->scale,
		.pages = (s->pages - c->before.pages) * c->scale,
		.programs = (s->programs - c->before.programs) * c->scale,
		.free_blocks = s->free_blocks,
		.cached_pages = (uint32_t)(s->cached_pages * c->scale),
		.stage = p->stage,
	};
	c->before = *s;
}

void stages_curve_advance(struct stages_curve *c, uint64_t at_ns, const struct curve_state *s)
{
	while (at_ns >= c->now.end_ns) {
		uint64_t end = c->now.end_ns;
		uint16_t stage = c->now.stage;

		keep(c, s);
		c->now = (struct curve_point){ .start_ns = end,
					       .end_ns = end + c->interval_ns,
					       .stage = stage };
	}
}

void stages_curve_finish(struct stages_curve *c, uint64_t at_ns, const struct curve_state *s)
{
	const bool rest = c->n > c->first && at_ns - c->now.start_ns < c->interval_ns / 2;

	if (at_ns <= c->now.start_ns)
		return;
	c->now.end_ns = at_ns;
	keep(c, s);
	c->now.start_ns = at_ns;
	if (rest && c->n - c->first > 1) { /* too short to say anything of its own */
		join(&c->points[c->n - 2], &c->points[c->n - 1]);
		c->n--;
	}
}

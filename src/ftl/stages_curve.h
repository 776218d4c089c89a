/* SPDX-License-Identifier: MIT */
#ifndef FTL_STAGES_CURVE_H
#define FTL_STAGES_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

/*
 * The ageing curve: what a drive did in each interval of time. A stage never has more points than
 * asked for: at the limit two neighbours become one, and intervals are twice as long from then on.
 */
struct curve_point {
	uint64_t start_ns, end_ns;
	uint64_t written_bytes, read_bytes;
	uint64_t requests;		    /* reads and writes that ended within it */
	uint64_t pages;			    /* that the host's writes took */
	uint64_t programs;		    /* pages programmed, for whatever cause */
	uint32_t free_blocks, cached_pages; /* at its end */
	uint16_t stage;
};

/* Running totals of a drive. */
struct curve_state {
	uint64_t pages, programs;
	uint32_t free_blocks, cached_pages;
};

struct stages_curve {
	struct curve_point *points;
	uint32_t n, room;
	uint32_t first, most; /* of the present stage: its first point, how many it may have */
	uint64_t scale;	      /* what is kept is so many times what is added */
	uint64_t interval_ns; /* of the present stage */
	struct curve_point now;
	struct curve_state before; /* at its start */
};

void stages_curve_release(struct stages_curve *c);

/*
 * From now on the points are of this stage, in intervals of this length; most: even. -ENOMEM, with
 * nothing changed. A curve begins as all zero, with its scale.
 */
int stages_curve_stage(struct stages_curve *c, uint16_t stage, uint64_t at_ns, uint64_t interval_ns,
		       uint32_t most, const struct curve_state *s) MUST_USE;

/* Is a point due before something that happens at this time is added? */
static inline bool stages_curve_due(const struct stages_curve *c, uint64_t at_ns)
{
	return at_ns >= c->now.end_ns;
}

/* End all intervals that end before or at this time. */
void stages_curve_advance(struct stages_curve *c, uint64_t at_ns, const struct curve_state *s);

/* A request ended within the present interval. */
static inline void stages_curve_add(struct stages_curve *c, uint64_t written, uint64_t read)
{
	c->now.requests++;
	c->now.written_bytes += written;
	c->now.read_bytes += read;
}

/* End the present interval before its time; a short rest joins the one before. */
void stages_curve_finish(struct stages_curve *c, uint64_t at_ns, const struct curve_state *s);

#endif

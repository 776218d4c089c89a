/* SPDX-License-Identifier: MIT */
#ifndef FTL_TIMING_H
#define FTL_TIMING_H

#include "ftl/drive_model.h"

/*
 * The parts of a drive that do one thing after the other, each with the time at which it is free
 * again: the link, the controller, each channel, each die. What comes to one of them waits for its
 * turn, in the order of the calls.
 *
 * Programs go to the dies in turn. A written page waits in the write buffer until as many have come
 * as a die programs at once; a request ends when its pages are in the buffer, and the buffer has
 * room again when a program ends. Without a buffer a request ends with its programs.
 *
 * A read goes before programs that wait, and waits for the one that runs. Work in the background
 * (moving pages, folding, erasing) is spread over all dies and channels evenly.
 */

/* An area whose flash is read and programmed with its own times: the main area, the cache. */
struct timing_area {
	uint64_t read_ns, program_ns;
	uint64_t unit_share; /* of a program, in millionths of a page before compression */
	uint64_t unit_transfer_ns;
	uint64_t gathered; /* millionths of a page that wait in the buffer */
	uint64_t moved;	   /* ... and of background work that are not a whole program yet */
	uint64_t ready_ns; /* when the last of the gathered pages was there */
};

enum timing_areas { AREA_MAIN, AREA_CACHE, TIMING_AREAS };

/* Work in the background, as it is charged. */
struct timing_work {
	uint64_t reads;	   /* flash pages read */
	uint64_t moved;	   /* map pages that go over a channel */
	uint64_t programs; /* map pages programmed */
	uint64_t erase_ns; /* of a die, for all that is erased */
	enum timing_areas from, to;
};

/*
 * Work in the background that dies, or channels, do between the programs to come: each has its
 * equal share to do.
 */
struct timing_owed {
	uint64_t work;	/* all so far */
	uint64_t share; /* of each */
	uint64_t *done; /* of its share */
	unsigned n;
};

struct timing {
	struct drive_model model;
	uint32_t page_bytes;
	uint64_t page_channel_ns;
	struct timing_area areas[TIMING_AREAS];
	uint64_t link_free, controller_free;
	uint64_t *die_free, *channel_free;
	unsigned next_die, next_channel;
	uint64_t *ends;	   /* of the last programs, a ring: what the buffer holds */
	uint32_t ring, at; /* its size, the next place; ring 0: no buffer */
	struct timing_owed die_owed, channel_owed;
	uint64_t owed_ns;     /* when the last of it came */
	uint64_t busy_die_ns; /* of all dies so far */
};

/* -ENOMEM. The model is as drive_model_check allows. */
int timing_start(struct timing *t, const struct drive_model *m, uint32_t page_bytes) MUST_USE;
void timing_release(struct timing *t);

/* A command of the host arrives at the controller: when it is understood. */
uint64_t timing_command(struct timing *t, uint64_t at_ns);

/* The controller looks at so many blocks for a victim. */
void timing_search(struct timing *t, uint64_t at_ns, uint64_t blocks);

/*
 * bytes cross the link; what is read is there from ready_ns on. Its turn is that of at_ns, so that
 * nobody waits for data which are not there yet. Returns when the last byte is over.
 */
uint64_t timing_link(struct timing *t, uint64_t at_ns, uint64_t ready_ns, uint64_t bytes);

/*
 * n pages come to the buffer at at_ns and are programmed to an area. left: pages until background
 * work that is owed must be done. Returns when the last of them is in the buffer, or programmed
 * where there is no buffer.
 */
uint64_t timing_program(struct timing *t, enum timing_areas area, uint64_t at_ns, uint64_t n,
			uint64_t left);

/* Read one flash page of an area from a die, of which `bytes` cross its channel. */
uint64_t timing_read(struct timing *t, enum timing_areas area, uint64_t at_ns, uint64_t die,
		     uint64_t bytes);

/* Do this work from at_ns on; owed: not at once, but with the programs to come. */
void timing_work(struct timing *t, const struct timing_work *w, uint64_t at_ns, bool owed);

/* Do all that is owed. */
void timing_settle(struct timing *t);

/* When all dies have done what they were given. */
uint64_t timing_quiet(const struct timing *t);

/* Flash pages that are read to move `valid` of `pages` map pages, spread evenly. */
uint64_t timing_victim_reads(const struct timing *t, uint64_t valid, uint64_t pages,
			     uint64_t victims);

#endif

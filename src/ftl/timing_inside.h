/* SPDX-License-Identifier: MIT */
#ifndef FTL_TIMING_INSIDE_H
#define FTL_TIMING_INSIDE_H

#include "ftl/device.h"
#include "ftl/timing_buffer.h"
#include "ftl/timing_drive.h"

/* The inside of a drive in time, for its files. */

struct timed_drive {
	struct timed_config config;
	struct ftl *device;
	struct pslc cache;
	struct timing_buffer buffer;
	struct timing timing;
	struct timed_totals totals;
	uint64_t erase_ns, cache_erase_ns; /* of one of the device's blocks */
	struct ftl_totals seen;		   /* what of the device's work is charged */
	uint64_t lent_erases;		   /* of them, erases of lent blocks */
	uint64_t credit;		   /* continuous collection, in millionths of a page */
	uint64_t next_age_ns;		   /* when ages are looked at next */
	bool dead;
};

/* Pages that were read and programmed elsewhere; parity is computed, not read. */
static inline uint64_t timed_moved(const struct ftl_totals *t)
{
	return t->programs[FTL_GC] + t->programs[FTL_WEAR_LEVELING] + t->programs[FTL_REFRESH];
}

/* Has the device erased blocks or programmed parity that is not charged yet? */
static inline bool timed_has_news(const struct timed_drive *t)
{
	const struct ftl_totals *now = &t->device->totals;

	return now->erases != t->seen.erases ||
	       now->programs[FTL_PARITY] != t->seen.programs[FTL_PARITY];
}

/* Is work in the background spread over the writes that follow? */
static inline bool timed_spreads(const struct timed_drive *t)
{
	return !t->config.model.collects_at_once;
}

/* timing_charge.c: what the device did since the last time takes its time, from at_ns on. */
void timed_charge(struct timed_drive *t, uint64_t at_ns, bool owed);
/* Fold the oldest block of the cache. False at the end of life. */
bool timed_fold(struct timed_drive *t, uint64_t at_ns, bool owed);
/* Blocks that are too old are refreshed. */
void timed_age(struct timed_drive *t, uint64_t at_ns);

/* timing_read.c */
struct timed_place {
	enum timing_areas area;
	bool known;	 /* it is in use */
	uint64_t number; /* in the order in which the area is programmed */
};

struct timed_place timed_place(const struct timed_drive *t, uint32_t page);
/* Read pages from at_ns on, those that are in use: when the last one is there. */
uint64_t timed_read_pages(struct timed_drive *t, uint32_t first, uint64_t n, uint64_t at_ns);

/*
 * timing_write.c: a request of the host; *ret_ns is when its data are in the buffer, or programmed.
 * False at the end of life.
 */
bool timed_write(struct timed_drive *t, const struct request *r, uint64_t at_ns, uint64_t *ret_ns);
/* What is held back goes to the flash. */
bool timed_flush(struct timed_drive *t, uint64_t at_ns);

#endif

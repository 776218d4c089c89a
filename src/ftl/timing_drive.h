/* SPDX-License-Identifier: MIT */
#ifndef FTL_TIMING_DRIVE_H
#define FTL_TIMING_DRIVE_H

#include "ftl/pslc.h"
#include "ftl/request.h"
#include "ftl/timing.h"

/*
 * A drive in time: the flash translation layer that moves pages, a write cache before it where
 * there is one, and the hardware that takes time for it.
 */
struct timed_config {
	struct ftl_config device; /* as simulation_plan completes it; with maps; refresh_age in
				     nanoseconds */
	struct drive_model model;
	uint32_t page_bytes;
};

struct timed_totals {
	uint64_t writes, reads, trims; /* requests */
	uint64_t written_bytes, read_bytes, trimmed_bytes;
	uint64_t pages;		  /* pages that the host's writes took, partial ones too */
	uint64_t partial_pages;	  /* of them, with less than a page of the host's data ... */
	uint64_t partial_bytes;	  /* ... so much of it */
	uint64_t modified_pages;  /* read before they were written, as the rest was in use */
	uint64_t coalesced_pages; /* programmed once for several writes */
	uint64_t coalesced_bytes; /* overwritten in the write buffer, never programmed */
	uint64_t moved;		  /* pages programmed by collection, levelling, refresh, parity */
	uint64_t collected;	  /* blocks collected */
	uint64_t idle_collected;  /* ... of them in idle or continuously */
	uint64_t searched;	  /* blocks looked at to choose them */
};

struct timed_drive;

/* -EINVAL with the reason in d, -ENOMEM. */
int timed_drive_new(const struct timed_config *c, const struct ftl_memory *memory, struct diag *d,
		    struct timed_drive **ret) MUST_USE;
void timed_drive_free(struct timed_drive *t);
void timed_drive_release(struct timed_drive **t); /* for CLEANUP */

/* Bytes of memory that it takes. */
uint64_t timed_drive_memory_bytes(const struct timed_config *c);

/* Bytes that the host may address. */
uint64_t timed_drive_bytes(const struct timed_drive *t);

/* A request that comes soon: fetch what it needs from memory. Two steps, the first some 32 before.
 */
void timed_drive_expect(const struct timed_drive *t, const struct request *r);
void timed_drive_fetch(const struct timed_drive *t, const struct request *r);

/*
 * Do a request that the host begins at at_ns, not before the last one: *ret_ns is when it ends. It
 * lies within the drive. False at the end of the drive's life.
 */
bool timed_drive_submit(struct timed_drive *t, const struct request *r, uint64_t at_ns,
			uint64_t *ret_ns) MUST_USE;

/* Nothing is asked from from_ns to until_ns: folding and collection in idle. */
void timed_drive_idle(struct timed_drive *t, uint64_t from_ns, uint64_t until_ns);

const struct ftl *timed_drive_device(const struct timed_drive *t);
const struct timed_totals *timed_drive_totals(const struct timed_drive *t);
const struct pslc *timed_drive_cache(const struct timed_drive *t);
const struct timing *timed_drive_timing(const struct timed_drive *t);

/* Pages programmed for whatever cause so far, in the cache and in the main area. */
uint64_t timed_drive_programs(const struct timed_drive *t);

#endif

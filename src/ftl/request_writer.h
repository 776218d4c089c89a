/* SPDX-License-Identifier: MIT */
#ifndef FTL_REQUEST_WRITER_H
#define FTL_REQUEST_WRITER_H

#include "ftl/ftl.h"
#include "ftl/request.h"

/* What the host asked. */
struct request_totals {
	uint64_t reads, writes, trims; /* requests */
	uint64_t read_bytes, written_bytes, trimmed_bytes;
	uint64_t partial_pages;	  /* written with less than a page of the host's data ... */
	uint64_t modified_pages;  /* ... of them, read first, as the rest was in use */
	uint64_t coalesced_pages; /* that several writes filled before they were written once */
};

/*
 * Does requests on a device that has no time. A page that is written in part is read, modified and
 * written whole; a page that is trimmed in part stays. With coalesce, a page that a write ends in
 * waits for the next write: where that goes on in it, the page is written once.
 */
struct request_writer {
	struct request_source from;
	uint32_t page_bytes;
	bool coalesce;
	struct request_totals totals;
	uint32_t next_page, left_pages; /* of the write that is going on */
	bool holds, joined;		/* a page waits; more than one write filled it */
	bool flushes;			/* ... is written before what is going on */
	uint32_t flushed_page;
	uint32_t held_page, held_from, held_to; /* the bytes of it that the host wrote */
	int failed; /* negative errno of the source; -ENODATA where it ended */
};

/*
 * Until n pages are written, or n requests done: reads alone come to an end too. Needs maps; the
 * requests lie within the device. Less where the source fails or the device dies.
 */
void request_writer_run(struct request_writer *w, struct ftl *device, uint64_t n);

/* What was asked between two times. */
struct request_totals request_totals_since(const struct request_totals *now,
					   const struct request_totals *before);

#endif

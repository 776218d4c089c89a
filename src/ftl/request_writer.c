/* SPDX-License-Identifier: MIT */
#include "ftl/request_writer.h"

#include <errno.h>

#define RUN 64 /* pages that are given to the device in one go */

static bool in_use(const struct ftl *device, uint32_t page)
{
	return ftl_map_of(device)[page] != FTL_NOT_IN_USE;
}

static void note_partial(struct request_writer *w, struct ftl *device, uint32_t page)
{
	w->totals.partial_pages++;
	if (!in_use(device, page))
		return;
	w->totals.modified_pages++;
	(void)!ftl_read(device, &page, 1);
}

/* The page that waits is to be written as it is. */
static void flush(struct request_writer *w, struct ftl *device)
{
	if (!w->holds)
		return;
	note_partial(w, device, w->held_page);
	w->holds = false;
	w->flushes = true;
	w->flushed_page = w->held_page;
}

/* Where the write begins, what waits and goes before it included. */
static uint64_t join(struct request_writer *w, struct ftl *device, uint64_t offset)
{
	const uint64_t held = (uint64_t)w->held_page * w->page_bytes;

	if (w->holds && offset == held + w->held_to) {
		w->totals.coalesced_pages += !w->joined;
		w->joined = true;
		w->holds = false;
		return held + w->held_from;
	}
	w->joined = false;
	flush(w, device);
	return offset;
}

static void begin_write(struct request_writer *w, struct ftl *device, const struct request *r)
{
	const uint32_t size = w->page_bytes;
	const uint64_t end = r->offset + r->bytes, start = join(w, device, r->offset);
	uint32_t first = (uint32_t)(start / size), last = (uint32_t)((end - 1) / size);

	w->totals.writes++;
	w->totals.written_bytes += r->bytes;
	w->next_page = first;
	w->left_pages = last - first + 1;
	w->joined = w->joined && first == last;
	if (w->coalesce && end % size) {
		w->holds = true;
		w->held_page = last;
		w->held_from = first == last ? (uint32_t)(start % size) : 0;
		w->held_to = (uint32_t)(end % size);
		w->left_pages--;
	} else if (end % size) {
		note_partial(w, device, last);
	}
	if (start % size && w->left_pages && (first != last || !(end % size)))
		note_partial(w, device, first);
}

static void trim(struct request_writer *w, struct ftl *device, const struct request *r)
{
	const uint32_t size = w->page_bytes;
	uint64_t page = (r->offset + size - 1) / size, end = (r->offset + r->bytes) / size;

	flush(w, device);
	w->totals.trims++;
	w->totals.trimmed_bytes += r->bytes;
	for (; page < end; page++)
		ftl_trim(device, (uint32_t)page);
}

static void read_pages(struct request_writer *w, struct ftl *device, const struct request *r)
{
	const uint32_t size = w->page_bytes;
	uint64_t page = r->offset / size, end = (r->offset + r->bytes - 1) / size + 1;
	uint32_t pages[RUN];

	w->totals.reads++;
	w->totals.read_bytes += r->bytes;
	while (page < end) {
		uint32_t n = 0;

		while (n < RUN && page < end)
			pages[n++] = (uint32_t)page++;
		(void)!ftl_read(device, pages, n);
	}
}

static bool take_request(struct request_writer *w, struct ftl *device)
{
	struct request r;
	int got = w->from.next(w->from.state, &r);

	if (got <= 0) {
		w->failed = got < 0 ? got : -ENODATA;
		return false;
	}
	if (r.op == REQUEST_WRITE)
		begin_write(w, device, &r);
	else if (r.op == REQUEST_TRIM)
		trim(w, device, &r);
	else
		read_pages(w, device, &r);
	return true;
}

void request_writer_run(struct request_writer *w, struct ftl *device, uint64_t n)
{
	uint64_t requests = 0, most = n;
	uint32_t pages[RUN];

	while (n && requests < most && !ftl_is_dead(device)) {
		uint32_t k = w->left_pages < RUN ? w->left_pages : RUN;

		if (w->flushes) {
			w->flushes = false;
			(void)!ftl_write(device, &w->flushed_page, 1);
			n--;
			continue;
		}
		if (!k) {
			if (!take_request(w, device))
				return;
			requests++;
			continue;
		}
		k = k < n ? k : (uint32_t)n;
		for (uint32_t i = 0; i < k; i++)
			pages[i] = w->next_page + i;
		(void)!ftl_write(device, pages, k);
		w->next_page += k;
		w->left_pages -= k;
		n -= k;
	}
}

struct request_totals request_totals_since(const struct request_totals *now,
					   const struct request_totals *before)
{
	return (struct request_totals){
		.reads = now->reads - before->reads,
		.writes = now->writes - before->writes,
		.trims = now->trims - before->trims,
		.read_bytes = now->read_bytes - before->read_bytes,
		.written_bytes = now->written_bytes - before->written_bytes,
		.trimmed_bytes = now->trimmed_bytes - before->trimmed_bytes,
		.partial_pages = now->partial_pages - before->partial_pages,
		.modified_pages = now->modified_pages - before->modified_pages,
		.coalesced_pages = now->coalesced_pages - before->coalesced_pages,
	};
}

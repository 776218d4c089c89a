/* SPDX-License-Identifier: MIT */
#include "ftl/timing_inside.h"

#define CHUNK 64 /* pages that are written in one go */

/* Pages that the host can write before the device has to collect again. */
static uint64_t pages_left(const struct timed_drive *t)
{
	return t->config.device.pages_per_block - t->device->streams[0].next;
}

/* --- pages ------------------------------------------------------------------------------------ */

static void collect_continuously(struct timed_drive *t, uint64_t n, uint64_t at_ns)
{
	struct ftl *f = t->device;

	t->credit += n * t->config.model.continuous_ppm;
	while (t->credit >= (uint64_t)PPM * f->config.pages_per_block) {
		uint64_t before = timed_moved(&f->totals), moved;

		if (!collect_background(f)) {
			t->credit = 0; /* there is nothing to gain: time that is not used is lost */
			break;
		}
		moved = timed_moved(&f->totals) - before;
		t->credit -= moved * PPM;
		t->totals.idle_collected++;
		timed_charge(t, at_ns, timed_spreads(t));
	}
}

static bool write_main(struct timed_drive *t, const uint32_t *pages, uint32_t n, uint64_t at_ns,
		       uint64_t *ret_ns)
{
	uint64_t end;

	if (ftl_write(t->device, pages, n) != n)
		return false;
	if (timed_has_news(t))
		timed_charge(t, at_ns, timed_spreads(t));
	end = timing_program(&t->timing, AREA_MAIN, at_ns, n, pages_left(t));
	*ret_ns = end > *ret_ns ? end : *ret_ns;
	if (t->config.model.collection == COLLECT_CONTINUOUS)
		collect_continuously(t, n, at_ns);
	return true;
}

static bool write_cached(struct timed_drive *t, const uint32_t *pages, uint32_t n, uint64_t at_ns,
			 uint64_t *ret_ns)
{
	const bool folds = t->config.model.pslc.overflow == PSLC_FOLD_FIRST;
	uint64_t end;

	for (uint32_t i = 0; i < n; i++) {
		bool in = pslc_write(&t->cache, pages[i]);

		if (!in && folds && pslc_used(&t->cache)) {
			if (!timed_fold(t, at_ns, false))
				return false;
			in = pslc_write(&t->cache, pages[i]);
		}
		if (in) {
			end = timing_program(&t->timing, AREA_CACHE, at_ns, 1, pages_left(t));
			*ret_ns = end > *ret_ns ? end : *ret_ns;
			continue;
		}
		while (pslc_crowds(&t->cache))
			if (!timed_fold(t, at_ns, timed_spreads(t)))
				return false;
		pslc_drop(&t->cache, pages[i]);
		t->cache.totals.past++;
		if (!write_main(t, &pages[i], 1, at_ns, ret_ns))
			return false;
	}
	return true;
}

static bool write_pages(struct timed_drive *t, uint32_t first, uint64_t n, uint64_t at_ns,
			uint64_t *ret_ns)
{
	uint32_t pages[CHUNK];

	t->totals.pages += n;
	while (n) {
		uint32_t k = n < CHUNK ? (uint32_t)n : CHUNK;
		bool ok;

		for (uint32_t i = 0; i < k; i++)
			pages[i] = first + i;
		ok = t->cache.log ? write_cached(t, pages, k, at_ns, ret_ns)
				  : write_main(t, pages, k, at_ns, ret_ns);
		if (!ok)
			return false;
		first += k;
		n -= k;
	}
	return true;
}

/* --- requests --------------------------------------------------------------------------------- */

/* A page of which only a part is written: the rest is read before, where it is in use. */
static bool write_partial(struct timed_drive *t, uint32_t page, uint64_t bytes, uint64_t at_ns,
			  uint64_t *ret_ns)
{
	t->totals.partial_pages++;
	t->totals.partial_bytes += bytes;
	if (timed_place(t, page).known) {
		t->totals.modified_pages++;
		at_ns = timed_read_pages(t, page, 1, at_ns);
	}
	return write_pages(t, page, 1, at_ns, ret_ns);
}

/* The oldest page that is held leaves the buffer. */
static bool let_go(struct timed_drive *t, uint64_t at_ns, uint64_t *ret_ns)
{
	struct held_page p = timing_buffer_take(&t->buffer);
	uint64_t bytes = (uint64_t)__builtin_popcountll(p.parts) * t->buffer.part_bytes;

	if (!p.parts) /* trimmed */
		return true;
	t->totals.coalesced_pages += p.joined;
	if (p.parts == t->buffer.whole)
		return write_pages(t, p.page, 1, at_ns, ret_ns);
	return write_partial(t, p.page, bytes, at_ns, ret_ns);
}

/* A page or a part of one comes to a buffer that holds pages back. */
static bool hold(struct timed_drive *t, uint32_t page, uint64_t offset, uint64_t bytes,
		 uint64_t at_ns, uint64_t *ret_ns)
{
	uint64_t parts = timing_buffer_parts(&t->buffer, offset, bytes);
	struct held_page *p = timing_buffer_find(&t->buffer, page);

	if (p) {
		uint64_t again = (uint64_t)__builtin_popcountll(p->parts & parts);

		t->totals.coalesced_bytes += again * t->buffer.part_bytes;
		p->parts |= parts;
		p->joined = true;
		return true;
	}
	if (t->buffer.n == t->buffer.room && !let_go(t, at_ns, ret_ns))
		return false;
	timing_buffer_add(&t->buffer, page, parts);
	return true;
}

static bool write_range(struct timed_drive *t, uint32_t page, uint64_t offset, uint64_t bytes,
			uint64_t at_ns, uint64_t *ret_ns)
{
	const uint64_t size = t->config.page_bytes;

	if (!t->buffer.room)
		return offset || bytes < size ? write_partial(t, page, bytes, at_ns, ret_ns)
					      : write_pages(t, page, bytes / size, at_ns, ret_ns);
	for (; bytes; page++) {
		uint64_t k = size - offset < bytes ? size - offset : bytes;

		if (!hold(t, page, offset, k, at_ns, ret_ns))
			return false;
		bytes -= k;
		offset = 0;
	}
	return true;
}

/* Without a buffer that holds pages back: the first page's part, whole pages, the last page's part.
 */
bool timed_write(struct timed_drive *t, const struct request *r, uint64_t at_ns, uint64_t *ret_ns)
{
	const uint64_t size = t->config.page_bytes;
	uint64_t page = r->offset / size, head = r->offset % size, left = r->bytes, k;

	at_ns = timing_link(&t->timing, at_ns, at_ns, r->bytes);
	*ret_ns = at_ns;
	t->totals.writes++;
	t->totals.written_bytes += r->bytes;
	if (head) {
		k = size - head < left ? size - head : left;
		if (!write_range(t, (uint32_t)page++, head, k, at_ns, ret_ns))
			return false;
		left -= k;
	}
	k = left / size * size;
	if (k && !write_range(t, (uint32_t)page, 0, k, at_ns, ret_ns))
		return false;
	page += k / size;
	return left == k || write_range(t, (uint32_t)page, 0, left - k, at_ns, ret_ns);
}

bool timed_flush(struct timed_drive *t, uint64_t at_ns)
{
	uint64_t end = at_ns;

	while (t->buffer.n)
		if (!let_go(t, at_ns, &end))
			return false;
	return true;
}

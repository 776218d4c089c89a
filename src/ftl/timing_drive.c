/* SPDX-License-Identifier: MIT */
#include "ftl/timing_inside.h"

#include <errno.h>
#include <stdlib.h>

/* Is all of a page held in the buffer, so that the flash is not asked? */
static bool is_held(struct timed_drive *t, uint32_t page)
{
	const struct held_page *p = t->buffer.n ? timing_buffer_find(&t->buffer, page) : NULL;

	return p && p->parts == t->buffer.whole;
}

static void read_request(struct timed_drive *t, const struct request *r, uint64_t at_ns,
			 uint64_t *ret_ns)
{
	const uint64_t size = t->config.page_bytes, first = r->offset / size;
	uint64_t last = (r->offset + r->bytes - 1) / size;
	uint64_t ready = at_ns;

	if (first != last || !is_held(t, (uint32_t)first))
		ready = timed_read_pages(t, (uint32_t)first, last - first + 1, at_ns);
	*ret_ns = timing_link(&t->timing, at_ns, ready, r->bytes);
	t->totals.reads++;
	t->totals.read_bytes += r->bytes;
}

/* Only whole pages can be given up. */
static void trim_request(struct timed_drive *t, const struct request *r)
{
	const uint64_t size = t->config.page_bytes;
	uint64_t first = (r->offset + size - 1) / size, end = (r->offset + r->bytes) / size;

	for (uint64_t page = first; page < end; page++) {
		struct held_page *p = t->buffer.n ? timing_buffer_find(&t->buffer, (uint32_t)page)
						  : NULL;

		if (p)
			p->parts = 0;
		if (t->cache.where)
			pslc_drop(&t->cache, (uint32_t)page);
		ftl_trim(t->device, (uint32_t)page);
	}
	t->totals.trims++;
	t->totals.trimmed_bytes += r->bytes;
}

bool timed_drive_submit(struct timed_drive *t, const struct request *r, uint64_t at_ns,
			uint64_t *ret_ns)
{
	uint64_t begun = timing_command(&t->timing, at_ns + t->config.model.host_command_ns);
	uint64_t end = begun;

	if (t->dead)
		return false;
	if (at_ns >= t->next_age_ns)
		timed_age(t, at_ns);
	switch (r->op) {
	case REQUEST_WRITE:
		t->dead = !timed_write(t, r, begun, &end);
		break;
	case REQUEST_READ:
		read_request(t, r, begun, &end);
		break;
	case REQUEST_TRIM:
		trim_request(t, r);
		break;
	}
	*ret_ns = end;
	return !t->dead;
}

void timed_drive_expect(const struct timed_drive *t, const struct request *r)
{
	uint64_t page = r->offset / t->config.page_bytes;

	__builtin_prefetch(&t->device->map[page], 1);
	if (t->cache.where)
		__builtin_prefetch(&t->cache.where[page], 1);
}

void timed_drive_fetch(const struct timed_drive *t, const struct request *r)
{
	const struct ftl *f = t->device;
	uint32_t old = f->map[r->offset / t->config.page_bytes], block = old >> f->shift;

	if (old == NO_PAGE)
		return;
	__builtin_prefetch(&f->blocks[block], 1);
	__builtin_prefetch(
		&f->live[(size_t)block * f->live_words + (old & ((1u << f->shift) - 1)) / 64], 1);
}

/* --- beginning and end ------------------------------------------------------------------------ */

/* A block of the device may be a part of what a die erases at once, or many of them. */
static uint64_t block_erase_ns(const struct timed_config *c, uint64_t erase_ns)
{
	return (uint64_t)((unsigned __int128)erase_ns * c->device.pages_per_block * c->page_bytes /
			  c->model.erase_bytes);
}

uint64_t timed_drive_memory_bytes(const struct timed_config *c)
{
	return ftl_memory_bytes(&c->device) +
	       pslc_memory_bytes(&c->model.pslc, c->device.logical_pages, c->page_bytes) +
	       sizeof(struct timed_drive);
}

int timed_drive_new(const struct timed_config *c, const struct ftl_memory *memory, struct diag *d,
		    struct timed_drive **ret)
{
	CLEANUP(timed_drive_release) struct timed_drive *t = NULL;
	int r = drive_model_check(&c->model, c->page_bytes, d);

	if (r < 0)
		return r;
	if (c->device.counts)
		return diag_fail(d, -EINVAL, "a drive in time needs the engine 'pages'");
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->config = *c;
	t->next_age_ns = c->device.refresh_age ? 0 : UINT64_MAX;
	t->erase_ns = block_erase_ns(c, c->model.times.erase_ns);
	t->cache_erase_ns = block_erase_ns(c, c->model.pslc.erase_ns);
	r = ftl_new(&c->device, memory, d, &t->device);
	if (!r)
		r = pslc_start(&t->cache, &c->model.pslc, t->device, c->page_bytes,
			       cell_bits(c->model.cell), d);
	if (!r)
		r = timing_start(&t->timing, &c->model, c->page_bytes);
	if (!r)
		r = timing_buffer_start(&t->buffer,
					(uint32_t)(c->model.coalesce_bytes / c->page_bytes),
					c->page_bytes);
	if (r < 0)
		return r;
	*ret = t;
	t = NULL;
	return 0;
}

void timed_drive_free(struct timed_drive *t)
{
	if (!t)
		return;
	pslc_release(&t->cache);
	ftl_free(t->device);
	timing_release(&t->timing);
	timing_buffer_release(&t->buffer);
	free(t);
}

void timed_drive_release(struct timed_drive **t)
{
	timed_drive_free(*t);
}

uint64_t timed_drive_bytes(const struct timed_drive *t)
{
	return (uint64_t)t->config.device.logical_pages * t->config.page_bytes;
}

const struct ftl *timed_drive_device(const struct timed_drive *t)
{
	return t->device;
}

const struct timed_totals *timed_drive_totals(const struct timed_drive *t)
{
	return &t->totals;
}

const struct pslc *timed_drive_cache(const struct timed_drive *t)
{
	return &t->cache;
}

const struct timing *timed_drive_timing(const struct timed_drive *t)
{
	return &t->timing;
}

uint64_t timed_drive_programs(const struct timed_drive *t)
{
	const struct ftl_totals *d = &t->device->totals;

	return d->programs[FTL_HOST] + timed_moved(d) + d->programs[FTL_PARITY] +
	       t->cache.totals.programs;
}

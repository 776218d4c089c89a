/* SPDX-License-Identifier: MIT */
#include "ftl/drive_model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

static const struct {
	const char *name;
	unsigned bits;
	double read_us, program_us, erase_us;
} cells[] = {
#define X(e, name, bits, read, program, erase) { name, bits, read, program, erase },
	CELL_TYPES(X)
#undef X
};

const char *cell_text(enum cell_type cell)
{
	return cells[cell].name;
}

unsigned cell_bits(enum cell_type cell)
{
	return cells[cell].bits;
}

struct cell_times cell_times_of(enum cell_type cell)
{
	return (struct cell_times){
		.read_ns = (uint64_t)(cells[cell].read_us * 1000),
		.program_ns = (uint64_t)(cells[cell].program_us * 1000),
		.erase_ns = (uint64_t)(cells[cell].erase_us * 1000),
	};
}

int cell_parse(const char *text, enum cell_type *ret, struct diag *d)
{
	struct suggestion s = { .word = text };

	for (unsigned i = 0; i < CELL_TYPE_COUNT; i++) {
		if (!strcmp(cells[i].name, text)) {
			*ret = (enum cell_type)i;
			return 0;
		}
		suggestion_offer(&s, cells[i].name);
	}
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no cell type '%s'; did you mean %s?", text,
				 s.best);
	return diag_fail(d, -EINVAL, "there is no cell type '%s'; there are slc, mlc, tlc, qlc",
			 text);
}

const char *collection_text(enum collection collection)
{
	static const char *const names[] = {
#define X(e, name) name,
		COLLECTIONS(X)
#undef X
	};

	return names[collection];
}

void drive_model_default(enum cell_type cell, struct drive_model *ret)
{
	const uint32_t flash_page = 16384, planes = 2, pages = 256;
	struct cell_times slc = cell_times_of(CELL_SLC), own = cell_times_of(cell);

	*ret = (struct drive_model){
		.cell = cell,
		.channels = 8,
		.dies = 32,
		.flash_page_bytes = flash_page,
		.program_bytes = planes * flash_page,
		.erase_bytes = planes * pages * flash_page,
		.times = own,
		.channel_bytes_per_s = 400000000,
		.link_bytes_per_s = 550000000,
		.host_command_ns = 5000,
		.controller_command_ns = 2000,
		.programs_queued = 2,
		.flash_share_ppm = PPM,
		.collection = COLLECT_ON_DEMAND,
		.idle_delay_ns = 1000000000,
		.idle_free_ppm = 500000,
		.pslc = {
			.program_bytes = planes * flash_page,
			.read_ns = slc.read_ns,
			.program_ns = slc.program_ns,
			.erase_ns = own.erase_ns,
		},
		.scale = 1,
	};
}

static int check_flash(const struct drive_model *m, uint32_t page_bytes, struct diag *d)
{
	if (m->channels < 1 || m->channels > DRIVE_CHANNELS_MAX)
		return diag_fail(d, -EINVAL, "%u channels: 1 to %u are possible", m->channels,
				 DRIVE_CHANNELS_MAX);
	if (m->dies < m->channels || m->dies > DRIVE_DIES_MAX)
		return diag_fail(d, -EINVAL,
				 "%u dies on %u channels: %u (one a channel) to %u are possible",
				 m->dies, m->channels, m->channels, DRIVE_DIES_MAX);
	if (m->flash_page_bytes < page_bytes || m->flash_page_bytes % page_bytes)
		return diag_fail(d, -EINVAL,
				 "flash pages of %u bytes do not hold whole pages of %u bytes; "
				 "%u is possible",
				 m->flash_page_bytes, page_bytes,
				 m->flash_page_bytes < page_bytes
					 ? page_bytes
					 : m->flash_page_bytes / page_bytes * page_bytes);
	if (m->program_bytes < m->flash_page_bytes || m->program_bytes % m->flash_page_bytes)
		return diag_fail(d, -EINVAL,
				 "programs of %u bytes are not whole flash pages of %u bytes; %u "
				 "is possible",
				 m->program_bytes, m->flash_page_bytes,
				 m->program_bytes < m->flash_page_bytes
					 ? m->flash_page_bytes
					 : m->program_bytes / m->flash_page_bytes *
						   m->flash_page_bytes);
	if (m->erase_bytes < m->program_bytes)
		return diag_fail(
			d, -EINVAL,
			"erases of %u bytes, less than one program; at least %u are needed",
			m->erase_bytes, m->program_bytes);
	if (!m->times.read_ns || !m->times.program_ns || !m->times.erase_ns)
		return diag_fail(d, -EINVAL,
				 "reading, programming and erasing take time: 1 ns at least");
	return 0;
}

static int check_pslc(const struct drive_model *m, struct diag *d)
{
	const struct pslc_config *p = &m->pslc;

	if (p->mode == PSLC_NONE)
		return 0;
	if (m->cell == CELL_SLC)
		return diag_fail(d, -EINVAL, "a drive of SLC needs no cache of SLC: leave it out");
	if (!p->read_ns || !p->program_ns || !p->erase_ns)
		return diag_fail(d, -EINVAL,
				 "reading, programming and erasing the cache takes "
				 "time: 1 ns at least");
	if (p->program_bytes < m->flash_page_bytes || p->program_bytes % m->flash_page_bytes)
		return diag_fail(d, -EINVAL,
				 "programs of %u bytes in the cache are not whole flash pages of "
				 "%u bytes; %u is possible",
				 p->program_bytes, m->flash_page_bytes, m->flash_page_bytes);
	if (p->held_bytes > p->bytes)
		return diag_fail(d, -EINVAL,
				 "idle folding would stop at %llu bytes, more than the cache "
				 "holds; at most %llu are possible",
				 (unsigned long long)p->held_bytes, (unsigned long long)p->bytes);
	return 0;
}

int drive_model_check(const struct drive_model *m, uint32_t page_bytes, struct diag *d)
{
	int r = check_flash(m, page_bytes, d);

	if (!r)
		r = check_pslc(m, d);
	if (r < 0)
		return r;
	if (!m->channel_bytes_per_s || !m->link_bytes_per_s)
		return diag_fail(d, -EINVAL,
				 "a channel or link that moves nothing: 1 byte a "
				 "second at least");
	if (!m->flash_share_ppm || m->flash_share_ppm > 2 * PPM)
		return diag_fail(d, -EINVAL,
				 "data of %g of their size on flash: more than 0 and up to 2 are "
				 "possible",
				 m->flash_share_ppm / 1e6);
	if (m->coalesce_bytes / page_bytes > COALESCED_PAGES_MAX)
		return diag_fail(d, -EINVAL,
				 "%llu bytes of writes held back: at most %llu are possible",
				 (unsigned long long)m->coalesce_bytes,
				 (unsigned long long)COALESCED_PAGES_MAX * page_bytes);
	if (m->idle_free_ppm > PPM)
		return diag_fail(d, -EINVAL,
				 "idle collection cannot free more than all of the "
				 "spare: a share of 1 at most");
	if (m->scale < 1)
		return diag_fail(d, -EINVAL,
				 "a model of a part of the drive needs a scale of 1 "
				 "(the whole) or more");
	return 0;
}

uint64_t transfer_ns(uint64_t bytes, uint64_t bytes_per_s)
{
	return (uint64_t)(((unsigned __int128)bytes * 1000000000 + bytes_per_s - 1) / bytes_per_s);
}

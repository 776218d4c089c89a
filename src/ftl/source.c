/* SPDX-License-Identifier: MIT */
#include "ftl/source.h"

#include <errno.h>

/* JESD219: requests of 4 KiB and more begin at multiples of it, smaller ones within. */
#define JESD219_PLACE 4096

/* The largest request, which must fit. */
static uint64_t largest(const struct workload *w, const struct request_mix *mix)
{
	uint64_t most = mix->bytes;

	if (w->kind == WORKLOAD_JESD219)
		return JESD219_BYTES_MAX;
	for (size_t i = 0; w->kind == WORKLOAD_SIZES && i < mix->table.n; i++)
		if (!i || mix->table.rows[i].bytes > most)
			most = mix->table.rows[i].bytes;
	return most;
}

static int check_groups(const struct writer *w, struct diag *d)
{
	char text[WORKLOAD_TEXT_MAX];

	for (unsigned i = 0; i < w->groups; i++)
		if (w->end[i] <= (i ? w->end[i - 1] : 0))
			return diag_fail(d, -EINVAL, "%u places for requests are too few for %s",
					 w->pages, workload_text(&w->workload, text));
	return 0;
}

int source_start(struct source *s, const struct workload *w, const struct request_mix *mix,
		 uint64_t capacity, uint64_t seed, struct diag *d)
{
	const uint64_t most = largest(w, mix);
	unsigned long long places, needed = mix->start + most, align;

	if (mix->start >= capacity || capacity - mix->start < most)
		return diag_fail(
			d, -EINVAL,
			"a request of %llu bytes from byte %llu on is beyond the %llu bytes "
			"that hold data; a drive of %llu bytes at least is needed",
			(unsigned long long)most, (unsigned long long)mix->start,
			(unsigned long long)capacity, needed);
	*s = (struct source){ .mix = *mix, .bytes = capacity - mix->start };
	s->place_bytes = w->kind == WORKLOAD_JESD219 ? JESD219_PLACE : mix->align;
	if (!s->place_bytes)
		s->place_bytes = mix->bytes;
	/* with a table every row has places of its own */
	places = w->kind == WORKLOAD_SIZES ? 1 : (s->bytes - most) / s->place_bytes + 1;
	align = s->bytes / UINT32_MAX + 1;
	if (places > UINT32_MAX)
		return diag_fail(
			d, -EINVAL,
			"an alignment of %llu bytes gives more than 32 bits of places; %llu "
			"is possible",
			(unsigned long long)s->place_bytes, align);
	writer_start(&s->writer, w, (uint32_t)places, 1, seed);
	rng_seed(&s->random, seed, 6);
	return check_groups(&s->writer, d);
}

static enum request_op draw_op(struct source *s)
{
	double u;

	if (s->mix.reads <= 0 && s->mix.trims <= 0)
		return REQUEST_WRITE;
	u = rng_unit(&s->random);
	if (u < s->mix.reads)
		return REQUEST_READ;
	return u < s->mix.reads + s->mix.trims ? REQUEST_TRIM : REQUEST_WRITE;
}

static const struct access_row *draw_row(struct source *s)
{
	const struct access_table *t = &s->mix.table;
	double u = rng_unit(&s->random);
	size_t i = 0;

	for (; i + 1 < t->n && u >= t->rows[i].share; i++)
		u -= t->rows[i].share;
	return &t->rows[i];
}

/* A row's request goes on where the last one of its operation ended, or anywhere. */
static void from_table(struct source *s, struct request *r)
{
	const struct access_row *row = draw_row(s);
	uint64_t offset = s->after[row->op], places = (s->bytes - row->bytes) / row->align + 1;

	if (!row->sequential)
		offset = rng_below(&s->random, places) * row->align;
	else if (offset > s->bytes - row->bytes)
		offset = 0;
	s->after[row->op] = offset + row->bytes;
	*r = (struct request){ .op = row->op, .offset = offset, .bytes = row->bytes };
}

int source_next(void *source, struct request *ret)
{
	struct source *s = source;
	struct request r = { 0 };
	uint32_t place;

	if (s->writer.workload.kind == WORKLOAD_SIZES) {
		from_table(s, &r);
	} else {
		r.op = draw_op(s);
		r.bytes = s->writer.workload.kind == WORKLOAD_JESD219
				  ? jesd219_size(&s->writer.random)
				  : s->mix.bytes;
		place = writer_place(&s->writer);
		r.offset = place * s->place_bytes;
	}
	r.offset += s->mix.start;
	*ret = r;
	return 1;
}

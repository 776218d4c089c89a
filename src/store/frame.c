/* SPDX-License-Identifier: MIT */
#include "store/frame.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"

static_assert(FACT_COUNT < 63, "a sample's bitmap and its flag are one number of 64 bits");

/*
 * Units that drives count bytes and percent in: 1000 blocks of 512 bytes (NVMe), powers of two,
 * decimal units. Only the size of the database depends on them.
 */
static const uint64_t steps[] = {
	1 << 30, 1000000000, 1 << 25, 1 << 20, 1000000, 512000, 1000, 512
};

static uint64_t step_of(int64_t base)
{
	for (size_t i = 0; i < ARRAY_SIZE(steps) && base; i++)
		if (base % (int64_t)steps[i] == 0)
			return steps[i];
	return 1;
}

static const struct {
	enum protocol protocol;
	const char *name;
} protocols[] = {
	{ PROTOCOL_UNKNOWN, "" },
	{ PROTOCOL_NVME, "nvme" },
	{ PROTOCOL_ATA, "ata" },
	{ PROTOCOL_SCSI, "scsi" },
};

const char *stored_protocol(enum protocol protocol)
{
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (protocols[i].protocol == protocol)
			return protocols[i].name;
	return "";
}

enum protocol protocol_of(const char *stored)
{
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (strcmp(protocols[i].name, stored) == 0)
			return protocols[i].protocol;
	return PROTOCOL_UNKNOWN;
}

/* --- names of facts and sources -------------------------------------------------------------- */

static int load_fact_ids(struct store *s, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	char name[64];
	int err;

	if (s->has_fact_ids)
		return 0;
	memset(s->fact_ids, 0, sizeof(s->fact_ids));
	err = statement_get(s, SQL_FACTS, d, &st);
	if (err)
		return err;
	while ((err = statement_step(s, st, d)) == 1) {
		column_text(st, 1, name, sizeof(name));
		err = row_end(s, d);
		if (err)
			return err;
		if (fact_by_name(name) != FACT_NONE)
			s->fact_ids[fact_by_name(name)] = sqlite3_column_int64(st, 0);
	}
	s->has_fact_ids = !err;
	return err;
}

static int fact_row(struct store *s, enum fact_id id, struct diag *d, int64_t *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err;

	if (!s->fact_ids[id]) {
		err = statement_get(s, SQL_FACT_ADD, d, &st);
		if (err)
			return err;
		bind_text(st, 1, fact_name(id));
		err = statement_run(s, st, d);
		if (err)
			return err;
		s->fact_ids[id] = sqlite3_last_insert_rowid(s->db);
	}
	*ret = s->fact_ids[id];
	return 0;
}

static enum fact_id fact_of_row(const struct store *s, uint64_t row)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (s->fact_ids[i] && (uint64_t)s->fact_ids[i] == row)
			return (enum fact_id)i;
	return FACT_NONE;
}

static int source_row(struct store *s, const char *text, struct diag *d, int64_t *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *find = NULL;
	CLEANUP(statement_end) sqlite3_stmt *add = NULL;
	int err = statement_get(s, SQL_SOURCE_BY_TEXT, d, &find);

	if (err)
		return err;
	bind_text(find, 1, text);
	err = statement_step(s, find, d);
	if (err == 1)
		*ret = sqlite3_column_int64(find, 0);
	if (err)
		return err < 0 ? err : 0;
	err = statement_get(s, SQL_SOURCE_ADD, d, &add);
	if (err)
		return err;
	bind_text(add, 1, text);
	err = statement_run(s, add, d);
	if (!err)
		*ret = sqlite3_last_insert_rowid(s->db);
	return err;
}

static int source_text(struct store *s, uint64_t row, struct diag *d, char ret[FACT_SOURCE_MAX])
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_SOURCE, d, &st);

	if (err)
		return err;
	bind_number(st, 1, (int64_t)row);
	err = statement_step(s, st, d);
	if (err < 0)
		return err;
	if (!err)
		return store_malformed(s, d, "the source of a fact is gone");
	column_text(st, 0, ret, FACT_SOURCE_MAX);
	return row_end(s, d);
}

/* --- frames ---------------------------------------------------------------------------------- */

static int read_facts(struct store *s, struct bytes b, struct diag *d, struct stored_frame *f)
{
	struct unpack u = { .left = b };
	unsigned n = (unsigned)unpack_number(&u, FACT_COUNT);
	int err = 0;

	for (unsigned i = 0; i < n && !err && !u.bad; i++) {
		enum fact_id id = fact_of_row(s, unpack_number(&u, INT64_MAX));
		unsigned quality = unpack_byte(&u), confidence = unpack_byte(&u);
		uint64_t source = unpack_number(&u, INT64_MAX);
		unsigned bound = unpack_byte(&u);

		f->facts[i].id = id;
		f->facts[i].base = unpack_signed(&u);
		f->facts[i].step = unpack_number(&u, INT64_MAX);
		if (u.bad || id == FACT_NONE || quality > QUALITY_DERIVED ||
		    confidence > CONFIDENCE_UNKNOWN || bound > BOUND_AT_MOST || !f->facts[i].step)
			return store_malformed(s, d, "the facts of a frame");
		f->frame.facts[id].quality = quality;
		f->frame.facts[id].confidence = confidence;
		f->has |= FACT_BIT(id);
		f->at_least |= bound == BOUND_AT_LEAST ? FACT_BIT(id) : 0;
		f->at_most |= bound == BOUND_AT_MOST ? FACT_BIT(id) : 0;
		f->nfacts = i + 1;
		err = source_text(s, source, d, f->frame.facts[id].source);
	}
	if (!err && (u.bad || u.left.len))
		return store_malformed(s, d, "the facts of a frame");
	return err;
}

int stored_frame_read(struct store *s, int64_t drive, int64_t number, struct diag *d,
		      struct stored_frame *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	char protocol[16];
	int err = load_fact_ids(s, d);

	if (!err)
		err = statement_get(s, SQL_FRAME, d, &st);
	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, number);
	err = statement_step(s, st, d);
	if (err < 0)
		return err;
	if (!err)
		return store_malformed(s, d, "the frame of a sample is gone");
	memset(ret, 0, sizeof(*ret));
	ret->number = number;
	column_text(st, 0, protocol, sizeof(protocol));
	ret->frame.protocol = protocol_of(protocol);
	column_text(st, 1, ret->frame.firmware, sizeof(ret->frame.firmware));
	column_text(st, 2, ret->frame.path, sizeof(ret->frame.path));
	column_text(st, 3, ret->frame.by_id, sizeof(ret->frame.by_id));
	column_text(st, 4, ret->frame.location, sizeof(ret->frame.location));
	column_text(st, 5, ret->frame.array, sizeof(ret->frame.array));
	err = row_end(s, d);
	return err ? err : read_facts(s, column_bytes(st, 6), d, ret);
}

static enum fact_bound bound_of(const struct sample *sample, enum fact_id id)
{
	if (sample->at_least & FACT_BIT(id))
		return BOUND_AT_LEAST;
	return sample->at_most & FACT_BIT(id) ? BOUND_AT_MOST : BOUND_EXACT;
}

/* Fill in ret->facts by the sample, and pack them for the column. */
static int pack_facts(struct store *s, const struct sample *sample, struct diag *d,
		      struct stored_frame *f, struct pack *p)
{
	int err = load_fact_ids(s, d);

	pack_number(p, (unsigned)__builtin_popcountll(sample->has));
	for (int i = 0; i < FACT_COUNT && !err; i++) {
		struct frame_fact *fact = &f->facts[f->nfacts];
		int64_t row = 0, source = 0;

		if (!(sample->has & FACT_BIT(i)))
			continue;
		f->nfacts++;
		*fact = (struct frame_fact){ .id = (enum fact_id)i,
					     .base = sample->values[i],
					     .step = step_of(sample->values[i]) };
		err = fact_row(s, fact->id, d, &row);
		if (!err)
			err = source_row(s, f->frame.facts[i].source, d, &source);
		pack_number(p, (uint64_t)row);
		pack_byte(p, (uint8_t)f->frame.facts[i].quality);
		pack_byte(p, (uint8_t)f->frame.facts[i].confidence);
		pack_number(p, (uint64_t)source);
		pack_byte(p, (uint8_t)bound_of(sample, fact->id));
		pack_signed(p, fact->base);
		pack_number(p, fact->step);
	}
	return !err && p->err ? store_no_memory(d) : err;
}

int stored_frame_add(struct store *s, int64_t drive, int64_t number, const struct frame *frame,
		     const struct sample *sample, struct diag *d, struct stored_frame *ret)
{
	CLEANUP(pack_release) struct pack p = { 0 };
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err;

	memset(ret, 0, sizeof(*ret));
	ret->number = number;
	ret->frame = *frame;
	ret->has = sample->has;
	ret->at_least = sample->at_least;
	ret->at_most = sample->at_most;
	err = pack_facts(s, sample, d, ret, &p);
	if (!err)
		err = statement_get(s, SQL_FRAME_ADD, d, &st);
	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, number);
	bind_text(st, 3, stored_protocol(frame->protocol));
	bind_text(st, 4, frame->firmware);
	bind_text(st, 5, frame->path);
	bind_text(st, 6, frame->by_id);
	bind_text(st, 7, frame->location);
	bind_text(st, 8, frame->array);
	bind_bytes(st, 9, pack_view(&p));
	return statement_run(s, st, d);
}

bool stored_frame_fits(const struct stored_frame *f, const struct frame *frame,
		       const struct sample *sample)
{
	if (sample->has & ~f->has || !frame_equal(&f->frame, frame))
		return false;
	for (unsigned i = 0; i < f->nfacts; i++) {
		const struct frame_fact *fact = &f->facts[i];
		int64_t difference;

		if (!(sample->has & FACT_BIT(fact->id)))
			continue;
		if (__builtin_sub_overflow(sample->values[fact->id], fact->base, &difference) ||
		    difference % (int64_t)fact->step)
			return false;
	}
	return true;
}

/* --- samples --------------------------------------------------------------------------------- */

/* From bits by fact to bits in the order of the frame. */
static uint64_t to_frame_order(const struct stored_frame *f, uint64_t bits)
{
	uint64_t ordered = 0;

	for (unsigned i = 0; i < f->nfacts; i++)
		if (bits & FACT_BIT(f->facts[i].id))
			ordered |= UINT64_C(1) << i;
	return ordered;
}

static uint64_t from_frame_order(const struct stored_frame *f, uint64_t ordered)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < f->nfacts; i++)
		if (ordered & UINT64_C(1) << i)
			bits |= FACT_BIT(f->facts[i].id);
	return bits;
}

void facts_pack(const struct stored_frame *f, const struct sample *sample, struct pack *p)
{
	bool usual = sample->has == f->has && sample->at_least == f->at_least &&
		     sample->at_most == f->at_most;
	uint64_t moved = 0;

	for (unsigned i = 0; i < f->nfacts; i++)
		if (sample->has & FACT_BIT(f->facts[i].id) &&
		    sample->values[f->facts[i].id] != f->facts[i].base)
			moved |= UINT64_C(1) << i;
	pack_clear(p);
	pack_number(p, moved << 1 | !usual);
	if (!usual) {
		pack_number(p, to_frame_order(f, sample->has));
		pack_number(p, to_frame_order(f, sample->at_least));
		pack_number(p, to_frame_order(f, sample->at_most));
	}
	for (unsigned i = 0; i < f->nfacts; i++)
		if (moved & UINT64_C(1) << i)
			pack_signed(p, (sample->values[f->facts[i].id] - f->facts[i].base) /
					       (int64_t)f->facts[i].step);
}

/* base + n steps; false where that is no 64-bit number. */
static bool add_steps(const struct frame_fact *fact, int64_t n, int64_t *ret)
{
	int64_t difference;

	return !__builtin_mul_overflow(n, (int64_t)fact->step, &difference) &&
	       !__builtin_add_overflow(fact->base, difference, ret);
}

int facts_unpack(const struct stored_frame *f, struct bytes b, struct sample *ret)
{
	struct sample sample = {
		.frame = &f->frame, .has = f->has, .at_least = f->at_least, .at_most = f->at_most
	};
	uint64_t all = (UINT64_C(1) << f->nfacts) - 1, moved;
	struct unpack u = { .left = b };

	moved = unpack_number(&u, all << 1 | 1);
	if (moved & 1) {
		sample.has = from_frame_order(f, unpack_number(&u, all));
		sample.at_least = from_frame_order(f, unpack_number(&u, all));
		sample.at_most = from_frame_order(f, unpack_number(&u, all));
	}
	for (unsigned i = 0; i < f->nfacts && !u.bad; i++) {
		const struct frame_fact *fact = &f->facts[i];
		int64_t *value = &sample.values[fact->id];

		if (!(sample.has & FACT_BIT(fact->id)))
			continue;
		*value = fact->base;
		if (moved >> 1 & UINT64_C(1) << i && !add_steps(fact, unpack_signed(&u), value))
			u.bad = true;
	}
	if (u.bad || u.left.len)
		return -EUCLEAN;
	sample.time = ret->time;
	sample.live = ret->live;
	sample.time_is_file = ret->time_is_file;
	*ret = sample;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/parse.h"

/* Units as rule files spell them. */
static const struct {
	const char *name;
	enum unit unit;
	uint64_t factor, divisor; /* stored x factor / divisor = number in unit */
} units[] = {
	{ "512 B", UNIT_BYTES, 512, 1 },
	{ "4 KiB", UNIT_BYTES, 4096, 1 },
	{ "1 MiB", UNIT_BYTES, 1 << 20, 1 },
	{ "16 MiB", UNIT_BYTES, 16 << 20, 1 },
	{ "32 MiB", UNIT_BYTES, 32 << 20, 1 },
	{ "64 MiB", UNIT_BYTES, 64 << 20, 1 },
	{ "1 GiB", UNIT_BYTES, 1 << 30, 1 },
	{ "1 GB", UNIT_BYTES, 1000000000, 1 },
	{ "cycles", UNIT_CYCLES, 1, 1 },
	{ "blocks", UNIT_BLOCKS, 1, 1 },
	{ "count", UNIT_COUNT, 1, 1 },
	{ "%", UNIT_PERCENT, 1000, 1 },
	{ "1/1024 %", UNIT_PERCENT, 1000, 1024 },
	{ "C", UNIT_CELSIUS, 1000, 1 },
	{ "hours", UNIT_HOURS, 1, 1 },
	{ "minutes", UNIT_HOURS, 1, 60 },
	{ "seconds", UNIT_HOURS, 1, 3600 },
	{ "flag", UNIT_FLAGS, 1, 1 },
};

static const struct {
	const char *name;
	enum attribute_part part;
} parts[] = {
	{ "raw", PART_RAW },
	{ "normalized", PART_NORMALIZED },
	{ "larger word", PART_LARGER_WORD },
	{ "smaller word", PART_SMALLER_WORD },
	{ "highest temperature", PART_TEMPERATURE_MAX },
};

/* An entry of "attributes" as it is written. */
struct row {
	struct attribute_meaning m;
	char fact[40], unit[16], read[24];
};

static int read_bits(const struct place *at, const cJSON *v, void *object)
{
	struct row *row = object;
	i128 first, count;

	if (cJSON_GetArraySize(v) != 2 || !json_integer(v->child, &first) ||
	    !json_integer(v->child->next, &count) || first < 0 || count < 1 || first + count > 56)
		return place_fail(at, -EINVAL,
				  "\"bits\" is not [first, count] within 56 bits of an attribute");
	row->m.bit = (uint8_t)first;
	row->m.bits = (uint8_t)count;
	return 0;
}

#define ROW(member)  KEY_AT(struct row, member)
#define MEAN(member) KEY_AT(struct row, m.member)

static const struct key keys[] = {
	{ "id", KEY_UNSIGNED, KEY_REQUIRED, MEAN(id), KEY_NO_HAS, NULL },
	{ "plus", KEY_UNSIGNED, 0, MEAN(plus_id), KEY_NO_HAS, NULL },
	{ "name", KEY_TEXT, 0, MEAN(name), KEY_NO_HAS, NULL },
	{ "fact", KEY_TEXT, 0, ROW(fact), KEY_NO_HAS, NULL },
	{ "unit", KEY_TEXT, 0, ROW(unit), KEY_NO_HAS, NULL },
	{ "read", KEY_TEXT, 0, ROW(read), KEY_NO_HAS, NULL },
	{ "bits", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_bits },
	{ "hundredths", KEY_BOOL, 0, MEAN(fixed_point_hundredths), KEY_NO_HAS, NULL },
	{ "left_of", KEY_UNSIGNED, 0, MEAN(inverted_from), KEY_NO_HAS, NULL },
	{ "modulo_256", KEY_BOOL, 0, MEAN(modulo_256), KEY_NO_HAS, NULL },
	{ "scale", KEY_UNSIGNED, 0, MEAN(scale), KEY_NO_HAS, NULL },
	{ "floor", KEY_UNSIGNED, 0, MEAN(floor), KEY_HAS(struct row, m.has_floor), NULL },
	{ "ceiling", KEY_UNSIGNED, 0, MEAN(ceiling), KEY_HAS(struct row, m.has_ceiling), NULL },
	{ "lower_bound", KEY_BOOL, 0, MEAN(lower_bound), KEY_NO_HAS, NULL },
	{ "absent_ones", KEY_BOOL, 0, MEAN(absent_ones), KEY_NO_HAS, NULL },
	{ "absent_zero", KEY_BOOL, 0, MEAN(absent_zero), KEY_NO_HAS, NULL },
	{ "confidence", KEY_CONFIDENCE, KEY_REQUIRED, MEAN(confidence), KEY_NO_HAS, NULL },
	{ "evidence", KEY_TEXT, KEY_REQUIRED, MEAN(source), KEY_NO_HAS, NULL },
};

static int resolve_unit(const struct place *at, struct row *row)
{
	struct attribute_meaning *m = &row->m;

	if (!*row->unit)
		return place_fail(at, -EINVAL, "attribute %u: \"unit\" is missing", m->id);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(units[i].name, row->unit) != 0)
			continue;
		if (units[i].unit != fact_unit(m->fact))
			return place_fail(at, -EINVAL, "attribute %u: %s is not counted in \"%s\"",
					  m->id, row->fact, row->unit);
		m->factor = units[i].factor;
		m->divisor = units[i].divisor;
		return 0;
	}
	return place_fail(at, -EINVAL, "attribute %u: unknown unit \"%s\"", m->id, row->unit);
}

static int resolve_part(const struct place *at, struct row *row)
{
	if (!*row->read)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strcmp(parts[i].name, row->read) == 0) {
			row->m.part = parts[i].part;
			return 0;
		}
	return place_fail(at, -EINVAL, "attribute %u: cannot read \"%s\"", row->m.id, row->read);
}

static int resolve(const struct place *at, struct row *row)
{
	struct attribute_meaning *m = &row->m;
	int err;

	if (m->id == 0)
		return place_fail(at, -EINVAL, "attribute 0 does not exist");
	m->fact = FACT_NONE;
	m->factor = m->divisor = 1;
	if (!*row->fact && !*m->name)
		return place_fail(at, -EINVAL, "attribute %u has neither fact nor name", m->id);
	err = resolve_part(at, row);
	if (err || !*row->fact)
		return err;
	m->fact = fact_by_name(row->fact);
	if (m->fact == FACT_NONE)
		return place_fail(at, -EINVAL, "attribute %u: unknown fact \"%s\"", m->id,
				  row->fact);
	err = resolve_unit(at, row);
	if (err)
		return err;
	/* a countdown from 100 stops at 0, as a normalised value mostly at 1 already */
	if (m->inverted_from == 100 && !m->has_floor && !m->modulo_256) {
		m->has_floor = true;
		m->floor = m->part == PART_NORMALIZED ? 1 : 0;
	}
	if (!*m->name)
		snprintf(m->name, sizeof(m->name), "%s, %s", fact_label(m->fact), row->unit);
	return 0;
}

int family_read_attributes(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	CLEANUP(cleanup_free) void *list = NULL;
	struct row *rows;
	size_t n = 0;
	int err;

	err = objects_read(at, "attributes", v, keys, ARRAY_SIZE(keys), sizeof(struct row),
			   RULE_MEANINGS_MAX, &list, &n);
	if (err)
		return err;
	rows = list;
	f->meanings = calloc(n + 1, sizeof(*f->meanings));
	if (!f->meanings)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		err = resolve(at, &rows[i]);
		if (err)
			return err;
		f->meanings[i] = rows[i].m;
	}
	f->nmeanings = n;
	return 0;
}

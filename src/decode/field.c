/* SPDX-License-Identifier: MIT */
#include "decode/field.h"

#include <errno.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"
#include "decode/reading.h"

#define DEVSTAT_SUPPORTED ((u128)1 << 63)
#define DEVSTAT_VALID	  ((u128)1 << 62)
#define DEVSTAT_BITS	  56
#define TEXT_FIELD_MAX	  512
#define CELSIUS_ZERO	  273 /* kelvins, as NVMe tools and drives round it */

/* What the rows of one log or of one of its records have in common. */
struct place {
	const struct log_layout *layout;
	uint32_t id, sub, key;
	u128 version; /* of the layout; all ones where it has none */
};

static u128 ones(unsigned bits)
{
	return bits >= 128 ? U128_MAX : ((u128)1 << bits) - 1;
}

/* Width of a row's integer in bits. */
static unsigned width(const struct field *f)
{
	if (f->bits)
		return f->bits;
	return f->type == FIELD_DEVSTAT ? DEVSTAT_BITS : f->size * 8;
}

/* The stored integer of a numeric row; false where it says "not valid". */
static bool stored(const struct field *f, struct bytes log, u128 *ret)
{
	u128 v = 0;
	bool there = f->flags & FIELD_BIG_ENDIAN ? bytes_be(log, f->off, f->size, &v)
						 : bytes_le(log, f->off, f->size, &v);

	if (!there)
		return false;
	if (f->type == FIELD_DEVSTAT && (!(v & DEVSTAT_SUPPORTED) || !(v & DEVSTAT_VALID)))
		return false;
	*ret = v >> f->bit & ones(width(f));
	return true;
}

static bool says_absent(const struct field *f, u128 v, unsigned bits)
{
	if (v == 0 && (f->absent & ABSENT_ZERO || f->flags & FIELD_KELVIN))
		return true;
	if (f->absent_value && v == f->absent_value)
		return true;
	return v == ones(bits) && f->absent & ABSENT_ONES;
}

static bool impossible(const struct field *f, u128 v)
{
	return f->valid_max && v > f->valid_max;
}

/* x factor / divisor, saturating; the sign is kept. */
static i128 scaled(const struct field *f, i128 v, enum fact_bound *bound)
{
	u128 magnitude = v < 0 ? -(u128)v : (u128)v;
	bool saturated = false;

	magnitude = u128_scale(magnitude, f->factor ? f->factor : 1, f->divisor ? f->divisor : 1,
			       &saturated);
	if (saturated || magnitude > (u128)I128_MAX) {
		magnitude = (u128)I128_MAX;
		*bound = BOUND_AT_LEAST;
	}
	return v < 0 ? -(i128)magnitude : (i128)magnitude;
}

static bool is_signed(const struct field *f)
{
	return f->type == FIELD_SINT || f->flags & FIELD_SIGNED;
}

/* Can this row hold the number at all? Dumps say many things. */
static bool fits(const struct field *f, i128 v)
{
	u128 magnitude = v < 0 ? ~(u128)v : (u128)v;

	if (is_signed(f))
		return magnitude <= ones(width(f) - 1);
	return v >= 0 && magnitude <= ones(width(f));
}

struct value field_value(const struct field *f, i128 number)
{
	struct value value = { .kind = VALUE_ABSENT };
	unsigned bits = width(f);
	u128 v = (u128)number & ones(bits);

	if (!fits(f, number) || says_absent(f, v, bits) || impossible(f, v))
		return value;
	value.kind = VALUE_NUMBER;
	if (f->flags & FIELD_KELVIN) {
		value.number = (number - CELSIUS_ZERO) * unit_scale(UNIT_CELSIUS);
		return value;
	}
	if (f->flags & FIELD_ROUNDED_UP && v)
		value.bound = BOUND_AT_MOST;
	if (f->flags & FIELD_SATURATES && v == ones(bits))
		value.bound = BOUND_AT_LEAST;
	value.number = scaled(f, number, &value.bound);
	return value;
}

static struct value number_of(const struct field *f, struct bytes log, struct reading *r)
{
	const struct value absent = { .kind = VALUE_ABSENT };
	unsigned bits = width(f);
	u128 v;

	if (!stored(f, log, &v) || says_absent(f, v, bits))
		return absent;
	if (impossible(f, v)) {
		reading_add_problem(r, -ERANGE, "%s: %llu is impossible", f->label,
				    (unsigned long long)v);
		return absent;
	}
	if (is_signed(f) && v >> (bits - 1) & 1)
		return field_value(f, (i128)v - (i128)ones(bits) - 1);
	if (v <= (u128)I128_MAX)
		return field_value(f, (i128)v);
	return (struct value){ VALUE_NUMBER, BOUND_AT_LEAST, I128_MAX, NULL };
}

static int add_text(struct reading *r, const struct place *at, const struct field *f,
		    struct bytes b)
{
	char text[TEXT_FIELD_MAX];
	struct value value = { .kind = VALUE_TEXT, .text = text };
	size_t n = f->type == FIELD_ATA_ASCII
			   ? text_from_ata_field(text, sizeof(text), b.data, b.len & ~(size_t)1)
			   : text_from_field(text, sizeof(text), b.data, b.len);

	if (n == 0)
		value = (struct value){ .kind = VALUE_ABSENT };
	return reading_add(r, at->layout, f, at->id, at->sub, at->key, &value);
}

static int add_row(struct reading *r, const struct place *at, const struct field *f,
		   struct bytes log)
{
	const struct value absent = { .kind = VALUE_ABSENT };
	struct bytes b = bytes_slice(log, f->off, f->size);
	struct value value;

	if (f->type == FIELD_GROUP)
		return 0;
	if (b.len < f->size || f->since > at->version)
		return reading_add(r, at->layout, f, at->id, at->sub, at->key, &absent);
	if (f->bits && f->type == FIELD_RESERVED) {
		value = number_of(f, log, r);
		return reading_add(r, at->layout, f, at->id, at->sub, at->key,
				   value.number ? &value : &absent);
	}
	switch (f->type) {
	case FIELD_ASCII:
	case FIELD_ATA_ASCII:
		return add_text(r, at, f, b);
	case FIELD_HEX:
	case FIELD_RESERVED:
	case FIELD_UNKNOWN:
		if (bytes_all(b, 0))
			return reading_add(r, at->layout, f, at->id, at->sub, at->key, &absent);
		return reading_add_raw(r, at->layout, f, at->id, at->sub, at->key, b);
	default:
		value = number_of(f, log, r);
		return reading_add(r, at->layout, f, at->id, at->sub, at->key, &value);
	}
}

static const struct keyed_entry *find_entry(const struct keyed_table *t, uint32_t key)
{
	for (size_t i = 0; i < t->nentries; i++)
		if (t->entries[i].key == key)
			return &t->entries[i];
	return NULL;
}

/* A record whose key no row names: kept, in hexadecimal. */
static const struct field unknown_record = { .name = "record",
					     .label = "Record of unknown key",
					     .type = FIELD_UNKNOWN };

static int add_keyed(struct reading *r, struct place at, struct bytes log)
{
	const struct keyed_table *t = at.layout->keyed;
	int err = 0;

	for (uint32_t i = 0; i < t->count && !err; i++) {
		struct bytes record = bytes_slice(log, t->first + (size_t)i * t->stride, t->stride);
		const struct keyed_entry *entry;

		if (record.len < t->stride)
			break;
		at.key = (uint32_t)bytes_le_or0(record, t->key_off, t->key_size);
		if (at.key == 0 || at.key == (uint32_t)ones(t->key_size * 8)) {
			if (t->ends_at_zero)
				break;
			if (bytes_all(record, 0) || bytes_all(record, 0xff))
				continue;
		}
		entry = find_entry(t, at.key);
		if (!entry)
			err = reading_add_raw(r, at.layout, &unknown_record, at.id, at.sub, at.key,
					      record);
		for (unsigned n = 0; entry && n < KEYED_FIELDS_MAX && !err; n++)
			if (entry->fields[n].name)
				err = add_row(r, &at, &entry->fields[n], record);
	}
	return err;
}

static int add_records(struct reading *r, struct place at, struct bytes log)
{
	const struct record_table *t = at.layout->records;
	int err = 0;

	for (uint32_t i = 0; i < t->count && !err; i++) {
		struct bytes record = bytes_slice(log, t->first + (size_t)i * t->stride, t->stride);

		if (record.len < t->stride)
			break;
		if (t->used ? !t->used(record) : bytes_all(record, 0))
			continue;
		at.key = i;
		for (size_t n = 0; n < t->nfields && !err; n++)
			err = add_row(r, &at, &t->fields[n], record);
	}
	return err;
}

/* The value that a row of this log gave, looking back from the end of the reading. */
static const struct value *part_value(const struct reading *r, size_t first, const char *name)
{
	for (size_t i = first; i < r->nfields; i++)
		if (strcmp(r->fields[i].field->name, name) == 0)
			return r->fields[i].value.kind == VALUE_NUMBER ? &r->fields[i].value : NULL;
	return NULL;
}

static bool sum_of(const struct derived_field *df, const struct value *const *parts, i128 *ret)
{
	u128 sum = 0;
	bool saturated = false;

	for (unsigned i = 0; i < DERIVED_PARTS_MAX && df->parts[i].name; i++) {
		u128 v;

		if (!parts[i] || parts[i]->number < 0)
			return false;
		v = u128_mul((u128)parts[i]->number, df->parts[i].weight ? df->parts[i].weight : 1,
			     &saturated);
		if (saturated || v > (u128)I128_MAX - sum)
			return false;
		sum += v;
	}
	*ret = (i128)sum;
	return true;
}

/* numerator / denominator x whole; false where it means nothing or does not fit. */
static bool share_of(const struct value *const *parts, i128 whole, i128 *ret)
{
	i128 numerator, denominator;
	bool saturated = false;
	u128 v;

	if (!parts[0] || !parts[1])
		return false;
	numerator = parts[0]->number;
	denominator = parts[1]->number;
	if (numerator <= 0 || denominator <= 0 || whole < 0)
		return false;
	/* u128_scale divides by 64 bits: drop low bits of both until the divisor fits */
	while (denominator > (i128)UINT64_MAX || numerator > (i128)UINT64_MAX) {
		numerator >>= 1;
		denominator >>= 1;
	}
	if (!numerator || !denominator)
		return false;
	v = u128_scale((u128)whole, (uint64_t)numerator, (uint64_t)denominator, &saturated);
	if (saturated || v > (u128)I128_MAX)
		return false;
	*ret = (i128)v;
	return true;
}

static int add_derived(struct reading *r, const struct place *at, size_t first)
{
	int err = 0;

	for (size_t i = 0; i < at->layout->nderived && !err; i++) {
		const struct derived_field *df = &at->layout->derived[i];
		const struct value *parts[DERIVED_PARTS_MAX] = { NULL };
		struct value value = { .kind = VALUE_ABSENT };
		i128 whole = unit_scale(UNIT_RATIO);
		bool known;

		if (df->type == DERIVED_CODE)
			continue;
		for (unsigned n = 0; n < DERIVED_PARTS_MAX && df->parts[n].name; n++)
			parts[n] = part_value(r, first, df->parts[n].name);
		if (df->type == DERIVED_SUM)
			known = sum_of(df, parts, &value.number);
		else
			known = (df->type == DERIVED_RATIO ||
				 reading_number(r, df->whole_layout, df->whole_field, &whole)) &&
				share_of(parts, whole, &value.number);
		if (value.number == 0 && df->field.absent & ABSENT_ZERO)
			known = false;
		value.kind = known ? VALUE_NUMBER : VALUE_ABSENT;
		err = reading_add(r, at->layout, &df->field, at->id, at->sub, 0, &value);
	}
	return err;
}

int decode_log(const struct log_layout *layout, uint32_t id, uint32_t sub, struct bytes log,
	       struct reading *r)
{
	struct place at = { .layout = layout, .id = id, .sub = sub, .version = U128_MAX };
	size_t first = r->nfields;
	int err = 0;

	if (log.len < layout->min_size) {
		reading_add_problem(r, -ENODATA, "%s: %zu of at least %u bytes", layout->title,
				    log.len, layout->min_size);
		return 0;
	}
	if (layout->version_size &&
	    !bytes_le(log, layout->version_off, layout->version_size, &at.version))
		at.version = 0;
	for (size_t i = 0; i < layout->nfields && !err; i++)
		err = add_row(r, &at, &layout->fields[i], log);
	if (!err && layout->keyed)
		err = add_keyed(r, at, log);
	if (!err && layout->records)
		err = add_records(r, at, log);
	if (!err)
		err = add_derived(r, &at, first);
	return err;
}

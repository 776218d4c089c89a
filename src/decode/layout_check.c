/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "decode/field.h"

struct check {
	const struct log_layout *layout;
	struct diag *d;
};

static int fail(const struct check *c, const struct field *f, const char *what)
{
	return diag_fail(c->d, -EINVAL, "layout %s, row %s at %u: %s", c->layout->name,
			 f->name ? f->name : "(unnamed)", f->off, what);
}

static bool size_fits(const struct field *f)
{
	switch (f->type) {
	case FIELD_UINT:
		return f->size >= 1 && f->size <= 16;
	case FIELD_SINT:
		return f->size >= 1 && f->size <= 8;
	case FIELD_ATA_ASCII:
		return f->size >= 2 && f->size % 2 == 0;
	case FIELD_DEVSTAT:
		return f->size == 8 && f->bit == 0 && f->bits <= 56;
	default:
		return f->size >= 1;
	}
}

/* A row by itself, whatever stands around it. */
static int check_row(const struct check *c, const struct field *f)
{
	if (!f->name || !f->name[0] || !f->label || !f->label[0])
		return fail(c, f, "no name or no label");
	if (strspn(f->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(f->name))
		return fail(c, f, "the name is not lower case with underscores");
	if (!size_fits(f))
		return fail(c, f, "the size does not fit the type");
	if (f->type != FIELD_DEVSTAT && f->bits &&
	    ((f->type != FIELD_UINT && f->type != FIELD_RESERVED) || f->size > 16 ||
	     (uint32_t)f->bit + f->bits > f->size * 8))
		return fail(c, f, "the bits do not fit the bytes");
	if (field_fact(f) < FACT_NONE || (int)field_fact(f) >= FACT_COUNT)
		return fail(c, f, "no such fact");
	if (field_fact(f) != FACT_NONE && fact_unit(field_fact(f)) != f->unit)
		return fail(c, f, "the unit is not the fact's");
	if (f->flags & FIELD_KELVIN && f->unit != UNIT_CELSIUS)
		return fail(c, f, "kelvins are shown in Celsius");
	if (f->since && !c->layout->version_size)
		return fail(c, f, "it depends on a version that the layout does not have");
	return 0;
}

/*
 * Rows in order cover [0, size). A row of bits either lies in the whole row before it, or belongs
 * to a group of rows of bits over the same bytes that divides them from bit 0 to the last.
 */
static int check_cover(const struct check *c, const struct field *rows, size_t n, uint32_t size)
{
	const struct field *whole = NULL; /* the last row that is not of bits */
	uint32_t end = 0, open_bits = 0;  /* covered so far; bits of the open group still missing */
	int err;

	for (size_t i = 0; i < n; i++) {
		const struct field *f = &rows[i];
		bool bits = f->bits && f->type != FIELD_DEVSTAT;

		err = check_row(c, f);
		if (err)
			return err;
		if (bits && open_bits) {
			if (f->off + f->size != end || f->size != rows[i - 1].size ||
			    f->size * 8 - open_bits != f->bit)
				return fail(c, f, "it does not continue the bits before it");
			open_bits -= f->bits;
		} else if (bits && whole && f->off >= whole->off && f->off + f->size <= end) {
			continue;
		} else if (open_bits) {
			return fail(c, f, "bits before it are missing");
		} else if (f->off != end) {
			return fail(c, f, f->off > end ? "a gap stands before it" : "it overlaps");
		} else {
			if (bits && f->bit)
				return fail(c, f, "the first bits are missing");
			open_bits = bits ? f->size * 8 - f->bits : 0;
			end += f->size;
			whole = bits ? NULL : f;
		}
	}
	if (open_bits || end != size)
		return diag_fail(c->d, -EINVAL, "layout %s: rows cover %u of %u bytes",
				 c->layout->name, end, size);
	return 0;
}

static int check_unique(const struct check *c, const struct field *f, const char **names,
			size_t max, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp(names[i], f->name) == 0)
			return fail(c, f, "the name stands twice");
	if (*n >= max)
		return fail(c, f, "too many rows");
	names[(*n)++] = f->name;
	return 0;
}

static int check_keyed(const struct check *c, const struct keyed_table *t)
{
	int err;

	for (size_t i = 0; i < t->nentries; i++)
		for (unsigned k = 0; k < KEYED_FIELDS_MAX; k++) {
			const struct field *f = &t->entries[i].fields[k];

			if (!f->name)
				continue;
			err = check_row(c, f);
			if (err)
				return err;
			if (f->off + f->size > t->stride)
				return fail(c, f, "it leaves its record");
		}
	for (size_t i = 0; i + 1 < t->nentries; i++)
		for (size_t k = i + 1; k < t->nentries; k++)
			if (t->entries[i].key == t->entries[k].key)
				return fail(c, &t->entries[k].fields[0], "its key stands twice");
	return 0;
}

static int check_derived(const struct check *c, const struct derived_field *df)
{
	const struct log_layout *whole;
	struct field row = df->field;
	int err;

	row.size = 1; /* covers no bytes; the other checks hold */
	err = check_row(c, &row);
	if (err)
		return err;
	if (df->field.size)
		return fail(c, &df->field, "a derived row covers no bytes");
	if (df->type == DERIVED_CODE)
		return 0;
	for (unsigned i = 0; i < DERIVED_PARTS_MAX; i++)
		if (df->parts[i].name && !layout_field(c->layout, df->parts[i].name))
			return fail(c, &df->field, "a part does not exist");
	if (!df->parts[0].name || !df->parts[1].name)
		return fail(c, &df->field, "fewer than two parts");
	if (df->type != DERIVED_SHARE)
		return 0;
	whole = layout_by_name(df->whole_layout);
	if (!whole || !layout_field(whole, df->whole_field))
		return fail(c, &df->field, "the whole does not exist");
	return 0;
}

/* All names of a layout, of whatever table, differ. */
static int check_names(const struct check *c)
{
	const struct log_layout *l = c->layout;
	const char *names[1024];
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < l->nfields && !err; i++)
		err = check_unique(c, &l->fields[i], names, ARRAY_SIZE(names), &n);
	for (size_t i = 0; l->records && i < l->records->nfields && !err; i++)
		err = check_unique(c, &l->records->fields[i], names, ARRAY_SIZE(names), &n);
	for (size_t i = 0; l->keyed && i < l->keyed->nentries; i++)
		for (unsigned k = 0; k < KEYED_FIELDS_MAX && !err; k++)
			if (l->keyed->entries[i].fields[k].name)
				err = check_unique(c, &l->keyed->entries[i].fields[k], names,
						   ARRAY_SIZE(names), &n);
	for (size_t i = 0; i < l->nderived && !err; i++)
		err = check_unique(c, &l->derived[i].field, names, ARRAY_SIZE(names), &n);
	return err;
}

int layout_check(const struct log_layout *layout, struct diag *d)
{
	struct check c = { .layout = layout, .d = d };
	int err;

	if (!layout->name || !layout->title || !layout->source)
		return diag_fail(d, -EINVAL, "layout %s: no name, title or source",
				 layout->name ? layout->name : "(unnamed)");
	if (layout->min_size > layout->size)
		return diag_fail(d, -EINVAL, "layout %s: shortest log longer than its rows",
				 layout->name);
	if (layout->version_size > 8 || layout->version_off + layout->version_size > layout->size)
		return diag_fail(d, -EINVAL, "layout %s: the version stands outside", layout->name);
	err = check_cover(&c, layout->fields, layout->nfields, layout->size);
	if (!err && layout->keyed)
		err = check_keyed(&c, layout->keyed);
	if (!err && layout->records)
		err = check_cover(&c, layout->records->fields, layout->records->nfields,
				  layout->records->stride);
	for (size_t i = 0; i < layout->nderived && !err; i++)
		err = check_derived(&c, &layout->derived[i]);
	return err ? err : check_names(&c);
}

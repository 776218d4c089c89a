/* SPDX-License-Identifier: MIT */
#include "decode/reading.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

const char *protocol_name(enum protocol protocol)
{
	switch (protocol) {
	case PROTOCOL_NVME:
		return "nvme";
	case PROTOCOL_ATA:
		return "ata";
	case PROTOCOL_SCSI:
		return "scsi";
	default:
		return NULL;
	}
}

void reading_init(struct reading *r)
{
	/* done for each of millions of samples of an import */
	memset(r, 0, offsetof(struct reading, attributes));
	r->time = TIME_UNKNOWN;
	r->identity.rotational = -1;
	r->selftest_progress = -1;
}

void reading_release(struct reading *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nfields; i++)
		free(r->fields[i].value.text);
	free(r->fields);
	reading_init(r);
}

static int make_room(struct reading *r)
{
	size_t cap = r->cap ? r->cap * 2 : 256;
	struct decoded *fields;

	if (r->nfields < r->cap)
		return 0;
	if (r->nfields >= DECODED_MAX)
		return -E2BIG;
	fields = realloc(r->fields, cap * sizeof(*fields));
	if (!fields)
		return -ENOMEM;
	r->fields = fields;
	r->cap = cap;
	return 0;
}

int reading_add(struct reading *r, const struct log_layout *layout, const struct field *field,
		uint32_t id, uint32_t sub, uint32_t key, const struct value *value)
{
	struct decoded v = { layout, field, id, sub, key, *value };
	int err = make_room(r);

	if (err)
		return err;
	if (value->text) {
		v.value.text = strdup(value->text);
		if (!v.value.text)
			return -ENOMEM;
	}
	r->fields[r->nfields++] = v;
	return 0;
}

int reading_add_raw(struct reading *r, const struct log_layout *layout, const struct field *field,
		    uint32_t id, uint32_t sub, uint32_t key, struct bytes b)
{
	static const char digits[] = "0123456789abcdef";
	struct value value = { .kind = VALUE_RAW };
	CLEANUP(cleanup_free) char *text = malloc(b.len * 2 + 1);

	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < b.len; i++) {
		text[2 * i] = digits[b.data[i] >> 4];
		text[2 * i + 1] = digits[b.data[i] & 15];
	}
	text[b.len * 2] = '\0';
	value.text = text;
	return reading_add(r, layout, field, id, sub, key, &value);
}

int reading_add_number(struct reading *r, const char *layout, const char *field, uint32_t id,
		       uint32_t sub, i128 number, enum fact_bound bound)
{
	const struct log_layout *l = layout_by_name(layout);
	const struct field *f = l ? layout_field(l, field) : NULL;
	const struct value value = { .kind = VALUE_NUMBER, .bound = bound, .number = number };

	assert(l && f);
	return reading_add(r, l, f, id, sub, 0, &value);
}

const struct decoded *reading_find_nth(const struct reading *r, const char *layout,
				       const char *field, size_t n)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct decoded *v = &r->fields[i];

		if (strcmp(v->field->name, field) == 0 && strcmp(v->layout->name, layout) == 0 &&
		    n-- == 0)
			return v;
	}
	return NULL;
}

const struct decoded *reading_find(const struct reading *r, const char *layout, const char *field)
{
	return reading_find_nth(r, layout, field, 0);
}

bool reading_number(const struct reading *r, const char *layout, const char *field, i128 *ret)
{
	const struct decoded *v = reading_find(r, layout, field);

	if (!v || v->value.kind != VALUE_NUMBER)
		return false;
	*ret = v->value.number;
	return true;
}

#define DEVICE_STATISTICS 0x04

/*
 * A source is made for every fact of millions of samples: this takes a tenth of snprintf's time.
 * Truncates.
 */
struct source_text {
	char *at, *end; /* *end: the last byte, for the NUL */
};

static void put(struct source_text *t, const char *s)
{
	while (*s && t->at < t->end)
		*t->at++ = *s++;
	*t->at = '\0';
}

static void put_number(struct source_text *t, const char *before, uint32_t v)
{
	char digits[12], *d = digits + sizeof(digits) - 1;

	*d = '\0';
	do
		*--d = (char)('0' + v % 10);
	while (v /= 10);
	put(t, before);
	put(t, d);
}

/* With so many digits or more, and an h behind. */
static void put_hex(struct source_text *t, const char *before, uint32_t v, int width)
{
	char digits[12], *d = digits + sizeof(digits) - 1;

	*d = '\0';
	*--d = 'h';
	for (; v || width > 0; v >>= 4, width--)
		*--d = "0123456789ABCDEF"[v & 15];
	put(t, before);
	put(t, d);
}

/* "NVMe log C0h", "NVMe Identify 01h", "ATA log 04h page 7", ... */
static void put_log(struct source_text *t, const struct decoded *v)
{
	switch (v->layout->space) {
	case SPACE_NVME_IDENTIFY:
		put_hex(t, "NVMe Identify ", v->id, 2);
		break;
	case SPACE_NVME_LOG:
		put_hex(t, "NVMe log ", v->id, 2);
		break;
	case SPACE_ATA_IDENTIFY:
		put(t, "ATA IDENTIFY DEVICE");
		break;
	case SPACE_ATA_LOG:
		if (v->layout->id == DEVICE_STATISTICS) {
			put_number(t, "Device Statistics page ", v->layout->sub);
			break;
		}
		put_hex(t, "ATA log ", v->id, 2);
		if (v->sub)
			put_number(t, " page ", v->sub);
		break;
	case SPACE_SCSI_LOG:
		put_hex(t, "SCSI log page ", v->id, 2);
		break;
	case SPACE_SCSI_VPD:
		put_hex(t, "SCSI VPD page ", v->id, 2);
		break;
	case SPACE_SMARTCTL_JSON:
		put(t, "smartctl");
		break;
	default:
		put(t, log_space_name(v->layout->space));
	}
}

void decoded_source(const struct decoded *v, char buf[FACT_SOURCE_MAX])
{
	struct source_text t = { .at = buf, .end = buf + FACT_SOURCE_MAX - 1 };

	put_log(&t, v);
	if (v->layout->keyed && v->layout->space == SPACE_SCSI_LOG)
		put_hex(&t, ", parameter ", v->key, 4);
	else if (v->layout->keyed && v->key)
		put_hex(&t, ", key ", v->key, 2);
	else if (v->layout->space != SPACE_SMARTCTL_JSON && (v->field->size || v->field->off))
		put_number(&t, ", offset ", v->field->off);
	put(&t, " (");
	put(&t, v->field->name);
	put(&t, ")");
}

const struct attribute *reading_attribute(const struct reading *r, uint8_t id)
{
	for (size_t i = 0; i < r->nattributes; i++)
		if (r->attributes[i].id == id)
			return &r->attributes[i];
	return NULL;
}

void reading_add_problem(struct reading *r, int err, const char *fmt, ...)
{
	char text[sizeof(r->problems[0].text)];
	struct snapshot_problem *p;
	va_list ap;

	if (r->nproblems >= SNAPSHOT_PROBLEMS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	p = &r->problems[r->nproblems++];
	p->err = err;
	text_escape(p->text, sizeof(p->text), text);
}

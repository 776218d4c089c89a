/* SPDX-License-Identifier: MIT */
#include "decode/scsi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/dump.h"

/* SCSI drives: INQUIRY, VPD pages, capacity, and log pages as lists of parameters. */

#define PARAMETER_HEADER 4
#define COUNTER_SIZE	 8 /* of a counter's row; drives keep them in any length */

enum selftest_result scsi_selftest_result(unsigned code)
{
	if (code == 0)
		return SELFTEST_PASSED;
	if (code <= 2)
		return SELFTEST_ABORTED;
	if (code <= 7)
		return SELFTEST_FAILED;
	return code == 15 ? SELFTEST_RUNNING : SELFTEST_UNKNOWN;
}

const char *scsi_selftest_kind(unsigned code)
{
	static const char *const kinds[8] = {
		[1] = "short", [2] = "extended", [4] = "abort", [5] = "short", [6] = "extended"
	};

	return code < ARRAY_SIZE(kinds) && kinds[code] ? kinds[code] : "default";
}

void scsi_scale_blocks(struct reading *r, size_t first)
{
	uint32_t block = r->identity.logical_block_bytes;

	for (size_t i = first; block > 512 && i < r->nfields; i++) {
		struct decoded *v = &r->fields[i];

		if (text_starts_with(v->field->name, "blocks_") && v->value.kind == VALUE_NUMBER &&
		    v->value.number < I128_MAX / block)
			v->value.number = v->value.number / 512 * block;
	}
}

/*
 * The parameters of a page, one after the other. False behind the last; one that claims more
 * bytes than the page has is cut.
 */
static bool next_parameter(struct bytes page, size_t *at, struct bytes *ret)
{
	size_t len;

	if (!bytes_has(page, *at, PARAMETER_HEADER))
		return false;
	len = PARAMETER_HEADER + page.data[*at + 3];
	*ret = bytes_slice(page, *at, len);
	*at += len;
	return true;
}

static const struct keyed_entry *find_entry(const struct keyed_table *t, uint32_t key)
{
	for (size_t i = 0; i < t->nentries; i++)
		if (t->entries[i].key == key)
			return &t->entries[i];
	return NULL;
}

static bool is_counter(const struct keyed_table *t)
{
	return t->stride == PARAMETER_HEADER + COUNTER_SIZE &&
	       t->entries[0].fields[0].size == COUNTER_SIZE;
}

/* A counter of up to 16 bytes; false where it is longer or saturated to all ones. */
static bool counter(struct bytes parameter, i128 *ret)
{
	struct bytes b = bytes_slice(parameter, PARAMETER_HEADER, parameter.len);
	u128 v;

	if (!b.len || b.len > 16 || bytes_all(b, 0xff) || !bytes_be(b, 0, (unsigned)b.len, &v))
		return false;
	*ret = v > (u128)I128_MAX ? I128_MAX : (i128)v;
	return true;
}

static int add_parameter(const struct log_layout *l, const struct keyed_entry *entry,
			 struct bytes parameter, struct reading *r)
{
	int err = 0;
	i128 v;

	if (is_counter(l->keyed)) {
		struct value value = { .kind = VALUE_ABSENT };

		if (counter(parameter, &v))
			value = field_value(&entry->fields[0], v);
		return reading_add(r, l, &entry->fields[0], l->id, 0, entry->key, &value);
	}
	for (unsigned n = 0; n < KEYED_FIELDS_MAX && !err; n++) {
		const struct field *f = &entry->fields[n];
		struct value value = { .kind = VALUE_ABSENT };
		u128 stored;

		if (!f->name)
			continue;
		if (bytes_be(parameter, f->off, f->size, &stored))
			value = field_value(f, (i128)stored);
		err = reading_add(r, l, f, l->id, 0, entry->key, &value);
	}
	return err;
}

/* SPC-5, 7.3.19: parameters 1 to 20, the newest first; code and result in byte 4. */
static void add_selftest(struct bytes parameter, struct reading *r)
{
	struct bytes p = parameter;
	struct selftest *t;

	/* a slot not used yet is all zeros */
	if (p.len < 20 || bytes_all(bytes_slice(p, 4, 16), 0))
		return;
	t = reading_new_selftest(r);
	if (!t)
		return;
	t->code = p.data[4] & 15;
	t->result = scsi_selftest_result(t->code);
	text_copy(t->kind, sizeof(t->kind), scsi_selftest_kind(p.data[4] >> 5));
	t->has_segment = t->result == SELFTEST_FAILED && p.data[5];
	t->segment = p.data[5];
	t->has_hours = true;
	t->hours = bytes_be_or0(p, 6, 2);
	t->lba = bytes_be_or0(p, 8, 8);
	t->has_lba = t->result == SELFTEST_FAILED && t->lba != UINT64_MAX;
}

#define ASC_FAILURE_PREDICTED 0x5d /* SPC-5, annex F; 0Bh only warns */

/* Additional sense code of sense data in either format (SPC-5, 4.4); 0 for none. */
static unsigned sense_asc(struct bytes sense)
{
	unsigned format = bytes_le_or0(sense, 0, 1) & 0x7f;

	if (format == 0x70 || format == 0x71)
		return (unsigned)bytes_le_or0(sense, 12, 1);
	return format == 0x72 || format == 0x73 ? (unsigned)bytes_le_or0(sense, 2, 1) : 0;
}

/* A predicted failure is told in the exceptions page, or as sense data where there is none. */
static void read_exceptions(const struct snapshot *s, struct reading *r)
{
	struct bytes sense = snapshot_find(s, SPACE_SCSI_SENSE, 0, 0);
	i128 asc;

	if (reading_number(r, "scsi.exceptions", "asc", &asc))
		r->smart_status = asc == ASC_FAILURE_PREDICTED ? SMART_STATUS_FAILED
							       : SMART_STATUS_PASSED;
	if (sense_asc(sense) == ASC_FAILURE_PREDICTED)
		r->smart_status = SMART_STATUS_FAILED;
}

static int decode_page(const struct log_layout *l, struct bytes log, struct reading *r)
{
	size_t at = PARAMETER_HEADER, first = r->nfields;
	struct bytes page, parameter;
	int err;

	if (log.len < PARAMETER_HEADER || (log.data[0] & 0x3f) != l->id) {
		reading_add_problem(r, -EBADMSG, "%s: not this page", l->title);
		return 0;
	}
	page = bytes_slice(log, 0, PARAMETER_HEADER + bytes_be_or0(log, 2, 2));
	err = decode_log(l, l->id, 0, bytes_slice(page, 0, PARAMETER_HEADER), r);
	if (l->id == 0x10)
		r->selftest_log_read = true;
	while (!err && next_parameter(page, &at, &parameter)) {
		uint32_t code = (uint32_t)bytes_be_or0(parameter, 0, 2);
		const struct keyed_entry *entry = l->keyed ? find_entry(l->keyed, code) : NULL;

		if (entry)
			err = add_parameter(l, entry, parameter, r);
		else if (l->id == 0x10 && code >= 1 && code <= 20)
			add_selftest(parameter, r);
	}
	scsi_scale_blocks(r, first);
	return err;
}

static int read_inquiry(const struct snapshot *s, struct reading *r)
{
	struct bytes inquiry = snapshot_find(s, SPACE_SCSI_INQUIRY, 0, 0);
	struct identity *id = &r->identity;

	if (inquiry.len < 36) {
		if (inquiry.len)
			reading_add_problem(r, -ENODATA, "INQUIRY: %zu of 36 bytes", inquiry.len);
		return 0;
	}
	text_from_field(id->vendor, sizeof(id->vendor), inquiry.data + 8, 8);
	text_from_field(id->model, sizeof(id->model), inquiry.data + 16, 16);
	text_from_field(id->firmware, sizeof(id->firmware), inquiry.data + 32, 4);
	return decode_log(&layout_scsi_inquiry, 0, 0, inquiry, r);
}

/* VPD 80h: the serial number is all that stands behind the header. */
static void read_serial(const struct snapshot *s, struct identity *id)
{
	struct bytes page = snapshot_find(s, SPACE_SCSI_VPD, 0x80, 0);
	struct bytes serial = bytes_slice(page, 4, bytes_be_or0(page, 2, 2));

	if (serial.len)
		text_from_field(id->serial, sizeof(id->serial), serial.data, serial.len);
}

/*
 * VPD 83h: designators; the one wanted is of the logical unit (association 0), binary, and a NAA
 * name or an EUI-64 (SPC-5, 7.7.6).
 */
static void read_designators(const struct snapshot *s, struct identity *id)
{
	enum { EUI64 = 2, NAA = 3, NAMED_BY_UNIT = 0, BINARY = 1 };
	struct bytes page = snapshot_find(s, SPACE_SCSI_VPD, 0x83, 0);
	size_t end = 4 + bytes_be_or0(page, 2, 2);

	page = bytes_slice(page, 0, end);
	for (size_t at = 4; bytes_has(page, at, 4); at += 4 + page.data[at + 3]) {
		unsigned type = page.data[at + 1] & 15;
		struct bytes name = bytes_slice(page, at + 4, page.data[at + 3]);
		uint64_t number = bytes_be_or0(name, 0, 8);

		if ((page.data[at] & 15) != BINARY ||
		    (page.data[at + 1] >> 4 & 3) != NAMED_BY_UNIT || name.len < 8 || !number ||
		    *id->wwn)
			continue;
		if (type == NAA)
			snprintf(id->wwn, sizeof(id->wwn), "0x%016llx", (unsigned long long)number);
		else if (type == EUI64)
			snprintf(id->wwn, sizeof(id->wwn), "eui.%016llx",
				 (unsigned long long)number);
	}
}

static int read_sizes(const struct snapshot *s, struct reading *r)
{
	struct bytes capacity = snapshot_find(s, SPACE_SCSI_CAPACITY, 0, 0);
	struct bytes characteristics = snapshot_find(s, SPACE_SCSI_VPD, 0xb1, 0);
	struct identity *id = &r->identity;
	uint64_t last = bytes_be_or0(capacity, 0, 8), block = bytes_be_or0(capacity, 8, 4);
	uint64_t rate = bytes_be_or0(characteristics, 4, 2);
	int err = 0;

	if (block && block <= 1u << 20 && last < UINT64_MAX / block) {
		id->logical_block_bytes = (uint32_t)block;
		id->has_capacity = last > 0;
		id->capacity_bytes = id->has_capacity ? (last + 1) * block : 0;
	}
	if (rate == 1)
		id->rotational = 0;
	else if (rate >= 0x0401 && rate < 0xffff)
		id->rotational = 1;
	if (capacity.len)
		err = decode_log(&layout_scsi_capacity, 0, 0, capacity, r);
	if (!err && characteristics.len)
		err = decode_log(&layout_scsi_characteristics, 0xb1, 0, characteristics, r);
	return err;
}

/* VPD 89h, ATA information: the drive behind a translator, IDENTIFY DEVICE data from byte 60 on. */
static int read_ata_information(const struct snapshot *s, struct reading *r)
{
	struct bytes page = snapshot_find(s, SPACE_SCSI_VPD, 0x89, 0);
	struct bytes identify = bytes_slice(page, 60, ATA_SECTOR);

	if (snapshot_find(s, SPACE_ATA_IDENTIFY, 0, 0).len)
		return 0;
	/* 56: the command code that the data came from; ECh is IDENTIFY DEVICE */
	if (identify.len == ATA_SECTOR && page.data[56] == 0xec)
		return ata_decode_identify(identify, r);
	/* all that is known is 16 letters of the model, and a bridge's word for the rest */
	r->identity.incomplete = strcmp(r->identity.vendor, "ATA") == 0;
	return 0;
}

int decode_scsi(const struct snapshot *s, struct reading *r)
{
	int err;

	r->identity.protocol = PROTOCOL_SCSI;
	err = read_inquiry(s, r);
	read_serial(s, &r->identity);
	read_designators(s, &r->identity);
	if (!err)
		err = read_sizes(s, r);
	for (const struct log_layout *const *l = scsi_log_layouts; *l && !err; l++) {
		struct bytes log = snapshot_find(s, SPACE_SCSI_LOG, (*l)->id, 0);

		if (log.len)
			err = decode_page(*l, log, r);
	}
	read_exceptions(s, r);
	return err ? err : read_ata_information(s, r);
}

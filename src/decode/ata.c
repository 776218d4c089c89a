/* SPDX-License-Identifier: MIT */
#include "decode/ata.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ATA drives: IDENTIFY DEVICE, SMART data, status and logs (ACS-4; SMART also ATA8-ACS). */

#define WORD(n)		((size_t)(n)*2)
#define WORD_VALID_MASK 0xc000u /* bits 15:14 of words that can be missing ... */
#define WORD_VALID	0x4000u /* ... are 01 where the word is valid */
#define SOLID_STATE	0x0001u /* of the rotation rate */

static unsigned word(struct bytes identify, unsigned n)
{
	return (unsigned)bytes_le_or0(identify, WORD(n), 2);
}

static bool is_valid(unsigned w)
{
	return (w & WORD_VALID_MASK) == WORD_VALID;
}

/* Word 106 bit 12: the logical sector size stands in words 117 and 118. */
static uint32_t logical_sector_size(struct bytes identify)
{
	unsigned sizes = word(identify, 106);
	uint64_t words = bytes_le_or0(identify, WORD(117), 4);

	if (!is_valid(sizes) || !(sizes & 1u << 12) || words < 256 || words > 1u << 20)
		return ATA_SECTOR;
	return (uint32_t)words * 2;
}

static uint64_t sectors(struct bytes identify)
{
	bool extended = word(identify, 69) & 1u << 3;
	bool lba48 = is_valid(word(identify, 83)) && word(identify, 83) & 1u << 10;
	uint64_t n = 0;

	if (extended)
		n = bytes_le_or0(identify, WORD(230), 8);
	if (!n && lba48)
		n = bytes_le_or0(identify, WORD(100), 8);
	return n ? n : bytes_le_or0(identify, WORD(60), 4);
}

static void add_wwn(struct bytes identify, struct identity *id)
{
	uint64_t wwn = 0;

	if (!is_valid(word(identify, 87)) || !(word(identify, 87) & 1u << 8))
		return;
	for (unsigned n = 108; n < 112; n++)
		wwn = wwn << 16 | word(identify, n);
	if (wwn)
		snprintf(id->wwn, sizeof(id->wwn), "0x%016llx", (unsigned long long)wwn);
}

/*
 * Bytes 510 and 511: A5h and a checksum, where the drive has them. A bridge that cuts or makes up
 * the sector breaks it.
 */
static bool integrity_is_bad(struct bytes identify)
{
	unsigned sum = 0;

	if (identify.data[510] != 0xa5)
		return false;
	for (size_t i = 0; i < ATA_SECTOR; i++)
		sum += identify.data[i];
	return (sum & 0xff) != 0;
}

int ata_decode_identify(struct bytes identify, struct reading *r)
{
	struct identity *id = &r->identity;
	uint64_t n;

	if (identify.len < ATA_SECTOR) {
		reading_add_problem(r, -ENODATA, "IDENTIFY DEVICE: %zu of %u bytes", identify.len,
				    ATA_SECTOR);
		return 0;
	}
	if (integrity_is_bad(identify))
		reading_add_problem(r, -EBADMSG, "IDENTIFY DEVICE: wrong checksum");
	id->protocol = PROTOCOL_ATA;
	text_from_ata_field(id->serial, sizeof(id->serial), identify.data + WORD(10), 20);
	text_from_ata_field(id->firmware, sizeof(id->firmware), identify.data + WORD(23), 8);
	text_from_ata_field(id->model, sizeof(id->model), identify.data + WORD(27), 40);
	id->vendor[0] = '\0'; /* a translator says "ATA" */
	add_wwn(identify, id);
	id->logical_block_bytes = logical_sector_size(identify);
	n = sectors(identify);
	if (n && n < UINT64_MAX / id->logical_block_bytes) {
		id->has_capacity = true;
		id->capacity_bytes = n * id->logical_block_bytes;
	}
	if (word(identify, 217) == SOLID_STATE)
		id->rotational = 0;
	else if (word(identify, 217) >= 0x0401 && word(identify, 217) < 0xffff)
		id->rotational = 1;
	return decode_log(&layout_ata_identify, 0, 0, identify, r);
}

void ata_scale_sectors(struct reading *r, size_t first)
{
	uint32_t per_sector = r->identity.logical_block_bytes / ATA_SECTOR;

	for (size_t i = first; per_sector > 1 && i < r->nfields; i++) {
		struct decoded *v = &r->fields[i];

		if (v->field->type == FIELD_DEVSTAT && v->field->unit == UNIT_BYTES &&
		    v->value.kind == VALUE_NUMBER)
			v->value.number *= per_sector;
	}
}

int ata_decode_devstat(unsigned page, struct bytes log, struct reading *r)
{
	size_t first = r->nfields;
	int err = 0;

	for (const struct log_layout *const *l = ata_devstat_layouts; *l && !err; l++) {
		if ((*l)->sub != page)
			continue;
		/* each page carries its own number: a drive that ignores ours sent another */
		if (log.len >= 8 && bytes_le_or0(log, 2, 1) != page)
			reading_add_problem(r, -EBADMSG,
					    "Device Statistics: page %u came for page %u",
					    (unsigned)bytes_le_or0(log, 2, 1), page);
		else
			err = decode_log(*l, (*l)->id, page, log, r);
	}
	ata_scale_sectors(r, first);
	return err;
}

static void decode_status(struct bytes registers, struct reading *r)
{
	static const struct {
		uint8_t mid, high;
		enum smart_status status;
	} known[] = {
		{ 0x4f, 0xc2, SMART_STATUS_PASSED },
		{ 0xf4, 0x2c, SMART_STATUS_FAILED },
	};

	if (registers.len < 2)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (registers.data[0] == known[i].mid && registers.data[1] == known[i].high)
			r->smart_status = known[i].status;
	if (r->smart_status == SMART_STATUS_UNKNOWN)
		reading_add_problem(r, -EBADMSG, "SMART status: registers %02X %02X say neither",
				    registers.data[0], registers.data[1]);
}

/* The error count: of the log that counts farthest back. */
static void count_errors(struct reading *r)
{
	static const struct log_layout *const logs[] = { &layout_ata_ext_error_log,
							 &layout_ata_error_log,
							 &layout_ata_summary_error_log };
	i128 v;

	for (size_t i = 0; i < ARRAY_SIZE(logs) && !r->has_error_log_entries; i++) {
		if (reading_number(r, logs[i]->name, "device_error_count", &v)) {
			r->has_error_log_entries = true;
			r->error_log_entries = (uint64_t)v;
		}
	}
}

/* Logs in one table: what is not listed here stays in the snapshot only. */
static const struct log_layout *const plain_logs[] = {
	&layout_ata_log_directory, &layout_ata_summary_error_log, &layout_ata_error_log,
	&layout_ata_ext_error_log, &layout_ata_selftest_log,	  &layout_ata_ext_selftest_log,
	&layout_ata_sct_status,	   &layout_ata_capacity_log,
};

static int decode_one_log(const struct snapshot_log *log, struct reading *r)
{
	struct bytes data = bytes_of(log->data, log->len);

	if (log->id == 0x04)
		return ata_decode_devstat(log->sub, data, r);
	for (size_t i = 0; i < ARRAY_SIZE(plain_logs); i++)
		if (plain_logs[i]->id == log->id && plain_logs[i]->sub == log->sub)
			return decode_log(plain_logs[i], log->id, log->sub, data, r);
	return 0;
}

static int decode_logs(const struct snapshot *s, struct reading *r)
{
	struct bytes extended = snapshot_find(s, SPACE_ATA_LOG, 0x07, 0);
	struct bytes tests = snapshot_find(s, SPACE_ATA_LOG, 0x06, 0);
	int err = 0;

	for (size_t i = 0; i < s->nlogs && !err; i++)
		if (s->logs[i].space == SPACE_ATA_LOG && s->logs[i].data)
			err = decode_one_log(&s->logs[i], r);
	/* both logs tell of the same tests */
	if (extended.len)
		ata_decode_selftests(extended, true, r);
	if (!r->nselftests && tests.len)
		ata_decode_selftests(tests, false, r);
	count_errors(r);
	return err;
}

int decode_ata(const struct snapshot *s, struct reading *r)
{
	struct bytes identify = snapshot_find(s, SPACE_ATA_IDENTIFY, 0, 0);
	int err = 0;

	if (!identify.len) /* its copy in the IDENTIFY DEVICE data log */
		identify = snapshot_find(s, SPACE_ATA_LOG, 0x30, 1);
	r->identity.protocol = PROTOCOL_ATA;
	if (identify.len)
		err = ata_decode_identify(identify, r);
	decode_status(snapshot_find(s, SPACE_ATA_SMART_STATUS, 0, 0), r);
	if (!err)
		err = ata_decode_smart(snapshot_find(s, SPACE_ATA_SMART_DATA, 0, 0),
				       snapshot_find(s, SPACE_ATA_SMART_THRESHOLDS, 0, 0), r);
	if (!err)
		err = decode_logs(s, r);
	ata_finish(r);
	return err;
}

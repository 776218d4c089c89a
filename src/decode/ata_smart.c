/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "decode/ata.h"

/* The attribute table: 30 slots of 12 bytes in the SMART data, and as many of thresholds. */

#define SLOTS	    30
#define SLOT_SIZE   12
#define SLOTS_START 2

static bool checksum_is_bad(struct bytes sector)
{
	unsigned sum = 0;

	for (size_t i = 0; i < sector.len && i < ATA_SECTOR; i++)
		sum += sector.data[i];
	return (sum & 0xff) != 0;
}

static void add_thresholds(struct bytes thresholds, struct reading *r)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		struct bytes slot = bytes_slice(thresholds, SLOTS_START + i * SLOT_SIZE, SLOT_SIZE);
		uint8_t id = (uint8_t)bytes_le_or0(slot, 0, 1);

		for (size_t n = 0; id && n < r->nattributes; n++) {
			struct attribute *a = &r->attributes[n];

			if (a->id != id || a->has_threshold)
				continue;
			a->has_threshold = true;
			a->threshold = (uint8_t)bytes_le_or0(slot, 1, 1);
			break;
		}
	}
}

static void add_attributes(struct bytes data, struct reading *r)
{
	for (unsigned i = 0; i < SLOTS && r->nattributes < ATTRIBUTES_MAX; i++) {
		struct bytes slot = bytes_slice(data, SLOTS_START + i * SLOT_SIZE, SLOT_SIZE);
		uint8_t id = (uint8_t)bytes_le_or0(slot, 0, 1);

		if (!id)
			continue;
		r->attributes[r->nattributes++] = (struct attribute){
			.id = id,
			.has_flags = true,
			.flags = (uint16_t)bytes_le_or0(slot, 1, 2),
			.has_value = true,
			.value = (uint8_t)bytes_le_or0(slot, 3, 1),
			.has_worst = true,
			.worst = (uint8_t)bytes_le_or0(slot, 4, 1),
			.has_raw = true,
			.raw = bytes_le_or0(slot, 5, 7),
			.raw_bytes = 7,
		};
	}
}

int ata_decode_smart(struct bytes data, struct bytes thresholds, struct reading *r)
{
	int err = 0;

	if (data.len >= ATA_SECTOR) {
		if (checksum_is_bad(data)) {
			r->attributes_checksum_bad = true;
			reading_add_problem(r, -EBADMSG, "SMART data: wrong checksum");
		}
		err = decode_log(&layout_ata_smart_data, 0, 0, data, r);
		add_attributes(data, r);
		if (data.data[363] >> 4 == 15)
			r->selftest_progress = (int8_t)(100 - (data.data[363] & 15) * 10);
		if (r->selftest_progress < 0)
			r->selftest_progress = -1;
	} else if (data.len) {
		reading_add_problem(r, -ENODATA, "SMART data: %zu of %u bytes", data.len,
				    ATA_SECTOR);
	}
	if (!err && thresholds.len >= ATA_SECTOR) {
		if (checksum_is_bad(thresholds))
			reading_add_problem(r, -EBADMSG, "SMART thresholds: wrong checksum");
		err = decode_log(&layout_ata_smart_thresholds, 0, 0, thresholds, r);
		add_thresholds(thresholds, r);
	}
	return err;
}

/* SPDX-License-Identifier: MIT */
#include "transport/sense.h"

#define DESCRIPTOR_ATA_STATUS 0x09
#define ASC_ATA_INFORMATION   0x001d /* "ATA pass through information available" */

static struct ata_registers from_descriptor(struct bytes d)
{
	const uint8_t *b = d.data;
	struct ata_registers r = {
		.error = b[3],
		.count = b[5],
		.lba = b[7] | (uint64_t)b[9] << 8 | (uint64_t)b[11] << 16,
		.device = b[12],
		.status = b[13],
	};

	if (b[2] & 1) {
		r.count |= (uint16_t)(b[4] << 8);
		r.lba |= (uint64_t)b[6] << 24 | (uint64_t)b[8] << 32 | (uint64_t)b[10] << 40;
	}
	return r;
}

static void decode_descriptors(struct bytes b, struct sense *s)
{
	size_t end = b.len < 8 ? b.len : 8 + (size_t)b.data[7];

	if (end > b.len)
		end = b.len;
	for (size_t at = 8; at + 2 <= end; at += 2 + (size_t)b.data[at + 1]) {
		if (b.data[at] == DESCRIPTOR_ATA_STATUS && b.data[at + 1] >= 12 && at + 14 <= end) {
			s->has_registers = true;
			s->ata = from_descriptor(bytes_slice(b, at, 14));
			return;
		}
	}
}

/* INFORMATION field: error, status, device, count; then flags and 24 bits of LBA. */
static void decode_fixed_sat(struct bytes b, struct sense *s)
{
	s->has_registers = true;
	s->ata = (struct ata_registers){
		.error = b.data[3],
		.status = b.data[4],
		.device = b.data[5],
		.count = b.data[6],
		.lba = b.data[9] | (uint64_t)b.data[10] << 8 | (uint64_t)b.data[11] << 16,
	};
}

/* Error, status, device and count in bytes 8 to 11, the LBA from byte 17 on if it came at all. */
static void decode_fixed_linux(struct bytes b, struct sense *s)
{
	s->has_registers = true;
	s->ata = (struct ata_registers){
		.error = b.data[8],
		.status = b.data[9],
		.device = b.data[10],
		.count = b.data[11],
		.lba = bytes_le_or0(b, 17, 3),
	};
}

static bool is_error_status(uint8_t status)
{
	return (status & ATA_STATUS_ERR) && (status & ATA_STATUS_DRDY);
}

static void decode_fixed(struct bytes b, struct sense *s)
{
	bool information = b.data[0] & 0x80;

	if (b.len < 14)
		return;
	if ((s->asc << 8 | s->ascq) == ASC_ATA_INFORMATION ||
	    (information && is_error_status(b.data[4])))
		decode_fixed_sat(b, s);
	else if (!information && is_error_status(b.data[9]))
		decode_fixed_linux(b, s);
}

struct sense sense_decode(struct bytes b)
{
	struct sense s = { 0 };
	uint8_t code = b.len >= 4 ? b.data[0] & 0x7f : 0;

	switch (code) {
	case 0x72:
	case 0x73:
		s.valid = true;
		s.deferred = code == 0x73;
		s.key = b.data[1] & 0x0f;
		s.asc = b.data[2];
		s.ascq = b.data[3];
		decode_descriptors(b, &s);
		break;
	case 0x70:
	case 0x71:
		s.valid = true;
		s.deferred = code == 0x71;
		s.key = b.data[2] & 0x0f;
		s.asc = (uint8_t)bytes_le_or0(b, 12, 1);
		s.ascq = (uint8_t)bytes_le_or0(b, 13, 1);
		decode_fixed(b, &s);
		break;
	}
	return s;
}

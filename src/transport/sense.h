/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_SENSE_H
#define TRANSPORT_SENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/* The output registers of an ATA command. */
struct ata_registers {
	uint8_t error, status, device;
	uint16_t count;
	uint64_t lba;
};

#define ATA_STATUS_ERR	0x01
#define ATA_STATUS_DF	0x20
#define ATA_STATUS_DRDY 0x40
#define ATA_STATUS_BSY	0x80
#define ATA_ERROR_ABRT	0x04

#define SENSE_MAX	64

/* Sense keys (SPC-4, table 28). */
enum sense_key {
	SENSE_NONE = 0x0,
	SENSE_RECOVERED = 0x1,
	SENSE_NOT_READY = 0x2,
	SENSE_MEDIUM_ERROR = 0x3,
	SENSE_HARDWARE_ERROR = 0x4,
	SENSE_ILLEGAL_REQUEST = 0x5,
	SENSE_UNIT_ATTENTION = 0x6,
	SENSE_DATA_PROTECT = 0x7,
	SENSE_ABORTED = 0xb,
};

struct sense {
	bool valid;
	bool deferred; /* about an earlier command */
	uint8_t key, asc, ascq;
	bool has_registers;
	struct ata_registers ata;
};

/*
 * Sense data in descriptor or fixed format, with ATA registers in any of three layouts: the ATA
 * status return descriptor (SAT-4, 12.2.7), fixed format (SAT-4, table 201), and fixed format as
 * Linux up to 6.10 fills it after an error, with the registers from byte 8 on. sense.valid is
 * false where the bytes are no sense data.
 */
struct sense sense_decode(struct bytes b);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_ATA_LOGS_H
#define TESTS_LIB_ATA_LOGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Builders of the 512-byte sectors that ATA drives answer with, by the offsets of the standards and
 * independently of the decoder's tables.
 */
struct sector {
	uint8_t bytes[512];
};

/* Little-endian integer of 1..8 bytes. */
void sector_put(struct sector *s, size_t off, unsigned width, uint64_t v);

/* Byte 511 such that the sum of all is 0. */
void sector_close(struct sector *s);

/*
 * IDENTIFY DEVICE data of a SATA SSD: SMART supported and enabled, 48-bit addresses, WWN
 * 5002538E40A22954h, no rotating medium.
 */
void build_identify(struct sector *s, const char *model, const char *serial, const char *firmware,
		    uint64_t sectors);

/* One slot of SMART data; raw has 7 bytes. */
void put_attribute(struct sector *s, unsigned slot, uint8_t id, uint16_t flags, uint8_t value,
		   uint8_t worst, uint64_t raw);
void put_threshold(struct sector *s, unsigned slot, uint8_t id, uint8_t threshold);

/* Header of a Device Statistics page, and one statistic of it, supported and valid. */
void build_devstat(struct sector *s, unsigned page);
void put_statistic(struct sector *s, size_t off, uint64_t value);

/* Entry n (from 0) of self-test log 06h and of 07h. */
void put_selftest(struct sector *s, bool extended, unsigned n, uint8_t kind, uint8_t status,
		  uint16_t hours, uint64_t lba);

#endif

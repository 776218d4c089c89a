/* SPDX-License-Identifier: MIT */
#ifndef DECODE_ATA_H
#define DECODE_ATA_H

#include "decode/reading.h"

/*
 * What the ATA decoders share with each other and with the readers of foreign dumps, so that a
 * number gets the same name and meaning whether it came as bytes or in a dump's words.
 */

#define ATA_SECTOR 512

extern const struct log_layout layout_ata_smart_data, layout_ata_smart_thresholds;
extern const struct log_layout layout_ata_smart_status, layout_ata_identify;
extern const struct log_layout layout_ata_log_directory, layout_ata_summary_error_log;
extern const struct log_layout layout_ata_error_log, layout_ata_ext_error_log;
extern const struct log_layout layout_ata_selftest_log, layout_ata_ext_selftest_log;
extern const struct log_layout layout_ata_sct_status, layout_ata_capacity_log;
extern const struct log_layout *const ata_devstat_layouts[]; /* NULL-ended */

/*
 * IDENTIFY DEVICE data into the identity and fields; 512 bytes. Takes the place of what a
 * translator said of the drive.
 */
int ata_decode_identify(struct bytes identify, struct reading *r) MUST_USE;

/* SMART data and thresholds (each may be empty) into the attribute table and fields. */
int ata_decode_smart(struct bytes data, struct bytes thresholds, struct reading *r) MUST_USE;

/* One page of Device Statistics; pages that no layout names are passed over. */
int ata_decode_devstat(unsigned page, struct bytes log, struct reading *r) MUST_USE;

/*
 * Counters of logical sectors among the fields from first on become bytes: their rows are made
 * for 512-byte sectors, and identity.logical_block_bytes may be more.
 */
void ata_scale_sectors(struct reading *r, size_t first);

/* SMART self-test logs 06h and 07h into the reading's self-tests, newest first. */
void ata_decode_selftests(struct bytes log, bool extended, struct reading *r);

/* Result and kind from the codes of ATA self-test logs. */
enum selftest_result ata_selftest_result(unsigned code);
const char *ata_selftest_kind(unsigned subcommand);

/*
 * Last step of every ATA reading. Self-test hours, which have 16 bits, are unwrapped against the
 * power-on hours and the implausible ones are marked; temperatures that no working drive has
 * become absent, and those that contradict attribute 194 are noted.
 */
void ata_finish(struct reading *r);

/*
 * An attribute's raw value from the text that a formatter made of it: whole where the formatter
 * can be inverted, its leading bytes or its leading number where not (see struct attribute).
 */
void attribute_raw_from_text(struct attribute *a, const char *text);

#endif

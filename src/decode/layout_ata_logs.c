/* SPDX-License-Identifier: MIT */
#include "decode/ata.h"

/* ATA logs other than Device Statistics (ACS-4, 9). The first sector of each. */

static const struct field log_directory_fields[] = {
	FIELD("version", "Version", 0, 2, FIELD_UINT),
	FIELD("sectors", "Sectors of logs 01h to FFh", 2, 510, FIELD_HEX),
};

const struct log_layout layout_ata_log_directory = {
	.name = "ata.log_directory",
	.title = "Log directory (log 00h)",
	.source = "ACS-4 9.2",
	.space = SPACE_ATA_LOG,
	.size = ATA_SECTOR,
	.min_size = ATA_SECTOR,
	.fields = log_directory_fields,
	.nfields = ARRAY_SIZE(log_directory_fields),
};

/* Logs 01h and 02h have the same first sector. */
static const struct field error_log_fields[] = {
	FIELD("version", "Version", 0, 1, FIELD_UINT),
	FIELD("index", "Newest entry", 1, 1, FIELD_UINT),
	FIELD("entries", "Entries", 2, 450, FIELD_GROUP),
	FIELD("device_error_count", "Errors that the drive has logged", 452, 2, FIELD_UINT,
	      IN_COUNT),
	FIELD_RSVD(454, 57),
	FIELD("checksum", "Checksum", 511, 1, FIELD_UINT, IN_FLAGS),
};

const struct log_layout layout_ata_summary_error_log = {
	.name = "ata.summary_error_log",
	.title = "Summary error log (log 01h)",
	.source = "ATA8-ACS A.16",
	.space = SPACE_ATA_LOG,
	.id = 0x01,
	.size = ATA_SECTOR,
	.min_size = ATA_SECTOR,
	.fields = error_log_fields,
	.nfields = ARRAY_SIZE(error_log_fields),
};

const struct log_layout layout_ata_error_log = {
	.name = "ata.error_log",
	.title = "Comprehensive error log (log 02h)",
	.source = "ATA8-ACS A.4",
	.space = SPACE_ATA_LOG,
	.id = 0x02,
	.size = ATA_SECTOR,
	.min_size = ATA_SECTOR,
	.fields = error_log_fields,
	.nfields = ARRAY_SIZE(error_log_fields),
};

static const struct field ext_error_log_fields[] = {
	FIELD("version", "Version", 0, 1, FIELD_UINT),
	FIELD_RSVD(1, 1),
	FIELD("index", "Newest entry", 2, 2, FIELD_UINT),
	FIELD("entries", "Entries", 4, 496, FIELD_GROUP),
	FIELD("device_error_count", "Errors that the drive has logged", 500, 2, FIELD_UINT,
	      IN_COUNT),
	FIELD_RSVD(502, 9),
	FIELD("checksum", "Checksum", 511, 1, FIELD_UINT, IN_FLAGS),
};

const struct log_layout layout_ata_ext_error_log = {
	.name = "ata.ext_error_log",
	.title = "Extended comprehensive error log (log 03h)",
	.source = "ACS-4 9.7",
	.space = SPACE_ATA_LOG,
	.id = 0x03,
	.size = ATA_SECTOR,
	.min_size = ATA_SECTOR,
	.fields = ext_error_log_fields,
	.nfields = ARRAY_SIZE(ext_error_log_fields),
};

static const struct field selftest_log_fields[] = {
	FIELD("version", "Version", 0, 2, FIELD_UINT),
	FIELD("entries", "Entries", 2, 504, FIELD_GROUP),
	FIELD_UNKN(506, 2),
	FIELD("index", "Newest entry", 508, 1, FIELD_UINT),
	FIELD_RSVD(509, 2),
	FIELD("checksum", "Checksum", 511, 1, FIELD_UINT, IN_FLAGS),
};

const struct log_layout layout_ata_selftest_log = {
	.name = "ata.selftest_log",
	.title = "Self-test log (log 06h)",
	.source = "ATA8-ACS A.14",
	.space = SPACE_ATA_LOG,
	.id = 0x06,
	.size = ATA_SECTOR,
	.min_size = ATA_SECTOR,
	.fields = selftest_log_fields,
	.nfields = ARRAY_SIZE(selftest_log_fields),
};

static const struct field ext_selftest_log_fields[] = {
	FIELD("version", "Version", 0, 1, FIELD_UINT),
	FIELD_RSVD(1, 1),
	FIELD("index", "Newest entry", 2, 2, FIELD_UINT),
	FIELD("entries", "Entries", 4, 494, FIELD_GROUP),
	FIELD_UNKN(498, 2),
	FIELD_RSVD(500, 11),
	FIELD("checksum", "Checksum", 511, 1, FIELD_UINT, IN_FLAGS),
};

const struct log_layout layout_ata_ext_selftest_log = {
	.name = "ata.ext_selftest_log",
	.title = "Extended self-test log (log 07h)",
	.source = "ACS-4 9.8",
	.space = SPACE_ATA_LOG,
	.id = 0x07,
	.size = ATA_SECTOR,
	.min_size = ATA_SECTOR,
	.fields = ext_selftest_log_fields,
	.nfields = ARRAY_SIZE(ext_selftest_log_fields),
};

/* -128 stands for "not valid": the decoder knows, because no row can say it of signed bytes. */
#define DEGREES(n, l, o, ...) \
	FIELD(n, l, o, 1, FIELD_SINT, .unit = UNIT_CELSIUS, .factor = 1000, ##__VA_ARGS__)

static const struct field sct_status_fields[] = {
	FIELD("format_version", "Format version", 0, 2, FIELD_UINT),
	FIELD("sct_version", "SCT version", 2, 2, FIELD_UINT),
	FIELD("sct_spec", "SCT specification level", 4, 2, FIELD_UINT),
	FIELD("status_flags", "Status flags", 6, 4, FIELD_UINT, IN_FLAGS),
	FIELD("device_state", "Device state", 10, 1, FIELD_UINT),
	FIELD_RSVD(11, 3),
	FIELD("extended_status", "Extended status code", 14, 2, FIELD_UINT, IN_FLAGS),
	FIELD("action_code", "Action code", 16, 2, FIELD_UINT, IN_FLAGS),
	FIELD("function_code", "Function code", 18, 2, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(20, 20),
	FIELD("lba", "LBA of the command in process", 40, 8, FIELD_UINT),
	FIELD_RSVD(48, 152),
	DEGREES("temperature", "Current temperature", 200, IN_FACT(FACT_TEMPERATURE)),
	DEGREES("temperature_cycle_min", "Lowest temperature since power-on", 201),
	DEGREES("temperature_cycle_max", "Highest temperature since power-on", 202),
	DEGREES("temperature_min", "Lowest temperature ever", 203),
	DEGREES("temperature_max", "Highest temperature ever", 204, IN_FACT(FACT_TEMPERATURE_MAX)),
	DEGREES("temperature_limit", "Highest operating temperature", 205),
	FIELD("over_limit_count", "Intervals above the limit", 206, 4, FIELD_UINT, IN_COUNT),
	FIELD("under_limit_count", "Intervals below the limit", 210, 4, FIELD_UINT, IN_COUNT),
	FIELD("smart_status", "SMART status", 214, 2, FIELD_UINT, IN_FLAGS),
	FIELD("minimum_erc_time", "Shortest error recovery time", 216, 2, FIELD_UINT, IN_COUNT),
	FIELD_RSVD(218, 262),
	FIELD_UNKN(480, 32),
};

const struct log_layout layout_ata_sct_status = {
	.name = "ata.sct_status",
	.title = "SCT status (log E0h)",
	.source = "ACS-4 8.1, table 182",
	.space = SPACE_ATA_LOG,
	.id = 0xe0,
	.size = ATA_SECTOR,
	.min_size = 218,
	.fields = sct_status_fields,
	.nfields = ARRAY_SIZE(sct_status_fields),
};

/* Bit 63 of each qword says that it is valid; the low bits carry the value. */
static const struct field capacity_log_fields[] = {
	FIELD("header", "Page header", 0, 8, FIELD_UINT, IN_FLAGS),
	FIELD("capacity_qword", "Device capacity", 8, 8, FIELD_UINT, IN_FLAGS),
	FIELD_BITS("capacity_valid", "Device capacity is valid", 8, 8, 63, 1),
	FIELD_BITS("capacity_sectors", "Device capacity in sectors", 8, 8, 0, 48, IN_COUNT),
	FIELD("sector_sizes_qword", "Physical and logical sector sizes", 16, 8, FIELD_UINT,
	      IN_FLAGS),
	FIELD("logical_sector_qword", "Logical sector size", 24, 8, FIELD_UINT, IN_FLAGS),
	FIELD_BITS("logical_sector_valid", "Logical sector size is valid", 24, 8, 63, 1),
	FIELD_BITS("logical_sector_words", "Logical sector size in words", 24, 8, 0, 32, IN_COUNT),
	FIELD("buffer_size_qword", "Nominal buffer size", 32, 8, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(40, 472),
};

const struct log_layout layout_ata_capacity_log = {
	.name = "ata.capacity_log",
	.title = "IDENTIFY DEVICE data log, capacity page (log 30h page 02h)",
	.source = "ACS-4 9.11.4",
	.space = SPACE_ATA_LOG,
	.id = 0x30,
	.sub = 2,
	.size = ATA_SECTOR,
	.min_size = 40,
	.fields = capacity_log_fields,
	.nfields = ARRAY_SIZE(capacity_log_fields),
};

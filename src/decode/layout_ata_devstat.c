/* SPDX-License-Identifier: MIT */
#include "decode/ata.h"

/*
 * Device Statistics (log 04h; ACS-4, 9.5). Every statistic is a qword with its flags in the top
 * byte: bit 63 supported, 62 valid. All bits of the value set means that the drive does not
 * maintain it (SSSTC ER2); for the percentage used, 255 means "255 or more".
 *
 * Rows in UNIT_BYTES count logical sectors, and their factor is that of 512-byte ones: the decoder
 * multiplies by the drive's own logical sector size.
 */
#define STAT(n, l, o, b, ...) \
	FIELD(n, l, o, 8, FIELD_DEVSTAT, .bits = (b), .absent = ABSENT_ONES, ##__VA_ARGS__)
#define STAT_COUNT(n, l, o, ...) STAT(n, l, o, 32, IN_COUNT, ##__VA_ARGS__)
#define STAT_CELSIUS(n, l, o, ...)                                                               \
	FIELD(n, l, o, 8, FIELD_DEVSTAT, .bits = 8, .flags = FIELD_SIGNED, .unit = UNIT_CELSIUS, \
	      .factor = 1000, ##__VA_ARGS__)
#define HEADER FIELD("header", "Page header", 0, 8, FIELD_UINT, IN_FLAGS)

static const struct field list_fields[] = {
	HEADER,
	FIELD("page_count", "Number of pages", 8, 1, FIELD_UINT, IN_COUNT),
	FIELD("pages", "Pages supported", 9, 503, FIELD_HEX),
};

static const struct field general_fields[] = {
	HEADER,
	STAT_COUNT("power_on_resets", "Lifetime power-on resets", 0x08, IN_FACT(FACT_POWER_CYCLES)),
	STAT("power_on_hours", "Power-on hours", 0x10, 32, .unit = UNIT_HOURS,
	     IN_FACT(FACT_POWER_ON_HOURS)),
	STAT("sectors_written", "Logical sectors written", 0x18, 48, IN_UNITS(512),
	     IN_FACT(FACT_HOST_BYTES_WRITTEN)),
	STAT("write_commands", "Write commands", 0x20, 48, IN_COUNT),
	STAT("sectors_read", "Logical sectors read", 0x28, 48, IN_UNITS(512),
	     IN_FACT(FACT_HOST_BYTES_READ)),
	STAT("read_commands", "Read commands", 0x30, 48, IN_COUNT),
	STAT("timestamp", "Date and time timestamp", 0x38, 48, .unit = UNIT_MILLISECONDS),
	STAT_COUNT("pending_errors", "Pending errors", 0x40),
	STAT("workload_utilization", "Workload utilization", 0x48, 16, IN_PERCENT),
	STAT("utilization_usage_rate", "Utilization usage rate", 0x50, 56, IN_FLAGS),
	STAT("resource_availability", "Resource availability", 0x58, 56, IN_FLAGS),
	STAT("random_write_resources_used", "Random write resources used", 0x60, 8, IN_PERCENT),
	FIELD_RSVD(104, 408),
};

static const struct field errors_fields[] = {
	HEADER,
	STAT_COUNT("reported_uncorrectable", "Reported uncorrectable errors", 0x08,
		   IN_FACT(FACT_UNCORRECTABLE_ERRORS)),
	STAT_COUNT("resets_during_command", "Resets between command acceptance and completion",
		   0x10),
	STAT_COUNT("physical_element_changes", "Physical element status changes", 0x18),
	FIELD_RSVD(32, 480),
};

static const struct field temperature_fields[] = {
	HEADER,
	STAT_CELSIUS("temperature", "Current temperature", 0x08, IN_FACT(FACT_TEMPERATURE)),
	STAT_CELSIUS("average_short", "Average short term temperature", 0x10),
	STAT_CELSIUS("average_long", "Average long term temperature", 0x18),
	STAT_CELSIUS("highest", "Highest temperature", 0x20, IN_FACT(FACT_TEMPERATURE_MAX)),
	STAT_CELSIUS("lowest", "Lowest temperature", 0x28),
	STAT_CELSIUS("highest_average_short", "Highest average short term temperature", 0x30),
	STAT_CELSIUS("lowest_average_short", "Lowest average short term temperature", 0x38),
	STAT_CELSIUS("highest_average_long", "Highest average long term temperature", 0x40),
	STAT_CELSIUS("lowest_average_long", "Lowest average long term temperature", 0x48),
	STAT("minutes_over", "Time over temperature", 0x50, 32, .unit = UNIT_MINUTES,
	     IN_FACT(FACT_MINUTES_OVER_TEMPERATURE)),
	STAT_CELSIUS("specified_max", "Specified maximum operating temperature", 0x58),
	STAT("minutes_under", "Time under temperature", 0x60, 32, .unit = UNIT_MINUTES),
	STAT_CELSIUS("specified_min", "Specified minimum operating temperature", 0x68),
	FIELD_RSVD(112, 400),
};

static const struct field transport_fields[] = {
	HEADER,
	STAT_COUNT("hardware_resets", "Hardware resets", 0x08),
	STAT_COUNT("asr_events", "ASR events", 0x10),
	STAT_COUNT("crc_errors", "Interface CRC errors", 0x18, IN_FACT(FACT_CRC_ERRORS)),
	FIELD_RSVD(32, 480),
};

static const struct field ssd_fields[] = {
	HEADER,
	FIELD("percentage_used", "Percentage used endurance indicator", 0x08, 8, FIELD_DEVSTAT,
	      .bits = 8, IN_PERCENT, .flags = FIELD_SATURATES, IN_FACT(FACT_PERCENTAGE_USED)),
	FIELD_RSVD(16, 496),
};

#define PAGE(p, n, t, f)                                                                 \
	{                                                                                \
		.name = "ata.devstat." n, .title = "Device Statistics, " t " (log 04h)", \
		.source = "ACS-4 9.5", .space = SPACE_ATA_LOG, .id = 0x04, .sub = (p),   \
		.size = ATA_SECTOR, .min_size = 8, .fields = f, .nfields = ARRAY_SIZE(f) \
	}

static const struct log_layout pages[] = {
	PAGE(0, "list", "list of pages", list_fields),
	PAGE(1, "general", "general", general_fields),
	PAGE(4, "errors", "general errors", errors_fields),
	PAGE(5, "temperature", "temperature", temperature_fields),
	PAGE(6, "transport", "transport", transport_fields),
	PAGE(7, "ssd", "solid state device", ssd_fields),
};

const struct log_layout *const ata_devstat_layouts[] = {
	&pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5], NULL,
};

const struct log_layout *const ata_layouts[] = {
	&layout_ata_identify,
	&layout_ata_smart_data,
	&layout_ata_smart_thresholds,
	&layout_ata_smart_status,
	&layout_ata_log_directory,
	&layout_ata_summary_error_log,
	&layout_ata_error_log,
	&layout_ata_ext_error_log,
	&layout_ata_selftest_log,
	&layout_ata_ext_selftest_log,
	&layout_ata_sct_status,
	&layout_ata_capacity_log,
	&pages[0],
	&pages[1],
	&pages[2],
	&pages[3],
	&pages[4],
	&pages[5],
	NULL,
};

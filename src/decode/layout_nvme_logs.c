/* SPDX-License-Identifier: MIT */
#include "decode/layout_nvme.h"

/* Logs of the NVM Express Base Specification: health, errors, firmware, effects, sanitize. */

#define NVME_BASE "NVM Express Base Specification 2.1, "
#define DATA_UNIT 512000 /* bytes: a thousand units of 512 */

static const struct field supported_rows[] = {
	FIELD("log_pages", "Log pages", 0, 1024, FIELD_GROUP),
};
/* the record's index is the log page identifier */
static const struct field supported_page_rows[] = {
	FIELD_BITS("log_supported", "Log page supported", 0, 4, 0, 1),
	FIELD_BITS("log_index_offset", "Log page takes an index offset", 0, 4, 1, 1),
	FIELD_BITS_RSVD("log_reserved", 0, 4, 2, 14),
	FIELD_BITS("log_specific", "Log page specific support", 0, 4, 16, 16, IN_FLAGS),
};
static const struct record_table supported_pages = {
	0, 4, 256, NULL, supported_page_rows, ARRAY_SIZE(supported_page_rows)
};

const struct log_layout layout_nvme_supported_logs = {
	.name = "nvme.supported_logs",
	.title = "Supported Log Pages (log 00h)",
	.source = NVME_BASE "Supported Log Pages",
	.space = SPACE_NVME_LOG,
	.id = 0,
	.sub = LAYOUT_ANY,
	.size = 1024,
	.min_size = 4,
	.fields = supported_rows,
	.nfields = ARRAY_SIZE(supported_rows),
	.records = &supported_pages,
};

static const struct field error_log_rows[] = {
	FIELD("entries", "Errors", 0, 16384, FIELD_GROUP),
};
static const struct field error_rows[] = {
	FIELD("error_count", "Error: number", 0, 8, FIELD_UINT, IN_COUNT),
	FIELD("error_queue", "Error: submission queue", 8, 2, FIELD_UINT, .absent = ABSENT_ONES),
	FIELD("error_command", "Error: command", 10, 2, FIELD_UINT, .absent = ABSENT_ONES),
	FIELD("error_status", "Error: status with phase tag", 12, 2, FIELD_UINT, IN_FLAGS),
	FIELD_BITS("error_status_code", "Error: status code", 12, 2, 1, 8),
	FIELD_BITS("error_status_type", "Error: status code type", 12, 2, 9, 3),
	FIELD("error_location", "Error: parameter location", 14, 2, FIELD_UINT,
	      .absent = ABSENT_ONES),
	FIELD("error_lba", "Error: LBA", 16, 8, FIELD_UINT),
	FIELD("error_nsid", "Error: namespace", 24, 4, FIELD_UINT),
	FIELD("error_vendor_log", "Error: vendor's log page", 28, 1, FIELD_UINT),
	FIELD("error_transport", "Error: transport", 29, 1, FIELD_UINT),
	FIELD("error_command_set", "Error: command set", 30, 1, FIELD_UINT),
	FIELD("error_opcode", "Error: opcode", 31, 1, FIELD_UINT),
	FIELD("error_specific", "Error: command specific", 32, 8, FIELD_HEX),
	FIELD("error_transport_specific", "Error: transport specific", 40, 2, FIELD_UINT),
	FIELD("error_reserved_42", "Reserved", 42, 21, FIELD_RESERVED),
	FIELD("error_version", "Error: entry version", 63, 1, FIELD_UINT),
};
static bool error_used(struct bytes record)
{
	return bytes_le_or0(record, 0, 8) != 0; /* error count 0: an entry not in use */
}
static const struct record_table error_entries = { 0,	       64,	   256,
						   error_used, error_rows, ARRAY_SIZE(error_rows) };

const struct log_layout layout_nvme_errors = {
	.name = "nvme.errors",
	.title = "Error Information (log 01h)",
	.source = NVME_BASE "Error Information",
	.space = SPACE_NVME_LOG,
	.id = 1,
	.sub = LAYOUT_ANY,
	.size = 16384,
	.min_size = 64,
	.fields = error_log_rows,
	.nfields = ARRAY_SIZE(error_log_rows),
	.records = &error_entries,
};

static const struct field smart_rows[] = {
	FIELD("critical_warning", "Critical warning", 0, 1, FIELD_UINT, IN_FLAGS,
	      IN_FACT(FACT_CRITICAL_WARNING)),
	FIELD_BITS("warning_spare", "Warning: available spare", 0, 1, 0, 1),
	FIELD_BITS("warning_temperature", "Warning: temperature", 0, 1, 1, 1),
	FIELD_BITS("warning_reliability", "Warning: reliability degraded", 0, 1, 2, 1),
	FIELD_BITS("warning_read_only", "Warning: read-only", 0, 1, 3, 1, IN_FLAGS,
		   IN_FACT(FACT_WRITE_PROTECTED)),
	FIELD_BITS("warning_backup", "Warning: volatile memory backup failed", 0, 1, 4, 1),
	FIELD_BITS("warning_pmr", "Warning: persistent memory region unreliable", 0, 1, 5, 1),
	FIELD("temperature", "Composite temperature", 1, 2, FIELD_UINT, IN_KELVIN,
	      IN_FACT(FACT_TEMPERATURE)),
	FIELD("available_spare", "Available spare", 3, 1, FIELD_UINT, IN_PERCENT,
	      IN_FACT(FACT_AVAILABLE_SPARE)),
	FIELD("spare_threshold", "Available spare threshold", 4, 1, FIELD_UINT, IN_PERCENT,
	      IN_FACT(FACT_SPARE_THRESHOLD)),
	FIELD("percentage_used", "Percentage used", 5, 1, FIELD_UINT, .unit = UNIT_PERCENT,
	      .factor = 1000, .flags = FIELD_SATURATES, IN_FACT(FACT_PERCENTAGE_USED)),
	FIELD("endurance_group_warning", "Endurance groups: critical warning summary", 6, 1,
	      FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(7, 25),
	/* rounded up to the unit, which is too small a step to call the number a bound */
	FIELD("data_units_read", "Data read by the host", 32, 16, FIELD_UINT, IN_UNITS(DATA_UNIT),
	      IN_FACT(FACT_HOST_BYTES_READ)),
	FIELD("data_units_written", "Data written by the host", 48, 16, FIELD_UINT,
	      IN_UNITS(DATA_UNIT), IN_FACT(FACT_HOST_BYTES_WRITTEN)),
	FIELD("host_read_commands", "Host read commands", 64, 16, FIELD_UINT, IN_COUNT),
	FIELD("host_write_commands", "Host write commands", 80, 16, FIELD_UINT, IN_COUNT),
	FIELD("controller_busy", "Controller busy", 96, 16, FIELD_UINT, .unit = UNIT_MINUTES),
	FIELD("power_cycles", "Power cycles", 112, 16, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_POWER_CYCLES)),
	FIELD("power_on_hours", "Power on hours", 128, 16, FIELD_UINT, .unit = UNIT_HOURS,
	      IN_FACT(FACT_POWER_ON_HOURS)),
	FIELD("unsafe_shutdowns", "Unsafe shutdowns", 144, 16, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_UNSAFE_SHUTDOWNS)),
	FIELD("media_errors", "Media and data integrity errors", 160, 16, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_MEDIA_ERRORS)),
	FIELD("error_log_entries", "Error log entries", 176, 16, FIELD_UINT, IN_COUNT),
	FIELD("warning_temperature_time", "Time above the warning temperature", 192, 4, FIELD_UINT,
	      .unit = UNIT_MINUTES, IN_FACT(FACT_MINUTES_OVER_TEMPERATURE)),
	FIELD("critical_temperature_time", "Time above the critical temperature", 196, 4,
	      FIELD_UINT, .unit = UNIT_MINUTES),
	FIELD("temperature_sensor_1", "Temperature sensor 1", 200, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_2", "Temperature sensor 2", 202, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_3", "Temperature sensor 3", 204, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_4", "Temperature sensor 4", 206, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_5", "Temperature sensor 5", 208, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_6", "Temperature sensor 6", 210, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_7", "Temperature sensor 7", 212, 2, FIELD_UINT, IN_KELVIN),
	FIELD("temperature_sensor_8", "Temperature sensor 8", 214, 2, FIELD_UINT, IN_KELVIN),
	FIELD("thermal_1_transitions", "Thermal management 1: transitions", 216, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("thermal_2_transitions", "Thermal management 2: transitions", 220, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("thermal_1_time", "Thermal management 1: time", 224, 4, FIELD_UINT,
	      .unit = UNIT_SECONDS),
	FIELD("thermal_2_time", "Thermal management 2: time", 228, 4, FIELD_UINT,
	      .unit = UNIT_SECONDS),
	FIELD("lifetime_energy", "Lifetime energy consumed", 232, 8, FIELD_UINT, IN_COUNT,
	      .absent = ABSENT_ZERO),
	FIELD("interval_power", "Interval power measured", 240, 4, FIELD_UINT, IN_COUNT,
	      .absent = ABSENT_ZERO),
	FIELD_RSVD(244, 268),
};

/* A page of zeros is what some bridges and emulators give instead of an error. */
static bool smart_accepts(struct bytes log)
{
	return !bytes_all(log, 0);
}

/* The two thermal management states together are what other drives call throttle events. */
static const struct derived_field smart_derived[] = {
	{ .type = DERIVED_SUM,
	  .field = FIELD("thermal_transitions", "Thermal management transitions", 216, 0,
			 FIELD_UINT, IN_COUNT, .flags = FIELD_DERIVED,
			 IN_FACT(FACT_THERMAL_THROTTLE_EVENTS)),
	  .parts = { { "thermal_1_transitions", 1 }, { "thermal_2_transitions", 1 } } },
};

const struct log_layout layout_nvme_smart = {
	.name = "nvme.smart",
	.title = "SMART / Health Information (log 02h)",
	.source = NVME_BASE "SMART / Health Information",
	.space = SPACE_NVME_LOG,
	.id = 2,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 192,
	.accepts = smart_accepts,
	.fields = smart_rows,
	.nfields = ARRAY_SIZE(smart_rows),
	.derived = smart_derived,
	.nderived = ARRAY_SIZE(smart_derived),
};

static const struct field firmware_rows[] = {
	FIELD_BITS("active_slot", "Active firmware slot", 0, 1, 0, 3),
	FIELD_BITS_RSVD("afi_reserved_3", 0, 1, 3, 1),
	FIELD_BITS("next_slot", "Firmware slot after the next reset", 0, 1, 4, 3,
		   .absent = ABSENT_ZERO),
	FIELD_BITS_RSVD("afi_reserved_7", 0, 1, 7, 1),
	FIELD_RSVD(1, 7),
	FIELD("slots", "Firmware slots", 8, 56, FIELD_GROUP),
	FIELD_RSVD(64, 448),
};
/* the record's index is the slot, less one */
static const struct field firmware_slot_rows[] = {
	FIELD("slot_revision", "Firmware in the slot", 0, 8, FIELD_ASCII),
};
static const struct record_table firmware_slots = {
	8, 8, 7, NULL, firmware_slot_rows, ARRAY_SIZE(firmware_slot_rows)
};

const struct log_layout layout_nvme_firmware = {
	.name = "nvme.firmware",
	.title = "Firmware Slot Information (log 03h)",
	.source = NVME_BASE "Firmware Slot Information",
	.space = SPACE_NVME_LOG,
	.id = 3,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 64,
	.fields = firmware_rows,
	.nfields = ARRAY_SIZE(firmware_rows),
	.records = &firmware_slots,
};

static const struct field effects_rows[] = {
	FIELD("commands", "Admin commands, then I/O commands", 0, 2048, FIELD_GROUP),
	FIELD_RSVD(2048, 2048),
};
/* the record's index is the opcode, plus 256 for I/O commands */
static const struct field effect_rows[] = {
	FIELD_BITS("command_supported", "Command supported", 0, 4, 0, 1),
	FIELD_BITS("changes_content", "Changes user data", 0, 4, 1, 1),
	FIELD_BITS("changes_namespace", "Changes a namespace", 0, 4, 2, 1),
	FIELD_BITS("changes_inventory", "Changes the namespaces", 0, 4, 3, 1),
	FIELD_BITS("changes_controller", "Changes the controller", 0, 4, 4, 1),
	FIELD_BITS_RSVD("effects_reserved", 0, 4, 5, 11),
	FIELD_BITS("exclusive", "Submission and execution alone", 0, 4, 16, 3),
	FIELD_BITS("by_uuid", "Selected by UUID", 0, 4, 19, 1),
	FIELD_BITS("scope", "Scope", 0, 4, 20, 12, IN_FLAGS),
};
static const struct record_table command_effects = { 0,	   4,		512,
						     NULL, effect_rows, ARRAY_SIZE(effect_rows) };

const struct log_layout layout_nvme_effects = {
	.name = "nvme.effects",
	.title = "Commands Supported and Effects (log 05h)",
	.source = NVME_BASE "Commands Supported and Effects",
	.space = SPACE_NVME_LOG,
	.id = 5,
	.sub = LAYOUT_ANY,
	.size = 4096,
	.min_size = 2048,
	.fields = effects_rows,
	.nfields = ARRAY_SIZE(effects_rows),
	.records = &command_effects,
};

static const struct field selftest_log_rows[] = {
	FIELD_BITS("operation", "Self-test running (1 short, 2 extended)", 0, 1, 0, 4),
	FIELD_BITS_RSVD("operation_reserved", 0, 1, 4, 4),
	FIELD_BITS("completion", "Self-test completion", 1, 1, 0, 7, IN_PERCENT),
	FIELD_BITS_RSVD("completion_reserved", 1, 1, 7, 1),
	FIELD_RSVD(2, 2),
	FIELD("results", "Self-test results", 4, 560, FIELD_GROUP),
};
static const struct field selftest_rows[] = {
	FIELD_BITS("selftest_result", "Self-test: result", 0, 1, 0, 4),
	FIELD_BITS("selftest_code", "Self-test: kind", 0, 1, 4, 4),
	FIELD("selftest_segment", "Self-test: failing segment", 1, 1, FIELD_UINT),
	FIELD_BITS("selftest_nsid_valid", "Self-test: namespace valid", 2, 1, 0, 1),
	FIELD_BITS("selftest_lba_valid", "Self-test: LBA valid", 2, 1, 1, 1),
	FIELD_BITS("selftest_sct_valid", "Self-test: status type valid", 2, 1, 2, 1),
	FIELD_BITS("selftest_sc_valid", "Self-test: status code valid", 2, 1, 3, 1),
	FIELD_BITS_RSVD("selftest_reserved_2", 2, 1, 4, 4),
	FIELD("selftest_reserved_3", "Reserved", 3, 1, FIELD_RESERVED),
	FIELD("selftest_hours", "Self-test: power on hours", 4, 8, FIELD_UINT, .unit = UNIT_HOURS),
	FIELD("selftest_nsid", "Self-test: namespace", 12, 4, FIELD_UINT),
	FIELD("selftest_lba", "Self-test: failing LBA", 16, 8, FIELD_UINT),
	FIELD("selftest_sct", "Self-test: status code type", 24, 1, FIELD_UINT),
	FIELD("selftest_sc", "Self-test: status code", 25, 1, FIELD_UINT),
	FIELD("selftest_vendor", "Self-test: vendor specific", 26, 2, FIELD_UNKNOWN),
};
/* Result Fh marks a slot without a test; a code of 0 is reserved, so zeros are no test either. */
static bool selftest_used(struct bytes record)
{
	uint64_t status = bytes_le_or0(record, 0, 1);

	return (status & 0xf) != 0xf && status >> 4 != 0;
}
static const struct record_table selftest_results = {
	4, 28, 20, selftest_used, selftest_rows, ARRAY_SIZE(selftest_rows)
};

const struct log_layout layout_nvme_selftest = {
	.name = "nvme.selftest",
	.title = "Device Self-test (log 06h)",
	.source = NVME_BASE "Device Self-test",
	.space = SPACE_NVME_LOG,
	.id = 6,
	.sub = LAYOUT_ANY,
	.size = 564,
	.min_size = 4,
	.fields = selftest_log_rows,
	.nfields = ARRAY_SIZE(selftest_log_rows),
	.records = &selftest_results,
};

static const struct field sanitize_rows[] = {
	/* of 65536; all ones: none runs */
	FIELD("progress", "Sanitize progress (of 65,536)", 0, 2, FIELD_UINT, IN_COUNT,
	      .absent = ABSENT_ONES),
	FIELD("status", "Sanitize status", 2, 2, FIELD_UINT, IN_FLAGS),
	FIELD_BITS("state", "Sanitize state", 2, 2, 0, 3),
	FIELD_BITS("passes", "Overwrite passes completed", 2, 2, 3, 5, IN_COUNT),
	FIELD_BITS("global_data_erased", "Nothing written since the last sanitize", 2, 2, 8, 1),
	FIELD_BITS("verification_canceled", "Media verification canceled", 2, 2, 9, 1),
	FIELD("command_dword_10", "Sanitize command dword 10", 4, 4, FIELD_UINT, IN_FLAGS),
	FIELD_BITS("action", "Sanitize action", 4, 4, 0, 3),
	FIELD("time_overwrite", "Estimated time, overwrite", 8, 4, FIELD_UINT, .unit = UNIT_SECONDS,
	      .absent = ABSENT_ONES),
	FIELD("time_block_erase", "Estimated time, block erase", 12, 4, FIELD_UINT,
	      .unit = UNIT_SECONDS, .absent = ABSENT_ONES),
	FIELD("time_crypto_erase", "Estimated time, crypto erase", 16, 4, FIELD_UINT,
	      .unit = UNIT_SECONDS, .absent = ABSENT_ONES),
	FIELD("time_overwrite_nd", "Estimated time, overwrite without deallocation", 20, 4,
	      FIELD_UINT, .unit = UNIT_SECONDS, .absent = ABSENT_ONES),
	FIELD("time_block_erase_nd", "Estimated time, block erase without deallocation", 24, 4,
	      FIELD_UINT, .unit = UNIT_SECONDS, .absent = ABSENT_ONES),
	FIELD("time_crypto_erase_nd", "Estimated time, crypto erase without deallocation", 28, 4,
	      FIELD_UINT, .unit = UNIT_SECONDS, .absent = ABSENT_ONES),
	FIELD("time_deallocation", "Estimated time, deallocation after verification", 32, 4,
	      FIELD_UINT, .unit = UNIT_SECONDS, .absent = ABSENT_ONES),
	FIELD("state_information", "Sanitize state machine", 36, 1, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(37, 475),
};

const struct log_layout layout_nvme_sanitize = {
	.name = "nvme.sanitize",
	.title = "Sanitize Status (log 81h)",
	.source = NVME_BASE "Sanitize Status",
	.space = SPACE_NVME_LOG,
	.id = 0x81,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 32,
	.fields = sanitize_rows,
	.nfields = ARRAY_SIZE(sanitize_rows),
};

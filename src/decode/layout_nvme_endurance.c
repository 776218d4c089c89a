/* SPDX-License-Identifier: MIT */
#include "decode/layout_nvme.h"

/* Endurance groups and the persistent event log. */

#define NVME_BASE     "NVM Express Base Specification 2.1, "
#define BILLION_BYTES UINT64_C(1000000000)

/* Zero stands for "not reported" in the counters of billions; the drive rounds them up. */
#define IN_BILLIONS                                                         \
	.unit = UNIT_BYTES, .factor = BILLION_BYTES, .absent = ABSENT_ZERO, \
	.flags = FIELD_ROUNDED_UP

static const struct field endurance_rows[] = {
	FIELD("group_warning", "Endurance group: critical warning", 0, 1, FIELD_UINT, IN_FLAGS),
	FIELD_BITS("group_warning_spare", "Endurance group: spare below threshold", 0, 1, 0, 1),
	FIELD_BITS("group_warning_reliability", "Endurance group: reliability degraded", 0, 1, 2,
		   1),
	FIELD_BITS("group_warning_read_only", "Endurance group: read-only", 0, 1, 3, 1),
	FIELD("group_features", "Endurance group: features", 1, 1, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(2, 1),
	FIELD("group_spare", "Endurance group: available spare", 3, 1, FIELD_UINT, IN_PERCENT),
	FIELD("group_spare_threshold", "Endurance group: spare threshold", 4, 1, FIELD_UINT,
	      IN_PERCENT),
	FIELD("group_percentage_used", "Endurance group: percentage used", 5, 1, FIELD_UINT,
	      .unit = UNIT_PERCENT, .factor = 1000, .flags = FIELD_SATURATES),
	FIELD("domain", "Endurance group: domain", 6, 2, FIELD_UINT),
	FIELD_RSVD(8, 24),
	FIELD("endurance_estimate", "Endurance group: endurance estimate (NAND budget)", 32, 16,
	      FIELD_UINT, IN_UNITS(BILLION_BYTES), .absent = ABSENT_ZERO),
	FIELD("group_data_read", "Endurance group: data read by hosts", 48, 16, FIELD_UINT,
	      IN_BILLIONS),
	FIELD("group_data_written", "Endurance group: data written by hosts", 64, 16, FIELD_UINT,
	      IN_BILLIONS),
	FIELD("media_units_written", "Endurance group: media written", 80, 16, FIELD_UINT,
	      IN_BILLIONS),
	FIELD("group_read_commands", "Endurance group: host read commands", 96, 16, FIELD_UINT,
	      IN_COUNT),
	FIELD("group_write_commands", "Endurance group: host write commands", 112, 16, FIELD_UINT,
	      IN_COUNT),
	FIELD("group_media_errors", "Endurance group: media errors", 128, 16, FIELD_UINT, IN_COUNT),
	FIELD("group_error_entries", "Endurance group: error log entries", 144, 16, FIELD_UINT,
	      IN_COUNT),
	FIELD("group_capacity", "Endurance group: total capacity", 160, 16, FIELD_UINT, IN_BYTES,
	      .absent = ABSENT_ZERO),
	FIELD("group_unallocated", "Endurance group: unallocated capacity", 176, 16, FIELD_UINT,
	      IN_BYTES),
	FIELD_RSVD(192, 320),
};

/*
 * Over all endurance groups of the drive. The worst group ends the drive, so percentage used is
 * the highest and spare the lowest; the estimate is the media written at which the worst group is
 * worn out if writes go on to the groups in the same proportions.
 */
static const struct derived_field endurance_all[] = {
	{ .type = DERIVED_CODE,
	  .field = FIELD("all_media_written", "Media written, all endurance groups", 80, 0,
			 FIELD_UINT, IN_BYTES, IN_FACT(FACT_NAND_BYTES_WRITTEN)) },
	{ .type = DERIVED_CODE,
	  .field = FIELD("worst_percentage_used", "Percentage used, worst endurance group", 5, 0,
			 FIELD_UINT, .unit = UNIT_PERCENT, IN_FACT(FACT_PERCENTAGE_USED)) },
	{ .type = DERIVED_CODE,
	  .field = FIELD("worst_spare", "Available spare, worst endurance group", 3, 0, FIELD_UINT,
			 .unit = UNIT_PERCENT, IN_FACT(FACT_AVAILABLE_SPARE)) },
	{ .type = DERIVED_CODE,
	  .field = FIELD("worst_spare_threshold", "Spare threshold, worst endurance group", 4, 0,
			 FIELD_UINT, .unit = UNIT_PERCENT, IN_FACT(FACT_SPARE_THRESHOLD)) },
	{ .type = DERIVED_CODE,
	  .field = FIELD("binding_estimate", "Endurance estimate by the worst endurance group", 32,
			 0, FIELD_UINT, IN_BYTES, IN_FACT(FACT_ENDURANCE_ESTIMATE)) },
};

const struct log_layout layout_nvme_endurance = {
	.name = "nvme.endurance",
	.title = "Endurance Group Information (log 09h)",
	.source = NVME_BASE "Endurance Group Information",
	.space = SPACE_NVME_LOG,
	.id = 9,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 160,
	.fields = endurance_rows,
	.nfields = ARRAY_SIZE(endurance_rows),
	.derived = endurance_all,
	.nderived = ARRAY_SIZE(endurance_all),
};

static const struct field persistent_rows[] = {
	FIELD("pel_log_id", "Persistent events: log page", 0, 1, FIELD_UINT),
	FIELD_RSVD(1, 3),
	FIELD("pel_events", "Persistent events: number", 4, 4, FIELD_UINT, IN_COUNT),
	FIELD("pel_length", "Persistent events: log length", 8, 8, FIELD_UINT, IN_BYTES),
	FIELD("pel_revision", "Persistent events: log revision", 16, 1, FIELD_UINT),
	FIELD_RSVD(17, 1),
	FIELD("pel_header_length", "Persistent events: header length, less 20", 18, 2, FIELD_UINT,
	      IN_COUNT),
	FIELD("pel_timestamp", "Persistent events: time of the log", 20, 8, FIELD_UINT),
	FIELD("pel_power_on_hours", "Persistent events: power on hours", 28, 16, FIELD_UINT,
	      .unit = UNIT_HOURS),
	FIELD("pel_power_cycles", "Persistent events: power cycles", 44, 8, FIELD_UINT, IN_COUNT),
	FIELD("pel_vendor_id", "Persistent events: PCI vendor", 52, 2, FIELD_UINT, IN_FLAGS),
	FIELD("pel_subsystem_vendor_id", "Persistent events: PCI subsystem vendor", 54, 2,
	      FIELD_UINT, IN_FLAGS),
	FIELD("pel_serial_number", "Persistent events: serial number", 56, 20, FIELD_ASCII,
	      .flags = FIELD_IDENTITY),
	FIELD("pel_model_number", "Persistent events: model", 76, 40, FIELD_ASCII),
	FIELD("pel_subnqn", "Persistent events: NVM subsystem qualified name", 116, 256,
	      FIELD_ASCII, .flags = FIELD_IDENTITY),
	FIELD("pel_generation", "Persistent events: generation", 372, 2, FIELD_UINT, IN_COUNT),
	FIELD("pel_context", "Persistent events: reporting context", 374, 4, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(378, 102),
	FIELD("pel_supported", "Persistent events: supported types", 480, 32, FIELD_HEX),
};

const struct log_layout layout_nvme_persistent = {
	.name = "nvme.persistent",
	.title = "Persistent Event Log (log 0Dh)",
	.source = NVME_BASE "Persistent Event",
	.space = SPACE_NVME_LOG,
	.id = 0x0d,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 512,
	.fields = persistent_rows,
	.nfields = ARRAY_SIZE(persistent_rows),
};

/* Events have headers and data of their own lengths: decode_nvme walks them. */
static const struct field event_rows[] = {
	FIELD("event_type", "Event: type", 0, 1, FIELD_UINT),
	FIELD("event_revision", "Event: type revision", 1, 1, FIELD_UINT),
	FIELD("event_header_length", "Event: header length, less 3", 2, 1, FIELD_UINT, IN_COUNT),
	FIELD("event_header_extra", "Event: additional header information", 3, 1, FIELD_UINT,
	      IN_FLAGS),
	FIELD("event_controller", "Event: controller", 4, 2, FIELD_UINT),
	FIELD("event_timestamp", "Event: timestamp", 6, 8, FIELD_UINT),
	FIELD("event_port", "Event: NVM subsystem port", 14, 2, FIELD_UINT),
	FIELD("event_reserved_16", "Reserved", 16, 4, FIELD_RESERVED),
	FIELD("event_vendor_length", "Event: vendor specific length", 20, 2, FIELD_UINT, IN_BYTES),
	FIELD("event_length", "Event: length", 22, 2, FIELD_UINT, IN_BYTES),
};
static const struct derived_field event_data[] = {
	{ .type = DERIVED_CODE, .field = FIELD("event_data", "Event: data", 0, 0, FIELD_UNKNOWN) },
	/* type 0Dh; how far the composite temperature stood above the threshold */
	{ .type = DERIVED_CODE,
	  .field = FIELD("event_over_temperature", "Event: degrees above the threshold", 0, 0,
			 FIELD_UINT, .unit = UNIT_CELSIUS) },
};

const struct log_layout layout_nvme_event = {
	.name = "nvme.event",
	.title = "Persistent event (in log 0Dh)",
	.source = NVME_BASE "Persistent Event Format",
	.space = SPACE_NVME_LOG,
	.id = 0x0d,
	.sub = LAYOUT_ANY,
	.size = 24,
	.min_size = 24,
	.fields = event_rows,
	.nfields = ARRAY_SIZE(event_rows),
	.derived = event_data,
	.nderived = ARRAY_SIZE(event_data),
};

static const struct field other_rows[] = {
	FIELD("data", "Data without a known layout", 0, 1, FIELD_UNKNOWN),
};

const struct log_layout layout_nvme_other = {
	.name = "nvme.other",
	.title = "Log without a known layout",
	.source = "none",
	.space = SPACE_NVME_LOG,
	.id = LAYOUT_ANY,
	.sub = LAYOUT_ANY,
	.size = 1,
	.fields = other_rows,
	.nfields = ARRAY_SIZE(other_rows),
};

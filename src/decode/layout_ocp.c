/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "decode/layout_nvme.h"

/* Log C0h of the Open Compute Project's specifications: known by the GUID at its end. */

#define GUID_OFF  496
#define GUID_SIZE 16

static bool has_guid(struct bytes log, const uint8_t guid[GUID_SIZE])
{
	return bytes_has(log, GUID_OFF, GUID_SIZE) &&
	       memcmp(log.data + GUID_OFF, guid, GUID_SIZE) == 0;
}

static bool ocp_accepts(struct bytes log)
{
	static const uint8_t guid[GUID_SIZE] = { 0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
						 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf };

	return has_guid(log, guid);
}

static bool hyperscale_accepts(struct bytes log)
{
	static const uint8_t guid[GUID_SIZE] = { 0x65, 0x43, 0x88, 0x78, 0xac, 0xd8, 0x78, 0xa1,
						 0x66, 0x42, 0x1e, 0x0f, 0x92, 0xd7, 0x6d, 0xc4 };

	return has_guid(log, guid);
}

#define IN_BLOCKS  .unit = UNIT_BLOCKS, .absent = ABSENT_ONES
#define NORMALIZED .unit = UNIT_PERCENT, .factor = 1000, .absent = ABSENT_ONES

/*
 * Fields came with the versions of the log (bytes 494:495): what an older version reserves is
 * zero there, and would read as an average erase count of 0.
 */
static const struct field ocp_rows[] = {
	FIELD("media_bytes_written", "Physical media units written", 0, 16, FIELD_UINT, IN_BYTES,
	      IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	FIELD("media_bytes_read", "Physical media units read", 16, 16, FIELD_UINT, IN_BYTES),
	FIELD("bad_user_blocks", "Bad user NAND blocks", 32, 6, FIELD_UINT, IN_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD("bad_user_blocks_normalized", "Bad user NAND blocks, normalized", 38, 2, FIELD_UINT,
	      NORMALIZED),
	FIELD("bad_system_blocks", "Bad system NAND blocks", 40, 6, FIELD_UINT, IN_BLOCKS),
	FIELD("bad_system_blocks_normalized", "Bad system NAND blocks, normalized", 46, 2,
	      FIELD_UINT, NORMALIZED),
	FIELD("xor_recoveries", "XOR recoveries", 48, 8, FIELD_UINT, IN_COUNT),
	FIELD("uncorrectable_reads", "Uncorrectable read errors", 56, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_UNCORRECTABLE_ERRORS)),
	FIELD("soft_ecc_errors", "Soft ECC errors", 64, 8, FIELD_UINT, IN_COUNT),
	FIELD("e2e_detected", "End-to-end errors detected", 72, 4, FIELD_UINT, IN_COUNT),
	FIELD("e2e_corrected", "End-to-end errors corrected", 76, 4, FIELD_UINT, IN_COUNT),
	FIELD("system_data_used", "System data life used", 80, 1, FIELD_UINT, .unit = UNIT_PERCENT,
	      .factor = 1000, .flags = FIELD_SATURATES),
	FIELD("refreshes", "Refreshes", 81, 7, FIELD_UINT, IN_COUNT),
	FIELD("erase_count_max", "User data erase count, maximum", 88, 4, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_MAX)),
	FIELD("erase_count_min", "User data erase count, minimum", 92, 4, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_MIN)),
	FIELD("throttle_events", "Thermal throttling events", 96, 1, FIELD_UINT, .unit = UNIT_COUNT,
	      .flags = FIELD_SATURATES, IN_FACT(FACT_THERMAL_THROTTLE_EVENTS)),
	FIELD("throttle_status", "Thermal throttling now", 97, 1, FIELD_UINT, IN_FLAGS),
	FIELD("spec_errata", "Specification version, errata", 98, 1, FIELD_UINT, .since = 2),
	FIELD("spec_point", "Specification version, point", 99, 2, FIELD_UINT, .since = 2),
	FIELD("spec_minor", "Specification version, minor", 101, 2, FIELD_UINT, .since = 2),
	FIELD("spec_major", "Specification version, major", 103, 1, FIELD_UINT, .since = 2),
	FIELD("pcie_correctable", "PCIe correctable errors", 104, 8, FIELD_UINT, IN_COUNT),
	FIELD("incomplete_shutdowns", "Incomplete shutdowns", 112, 4, FIELD_UINT, IN_COUNT),
	FIELD_RSVD(116, 4),
	FIELD("free_blocks", "Free blocks", 120, 1, FIELD_UINT, IN_PERCENT,
	      IN_FACT(FACT_FREE_BLOCKS)),
	FIELD_RSVD(121, 7),
	FIELD("capacitor_health", "Capacitor health", 128, 2, FIELD_UINT, IN_PERCENT,
	      .absent = ABSENT_ONES, IN_FACT(FACT_CAPACITOR_HEALTH)),
	FIELD("nvme_base_errata", "NVMe base errata", 130, 1, FIELD_UINT, .since = 3),
	FIELD("nvme_command_set_errata", "NVMe command set errata", 131, 1, FIELD_UINT, .since = 4),
	FIELD("pcie_errata", "PCIe errata", 132, 1, FIELD_UINT, .since = 4),
	FIELD("nvme_mi_errata", "NVMe-MI errata", 133, 1, FIELD_UINT, .since = 4),
	FIELD_RSVD(134, 2),
	FIELD("unaligned_io", "Unaligned I/O", 136, 8, FIELD_UINT, IN_COUNT),
	FIELD("security_version", "Security version", 144, 8, FIELD_UINT),
	FIELD("used_blocks", "Namespace use", 152, 8, FIELD_UINT, .unit = UNIT_BLOCKS),
	FIELD("plp_starts", "Power loss protection starts", 160, 16, FIELD_UINT, IN_COUNT),
	FIELD("endurance_estimate", "Endurance estimate (NAND budget)", 176, 16, FIELD_UINT,
	      IN_BYTES, .absent = ABSENT_ZERO, IN_FACT(FACT_ENDURANCE_ESTIMATE)),
	FIELD("pcie_retrains", "PCIe link retrainings", 192, 8, FIELD_UINT, IN_COUNT, .since = 3),
	FIELD("power_state_changes", "Power state changes", 200, 8, FIELD_UINT, IN_COUNT,
	      .since = 3),
	FIELD("lowest_firmware", "Lowest permitted firmware", 208, 8, FIELD_ASCII, .since = 4),
	FIELD("media_dies", "Media dies", 216, 2, FIELD_UINT, IN_COUNT, .since = 4),
	FIELD("die_tolerance", "Die failures tolerated", 218, 2, FIELD_UINT, IN_COUNT, .since = 4),
	FIELD("dies_offline", "Media dies offline", 220, 2, FIELD_UINT, IN_COUNT, .since = 4),
	FIELD("temperature_max", "Highest temperature", 222, 1, FIELD_UINT, .unit = UNIT_CELSIUS,
	      .factor = 1000, .absent = ABSENT_ZERO | ABSENT_ONES, .since = 4,
	      IN_FACT(FACT_TEMPERATURE_MAX)),
	FIELD("form_factor", "Form factor", 223, 1, FIELD_UINT, .since = 4),
	FIELD("erase_count_avg", "NAND average erase count", 224, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES, .absent = ABSENT_ZERO, .since = 4,
	      IN_FACT(FACT_ERASE_COUNT_AVG)),
	FIELD("command_timeouts", "Command timeouts", 232, 4, FIELD_UINT, IN_COUNT, .since = 4),
	FIELD("system_program_fails", "System area program failures", 236, 4, FIELD_UINT, IN_COUNT,
	      .since = 4),
	FIELD("system_program_fails_normalized", "System area program failures, normalized", 240, 1,
	      FIELD_UINT, IN_PERCENT, .since = 4),
	FIELD_RSVD(241, 3),
	FIELD("system_uncorrectable_reads", "System area uncorrectable reads", 244, 4, FIELD_UINT,
	      IN_COUNT, .since = 4),
	FIELD("system_uncorrectable_reads_normalized",
	      "System area uncorrectable reads, normalized", 248, 1, FIELD_UINT, IN_PERCENT,
	      .since = 4),
	FIELD_RSVD(249, 3),
	FIELD("system_erase_fails", "System area erase failures", 252, 4, FIELD_UINT, IN_COUNT,
	      .since = 4),
	FIELD("system_erase_fails_normalized", "System area erase failures, normalized", 256, 1,
	      FIELD_UINT, IN_PERCENT, .since = 4),
	FIELD_RSVD(257, 3),
	FIELD("peak_power", "Peak power", 260, 2, FIELD_UINT, IN_COUNT, .since = 4),
	FIELD("average_power", "Average power", 262, 2, FIELD_UINT, IN_COUNT, .since = 4),
	FIELD("lifetime_power", "Lifetime power consumed", 264, 6, FIELD_UINT, IN_COUNT,
	      .since = 4),
	FIELD("dssd_firmware", "DSSD firmware revision", 270, 8, FIELD_ASCII, .since = 4),
	FIELD("firmware_build_uuid", "Firmware build UUID", 278, 16, FIELD_HEX, .since = 4),
	FIELD("firmware_build_label", "Firmware build label", 294, 64, FIELD_ASCII, .since = 4),
	FIELD("in_use_bad_blocks", "Bad blocks of dies in use", 358, 6, FIELD_UINT, IN_BLOCKS,
	      .since = 5),
	FIELD("in_use_bad_blocks_normalized", "Bad blocks of dies in use, normalized", 364, 2,
	      FIELD_UINT, NORMALIZED, .since = 5),
	FIELD_RSVD(366, 128),
	FIELD("log_version", "Version of the log", 494, 2, FIELD_UINT),
	FIELD("log_guid", "GUID of the log", 496, 16, FIELD_HEX),
};

const struct log_layout layout_ocp_smart = {
	.name = "ocp.smart",
	.title = "OCP SMART / Health Information Extended (log C0h)",
	.source = "OCP Datacenter NVMe SSD Specification 2.6 and before, SMART-1 to SMART-31",
	.space = SPACE_NVME_LOG,
	.id = 0xc0,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 512,
	.version_off = 494,
	.version_size = 2,
	.accepts = ocp_accepts,
	.fields = ocp_rows,
	.nfields = ARRAY_SIZE(ocp_rows),
};

static const struct field hyperscale_rows[] = {
	FIELD("media_bytes_written_tlc", "Physical media units written, TLC", 0, 16, FIELD_UINT,
	      IN_BYTES),
	FIELD("media_bytes_written_slc", "Physical media units written, pSLC", 16, 16, FIELD_UINT,
	      IN_BYTES, IN_FACT(FACT_NAND_BYTES_WRITTEN_SLC)),
	FIELD("bad_user_blocks_normalized", "Bad user NAND blocks, normalized", 32, 2, FIELD_UINT,
	      NORMALIZED),
	FIELD("bad_user_blocks", "Bad user NAND blocks", 34, 6, FIELD_UINT, IN_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD("xor_recoveries", "XOR recoveries", 40, 8, FIELD_UINT, IN_COUNT),
	FIELD("uncorrectable_reads", "Uncorrectable read errors", 48, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_UNCORRECTABLE_ERRORS)),
	FIELD("e2e_corrected", "End-to-end errors corrected", 56, 8, FIELD_UINT, IN_COUNT),
	FIELD("e2e_detected", "End-to-end errors detected", 64, 8, FIELD_UINT, IN_COUNT),
	FIELD("e2e_uncorrected", "End-to-end errors uncorrected", 72, 8, FIELD_UINT, IN_COUNT),
	FIELD("system_data_used", "System data life used", 80, 1, FIELD_UINT, .unit = UNIT_PERCENT,
	      .factor = 1000, .flags = FIELD_SATURATES),
	FIELD_RSVD(81, 3),
	FIELD("erase_count_min", "Erase count, minimum, TLC", 84, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_MIN)),
	FIELD("erase_count_max", "Erase count, maximum, TLC", 92, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_MAX)),
	FIELD("erase_count_avg", "Erase count, average, TLC", 100, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_AVG)),
	FIELD("erase_count_slc_min", "Erase count, minimum, pSLC", 108, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES),
	FIELD("erase_count_slc_max", "Erase count, maximum, pSLC", 116, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_SLC_MAX)),
	FIELD("erase_count_slc_avg", "Erase count, average, pSLC", 124, 8, FIELD_UINT,
	      .unit = UNIT_CYCLES, IN_FACT(FACT_ERASE_COUNT_SLC_AVG)),
	FIELD("program_fails_normalized", "Program failures, normalized", 132, 2, FIELD_UINT,
	      NORMALIZED),
	FIELD("program_fails", "Program failures", 134, 6, FIELD_UINT, IN_COUNT,
	      .absent = ABSENT_ONES, IN_FACT(FACT_PROGRAM_FAIL_COUNT)),
	FIELD("erase_fails_normalized", "Erase failures, normalized", 140, 2, FIELD_UINT,
	      NORMALIZED),
	FIELD("erase_fails", "Erase failures", 142, 6, FIELD_UINT, IN_COUNT, .absent = ABSENT_ONES,
	      IN_FACT(FACT_ERASE_FAIL_COUNT)),
	FIELD("pcie_correctable", "PCIe correctable errors", 148, 8, FIELD_UINT, IN_COUNT),
	FIELD("free_blocks", "Free user blocks", 156, 1, FIELD_UINT, IN_PERCENT,
	      IN_FACT(FACT_FREE_BLOCKS)),
	FIELD_RSVD(157, 3),
	FIELD("security_version", "Security version", 160, 8, FIELD_UINT),
	FIELD("free_system_blocks", "Free system blocks", 168, 1, FIELD_UINT, IN_PERCENT),
	FIELD_RSVD(169, 3),
	FIELD("deallocate_commands", "Deallocate commands", 172, 16, FIELD_UINT, IN_COUNT),
	FIELD("used_blocks", "Namespace use", 188, 8, FIELD_UINT, .unit = UNIT_BLOCKS),
	FIELD("format_commands", "Format commands", 196, 2, FIELD_UINT, IN_COUNT),
	FIELD("back_pressure", "Background back-pressure", 198, 1, FIELD_UINT, IN_PERCENT),
	FIELD_RSVD(199, 3),
	FIELD("soft_ecc_errors", "Soft ECC errors", 202, 8, FIELD_UINT, IN_COUNT),
	FIELD("refreshes", "Refreshes", 210, 8, FIELD_UINT, IN_COUNT),
	FIELD("bad_system_blocks_normalized", "Bad system NAND blocks, normalized", 218, 2,
	      FIELD_UINT, NORMALIZED),
	FIELD("bad_system_blocks", "Bad system NAND blocks", 220, 6, FIELD_UINT, IN_BLOCKS),
	FIELD("endurance_estimate", "Endurance estimate (NAND budget)", 226, 16, FIELD_UINT,
	      IN_BYTES, .absent = ABSENT_ZERO, IN_FACT(FACT_ENDURANCE_ESTIMATE)),
	FIELD("throttle_events", "Thermal throttling events", 242, 2, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_THERMAL_THROTTLE_EVENTS)),
	FIELD("unaligned_io", "Unaligned I/O", 244, 8, FIELD_UINT, IN_COUNT),
	FIELD("media_bytes_read", "Physical media units read", 252, 16, FIELD_UINT, IN_BYTES),
	FIELD("read_timeouts", "Read command timeouts", 268, 4, FIELD_UINT, IN_COUNT),
	FIELD("write_timeouts", "Write command timeouts", 272, 4, FIELD_UINT, IN_COUNT),
	FIELD("trim_timeouts", "Trim command timeouts", 276, 4, FIELD_UINT, IN_COUNT),
	FIELD_RSVD(280, 4),
	FIELD("pcie_retrains", "PCIe link retrainings", 284, 8, FIELD_UINT, IN_COUNT),
	FIELD("power_state_changes", "Power state changes", 292, 8, FIELD_UINT, IN_COUNT),
	FIELD("spec_major", "Specification version, major", 300, 2, FIELD_UINT),
	FIELD("spec_minor", "Specification version, minor", 302, 2, FIELD_UINT),
	FIELD("spec_point", "Specification version, point", 304, 2, FIELD_UINT),
	FIELD("spec_errata", "Specification version, errata", 306, 2, FIELD_UINT),
	FIELD("ftl_unit", "FTL unit size", 308, 4, FIELD_UINT, IN_COUNT),
	FIELD("tcg_ownership", "TCG ownership", 312, 4, FIELD_UINT, IN_FLAGS),
	FIELD_RSVD(316, 178),
	FIELD("log_version", "Version of the log", 494, 2, FIELD_UINT),
	FIELD("log_guid", "GUID of the log", 496, 16, FIELD_HEX),
};

static const struct derived_field hyperscale_derived[] = {
	{ .type = DERIVED_SUM,
	  .field = FIELD("media_bytes_written", "Physical media units written, TLC and pSLC", 0, 0,
			 FIELD_UINT, IN_BYTES, IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	  .parts = { { "media_bytes_written_tlc", 1 }, { "media_bytes_written_slc", 1 } } },
};

const struct log_layout layout_hyperscale_smart = {
	.name = "hyperscale.smart",
	.title = "Hyperscale boot SSD SMART / Health Information Extended (log C0h)",
	.source = "OCP Hyperscale NVMe Boot SSD Specification 1.0; field offsets as in nvme-cli",
	.space = SPACE_NVME_LOG,
	.id = 0xc0,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 512,
	.accepts = hyperscale_accepts,
	.fields = hyperscale_rows,
	.nfields = ARRAY_SIZE(hyperscale_rows),
	.derived = hyperscale_derived,
	.nderived = ARRAY_SIZE(hyperscale_derived),
};

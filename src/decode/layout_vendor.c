/* SPDX-License-Identifier: MIT */
#include "decode/layout_nvme.h"

/* Vendors' logs at fixed places without a signature: Micron, Nitro, WDC, Seagate. */

#define VENDOR_LOG(lid, bytes, least)                                                            \
	.space = SPACE_NVME_LOG, .id = lid, .sub = LAYOUT_ANY, .size = bytes, .min_size = least, \
	.quality = QUALITY_VENDOR, .by_rule = true

#define IN_CYCLES .unit = UNIT_CYCLES
#define IN_BLOCKS .unit = UNIT_BLOCKS

static const struct field micron_d0_rows[] = {
	FIELD_UNKN(0, 12),
	FIELD("bad_blocks", "Bad blocks", 12, 4, FIELD_UINT, IN_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD_UNKN(16, 80),
	FIELD("erase_fails", "Erase failures", 96, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_ERASE_FAIL_COUNT)),
	FIELD_UNKN(104, 40),
	FIELD("program_fails", "Program failures", 144, 16, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_PROGRAM_FAIL_COUNT)),
	FIELD_UNKN(160, 16),
	FIELD("nand_bytes_written", "NAND bytes written", 176, 8, FIELD_UINT, IN_BYTES,
	      .absent = ABSENT_ZERO, IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	FIELD_UNKN(184, 328),
};

const struct log_layout layout_micron_d0 = {
	.name = "micron.d0",
	.title = "Micron 9200, 9300 vendor statistics (log D0h)",
	.source = "Micron plugin of nvme-cli",
	VENDOR_LOG(0xd0, 512, 184),
	.fields = micron_d0_rows,
	.nfields = ARRAY_SIZE(micron_d0_rows),
	.confidence = CONFIDENCE_HIGH,
};

static const struct field micron_fb_rows[] = {
	FIELD("nand_bytes_written_tlc", "NAND bytes written, TLC", 0, 16, FIELD_UINT, IN_BYTES),
	FIELD("nand_bytes_written_slc", "NAND bytes written, pSLC", 16, 16, FIELD_UINT, IN_BYTES,
	      IN_FACT(FACT_NAND_BYTES_WRITTEN_SLC)),
	FIELD_UNKN(32, 4064),
};

static const struct derived_field micron_fb_derived[] = {
	{ .type = DERIVED_SUM,
	  .field = FIELD("nand_bytes_written", "NAND bytes written, TLC and pSLC", 0, 0, FIELD_UINT,
			 IN_BYTES, .absent = ABSENT_ZERO, IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	  .parts = { { "nand_bytes_written_tlc", 1 }, { "nand_bytes_written_slc", 1 } } },
};

const struct log_layout layout_micron_fb = {
	.name = "micron.fb",
	.title = "Micron NAND statistics (log FBh)",
	.source = "Micron plugin of nvme-cli",
	VENDOR_LOG(0xfb, 4096, 32),
	.fields = micron_fb_rows,
	.nfields = ARRAY_SIZE(micron_fb_rows),
	.derived = micron_fb_derived,
	.nderived = ARRAY_SIZE(micron_fb_derived),
	.confidence = CONFIDENCE_HIGH,
};

static const struct field micron_e1_rows[] = {
	FIELD_UNKN(0, 16),
	FIELD("block_erase_max", "Highest erase count of a block", 16, 4, FIELD_UINT, IN_CYCLES),
	FIELD_UNKN(20, 60),
	FIELD("erases", "Block erases", 80, 8, FIELD_UINT, IN_COUNT),
	FIELD_UNKN(88, 72),
	FIELD("host_bytes_read", "Bytes read", 160, 16, FIELD_UINT, IN_BYTES),
	FIELD("host_bytes_written", "Bytes written", 176, 16, FIELD_UINT, IN_BYTES),
	FIELD_UNKN(192, 52),
	FIELD("erase_count_min", "User block erase count, minimum", 244, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_MIN)),
	FIELD("erase_count_avg", "User block erase count, average", 248, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_AVG)),
	FIELD("erase_count_max", "User block erase count, maximum", 252, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_MAX)),
	FIELD_UNKN(256, 256),
};

const struct log_layout layout_micron_e1 = {
	.name = "micron.e1",
	.title = "Micron extended SMART (log E1h)",
	.source = "Micron plugin of nvme-cli, offsets by its field sizes",
	VENDOR_LOG(0xe1, 512, 256),
	.fields = micron_e1_rows,
	.nfields = ARRAY_SIZE(micron_e1_rows),
	.confidence = CONFIDENCE_MEDIUM,
};

static const struct field nitro_d0_rows[] = {
	FIELD_UNKN(0, 100),
	FIELD("erase_count_min", "Erase count, minimum, TLC", 100, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_MIN)),
	FIELD("erase_count_avg", "Erase count, average, TLC", 104, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_AVG)),
	FIELD("erase_count_max", "Erase count, maximum, TLC", 108, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_MAX)),
	FIELD_UNKN(112, 8),
	FIELD("erase_count_slc_min", "Erase count, minimum, pSLC", 120, 4, FIELD_UINT, IN_CYCLES),
	FIELD("erase_count_slc_avg", "Erase count, average, pSLC", 124, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_SLC_AVG)),
	FIELD("erase_count_slc_max", "Erase count, maximum, pSLC", 128, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_SLC_MAX)),
	FIELD("life_used_slc", "Life used, pSLC", 132, 2, FIELD_UINT, IN_PERCENT),
	FIELD("life_used_tlc", "Life used, TLC", 134, 2, FIELD_UINT, IN_PERCENT),
	FIELD_UNKN(136, 376),
};

const struct log_layout layout_nitro_d0 = {
	.name = "nitro.d0",
	.title = "Nitro SSD (0x6001) statistics (log D0h)",
	.source = "Micron plugin of nvme-cli, vendor 0x6001",
	VENDOR_LOG(0xd0, 512, 136),
	.fields = nitro_d0_rows,
	.nfields = ARRAY_SIZE(nitro_d0_rows),
	.confidence = CONFIDENCE_MEDIUM,
};

static const struct field nitro_c6_rows[] = {
	FIELD_UNKN(0, 240),
	FIELD("nand_writes_tlc", "NAND writes, TLC, unit not known", 240, 8, FIELD_UINT, IN_COUNT),
	FIELD("nand_writes_slc", "NAND writes, pSLC, unit not known", 248, 8, FIELD_UINT, IN_COUNT),
	FIELD_UNKN(256, 256),
};

const struct log_layout layout_nitro_c6 = {
	.name = "nitro.c6",
	.title = "Nitro SSD (0x6001) NAND writes (log C6h)",
	.source = "Micron plugin of nvme-cli, vendor 0x6001; no unit stated",
	VENDOR_LOG(0xc6, 512, 256),
	.fields = nitro_c6_rows,
	.nfields = ARRAY_SIZE(nitro_c6_rows),
	.confidence = CONFIDENCE_MEDIUM,
};

static const struct field wdc_fb_rows[] = {
	FIELD("nand_bytes_written", "NAND bytes written", 0, 16, FIELD_UINT, IN_BYTES,
	      .absent = ABSENT_ZERO, IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	FIELD("nand_bytes_read", "NAND bytes read", 16, 16, FIELD_UINT, IN_BYTES),
	FIELD("bad_blocks", "Bad NAND blocks", 32, 8, FIELD_UINT, IN_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD("uncorrectable_reads", "Uncorrectable reads", 40, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_UNCORRECTABLE_ERRORS)),
	FIELD("ecc_errors", "Soft ECC errors", 48, 8, FIELD_UINT, IN_COUNT),
	FIELD("e2e_detected", "End-to-end errors detected", 56, 4, FIELD_UINT, IN_COUNT),
	FIELD("e2e_corrected", "End-to-end errors corrected", 60, 4, FIELD_UINT, IN_COUNT),
	FIELD("system_data_used", "System data life used", 64, 1, FIELD_UINT, .unit = UNIT_PERCENT,
	      .factor = 1000, .flags = FIELD_SATURATES),
	FIELD("erase_count_max", "User data erase count, maximum", 65, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_MAX)),
	FIELD("erase_count_min", "User data erase count, minimum", 69, 4, FIELD_UINT, IN_CYCLES,
	      IN_FACT(FACT_ERASE_COUNT_MIN)),
	FIELD("refreshes", "Refreshes", 73, 8, FIELD_UINT, IN_COUNT),
	FIELD("program_fails", "Program failures", 81, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_PROGRAM_FAIL_COUNT)),
	FIELD("erase_fails", "Erase failures, user area", 89, 8, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_ERASE_FAIL_COUNT)),
	FIELD("system_erase_fails", "Erase failures, system area", 97, 8, FIELD_UINT, IN_COUNT),
	FIELD("throttle_status", "Thermal throttling now", 105, 1, FIELD_UINT, IN_FLAGS),
	FIELD("throttle_events", "Thermal throttling events", 106, 1, FIELD_UINT,
	      .unit = UNIT_COUNT, .flags = FIELD_SATURATES, IN_FACT(FACT_THERMAL_THROTTLE_EVENTS)),
	FIELD("pcie_correctable", "PCIe correctable errors", 107, 8, FIELD_UINT, IN_COUNT),
	FIELD("incomplete_shutdowns", "Incomplete shutdowns", 115, 4, FIELD_UINT, IN_COUNT),
	FIELD("free_blocks", "Free blocks", 119, 1, FIELD_UINT, IN_PERCENT,
	      IN_FACT(FACT_FREE_BLOCKS)),
	FIELD_UNKN(120, 8),
};

const struct log_layout layout_wdc_fb = {
	.name = "wdc.smart-fb",
	.title = "WDC additional SMART attributes, form FB (log CAh)",
	.source = "WDC plugin of nvme-cli",
	VENDOR_LOG(0xca, 128, 120),
	.fields = wdc_fb_rows,
	.nfields = ARRAY_SIZE(wdc_fb_rows),
	.confidence = CONFIDENCE_HIGH,
};

static const struct field wdc_d0_rows[] = {
	FIELD_UNKN(0, 4),
	FIELD("reallocated_blocks", "Reallocated erase blocks", 4, 4, FIELD_UINT, IN_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD("power_on_hours", "Power on hours", 8, 4, FIELD_UINT, .unit = UNIT_HOURS),
	FIELD("uncorrectable_errors", "Uncorrectable ECC errors", 12, 4, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_UNCORRECTABLE_ERRORS)),
	FIELD("waf_lifetime", "Write amplification, lifetime, unit not proven", 16, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("waf_hour", "Write amplification, last hour, unit not proven", 20, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("reserve_blocks", "Reserve erase blocks", 24, 4, FIELD_UINT, IN_BLOCKS),
	FIELD("program_fails", "Program failures", 28, 4, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_PROGRAM_FAIL_COUNT)),
	FIELD("erase_fails", "Erase failures", 32, 4, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_ERASE_FAIL_COUNT)),
	FIELD("die_failures", "Die failures", 36, 4, FIELD_UINT, IN_COUNT),
	FIELD("link_downgrades", "Link rate downgrades", 40, 4, FIELD_UINT, IN_COUNT),
	FIELD("clean_shutdowns", "Clean shutdowns", 44, 4, FIELD_UINT, IN_COUNT),
	FIELD("unclean_shutdowns", "Unclean shutdowns", 48, 4, FIELD_UINT, IN_COUNT),
	FIELD("temperature_raw", "Temperature, unit not proven", 52, 4, FIELD_UINT, IN_COUNT),
	FIELD("temperature_max_raw", "Highest temperature, unit not proven", 56, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("retired_blocks", "Retired blocks", 60, 4, FIELD_UINT, IN_BLOCKS),
	FIELD("read_disturb_reallocations", "Blocks reallocated for read disturb", 64, 4,
	      FIELD_UINT, IN_BLOCKS),
	FIELD("nand_written", "NAND writes, unit not proven", 68, 8, FIELD_UINT, IN_COUNT),
	FIELD("capacitor", "Capacitor health", 76, 4, FIELD_UINT, IN_PERCENT, .absent = ABSENT_ONES,
	      .valid_max = 200),
	FIELD("user_written", "User writes, unit not proven", 80, 8, FIELD_UINT, IN_COUNT),
	FIELD("user_read", "User reads, unit not proven", 88, 8, FIELD_UINT, IN_COUNT),
	FIELD("throttle_events", "Thermal throttling events", 96, 4, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_THERMAL_THROTTLE_EVENTS)),
	FIELD("pe_remaining", "P/E cycles remaining", 100, 4, FIELD_UINT, IN_PERCENT,
	      .absent = ABSENT_ONES, .valid_max = 100),
	FIELD_UNKN(104, 408),
};

/* both counters are "Lpages": their ratio is safe, their unit is not */
static const struct derived_field wdc_d0_derived[] = {
	{ .type = DERIVED_RATIO,
	  .field = FIELD("write_amplification", "Write amplification", 68, 0, FIELD_UINT,
			 .unit = UNIT_RATIO),
	  .parts = { { "nand_written", 0 }, { "user_written", 0 } } },
	{ .type = DERIVED_SHARE,
	  .field = FIELD("nand_bytes_by_ratio",
			 "NAND bytes written: host bytes of log 02h x NAND / user writes", 68, 0,
			 FIELD_UINT, .unit = UNIT_BYTES, .flags = FIELD_DERIVED,
			 IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	  .parts = { { "nand_written", 0 }, { "user_written", 0 } },
	  .whole_layout = "nvme.smart",
	  .whole_field = "data_units_written" },
};

const struct log_layout layout_wdc_d0 = {
	.name = "wdc.d0",
	.title = "WDC SN200, SN6xx statistics (log D0h)",
	.source = "WDC plugin of nvme-cli; units of the write counters not proven",
	VENDOR_LOG(0xd0, 512, 104),
	.fields = wdc_d0_rows,
	.nfields = ARRAY_SIZE(wdc_d0_rows),
	.derived = wdc_d0_derived,
	.nderived = ARRAY_SIZE(wdc_d0_derived),
	.confidence = CONFIDENCE_MEDIUM,
};

static const struct field wdc_eol_rows[] = {
	FIELD_UNKN(0, 76),
	FIELD("reallocated_blocks", "Reallocated blocks", 76, 4, FIELD_UINT, IN_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD("ecc_rate", "ECC rate", 80, 4, FIELD_UINT, IN_COUNT),
	FIELD("waf_lifetime", "Write amplification, lifetime, unit not proven", 84, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("life_remaining", "Life remaining", 88, 4, FIELD_UINT, IN_PERCENT,
	      .absent = ABSENT_ONES, .valid_max = 100),
	FIELD("reserve_blocks", "Reserve blocks", 92, 4, FIELD_UINT, IN_BLOCKS),
	FIELD("program_fails", "Program failures", 96, 4, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_PROGRAM_FAIL_COUNT)),
	FIELD("erase_fails", "Erase failures", 100, 4, FIELD_UINT, IN_COUNT,
	      IN_FACT(FACT_ERASE_FAIL_COUNT)),
	FIELD_UNKN(104, 4),
	FIELD("read_error_rate", "Raw read error rate", 108, 4, FIELD_UINT, IN_COUNT),
	FIELD_UNKN(112, 400),
};

const struct log_layout layout_wdc_eol = {
	.name = "wdc.eol",
	.title = "WDC end of life page (log C0h)",
	.source = "WDC plugin of nvme-cli; illumos wdc plugin",
	VENDOR_LOG(0xc0, 512, 112),
	.fields = wdc_eol_rows,
	.nfields = ARRAY_SIZE(wdc_eol_rows),
	.confidence = CONFIDENCE_HIGH,
};

/* --- Seagate: a version, then records of 12 bytes: key, status, nominal, worst, raw ---------- */

#define SEAGATE(k, nm, l, ...)                                                \
	{                                                                     \
		.key = k, .fields = {                                         \
			FIELD(nm, l, 5, 4, FIELD_UINT, ##__VA_ARGS__),        \
			FIELD(nm "_nominal", l ", nominal", 3, 1, FIELD_UINT) \
		}                                                             \
	}

static const struct keyed_entry seagate_entries[] = {
	SEAGATE(0x2a, "wear_range", "Wear, minimum and maximum", IN_COUNT),
	SEAGATE(0x64, "gb_erased_low", "Gigabytes erased, low half", IN_COUNT),
	SEAGATE(0x65, "gb_erased_high", "Gigabytes erased, high half", IN_COUNT),
	SEAGATE(0xad, "erase_count_avg", "Erase count, average", IN_CYCLES,
		IN_FACT(FACT_ERASE_COUNT_AVG)),
	SEAGATE(0xe7, "life_left", "Life left", IN_COUNT),
	SEAGATE(0xe9, "nand_written_low", "NAND written, low half, unit not proven", IN_COUNT),
	SEAGATE(0xea, "nand_written_high", "NAND written, high half", IN_COUNT),
	SEAGATE(0xf1, "host_written_low", "Host written, low half, unit not proven", IN_COUNT),
	SEAGATE(0xf2, "host_written_high", "Host written, high half", IN_COUNT),
};

static const struct keyed_table seagate_table = {
	.first = 2,
	.stride = 12,
	.count = 42,
	.key_off = 0,
	.key_size = 1,
	.entries = seagate_entries,
	.nentries = ARRAY_SIZE(seagate_entries),
	.ends_at_zero = false,
};

static const struct field seagate_rows[] = {
	FIELD("record_version", "Version", 0, 2, FIELD_UINT),
	FIELD("records", "Records by key", 2, 504, FIELD_GROUP),
	FIELD_UNKN(506, 6),
};

#define HALVES(nm, l, low, high)                                                        \
	{                                                                               \
		.type = DERIVED_SUM, .field = FIELD(nm, l, 0, 0, FIELD_UINT, IN_COUNT), \
		.parts = { { low, 1 }, { high, UINT64_C(1) << 32 } },                   \
	}

static const struct derived_field seagate_derived[] = {
	HALVES("nand_written", "NAND written, unit not proven", "nand_written_low",
	       "nand_written_high"),
	HALVES("host_written", "Host written, unit not proven", "host_written_low",
	       "host_written_high"),
	HALVES("gb_erased", "Gigabytes erased", "gb_erased_low", "gb_erased_high"),
	{ .type = DERIVED_RATIO,
	  .field = FIELD("write_amplification", "Write amplification", 0, 0, FIELD_UINT,
			 .unit = UNIT_RATIO),
	  .parts = { { "nand_written", 0 }, { "host_written", 0 } } },
	{ .type = DERIVED_SHARE,
	  .field = FIELD("nand_bytes_by_ratio",
			 "NAND bytes written: host bytes of log 02h x NAND / host", 0, 0,
			 FIELD_UINT, .unit = UNIT_BYTES, .flags = FIELD_DERIVED,
			 IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	  .parts = { { "nand_written", 0 }, { "host_written", 0 } },
	  .whole_layout = "nvme.smart",
	  .whole_field = "data_units_written" },
};

const struct log_layout layout_seagate_c4 = {
	.name = "seagate.c4",
	.title = "Seagate extended SMART (log C4h)",
	.source = "Seagate plugin of nvme-cli; CacheLib and nvme-cli disagree on the unit",
	VENDOR_LOG(0xc4, 512, 14),
	.fields = seagate_rows,
	.nfields = ARRAY_SIZE(seagate_rows),
	.keyed = &seagate_table,
	.derived = seagate_derived,
	.nderived = ARRAY_SIZE(seagate_derived),
	.confidence = CONFIDENCE_MEDIUM,
};

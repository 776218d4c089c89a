/* SPDX-License-Identifier: MIT */
#include "decode/layout_nvme.h"

/*
 * Log CAh as Intel made it: records of 12 bytes in any order, found by their key; a normalized
 * value at byte 3, six bytes of raw value from byte 5. Solidigm keeps it, other makers copied it
 * without its units, and Samsung and WDC built on it.
 */

#define UNIT_32_MIB (UINT64_C(32) << 20)
#define NOT_RUN	    0xffff /* the timed workload was not started */

/* A record with a counter in its six raw bytes. */
#define COUNTER(k, nm, l, ...)                                                       \
	{                                                                            \
		.key = k, .fields = {                                                \
			FIELD(nm, l, 5, 6, FIELD_UINT, ##__VA_ARGS__),               \
			FIELD(nm "_normalized", l ", normalized", 3, 1, FIELD_UINT), \
		}                                                                    \
	}

#define PROGRAM_FAILS(k) \
	COUNTER(k, "program_fails", "Program failures", IN_COUNT, IN_FACT(FACT_PROGRAM_FAIL_COUNT))
#define ERASE_FAILS(k) \
	COUNTER(k, "erase_fails", "Erase failures", IN_COUNT, IN_FACT(FACT_ERASE_FAIL_COUNT))
/* three counts of 16 bits, which read as one number mean nothing */
#define WEAR_LEVELLING(k)                                                                      \
	{                                                                                      \
		.key = k, .fields = {                                                          \
			FIELD("erase_count_min", "Erase count, minimum", 5, 2, FIELD_UINT,     \
			      .unit = UNIT_CYCLES, .flags = FIELD_SATURATES,                   \
			      IN_FACT(FACT_ERASE_COUNT_MIN)),                                  \
			FIELD("erase_count_max", "Erase count, maximum", 7, 2, FIELD_UINT,     \
			      .unit = UNIT_CYCLES, .flags = FIELD_SATURATES,                   \
			      IN_FACT(FACT_ERASE_COUNT_MAX)),                                  \
			FIELD("erase_count_avg", "Erase count, average", 9, 2, FIELD_UINT,     \
			      .unit = UNIT_CYCLES, .flags = FIELD_SATURATES,                   \
			      IN_FACT(FACT_ERASE_COUNT_AVG)),                                  \
			FIELD("wear_levelling_normalized", "Wear levelling, normalized", 3, 1, \
			      FIELD_UINT),                                                     \
		}                                                                              \
	}
#define END_TO_END(k) COUNTER(k, "e2e_errors", "End-to-end errors", IN_COUNT)
#define CRC_ERRORS(k) \
	COUNTER(k, "crc_errors", "Interface CRC errors", IN_COUNT, IN_FACT(FACT_CRC_ERRORS))
/* of the rated wear since the workload timer was started, in 1/1024 %; above 100 % it is junk */
#define TIMED_WEAR(k)                                                                   \
	COUNTER(k, "workload_wear", "Timed workload: media wear", .unit = UNIT_PERCENT, \
		.factor = 1000, .divisor = 1024, .absent_value = NOT_RUN, .valid_max = 102400)
#define TIMED_READS(k)                                                         \
	COUNTER(k, "workload_reads", "Timed workload: host reads", IN_PERCENT, \
		.absent_value = NOT_RUN, .valid_max = 100)
#define TIMED_MINUTES(k)                                                             \
	COUNTER(k, "workload_minutes", "Timed workload: time", .unit = UNIT_MINUTES, \
		.absent_value = NOT_RUN)
#define THROTTLE(k)                                                                             \
	{                                                                                       \
		.key = k, .fields = {                                                           \
			FIELD("throttle_percent", "Thermal throttling now", 5, 1, FIELD_UINT,   \
			      IN_PERCENT),                                                      \
			FIELD("throttle_events", "Thermal throttling events", 6, 4, FIELD_UINT, \
			      IN_COUNT, IN_FACT(FACT_THERMAL_THROTTLE_EVENTS)),                 \
			FIELD("throttle_normalized", "Thermal throttling, normalized", 3, 1,    \
			      FIELD_UINT),                                                      \
		}                                                                               \
	}
#define RETRY_OVERFLOW(k) COUNTER(k, "retry_overflows", "Retry buffer overflows", IN_COUNT)
#define PLL_LOSS(k)	  COUNTER(k, "pll_losses", "PLL lock losses", IN_COUNT)

/* What all of the family agree in. */
#define COMMON_ENTRIES                                                                      \
	PROGRAM_FAILS(0xab), ERASE_FAILS(0xac), WEAR_LEVELLING(0xad), END_TO_END(0xb8),     \
		CRC_ERRORS(0xc7), TIMED_WEAR(0xe2), TIMED_READS(0xe3), TIMED_MINUTES(0xe4), \
		THROTTLE(0xea), RETRY_OVERFLOW(0xf0), PLL_LOSS(0xf3)

static const struct keyed_entry intel_entries[] = {
	COMMON_ENTRIES,
	COUNTER(0xae, "power_losses", "Power losses", IN_COUNT),
	/* nvme-cli calls them sectors; both count 32 MiB. Old firmware of P3xxx leaves them 0. */
	COUNTER(0xf4, "nand_bytes_written", "NAND bytes written", IN_UNITS(UNIT_32_MIB),
		.absent = ABSENT_ZERO, IN_FACT(FACT_NAND_BYTES_WRITTEN)),
	COUNTER(0xf5, "host_bytes_written", "Host bytes written", IN_UNITS(UNIT_32_MIB),
		.absent = ABSENT_ZERO, IN_FACT(FACT_HOST_BYTES_WRITTEN)),
	COUNTER(0xf6, "context_wear", "Host context wear used", IN_COUNT),
	COUNTER(0xf8, "media_read", "Media bytes read", IN_COUNT),
};

#define INTEL_RECORDS 42
static const struct field intel_rows[] = {
	FIELD("records", "Records by key", 0, 504, FIELD_GROUP),
	FIELD_UNKN(504, 8),
};

static const struct keyed_table intel_table = {
	.first = 0,
	.stride = 12,
	.count = INTEL_RECORDS,
	.key_off = 0,
	.key_size = 1,
	.entries = intel_entries,
	.nentries = ARRAY_SIZE(intel_entries),
	.ends_at_zero = true,
};

const struct log_layout layout_intel_smart = {
	.name = "intel.smart",
	.title = "Intel / Solidigm additional SMART attributes (log CAh)",
	.source = "Intel SSD DC P3700 Series Product Specification, Additional SMART Attributes; "
		  "the unit of 32 MiB by Intel's SATA drives and CacheLib",
	.space = SPACE_NVME_LOG,
	.id = 0xca,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 12,
	.fields = intel_rows,
	.nfields = ARRAY_SIZE(intel_rows),
	.keyed = &intel_table,
	.quality = QUALITY_VENDOR,
	.confidence = CONFIDENCE_HIGH,
	.by_rule = true,
};

/* Numbers whose unit is not proven give a ratio, which log 02h's host bytes turn into bytes. */
#define SHARE_OF_HOST_BYTES(nand, host)                                                         \
	{                                                                                       \
		.type = DERIVED_RATIO,                                                          \
		.field = FIELD("write_amplification", "Write amplification", 0, 0, FIELD_UINT,  \
			       .unit = UNIT_RATIO),                                             \
		.parts = { { nand, 0 }, { host, 0 } },                                          \
	},                                                                                      \
	{                                                                                       \
		.type = DERIVED_SHARE,                                                          \
		.field = FIELD("nand_bytes_by_ratio",                                           \
			       "NAND bytes written: host bytes of log 02h x NAND / host", 0, 0, \
			       FIELD_UINT, .unit = UNIT_BYTES, .flags = FIELD_DERIVED,          \
			       IN_FACT(FACT_NAND_BYTES_WRITTEN)),                               \
		.parts = { { nand, 0 }, { host, 0 } }, .whole_layout = "nvme.smart",            \
		.whole_field = "data_units_written",                                            \
	}

static const struct keyed_entry clone_entries[] = {
	COMMON_ENTRIES,
	COUNTER(0xf4, "nand_written", "NAND written, unit not proven", IN_COUNT,
		.absent = ABSENT_ZERO),
	COUNTER(0xf5, "host_written", "Host written, unit not proven", IN_COUNT,
		.absent = ABSENT_ZERO),
};

static const struct keyed_table clone_table = {
	.first = 0,
	.stride = 12,
	.count = INTEL_RECORDS,
	.key_off = 0,
	.key_size = 1,
	.entries = clone_entries,
	.nentries = ARRAY_SIZE(clone_entries),
	.ends_at_zero = true,
};

static const struct derived_field clone_derived[] = {
	SHARE_OF_HOST_BYTES("nand_written", "host_written"),
};

const struct log_layout layout_intel_clone_smart = {
	.name = "intel-clone.smart",
	.title = "Additional SMART attributes in Intel's form (log CAh)",
	.source = "DapuStor, SSSTC, ScaleFlux, Memblaze, YMTC and Shannon plugins of nvme-cli; "
		  "units not proven",
	.space = SPACE_NVME_LOG,
	.id = 0xca,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 12,
	.fields = intel_rows,
	.nfields = ARRAY_SIZE(intel_rows),
	.keyed = &clone_table,
	.derived = clone_derived,
	.nderived = ARRAY_SIZE(clone_derived),
	.quality = QUALITY_VENDOR,
	.confidence = CONFIDENCE_MEDIUM,
	.by_rule = true,
};

/* --- Samsung PM963, PM983, PM1725: 13 such records, then numbers at fixed places ------------- */

static const struct keyed_entry samsung_entries[] = {
	PROGRAM_FAILS(0xab),
	ERASE_FAILS(0xac),
	WEAR_LEVELLING(0xad),
	END_TO_END(0xb8),
	CRC_ERRORS(0xc7),
	TIMED_WEAR(0xe2),
	TIMED_READS(0xe3),
	TIMED_MINUTES(0xe4),
	THROTTLE(0xea),
	COUNTER(0xf4, "pages_written", "Physical pages written", IN_COUNT),
	COUNTER(0xf5, "data_units_written", "Data units written", IN_COUNT),
};

static const struct keyed_table samsung_table = {
	.first = 0,
	.stride = 12,
	.count = 13,
	.key_off = 0,
	.key_size = 1,
	.entries = samsung_entries,
	.nentries = ARRAY_SIZE(samsung_entries),
	.ends_at_zero = true,
};

static const struct field samsung_rows[] = {
	FIELD("records", "Records by key", 0, 156, FIELD_GROUP),
	FIELD_UNKN(156, 100),
	FIELD("waf_lifetime", "Write amplification, lifetime, unit not proven", 256, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("waf_hour", "Write amplification, last hour, unit not proven", 260, 4, FIELD_UINT,
	      IN_COUNT),
	FIELD("user_written", "User data written, unit not proven", 264, 16, FIELD_UINT, IN_COUNT),
	FIELD("nand_written", "NAND written, unit not proven", 280, 16, FIELD_UINT, IN_COUNT),
	FIELD("user_read", "User data read, unit not proven", 296, 16, FIELD_UINT, IN_COUNT),
	FIELD("retired_blocks", "Retired blocks", 312, 4, FIELD_UINT, .unit = UNIT_BLOCKS,
	      IN_FACT(FACT_REALLOCATED_BLOCKS)),
	FIELD("temperature_raw", "Temperature, unit not proven", 316, 2, FIELD_UINT, IN_COUNT),
	FIELD("capacitor", "Capacitor, unit not proven", 318, 2, FIELD_UINT, IN_COUNT,
	      .absent = ABSENT_ONES),
	FIELD("reserve_blocks", "Reserve blocks", 320, 4, FIELD_UINT, .unit = UNIT_BLOCKS),
	FIELD_UNKN(324, 188),
};

static const struct derived_field samsung_derived[] = {
	SHARE_OF_HOST_BYTES("nand_written", "user_written"),
};

const struct log_layout layout_samsung_smart = {
	.name = "samsung.smart",
	.title = "Samsung extended SMART information (log CAh)",
	.source = "FreeBSD nvmecontrol; 264 and 280 by a second source; units not proven",
	.space = SPACE_NVME_LOG,
	.id = 0xca,
	.sub = LAYOUT_ANY,
	.size = 512,
	.min_size = 296,
	.fields = samsung_rows,
	.nfields = ARRAY_SIZE(samsung_rows),
	.keyed = &samsung_table,
	.derived = samsung_derived,
	.nderived = ARRAY_SIZE(samsung_derived),
	.quality = QUALITY_VENDOR,
	.confidence = CONFIDENCE_MEDIUM,
	.by_rule = true,
};

/* --- WDC "BD": the same records, numbered in sequence --------------------------------------- */

static const struct keyed_entry wdc_bd_entries[] = {
	PROGRAM_FAILS(0),
	ERASE_FAILS(1),
	WEAR_LEVELLING(2),
	END_TO_END(3),
	CRC_ERRORS(4),
	TIMED_WEAR(5),
	TIMED_READS(6),
	TIMED_MINUTES(7),
	THROTTLE(8),
	RETRY_OVERFLOW(9),
	PLL_LOSS(10),
	COUNTER(11, "nand_written", "NAND written, unit not proven", IN_COUNT,
		.absent = ABSENT_ZERO),
	COUNTER(12, "host_written", "Host written, unit not proven", IN_COUNT,
		.absent = ABSENT_ZERO),
};

static const struct keyed_table wdc_bd_table = {
	.first = 0,
	.stride = 12,
	.count = 13,
	.key_off = 0,
	.key_size = 1,
	.entries = wdc_bd_entries,
	.nentries = ARRAY_SIZE(wdc_bd_entries),
	.ends_at_zero = false, /* 0 is the first record's key */
};

static const struct field wdc_bd_rows[] = {
	FIELD("records", "Records by key", 0, 156, FIELD_GROUP),
	FIELD_UNKN(156, 4),
};

const struct log_layout layout_wdc_bd = {
	.name = "wdc.smart-bd",
	.title = "WDC additional SMART attributes, form BD (log CAh)",
	.source = "WDC plugin of nvme-cli; units not proven",
	.space = SPACE_NVME_LOG,
	.id = 0xca,
	.sub = LAYOUT_ANY,
	.size = 160,
	.min_size = 156,
	.fields = wdc_bd_rows,
	.nfields = ARRAY_SIZE(wdc_bd_rows),
	.keyed = &wdc_bd_table,
	.derived = clone_derived,
	.nderived = ARRAY_SIZE(clone_derived),
	.quality = QUALITY_VENDOR,
	.confidence = CONFIDENCE_MEDIUM,
	.by_rule = true,
};

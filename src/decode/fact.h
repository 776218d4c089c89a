/* SPDX-License-Identifier: MIT */
#ifndef DECODE_FACT_H
#define DECODE_FACT_H

#include <stdbool.h>

#include "base/units.h"

/*
 * The canonical facts: what nandlife knows of a drive, in base units, whatever log or attribute
 * it came from. The names are part of the JSON contract.
 *
 * X(enumerator, name, unit, label, is it a counter that only rises?)
 */
#define FACTS(X)                                                                                   \
	X(FACT_HOST_BYTES_WRITTEN, "host_bytes_written", UNIT_BYTES, "host written", true)         \
	X(FACT_HOST_BYTES_READ, "host_bytes_read", UNIT_BYTES, "host read", true)                  \
	X(FACT_NAND_BYTES_WRITTEN, "nand_bytes_written", UNIT_BYTES, "NAND written", true)         \
	X(FACT_NAND_BYTES_WRITTEN_SLC, "nand_bytes_written_slc", UNIT_BYTES,                       \
	  "NAND written, pSLC area", true)                                                         \
	X(FACT_ERASE_COUNT_AVG, "erase_count_avg", UNIT_CYCLES, "average erase count", true)       \
	X(FACT_ERASE_COUNT_MAX, "erase_count_max", UNIT_CYCLES, "maximum erase count", true)       \
	X(FACT_ERASE_COUNT_MIN, "erase_count_min", UNIT_CYCLES, "minimum erase count", true)       \
	X(FACT_ERASE_COUNT_SLC_AVG, "erase_count_slc_avg", UNIT_CYCLES,                            \
	  "average erase count, pSLC area", true)                                                  \
	X(FACT_ERASE_COUNT_SLC_MAX, "erase_count_slc_max", UNIT_CYCLES,                            \
	  "maximum erase count, pSLC area", true)                                                  \
	X(FACT_RATED_PE_CYCLES, "rated_pe_cycles", UNIT_CYCLES, "rated P/E cycles", false)         \
	X(FACT_RATED_PE_CYCLES_SLC, "rated_pe_cycles_slc", UNIT_CYCLES,                            \
	  "rated P/E cycles, pSLC area", false)                                                    \
	X(FACT_RATED_BYTES_WRITTEN, "rated_bytes_written", UNIT_BYTES, "rated writes (TBW)",       \
	  false)                                                                                   \
	X(FACT_PERCENTAGE_USED, "percentage_used", UNIT_PERCENT, "rated life used", true)          \
	X(FACT_AVAILABLE_SPARE, "available_spare_percent", UNIT_PERCENT, "available spare", false) \
	X(FACT_SPARE_THRESHOLD, "spare_threshold_percent", UNIT_PERCENT, "spare threshold", false) \
	X(FACT_REALLOCATED_BLOCKS, "reallocated_blocks", UNIT_BLOCKS, "reallocated blocks", true)  \
	X(FACT_PROGRAM_FAIL_COUNT, "program_fail_count", UNIT_COUNT, "program failures", true)     \
	X(FACT_ERASE_FAIL_COUNT, "erase_fail_count", UNIT_COUNT, "erase failures", true)           \
	X(FACT_UNCORRECTABLE_ERRORS, "uncorrectable_errors", UNIT_COUNT, "uncorrectable errors",   \
	  true)                                                                                    \
	X(FACT_MEDIA_ERRORS, "media_errors", UNIT_COUNT, "media errors", true)                     \
	X(FACT_CRC_ERRORS, "crc_errors", UNIT_COUNT, "interface CRC errors", true)                 \
	X(FACT_POWER_ON_HOURS, "power_on_hours", UNIT_HOURS, "powered on", true)                   \
	X(FACT_POWER_CYCLES, "power_cycles", UNIT_COUNT, "power cycles", true)                     \
	X(FACT_UNSAFE_SHUTDOWNS, "unsafe_shutdowns", UNIT_COUNT, "unsafe shutdowns", true)         \
	X(FACT_TEMPERATURE, "temperature_celsius", UNIT_CELSIUS, "temperature", false)             \
	X(FACT_TEMPERATURE_MAX, "temperature_max_celsius", UNIT_CELSIUS, "highest temperature",    \
	  false)                                                                                   \
	X(FACT_MINUTES_OVER_TEMPERATURE, "minutes_over_temperature", UNIT_MINUTES,                 \
	  "time over temperature", true)                                                           \
	X(FACT_THERMAL_THROTTLE_EVENTS, "thermal_throttle_events", UNIT_COUNT,                     \
	  "thermal throttle events", true)                                                         \
	X(FACT_CRITICAL_WARNING, "critical_warning", UNIT_FLAGS, "critical warning", false)        \
	X(FACT_WRITE_PROTECTED, "write_protected", UNIT_FLAGS, "write protected", false)           \
	X(FACT_CAPACITOR_HEALTH, "capacitor_health_percent", UNIT_PERCENT, "capacitor health",     \
	  false)                                                                                   \
	X(FACT_FREE_BLOCKS, "free_blocks_percent", UNIT_PERCENT, "free blocks", false)             \
	X(FACT_ENDURANCE_ESTIMATE, "endurance_estimate_bytes", UNIT_BYTES,                         \
	  "endurance estimate (NAND budget)", false)                                               \
	X(FACT_BYTES_IN_USE, "bytes_in_use", UNIT_BYTES, "capacity in use", false)

enum fact_id {
	FACT_NONE = -1,
#define X(e, name, unit, label, counter) e,
	FACTS(X)
#undef X
		FACT_COUNT
};

/* How a value came to be known. */
enum fact_quality {
	QUALITY_MEASURED, /* a standard log of the drive says so */
	QUALITY_VENDOR,	  /* a vendor's attribute or log, read by a drive rule */
	QUALITY_DERIVED,  /* computed from other facts, or a rating from the drive rules */
};

enum fact_bound {
	BOUND_EXACT,
	BOUND_AT_LEAST, /* saturated, floored or wrapped: the truth is this or more */
	BOUND_AT_MOST,
};

/* How sure a drive rule is of what an attribute means. */
enum confidence {
	CONFIDENCE_PROVEN, /* checked numerically against an independent counter */
	CONFIDENCE_HIGH,
	CONFIDENCE_MEDIUM, /* used, and marked "unconfirmed" */
	CONFIDENCE_LOW,
	CONFIDENCE_UNKNOWN,
};

#define FACT_SOURCE_MAX 160

/* One value for a fact. Numbers are kept in the fact's unit (units.h: exact integers). */
struct fact {
	i128 value;
	enum fact_quality quality;
	enum fact_bound bound;
	enum confidence confidence;
	char source[FACT_SOURCE_MAX]; /* log and offset, or attribute, and rule; clean text */
};

const char *fact_name(enum fact_id id);
const char *fact_label(enum fact_id id);
enum unit fact_unit(enum fact_id id);
bool fact_is_counter(enum fact_id id);

/* FACT_NONE where no fact has this name. */
enum fact_id fact_by_name(const char *name);

const char *quality_name(enum fact_quality quality);
const char *bound_name(enum fact_bound bound);
const char *confidence_name(enum confidence confidence);

#endif

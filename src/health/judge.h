/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_JUDGE_H
#define HEALTH_JUDGE_H

#include "health/finding.h"
#include "health/series.h"

/*
 * What the conditions of findings see, and where they put what they find. A condition is a
 * function over a const struct judge that adds any number of findings of its row's id.
 */
struct judge {
	const struct reading *r;
	const struct drive_rule *rule;
	const struct facts *facts;
	const struct wear *wear;
	const struct estimates *estimates;
	const struct limits *limits;
	const struct series *series; /* finished; NULL: no history */
	int64_t now;
	const char *id; /* of the row whose condition runs */
	struct finding *findings;
	size_t n, max;
	struct finding surplus; /* takes what does not fit */
};

/*
 * Add a finding of the running row: one line of text, with its numbers and units. advice may be
 * NULL. Never fails; what does not fit is dropped.
 */
struct finding *judge_add(struct judge *j, enum severity severity, const char *advice,
			  const char *fmt, ...) PRINTF(4, 5);

/* What the finding rests on: numbers with their sources. */
void finding_evidence(struct finding *f, const char *fmt, ...) PRINTF(2, 3);

/* The fact, if the drive gives it and its meaning is not a guess; NULL otherwise. */
const struct fact *judge_fact(const struct judge *j, enum fact_id id);

/* At most a warning where the number's meaning is unconfirmed, and the words that say so. */
enum severity judge_cap(enum severity severity, enum confidence confidence);
const char *judge_mark(enum confidence confidence); /* "" or ", unconfirmed" */

/* The core of a source, for a line of text: "log 02h", "attribute 202". */
#define SOURCE_SHORT_MAX 64
const char *source_short(const char *source, char buf[SOURCE_SHORT_MAX]);

/*
 * What a counter did lately, by the history: the last sample against the one that many days before
 * now. False without a history of it, or where nothing was read since.
 */
struct rise {
	int64_t from, to; /* values, in the fact's unit */
	int64_t from_time, to_time;
	double days; /* between these two */
};
bool judge_rise(const struct judge *j, enum fact_id id, double days, struct rise *ret);

/* Why a count of uncorrectable errors is none: words for a line of text, or NULL. */
const char *judge_why_not_a_count(const struct judge *j, const struct fact *f);

/* Bits of NVMe's critical warning (NVM Express Base 2.0, figure 207). */
enum critical_warning_bit {
	CRITICAL_SPARE = 1 << 0,
	CRITICAL_TEMPERATURE = 1 << 1,
	CRITICAL_RELIABILITY = 1 << 2,
	CRITICAL_READ_ONLY = 1 << 3,
	CRITICAL_BACKUP = 1 << 4,
	CRITICAL_PMR = 1 << 5,
};

/* Is one of these bits set? *ret_mask is the whole mask, 0 where the drive reports none. */
bool judge_critical(const struct judge *j, unsigned bits, unsigned *ret_mask);

/* No health log was read, or an empty one: nothing but identity and ratings is known. */
bool judge_has_health_data(const struct judge *j);

/*
 * Every finding, in the order in which equally bad ones are shown.
 * X(id, condition, may it run where the drive gave no health data?)
 */
#define FINDINGS(X)                                                  \
	X("device.unreadable", judge_unreadable, true)               \
	X("device.standby", judge_standby, true)                     \
	X("device.no-health-data", judge_no_health_data, true)       \
	X("device.read-only", judge_read_only, false)                \
	X("smart.failing", judge_smart_failing, false)               \
	X("wear.life-low", judge_life_low, false)                    \
	X("spare.below-threshold", judge_spare_below, false)         \
	X("device.degraded", judge_degraded, false)                  \
	X("device.group-warning", judge_group_warning, false)        \
	X("firmware.hazard", judge_firmware_hazard, true)            \
	X("device.plp-failed", judge_plp_failed, false)              \
	X("selftest.failed", judge_selftest, false)                  \
	X("temperature.over-critical", judge_over_critical, false)   \
	X("temperature.near-shutdown", judge_near_shutdown, false)   \
	X("temperature.over-warning", judge_over_warning, false)     \
	X("media.errors", judge_media_errors, false)                 \
	X("media.errors-rising", judge_media_rising, false)          \
	X("media.pending", judge_media_pending, false)               \
	X("spare.low", judge_spare_low, false)                       \
	X("spare.falling", judge_spare_falling, false)               \
	X("reallocated.rising", judge_reallocated_rising, false)     \
	X("interface.crc-rising", judge_crc_rising, false)           \
	X("wear.rate-changed", judge_rate_changed, false)            \
	X("waf.changed", judge_waf_changed, false)                   \
	X("wear.pslc-life-low", judge_pslc_life_low, false)          \
	X("wear.rated-writes", judge_rated_writes, false)            \
	X("smart.attribute-low", judge_attribute_low, false)         \
	X("reallocated.high", judge_reallocated, false)              \
	X("waf.high", judge_waf_high, false)                         \
	X("unevenness.high", judge_unevenness_high, false)           \
	X("thermal.throttled", judge_throttled, false)               \
	X("data.stale", judge_stale, true)                           \
	X("data.clock", judge_clock, true)                           \
	X("data.conflict", judge_conflict, false)                    \
	X("data.incomplete", judge_incomplete, true)                 \
	X("wear.unknown", judge_wear_unknown, false)                 \
	X("smart.status-derived", judge_status_derived, false)       \
	X("smart.attribute-was-low", judge_attribute_was_low, false) \
	X("interface.crc-errors", judge_crc_errors, false)           \
	X("firmware.outdated", judge_firmware_outdated, true)        \
	X("device.hot-plug-unsafe", judge_hot_plug, true)

#define X(id, condition, always) void condition(struct judge *j);
FINDINGS(X)
#undef X

/* Run every condition that can say something. */
void judge_all(struct judge *j);

#endif

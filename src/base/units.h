/* SPDX-License-Identifier: MIT */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/u128.h"

/*
 * Units of stored numbers, and their names as users see them: the one place for both.
 * Percentages are kept in thousandths of a percent, temperatures in thousandths of a degree, so
 * that every number is an exact integer.
 *
 * X(enumerator, suffix in text, numbers kept per shown unit)
 */
#define UNITS(X)                      \
	X(UNIT_NONE, "", 1)           \
	X(UNIT_COUNT, "", 1)          \
	X(UNIT_BYTES, "B", 1)         \
	X(UNIT_BLOCKS, "blocks", 1)   \
	X(UNIT_CYCLES, "cycles", 1)   \
	X(UNIT_PERCENT, "%", 1000)    \
	X(UNIT_CELSIUS, "C", 1000)    \
	X(UNIT_MILLISECONDS, "ms", 1) \
	X(UNIT_SECONDS, "s", 1)       \
	X(UNIT_MINUTES, "min", 1)     \
	X(UNIT_HOURS, "h", 1)         \
	X(UNIT_DAYS, "days", 1)       \
	X(UNIT_MILLIWATTS, "mW", 1)   \
	X(UNIT_JOULES, "J", 1)        \
	X(UNIT_RATIO, "", 1000)       \
	X(UNIT_FLAGS, "", 1)

enum unit {
#define X(e, text, scale) e,
	UNITS(X)
#undef X
		UNIT_COUNT_OF_UNITS
};

const char *unit_text(enum unit unit);
uint32_t unit_scale(enum unit unit);

#define UNIT_TEXT_MAX 64

/*
 * A size in SI units with three or four significant digits and its unit ("1.92 TB", "512 B",
 * "999 kB"); buf has UNIT_TEXT_MAX bytes. Returns buf.
 */
const char *format_bytes(u128 bytes, char buf[UNIT_TEXT_MAX]);

/* As above, always with two decimals from 1 kB on ("281.47 TB"). */
const char *format_bytes_precise(u128 bytes, char buf[UNIT_TEXT_MAX]);

/* As above in binary units ("256.00 TiB"). */
const char *format_bytes_binary(u128 bytes, char buf[UNIT_TEXT_MAX]);

/* An integer with a comma between groups of three digits ("2,554"). */
const char *format_grouped(i128 v, char buf[UNIT_TEXT_MAX]);

/*
 * A number kept in `unit`, with the unit's suffix, as a person reads it: bytes in SI units,
 * counts grouped, percentages to one decimal (below 1 %: as they are) and temperatures without
 * trailing zeros.
 */
const char *format_quantity(i128 v, enum unit unit, char buf[UNIT_TEXT_MAX]);

/*
 * The exact decimal notation of a number kept in `unit` in its shown unit ("123.7" for
 * 123,700 thousandths of a percent); for JSON, CSV and OpenMetrics. Never locale-dependent.
 */
const char *format_exact(i128 v, enum unit unit, char buf[UNIT_TEXT_MAX]);

/* Hours as "3.1 years", "214 days" or "7 h", days likewise; for people. */
const char *format_hours(u128 hours, char buf[UNIT_TEXT_MAX]);
const char *format_days(double days, char buf[UNIT_TEXT_MAX]);

/*
 * A size as users write it: digits with an optional decimal point and B, kB, MB, GB, TB, PB (SI)
 * or KiB .. PiB; "100" alone is bytes. Case of the letters does not matter, a space before the
 * unit is allowed. -EINVAL where it is none, -ERANGE above 2^63.
 */
int parse_bytes(const char *s, uint64_t *ret_bytes) MUST_USE;

/* A plain decimal number, all of s, with an optional fraction, finite; no exponent, no locale. */
int parse_decimal(const char *s, double *ret) MUST_USE;

/* A share: a decimal number ("0.07"), or one in percent ("7%", "7 %"). */
int parse_share(const char *s, double *ret) MUST_USE;

/* Decimal digits, all of s, at most max. -EINVAL or -ERANGE. */
int parse_u64(const char *s, uint64_t max, uint64_t *ret) MUST_USE;

/*
 * An unsigned integer at the start of s in any locale's digit grouping: groups of two or three
 * digits, the last of three, with a comma, point, apostrophe, space or any non-ASCII character
 * (or stray byte of one) between them; always the same separator. "1.234" is 1234: use it only
 * where a whole number is expected. *ret_end (may be NULL) is the first character behind it.
 * -EINVAL where no digit stands there, -ERANGE where it does not fit.
 */
int parse_grouped(const char *s, u128 *ret, const char **ret_end) MUST_USE;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef BASE_TIMES_H
#define BASE_TIMES_H

#include <stdint.h>

#include "base/cleanup.h"

/*
 * Times are seconds since 1970-01-01 UTC. TIME_UNKNOWN stands for a time that nobody recorded.
 * Nothing here asks the clock or the time zone.
 */
#define TIME_UNKNOWN	INT64_MIN
#define TIME_TEXT	32
#define TIME_MAX	INT64_C(253402300799) /* 9999-12-31T23:59:59Z */

#define SECONDS_PER_DAY INT64_C(86400)

/* "2026-05-01T10:00:00Z"; t is clamped to the years 0 to 9999. Returns buf. */
const char *time_format(int64_t t, char buf[TIME_TEXT]);

/* "2026-05". */
const char *time_format_month(int64_t t, char buf[TIME_TEXT]);

/*
 * RFC 3339 with Z or a numeric offset, seconds and fraction optional, or a bare date (midnight
 * UTC). -EINVAL where it is none.
 */
int time_parse(const char *s, int64_t *ret) MUST_USE;

/*
 * A whole number of minutes, hours, days, weeks or years of 365 days ("90min", "36h", "30d", "8w",
 * "1y") in seconds. -EINVAL where it is none, or of more than a thousand years.
 */
int duration_parse(const char *s, int64_t *ret_seconds) MUST_USE;

/* Seconds since the epoch of a UTC date; month 1..12, day 1..31 (not checked). */
int64_t time_from_civil(int year, int month, int day, int hour, int minute, int second);

/* The day in UTC that t lies in, counted from 1970-01-01; negative before it. */
int64_t time_day(int64_t t);

#endif

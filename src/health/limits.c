/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "health/finding.h"

#define LIMIT(member) offsetof(struct limits, member)

const struct limit_row limit_rows[] = {
	{ "used-warning", "rated life used that warns", UNIT_PERCENT, LIMIT(used_warning), 90, 1,
	  1000 },
	{ "used-critical", "rated life used that is critical", UNIT_PERCENT, LIMIT(used_critical),
	  99, 1, 1000 },
	{ "spare-margin", "points of spare above the drive's threshold that warn", UNIT_PERCENT,
	  LIMIT(spare_margin), 10, 0, 100 },
	{ "waf-high", "write amplification over the lifetime", UNIT_RATIO, LIMIT(waf_high), 10, 1,
	  1000 },
	{ "unevenness-high", "most worn block / average", UNIT_RATIO, LIMIT(unevenness_high), 3, 1,
	  1000 },
	{ "temperature-warning", "temperature that warns where the drive names none", UNIT_CELSIUS,
	  LIMIT(temperature_warning), 70, 0, 150 },
	{ "temperature-critical", "temperature that is critical where the drive names none",
	  UNIT_CELSIUS, LIMIT(temperature_critical), 80, 0, 150 },
	{ "shutdown-margin", "degrees below the temperature at which the drive switches itself off",
	  UNIT_CELSIUS, LIMIT(shutdown_margin), 5, 0, 50 },
	{ "hazard-hours", "hours before a firmware time bomb that are critical", UNIT_HOURS,
	  LIMIT(hazard_hours), 2160, 0, 200000 },
	{ "array-window", "replacement window: members of an array that end closer end together",
	  UNIT_DAYS, LIMIT(array_window), 90, 1, 3650 },
	{ "array-horizon", "members that end together warn when one is to be replaced so soon",
	  UNIT_DAYS, LIMIT(array_horizon), 365, 0, 36500 },
	{ "array-used", "rated life used from which members without an end date warn", UNIT_PERCENT,
	  LIMIT(array_used), 70, 1, 1000 },
	{ "array-points", "points of life used that such members may differ and be alike",
	  UNIT_PERCENT, LIMIT(array_points), 3, 0, 100 },
	{ "stale-days", "age of a reading from which it says nothing of now", UNIT_DAYS,
	  LIMIT(stale_days), 7, 0, 36500 },
	{ "reallocated-warning", "reallocated blocks that warn where no spare is reported",
	  UNIT_BLOCKS, LIMIT(reallocated_warning), 200, 1, 1000000000 },
	{ "rising-days", "days in which an error counter that rises is news", UNIT_DAYS,
	  LIMIT(rising_days), 14, 1, 3650 },
	{ "media-rising", "new media errors within these days that warn", UNIT_COUNT,
	  LIMIT(media_rising), 1, 1, 1000000000 },
	{ "reallocated-rising", "newly reallocated blocks within these days that warn", UNIT_BLOCKS,
	  LIMIT(reallocated_rising), 5, 1, 1000000000 },
	{ "crc-rising", "new interface CRC errors within these days that warn", UNIT_COUNT,
	  LIMIT(crc_rising), 3, 1, 1000000000 },
	{ "spare-falling", "points of spare lost within 90 days that warn", UNIT_PERCENT,
	  LIMIT(spare_falling), 2, 1, 100 },
	{ "change-factor", "times its own past at which write amplification or wear rate changed",
	  UNIT_RATIO, LIMIT(change_factor), 2, 1.1, 1000 },
};
const size_t limit_rows_n = ARRAY_SIZE(limit_rows);

static double *limit_at(struct limits *limits, const struct limit_row *row)
{
	return (double *)(void *)((char *)limits + row->offset);
}

void limits_defaults(struct limits *ret)
{
	for (size_t i = 0; i < limit_rows_n; i++)
		*limit_at(ret, &limit_rows[i]) = limit_rows[i].standard;
}

int limits_set(struct limits *limits, const char *name, const char *value, struct diag *d)
{
	const struct limit_row *row = NULL;
	double v;

	for (size_t i = 0; i < limit_rows_n; i++)
		if (strcmp(limit_rows[i].name, name) == 0)
			row = &limit_rows[i];
	if (!row)
		return diag_fail(d, -ENOENT, "no limit is called '%s'", name);
	if (parse_decimal(value, &v) < 0)
		return diag_fail(d, -EINVAL, "limit %s: '%s' is no number", name, value);
	if (v < row->low || v > row->high)
		return diag_fail(d, -ERANGE, "limit %s: %s is not within %g to %g %s", name, value,
				 row->low, row->high, unit_text(row->unit));
	*limit_at(limits, row) = v;
	return 0;
}

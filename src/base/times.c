/* SPDX-License-Identifier: MIT */
#include "base/times.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Days from 1970-01-01, proleptic Gregorian; years are counted from March so leap days end them. */
static int64_t days_from_civil(int64_t y, int m, int d)
{
	int64_t era, yoe, doy;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

int64_t time_from_civil(int year, int month, int day, int hour, int minute, int second)
{
	return days_from_civil(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 +
	       second;
}

static void civil_from_days(int64_t days, int *ret_y, int *ret_m, int *ret_d)
{
	int64_t z = days + 719468;
	int64_t era = (z >= 0 ? z : z - 146096) / 146097;
	int64_t doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int64_t mp = (5 * doy + 2) / 153;

	*ret_d = (int)(doy - (153 * mp + 2) / 5 + 1);
	*ret_m = (int)(mp < 10 ? mp + 3 : mp - 9);
	*ret_y = (int)(yoe + era * 400 + (*ret_m <= 2));
}

static int64_t clamp(int64_t t)
{
	const int64_t year0 = INT64_C(-62167219200);

	return t < year0 ? year0 : t > TIME_MAX ? TIME_MAX : t;
}

int64_t time_day(int64_t t)
{
	return t / SECONDS_PER_DAY - (t % SECONDS_PER_DAY < 0);
}

const char *time_format(int64_t t, char buf[TIME_TEXT])
{
	int64_t days, rest;
	int y, m, d;

	t = clamp(t);
	days = time_day(t);
	rest = t - days * SECONDS_PER_DAY;
	civil_from_days(days, &y, &m, &d);
	snprintf(buf, TIME_TEXT, "%04d-%02d-%02dT%02d:%02d:%02dZ", y, m, d, (int)(rest / 3600),
		 (int)(rest / 60 % 60), (int)(rest % 60));
	return buf;
}

const char *time_format_month(int64_t t, char buf[TIME_TEXT])
{
	time_format(t, buf);
	buf[7] = '\0';
	return buf;
}

/* n digits at *s as a number from lo to hi; moves on. */
static bool take(const char **s, unsigned n, int lo, int hi, int *ret)
{
	int v = 0;

	for (unsigned i = 0; i < n; i++) {
		if ((*s)[i] < '0' || (*s)[i] > '9')
			return false;
		v = v * 10 + ((*s)[i] - '0');
	}
	*s += n;
	*ret = v;
	return v >= lo && v <= hi;
}

static bool skip(const char **s, char c)
{
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

static int days_in_month(int y, int m)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

	return days[m - 1] + (m == 2 && leap);
}

/* "Z" or "+hh:mm" to the end of the text. */
static bool take_offset(const char **s, int *ret_seconds)
{
	int h, m, sign;

	if (skip(s, 'Z') || skip(s, 'z')) {
		*ret_seconds = 0;
		return !**s;
	}
	sign = **s == '-' ? -1 : 1;
	if (**s != '+' && **s != '-')
		return false;
	(*s)++;
	if (!take(s, 2, 0, 23, &h) || !skip(s, ':') || !take(s, 2, 0, 59, &m))
		return false;
	*ret_seconds = sign * (h * 3600 + m * 60);
	return !**s;
}

int time_parse(const char *s, int64_t *ret)
{
	int y, mo, d, h = 0, mi = 0, sec = 0, offset = 0;

	if (!take(&s, 4, 0, 9999, &y) || !skip(&s, '-') || !take(&s, 2, 1, 12, &mo) ||
	    !skip(&s, '-') || !take(&s, 2, 1, days_in_month(y, mo), &d))
		return -EINVAL;
	if (*s) {
		if (*s != 'T' && *s != 't' && *s != ' ')
			return -EINVAL;
		s++;
		if (!take(&s, 2, 0, 23, &h) || !skip(&s, ':') || !take(&s, 2, 0, 59, &mi))
			return -EINVAL;
		if (skip(&s, ':') && !take(&s, 2, 0, 60, &sec))
			return -EINVAL;
		if (skip(&s, '.')) {
			if (!strspn(s, "0123456789"))
				return -EINVAL;
			s += strspn(s, "0123456789");
		}
		if (!take_offset(&s, &offset))
			return -EINVAL;
	}
	*ret = time_from_civil(y, mo, d, h, mi, sec) - offset;
	return 0;
}

int duration_parse(const char *s, int64_t *ret_seconds)
{
	static const struct {
		const char *name;
		int64_t seconds;
	} units[] = {
		{ "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "w", 604800 }, { "y", 31536000 }
	};
	size_t digits = strspn(s, "0123456789");
	int64_t n = 0;

	if (!digits || digits > 9)
		return -EINVAL;
	for (size_t i = 0; i < digits; i++)
		n = n * 10 + (s[i] - '0');
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(s + digits, units[i].name) != 0)
			continue;
		if (n > 1000 * INT64_C(31536000) / units[i].seconds)
			return -EINVAL;
		*ret_seconds = n * units[i].seconds;
		return 0;
	}
	return -EINVAL;
}

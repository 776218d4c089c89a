/* SPDX-License-Identifier: MIT */
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *text;
	uint32_t scale;
} units[] = {
#define X(e, text, scale) { text, scale },
	UNITS(X)
#undef X
};

const char *unit_text(enum unit unit)
{
	return units[unit].text;
}

uint32_t unit_scale(enum unit unit)
{
	return units[unit].scale;
}

static const char *const si[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB" };
static const char *const binary[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB" };

static const char *format_size(u128 bytes, unsigned step, const char *const names[], char *buf)
{
	double v = u128_double(bytes);
	unsigned i = 0;

	while (i < ARRAY_SIZE(si) - 1 && v >= (double)step) {
		v /= step;
		i++;
	}
	if (i && step == 1000 && v >= 999.5) { /* would print as 1000 */
		v /= step;
		i = i < ARRAY_SIZE(si) - 1 ? i + 1 : i;
	}
	if (!i)
		snprintf(buf, UNIT_TEXT_MAX, "%.0f %s", v, names[i]);
	else if (step == 1000)
		snprintf(buf, UNIT_TEXT_MAX, "%.*f %s",
			 v < 9.995   ? 2
			 : v < 99.95 ? 1
				     : 0,
			 v, names[i]);
	else
		snprintf(buf, UNIT_TEXT_MAX, "%.2f %s", v, names[i]);
	return buf;
}

const char *format_bytes(u128 bytes, char buf[UNIT_TEXT_MAX])
{
	return format_size(bytes, 1000, si, buf);
}

const char *format_bytes_precise(u128 bytes, char buf[UNIT_TEXT_MAX])
{
	double v = u128_double(bytes);
	unsigned i = 0;

	for (; i < ARRAY_SIZE(si) - 1 && v >= 999.995; i++)
		v /= 1000;
	snprintf(buf, UNIT_TEXT_MAX, "%.*f %s", i ? 2 : 0, v, si[i]);
	return buf;
}

const char *format_bytes_binary(u128 bytes, char buf[UNIT_TEXT_MAX])
{
	return format_size(bytes, 1024, binary, buf);
}

const char *format_grouped(i128 v, char buf[UNIT_TEXT_MAX])
{
	char digits[U128_TEXT + 1];
	const char *d = i128_format(v, digits);
	size_t n = strlen(d), at = 0;

	if (*d == '-') {
		buf[at++] = *d++;
		n--;
	}
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			buf[at++] = ',';
		buf[at++] = d[i];
	}
	buf[at] = '\0';
	return buf;
}

const char *format_exact(i128 v, enum unit unit, char buf[UNIT_TEXT_MAX])
{
	uint32_t scale = unit_scale(unit);
	u128 mag = v < 0 ? -(u128)v : (u128)v;
	char whole[U128_TEXT], rest[8];
	size_t n;

	u128_format(mag / scale, whole);
	if (mag % scale == 0) {
		snprintf(buf, UNIT_TEXT_MAX, "%s%s", v < 0 ? "-" : "", whole);
		return buf;
	}
	snprintf(rest, sizeof(rest), "%03u", (unsigned)(mag % scale)); /* every scale is 1000 */
	for (n = strlen(rest); n && rest[n - 1] == '0'; n--)
		rest[n - 1] = '\0';
	snprintf(buf, UNIT_TEXT_MAX, "%s%s.%s", v < 0 ? "-" : "", whole, rest);
	return buf;
}

/* From 1 % on, a hundredth of a percent is more than any counter means. */
static i128 round_percent(i128 v)
{
	const i128 one = 1000, tenth = 100;

	if ((v > -one && v < one) || v > I128_MAX - tenth || v < tenth - I128_MAX)
		return v;
	return (v + (v < 0 ? -tenth / 2 : tenth / 2)) / tenth * tenth;
}

const char *format_quantity(i128 v, enum unit unit, char buf[UNIT_TEXT_MAX])
{
	char number[UNIT_TEXT_MAX];

	if (unit == UNIT_PERCENT)
		v = round_percent(v);

	if (unit == UNIT_BYTES && v >= 0)
		return format_bytes((u128)v, buf);
	if (unit == UNIT_FLAGS) {
		snprintf(buf, UNIT_TEXT_MAX, "0x%02llx", (unsigned long long)v);
		return buf;
	}
	if (unit_scale(unit) == 1)
		format_grouped(v, number);
	else
		format_exact(v, unit, number);
	snprintf(buf, UNIT_TEXT_MAX, "%s%s%s", number, *unit_text(unit) ? " " : "",
		 unit_text(unit));
	return buf;
}

#define DAYS_PER_YEAR 365.25

const char *format_days(double days, char buf[UNIT_TEXT_MAX])
{
	if (days >= 2 * DAYS_PER_YEAR)
		snprintf(buf, UNIT_TEXT_MAX, "%.1f years", days / DAYS_PER_YEAR);
	else if (days >= 2)
		snprintf(buf, UNIT_TEXT_MAX, "%.0f days", days);
	else
		snprintf(buf, UNIT_TEXT_MAX, "%.0f h", days * 24);
	return buf;
}

const char *format_hours(u128 hours, char buf[UNIT_TEXT_MAX])
{
	return format_days(u128_double(hours) / 24, buf);
}

int parse_decimal(const char *s, double *ret)
{
	double whole = 0, part = 0, place = 1;
	bool digits = false;

	for (; *s >= '0' && *s <= '9'; s++, digits = true)
		whole = whole * 10 + (*s - '0');
	if (*s == '.') {
		for (s++; *s >= '0' && *s <= '9'; s++, digits = true) {
			part = part * 10 + (*s - '0');
			place *= 10;
		}
	}
	if (*s || !digits)
		return -EINVAL;
	if (!isfinite(whole) || !isfinite(place))
		return -ERANGE;
	*ret = whole + part / place;
	return 0;
}

int parse_share(const char *s, double *ret)
{
	char number[32];
	size_t n = strspn(s, "0123456789.");
	const char *unit = s + n;
	double v;
	int err;

	if (n >= sizeof(number))
		return -EINVAL;
	memcpy(number, s, n);
	number[n] = '\0';
	err = parse_decimal(number, &v);
	if (err)
		return err;
	if (*unit == ' ')
		unit++;
	if (*unit && strcmp(unit, "%") != 0)
		return -EINVAL;
	*ret = *unit ? v / 100 : v;
	return 0;
}

int parse_bytes(const char *s, uint64_t *ret_bytes)
{
	char number[32], name[4];
	size_t n = strspn(s, "0123456789.");
	double v, factor = 1;
	int err;

	if (!n || n >= sizeof(number))
		return -EINVAL;
	memcpy(number, s, n);
	number[n] = '\0';
	err = parse_decimal(number, &v);
	if (err)
		return err;
	s += n;
	if (*s == ' ')
		s++;
	if (*s && !text_copy(name, sizeof(name), s))
		return -EINVAL;
	for (unsigned i = 0; *s && i < ARRAY_SIZE(si); i++) {
		if (text_equal_nocase(name, si[i])) {
			factor = pow(1000, i);
			break;
		}
		if (i && text_equal_nocase(name, binary[i])) {
			factor = pow(1024, i);
			break;
		}
		if (i == ARRAY_SIZE(si) - 1)
			return -EINVAL;
	}
	v *= factor;
	if (v >= 0x1p63)
		return -ERANGE;
	*ret_bytes = (uint64_t)(v + 0.5);
	return 0;
}

int parse_u64(const char *s, uint64_t max, uint64_t *ret)
{
	u128 v;
	int err = u128_parse(s, &v);

	if (err)
		return err;
	if (v > max)
		return -ERANGE;
	*ret = (uint64_t)v;
	return 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of the separator at s: one ASCII character or a run of up to three non-ASCII bytes. */
static size_t separator_length(const char *s)
{
	size_t n = 0;

	if (*s && strchr(",.' ", *s))
		return 1;
	while (n < 3 && (unsigned char)s[n] >= 0x80)
		n++;
	return n;
}

static size_t digits_length(const char *s)
{
	return strspn(s, "0123456789");
}

/* Does the text behind a separator go on with whole groups, the last one of three digits? */
static bool is_grouped(const char *s, const char *separator, size_t n)
{
	for (;;) {
		size_t digits = digits_length(s);

		if (digits != 2 && digits != 3)
			return false;
		s += digits;
		if (strncmp(s, separator, n) || !is_digit(s[n]))
			return digits == 3;
		s += n;
	}
}

int parse_grouped(const char *s, u128 *ret, const char **ret_end)
{
	const char *separator;
	size_t n, digits = digits_length(s);
	u128 v = 0;

	if (!digits)
		return -EINVAL;
	separator = s + digits;
	n = digits <= 3 ? separator_length(separator) : 0;
	if (n && !is_grouped(separator + n, separator, n))
		n = 0;
	for (;;) {
		for (; is_digit(*s); s++) {
			if (__builtin_mul_overflow(v, (u128)10, &v) ||
			    __builtin_add_overflow(v, (u128)(*s - '0'), &v))
				return -ERANGE;
		}
		if (!n || strncmp(s, separator, n) || !is_digit(s[n]))
			break;
		s += n;
	}
	*ret = v;
	if (ret_end)
		*ret_end = s;
	return 0;
}

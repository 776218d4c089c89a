/* SPDX-License-Identifier: MIT */
#include "base/u128.h"

#include <errno.h>

u128 u128_mul(u128 a, u128 b, bool *saturated)
{
	u128 r;

	if (!__builtin_mul_overflow(a, b, &r))
		return r;
	if (saturated)
		*saturated = true;
	return U128_MAX;
}

u128 u128_scale(u128 a, uint64_t num, uint64_t den, bool *saturated)
{
	u128 whole = u128_mul(a / den, num, saturated);
	u128 rest = a % den * num / den; /* both factors fit 64 bits */
	u128 r;

	if (!__builtin_add_overflow(whole, rest, &r))
		return r;
	if (saturated)
		*saturated = true;
	return U128_MAX;
}

const char *u128_format(u128 v, char buf[U128_TEXT])
{
	char digits[U128_TEXT];
	size_t n = 0, at = 0;

	do {
		digits[n++] = (char)('0' + (unsigned)(v % 10));
		v /= 10;
	} while (v);
	while (n)
		buf[at++] = digits[--n];
	buf[at] = '\0';
	return buf;
}

const char *i128_format(i128 v, char buf[U128_TEXT + 1])
{
	if (v >= 0)
		return u128_format((u128)v, buf);
	buf[0] = '-';
	u128_format(-(u128)v, buf + 1);
	return buf;
}

int u128_parse(const char *s, u128 *ret)
{
	u128 v = 0;

	if (!*s)
		return -EINVAL;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return -EINVAL;
		if (__builtin_mul_overflow(v, (u128)10, &v) ||
		    __builtin_add_overflow(v, (u128)(*s - '0'), &v))
			return -ERANGE;
	}
	*ret = v;
	return 0;
}

double u128_double(u128 v)
{
	return (double)v;
}

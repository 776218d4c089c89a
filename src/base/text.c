/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <string.h>

static size_t trim_copy(char *dst, size_t size, const char *src, size_t n)
{
	while (n && (*src == ' ' || *src == '\t')) {
		src++;
		n--;
	}
	while (n && (src[n - 1] == ' ' || src[n - 1] == '\t'))
		n--;
	if (n > size - 1)
		n = size - 1;
	memmove(dst, src, n);
	dst[n] = '\0';
	return n;
}

size_t text_from_field(char *dst, size_t size, const void *src, size_t n)
{
	const char *end = memchr(src, '\0', n);

	return trim_copy(dst, size, src, end ? (size_t)(end - (const char *)src) : n);
}

size_t text_from_ata_field(char *dst, size_t size, const void *src, size_t n)
{
	char swapped[64] = { 0 };
	const char *s = src;

	if (n > sizeof(swapped))
		n = sizeof(swapped);
	for (size_t i = 0; i + 1 < n; i += 2) {
		swapped[i] = s[i + 1];
		swapped[i + 1] = s[i];
	}
	return text_from_field(dst, size, swapped, n);
}

unsigned text_utf8_length(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;
	uint32_t code;
	unsigned n;

	if (u[0] < 0x80)
		return 1;
	if (u[0] >= 0xC2 && u[0] <= 0xDF)
		n = 2;
	else if ((u[0] & 0xF0) == 0xE0)
		n = 3;
	else if (u[0] >= 0xF0 && u[0] <= 0xF4)
		n = 4;
	else
		return 0;
	code = u[0] & (0xFFu >> (n + 1));
	for (unsigned i = 1; i < n; i++) {
		if ((u[i] & 0xC0) != 0x80)
			return 0;
		code = code << 6 | (u[i] & 0x3Fu);
	}
	if ((n == 3 && code < 0x800) || (n == 4 && code < 0x10000) || code > 0x10FFFF)
		return 0;
	if (code >= 0xD800 && code <= 0xDFFF)
		return 0;
	return n;
}

bool text_is_harmful(const char *s, unsigned n)
{
	const unsigned char *u = (const unsigned char *)s;

	if (n == 1)
		return u[0] < 0x20 || u[0] == 0x7F;
	if (n == 2)
		return u[0] == 0xC2 && u[1] < 0xA0;
	if (n != 3 || u[0] != 0xE2)
		return false;
	/* U+200B..U+200F, U+2028..U+202E, U+2066..U+2069 */
	return (u[1] == 0x80 &&
		((u[2] >= 0x8B && u[2] <= 0x8F) || (u[2] >= 0xA8 && u[2] <= 0xAE))) ||
	       (u[1] == 0x81 && u[2] >= 0xA6 && u[2] <= 0xA9);
}

size_t text_escape(char *dst, size_t size, const char *src)
{
	static const char hex[] = "0123456789abcdef";
	size_t at = 0;

	while (*src) {
		unsigned n = text_utf8_length(src);

		if (n && !text_is_harmful(src, n)) {
			if (at + n >= size)
				break;
			memcpy(dst + at, src, n);
			at += n;
			src += n;
			continue;
		}
		for (unsigned i = 0; i < (n ? n : 1); i++, src++) {
			if (at + 4 >= size)
				goto out;
			dst[at++] = '\\';
			dst[at++] = 'x';
			dst[at++] = hex[(unsigned char)*src >> 4];
			dst[at++] = hex[*src & 15];
		}
	}
out:
	dst[at] = '\0';
	return at;
}

bool text_is_clean(const char *s)
{
	while (*s) {
		unsigned n = text_utf8_length(s);

		if (!n || text_is_harmful(s, n))
			return false;
		s += n;
	}
	return true;
}

size_t text_columns(const char *s)
{
	size_t columns = 0;

	while (*s) {
		unsigned n = text_utf8_length(s);
		const unsigned char *u = (const unsigned char *)s;
		/* U+0300..U+036F combine with the character before them */
		bool combines = n == 2 && (u[0] == 0xCC || (u[0] == 0xCD && u[1] < 0xB0));

		columns += !combines;
		s += n ? n : 1;
	}
	return columns;
}

bool text_copy(char *dst, size_t size, const char *src)
{
	size_t n = strlen(src);
	bool fits = n < size;

	if (!fits)
		n = size - 1;
	memcpy(dst, src, n);
	dst[n] = '\0';
	return fits;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool text_equal_nocase(const char *a, const char *b)
{
	while (*a && lower(*a) == lower(*b)) {
		a++;
		b++;
	}
	return lower(*a) == lower(*b);
}

bool text_starts_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

#define DISTANCE_MAX 32

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

unsigned text_distance(const char *a, const char *b)
{
	unsigned d[DISTANCE_MAX + 1][DISTANCE_MAX + 1];
	size_t n = strnlen(a, DISTANCE_MAX), m = strnlen(b, DISTANCE_MAX);

	for (unsigned i = 0; i <= n; i++)
		d[i][0] = i;
	for (unsigned j = 0; j <= m; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		for (size_t j = 1; j <= m; j++) {
			unsigned cost = a[i - 1] != b[j - 1];

			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[n][m];
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"

/*
 * smartctl prints the raw value of an attribute through one of some twenty formatters, chosen by
 * model, and does not say which. The shape of the text tells most of them apart, and most print
 * every byte that is not zero, so that the bytes can be had back.
 */

#define NUMBERS_MAX 6

struct numbers {
	i128 n[NUMBERS_MAX];
	size_t count;
};

static void set_whole(struct attribute *a, uint64_t raw, uint8_t bytes)
{
	a->raw = raw;
	a->raw_bytes = bytes;
	a->raw_is_decoded = false;
}

static void set_decoded(struct attribute *a, i128 number)
{
	a->raw = (uint64_t)number;
	a->raw_bytes = 0;
	a->raw_is_decoded = true;
}

/* All numbers from first on fit so many bits. */
static bool fit(const struct numbers *v, size_t first, unsigned bits)
{
	for (size_t i = first; i < v->count; i++)
		if (v->n[i] < 0 || v->n[i] >> bits)
			return false;
	return true;
}

/* One number: formatters that split print the upper parts too where those are not zero. */
static bool plain(const struct numbers *v, struct attribute *a)
{
	if (!fit(v, 0, 56))
		return false;
	set_whole(a, (uint64_t)v->n[0], v->n[0] >> 48 ? 7 : 6);
	return true;
}

/* "39786 (5 145 0)": three bytes, and the upper three one by one, highest first. */
static bool three_and_bytes(const struct numbers *v, struct attribute *a)
{
	if (!fit(v, 0, 24) || !fit(v, 1, 8))
		return false;
	set_whole(a, (uint64_t)(v->n[1] << 40 | v->n[2] << 32 | v->n[3] << 24 | v->n[0]), 6);
	return true;
}

/* "6670 (39 8396)": three words, lowest first, then highest and middle. */
static bool word_and_words(const struct numbers *v, struct attribute *a)
{
	if (!fit(v, 0, 16))
		return false;
	set_whole(a, (uint64_t)(v->n[1] << 32 | v->n[2] << 16 | v->n[0]), 6);
	return true;
}

/* "39 (3 51 0 34 0)": the temperature, then the other bytes from the highest down. */
static bool byte_and_bytes(const struct numbers *v, struct attribute *a)
{
	uint64_t raw = 0;

	if (!fit(v, 0, 8))
		return false;
	for (size_t i = 1; i < 6; i++)
		raw = raw << 8 | (uint64_t)v->n[i];
	set_whole(a, raw << 8 | (uint64_t)v->n[0], 6);
	return true;
}

/* "0 1 0": three words, highest first; "0 0 0 0 1 0": six bytes, highest first. */
static bool parts_from_the_top(const struct numbers *v, struct attribute *a)
{
	unsigned bits = v->count == 3 ? 16 : 8;
	uint64_t raw = 0;

	if (!fit(v, 0, bits))
		return false;
	for (size_t i = 0; i < v->count; i++)
		raw = raw << bits | (uint64_t)v->n[i];
	set_whole(a, raw, 6);
	return true;
}

/* "415 (Average 31345)": the low two words; nothing is said of the third. */
static bool word_and_average(const struct numbers *v, struct attribute *a)
{
	if (!fit(v, 0, 16))
		return false;
	set_whole(a, (uint64_t)(v->n[1] << 16 | v->n[0]), 4);
	return true;
}

/* "28 (Min/Max 17/51)": the low byte; the extremes stand in one of many orders above it. */
static bool byte_and_extremes(const struct numbers *v, struct attribute *a)
{
	if (v->n[0] < -128 || v->n[0] > 127)
		return false;
	set_whole(a, (uint64_t)v->n[0] & 0xff, 1);
	return true;
}

/*
 * "2/46": the upper three bytes over the lower three, or over the lower four where the number
 * needs so many. With nothing above, both say the same.
 */
static bool quotient(const struct numbers *v, struct attribute *a)
{
	if (v->n[0] < 0 || v->n[0] >> 24 || !fit(v, 1, 32))
		return false;
	if (v->n[0] && v->n[1] >> 24 == 0)
		return false;
	set_whole(a, (uint64_t)(v->n[0] << 32 | v->n[1]), v->n[0] >> 16 ? 7 : 6);
	return true;
}

/* "5117h+00m+00.000s": hours in the low four bytes, milliseconds of the hour in three above. */
static bool hours_and_milliseconds(const struct numbers *v, struct attribute *a)
{
	i128 ms = v->n[1] * 60000 + v->n[2] * 1000 + v->n[3];

	if (!fit(v, 0, 32) || ms >> 24 || v->n[2] > 59 || v->n[3] > 999)
		return false;
	set_whole(a, (uint64_t)(ms << 32 | v->n[0]), 7);
	return true;
}

/* In a shape '%' stands for a number, each other character for itself. */
static const struct shape {
	const char *text;
	bool (*invert)(const struct numbers *v, struct attribute *a); /* NULL: decoded */
} shapes[] = {
	{ "%", plain },
	{ "%h+%m+%.%s", hours_and_milliseconds },
	{ "%h+%m+%s", NULL },
	{ "%h+%m", NULL },
	{ "% (Average %)", word_and_average },
	{ "% (Min/Max %/%)", byte_and_extremes },
	{ "% (Min/Max %/% #%)", byte_and_extremes },
	{ "% (% %)", word_and_words },
	{ "% (% % %)", three_and_bytes },
	{ "% (% % % % %)", byte_and_bytes },
	{ "% % %", parts_from_the_top },
	{ "% % % % % %", parts_from_the_top },
	{ "%/%", quotient },
};

static bool read_number(const char **s, i128 *ret)
{
	bool negative = **s == '-';
	const char *p = *s + negative;
	i128 v = 0;
	size_t n;

	for (n = 0; p[n] >= '0' && p[n] <= '9'; n++) {
		if (n >= 20)
			return false;
		v = v * 10 + (p[n] - '0');
	}
	if (!n)
		return false;
	*s = p + n;
	*ret = negative ? -v : v;
	return true;
}

static bool matches(const char *shape, const char *text, struct numbers *ret)
{
	*ret = (struct numbers){ 0 };
	for (; *shape; shape++) {
		if (*shape == '%') {
			if (ret->count >= NUMBERS_MAX || !read_number(&text, &ret->n[ret->count++]))
				return false;
		} else if (*text++ != *shape) {
			return false;
		}
	}
	return !*text;
}

/* "0x517693943a98": all bytes, two digits each. */
static bool hexadecimal(const char *text, struct attribute *a)
{
	uint64_t v = 0;
	size_t n;

	if (!text_starts_with(text, "0x"))
		return false;
	text += 2;
	for (n = 0; text[n]; n++) {
		static const char digits[] = "0123456789abcdefABCDEF";
		const char *d = strchr(digits, text[n]);

		if (!d || n >= 16)
			return false;
		v = v << 4 | (uint64_t)(d - digits - (d - digits > 15 ? 6 : 0));
	}
	if (!n || v >> 56)
		return false;
	set_whole(a, v, v >> 48 || n > 12 ? 7 : 6);
	return true;
}

void attribute_raw_from_text(struct attribute *a, const char *text)
{
	const char *s = text;
	struct numbers v;
	i128 leading;

	text_copy(a->raw_text, sizeof(a->raw_text), text);
	a->has_raw = true;
	if (hexadecimal(text, a))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		if (!matches(shapes[i].text, text, &v))
			continue;
		if (!shapes[i].invert || !shapes[i].invert(&v, a))
			set_decoded(a, v.n[0]);
		return;
	}
	a->has_raw = read_number(&s, &leading);
	if (a->has_raw)
		set_decoded(a, leading);
}

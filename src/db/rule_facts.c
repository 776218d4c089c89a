/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "db/rules.h"

/* A drive that has run for more hours than SSDs exist did not: something else is packed in. */
#define HOURS_MAX 200000
#define RAW_MASK  UINT64_C(0xffffffffffff) /* the six bytes of a raw value */

/* Six bytes of ones are what erased flash holds, no count. */
static bool is_erased(const struct attribute *a)
{
	return a->raw_bytes >= 6 && (a->raw & RAW_MASK) == RAW_MASK;
}

static bool part_of_raw(const struct attribute *a, unsigned bit, unsigned bits, uint64_t *ret)
{
	if (!a->has_raw || is_erased(a))
		return false;
	if (bits == 0) {
		*ret = a->raw;
		return true;
	}
	/* a formatter may leave only the part at the bottom, or only so many bytes */
	if (bit != 0 && (a->raw_is_decoded || bit + bits > 8u * a->raw_bytes))
		return false;
	*ret = (a->raw >> bit) & ((UINT64_C(1) << bits) - 1);
	return true;
}

/* Current, lowest and highest temperature as three words, the last two in either order. */
static bool highest_temperature(const struct attribute *a, uint64_t *ret)
{
	uint64_t now, w1, w2, low, high;

	if (!part_of_raw(a, 0, 16, &now) || !part_of_raw(a, 16, 16, &w1) ||
	    !part_of_raw(a, 32, 16, &w2))
		return false;
	low = w1 < w2 ? w1 : w2;
	high = w1 < w2 ? w2 : w1;
	if (high == 0 || high > 127 || now > high || (low < 128 && low > now))
		return false;
	*ret = high;
	return true;
}

static bool two_words(const struct attribute *a, bool larger, uint64_t *ret)
{
	uint64_t w0, w1;

	if (!part_of_raw(a, 0, 16, &w0) || !part_of_raw(a, 16, 16, &w1))
		return false;
	*ret = (w0 > w1) == larger ? w0 : w1;
	return true;
}

/* A normalised value of 0 that was never anything but its start value is not set at all. */
static bool is_unset(const struct attribute *a)
{
	return a->has_value && a->value == 0 && a->has_worst && a->worst >= 100;
}

static bool normalized(const struct attribute *a, uint64_t *ret)
{
	if (!a->has_value || is_unset(a))
		return false;
	*ret = a->value;
	return true;
}

/* Some tools show the normalised value in the place of the packed raw one: whole percents only. */
static bool repeats_normalized(const struct attribute_meaning *m, const struct attribute *a)
{
	return m->fixed_point_hundredths && m->bit != 0 && a->has_raw && a->has_value &&
	       a->raw == a->value;
}

static bool stored_value(const struct attribute_meaning *m, const struct attribute *a,
			 uint64_t *ret)
{
	switch (m->part) {
	case PART_RAW:
		if (repeats_normalized(m, a)) {
			*ret = (uint64_t)a->value << 8;
			return true;
		}
		return part_of_raw(a, m->bit, m->bits, ret);
	case PART_NORMALIZED:
		return normalized(a, ret);
	case PART_LARGER_WORD:
		return two_words(a, true, ret);
	case PART_SMALLER_WORD:
		return two_words(a, false, ret);
	case PART_TEMPERATURE_MAX:
		return highest_temperature(a, ret);
	}
	return false;
}

static unsigned width_of(const struct attribute_meaning *m, const struct attribute *a)
{
	if (m->part == PART_NORMALIZED)
		return 8;
	if (m->bits)
		return m->bits;
	return a->raw_bytes >= 6 ? 8u * a->raw_bytes : 48;
}

static bool is_absent(const struct attribute_meaning *m, const struct attribute *a, uint64_t stored)
{
	unsigned width = width_of(m, a);

	if (m->absent_zero && stored == 0)
		return true;
	return m->absent_ones && width < 64 && stored >= (UINT64_C(1) << width) - 1;
}

/* Percent left, as percent used. False where the stored value is no such thing. */
static bool invert(const struct attribute_meaning *m, uint64_t *v)
{
	if (m->modulo_256) {
		*v = (m->inverted_from + 256u - (*v & 0xff)) & 0xff;
		return true;
	}
	if (*v > m->inverted_from)
		return false;
	*v = m->inverted_from - *v;
	return true;
}

/* A number that no drive can mean: a percentage or an age beyond all bounds. */
static bool is_plausible(enum fact_id fact, i128 v)
{
	switch (fact_unit(fact)) {
	case UNIT_PERCENT:
		return v <= 1000 * 1000;
	case UNIT_HOURS:
		return v <= HOURS_MAX;
	case UNIT_CELSIUS:
		return v >= -60 * 1000 && v <= 150 * 1000 && v != 0;
	case UNIT_CYCLES:
		return v <= 1000 * 1000;
	default:
		return true;
	}
}

static enum fact_bound bound_of(const struct attribute_meaning *m, uint64_t stored)
{
	bool stopped = m->lower_bound || (m->has_floor && stored <= m->floor) ||
		       (m->has_ceiling && stored == m->ceiling);

	return stopped ? BOUND_AT_LEAST : BOUND_EXACT;
}

/* From what is stored to the fact's unit. */
static bool convert(const struct attribute_meaning *m, i128 stored, i128 *ret)
{
	i128 factor = (i128)m->factor, divisor = (i128)m->divisor;

	if (m->fixed_point_hundredths) {
		if ((stored & 0xff) > 99)
			return false;
		stored = (stored >> 8) * 100 + (stored & 0xff);
		divisor *= 100;
	} else if (m->fact != FACT_NONE && fact_unit(m->fact) == UNIT_CELSIUS) {
		stored = (stored & 0xff) - (stored & 0x80 ? 256 : 0);
	}
	*ret = stored * factor / divisor;
	if (m->scale && *ret > 0)
		*ret = (*ret - factor / divisor / 2) * m->scale / 100;
	return true;
}

bool meaning_read(const struct attribute_meaning *m, const struct reading *r, i128 *ret,
		  enum fact_bound *ret_bound)
{
	const struct attribute *a = reading_attribute(r, m->id), *plus = NULL;
	enum fact_bound bound;
	uint64_t v;
	i128 number;

	if (m->plus_id)
		plus = reading_attribute(r, m->plus_id);
	if (!a || !stored_value(m, a, &v) || is_absent(m, a, v) || (m->plus_id && !plus))
		return false;
	/* "nothing left" is no measurement where the firmware never set the field */
	if (m->inverted_from && v == 0 && is_unset(a))
		return false;
	bound = bound_of(m, v);
	if (m->inverted_from && !invert(m, &v))
		return false;
	number = v;
	if (plus) {
		uint64_t second;

		if (!part_of_raw(plus, m->bit, m->bits, &second))
			return false;
		number += second;
	}
	if (!convert(m, number, &number))
		return false;
	if (m->fact != FACT_NONE && !is_plausible(m->fact, number))
		return false;
	*ret = number;
	*ret_bound = bound;
	return true;
}

static const char *part_text(const struct attribute_meaning *m)
{
	return m->part == PART_NORMALIZED ? "normalised value" : "raw value";
}

size_t rule_facts(const struct drive_rule *rule, const struct reading *r, struct rule_fact *ret,
		  size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < rule->nmeanings && n < max; i++) {
		const struct attribute_meaning *m = &rule->meanings[i];
		struct fact f = { .quality = QUALITY_VENDOR, .confidence = m->confidence };

		if (m->fact == FACT_NONE || m->confidence > CONFIDENCE_MEDIUM ||
		    !meaning_read(m, r, &f.value, &f.bound))
			continue;
		if (rule->confidence == CONFIDENCE_MEDIUM && f.confidence < CONFIDENCE_MEDIUM)
			f.confidence = CONFIDENCE_MEDIUM;
		snprintf(f.source, sizeof(f.source), "attribute %u %s (%.60s)%s%.60s%s", m->id,
			 part_text(m), m->name, rule->matched ? ", rule " : "",
			 rule->matched ? rule->family : "",
			 f.confidence == CONFIDENCE_MEDIUM ? ", unconfirmed" : "");
		ret[n++] = (struct rule_fact){ .id = m->fact, .fact = f };
	}
	return n;
}

const struct attribute_meaning *rule_meaning(const struct drive_rule *rule, uint8_t id)
{
	for (size_t i = 0; i < rule->nmeanings; i++)
		if (rule->meanings[i].id == id)
			return &rule->meanings[i];
	return NULL;
}

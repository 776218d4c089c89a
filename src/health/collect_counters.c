/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "health/collect.h"

/*
 * Host writes and reads. The standard counter of many controllers is 32 bits wide and starts again
 * after 2.2 TB; the vendor's attribute, in its known unit, does not. Where the two are the same
 * number modulo 2^32 sectors, the attribute is right.
 */

#define WRAP_SECTORS   ((i128)1 << 32)
#define DRIFT_BYTES    ((i128)64 << 20) /* the two are not read at the same moment */
#define DRIFT_PER_MILL 1

static i128 magnitude(i128 v)
{
	return v < 0 ? -v : v;
}

static i128 wrap_bytes(const struct collection *c)
{
	uint32_t sector = c->r->identity.logical_block_bytes;

	return WRAP_SECTORS * (sector ? sector : 512);
}

/* Bytes in one step of the attribute that gave this value; 0 where it came from elsewhere. */
static i128 unit_of(const struct collection *c, enum fact_id id, i128 value)
{
	for (size_t i = 0; i < c->rule->nmeanings; i++) {
		const struct attribute_meaning *m = &c->rule->meanings[i];
		enum fact_bound bound;
		i128 v;

		if (m->fact == id && meaning_read(m, c->r, &v, &bound) && v == value)
			return (i128)m->factor;
	}
	return 0;
}

static bool about_equal(i128 a, i128 b, i128 unit)
{
	i128 larger = a > b ? a : b;

	return magnitude(a - b) <= unit + DRIFT_BYTES + larger * DRIFT_PER_MILL / 1000;
}

static bool same_modulo(i128 full, i128 wrapped, i128 modulus, i128 unit)
{
	i128 d;

	if (wrapped >= modulus || full <= wrapped)
		return false;
	d = magnitude(full % modulus - wrapped);
	return d <= unit + DRIFT_BYTES || modulus - d <= unit + DRIFT_BYTES;
}

static void say(struct collection *c, enum fact_id id, const struct fact *followed,
		const struct fact *other, const char *why)
{
	char a[UNIT_TEXT_MAX], b[UNIT_TEXT_MAX];
	char by[SHORT_SOURCE_MAX], not_by[SHORT_SOURCE_MAX];

	facts_add_conflict(c->facts, id, id, "%s: %s by %s is followed, not %s by %s: %s",
			   fact_label(id), format_bytes((u128)followed->value, a),
			   collect_short_source(followed, by), format_bytes((u128)other->value, b),
			   collect_short_source(other, not_by), why);
}

/* The statistic holds the attribute's raw number, in the attribute's unit and not in sectors. */
static bool is_raw_copy(const struct collection *c, i128 standard, i128 vendor, i128 unit)
{
	uint32_t sector = c->r->identity.logical_block_bytes;

	return unit > 512 && standard > 0 && standard / (sector ? sector : 512) == vendor / unit;
}

static void compare(struct collection *c, enum fact_id id)
{
	const struct fact *standard = collect_find(c, id, QUALITY_MEASURED);
	const struct fact *vendor = collect_find(c, id, QUALITY_VENDOR);
	struct fact s, v;
	i128 unit;

	if (!standard || !vendor)
		return;
	s = *standard;
	v = *vendor;
	unit = unit_of(c, id, v.value);
	if (same_modulo(v.value, s.value, wrap_bytes(c), unit)) {
		collect_follow(c, id, vendor);
		say(c, id, &v, &s, "the standard counter wraps at 2^32 sectors");
	} else if (about_equal(s.value, v.value, unit)) {
		return;
	} else if (is_raw_copy(c, s.value, v.value, unit)) {
		collect_follow(c, id, vendor);
		say(c, id, &v, &s, "the standard counter counts in the attribute's unit");
	} else if (s.value == 0) {
		collect_follow(c, id, vendor);
		say(c, id, &v, &s, "the standard counter is not maintained");
	} else if (c->rule->host_counter_wraps_32 && s.value < wrap_bytes(c) && v.value > s.value) {
		collect_follow(c, id, vendor);
		say(c, id, &v, &s, "the standard counter of this series wraps at 2^32 sectors");
	} else if (v.bound == BOUND_EXACT || v.value > s.value) {
		say(c, id, &s, &v, "standard logs stand before attributes");
	}
}

/* Alone, a counter that is known to wrap tells only the least that was written. */
static void bound_wrapping(struct collection *c, enum fact_id id)
{
	struct fact_set *set = &c->facts->sets[id];

	if (!c->rule->host_counter_wraps_32 || set->n == 0)
		return;
	for (size_t i = 0; i < set->n; i++)
		if (set->candidates[i].quality == QUALITY_MEASURED &&
		    set->candidates[i].value < wrap_bytes(c))
			set->candidates[i].bound = BOUND_AT_LEAST;
}

/* What attributes count host writes in, on drives that no rule names. */
static const struct {
	uint64_t bytes;
	const char *text;
} units[] = {
	{ 512, "512 B" },
	{ 32 << 20, "32 MiB" },
	{ 1 << 30, "1 GiB" },
	{ 1000 * 1000 * 1000, "1 GB" },
};

static const uint8_t host_ids[] = { 241, 246, 225, 233, 235 };

#define STEPS_MIN 64 /* fewer steps of the unit agree by chance */

static void prove_unit(struct collection *c, const struct attribute *a, const struct fact *s)
{
	struct fact f = { .quality = QUALITY_VENDOR, .confidence = CONFIDENCE_HIGH };
	size_t fits = 0, last = 0;
	bool wrapped = false;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		i128 unit = (i128)units[i].bytes, v = (i128)a->raw * unit;
		bool equal = magnitude(v - s->value) <= unit + DRIFT_BYTES;
		/* steps of 32 MiB meet the residue by chance once in 60,000 drives, of 1 GiB 1,000
		 */
		bool modulo = same_modulo(v, s->value, wrap_bytes(c), 0) ||
			      (unit <= 32 << 20 && same_modulo(v, s->value, wrap_bytes(c), unit));

		if (a->raw < STEPS_MIN || !(equal || modulo))
			continue;
		fits++;
		last = i;
		wrapped = !equal;
	}
	if (fits != 1)
		return;
	f.value = (i128)a->raw * (i128)units[last].bytes;
	snprintf(f.source, sizeof(f.source),
		 "attribute %u raw value x %s, which agrees with Device Statistics on this drive%s",
		 a->id, units[last].text, wrapped ? " modulo 2^32 sectors" : "");
	collect_add(c, FACT_HOST_BYTES_WRITTEN, &f);
}

static void prove_without_rule(struct collection *c)
{
	const struct fact *standard = collect_find(c, FACT_HOST_BYTES_WRITTEN, QUALITY_MEASURED);
	struct fact s;

	if (c->rule->matched || c->r->identity.protocol != PROTOCOL_ATA || !standard)
		return;
	s = *standard;
	for (size_t i = 0; i < ARRAY_SIZE(host_ids); i++) {
		const struct attribute *a = reading_attribute(c->r, host_ids[i]);

		if (a && a->has_raw)
			prove_unit(c, a, &s);
	}
}

void collect_host_counters(struct collection *c)
{
	prove_without_rule(c);
	bound_wrapping(c, FACT_HOST_BYTES_WRITTEN);
	bound_wrapping(c, FACT_HOST_BYTES_READ);
	compare(c, FACT_HOST_BYTES_WRITTEN);
	compare(c, FACT_HOST_BYTES_READ);
}

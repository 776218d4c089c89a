/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "health/collect.h"

#define HOURS_MAX	   200000 /* more than SSDs exist */
#define HOURS_DIFFER	   100
#define CELSIUS		   1000
#define CELSIUS_MIN	   (-60 * CELSIUS)
#define CELSIUS_MAX	   (150 * CELSIUS)
#define TEMPERATURE_DIFFER (30 * CELSIUS)

static void drop_impossible(struct collection *c, enum fact_id id, i128 low, i128 high)
{
	struct fact_set *set = &c->facts->sets[id];

	for (size_t i = 0; i < set->n;) {
		const struct fact *f = &set->candidates[i];
		char text[UNIT_TEXT_MAX], by[SHORT_SOURCE_MAX];

		if (f->value >= low && f->value <= high) {
			i++;
			continue;
		}
		facts_add_conflict(c->facts, id, FACT_NONE,
				   "%s: %s by %s is impossible and left out", fact_label(id),
				   format_quantity(f->value, fact_unit(id), text),
				   collect_short_source(f, by));
		collect_drop(c, id, f);
	}
}

static i128 distance(i128 a, i128 b)
{
	return a > b ? a - b : b - a;
}

static void say(struct collection *c, enum fact_id id, const struct fact *followed,
		const struct fact *other, const char *why)
{
	char a[UNIT_TEXT_MAX], b[UNIT_TEXT_MAX];
	char by[SHORT_SOURCE_MAX], not_by[SHORT_SOURCE_MAX];

	facts_add_conflict(c->facts, id, id, "%s: %s by %s is followed, not %s by %s: %s",
			   fact_label(id), format_quantity(followed->value, fact_unit(id), a),
			   collect_short_source(followed, by),
			   format_quantity(other->value, fact_unit(id), b),
			   collect_short_source(other, not_by), why);
}

/* A statistic far off what attribute 194 says is a firmware's mistake of sign or scale. */
static void compare_temperature(struct collection *c)
{
	const struct fact *s = collect_find(c, FACT_TEMPERATURE, QUALITY_MEASURED);
	const struct fact *v = collect_find(c, FACT_TEMPERATURE, QUALITY_VENDOR);
	struct fact standard, vendor;

	if (!s || !v || c->r->identity.protocol != PROTOCOL_ATA ||
	    distance(s->value, v->value) <= TEMPERATURE_DIFFER)
		return;
	standard = *s;
	vendor = *v;
	collect_follow(c, FACT_TEMPERATURE, v);
	say(c, FACT_TEMPERATURE, &vendor, &standard, "they are more than 30 C apart");
}

static void compare_hours(struct collection *c)
{
	const struct fact *s = collect_find(c, FACT_POWER_ON_HOURS, QUALITY_MEASURED);
	const struct fact *v = collect_find(c, FACT_POWER_ON_HOURS, QUALITY_VENDOR);
	struct fact standard, vendor;

	if (!s || !v || c->r->identity.protocol != PROTOCOL_ATA)
		return;
	standard = *s;
	vendor = *v;
	if (distance(standard.value, vendor.value) <=
	    HOURS_DIFFER + (standard.value + vendor.value) / 20)
		return;
	if (standard.value > 0) {
		say(c, FACT_POWER_ON_HOURS, &standard, &vendor,
		    "standard logs stand before attributes");
		return;
	}
	collect_follow(c, FACT_POWER_ON_HOURS, v);
	say(c, FACT_POWER_ON_HOURS, &vendor, &standard, "the standard counter is not maintained");
}

void collect_plausible(struct collection *c)
{
	drop_impossible(c, FACT_POWER_ON_HOURS, 0, HOURS_MAX);
	drop_impossible(c, FACT_TEMPERATURE, CELSIUS_MIN, CELSIUS_MAX);
	drop_impossible(c, FACT_TEMPERATURE_MAX, CELSIUS_MIN, CELSIUS_MAX);
	compare_temperature(c);
	compare_hours(c);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/ata.h"

/* What can be checked only when everything has been read. */

#define HOURS_SLACK	  2 /* logs are written up to so many hours apart */
#define HOURS_WRAP	  65536
#define HOURS_MAX	  200000 /* 22 years: attribute 9 packed in some way */
#define CELSIUS_MIN	  (-40)
#define CELSIUS_MAX	  125
#define CELSIUS_DISAGREES 30

static bool power_on_hours(const struct reading *r, uint64_t *ret)
{
	const struct attribute *a = reading_attribute(r, 9);
	i128 v;

	if (!reading_number(r, "ata.devstat.general", "power_on_hours", &v)) {
		if (!a || !a->has_raw)
			return false;
		/* four bytes of hours where milliseconds stand above them */
		v = a->raw & UINT32_MAX;
	}
	if (v <= 0 || v > HOURS_MAX)
		return false;
	*ret = (uint64_t)v;
	return true;
}

/* The largest value not above limit that is h modulo 65536; h where there is none. */
static uint64_t unwrap(uint64_t h, uint64_t limit)
{
	return h > limit ? h : h + (limit - h) / HOURS_WRAP * HOURS_WRAP;
}

/* From the newest to the oldest, which is never later than the one before it. */
static void unwrap_selftests(struct reading *r)
{
	uint64_t now, limit;

	if (!power_on_hours(r, &now))
		return;
	now += HOURS_SLACK;
	limit = now;
	for (size_t i = 0; i < r->nselftests; i++) {
		struct selftest *t = &r->selftests[i];

		if (!t->has_hours)
			continue;
		if (t->hours > now) {
			t->hours_unreliable = true;
			continue;
		}
		if (t->hours <= limit) {
			t->hours = unwrap(t->hours, limit);
			limit = t->hours;
			continue;
		}
		/* an older test with a later hour: those before it that say less are wrong */
		t->hours = unwrap(t->hours, now);
		for (size_t k = 0; k < i; k++)
			if (r->selftests[k].has_hours && r->selftests[k].hours < t->hours)
				r->selftests[k].hours_unreliable = true;
		limit = t->hours;
	}
}

static bool attribute_celsius(const struct reading *r, i128 *ret)
{
	const struct attribute *a = reading_attribute(r, 194);

	if (!a || !a->has_raw || !(a->raw_bytes || a->raw_is_decoded))
		return false;
	/* negative ones are of no use here: they may as well be something else */
	*ret = (i128)(a->raw & 0xff);
	return *ret > 0 && *ret < CELSIUS_MAX;
}

/* A log's current temperature against attribute 194; nonsense is made absent. */
static void check_temperature(struct reading *r, struct decoded *v)
{
	i128 milli = v->value.number, other;
	int celsius = (int)(milli / 1000);

	if (celsius < CELSIUS_MIN || celsius > CELSIUS_MAX) {
		v->value = (struct value){ .kind = VALUE_ABSENT };
		if (celsius != INT8_MIN)
			reading_add_problem(r, -ERANGE, "%s: %s of %d C makes no sense",
					    v->layout->title, v->field->name, celsius);
		return;
	}
	if (strcmp(v->field->name, "temperature") == 0 && attribute_celsius(r, &other) &&
	    abs(celsius - (int)other) > CELSIUS_DISAGREES) {
		v->value.kind = VALUE_ABSENT;
		reading_add_problem(r, -ERANGE, "%s: %d C, but attribute 194 says %d C",
				    v->layout->title, celsius, (int)other);
	}
}

void ata_finish(struct reading *r)
{
	unwrap_selftests(r);
	for (size_t i = 0; i < r->nfields; i++) {
		struct decoded *v = &r->fields[i];

		if (v->value.kind == VALUE_NUMBER && v->field->unit == UNIT_CELSIUS &&
		    v->layout->space == SPACE_ATA_LOG)
			check_temperature(r, v);
	}
}

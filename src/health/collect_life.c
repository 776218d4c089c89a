/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "health/collect.h"

/*
 * Percentage used. Some firmware leaves the standard statistic at its first value, or at 255,
 * while the vendor's attribute shows the wear.
 */

#define POINT	       1000
#define SATURATED      (255 * POINT)
#define STUCK_POINTS   3  /* wear of so many percent would have moved the statistic off 0 */
#define DIFFERS_POINTS 10 /* two measures this far apart are a contradiction */

static void say(struct collection *c, const struct fact *followed, const struct fact *other,
		const char *why)
{
	char a[UNIT_TEXT_MAX], b[UNIT_TEXT_MAX];
	char by[SHORT_SOURCE_MAX], not_by[SHORT_SOURCE_MAX];

	facts_add_conflict(c->facts, FACT_PERCENTAGE_USED, FACT_NONE,
			   "life used: %s%s by %s is followed, not %s%s by %s: %s",
			   followed->bound == BOUND_AT_LEAST ? "at least " : "",
			   format_quantity(followed->value, UNIT_PERCENT, a),
			   collect_short_source(followed, by),
			   other->bound == BOUND_AT_LEAST ? "at least " : "",
			   format_quantity(other->value, UNIT_PERCENT, b),
			   collect_short_source(other, not_by), why);
}

/* The statistic stays at its first value, or shows all ones. */
static const char *why_not_standard(const struct collection *c, const struct fact *s,
				    const struct fact *v)
{
	if (c->rule->statistics_percent_stuck)
		return "the standard statistic is not maintained on this series";
	if (s->value == 0 && v->value >= STUCK_POINTS * POINT)
		return "the standard statistic is stuck at 0";
	if (s->value >= SATURATED && v->value < 100 * POINT &&
	    (v->bound == BOUND_EXACT || v->value < 99 * POINT))
		return "255 is all ones, which other counters contradict";
	return NULL;
}

static bool contradict(const struct fact *s, const struct fact *v)
{
	const struct fact *low = s->value <= v->value ? s : v;

	if (low->bound == BOUND_AT_LEAST)
		return false;
	return (s->value > v->value ? s->value - v->value : v->value - s->value) >
	       DIFFERS_POINTS * POINT;
}

/*
 * NVMe: log 02h speaks for the whole drive, log 09h for its worst endurance group, which ends the
 * drive's life whatever the rest of it has left.
 */
static void follow_worst_group(struct collection *c)
{
	struct fact_set *used = &c->facts->sets[FACT_PERCENTAGE_USED];
	struct fact_set *spare = &c->facts->sets[FACT_AVAILABLE_SPARE];
	struct fact_set *threshold = &c->facts->sets[FACT_SPARE_THRESHOLD];

	for (size_t i = 1; i < used->n; i++)
		if (used->candidates[i].quality == QUALITY_MEASURED &&
		    used->candidates[i].value > used->candidates[0].value)
			collect_follow(c, FACT_PERCENTAGE_USED, &used->candidates[i]);
	/* a spare and its threshold go together */
	for (size_t i = 1; i < spare->n && spare->n == threshold->n; i++)
		if (spare->candidates[i].value - threshold->candidates[i].value <
		    spare->candidates[0].value - threshold->candidates[0].value) {
			collect_follow(c, FACT_AVAILABLE_SPARE, &spare->candidates[i]);
			collect_follow(c, FACT_SPARE_THRESHOLD, &threshold->candidates[i]);
		}
}

static void compare_with_vendor(struct collection *c)
{
	const struct fact *standard = collect_find(c, FACT_PERCENTAGE_USED, QUALITY_MEASURED);
	const struct fact *vendor = collect_find(c, FACT_PERCENTAGE_USED, QUALITY_VENDOR);
	const char *why;
	struct fact s, v;

	if (!standard)
		return;
	s = *standard;
	if (!vendor) {
		if (c->rule->statistics_percent_stuck && (s.value == 0 || s.value >= SATURATED)) {
			facts_add_conflict(c->facts, FACT_PERCENTAGE_USED, FACT_NONE,
					   "life used: the standard statistic is not maintained "
					   "on this series, and nothing else tells");
			collect_drop(c, FACT_PERCENTAGE_USED, standard);
		}
		return;
	}
	v = *vendor;
	why = why_not_standard(c, &s, &v);
	if (why) {
		collect_follow(c, FACT_PERCENTAGE_USED, vendor);
		if (s.value != v.value)
			say(c, &v, &s, why);
	} else if (contradict(&s, &v)) {
		say(c, &s, &v, "standard logs stand before attributes");
	}
}

/*
 * What an attribute seems to say although nobody could confirm its meaning gives no fact, but an
 * owner must know where it contradicts the one that is followed.
 */
static void compare_with_unconfirmed(struct collection *c)
{
	const struct fact *followed = facts_get(c->facts, FACT_PERCENTAGE_USED);
	struct fact f, other = { .quality = QUALITY_VENDOR };

	if (!followed)
		return;
	f = *followed;
	for (size_t i = 0; i < c->rule->nmeanings; i++) {
		const struct attribute_meaning *m = &c->rule->meanings[i];

		if (m->fact != FACT_PERCENTAGE_USED || m->confidence != CONFIDENCE_LOW ||
		    !meaning_read(m, c->r, &other.value, &other.bound) || !contradict(&f, &other))
			continue;
		snprintf(other.source, sizeof(other.source), "attribute %u", m->id);
		say(c, &f, &other, "nobody could confirm what that attribute means here");
		return;
	}
}

void collect_percentage(struct collection *c)
{
	if (c->r->identity.protocol == PROTOCOL_NVME)
		follow_worst_group(c);
	if (c->r->identity.protocol != PROTOCOL_ATA)
		return;
	compare_with_vendor(c);
	compare_with_unconfirmed(c);
}

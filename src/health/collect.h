/* SPDX-License-Identifier: MIT */
#ifndef HEALTH_COLLECT_H
#define HEALTH_COLLECT_H

#include "health/facts.h"

/*
 * The steps of facts_collect, each for one question; they work on the same sets in this order.
 * A set's first candidate is followed: a step that trusts another one moves it to the front and
 * says why in a conflict.
 */
struct collection {
	const struct reading *r;
	const struct drive_rule *rule;
	struct facts *facts;
};

/* How the source of what is host bytes times a ratio begins: it wraps as they do. */
#define SOURCE_HOST_BYTES "host bytes"

/* Append, unless the set is full or has this value from this source already. */
void collect_add(struct collection *c, enum fact_id id, const struct fact *fact);

/* The first candidate of that quality, or NULL. */
const struct fact *collect_find(const struct collection *c, enum fact_id id,
				enum fact_quality quality);

/* Move a candidate to the front; f points into the set. */
void collect_follow(struct collection *c, enum fact_id id, const struct fact *f);

/* Take a candidate away: it says nothing. */
void collect_drop(struct collection *c, enum fact_id id, const struct fact *f);

/* The beginning of a source: log and offset or attribute, without names and rule. Returns buf. */
#define SHORT_SOURCE_MAX 64
const char *collect_short_source(const struct fact *f, char buf[SHORT_SOURCE_MAX]);

/* Host bytes written and read: wrapped standard counters against the vendor's. */
void collect_host_counters(struct collection *c);

/* Percentage used: the standard statistic against the vendor's, stuck and saturated ones. */
void collect_percentage(struct collection *c);

/* Temperature and power-on hours that cannot be, or that contradict each other. */
void collect_plausible(struct collection *c);

/* The threshold of a spare that an attribute reports. */
void collect_spare_threshold(struct collection *c);

/* Facts made of others, and ratings from the rules. */
void collect_derived(struct collection *c);

#endif

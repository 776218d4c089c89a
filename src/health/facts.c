/* SPDX-License-Identifier: MIT */
#include "health/facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/collect.h"

#define RULE_FACTS_MAX 96

void collect_add(struct collection *c, enum fact_id id, const struct fact *fact)
{
	struct fact_set *set = &c->facts->sets[id];

	if (set->n == CANDIDATES_MAX || (fact->value < 0 && fact_unit(id) != UNIT_CELSIUS))
		return;
	for (size_t i = 0; i < set->n; i++)
		if (set->candidates[i].value == fact->value &&
		    strcmp(set->candidates[i].source, fact->source) == 0)
			return;
	set->candidates[set->n++] = *fact;
}

const struct fact *collect_find(const struct collection *c, enum fact_id id,
				enum fact_quality quality)
{
	const struct fact_set *set = &c->facts->sets[id];

	for (size_t i = 0; i < set->n; i++)
		if (set->candidates[i].quality == quality)
			return &set->candidates[i];
	return NULL;
}

void collect_follow(struct collection *c, enum fact_id id, const struct fact *f)
{
	struct fact_set *set = &c->facts->sets[id];
	size_t at = (size_t)(f - set->candidates);
	struct fact first = *f;

	memmove(&set->candidates[1], &set->candidates[0], at * sizeof(first));
	set->candidates[0] = first;
}

void collect_drop(struct collection *c, enum fact_id id, const struct fact *f)
{
	struct fact_set *set = &c->facts->sets[id];
	size_t at = (size_t)(f - set->candidates);

	memmove(&set->candidates[at], &set->candidates[at + 1],
		(set->n - at - 1) * sizeof(set->candidates[0]));
	set->n--;
}

static enum fact_quality field_quality(const struct decoded *d)
{
	return d->field->flags & FIELD_DERIVED ? QUALITY_DERIVED : d->layout->quality;
}

const char *collect_short_source(const struct fact *f, char buf[SHORT_SOURCE_MAX])
{
	size_t n = strcspn(f->source, "(");

	while (n > 0 && (f->source[n - 1] == ' ' || f->source[n - 1] == ','))
		n--;
	snprintf(buf, SHORT_SOURCE_MAX, "%.*s", (int)n, f->source);
	return buf;
}

/* unsure: those logs whose meaning is unconfirmed, else all others. */
static void collect_fields(struct collection *c, enum fact_quality quality, bool unsure)
{
	for (size_t i = 0; i < c->r->nfields; i++) {
		const struct decoded *d = &c->r->fields[i];
		enum fact_id id = field_fact(d->field);
		enum confidence confidence = d->layout->confidence;
		struct fact f;

		if (id == FACT_NONE || d->value.kind != VALUE_NUMBER ||
		    field_quality(d) != quality || (confidence > CONFIDENCE_HIGH) != unsure ||
		    confidence > CONFIDENCE_MEDIUM)
			continue;
		f.value = d->value.number;
		f.bound = d->value.bound;
		f.quality = quality;
		f.confidence = confidence;
		decoded_source(d, f.source);
		collect_add(c, id, &f);
	}
}

static void collect_rule(struct collection *c)
{
	struct rule_fact found[RULE_FACTS_MAX];
	size_t n = rule_facts(c->rule, c->r, found, RULE_FACTS_MAX);

	for (size_t i = 0; i < n; i++)
		collect_add(c, found[i].id, &found[i].fact);
}

void facts_collect(const struct reading *r, const struct drive_rule *rule, struct facts *ret)
{
	struct collection c = { .r = r, .rule = rule, .facts = ret };

	/* not all of it: a set is what it counts, and this is done for millions of samples */
	for (int i = 0; i < FACT_COUNT; i++)
		ret->sets[i].n = 0;
	ret->nconflicts = 0;
	/* standard logs, then vendors' logs, then attributes in the order of their rule */
	collect_fields(&c, QUALITY_MEASURED, false);
	collect_fields(&c, QUALITY_VENDOR, false);
	collect_rule(&c);
	collect_fields(&c, QUALITY_VENDOR, true);
	collect_fields(&c, QUALITY_DERIVED, false);
	collect_fields(&c, QUALITY_DERIVED, true);
	collect_host_counters(&c);
	collect_percentage(&c);
	collect_plausible(&c);
	collect_spare_threshold(&c);
	collect_derived(&c);
}

const struct fact *facts_get(const struct facts *facts, enum fact_id id)
{
	return facts->sets[id].n > 0 ? &facts->sets[id].candidates[0] : NULL;
}

bool facts_number(const struct facts *facts, enum fact_id id, i128 *ret)
{
	const struct fact *f = facts_get(facts, id);

	if (f)
		*ret = f->value;
	return f != NULL;
}

void facts_add_conflict(struct facts *facts, enum fact_id a, enum fact_id b, const char *fmt, ...)
{
	struct conflict *c;
	va_list ap;

	if (facts->nconflicts >= CONFLICTS_MAX)
		return;
	c = &facts->conflicts[facts->nconflicts++];
	*c = (struct conflict){ .facts = { a, b, FACT_NONE, FACT_NONE } };
	va_start(ap, fmt);
	vsnprintf(c->text, sizeof(c->text), fmt, ap);
	va_end(ap);
}

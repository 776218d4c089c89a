/* SPDX-License-Identifier: MIT */
/* How much of the rated life is used, by every way there is to tell, and whether they agree. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/wear.h"

#define DIFFERENCE_MAX		10000 /* thousandths of a percent: 10 points */
#define TENFOLD_MATTERS_FROM	5000  /* 5 % */
#define PERCENT_THOUSANDTHS	100000.0
#define MEASURE_THOUSANDTHS_MAX 1e15

/* part / whole in thousandths of a percent; whole is positive. */
static i128 share(i128 part, i128 whole)
{
	double p = u128_double((u128)part) / u128_double((u128)whole) * PERCENT_THOUSANDTHS;

	return p < MEASURE_THOUSANDTHS_MAX ? (i128)(p + 0.5) : (i128)MEASURE_THOUSANDTHS_MAX;
}

/* A percentage worth reading: thousandths only where they are all there is. */
static const char *percent_text(i128 v, char buf[UNIT_TEXT_MAX])
{
	if (v > I128_MAX / 2)
		v = I128_MAX / 2;
	if (v >= 10000)
		return format_quantity((v + 50) / 100 * 100, UNIT_PERCENT, buf);
	return format_quantity((v + 5) / 10 * 10, UNIT_PERCENT, buf);
}

static enum confidence worse(enum confidence a, enum confidence b)
{
	return a > b ? a : b;
}

static bool reported_measure(const struct fact *f, struct life_measure *ret)
{
	char used[UNIT_TEXT_MAX];

	if (f->value < 0)
		return false;
	*ret = (struct life_measure){
		.facts = { FACT_PERCENTAGE_USED, FACT_NONE },
		.used = f->value,
		.bound = f->bound,
		.confidence = f->confidence,
	};
	snprintf(ret->text, sizeof(ret->text), "%s%s by %.150s",
		 f->bound == BOUND_AT_LEAST ? "at least " : "", percent_text(f->value, used),
		 f->source);
	return true;
}

static bool shared_measure(const struct facts *facts, enum fact_id part_id, enum fact_id whole_id,
			   struct life_measure *ret)
{
	const struct fact *part = facts_get(facts, part_id);
	const struct fact *whole = facts_get(facts, whole_id);
	char used[UNIT_TEXT_MAX], p[UNIT_TEXT_MAX], w[UNIT_TEXT_MAX];
	bool warranty = whole_id == FACT_RATED_BYTES_WRITTEN;

	if (!part || !whole || part->value < 0 || whole->value <= 0)
		return false;
	*ret = (struct life_measure){
		.facts = { part_id, whole_id },
		.used = share(part->value, whole->value),
		/* counters that round up do so by one unit of millions */
		.bound = part->bound == BOUND_AT_LEAST ? BOUND_AT_LEAST : BOUND_EXACT,
		.confidence = worse(part->confidence, whole->confidence),
		.warranty = warranty,
	};
	format_quantity(whole->value, fact_unit(whole_id), w);
	if (warranty)
		format_quantity(part->value, fact_unit(part_id), p);
	else
		format_grouped(part->value, p);
	snprintf(ret->text, sizeof(ret->text), "%s by %s (%s of %s)", percent_text(ret->used, used),
		 warranty ? "rated writes" : "average erase count", p, w);
	return true;
}

/* The collector derives a percentage from the same erase count: that is one measure, not two. */
static bool is_derived_again(const struct fact_set *reported, const struct life_measure *erases)
{
	for (size_t i = 0; i < reported->n && i < CANDIDATES_MAX; i++) {
		const struct fact *f = &reported->candidates[i];

		if (f->quality == QUALITY_DERIVED && f->value >= 0 &&
		    f->value - erases->used <= 1000 && erases->used - f->value <= 1000)
			return true;
	}
	return false;
}

size_t life_measures(const struct facts *facts, struct life_measure ret[LIFE_MEASURES_MAX])
{
	const struct fact_set *set = &facts->sets[FACT_PERCENTAGE_USED];
	size_t n = 0;

	for (size_t i = 0; i < set->n && i < CANDIDATES_MAX; i++)
		n += reported_measure(&set->candidates[i], &ret[n]);
	if (shared_measure(facts, FACT_ERASE_COUNT_AVG, FACT_RATED_PE_CYCLES, &ret[n]))
		n += !is_derived_again(set, &ret[n]);
	n += shared_measure(facts, FACT_HOST_BYTES_WRITTEN, FACT_RATED_BYTES_WRITTEN, &ret[n]);
	return n;
}

bool life_measures_differ(const struct life_measure *a, const struct life_measure *b)
{
	const struct life_measure *low = a->used <= b->used ? a : b;
	const struct life_measure *high = low == a ? b : a;

	/* the truth behind the lower one may well reach the higher one, or the other way round */
	if (low->bound == BOUND_AT_LEAST || high->bound == BOUND_AT_MOST)
		return false;
	if (high->used - low->used > DIFFERENCE_MAX)
		return true;
	return a->warranty != b->warranty && high->used >= TENFOLD_MATTERS_FROM &&
	       high->used / 10 >= low->used;
}

static bool names(const struct conflict *c, enum fact_id id)
{
	for (size_t i = 0; i < ARRAY_SIZE(c->facts); i++)
		if (c->facts[i] == id)
			return true;
	return false;
}

/* Has the collector said so already? It compares the candidates of one fact. */
static bool candidates_compared(const struct facts *facts)
{
	for (size_t i = 0; i < facts->nconflicts; i++) {
		const struct conflict *c = &facts->conflicts[i];

		if (c->facts[0] == FACT_PERCENTAGE_USED &&
		    (c->facts[1] == FACT_NONE || c->facts[1] == FACT_PERCENTAGE_USED) &&
		    !names(c, FACT_HOST_BYTES_WRITTEN))
			return true;
	}
	return false;
}

static const char *why_followed(const struct life_measure *a, const struct life_measure *b)
{
	if (b->warranty)
		return "rated writes are a warranty figure, not wear";
	if (b->confidence > a->confidence)
		return "the other is less sure";
	if (b->facts[0] != FACT_PERCENTAGE_USED)
		return "it is the drive's own word";
	return "its source stands first";
}

static bool is_reported(const struct life_measure *m)
{
	return m->facts[0] == FACT_PERCENTAGE_USED;
}

static void add_conflict(struct facts *facts, const struct life_measure *a,
			 const struct life_measure *b, const char *what, const char *why)
{
	size_t n = facts->nconflicts;

	facts_add_conflict(facts, a->facts[0], b->facts[0], "life used: %.110s; but %.110s; %s: %s",
			   a->text, b->text, what, why);
	if (facts->nconflicts == n)
		return;
	facts->conflicts[n].facts[2] = b->facts[1];
	facts->conflicts[n].facts[3] = a->facts[1];
}

void life_measures_compare(struct facts *facts)
{
	struct life_measure all[LIFE_MEASURES_MAX];
	size_t n = life_measures(facts, all);
	bool candidates_done = candidates_compared(facts);

	/* the followed one against every other */
	for (size_t j = 1; j < n; j++)
		if (life_measures_differ(&all[0], &all[j]) &&
		    !(is_reported(&all[0]) && is_reported(&all[j]) && candidates_done))
			add_conflict(facts, &all[0], &all[j], "the first is followed",
				     why_followed(&all[0], &all[j]));
	/* and erase counts against rated writes, unless one of them says the same as the followed
	 */
	for (size_t i = 1; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			if (!is_reported(&all[i]) && life_measures_differ(&all[i], &all[j]) &&
			    life_measures_differ(&all[0], &all[i]) &&
			    life_measures_differ(&all[0], &all[j]))
				add_conflict(facts, &all[i], &all[j], "neither is followed",
					     "a better measure is there");
}

/* SPDX-License-Identifier: MIT */
/* Of several estimates: which may bind, and which one does. */
#include "health/binding.h"

#include <assert.h>
#include <stdio.h>

#include "base/text.h"

static const struct {
	const char *name, *label;
} methods[] = {
#define X(e, name, label) { name, label },
	ESTIMATE_METHODS(X)
#undef X
};
static_assert(ARRAY_SIZE(methods) == METHOD_COUNT, "one row a method");

const char *method_name(enum estimate_method method)
{
	return methods[method].name;
}

const char *method_label(enum estimate_method method)
{
	return methods[method].label;
}

bool facts_report_wear(const struct facts *facts)
{
	static const enum fact_id wear[] = { FACT_PERCENTAGE_USED, FACT_ERASE_COUNT_AVG,
					     FACT_ERASE_COUNT_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(wear); i++)
		if (facts_get(facts, wear[i]))
			return true;
	return false;
}

static bool is_sure(const struct estimate *e)
{
	return e->confidence <= CONFIDENCE_HIGH;
}

static void distrust(struct estimate *e, const char *why)
{
	e->trustworthy = false;
	if (!*e->reason)
		text_copy(e->reason, sizeof(e->reason), why);
}

void estimates_bind(const struct facts *facts, struct estimates *ret)
{
	bool sure = false;
	size_t candidates = 0;

	/* a spare that lasts says nothing of wear: it does not outrank an unconfirmed erase budget
	 */
	for (int i = 0; i < METHOD_COUNT; i++) {
		struct estimate *e = &ret->by_method[i];

		e->trustworthy = e->has_days;
		if (e->trustworthy && i != METHOD_RATED_TBW && i != METHOD_SPARE_DEPLETION &&
		    i != METHOD_FTL_MODEL)
			sure |= is_sure(e);
	}
	ret->binding = -1;
	for (int i = 0; i < METHOD_COUNT; i++) {
		struct estimate *e = &ret->by_method[i];

		if (!e->trustworthy)
			continue;
		if (i == METHOD_RATED_TBW && facts_report_wear(facts))
			distrust(e, "does not bind: the drive itself reports wear");
		else if (i == METHOD_SPARE_DEPLETION && !facts_get(facts, FACT_SPARE_THRESHOLD))
			distrust(e, "does not bind: the drive names no threshold for its spare");
		else if (i == METHOD_FTL_MODEL && candidates)
			distrust(e, "does not bind: a model, and the counters give a date");
		else if (e->confidence > CONFIDENCE_MEDIUM)
			distrust(e, "does not bind: what its numbers mean is a guess");
		else if (!is_sure(e) && sure)
			distrust(e, "does not bind: unconfirmed, and a surer measure is there");
		if (!e->trustworthy)
			continue;
		candidates++;
		if (ret->binding < 0 || e->days_left < ret->by_method[ret->binding].days_left)
			ret->binding = i;
	}

	if (ret->binding < 0)
		text_copy(ret->binding_reason, sizeof(ret->binding_reason),
			  facts_report_wear(facts)
				  ? "no date: not enough wear or too little is known"
				  : "no date: the drive reports no wear");
	else if (ret->binding == METHOD_RATED_TBW)
		text_copy(ret->binding_reason, sizeof(ret->binding_reason),
			  "the warranty limit, as the drive reports no wear");
	else if (candidates == 1)
		text_copy(ret->binding_reason, sizeof(ret->binding_reason),
			  is_sure(&ret->by_method[ret->binding])
				  ? "the only trustworthy limit"
				  : "the only limit, resting on unconfirmed numbers");
	else
		text_copy(ret->binding_reason, sizeof(ret->binding_reason),
			  "the earliest trustworthy limit");
}

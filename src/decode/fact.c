/* SPDX-License-Identifier: MIT */
#include "decode/fact.h"

#include <assert.h>
#include <string.h>

static const struct {
	const char *name, *label;
	enum unit unit;
	bool counter;
} facts[] = {
#define X(e, name, unit, label, counter) { name, label, unit, counter },
	FACTS(X)
#undef X
};
static_assert(ARRAY_SIZE(facts) == FACT_COUNT, "one row a fact");

const char *fact_name(enum fact_id id)
{
	return facts[id].name;
}

const char *fact_label(enum fact_id id)
{
	return facts[id].label;
}

enum unit fact_unit(enum fact_id id)
{
	return facts[id].unit;
}

bool fact_is_counter(enum fact_id id)
{
	return facts[id].counter;
}

enum fact_id fact_by_name(const char *name)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (strcmp(facts[i].name, name) == 0)
			return (enum fact_id)i;
	return FACT_NONE;
}

const char *quality_name(enum fact_quality quality)
{
	static const char *const names[] = { "measured", "vendor", "derived" };

	return names[quality];
}

const char *bound_name(enum fact_bound bound)
{
	static const char *const names[] = { "exact", "at-least", "at-most" };

	return names[bound];
}

const char *confidence_name(enum confidence confidence)
{
	static const char *const names[] = { "proven", "high", "medium", "low", "unknown" };

	return names[confidence];
}

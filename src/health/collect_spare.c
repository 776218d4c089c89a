/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "health/collect.h"

#define THRESHOLD_INVALID 254 /* 254 and 255 are for tests of host software */

/*
 * Where the spare left is an attribute's normalised value, that attribute's threshold is the
 * threshold of the spare.
 */
void collect_spare_threshold(struct collection *c)
{
	const struct fact *spare = facts_get(c->facts, FACT_AVAILABLE_SPARE);

	if (!spare || spare->quality != QUALITY_VENDOR || facts_get(c->facts, FACT_SPARE_THRESHOLD))
		return;
	for (size_t i = 0; i < c->rule->nmeanings; i++) {
		const struct attribute_meaning *m = &c->rule->meanings[i];
		const struct attribute *a = reading_attribute(c->r, m->id);
		struct fact f = { .quality = QUALITY_VENDOR, .confidence = m->confidence };

		if (m->fact != FACT_AVAILABLE_SPARE || m->part != PART_NORMALIZED || !a ||
		    !a->has_value || !a->has_threshold || a->threshold == 0 ||
		    a->threshold >= THRESHOLD_INVALID || a->value * 1000 != spare->value)
			continue;
		f.value = a->threshold * 1000;
		snprintf(f.source, sizeof(f.source), "attribute %u threshold", a->id);
		collect_add(c, FACT_SPARE_THRESHOLD, &f);
		return;
	}
}

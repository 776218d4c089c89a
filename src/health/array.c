/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/assess.h"

static bool is_worn_member(const struct reading *r, const struct assessment *a,
			   const struct limits *limits)
{
	return *r->identity.array && a->wear.has_used &&
	       (double)a->wear.used / 1000 >= limits->array_used;
}

static bool wears_like(const struct assessment *a, const struct assessment *b,
		       const struct limits *limits)
{
	double difference = (double)(a->wear.used - b->wear.used) / 1000;

	return difference <= limits->array_points && -difference <= limits->array_points;
}

void assess_arrays(const struct reading *const *readings, struct assessment *const *assessments,
		   size_t n, const struct limits *limits, const struct suppression *suppressions,
		   size_t nsuppressions)
{
	for (size_t i = 0; i < n; i++) {
		const char *array = readings[i]->identity.array;
		struct finding f = { .id = ARRAY_WEAR_CORRELATED, .severity = SEVERITY_WARNING };
		char used[UNIT_TEXT_MAX], other[2 * NODE_MAX];
		size_t alike = 0;

		if (!is_worn_member(readings[i], assessments[i], limits))
			continue;
		for (size_t k = 0; k < n; k++) {
			if (k == i || strcmp(readings[k]->identity.array, array) != 0 ||
			    !is_worn_member(readings[k], assessments[k], limits) ||
			    !wears_like(assessments[i], assessments[k], limits))
				continue;
			if (!alike++)
				text_escape(other, sizeof(other), readings[k]->identity.path);
		}
		if (!alike)
			continue;
		format_quantity(assessments[i]->wear.used, UNIT_PERCENT, used);
		snprintf(f.text, sizeof(f.text),
			 "%s of the rated life is used, and %zu more of array %s wear alike", used,
			 alike, array);
		snprintf(f.evidence, sizeof(f.evidence),
			 "within %g points of %s%s; limit: from %g %% used", limits->array_points,
			 other, alike > 1 ? " and others" : "", limits->array_used);
		snprintf(f.advice, sizeof(f.advice),
			 "replace one of them early, so that not all reach their end at once");
		assess_add(readings[i], suppressions, nsuppressions, &f, assessments[i]);
	}
}

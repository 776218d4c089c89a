/* SPDX-License-Identifier: MIT */
/* The history's say in the estimates. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/binding.h"
#include "health/forecast.h"

static bool worn_out(const struct estimate *e)
{
	return e->has_days && e->days_left <= 0;
}

static void apply(const struct forecast_method *m, struct estimate *e)
{
	char days[UNIT_TEXT_MAX];

	if (!e->has_days)
		*e->reason = '\0';
	e->has_days = e->has_interval = true;
	e->days_left = m->days_left;
	e->days_low = m->days_low;
	e->days_high = m->days_high;
	e->by_history = true;
	snprintf(e->rests_on, sizeof(e->rests_on), "%s; %s of history%s%s", e->spent,
		 format_days(m->data_days, days), e->note ? "; " : "", e->note ? e->note : "");
}

/* The lifetime's average stays; what the history lacks stands beside it. */
static void explain(const struct forecast_method *m, struct estimate *e)
{
	size_t n = strlen(e->rests_on);

	if (!*m->reason)
		return;
	if (e->has_days)
		snprintf(e->rests_on + n, sizeof(e->rests_on) - n, "; by history: %s", m->reason);
	else
		text_copy(e->reason, sizeof(e->reason), m->reason);
}

void forecast_apply(const struct forecast *f, const struct facts *facts, struct estimates *e)
{
	for (int i = 0; i < METHOD_COUNT; i++) {
		struct estimate *one = &e->by_method[i];

		/* why it did not bind among other dates; who binds is asked anew below */
		if (one->has_days && one->confidence <= CONFIDENCE_MEDIUM)
			*one->reason = '\0';
		if (worn_out(one))
			continue;
		if (f->by_method[i].has_days)
			apply(&f->by_method[i], one);
		else
			explain(&f->by_method[i], one);
	}
	estimates_bind(facts, e);
}

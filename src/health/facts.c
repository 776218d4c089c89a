/* SPDX-License-Identifier: MIT */
#include "health/facts.h"

#include <stdarg.h>
#include <stdio.h>

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

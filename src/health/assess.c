/* SPDX-License-Identifier: MIT */
#include "health/assess.h"

#include <string.h>

void assess(const struct reading *r, const struct drive_rule *rule, const struct criteria *criteria,
	    struct assessment *ret)
{
	memset(&ret->facts, 0, sizeof(ret->facts));
	facts_collect(r, rule, &ret->facts);
	assess_facts(r, rule, criteria, ret);
}

/* SPDX-License-Identifier: MIT */
#include "lib/drive_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "lib/drive_rules.h"

void drive_case_collect(const struct drive_case *c, struct reading *r, struct facts *ret)
{
	drive_init(r, c->model, c->firmware ? c->firmware : "", c->gb);
	for (size_t i = 0; i < ARRAY_SIZE(c->attributes) && c->attributes[i].id; i++)
		drive_attribute(r, c->attributes[i].id, c->attributes[i].value,
				c->attributes[i].raw);
	if (c->sectors)
		drive_number(r, "ata.devstat.general", "sectors_written", SECTORS(c->sectors));
	if (c->percent_plus_one) {
		i128 percent = c->percent_plus_one - 1;
		int err = reading_add_number(r, "ata.devstat.ssd", "percentage_used", 7, 0,
					     PERCENT(percent),
					     percent == 255 ? BOUND_AT_LEAST : BOUND_EXACT);

		assert_int_equal(err, 0);
	}
	facts_collect(r, drive_rule_of(r), ret);
}

static void check_fact(const struct drive_case *c, const struct facts *facts,
		       const struct case_fact *want)
{
	const struct fact *f = facts_get(facts, want->id);
	char a[U128_TEXT + 1], b[U128_TEXT + 1];

	if (want->value == ABSENT) {
		if (f)
			fail_msg("%s: %s is %s (%s), not unknown", c->model, fact_name(want->id),
				 i128_format(f->value, a), f->source);
		return;
	}
	if (!f)
		fail_msg("%s: %s is unknown", c->model, fact_name(want->id));
	else if (f->value != want->value || f->bound != want->bound)
		fail_msg("%s: %s is %s %s, not %s %s (%s)", c->model, fact_name(want->id),
			 bound_name(f->bound), i128_format(f->value, a), bound_name(want->bound),
			 i128_format(want->value, b), f->source);
}

void drive_case_check(const struct drive_case *c)
{
	struct reading r;
	static struct facts facts;

	drive_case_collect(c, &r, &facts);
	if (strcmp(drive_rule_of(&r)->family, c->family) != 0)
		fail_msg("%s: the rule is \"%s\", not \"%s\"", c->model, drive_rule_of(&r)->family,
			 c->family);
	for (size_t i = 0; i < ARRAY_SIZE(c->facts) && c->facts[i].id != FACT_NONE; i++)
		check_fact(c, &facts, &c->facts[i]);
	reading_release(&r);
}

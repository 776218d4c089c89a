/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_NVME_READING_H
#define TESTS_LIB_NVME_READING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "decode/reading.h"

/* Checks of a reading for cmocka tests. */

static inline void check_number(const struct reading *r, const char *layout, const char *field,
				i128 want)
{
	i128 v = -1;

	if (!reading_number(r, layout, field, &v))
		fail_msg("%s %s: absent", layout, field);
	if (v != want)
		fail_msg("%s %s: %lld, not %lld", layout, field, (long long)v, (long long)want);
}

static inline void check_absent(const struct reading *r, const char *layout, const char *field)
{
	const struct decoded *v = reading_find(r, layout, field);

	if (!v || v->value.kind != VALUE_ABSENT)
		fail_msg("%s %s: %s", layout, field, v ? "present" : "not read");
}

/* The first field that gives this fact, or NULL; absent values give none. */
static inline const struct decoded *find_fact(const struct reading *r, enum fact_id id)
{
	for (size_t i = 0; i < r->nfields; i++)
		if (field_fact(r->fields[i].field) == id && r->fields[i].value.kind == VALUE_NUMBER)
			return &r->fields[i];
	return NULL;
}

static inline void check_fact(const struct reading *r, enum fact_id id, i128 want)
{
	const struct decoded *v = find_fact(r, id);

	if (!v)
		fail_msg("%s: absent", fact_name(id));
	else if (v->value.number != want)
		fail_msg("%s: %lld, not %lld", fact_name(id), (long long)v->value.number,
			 (long long)want);
}

static inline bool has_problem(const struct reading *r, const char *text)
{
	for (size_t i = 0; i < r->nproblems; i++)
		if (strstr(r->problems[i].text, text))
			return true;
	return false;
}

#endif

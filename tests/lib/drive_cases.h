/* SPDX-License-Identifier: MIT */
#ifndef LIB_DRIVE_CASES_H
#define LIB_DRIVE_CASES_H

#include "health/facts.h"

/*
 * A drive built in code, and what nandlife must make of its attributes alone: one row a drive.
 * Numbers are invented; units and layouts are what the rules must know.
 */

#define SECTORS(n) ((i128)(n)*512)
#define MIB(n)	   ((i128)(n) << 20)
#define MIB32(n)   ((i128)(n) << 25)
#define GIB(n)	   ((i128)(n) << 30)
#define GB(n)	   ((i128)(n)*1000000000)
#define PERCENT(n) ((i128)(n)*1000)
#define TB(n)	   ((i128)(n)*1000000000000)

/* Three words of a raw value, the lowest first. */
#define WORDS(a, b, c) ((uint64_t)(a) | (uint64_t)(b) << 16 | (uint64_t)(c) << 32)

struct case_attribute {
	uint8_t id, value;
	uint64_t raw;
};

struct case_fact {
	enum fact_id id;
	i128 value; /* ABSENT: must not be reported */
	enum fact_bound bound;
};

#define ABSENT ((i128)-1)

struct drive_case {
	const char *family, *model, *firmware;
	uint64_t gb;
	struct case_attribute attributes[14]; /* id 0 ends them */
	/* Device Statistics, 0: not there; sectors, and percent plus one */
	i128 sectors, percent_plus_one;
	struct case_fact facts[10]; /* after the last one: value 0 and id 0 */
};

#define FOLLOWS(f, v)                    \
	{                                \
		FACT_##f, v, BOUND_EXACT \
	}
#define AT_LEAST(f, v)                      \
	{                                   \
		FACT_##f, v, BOUND_AT_LEAST \
	}
#define UNKNOWN(f)                            \
	{                                     \
		FACT_##f, ABSENT, BOUND_EXACT \
	}
#define END_OF_FACTS                      \
	{                                 \
		FACT_NONE, 0, BOUND_EXACT \
	}

/* Check one row; fails the running cmocka test with the model in the message. */
void drive_case_check(const struct drive_case *c);

/* Collect for more questions; the caller releases r. */
void drive_case_collect(const struct drive_case *c, struct reading *r, struct facts *ret);

#endif

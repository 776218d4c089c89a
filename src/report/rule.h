/* SPDX-License-Identifier: MIT */
#ifndef REPORT_RULE_H
#define REPORT_RULE_H

#include "db/drivedb.h"
#include "db/rules.h"
#include "doc/doc.h"
#include "doc/view.h"

/* The answers of `nandlife db`: which families the rules know, and what they say of a model. */

struct doc *report_families(const struct rules *rules, int64_t generated_at);
void report_families_view(const struct rules *rules, struct view *v);

/* asked: what was looked up; size_is_guess: its capacity was read off the model's name. */
struct doc *report_rule(const struct identity *asked, const struct drive_rule *rule,
			int64_t generated_at);
void report_rule_view(const struct identity *asked, bool size_is_guess,
		      const struct drive_rule *rule, struct view *v);

/*
 * Added to both answers where no rule names the model but smartmontools' database does: its names
 * of the attributes, said to be such.
 */
void report_foreign_names(const struct drivedb_names *names, struct doc *root, struct view *v);

/* n mistakes of rule files; no mistake is an answer too. */
struct doc *report_rule_problems(const struct rules_problem *problems, size_t n,
				 int64_t generated_at);

#endif

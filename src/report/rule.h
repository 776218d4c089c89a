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

/* Member "rule" of a drive or an answer: all that the rules say; null where none names the drive.
 */
void report_add_rule(struct doc *parent, const struct drive_rule *rule);

/* The same for people, but for what the attributes mean. */
void report_model_view(const struct drive_rule *rule, struct view *v);

/*
 * A mean time between failures is a fleet's figure: shown only as the chance that a drive fails in
 * a year. Constant failure rate: 1 - exp(-hours a year / MTBF). rule->has_mtbf_hours must be set.
 */
double report_yearly_failure_percent(const struct drive_rule *rule);

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

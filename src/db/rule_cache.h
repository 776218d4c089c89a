/* SPDX-License-Identifier: MIT */
#ifndef DB_RULE_CACHE_H
#define DB_RULE_CACHE_H

#include "db/rules.h"

/*
 * Drives of one kind match the same rules: what rules_match found for a protocol, model, firmware,
 * capacity and set of attributes is kept and found again, for work on many readings of few kinds.
 */
struct rule_cache;

/* rules must outlive it. NULL when out of memory. */
struct rule_cache *rule_cache_new(const struct rules *rules);
void rule_cache_free(struct rule_cache **cache); /* sets it to NULL; NULL is fine */

/*
 * What rules_match says of this reading; belongs to the cache and is good until the next call.
 * NULL when out of memory, also where the rule itself is out_of_memory.
 */
const struct drive_rule *rule_cache_match(struct rule_cache *cache, const struct reading *r);

#endif

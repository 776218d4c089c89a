/* SPDX-License-Identifier: MIT */
#ifndef DB_PARSE_H
#define DB_PARSE_H

#include "db/family.h"
#include "db/object.h"

/* The lists of a family, each a JSON array under the key of its name; object is the family. */
int family_read_attributes(const struct place *at, const cJSON *v, void *object) MUST_USE;
int family_read_ratings(const struct place *at, const cJSON *v, void *object) MUST_USE;
int family_read_hazards(const struct place *at, const cJSON *v, void *object) MUST_USE;
int family_read_claims(const struct place *at, const cJSON *v, void *object) MUST_USE;
int family_read_examples(const struct place *at, const cJSON *v, void *object) MUST_USE;
int family_read_match(const struct place *at, const cJSON *v, void *object) MUST_USE;

/* [low, high] in units of 10^9 bytes, or one number that stands for itself give or take 3 %. */
int capacity_read(const struct place *at, const cJSON *v, struct capacity_range *ret) MUST_USE;

/* One family object into *ret (zeroed before). What it holds is to be released also on failure. */
int family_read(const struct place *at, const cJSON *o, struct family *ret) MUST_USE;

#endif

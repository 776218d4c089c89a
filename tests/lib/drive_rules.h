/* SPDX-License-Identifier: MIT */
#ifndef LIB_DRIVE_RULES_H
#define LIB_DRIVE_RULES_H

#include "db/rules.h"

/* The rules of this tree (db/ under the current folder), loaded once; asserts that they parse. */
const struct rules *tree_rules(void);

/* A reading of an ATA drive without attributes. */
void drive_init(struct reading *r, const char *model, const char *firmware, uint64_t gb);

/* An attribute with all six raw bytes; worst is the value. */
void drive_attribute(struct reading *r, uint8_t id, uint8_t value, uint64_t raw);

/* A number of Device Statistics (or any log): layout and field by name. */
void drive_number(struct reading *r, const char *layout, const char *field, i128 number);

/* The rule of tree_rules for it. */
const struct drive_rule *drive_rule_of(const struct reading *r);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef CLI_FOREIGN_NAMES_H
#define CLI_FOREIGN_NAMES_H

#include "db/drivedb.h"
#include "decode/reading.h"

/*
 * Names of attributes for a drive without a rule, from smartmontools' database where it is
 * installed, each marked "(smartmontools)". Attributes that a dump named keep their name. Does
 * nothing where there is no database.
 */
void foreign_names_add(struct reading *r);

/* What that database says of a model. False where there is none. */
bool foreign_names_find(const struct identity *id, struct drivedb_names *ret);

#endif

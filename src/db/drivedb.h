/* SPDX-License-Identifier: MIT */
#ifndef DB_DRIVEDB_H
#define DB_DRIVEDB_H

#include <stdint.h>

#include "base/bytes.h"

/*
 * Attribute names out of smartmontools' drive database (drivedb.h), where a machine has one: for
 * drives that no rule names. Names only; what an attribute means is never taken from there.
 *
 * The file is a C initialiser of { family, model, firmware, warning, presets } strings; a preset is
 * "-v ID,FORMAT,NAME[,HDD|SSD]". Models are extended regular expressions that match as a whole.
 */

#define DRIVEDB_NAME_MAX 40

struct drivedb_names {
	char names[256][DRIVEDB_NAME_MAX]; /* by attribute; empty: none */
	bool model_found;		   /* an entry names the model; else the defaults alone */
};

/*
 * Names for a drive: those of the file's defaults, replaced by those of the first entry that
 * matches. False, ret all empty, where the text is no such file.
 */
bool drivedb_names(struct bytes text, const char *model, const char *firmware,
		   struct drivedb_names *ret);

#endif

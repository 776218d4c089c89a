/* SPDX-License-Identifier: MIT */
#ifndef FTL_EXTENTS_H
#define FTL_EXTENTS_H

#include "ftl/ftl.h"

/*
 * The entries that a map of variable length would need now: runs of logical pages that follow each
 * other in the flash, too. Pages that are not in use need none, and a run ends with its erase
 * block.
 */
struct extents {
	double n;
	bool exact; /* else from windows over EXTENTS_LOOKED_AT pages, evenly spread */
};

#define EXTENTS_LOOKED_AT (1u << 18)

/* Needs maps: false of a device that has none. */
bool extents_count(const struct ftl *f, struct extents *ret);

#endif

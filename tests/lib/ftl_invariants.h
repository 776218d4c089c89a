/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FTL_INVARIANTS_H
#define TESTS_FTL_INVARIANTS_H

#include "ftl/device.h"

/*
 * What must hold of a device between any two calls, found out by looking at everything: NULL, or
 * the first thing that does not.
 */
const char *ftl_broken_invariant(const struct ftl *f);

#endif

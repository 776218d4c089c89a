/* SPDX-License-Identifier: MIT */
#ifndef TESTS_NAIVE_FTL_H
#define TESTS_NAIVE_FTL_H

#include "ftl/device.h"

/*
 * The same device as struct ftl, written for nothing but plainness: it keeps no counts, lists or
 * heaps and looks at every page of every block for each decision. It knows the policies that take
 * no random decision, and all but static wear levelling.
 */
struct naive_ftl;

/* A device like this one, which has done nothing yet. */
struct naive_ftl *naive_ftl_new(const struct ftl *like);
void naive_ftl_free(struct naive_ftl *f);
bool naive_ftl_write(struct naive_ftl *f, uint32_t page); /* false at the end of life */
void naive_ftl_trim(struct naive_ftl *f, uint32_t page);
void naive_ftl_read(struct naive_ftl *f, uint32_t page);
void naive_ftl_advance(struct naive_ftl *f, uint64_t now);
bool naive_ftl_collect(struct naive_ftl *f); /* in the background: false where it did not */
uint64_t naive_ftl_programs(const struct naive_ftl *f, enum ftl_cause cause);
uint32_t naive_ftl_erase_count(const struct naive_ftl *f, uint32_t block);

#endif

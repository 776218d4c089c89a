/* SPDX-License-Identifier: MIT */
#ifndef TESTS_NAIVE_FTL_H
#define TESTS_NAIVE_FTL_H

#include "ftl/ftl.h"

/*
 * The same device as struct ftl, written for nothing but plainness: it keeps no counts, lists or
 * heaps and looks at every page of every block for each decision. It knows the policies that take
 * no random decision, and no wear levelling or limits of the blocks.
 */
struct naive_ftl;

struct naive_ftl *naive_ftl_new(const struct ftl_config *c);
void naive_ftl_free(struct naive_ftl *f);
void naive_ftl_write(struct naive_ftl *f, uint32_t page);
void naive_ftl_trim(struct naive_ftl *f, uint32_t page);
uint64_t naive_ftl_collected(const struct naive_ftl *f); /* pages that collection programmed */
uint32_t naive_ftl_erase_count(const struct naive_ftl *f, uint32_t block);

#endif

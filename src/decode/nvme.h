/* SPDX-License-Identifier: MIT */
#ifndef DECODE_NVME_H
#define DECODE_NVME_H

#include "decode/layout_nvme.h"
#include "decode/reading.h"

/* Parts of decode_nvme that look at fields already decoded. */

/*
 * The number of a row of one log (sub; LAYOUT_ANY: the first) and record (key); false where absent
 * or not read.
 */
bool nvme_number(const struct reading *r, const struct log_layout *layout, uint32_t sub,
		 uint32_t key, const char *name, u128 *ret);

/*
 * Add the figures over all endurance groups (layout_nvme_endurance's derived rows). Percentage
 * used is the worst group's; the estimate is total media written x the worst group's ratio of
 * estimate to media written. -ENOMEM, -E2BIG.
 */
int nvme_add_endurance(struct reading *r) MUST_USE;

/* Fill the reading's self-tests and progress from log 06h. */
void nvme_find_selftests(const struct snapshot *s, struct reading *r);

/* A sanitize log of zeros is no answer where the persistent events know of a sanitize. */
void nvme_check_sanitize(const struct snapshot *s, struct reading *r);

#endif

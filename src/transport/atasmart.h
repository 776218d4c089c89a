/* SPDX-License-Identifier: MIT */
#ifndef TRANSPORT_ATASMART_H
#define TRANSPORT_ATASMART_H

#include <stdbool.h>

#include "decode/snapshot.h"
#include "sys/sys.h"

/*
 * SMART through libatasmart, as an access path only: its interpretation of attributes is not
 * used. Call it only for a drive whose IDENTIFY said that SMART is enabled, as the library enables
 * it otherwise, and that answers quickly, as its commands time out after 2 s.
 */

/* A drive that took longer than this to IDENTIFY is not left to libatasmart. */
#define ATASMART_QUICK_MS 600

/*
 * SMART data, thresholds and overall status into the snapshot, each that the library got. path is
 * the block device; cdb_len 12 or 16. -EIO and others, the snapshot untouched, where the library
 * did not get the SMART data; -ENOMEM.
 */
int atasmart_read(struct sys *sys, const char *path, unsigned cdb_len, struct diag *d,
		  struct snapshot *s) MUST_USE;

#endif

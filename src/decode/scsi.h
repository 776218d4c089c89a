/* SPDX-License-Identifier: MIT */
#ifndef DECODE_SCSI_H
#define DECODE_SCSI_H

#include "decode/reading.h"

/* What the SCSI decoder shares with the readers of foreign dumps. */

extern const struct log_layout layout_scsi_inquiry, layout_scsi_characteristics;
extern const struct log_layout layout_scsi_capacity;
extern const struct log_layout *const scsi_log_layouts[]; /* NULL-ended */

/* Result and kind from the codes of self-test results (SPC-5, 7.3.19). */
enum selftest_result scsi_selftest_result(unsigned code);
const char *scsi_selftest_kind(unsigned code);

/*
 * Counters of logical blocks among the fields from first on become bytes: their rows are made for
 * 512-byte blocks, and identity.logical_block_bytes may be more.
 */
void scsi_scale_blocks(struct reading *r, size_t first);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef DECODE_SMARTCTL_JSON_H
#define DECODE_SMARTCTL_JSON_H

#include "decode/dump.h"

/* The parts of the reader of smartctl -j. */

/* A number by path, exact also above 2^53 (from the string that smartctl puts beside it). */
bool smartctl_json_number(const cJSON *object, const char *path, i128 *ret);

/* All logs of an object: Device Statistics, SCT, self-tests, errors, NVMe health, SCSI pages. */
int smartctl_json_logs(const cJSON *root, struct reading *r) MUST_USE;
int smartctl_json_scsi(const cJSON *root, struct reading *r) MUST_USE;

#endif

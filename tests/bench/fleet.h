/* SPDX-License-Identifier: MIT */
#ifndef BENCH_FLEET_H
#define BENCH_FLEET_H

#include "decode/snapshot.h"

/*
 * Many drives, read every hour; all counters that move on a busy drive move between two readings.
 * The raw logs are those of two captures in examples/, with serial numbers and counters put in.
 */
enum fleet_kind {
	FLEET_NVME, /* Identify, logs 02h, 03h, C0h */
	FLEET_SATA, /* IDENTIFY, SMART data, thresholds, status, statistics, self-tests */
	FLEET_DUMP, /* smartctl JSON of an NVMe drive */
	FLEET_KINDS
};

struct fleet {
	struct snapshot captures[FLEET_DUMP];
};

/* The time of hour 0. */
#define FLEET_START INT64_C(1735689600) /* 2025 */

/* Loads the captures; returns 0 or a negative errno with the reason in d. */
int fleet_init(struct fleet *f, struct diag *d) MUST_USE;
void fleet_release(struct fleet *f);

/* What a drive shows in an hour, counted from its first. Out of memory ends the program. */
void fleet_read(const struct fleet *f, enum fleet_kind kind, unsigned drive, unsigned hour,
		struct snapshot *ret);

#endif

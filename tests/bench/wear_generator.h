/* SPDX-License-Identifier: MIT */
#ifndef BENCH_WEAR_GENERATOR_H
#define BENCH_WEAR_GENERATOR_H

#include "bench/wear_drive.h"

/*
 * Two generators of drives that share nothing but random numbers and what the drives show. Samples
 * go on until WEAR_RECORDED of life, ten years at most in all; the same arguments give the same
 * drive.
 */
struct wear_generator {
	const char *name;
	const char *(*class_name)(size_t class); /* NULL behind the last */
	void (*make)(size_t class, uint64_t seed, unsigned number, struct wear_drive *ret);
};

#define WEAR_RECORDED 0.76

/* Day by day: a shape of the daily writes, one of write amplification, one of the record. */
extern const struct wear_generator wear_by_day;

/* Event by event: jobs, backups, compactions, a file system that fills, a machine that sleeps. */
extern const struct wear_generator wear_by_event;

#endif

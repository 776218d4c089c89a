/* SPDX-License-Identifier: MIT */
#ifndef BENCH_WEAR_DRIVE_H
#define BENCH_WEAR_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/reading.h"

/*
 * A synthetic drive as its owner sees it: what its counters showed at many times, and the moment at
 * which its own wear counter reaches its limit, which only the generator knows.
 */

enum wear_counter {
	WEAR_HOST,     /* bytes */
	WEAR_NAND,     /* bytes, the pSLC area not among them */
	WEAR_NAND_SLC, /* bytes */
	WEAR_USED,     /* thousandths of a percent */
	WEAR_AVG,      /* cycles, as all below */
	WEAR_MAX,
	WEAR_SLC_AVG,
	WEAR_HOURS,
	WEAR_COUNTERS
};

#define WEAR_BIT(counter) (1U << (counter))

/* What stands behind the counters, not rounded. Bytes, cycles, hours powered on. */
struct wear_state {
	double host, nand, nand_slc, avg, max, slc_avg, hours;
};

/* A model of drive: which counters it has, in which units. */
struct wear_product {
	const char *name, *model, *firmware;
	enum protocol protocol;
	uint64_t capacity;
	uint32_t rated[5];	 /* cycles, one of these; 0 ends them */
	unsigned counters;	 /* WEAR_BIT()s */
	enum wear_counter limit; /* WEAR_USED, WEAR_AVG or WEAR_MAX: the one that ends its life */
	int64_t unit[WEAR_COUNTERS];
};

extern const struct wear_product wear_products[];
extern const size_t wear_products_count;

/* NULL where there is none of this name. */
const struct wear_product *wear_product_by_name(const char *name);

/* How a percentage becomes a whole number. */
enum wear_rounding {
	WEAR_ROUNDS_DOWN,
	WEAR_ROUNDS_NEAREST,
	WEAR_ROUNDS_UP,
};

struct wear_sample {
	double age;   /* days since the drive was new, in truth */
	int64_t time; /* by the clock of its machine */
	int64_t shown[WEAR_COUNTERS];
};

struct wear_drive {
	unsigned number;
	const char *class_name;
	bool steady; /* of a class for which the tighter bound on the error holds */
	const struct wear_product *product;
	uint32_t rated;
	unsigned counters; /* of the product's those that it shows */
	enum wear_rounding rounding;
	int64_t host_step;	     /* bytes: the host counter moves by so much at once */
	bool wraps;		     /* host counter of 32 bits in its unit, hours of 16 bits */
	int64_t birth;		     /* seconds since the epoch */
	double life;		     /* days: the truth */
	struct wear_state gone;	     /* what counters that restarted do not show any more */
	double used_gone;	     /* the same of the share of rated cycles */
	struct wear_sample *samples; /* by age */
	size_t nsamples, cap;
};

void wear_drive_release(struct wear_drive *d);

/* Bytes of flash that one cycle of all blocks writes. */
double wear_drive_flash_bytes(const struct wear_drive *d);

/* The share of the rated cycles with which the limiting counter, as shown, reaches its limit. */
double wear_drive_end(const struct wear_drive *d);

/* Note what the drive shows at this age, on a machine whose clock is off by so many seconds. */
void wear_drive_show(struct wear_drive *d, double age, int64_t clock_error,
		     const struct wear_state *state);

/* Some counters (WEAR_BIT()s) start again at 0. */
void wear_drive_restart(struct wear_drive *d, unsigned counters, const struct wear_state *state);

/* How many samples were taken by this age. */
size_t wear_drive_samples_by(const struct wear_drive *d, double age);

#endif

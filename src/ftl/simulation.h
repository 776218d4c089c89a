/* SPDX-License-Identifier: MIT */
#ifndef FTL_SIMULATION_H
#define FTL_SIMULATION_H

#include "ftl/batch_means.h"
#include "ftl/ftl.h"
#include "ftl/request_writer.h"
#include "ftl/source.h"

/*
 * One run of the model: the device is filled in order, worn in until its write amplification is
 * steady, and then measured. It goes on in steps, so that the caller can show how far it is, stop
 * it, and take the result so far.
 */

/* How the writes of one run end. */
enum simulation_end {
	END_PRECISION, /* when the interval is as narrow as asked */
	END_WRITES,    /* after a number of pages */
	END_DEATH,     /* when the device is worn out; there is no wearing in */
};

enum simulation_engine {
	ENGINE_AUTO, /* counts where they are exact, else pages */
	ENGINE_PAGES,
	ENGINE_COUNTS,
};

/* How flash becomes the blocks of the device. All zero: block by block, no parity, no bad ones. */
struct flash_layout {
	uint32_t superblock; /* blocks, of as many dies and planes, that are one block of the model;
				0: 1 */
	uint32_t stripe;     /* data pages for each page of parity within it; 0: none */
	double bad_share;    /* of the flash blocks, bad from the start */
	double flash_share;  /* what a compressing controller leaves of a page; 0: 1 */
};

struct simulation_config {
	struct ftl_config device; /* its blocks, bad blocks, seed and classes are filled in by
				     simulation_plan, and its pages a block made of block_pages */
	struct flash_layout layout;
	uint32_t block_pages; /* of a flash block; 0: device.pages_per_block is that */
	uint32_t page_bytes;
	double spare;	 /* asked: the share of the flash pages, reserve excluded, that is spare;
			    parity,    bad blocks and those held back are taken from it */
	bool has_blocks; /* data_blocks is asked instead */
	uint64_t data_blocks;
	bool separate_oracle; /* blocks of their own for each group of the workload's pages */
	struct workload workload;
	double trim;  /* before each write, with this probability, again and again: trim one page */
	double reads; /* pages in use that are read for each page written, uniformly */
	/*
	 * The share of the drive that holds data: what is filled first, and where a workload but a
	 * trace stays. 0 is as 1, all.
	 */
	double fill;
	uint32_t capacity_pages;     /* of the drive; see simulation_plan */
	bool coalesce;		     /* pages written in part; see request_writer.h */
	struct request_mix mix;	     /* bytes 0: of a page each */
	struct request_source trace; /* of a workload that is a trace: never 0, at the end again */
	bool by_requests;	     /* not by pages: there are reads, trims or parts of pages */
	enum simulation_engine engine;
	enum simulation_end end;
	uint64_t writes;  /* of END_WRITES */
	double precision; /* of END_PRECISION: half of the interval over the mean */
	bool has_warmup;  /* else until steady */
	uint64_t warmup;
	uint64_t seed;
};

/*
 * Complete the configuration: blocks, classes, engine, by_requests. What cannot be simulated is
 * refused: -EINVAL with the reason, and the nearest value that can, in d. The blocks are those of a
 * drive of device.logical_pages, which becomes capacity_pages; of a drive that is not full, and
 * whose workload stays in what is filled, logical_pages are then those that hold data.
 */
int simulation_plan(struct simulation_config *c, struct diag *d) MUST_USE;

/* The spare share that results from whole blocks, and overprovisioning (spare / (1 - spare)). */
double simulation_spare(const struct simulation_config *c);
/* The same, with what of the drive holds no data. */
double simulation_free_share(const struct simulation_config *c);
double simulation_overprovisioning(const struct simulation_config *c);
uint64_t simulation_data_blocks(const struct simulation_config *c);
/* Logical pages that hold data when the drive is filled. */
uint32_t simulation_filled_pages(const struct simulation_config *c);

/* What is left of a page by compression, 1 without; and the flash pages of a block of the model,
 * parity included. */
double simulation_flash_share(const struct simulation_config *c);
uint64_t simulation_flash_pages(const struct simulation_config *c);

enum simulation_phase {
	PHASE_FILL,
	PHASE_WEAR_IN,
	PHASE_MEASURE,
	PHASE_DONE,
};

#define TIMELINE_MAX 128

/* A stretch of the run. */
struct simulation_sample {
	uint64_t host_writes; /* total at its end */
	uint64_t programmed;  /* flash pages within it */
	uint64_t written;     /* within it */
	uint32_t free_blocks; /* at its end */
	bool has_extents;     /* of a device with maps */
	double extents;	      /* at its end, see ftl/extents.h */
};

struct simulation;

int simulation_new(const struct simulation_config *c, const struct ftl_memory *memory,
		   struct diag *d, struct simulation **ret) MUST_USE;
void simulation_free(struct simulation *s);
void simulation_release(struct simulation **s); /* for CLEANUP */

/* Go on for about n writes. False when the run is done. */
bool simulation_step(struct simulation *s, uint64_t n);

/* How much of the run is done, 0 to 1, as far as that can be known; never less than before. */
double simulation_progress(const struct simulation *s);

/* What is known so far; of a run that is not done, phase says how far it came. */
struct simulation_result {
	enum simulation_phase phase;
	bool reached; /* END_PRECISION: the precision; END_DEATH: the end of life */
	int failed;   /* negative errno of the trace, which said why */
	struct interval waf;
	struct request_totals requests; /* of `measured`, where the host asks by requests */
	struct ftl_totals measured;	/* since the wearing in; programs are flash pages */
	struct ftl_totals total;
	uint64_t folded;   /* pages from a write cache to the main area, of `measured` */
	double host_bytes; /* of `measured` */
	double host_bytes_total;
	uint64_t warmup; /* pages written before the measuring, the first fill too */
	struct ftl_wear wear;
	uint32_t retired_blocks, free_blocks;
	double in_use; /* share of the logical pages, at the end */
	const struct simulation_sample *timeline;
	unsigned samples;
};

void simulation_result_of(const struct simulation *s, struct simulation_result *ret);

const struct ftl *simulation_device(const struct simulation *s);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_DRIVE_MODEL_H
#define FTL_DRIVE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "ftl/pslc.h"

/*
 * The hardware of a drive in time: what its flash, channels, controller and link take for each step
 * of a request. All times are whole nanoseconds.
 *
 * X(enumerator, name, bits a cell, read, program and erase times of a flash page or block in
 * microseconds)
 *
 * SLC, MLC and TLC: the middle of the ranges in table 1 of HP, "Solid State Drive Technology:
 * Differences between SLC, MLC and TLC NAND" (25, 50 and 75 us to read, 200-300, 600-900 and
 * 900-1350 us to program, 1.5-2, 3 and 4.5 ms to erase). QLC: the mean of the four kinds of pages
 * of Intel's 96-layer 3D QLC as measured by Chen et al., "PACA", ICCD 2022, figure 2 and table I.
 */
#define CELL_TYPES(X)                         \
	X(CELL_SLC, "slc", 1, 25, 250, 1750)  \
	X(CELL_MLC, "mlc", 2, 50, 750, 3000)  \
	X(CELL_TLC, "tlc", 3, 75, 1125, 4500) \
	X(CELL_QLC, "qlc", 4, 121.7, 1860, 6340)

enum cell_type {
#define X(e, name, bits, read, program, erase) e,
	CELL_TYPES(X)
#undef X
		CELL_TYPE_COUNT
};

struct cell_times {
	uint64_t read_ns, program_ns, erase_ns;
};

const char *cell_text(enum cell_type cell);
unsigned cell_bits(enum cell_type cell);
struct cell_times cell_times_of(enum cell_type cell);

/* -EINVAL with the names that there are in d. */
int cell_parse(const char *text, enum cell_type *ret, struct diag *d) MUST_USE;

/* When garbage collection runs, beyond what a write cannot do without. */
#define COLLECTIONS(X)                 \
	X(COLLECT_ON_DEMAND, "demand") \
	X(COLLECT_IDLE, "idle")        \
	X(COLLECT_CONTINUOUS, "continuous")

enum collection {
#define X(e, name) e,
	COLLECTIONS(X)
#undef X
		COLLECTION_COUNT
};

const char *collection_text(enum collection collection);

#define DRIVE_DIES_MAX	    4096
#define DRIVE_CHANNELS_MAX  256
#define QUEUE_DEPTH_MAX	    65536
#define COALESCED_PAGES_MAX (1u << 26)
#define PPM		    1000000u

struct drive_model {
	enum cell_type cell;
	unsigned channels, dies;   /* a die stands on channel (number modulo channels) */
	uint32_t flash_page_bytes; /* one die reads so much at once */
	uint32_t program_bytes;	   /* ... and programs so much: its planes, or a whole word line */
	uint32_t erase_bytes;	   /* ... and erases so much: a block, of each of its planes */
	struct cell_times times;   /* of flash_page_bytes, program_bytes and erase_bytes */
	uint64_t channel_bytes_per_s;	/* of one channel */
	uint64_t link_bytes_per_s;	/* between host and drive */
	uint64_t host_command_ns;	/* of the host, for each command of its own: not shared */
	uint64_t controller_command_ns; /* of the controller, which does one after the other */
	uint64_t search_ns;		/* of the controller for each block that it looks at to
					   choose a victim */
	/* write buffer: programs that may wait or run on one die; 0: a write ends when it is
	 * programmed, with nothing else beside it */
	unsigned programs_queued;
	uint64_t coalesce_bytes;  /* written data that are held back and may still be overwritten */
	uint32_t flash_share_ppm; /* what compression leaves of the host's data; PPM: none */

	enum collection collection;
	bool collects_at_once;	 /* a write waits for the whole victim; else what it takes is spread
				    over the writes up to the next one */
	uint32_t continuous_ppm; /* pages that COLLECT_CONTINUOUS copies a page written */
	uint64_t idle_delay_ns;	 /* idle work starts after so much idle time */
	uint32_t idle_free_ppm;	 /* idle collection stops when so much of the spare is free */

	struct pslc_config pslc;

	/*
	 * A model of one so-many-th of the drive: capacity, cache and times of the stages are
	 * divided by it, and what is reported is multiplied again, so that a curve over time is
	 * that of the whole drive. 1: none.
	 */
	unsigned scale;
};

/* A drive of this cell type with figures of the kind: 8 channels, 32 dies, 16 KiB flash pages. */
void drive_model_default(enum cell_type cell, struct drive_model *ret);

/* -EINVAL with the reason and the nearest possible value in d. page_bytes: of the map. */
int drive_model_check(const struct drive_model *m, uint32_t page_bytes, struct diag *d) MUST_USE;

/* bytes at bytes_per_s in nanoseconds, rounded up. */
uint64_t transfer_ns(uint64_t bytes, uint64_t bytes_per_s);

#endif

/* SPDX-License-Identifier: MIT */
#ifndef FTL_PRESET_H
#define FTL_PRESET_H

#include "base/bytes.h"
#include "base/json.h"
#include "ftl/simulation.h"
#include "ftl/timing_drive.h"

/*
 * A drive by name: what it is made of, each value with where it is known from. A preset is one JSON
 * object (db/README.md); every value says its source, or why it is assumed.
 *
 * X(enumerator, key, is it a number, may it be left out, lowest and highest number)
 */
#define PRESET_KEYS(X)                                                         \
	X(PRESET_RAW, "raw_bytes", true, false, 1e6, 1e15)                     \
	X(PRESET_RESERVED, "reserved_bytes", true, false, 0, 1e15)             \
	X(PRESET_USER, "user_bytes", true, false, 1e6, 1e15)                   \
	X(PRESET_DRAM, "dram_bytes", true, false, 0, 1e12)                     \
	X(PRESET_MAPPING, "mapping", false, false, 0, 0)                       \
	X(PRESET_MAP_UNIT, "map_unit_bytes", true, false, 512, 1e9)            \
	X(PRESET_BLOCK, "pages_per_block", true, false, 1, 8388608)            \
	X(PRESET_SPAN, "span", true, false, 0.001, 1)                          \
	X(PRESET_ALIGNMENT, "alignment_bytes", true, false, 512, 1e9)          \
	X(PRESET_QUEUE_DEPTH, "queue_depth", true, false, 1, 65536)            \
	X(PRESET_HOST, "host_command_us", true, false, 0, 1e6)                 \
	X(PRESET_CONTROLLER, "controller_command_us", true, false, 0, 1e6)     \
	X(PRESET_SEARCH, "search_ns_per_block", true, false, 0, 1e9)           \
	X(PRESET_LINK, "link_bytes_per_s", true, false, 1e6, 1e12)             \
	X(PRESET_COMPRESSED, "compressed", true, false, 0.01, 2)               \
	X(PRESET_CELL, "cell", false, false, 0, 0)                             \
	X(PRESET_CHANNELS, "channels", true, false, 1, DRIVE_CHANNELS_MAX)     \
	X(PRESET_DIES, "dies", true, false, 1, DRIVE_DIES_MAX)                 \
	X(PRESET_FLASH_PAGE, "flash_page_bytes", true, false, 512, 4294967295) \
	X(PRESET_PROGRAM, "program_bytes", true, false, 512, 4294967295)       \
	X(PRESET_ERASE, "erase_bytes", true, false, 512, 4294967295)           \
	X(PRESET_READ_US, "read_us", true, false, 0.1, 1e6)                    \
	X(PRESET_PROGRAM_US, "program_us", true, false, 0.1, 1e6)              \
	X(PRESET_ERASE_US, "erase_us", true, false, 0.1, 1e7)                  \
	X(PRESET_CHANNEL, "channel_bytes_per_s", true, false, 1e6, 1e11)       \
	X(PRESET_PE, "pe_cycles", true, false, 1, 1e7)                         \
	X(PRESET_QUEUED, "programs_queued", true, false, 0, 1024)              \
	X(PRESET_POLICY, "policy", false, false, 0, 0)                         \
	X(PRESET_FRONTIERS, "frontiers", true, false, 1, 2)                    \
	X(PRESET_LEVELING, "wear_leveling", false, false, 0, 0)                \
	X(PRESET_GC, "gc", false, false, 0, 0)                                 \
	X(PRESET_GC_COPIES, "gc_copies_per_page", true, true, 0, 100)          \
	X(PRESET_GC_STOP, "gc_stop_blocks", true, false, 0, 1e6)               \
	X(PRESET_AT_ONCE, "gc_at_once", true, false, 0, 1)                     \
	X(PRESET_CACHE, "cache_bytes", true, false, 0, 1e15)                   \
	X(PRESET_CACHE_MODE, "cache_mode", false, true, 0, 0)                  \
	X(PRESET_CACHE_OVERFLOW, "cache_overflow", false, true, 0, 0)          \
	X(PRESET_CACHE_FOLD, "cache_fold_bytes", true, true, 0, 1e15)          \
	X(PRESET_CACHE_HOLD, "cache_hold_bytes", true, true, 0, 1e15)          \
	X(PRESET_CACHE_READ_US, "cache_read_us", true, true, 0.1, 1e6)         \
	X(PRESET_CACHE_PROGRAM_US, "cache_program_us", true, true, 0.1, 1e6)   \
	X(PRESET_CACHE_PE, "cache_pe_cycles", true, true, 1, 1e7)

enum preset_key {
#define X(e, name, number, optional, low, high) e,
	PRESET_KEYS(X)
#undef X
		PRESET_KEY_COUNT
};

#define MAP_ENTRY_BYTES 4 /* of a page map, for each unit that it maps */

struct preset_value {
	bool given;
	bool sourced;	   /* else assumed */
	bool fitted;	   /* chosen so that the drive's measured figures come out */
	double number;	   /* of keys that are numbers */
	const char *text;  /* of the others */
	const char *basis; /* the source, or why it is assumed */
};

#define PRESET_NAME_MAX	 32
#define PRESET_MODES_MAX 4

struct preset {
	char name[PRESET_NAME_MAX];
	const char *title, *about;	/* the drive; what to know of the model */
	char gc[24];			/* as --gc takes it */
	double modes[PRESET_MODES_MAX]; /* user capacities that it can be formatted to */
	unsigned nmodes;
	struct preset_value values[PRESET_KEY_COUNT];
	cJSON *json; /* what the texts point into */
};

void preset_release(struct preset *p); /* for CLEANUP, too */

const char *preset_key_text(enum preset_key key);
bool preset_key_is_number(enum preset_key key);

/* -EINVAL with the file, the key and the reason in d, -ENOMEM. name: the file's, without .json. */
int preset_parse(struct bytes text, const char *name, struct diag *d, struct preset *ret) MUST_USE;

/* 0 where a value is not given. */
double preset_number(const struct preset *p, enum preset_key key);

/* Bytes that a map of all units takes, and whether they fit the drive's memory. */
double preset_map_bytes(const struct preset *p);
bool preset_map_fits(const struct preset *p);

/* Flash for data of the host beyond user_bytes of them, over these: overprovisioning. */
double preset_overprovisioning(const struct preset *p, double user_bytes);

/* What the cache takes in time, where the preset has one. */
void preset_cache_times(const struct preset *p, struct drive_model *m);

/* Values that were fitted. */
unsigned preset_fitted(const struct preset *p);

/*
 * The drive as the simulator takes it: planned, of uniform writes, with the engine pages.
 * user_bytes: of one of its capacity modes, or any other size; 0: its own. ret_model may be NULL.
 * -EINVAL with the reason in d.
 */
int preset_config(const struct preset *p, double user_bytes, uint64_t seed, struct diag *d,
		  struct simulation_config *ret, struct drive_model *ret_model) MUST_USE;

#endif

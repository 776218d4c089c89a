/* SPDX-License-Identifier: MIT */
#ifndef FTL_MAPPING_MEMORY_H
#define FTL_MAPPING_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a map from logical units to places in the flash takes, by the size of a unit. In the drive
 * an entry has as many whole bytes as number all places. A driver that keeps the map in the host's
 * memory (as that of the ioXtreme) has entries of 4 or 8 bytes, which a processor loads at once.
 */
struct mapping_memory {
	uint64_t unit_bytes;
	uint64_t entries;
	unsigned entry_bytes, host_entry_bytes;
	uint64_t device_bytes, host_bytes;
};

#define MAPPING_UNITS_MAX 8

/*
 * Of units of 4 KiB, twice that and so on, and last of one erase block. capacity_bytes: of the
 * logical space; flash_bytes: of all flash. Returns how many.
 */
size_t mapping_memory(uint64_t capacity_bytes, uint64_t flash_bytes, uint64_t block_bytes,
		      struct mapping_memory ret[MAPPING_UNITS_MAX]);

/* Of so many extents: where each begins, where it is, how long it is; in the drive. */
double mapping_memory_of_extents(double extents, uint64_t capacity_bytes, uint64_t flash_bytes,
				 uint64_t unit_bytes);

#endif

/* SPDX-License-Identifier: MIT */
#include "ftl/mapping_memory.h"

#define UNIT_LEAST 4096

static uint64_t divided_up(uint64_t n, uint64_t by)
{
	return n / by + (n % by != 0);
}

/* Whole bytes that number n things, and nothing. */
static unsigned bytes_to_number(uint64_t n)
{
	unsigned bytes = 1;

	while (bytes < 8 && n >> 8 * bytes)
		bytes++;
	return bytes;
}

static struct mapping_memory of_unit(uint64_t capacity, uint64_t flash, uint64_t unit)
{
	struct mapping_memory m = {
		.unit_bytes = unit,
		.entries = divided_up(capacity, unit),
		.entry_bytes = bytes_to_number(divided_up(flash, unit)),
	};

	m.host_entry_bytes = m.entry_bytes > 4 ? 8 : 4;
	m.device_bytes = m.entries * m.entry_bytes;
	m.host_bytes = m.entries * m.host_entry_bytes;
	return m;
}

size_t mapping_memory(uint64_t capacity_bytes, uint64_t flash_bytes, uint64_t block_bytes,
		      struct mapping_memory ret[MAPPING_UNITS_MAX])
{
	size_t n = 0;

	for (uint64_t unit = UNIT_LEAST; unit < block_bytes && n + 1 < MAPPING_UNITS_MAX; unit *= 2)
		ret[n++] = of_unit(capacity_bytes, flash_bytes, unit);
	ret[n++] = of_unit(capacity_bytes, flash_bytes, block_bytes);
	return n;
}

double mapping_memory_of_extents(double extents, uint64_t capacity_bytes, uint64_t flash_bytes,
				 uint64_t unit_bytes)
{
	unsigned logical = bytes_to_number(divided_up(capacity_bytes, unit_bytes));
	unsigned physical = bytes_to_number(divided_up(flash_bytes, unit_bytes));

	return extents * (2 * logical + physical);
}

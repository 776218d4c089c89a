/* SPDX-License-Identifier: MIT */
#ifndef FTL_STORAGE_H
#define FTL_STORAGE_H

#include "ftl/device.h"

/* A zeroed array from the device's memory, NULL where there is none; and back. */
static inline void *storage_get(struct ftl *f, size_t n, size_t size)
{
	return f->memory.get(f->memory.owner, n * size);
}

static inline void storage_put(struct ftl *f, void *array, size_t n, size_t size)
{
	if (array)
		f->memory.put(f->memory.owner, array, n * size);
}

#endif

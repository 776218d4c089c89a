/* SPDX-License-Identifier: MIT */
#ifndef SYS_RESOURCES_H
#define SYS_RESOURCES_H

#include <stddef.h>
#include <stdint.h>

#include "sys/sys.h"

/*
 * Memory for large arrays that are read at random: zeroed, and in huge pages where the system has
 * them, without which most reads also miss the processor's page tables. NULL where there is none.
 * `owner` is not used; the signatures are those of struct ftl_memory.
 */
void *resources_get(void *owner, size_t bytes);
void resources_put(void *owner, void *memory, size_t bytes);

/* Memory that can be taken without swapping; 0 where the system does not say. */
uint64_t resources_available(struct sys *sys);

/* Processors that this process may use; at least 1. */
unsigned resources_processors(void);

/* CPU time of this process so far. */
double resources_cpu_seconds(void);

#endif

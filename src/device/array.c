/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/probe.h"

#define BLOCK "/sys/class/block"

/* The md device among those that the kernel has built on a block device. */
static bool find_holder(struct sys *sys, const char *block, char *ret, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names holders = { 0 };

	if (sys_list(sys, &holders, BLOCK "/%s/holders", block) < 0)
		return false;
	for (size_t i = 0; i < holders.n; i++)
		if (text_starts_with(holders.items[i], "md"))
			return text_copy(ret, size, holders.items[i]);
	return false;
}

static bool find_in_block(struct sys *sys, const char *block, char *ret, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names entries = { 0 };
	char partition[2 * SYS_NAME_MAX];

	if (find_holder(sys, block, ret, size))
		return true;
	if (sys_list(sys, &entries, BLOCK "/%s", block) < 0)
		return false;
	/* partitions are folders that begin with the name of the disk */
	for (size_t i = 0; i < entries.n; i++) {
		snprintf(partition, sizeof(partition), "%s/%s", block, entries.items[i]);
		if (text_starts_with(entries.items[i], block) &&
		    find_holder(sys, partition, ret, size))
			return true;
	}
	return false;
}

void find_array(struct sys *sys, struct device *device)
{
	static const char dev[] = "/dev/";

	if (find_in_block(sys, device->name, device->array, sizeof(device->array)))
		return;
	/* an NVMe controller is no block device, its namespaces are */
	for (size_t i = 0; i < device->npaths; i++)
		if (text_starts_with(device->paths[i].node, dev) &&
		    find_in_block(sys, device->paths[i].node + strlen(dev), device->array,
				  sizeof(device->array)))
			return;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/probe.h"

#define BY_ID "/dev/disk/by-id"

/*
 * Of the links that udev makes for one disk, the one with model and serial number in it tells most;
 * numbers (EUI, NGUID, WWN) come after it. The lower, the better.
 */
static unsigned rank(const char *link)
{
	static const char *const prefixes[] = {
		"ata-",	     "usb-",	   "nvme-",	 "scsi-S", "scsi-",
		"nvme-eui.", "nvme-uuid.", "nvme-nvme.", "wwn-",
	};
	unsigned best = ARRAY_SIZE(prefixes);
	size_t longest = 0;

	for (unsigned i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (text_starts_with(link, prefixes[i]) && strlen(prefixes[i]) > longest) {
			best = i;
			longest = strlen(prefixes[i]);
		}
	}
	return best;
}

static bool better(const char *link, const char *than)
{
	if (!than[0])
		return true;
	unsigned a = rank(link), b = rank(than);
	if (a != b)
		return a < b;
	/* newer versions of udev make the same name with "_1" for the namespace behind it */
	return strlen(link) < strlen(than);
}

/* Does this node belong to the drive: its own, or that of its first namespace? */
static bool is_node_of(const struct device *device, const char *node)
{
	if (!strcmp(device->path, node))
		return true;
	for (size_t i = 0; i < device->npaths; i++)
		if (!strcmp(device->paths[i].node, node))
			return true;
	return false;
}

static bool is_partition_link(const char *link)
{
	const char *part = strstr(link, "-part");

	return part && part[5] >= '0' && part[5] <= '9';
}

int find_by_id(struct sys *sys, struct device_list *list)
{
	CLEANUP(sys_names_release) struct sys_names links = { 0 };
	char node[PATH_MAX];
	int err = sys_list(sys, &links, BY_ID);

	if (err < 0)
		return err == -ENOMEM ? err : 0; /* a machine without udev has no links */
	for (size_t i = 0; i < links.n; i++) {
		const char *link = links.items[i];
		if (is_partition_link(link) ||
		    sys_resolve(sys, node, sizeof(node), BY_ID "/%s", link) < 0)
			continue;
		for (size_t k = 0; k < list->n; k++) {
			struct device *device = &list->items[k];
			const char *have = strrchr(device->by_id, '/');
			if (is_node_of(device, node) && better(link, have ? have + 1 : ""))
				snprintf(device->by_id, sizeof(device->by_id), BY_ID "/%s", link);
		}
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/probe.h"

#define BY_ID "/dev/disk/by-id/"

/*
 * Names with blanks: udev writes "_" or, in some links, "\x20" for a blank. Runs of them become
 * one underscore, so that all ways of writing a name are the same.
 */
static void normalize(const char *name, char *ret, size_t size)
{
	size_t n = 0;

	while (*name && n + 1 < size) {
		size_t blank = text_starts_with(name, "\\x20")	? 4
			       : (*name == ' ' || *name == '_') ? 1
								: 0;
		if (!blank) {
			ret[n++] = *name++;
			continue;
		}
		if (n == 0 || ret[n - 1] != '_')
			ret[n++] = '_';
		name += blank;
	}
	ret[n] = '\0';
}

/* A by-id link that is written in another way than udev does. -ENOENT. */
static int find_link(struct sys *sys, const char *name, char *ret, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names links = { 0 };
	char want[SYS_NAME_MAX], have[SYS_NAME_MAX];

	if (text_starts_with(name, BY_ID))
		name += strlen(BY_ID);
	if (strchr(name, '/') || sys_list(sys, &links, BY_ID) < 0)
		return -ENOENT;
	normalize(name, want, sizeof(want));
	for (size_t i = 0; i < links.n; i++) {
		normalize(links.items[i], have, sizeof(have));
		if (!strcmp(want, have))
			return sys_resolve(sys, ret, size, BY_ID "%s", links.items[i]);
	}
	return -ENOENT;
}

/* The kernel name behind a path or link: "sda1". -ENOENT. */
static int kernel_name(struct sys *sys, const char *name, char *ret, size_t size)
{
	char node[PATH_MAX];

	if ((!strchr(name, '/') || sys_resolve(sys, node, sizeof(node), "%s", name) < 0) &&
	    find_link(sys, name, node, sizeof(node)) < 0)
		return -ENOENT;
	const char *slash = strrchr(node, '/');
	return text_copy(ret, size, slash ? slash + 1 : node) ? 0 : -ENOENT;
}

/* A partition's folder stands in that of its disk. */
static void whole_disk(struct sys *sys, char *name, size_t size)
{
	char folder[PATH_MAX];

	if (!sys_exists(sys, "/sys/class/block/%s/partition", name) ||
	    sys_resolve(sys, folder, sizeof(folder), "/sys/class/block/%s/..", name) < 0)
		return;
	const char *slash = strrchr(folder, '/');
	if (slash)
		text_copy(name, size, slash + 1);
}

/* The disk behind a generic node: "sda" for "sg0", "nvme0n1" for "ng0n1". */
static void disk_of_generic(struct sys *sys, char *name, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names disks = { 0 };
	char disk[SYS_NAME_MAX];

	if (sys_exists(sys, "/sys/class/nvme-generic/%s", name)) {
		snprintf(disk, sizeof(disk), "nvme%s", name + strlen("ng"));
		text_copy(name, size, disk);
	} else if (sys_list(sys, &disks, "/sys/class/scsi_generic/%s/device/block", name) == 0 &&
		   disks.n == 1) {
		text_copy(name, size, disks.items[0]);
	}
}

static bool has_node(const struct device *device, const char *name)
{
	char node[NODE_MAX];

	if (!strcmp(device->name, name))
		return true;
	snprintf(node, sizeof(node), "/dev/%s", name);
	for (size_t i = 0; i < device->npaths; i++)
		if (!strcmp(device->paths[i].node, node))
			return true;
	return false;
}

/* By the serial number that sysfs tells, or that stands at the end of the by-id name. */
static bool has_serial(const struct device *device, const char *serial)
{
	char want[SERIAL_MAX], id[BY_ID_MAX];

	if (device->serial[0] && !strcmp(device->serial, serial))
		return true;
	normalize(serial, want, sizeof(want));
	normalize(device->by_id, id, sizeof(id));
	size_t n = strlen(id), w = strlen(want);
	return w >= 4 && n > w && !strcmp(id + n - w, want) && id[n - w - 1] == '_';
}

static int find_serial(const struct device_list *list, const char *serial, struct diag *d,
		       const struct device **ret)
{
	const struct device *found = NULL;

	for (size_t i = 0; i < list->n; i++) {
		if (!has_serial(&list->items[i], serial))
			continue;
		if (found)
			return diag_fail(d, -ENOTUNIQ, "%s: both %s and %s bear this serial number",
					 serial, found->path, list->items[i].path);
		found = &list->items[i];
	}
	if (!found)
		return diag_fail(d, -ENOENT,
				 "%s: no such drive (no node, by-id link or serial "
				 "number of that name)",
				 serial);
	*ret = found;
	return 0;
}

static const struct device *find_node(struct sys *sys, const struct device_list *list,
				      const char *name)
{
	char disk[SYS_NAME_MAX];

	if (!text_copy(disk, sizeof(disk), name))
		return NULL;
	disk_of_generic(sys, disk, sizeof(disk));
	whole_disk(sys, disk, sizeof(disk));
	for (size_t i = 0; i < list->n; i++)
		if (has_node(&list->items[i], disk))
			return &list->items[i];
	return NULL;
}

int device_find(struct sys *sys, const struct device_list *list, const char *name, struct diag *d,
		struct device *ret)
{
	bool is_path = strchr(name, '/') != NULL;
	const struct device *found = is_path ? NULL : find_node(sys, list, name);
	char kernel[SYS_NAME_MAX];

	if (!found && kernel_name(sys, name, kernel, sizeof(kernel)) == 0) {
		found = find_node(sys, list, kernel);
		if (!found)
			return diag_fail(d, -ENOENT, "%s: not a drive of this machine", name);
	}
	if (!found && is_path)
		return diag_fail(d, -ENOENT, "%s: no such device", name);
	if (!found) {
		int err = find_serial(list, name, d, &found);
		if (err < 0)
			return err;
	}
	*ret = *found;
	return 0;
}

int device_resolve(struct sys *sys, const char *name, struct diag *d, struct device *ret)
{
	CLEANUP(device_list_release) struct device_list list = { 0 };
	int err = devices_discover(sys, d, &list);

	return err < 0 ? err : device_find(sys, &list, name, d, ret);
}

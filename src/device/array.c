/* SPDX-License-Identifier: MIT */
/*
 * What a drive is a member of. The kernel shows active md arrays, volume groups and mounted btrfs
 * in sysfs; pools and file systems on several drives are known by the signatures that udev found
 * with libblkid when the drive appeared, and keeps. Nothing is read from the medium: that would
 * wake a drive in standby, and hang on one that fails.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/probe.h"

#define BLOCK		"/sys/class/block"
#define BTRFS		"/sys/fs/btrfs"
#define UDEV_FILE_MAX	((size_t)256 << 10)
#define BLOCKS_MAX	64 /* of one drive: namespaces, partitions, and what is built on them */
#define BLOCK_NAME_MAX	96 /* "sda/sda1" */
#define ID_SHOWN	8  /* of a UUID: tells md0 of one machine from md0 of another */
#define VOLUME_GROUP_ID 6  /* the first group of LVM's identifiers, as its tools show them */

/* What libblkid found on a block device, as udev keeps it. */
struct signature {
	char type[32], uuid[64], label[ARRAY_MAX];
};

/* Signatures that several drives share. */
static const struct {
	const char *type, *kind;
	bool has_label, has_uuid; /* of the whole */
} shared[] = {
	{ "linux_raid_member", "md", false, true }, /* an array that is not running */
	{ "zfs_member", "ZFS", true, true },	    { "btrfs", "btrfs", false, true },
	{ "bcachefs", "bcachefs", false, true },    { "ceph_bluestore", "Ceph", false, false },
};

/* The block devices of one drive that are still to be looked at, nearest to the drive first. */
struct walk {
	struct sys *sys;
	char blocks[BLOCKS_MAX][BLOCK_NAME_MAX]; /* below /sys/class/block */
	size_t n;
};

static void walk_add(struct walk *w, const char *block)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->blocks[i], block))
			return;
	if (w->n < BLOCKS_MAX && text_copy(w->blocks[w->n], BLOCK_NAME_MAX, block))
		w->n++;
}

/* "KIND NAME ID", each part where it is known. */
static void put_name(char ret[ARRAY_MAX], const char *kind, const char *name, const char *id,
		     size_t id_shown)
{
	snprintf(ret, ARRAY_MAX, "%s%s%s%s%.*s", kind, *kind && *name ? " " : "", name,
		 *id ? " " : "", (int)id_shown, id);
}

static void take_property(const char *line, const char *key, char *ret, size_t size)
{
	size_t n = strlen(key);

	if (!strncmp(line, key, n))
		snprintf(ret, size, "%.*s", (int)strcspn(line + n, "\n"), line + n);
}

static bool read_signature(struct sys *sys, const char *block, struct signature *ret)
{
	CLEANUP(cleanup_free) char *text = NULL;
	char number[32], path[64];
	size_t n;

	*ret = (struct signature){ 0 };
	if (sys_read_line(sys, number, sizeof(number), BLOCK "/%s/dev", block) < 0)
		return false;
	snprintf(path, sizeof(path), "/run/udev/data/b%s", number);
	if (sys_read_file(sys, path, UDEV_FILE_MAX, &text, &n) < 0)
		return false;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		take_property(line, "E:ID_FS_TYPE=", ret->type, sizeof(ret->type));
		take_property(line, "E:ID_FS_UUID=", ret->uuid, sizeof(ret->uuid));
		take_property(line, "E:ID_FS_LABEL=", ret->label, sizeof(ret->label));
	}
	return ret->type[0];
}

static bool by_signature(struct sys *sys, const char *block, char ret[ARRAY_MAX])
{
	struct signature s;

	if (!read_signature(sys, block, &s))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		if (strcmp(shared[i].type, s.type) != 0 || (shared[i].has_uuid && !s.uuid[0]))
			continue;
		put_name(ret, shared[i].kind, shared[i].has_label ? s.label : "",
			 shared[i].has_uuid ? s.uuid : "", ID_SHOWN);
		return true;
	}
	return false;
}

/* A mounted btrfs lists its devices. */
static bool by_mounted_btrfs(struct sys *sys, const char *block, char ret[ARRAY_MAX])
{
	CLEANUP(sys_names_release) struct sys_names systems = { 0 };
	const char *slash = strrchr(block, '/');

	if (sys_list(sys, &systems, BTRFS) < 0)
		return false;
	for (size_t i = 0; i < systems.n; i++) {
		if (!sys_exists(sys, BTRFS "/%s/devices/%s", systems.items[i],
				slash ? slash + 1 : block))
			continue;
		put_name(ret, "btrfs", "", systems.items[i], ID_SHOWN);
		return true;
	}
	return false;
}

/*
 * The volume group in a device-mapper name: group and volume with a hyphen between them, hyphens
 * within either doubled (lvm(8)). Returns the name of the volume.
 */
static const char *split_volume_group(const char *name, char *ret, size_t size)
{
	size_t n = 0;

	for (; *name; name++) {
		if (*name == '-' && *++name != '-')
			break;
		if (n + 1 < size)
			ret[n++] = *name;
	}
	ret[n] = '\0';
	return name;
}

/* ceph-volume makes a volume group for each drive; what they share is the cluster. */
static void put_volume_group(const char *name, const char *uuid, char ret[ARRAY_MAX])
{
	char group[ARRAY_MAX];
	const char *volume = split_volume_group(name, group, sizeof(group));

	if (text_starts_with(group, "ceph-") && text_starts_with(volume, "osd-"))
		put_name(ret, "Ceph", "", "", 0);
	else
		put_name(ret, "LVM", group, uuid, VOLUME_GROUP_ID);
}

/* Newer kernels show the array's UUID; else the member's signature has it. */
static void put_md(struct sys *sys, const char *block, const char *md, char ret[ARRAY_MAX])
{
	struct signature s;
	char uuid[64];

	sys_read_line(sys, uuid, sizeof(uuid), BLOCK "/%s/md/uuid", md);
	if (!uuid[0] && read_signature(sys, block, &s) && !strcmp(s.type, "linux_raid_member"))
		text_copy(uuid, sizeof(uuid), s.uuid);
	put_name(ret, "", md, uuid, ID_SHOWN);
}

/* Is this, which the kernel has built on a block of the drive, an array? Else look above it. */
static bool by_holder(struct walk *w, const char *block, const char *holder, char ret[ARRAY_MAX])
{
	static const char lvm[] = "LVM-";
	char uuid[SYS_NAME_MAX], name[SYS_NAME_MAX];

	if (text_starts_with(holder, "md")) {
		put_md(w->sys, block, holder, ret);
		return true;
	}
	sys_read_line(w->sys, uuid, sizeof(uuid), BLOCK "/%s/dm/uuid", holder);
	sys_read_line(w->sys, name, sizeof(name), BLOCK "/%s/dm/name", holder);
	if (text_starts_with(uuid, lvm)) {
		put_volume_group(name, uuid + strlen(lvm), ret);
		return true;
	}
	walk_add(w, holder); /* encryption, multipath, a cache */
	return false;
}

static bool find_at(struct walk *w, const char *block, char ret[ARRAY_MAX])
{
	CLEANUP(sys_names_release) struct sys_names holders = { 0 };
	CLEANUP(sys_names_release) struct sys_names entries = { 0 };
	char partition[BLOCK_NAME_MAX + SYS_NAME_MAX];

	if (sys_list(w->sys, &holders, BLOCK "/%s/holders", block) == 0)
		for (size_t i = 0; i < holders.n; i++)
			if (by_holder(w, block, holders.items[i], ret))
				return true;
	if (by_mounted_btrfs(w->sys, block, ret) || by_signature(w->sys, block, ret))
		return true;
	/* partitions are folders that begin with the name of the disk */
	if (!strchr(block, '/') && sys_list(w->sys, &entries, BLOCK "/%s", block) == 0)
		for (size_t i = 0; i < entries.n; i++) {
			snprintf(partition, sizeof(partition), "%s/%s", block, entries.items[i]);
			if (text_starts_with(entries.items[i], block))
				walk_add(w, partition);
		}
	return false;
}

void find_array(struct sys *sys, struct device *device)
{
	static const char dev[] = "/dev/";
	struct walk w = { .sys = sys };

	if (device->access == ACCESS_NONE)
		return;
	/* an NVMe controller is no block device, its namespaces are */
	walk_add(&w, device->name);
	for (size_t i = 0; i < device->npaths; i++)
		if (text_starts_with(device->paths[i].node, dev))
			walk_add(&w, device->paths[i].node + strlen(dev));
	for (size_t i = 0; i < w.n; i++)
		if (find_at(&w, w.blocks[i], device->array))
			return;
}

void drop_lone_members(struct device_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		char *array = list->items[i].array;
		size_t members = 0;

		if (!*array || text_starts_with(array, "md"))
			continue;
		for (size_t k = 0; k < list->n && members < 2; k++)
			members += !strcmp(list->items[k].array, array);
		if (members < 2)
			*array = '\0';
	}
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/kinds.h"
#include "device/probe.h"

#define BLOCK	      "/sys/block"
#define VPD_MAX	      4096
#define VPD_ATA_IDENT 60 /* of VPD page 89h: 512 bytes of IDENTIFY (SAT-4, 12.4.2) */

static bool is_ata_port(const char *c)
{
	return text_starts_with(c, "ata") && c[3] >= '0' && c[3] <= '9';
}

static bool is_usb_bus(const char *c)
{
	return text_starts_with(c, "usb") && c[3] >= '0' && c[3] <= '9';
}

static bool is_sas_device(const char *c)
{
	return text_starts_with(c, "end_device-");
}

static bool is_iscsi_session(const char *c)
{
	return text_starts_with(c, "session");
}

static bool is_fc_port(const char *c)
{
	return text_starts_with(c, "rport-");
}

static bool is_virtio(const char *c)
{
	return text_starts_with(c, "virtio") && c[6] >= '0' && c[6] <= '9';
}

/* How a disk is attached shows in the folders above it. */
static const char *transport_of(const char *sysfs)
{
	static const struct {
		bool (*test)(const char *component);
		const char *name;
	} rows[] = {
		{ is_usb_bus, "usb" }, { is_ata_port, "sata" },	      { is_sas_device, "sas" },
		{ is_fc_port, "fc" },  { is_iscsi_session, "iscsi" }, { is_virtio, "virtio" },
	};
	char component[SYS_NAME_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (path_component(sysfs, rows[i].test, component, sizeof(component)))
			return rows[i].name;
	return "scsi";
}

static int read_vpd(struct sys *sys, const char *sysfs, const char *page, char **ret, size_t *ret_n)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/device/vpd_pg%s", sysfs, page);
	return sys_read_file(sys, path, VPD_MAX, ret, ret_n);
}

/*
 * The kernel keeps some pages of INQUIRY from when it found the disk: the full names of a SATA
 * drive, and the serial number, without asking the drive again.
 */
static void read_kept_identity(struct sys *sys, struct device *device)
{
	CLEANUP(cleanup_free) char *ata = NULL;
	CLEANUP(cleanup_free) char *serial = NULL;
	size_t n;

	if (read_vpd(sys, device->sysfs, "80", &serial, &n) == 0 && n > 4)
		text_from_field(device->serial, sizeof(device->serial), serial + 4, n - 4);
	if (read_vpd(sys, device->sysfs, "89", &ata, &n) < 0 || n < VPD_ATA_IDENT + 512)
		return;
	/* ACS-4, 7.12: words 10 to 19 serial, 23 to 26 firmware, 27 to 46 model */
	const char *id = ata + VPD_ATA_IDENT;
	text_from_ata_field(device->serial, sizeof(device->serial), id + 20, 20);
	text_from_ata_field(device->firmware, sizeof(device->firmware), id + 46, 8);
	text_from_ata_field(device->model, sizeof(device->model), id + 54, 40);
	if (device->access == ACCESS_SCSI) {
		device->access = ACCESS_ATA;
		device->protocol = PROTOCOL_ATA;
	}
}

/* The USB device above the disk is the first folder that has idVendor. */
static void read_usb(struct sys *sys, struct device *device)
{
	char folder[PATH_MAX], text[16];

	snprintf(folder, sizeof(folder), "%s", device->sysfs);
	for (char *slash; (slash = strrchr(folder, '/')) && slash != folder;) {
		*slash = '\0';
		if (sys_read_line(sys, text, sizeof(text), "%s/idVendor", folder) < 0)
			continue;
		device->usb_vendor = (uint16_t)strtoul(text, NULL, 16);
		sys_read_line(sys, text, sizeof(text), "%s/idProduct", folder);
		device->usb_product = (uint16_t)strtoul(text, NULL, 16);
		return;
	}
}

static void judge_usb(struct device *device)
{
	const struct bridge *bridge = bridge_find(device->usb_vendor, device->usb_product);

	device->access = ACCESS_USB;
	device->protocol = PROTOCOL_UNKNOWN;
	device->rotational = -1; /* the kernel asks no USB disk, and calls all of them rotating */
	if (!bridge || !bridge->via)
		return;
	device->access = ACCESS_NONE;
	snprintf(device->skip, sizeof(device->skip),
		 "behind a USB bridge (%s) with commands of its own: try --via smartctl:%s",
		 bridge->name, bridge->via);
}

static void judge_scsi(struct device *device, const char *vendor, const char *model)
{
	const struct pseudo_disk *pseudo = pseudo_disk_find(vendor, model);

	if (!strcmp(device->transport, "usb")) {
		judge_usb(device);
	} else if (!strcmp(vendor, "ATA")) {
		device->access = ACCESS_ATA;
		device->protocol = PROTOCOL_ATA;
	} else {
		device->access = ACCESS_SCSI;
		device->protocol = PROTOCOL_SCSI;
	}
	if (!pseudo)
		return;
	device->access = ACCESS_NONE;
	if (pseudo->via)
		snprintf(device->skip, sizeof(device->skip),
			 "%s (%s %s): its drives can be read with --via smartctl:%s", pseudo->what,
			 vendor, model, pseudo->via);
	else
		snprintf(device->skip, sizeof(device->skip), "%s (%s %s)", pseudo->what, vendor,
			 model);
}

static void read_scsi(struct sys *sys, struct device *device)
{
	char vendor[32], model[32];
	const char *folder = device->sysfs;

	snprintf(device->transport, sizeof(device->transport), "%s", transport_of(folder));
	sys_read_line(sys, vendor, sizeof(vendor), "%s/device/vendor", folder);
	sys_read_line(sys, model, sizeof(model), "%s/device/model", folder);
	sys_read_line(sys, device->firmware, sizeof(device->firmware), "%s/device/rev", folder);
	sys_read_line(sys, device->state, sizeof(device->state), "%s/device/state", folder);
	snprintf(device->model, sizeof(device->model), "%s", model);
	if (!strcmp(device->transport, "usb"))
		read_usb(sys, device);
	judge_scsi(device, vendor, model);
	read_kept_identity(sys, device);

	uint64_t type = sys_read_number(sys, 0, "%s/device/type", folder);
	if (device->skip[0])
		return;
	if (type != 0 && type != 0x14) {
		device->access = ACCESS_NONE;
		snprintf(device->skip, sizeof(device->skip), "not a disk (SCSI type %u)",
			 (unsigned)type);
	} else if (sys_read_number(sys, 0, "%s/removable", folder) == 1) {
		snprintf(device->skip, sizeof(device->skip), "a removable medium");
	} else if (device->rotational == 1) {
		snprintf(device->skip, sizeof(device->skip), "a rotating disk");
	}
}

/* A RAID array or volume: say which disks are below it. */
static void describe_volume(struct sys *sys, const char *what, struct device *device)
{
	CLEANUP(sys_names_release) struct sys_names below = { 0 };
	size_t used = 0;

	snprintf(device->transport, sizeof(device->transport), "virtual");
	if (sys_list(sys, &below, "%s/slaves", device->sysfs) < 0 || below.n == 0) {
		snprintf(device->skip, sizeof(device->skip), "%s", what);
		return;
	}
	used = (size_t)snprintf(device->skip, sizeof(device->skip), "%s on", what);
	for (size_t i = 0; i < below.n && used < sizeof(device->skip); i++)
		used += (size_t)snprintf(device->skip + used, sizeof(device->skip) - used, "%s %s",
					 i ? "," : "", below.items[i]);
}

/* SCSI disks with several paths: the same WWID, and the same serial number, which clones lack. */
static struct device *find_same(struct sys *sys, struct device_list *list, const struct device *new)
{
	char wwid[128], other[128];

	sys_read_line(sys, wwid, sizeof(wwid), "%s/device/wwid", new->sysfs);
	for (size_t i = 0; wwid[0] && new->serial[0] && i < list->n; i++) {
		struct device *device = &list->items[i];
		if (device->protocol == PROTOCOL_NVME || strcmp(device->serial, new->serial))
			continue;
		sys_read_line(sys, other, sizeof(other), "%s/device/wwid", device->sysfs);
		if (!strcmp(other, wwid))
			return device;
	}
	return NULL;
}

static int add_block(struct sys *sys, const char *name, struct device_list *list)
{
	CLEANUP(cleanup_free) struct device *new = calloc(1, sizeof(*new));
	const char *what = kind_of_name(name);

	if (!new)
		return -ENOMEM;
	snprintf(new->name, sizeof(new->name), "%s", name);
	snprintf(new->path, sizeof(new->path), "/dev/%s", name);
	sys_resolve(sys, new->sysfs, sizeof(new->sysfs), BLOCK "/%s", name);
	new->bytes = 512 * sys_read_number(sys, 0, "%s/size", new->sysfs);
	new->block_bytes = (uint32_t)sys_read_number(sys, 0, "%s/queue/logical_block_size",
						     new->sysfs);
	uint64_t rotational = sys_read_number(sys, 2, "%s/queue/rotational", new->sysfs);
	new->rotational = rotational > 1 ? -1 : (int8_t)rotational;

	if (what) {
		if (new->bytes == 0)
			return 0; /* an idle loop device and the like */
		describe_volume(sys, what, new);
	} else if (text_starts_with(name, "sd")) {
		read_scsi(sys, new);
	} else {
		snprintf(new->skip, sizeof(new->skip), "a block device of an unknown kind");
	}

	struct device *drive = find_same(sys, list, new);
	if (drive) {
		device_add_path(drive, name, new->state);
		return 0;
	}
	drive = device_list_add(list);
	if (!drive)
		return -ENOMEM;
	*drive = *new;
	return 0;
}

int discover_block(struct sys *sys, struct device_list *list)
{
	CLEANUP(sys_names_release) struct sys_names names = { 0 };
	int err = sys_list(sys, &names, BLOCK);

	if (err < 0)
		return err == -ENOENT ? 0 : err;
	for (size_t i = 0; i < names.n && err == 0; i++)
		if (!text_starts_with(names.items[i], "nvme"))
			err = add_block(sys, names.items[i], list);
	return err;
}

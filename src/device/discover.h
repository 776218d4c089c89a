/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_DISCOVER_H
#define DEVICE_DISCOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "decode/reading.h"
#include "decode/snapshot.h"
#include "sys/sys.h"

/*
 * The drives of this machine, from sysfs alone: no command is sent and no node is opened.
 */

/* How a drive is talked to. */
enum access {
	ACCESS_NONE, /* not at all: see skip */
	ACCESS_NVME,
	ACCESS_ATA, /* ATA pass-through: libata, or a SAS adapter's translation */
	ACCESS_USB, /* a USB bridge: ATA pass-through 16, then 12, if it takes either */
	ACCESS_SCSI,
	ACCESS_SMARTCTL, /* by an installed smartctl: see via */
};

#define SKIP_MAX 200
#define IDS_MAX	 64 /* namespaces of a drive that are looked at */

struct device {
	char path[NODE_MAX]; /* node that commands are sent to: "/dev/nvme0", "/dev/sda" */
	char name[64];	     /* as the kernel calls it: "nvme0", "sda" */
	enum access access;
	enum protocol protocol;	 /* PROTOCOL_UNKNOWN behind a USB bridge or smartctl */
	char model[MODEL_MAX];	 /* what sysfs says; SCSI models are cut at 16 characters */
	char serial[SERIAL_MAX]; /* ... or empty where only the drive itself knows */
	char firmware[FW_MAX];	 /* ... */
	char by_id[BY_ID_MAX];	 /* stable link in /dev/disk/by-id, or empty */
	char location[LOCATION_MAX];
	char array[ARRAY_MAX]; /* what it or a partition of it is a member of, or empty */
	char transport[32];    /* "pcie", "tcp", "sata", "sas", "usb", "iscsi", ... */
	char via[64];	       /* "smartctl:megaraid,5", or empty */
	/*
	 * Why `list` and `health` leave it out when nobody names it ("virtual disk", "rotational");
	 * empty for an SSD. With ACCESS_NONE the same text says why there is no SMART.
	 */
	char skip[SKIP_MAX];
	uint64_t bytes;	      /* of its block devices together, 0 where not known */
	uint32_t block_bytes; /* logical block size of the first */
	int8_t rotational;    /* 1, 0, -1 where the kernel cannot know (USB) */
	char state[32];	      /* the kernel's: "live", "running", "offline"; or empty */
	char sysfs[PATH_MAX]; /* its folder, links resolved */
	uint16_t usb_vendor, usb_product;
	uint32_t namespaces[IDS_MAX]; /* NVMe: active namespace identifiers that the kernel knows */
	size_t nnamespaces;
	struct snapshot_path paths[SNAPSHOT_PATHS_MAX]; /* further paths, namespaces */
	size_t npaths;
};

struct device_list {
	struct device *items;
	size_t n;
};

void device_list_release(struct device_list *list);

/*
 * Every drive, one entry each however many paths, controllers and namespaces it has: NVMe first,
 * then SCSI disks, in the order of their names. Disks that are no SSD are in the list too, with
 * `skip` set. A machine without drives gives an empty list. -ENOMEM, -EIO.
 */
int devices_discover(struct sys *sys, struct diag *d, struct device_list *ret) MUST_USE;

/*
 * The drive of a list that a user means by name: a node (also of a partition or a namespace: its
 * drive, or the character device beside it, sg1), a link to one, a by-id link (blanks and
 * underscores are the same), a kernel name, or a serial number. -ENOENT, -ENOTUNIQ (a serial number
 * that several drives bear), -ENOMEM. A disk without SMART (loop, md, dm, virtual, RAID volume) is
 * found, with ACCESS_NONE and why in `skip`.
 */
int device_find(struct sys *sys, const struct device_list *list, const char *name, struct diag *d,
		struct device *ret) MUST_USE;

/* As device_find among the drives of this machine, for a single name. */
int device_resolve(struct sys *sys, const char *name, struct diag *d, struct device *ret) MUST_USE;

/*
 * A drive that an installed smartctl reads: via is "smartctl:TYPE" with a type of smartctl's -d
 * option, path the device argument as smartctl wants it. -EINVAL (not such a via or path),
 * -EOPNOTSUPP (no smartctl installed).
 */
int device_via(struct sys *sys, const char *via, const char *path, struct diag *d,
	       struct device *ret) MUST_USE;

#endif

/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_KINDS_H
#define DEVICE_KINDS_H

#include <stddef.h>
#include <stdint.h>

/*
 * What is known of disks by their kernel name, by the strings of INQUIRY, or by the USB bridge in
 * front of them.
 */

/*
 * Why a block device of this kernel name is no drive ("loop0": "a loop device"), or NULL for names
 * that may be drives (nvme..., sd...).
 */
const char *kind_of_name(const char *name);

/* A disk that only looks like one. */
struct pseudo_disk {
	const char *vendor, *model; /* beginnings; "" fits all */
	const char *what;	    /* "a virtual disk of VMware" */
	const char *via;	    /* what smartctl needs to see the drives behind it, or NULL */
};

/* NULL for a disk that may be a real one. Strings of INQUIRY without padding. */
const struct pseudo_disk *pseudo_disk_find(const char *vendor, const char *model);

enum bridge_kind {
	BRIDGE_SAT,   /* ATA pass-through of 16 or 12 bytes */
	BRIDGE_NVME,  /* an NVMe drive behind commands of the bridge's maker */
	BRIDGE_OTHER, /* ATA drive behind commands of the bridge's maker */
};

struct bridge {
	uint16_t vendor, product;
	enum bridge_kind kind;
	const char *name;
	const char *via; /* type for smartctl where nandlife cannot pass it, or NULL */
};

/* NULL for a bridge that is not known: try. */
const struct bridge *bridge_find(uint16_t vendor, uint16_t product);

#endif

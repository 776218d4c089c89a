/* SPDX-License-Identifier: MIT */
#ifndef DEVICE_PROBE_H
#define DEVICE_PROBE_H

#include "device/discover.h"

/* The parts of discovery; used by src/device only. */

/* A new, empty entry at the end of the list; NULL without memory. */
struct device *device_list_add(struct device_list *list);

/* NVMe subsystems. -ENOMEM. A machine without NVMe has none. */
int discover_nvme(struct sys *sys, struct device_list *list) MUST_USE;

/* All other block devices. -ENOMEM. */
int discover_block(struct sys *sys, struct device_list *list) MUST_USE;

/* Fill by_id of every device from the links in /dev/disk/by-id. -ENOMEM. */
int find_by_id(struct sys *sys, struct device_list *list) MUST_USE;

/* The device's place: enclosure bay, port, PCI slot. Empty where nothing is known. */
void find_location(struct sys *sys, struct device *device);

/*
 * The array, volume group or pool that the drive or a partition of it is a member of, nearest to
 * the drive: "md0 1a2b3c4d", "LVM vg0 Qe8kfl", "ZFS tank 10382938", "btrfs 1a2b3c4d", "Ceph".
 * Empty where there is none.
 */
void find_array(struct sys *sys, struct device *device);

/* A volume group, pool or file system on one drive only is no array. Sees all drives at once. */
void drop_lone_members(struct device_list *list);

/*
 * The part of a sysfs path (component by component, last first) that the test accepts, copied to
 * ret; false where none does.
 */
bool path_component(const char *path, bool (*test)(const char *component), char *ret, size_t size);

/* Is this component a PCI function ("0000:01:00.0")? */
bool is_pci_function(const char *component);

/* Note a further path or namespace; dropped where there are too many. */
void device_add_path(struct device *device, const char *name, const char *state);

#endif

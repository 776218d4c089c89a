/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_TREE_H
#define TESTS_LIB_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "sys/sys.h"

/*
 * A tree of files in a temporary folder that takes the place of / : sysfs, /dev and the rest, as a
 * test needs them. All functions assert that they succeed; folders come into being as needed.
 */
struct tree {
	char root[64];
	struct sys sys; /* the real system below root */
};

void tree_init(struct tree *t);
void tree_remove(struct tree *t);

/* A file with this text and a newline; the path is absolute, as in "/sys/class/x". */
void tree_text(struct tree *t, const char *text, const char *fmt, ...) PRINTF(3, 4);
void tree_bytes(struct tree *t, const void *data, size_t n, const char *fmt, ...) PRINTF(4, 5);

/* A link at path to target, an absolute path in the tree; made relative. */
void tree_link(struct tree *t, const char *path, const char *target);

void tree_folder(struct tree *t, const char *path);

/*
 * An NVMe controller with sysfs folder `device` ("/sys/devices/pci0000:00/.../nvme/nvme0"), its
 * node, and one namespace of 1,000,215,216 sectors beside it.
 */
void tree_nvme(struct tree *t, const char *device, const char *model, const char *serial);

/* Its controller alone. */
void tree_nvme_controller(struct tree *t, const char *device, const char *model,
			  const char *serial);

/* A namespace's block device in folder, for tree_nvme and for subsystems. */
void tree_nvme_namespace(struct tree *t, const char *folder, const char *name, unsigned nsid);

/*
 * A SCSI disk with sysfs folder `device` (".../0:0:0:0"), its node and its block device `name`.
 */
void tree_disk(struct tree *t, const char *device, const char *name, const char *vendor,
	       const char *model);

#endif

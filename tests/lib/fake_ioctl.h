/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_FAKE_IOCTL_H
#define TESTS_LIB_FAKE_IOCTL_H

#include <sys/stat.h>

#include "lib/fake_drive.h"

/* The parts of the fake drives' ioctl(). */

int fake_nvme_admin(struct fake_drive *drive, void *command);
int fake_sg_io(struct fake_drive *drive, void *header);

/* The newest page of that kind, or NULL. */
const struct fake_page *fake_find(const struct fake_drive *drive, enum fake_space space,
				  uint32_t id, uint32_t sub);

/* A new, empty row of the trace. */
struct fake_command *fake_note(struct fake_drive *drive);

int __fxstat(int version, int fd, struct stat *st);

#endif

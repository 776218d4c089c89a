/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LIB_CAPTURED_H
#define TESTS_LIB_CAPTURED_H

#include "device/capture.h"
#include "lib/fake_drive.h"
#include "lib/tree.h"

/* Reading fake drives in this process, without children and without pauses. */

#define CAPTURED_SYSFS "/sys/devices/pci0000:00/block/sda"

struct captured {
	struct tree tree; /* has the nodes /dev/nvme0 and /dev/sda */
	struct read_options options;
	struct snapshot snap; /* of the last reading */
};

/* The one of the running test; for cmocka's setup and teardown. */
extern struct captured captured;
int captured_set_up(void **state);
int captured_tear_down(void **state);

void captured_nvme(void);
void captured_sda(enum access access);

bool captured_has(enum log_space space, uint32_t id, uint32_t sub);

#endif

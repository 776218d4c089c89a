/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>

#include "lib/captured.h"

struct captured captured;
static struct sys_ops quick_ops;

static void no_sleep(struct sys *s, unsigned ms)
{
	(void)s;
	(void)ms;
}

int captured_set_up(void **state)
{
	(void)state;
	fake_reset();
	captured.options = (struct read_options){ 0 };
	snapshot_init(&captured.snap);
	tree_init(&captured.tree);
	quick_ops = *captured.tree.sys.ops;
	quick_ops.sleep = no_sleep;
	captured.tree.sys.ops = &quick_ops;
	tree_text(&captured.tree, "", "/dev/nvme0");
	tree_text(&captured.tree, "", "/dev/sda");
	return 0;
}

int captured_tear_down(void **state)
{
	(void)state;
	snapshot_release(&captured.snap);
	tree_remove(&captured.tree);
	return 0;
}

static void read_device(const struct device *device)
{
	struct sys *sys = &captured.tree.sys;

	snapshot_release(&captured.snap);
	capture_header(sys, device, &captured.snap);
	assert_int_equal(capture_drive(sys, device, &captured.options, NULL, NULL, &captured.snap),
			 0);
}

void captured_nvme(void)
{
	struct device device = { .access = ACCESS_NVME, .path = "/dev/nvme0", .name = "nvme0" };

	device.namespaces[0] = 1;
	device.nnamespaces = 1;
	read_device(&device);
}

void captured_sda(enum access access)
{
	struct device device = { .access = access, .path = "/dev/sda", .name = "sda" };

	snprintf(device.sysfs, sizeof(device.sysfs), CAPTURED_SYSFS);
	read_device(&device);
}

bool captured_has(enum log_space space, uint32_t id, uint32_t sub)
{
	return snapshot_find(&captured.snap, space, id, sub).data != NULL;
}

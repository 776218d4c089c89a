/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "device/capture.h"
#include "lib/fake_drive.h"
#include "lib/tree.h"
#include "transport/decorators.h"

/*
 * Fault loops: call 1, 2, 3 ... of the system or of the drive fails, once and for good, until a
 * run passes without a fault. Whatever fails, there is an answer, no descriptor and no child is
 * left, and a second run without faults works.
 */

#define PCI	  "/sys/devices/pci0000:00"
#define CALLS_MAX 3000

static struct tree tree;

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	tree_init(&tree);
	tree_nvme(&tree, PCI "/0000:01:00.0/nvme/nvme0", "FAKE NVME SSD", "SERIAL1");
	tree_disk(&tree, PCI "/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0", "sda", "ATA",
		  "FAKE SATA SSD");
	tree_link(&tree, "/dev/disk/by-id/nvme-FAKE_NVME_SSD_SERIAL1", "/dev/nvme0n1");
	tree_text(&tree, "0000:01:00", "/sys/bus/pci/slots/3/address");
	tree_folder(&tree, "/run");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static unsigned open_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* One run; calls is how many there were. */
typedef void run_fn(struct sys *sys, bool faulty);

static void fault_loop(run_fn *run, int err)
{
	unsigned before = open_descriptors();

	for (int for_good = 0; for_good <= 1; for_good++) {
		for (unsigned at = 1;; at++) {
			struct sys_faulty faulty;
			assert_true(at < CALLS_MAX);
			sys_faulty(&faulty, &tree.sys, at, err, for_good);
			run(&faulty.base, true);
			assert_int_equal(open_descriptors(), before);
			assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
			if (faulty.calls < at)
				break;
		}
	}
	run(&tree.sys, false);
	assert_int_equal(open_descriptors(), before);
}

static void discover_once(struct sys *sys, bool faulty)
{
	struct device_list list = { 0 };
	struct diag d = { 0 };
	int err = devices_discover(sys, &d, &list);

	if (!faulty) {
		assert_int_equal(err, 0);
		assert_int_equal(list.n, 2);
	}
	if (err < 0)
		assert_true(d.text[0]);
	device_list_release(&list);
}

static void discovery_survives_every_failure(void **state)
{
	(void)state;
	fault_loop(discover_once, EIO);
	fault_loop(discover_once, ENOMEM);
	fault_loop(discover_once, ENOENT);
}

static void resolve_once(struct sys *sys, bool faulty)
{
	struct device device;
	struct diag d = { 0 };
	int err = device_resolve(sys, "/dev/disk/by-id/nvme-FAKE_NVME_SSD_SERIAL1", &d, &device);

	assert_true(err == 0 || d.text[0]);
	if (!faulty)
		assert_int_equal(err, 0);
	if (err == 0)
		assert_string_equal(device.path, "/dev/nvme0");
}

static void resolving_never_finds_another_drive(void **state)
{
	(void)state;
	fault_loop(resolve_once, EIO);
}

static void read_once(struct sys *sys, bool faulty)
{
	static const struct device devices[2] = {
		{ .access = ACCESS_NVME, .path = "/dev/nvme0", .name = "nvme0" },
		{ .access = ACCESS_ATA, .path = "/dev/sda", .name = "sda", .sysfs = "/none" },
	};
	const struct read_options options = { .timeout_seconds = 5 };
	struct snapshot snaps[2];
	struct diag d = { 0 };

	fake_reset();
	fake_nvme("/dev/nvme0", 0x010400);
	fake_ata("/dev/sda");
	int err = devices_read(sys, devices, 2, &options, &d, snaps);
	if (!faulty)
		assert_int_equal(err, 0);
	if (err < 0) {
		assert_true(d.text[0]);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		/* read, or a reason why not */
		assert_true(snaps[i].state == DRIVE_READ || snaps[i].nproblems > 0);
		assert_string_equal(snaps[i].path, devices[i].path);
		if (!faulty)
			assert_int_equal(snaps[i].state, DRIVE_READ);
		snapshot_release(&snaps[i]);
	}
}

static void reading_survives_every_failure(void **state)
{
	(void)state;
	fault_loop(read_once, EIO);
}

/* A drive that fails each command in turn, over a capture of it. */
static void command_loop(const struct snapshot *whole, enum access access, int err)
{
	struct device device = { .access = access, .path = "/dev/none", .name = "none" };
	const struct read_options options = { 0 };

	for (int for_good = 0; for_good <= 1; for_good++) {
		for (unsigned at = 1; at < 100; at++) {
			CLEANUP(snapshot_release) struct snapshot s;
			CLEANUP(transport_close) struct transport *t = NULL;
			struct capture c = {
				.sys = &tree.sys, .device = &device, .options = &options, .s = &s
			};
			snapshot_init(&s);
			assert_int_equal(replay_transport(whole, &t), 0);
			assert_int_equal(fault_transport(t, at, -err, for_good, &t), 0);
			c.t = t;
			int got = capture_over(&c);
			/* one lost log is noted; a lost drive is a state, with the reason */
			assert_true(got == 0 || s.nproblems > 0);
			assert_true(s.state == DRIVE_READ || s.nproblems > 0);
			/* who it is is known after three commands at the latest */
			if (err == EIO && for_good == 0 && at > 3)
				assert_int_equal(s.state, DRIVE_READ);
			assert_true(s.nlogs <= whole->nlogs + 1);
		}
	}
}

static void take(enum access access, const char *path, struct snapshot *ret)
{
	struct device device = { .access = access, .name = "x" };
	const struct read_options options = { 0 };

	snprintf(device.path, sizeof(device.path), "%s", path);
	capture_header(&tree.sys, &device, ret);
	assert_int_equal(capture_drive(&tree.sys, &device, &options, NULL, NULL, ret), 0);
	assert_int_equal(ret->state, DRIVE_READ);
}

static void every_command_may_fail(void **state)
{
	static const int errors[] = { EIO, EOPNOTSUPP, ENODEV, EACCES, ETIMEDOUT, EAGAIN, ENODATA };
	struct snapshot nvme, ata, sas;

	(void)state;
	fake_nvme("/dev/nvme0", 0x010400);
	fake_ata("/dev/sda");
	take(ACCESS_NVME, "/dev/nvme0", &nvme);
	take(ACCESS_ATA, "/dev/sda", &ata);
	fake_reset();
	fake_sas("/dev/sda");
	take(ACCESS_SCSI, "/dev/sda", &sas);
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		command_loop(&nvme, ACCESS_NVME, errors[i]);
		command_loop(&ata, ACCESS_ATA, errors[i]);
		command_loop(&sas, ACCESS_SCSI, errors[i]);
	}
	snapshot_release(&nvme);
	snapshot_release(&ata);
	snapshot_release(&sas);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(discovery_survives_every_failure),
		TEST(resolving_never_finds_another_drive),
		TEST(reading_survives_every_failure),
		TEST(every_command_may_fail),
	};

	return cmocka_run_group_tests_name("device faults", tests, NULL, NULL);
}

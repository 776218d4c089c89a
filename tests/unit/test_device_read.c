/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/child.h"
#include "device/read.h"
#include "lib/fake_drive.h"
#include "lib/tree.h"

/* Many drives at the same time, each in a child process. */

static struct tree tree;
static struct device devices[FAKE_DRIVES_MAX];
static struct snapshot snaps[FAKE_DRIVES_MAX];
static size_t ndevices;

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	tree_init(&tree);
	ndevices = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static struct fake_drive *add_nvme(void)
{
	struct device *device = &devices[ndevices];

	*device = (struct device){ .access = ACCESS_NVME };
	snprintf(device->name, sizeof(device->name), "nvme%zu", ndevices);
	snprintf(device->path, sizeof(device->path), "/dev/nvme%zu", ndevices);
	tree_text(&tree, "", "%s", device->path);
	ndevices++;
	return fake_nvme(device->path, 0x010400);
}

static int read_all(unsigned seconds)
{
	const struct read_options options = { .timeout_seconds = seconds };
	struct diag d = { 0 };

	return devices_read(&tree.sys, devices, ndevices, &options, &d, snaps);
}

static void release_all(void)
{
	for (size_t i = 0; i < ndevices; i++)
		snapshot_release(&snaps[i]);
}

static void no_children_are_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void what_a_child_reads_arrives(void **state)
{
	(void)state;
	add_nvme();
	snprintf(devices[0].location, sizeof(devices[0].location), "PCI 0000:01:00.0, slot 3");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_READ);
	assert_string_equal(snaps[0].path, "/dev/nvme0");
	assert_string_equal(snaps[0].location, "PCI 0000:01:00.0, slot 3");
	assert_true(snaps[0].time > 0);
	assert_int_equal(snapshot_find(&snaps[0], SPACE_NVME_LOG, 2, 0).data[5], 7);
	release_all();
	no_children_are_left();
}

static void no_drives_are_no_trouble(void **state)
{
	(void)state;
	assert_int_equal(read_all(5), 0);
}

static void thirty_two_slow_drives_take_no_longer_than_one(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 32; i++)
		add_nvme()->delay_ms = 50;
	int64_t before = sys_ms(&tree.sys);
	assert_int_equal(read_all(20), 0);
	int64_t took = sys_ms(&tree.sys) - before;
	for (size_t i = 0; i < ndevices; i++)
		assert_int_equal(snaps[i].state, DRIVE_READ);
	release_all();
	/* 7 commands of 50 ms each; one after the other it would be 11 s */
	assert_true(took < 3 * 7 * 50 + 500);
}

static void a_hung_drive_does_not_hold_up_the_others(void **state)
{
	(void)state;
	add_nvme()->hang_at = 5; /* the first log */
	add_nvme();
	snprintf(devices[0].model, sizeof(devices[0].model), "HUNG SSD");
	snprintf(devices[0].serial, sizeof(devices[0].serial), "H1");
	int64_t before = sys_ms(&tree.sys);
	assert_int_equal(read_all(1), 0);
	assert_true(sys_ms(&tree.sys) - before < 3000);
	assert_int_equal(snaps[0].state, DRIVE_HUNG);
	assert_string_equal(snaps[0].path, "/dev/nvme0");
	assert_string_equal(snaps[0].problems[0].text, "no answer within 1 s to log 02h");
	assert_int_equal(snaps[0].problems[0].err, -ETIMEDOUT);
	/* who it is, the kernel still knows */
	struct bytes id = snapshot_find(&snaps[0], SPACE_NVME_IDENTIFY, 1, 0);
	assert_int_equal(id.len, 72);
	assert_memory_equal(id.data + 4, "H1                  HUNG SSD  ", 30);
	assert_int_equal(snaps[1].state, DRIVE_READ);
	release_all();
	no_children_are_left();
}

static void a_drive_whose_reader_is_still_hung_is_skipped(void **state)
{
	char line[64];

	(void)state;
	struct fake_drive *drive = add_nvme();
	tree_text(&tree, "77 (nand) life)) D 1 77 77 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 123456 0 0",
		  "/proc/77/stat");
	tree_folder(&tree, "/run");
	hung_note(&tree.sys, &devices[0], 77);
	sys_read_line(&tree.sys, line, sizeof(line), "/run/nandlife/nvme0.hung");
	assert_string_equal(line, "77 123456");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_HUNG);
	assert_string_equal(snaps[0].problems[0].text,
			    "skipped: process 77 still waits for an answer of this drive");
	assert_int_equal(drive->ncommands, 0);
	release_all();
	/* another process has the number now */
	tree_text(&tree, "77 (sh) S 1 77 77 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 999999 0 0",
		  "/proc/77/stat");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_READ);
	assert_false(sys_exists(&tree.sys, "/run/nandlife/nvme0.hung"));
	release_all();
}

static void a_note_that_is_damaged_is_thrown_away(void **state)
{
	(void)state;
	add_nvme();
	tree_text(&tree, "nonsense", "/run/nandlife/nvme0.hung");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_READ);
	assert_false(sys_exists(&tree.sys, "/run/nandlife/nvme0.hung"));
	release_all();
}

static void a_reader_that_dies_is_reported(void **state)
{
	(void)state;
	add_nvme()->dies_at_command = true;
	add_nvme();
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_UNREADABLE);
	assert_string_equal(snaps[0].problems[0].text, "the reading process was ended by signal 9");
	assert_int_equal(snaps[1].state, DRIVE_READ);
	release_all();
}

static void a_drive_that_is_gone_is_reported(void **state)
{
	(void)state;
	add_nvme();
	assert_int_equal(tree.sys.ops->unlink(&tree.sys, "/dev/nvme0"), 0);
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_UNREADABLE);
	assert_string_equal(snaps[0].path, "/dev/nvme0");
	assert_string_equal(snaps[0].problems[0].text, "/dev/nvme0: No such file or directory");
	release_all();
}

static void a_disk_without_smart_needs_no_child(void **state)
{
	(void)state;
	struct fake_drive *drive = add_nvme();
	devices[0].access = ACCESS_NONE;
	snprintf(devices[0].skip, sizeof(devices[0].skip), "a RAID volume");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_NO_SMART);
	assert_string_equal(snaps[0].problems[0].text, "no SMART: a RAID volume");
	assert_int_equal(drive->ncommands, 0);
	release_all();
}

static void a_signal_ends_it_cleanly(void **state)
{
	(void)state;
	add_nvme()->hang_at = 1;
	add_nvme()->delay_ms = 100;
	pid_t me = getpid(), killer = fork();
	if (killer == 0) {
		usleep(300000);
		kill(me, SIGINT);
		_exit(0);
	}
	int64_t before = sys_ms(&tree.sys);
	assert_int_equal(read_all(30), -EINTR);
	assert_true(sys_ms(&tree.sys) - before < 3000);
	assert_int_equal(waitpid(killer, NULL, 0), killer);
	no_children_are_left();
	/* signals have their old meaning again */
	sigset_t now;
	sigprocmask(SIG_BLOCK, NULL, &now);
	assert_false(sigismember(&now, SIGINT));
}

/* --- smartctl --- */

static void install_smartctl(const char *script)
{
	char path[128];

	tree_text(&tree, script, "/usr/sbin/smartctl");
	snprintf(path, sizeof(path), "%s/usr/sbin/smartctl", tree.root);
	assert_int_equal(chmod(path, 0755), 0);
	ndevices = 1;
	assert_int_equal(
		device_via(&tree.sys, "smartctl:megaraid,5", "/dev/sda", NULL, &devices[0]), 0);
}

static void smartctl_is_asked_and_its_json_kept(void **state)
{
	(void)state;
	install_smartctl("#!/bin/sh\necho '{\"args\":\"'\"$*\"'\"}'; echo noise >&2; exit 64");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_READ);
	assert_string_equal(snaps[0].via, "smartctl:megaraid,5");
	struct bytes json = snapshot_find(&snaps[0], SPACE_SMARTCTL_JSON, 0, 0);
	assert_string_equal((const char *)json.data,
			    "{\"args\":\"-j -x -d megaraid,5 -- /dev/sda\"}\n");
	release_all();
}

static void smartctl_that_fails_says_why(void **state)
{
	(void)state;
	install_smartctl("#!/bin/sh\n"
			 "echo '{\"smartctl\":{\"messages\":[{\"string\":\"no such disk\"}]}}'\n"
			 "exit 2");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_UNREADABLE);
	assert_string_equal(snaps[0].problems[0].text, "smartctl could not read it: no such disk");
	release_all();
	install_smartctl("#!/bin/sh\necho 'Segmentation fault'");
	assert_int_equal(read_all(5), 0);
	assert_int_equal(snaps[0].state, DRIVE_UNREADABLE);
	assert_non_null(strstr(snaps[0].problems[0].text, "gave no JSON"));
	release_all();
}

static void smartctl_that_hangs_or_floods_is_ended(void **state)
{
	(void)state;
	install_smartctl("#!/bin/sh\nexec sleep 60");
	assert_int_equal(read_all(1), 0);
	assert_int_equal(snaps[0].state, DRIVE_HUNG);
	release_all();
	no_children_are_left();
	install_smartctl("#!/bin/sh\nexec cat /dev/zero");
	assert_int_equal(read_all(20), 0);
	assert_int_equal(snaps[0].state, DRIVE_UNREADABLE);
	release_all();
	no_children_are_left();
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_a_child_reads_arrives),
		TEST(no_drives_are_no_trouble),
		TEST(thirty_two_slow_drives_take_no_longer_than_one),
		TEST(a_hung_drive_does_not_hold_up_the_others),
		TEST(a_drive_whose_reader_is_still_hung_is_skipped),
		TEST(a_note_that_is_damaged_is_thrown_away),
		TEST(a_reader_that_dies_is_reported),
		TEST(a_drive_that_is_gone_is_reported),
		TEST(a_disk_without_smart_needs_no_child),
		TEST(a_signal_ends_it_cleanly),
		TEST(smartctl_is_asked_and_its_json_kept),
		TEST(smartctl_that_fails_says_why),
		TEST(smartctl_that_hangs_or_floods_is_ended),
	};

	return cmocka_run_group_tests_name("reading drives", tests, NULL, NULL);
}

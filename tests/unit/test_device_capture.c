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

#include "base/str.h"
#include "device/capture.h"
#include "lib/fake_drive.h"
#include "lib/tree.h"
#include "transport/atasmart.h"
#include "transport/decorators.h"

/* What is asked of a drive, and above all what is not. */

#define PCI "/sys/devices/pci0000:00"

static struct tree tree;
static struct snapshot snap;
static struct read_options options;
static struct sys_ops quick_ops;

static void no_sleep(struct sys *s, unsigned ms)
{
	(void)s;
	(void)ms;
}

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	tree_init(&tree);
	quick_ops = *tree.sys.ops;
	quick_ops.sleep = no_sleep;
	tree.sys.ops = &quick_ops;
	options = (struct read_options){ 0 };
	snapshot_init(&snap);
	tree_text(&tree, "", "/dev/nvme0");
	tree_text(&tree, "", "/dev/sda");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	snapshot_release(&snap);
	tree_remove(&tree);
	return 0;
}

static void read_device(const struct device *device)
{
	snapshot_release(&snap);
	capture_header(&tree.sys, device, &snap);
	assert_int_equal(capture_drive(&tree.sys, device, &options, NULL, NULL, &snap), 0);
}

static void read_nvme(void)
{
	struct device device = { .access = ACCESS_NVME, .path = "/dev/nvme0", .name = "nvme0" };

	device.namespaces[0] = 1;
	device.nnamespaces = 1;
	read_device(&device);
}

static void read_sda(enum access access)
{
	struct device device = { .access = access, .path = "/dev/sda", .name = "sda" };

	snprintf(device.sysfs, sizeof(device.sysfs), PCI "/block/sda");
	read_device(&device);
}

static bool was_read(enum log_space space, uint32_t id, uint32_t sub)
{
	return snapshot_find(&snap, space, id, sub).data != NULL;
}

/* Identify Controller of the fake drive, to set capability bits in. */
static uint8_t *controller(struct fake_drive *drive)
{
	return drive->pages[0].bytes;
}

static void an_old_drive_is_asked_little(void **state)
{
	static const uint8_t logs[] = { 0x00, 0x05, 0x06, 0x09, 0x0d, 0x81, 0xc0, 0xca };
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010200);

	(void)state;
	read_nvme();
	assert_int_equal(snap.state, DRIVE_READ);
	assert_int_equal(drive->refusals, 0);
	assert_int_equal(fake_asked(drive, 0x06), 3); /* CNS 01h, 02h, 00h; no 03h */
	assert_int_equal(fake_asked(drive, 0x02), 3);
	for (size_t i = 0; i < ARRAY_SIZE(logs); i++)
		assert_int_equal(fake_asked_log(drive, logs[i]), 0);
	assert_true(was_read(SPACE_NVME_LOG, 2, 0));
}

static void a_drive_without_a_version_is_not_asked_for_lists(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0);

	(void)state;
	read_nvme();
	assert_int_equal(drive->refusals, 0);
	assert_int_equal(fake_asked(drive, 0x06), 2); /* the kernel knows namespace 1 */
	assert_true(was_read(SPACE_NVME_IDENTIFY, 0, 1));
	assert_false(was_read(SPACE_NVME_IDENTIFY, 2, 0));
}

static void polling_never_raises_the_error_count(void **state)
{
	static const uint32_t versions[] = { 0, 0x010000, 0x010200, 0x010300, 0x010400, 0x020000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		fake_reset();
		struct fake_drive *drive = fake_nvme("/dev/nvme0", versions[i]);
		for (unsigned k = 0; k < 100; k++)
			read_nvme();
		assert_int_equal(drive->refusals, 0);
	}
}

static void every_nvme_log_keeps_its_events(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	fake_put(controller(drive), 256, 2, 1 << 4);
	fake_page(drive, FAKE_LOG, 6, 0, 564);
	read_nvme();
	assert_true(was_read(SPACE_NVME_LOG, 6, 0));
	for (unsigned i = 0; i < drive->ncommands; i++) {
		if (drive->trace[i].code == 0x02) {
			assert_true(drive->trace[i].cdw10 & 1 << 15);
			assert_int_equal(drive->trace[i].nsid, 0xffffffff);
		}
	}
}

static void capability_bits_open_logs(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);
	uint8_t *id = controller(drive);

	(void)state;
	id[261] |= 1 << 1;
	fake_put(id, 96, 4, 1 << 4);		    /* endurance groups */
	fake_put(id, 328, 4, 1);		    /* sanitize: crypto erase */
	fake_put(id, 340, 2, 4);		    /* up to four groups, */
	fake_put(drive->pages[1].bytes, 102, 2, 3); /* namespace 1 is in the third */
	fake_page(drive, FAKE_LOG, 5, 0, 4096);
	fake_page(drive, FAKE_LOG, 9, 3, 512);
	fake_page(drive, FAKE_LOG, 0x81, 0, 512);
	read_nvme();
	assert_true(was_read(SPACE_NVME_LOG, 5, 0));
	assert_true(was_read(SPACE_NVME_LOG, 9, 3));
	assert_true(was_read(SPACE_NVME_LOG, 0x81, 0));
	assert_int_equal(fake_asked_log(drive, 9), 1);
	assert_int_equal(drive->refusals, 0);
}

static void the_only_possible_group_is_read(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	fake_put(controller(drive), 96, 4, 1 << 4);
	fake_put(controller(drive), 340, 2, 1);
	fake_page(drive, FAKE_LOG, 9, 1, 512);
	read_nvme();
	assert_true(was_read(SPACE_NVME_LOG, 9, 1));
}

static void a_list_of_logs_rules_out_the_others(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x020000);
	uint8_t *list = fake_page(drive, FAKE_LOG, 0, 0, 1024);

	(void)state;
	controller(drive)[261] |= 1 << 5 | 1 << 1;
	fake_put(controller(drive), 256, 2, 1 << 4);
	fake_put(list, 2 * 4, 4, 1);
	fake_put(list, 3 * 4, 4, 1);
	fake_put(list, 0xc0 * 4, 4, 1);
	fake_page(drive, FAKE_LOG, 0xc0, 0, 512);
	read_nvme();
	assert_true(was_read(SPACE_NVME_LOG, 0, 0));
	assert_true(was_read(SPACE_NVME_LOG, 0xc0, 0));
	assert_int_equal(fake_asked_log(drive, 1), 0);
	assert_int_equal(fake_asked_log(drive, 5), 0);
	assert_int_equal(fake_asked_log(drive, 6), 0);
	assert_int_equal(drive->refusals, 0);
}

static void an_empty_list_of_logs_is_not_believed(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x020000);

	(void)state;
	controller(drive)[261] |= 1 << 5;
	fake_page(drive, FAKE_LOG, 0, 0, 1024);
	read_nvme();
	assert_true(was_read(SPACE_NVME_LOG, 1, 0));
	assert_true(was_read(SPACE_NVME_LOG, 3, 0));
}

static size_t two_logs(void *arg, const struct snapshot *so_far, struct extra_log *ret, size_t max)
{
	(void)arg;
	assert_true(max >= 2);
	assert_non_null(snapshot_find(so_far, SPACE_NVME_IDENTIFY, 1, 0).data);
	ret[0] = (struct extra_log){ 0xca, 512 };
	ret[1] = (struct extra_log){ 0x02, 512 }; /* no vendor's log: a wrong rule does no harm */
	return 2;
}

static void rules_add_vendor_logs(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	fake_page(drive, FAKE_LOG, 0xca, 0, 512);
	options.extra_logs = two_logs;
	read_nvme();
	assert_true(was_read(SPACE_NVME_LOG, 0xca, 0));
	assert_int_equal(fake_asked_log(drive, 2), 1);
	assert_int_equal(fake_asked_log(drive, 0xc0), 0);
}

static void the_error_log_is_read_whole(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	controller(drive)[262] = 255;
	fake_page(drive, FAKE_LOG, 1, 0, 16384);
	read_nvme();
	assert_int_equal(snapshot_find(&snap, SPACE_NVME_LOG, 1, 0).len, 16384);
	assert_int_equal(fake_asked_log(drive, 1), 1);
	/* a drive that transfers 8 KiB at most gives it in two parts */
	controller(drive)[77] = 1;
	drive->ncommands = 0;
	read_nvme();
	assert_int_equal(snapshot_find(&snap, SPACE_NVME_LOG, 1, 0).len, 16384);
	assert_int_equal(fake_asked_log(drive, 1), 2);
}

static void a_log_that_fails_does_not_stop_the_rest(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	for (size_t i = 0; i < drive->npages; i++)
		if (drive->pages[i].space == FAKE_LOG && drive->pages[i].id == 1)
			drive->pages[i].id = 0x77;
	read_nvme();
	assert_int_equal(snap.state, DRIVE_READ);
	assert_true(was_read(SPACE_NVME_LOG, 3, 0));
	assert_false(was_read(SPACE_NVME_LOG, 1, 0));
	for (size_t i = 0; i < snap.nlogs; i++)
		if (snap.logs[i].space == SPACE_NVME_LOG && snap.logs[i].id == 1)
			assert_string_equal(snap.logs[i].error,
					    "/dev/nvme0: log 01h: invalid log page (status 109h)");
}

static void the_event_log_is_read_on_request_and_given_back(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);
	uint8_t *log = fake_page(drive, FAKE_LOG, 0x0d, 0, 8192);

	(void)state;
	controller(drive)[261] |= 1 << 4;
	log[0] = 0x0d;
	fake_put(log, 8, 8, 8192);
	log[8191] = 0x5a;
	read_nvme();
	assert_int_equal(fake_asked_log(drive, 0x0d), 0);
	options.events = true;
	read_nvme();
	struct bytes read = snapshot_find(&snap, SPACE_NVME_LOG, 0x0d, 0);
	assert_int_equal(read.len, 8192);
	assert_int_equal(read.data[8191], 0x5a);
	assert_false(drive->events_context);
	assert_int_equal(drive->refusals, 0);
	/* another program is reading it: left alone, after one try */
	drive->events_context = true;
	drive->ncommands = 0;
	read_nvme();
	assert_int_equal(fake_asked_log(drive, 0x0d), 1);
	assert_true(drive->events_context);
	assert_int_equal(snap.state, DRIVE_READ);
}

static void privileges_and_dead_drives_have_states(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	drive->errno_of_all = EACCES;
	read_nvme();
	assert_int_equal(snap.state, DRIVE_NO_ACCESS);
	assert_non_null(strstr(snap.problems[0].text, "CAP_SYS_ADMIN"));
	drive->errno_of_all = ENODEV;
	read_nvme();
	assert_int_equal(snap.state, DRIVE_UNREADABLE);
	drive->errno_of_all = EAGAIN;
	drive->ncommands = 0;
	read_nvme();
	assert_int_equal(snap.state, DRIVE_UNREADABLE);
	assert_int_equal(drive->ncommands, 3);
	drive->errno_of_all = 0;
	drive->busy_commands = 2;
	read_nvme();
	assert_int_equal(snap.state, DRIVE_READ);
}

/* --- SATA --- */

static void a_sata_drive_gives_all_it_lists(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	read_sda(ACCESS_ATA);
	assert_int_equal(snap.state, DRIVE_READ);
	assert_int_equal(drive->refusals, 0);
	assert_true(was_read(SPACE_ATA_IDENTIFY, 0, 0));
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
	assert_true(was_read(SPACE_ATA_SMART_THRESHOLDS, 0, 0));
	assert_true(was_read(SPACE_ATA_SMART_STATUS, 0, 0));
	for (unsigned page = 0; page < 8; page++)
		assert_int_equal(was_read(SPACE_ATA_LOG, 4, page),
				 page == 0 || page == 1 || page == 4 || page == 5 || page == 7);
	assert_true(was_read(SPACE_ATA_LOG, 3, 0));
	assert_true(was_read(SPACE_ATA_LOG, 7, 0));
	assert_true(was_read(SPACE_ATA_LOG, 0xe0, 0));
	/* first of all, is it asleep? */
	assert_int_equal(drive->trace[0].code, 0xe5);
	/* through libatasmart: its commands want registers with data */
	assert_int_equal(drive->trace[3].code, 0xb0);
	assert_true(drive->trace[3].cdb[2] & 0x20);
}

static void smart_is_never_switched_on(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	fake_put(drive->pages[0].bytes, 85 * 2, 2, 0);
	read_sda(ACCESS_ATA);
	assert_int_equal(fake_asked(drive, 0xb0), 0);
	assert_int_equal(drive->refusals, 0);
	assert_int_equal(snap.state, DRIVE_READ);
	assert_int_equal(snap.nproblems, 1);
	assert_non_null(strstr(snap.problems[0].text, "SMART is switched off"));
	/* the statistics do not depend on it */
	assert_true(was_read(SPACE_ATA_LOG, 4, 7));
}

static void a_sleeping_drive_is_left_asleep(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");
	uint8_t page[572] = { 0, 0x89 };

	(void)state;
	memcpy(page + 60, drive->pages[0].bytes, 512);
	tree_bytes(&tree, page, sizeof(page), PCI "/block/sda/device/vpd_pg89");
	drive->asleep = true;
	read_sda(ACCESS_ATA);
	assert_int_equal(snap.state, DRIVE_STANDBY);
	assert_int_equal(drive->ncommands, 1);
	assert_int_equal(drive->trace[0].code, 0xe5);
	/* who it is stands in what the kernel kept */
	assert_memory_equal(snapshot_find(&snap, SPACE_ATA_IDENTIFY, 0, 0).data,
			    drive->pages[0].bytes, 512);
	options.wake = true;
	read_sda(ACCESS_ATA);
	assert_int_equal(snap.state, DRIVE_READ);
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
}

static void any_layout_of_sense_serves(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	/* libatasmart knows descriptors only: then the drive is asked directly */
	drive->sense = FAKE_SENSE_FIXED;
	read_sda(ACCESS_ATA);
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
	assert_true(was_read(SPACE_ATA_SMART_THRESHOLDS, 0, 0));
	assert_int_equal(snapshot_find(&snap, SPACE_ATA_SMART_STATUS, 0, 0).data[0], 0x4f);
	/* without registers there is no status, and no guess at one */
	drive->sense = FAKE_SENSE_NONE;
	read_sda(ACCESS_ATA);
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
	assert_false(was_read(SPACE_ATA_SMART_STATUS, 0, 0));
	assert_int_equal(snap.state, DRIVE_READ);
}

static void a_failing_status_is_kept(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	for (int layout = FAKE_SENSE_DESCRIPTOR; layout <= FAKE_SENSE_FIXED; layout++) {
		drive->sense = (enum fake_sense)layout;
		drive->smart_failing = true;
		read_sda(ACCESS_ATA);
		struct bytes status = snapshot_find(&snap, SPACE_ATA_SMART_STATUS, 0, 0);
		assert_memory_equal(status.data, "\xf4\x2c", 2);
	}
}

static void a_slow_drive_is_not_left_to_libatasmart(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	drive->delay_ms = ATASMART_QUICK_MS + 50;
	drive->npages = 3; /* IDENTIFY and SMART alone, to be quick */
	fake_put(drive->pages[0].bytes, 84 * 2, 2, 0x4000);
	fake_put(drive->pages[0].bytes, 87 * 2, 2, 0x4000);
	read_sda(ACCESS_ATA);
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
	assert_int_equal(fake_asked(drive, 0xec), 1);
	assert_int_equal(drive->refusals, 0);
}

static void a_drive_without_logs_is_asked_for_none(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	fake_put(drive->pages[0].bytes, 84 * 2, 2, 0x4000);
	fake_put(drive->pages[0].bytes, 87 * 2, 2, 0x4000);
	read_sda(ACCESS_ATA);
	assert_int_equal(fake_asked(drive, 0x2f), 0);
	assert_int_equal(drive->refusals, 0);
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
}

static void an_old_drive_has_smart_logs(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	fake_put(drive->pages[0].bytes, 84 * 2, 2, 0x4003);
	fake_put(drive->pages[0].bytes, 87 * 2, 2, 0x4003);
	fake_page(drive, FAKE_SMART_LOG, 1, 0, 512);
	fake_page(drive, FAKE_SMART_LOG, 6, 0, 512);
	read_sda(ACCESS_ATA);
	assert_int_equal(fake_asked(drive, 0x2f), 0);
	assert_true(was_read(SPACE_ATA_LOG, 1, 0));
	assert_true(was_read(SPACE_ATA_LOG, 6, 0));
	assert_int_equal(drive->refusals, 0);
}

static void a_bridge_of_12_bytes_is_found(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");
	uint8_t *directory = fake_page(drive, FAKE_SMART_LOG, 0, 0, 512);
	uint8_t *statistics = fake_page(drive, FAKE_SMART_LOG, 4, 0, 4096);
	static const uint8_t listed[] = { 3, 0, 1, 7 };

	(void)state;
	drive->takes_16 = false;
	fake_put(directory, 4 * 2, 2, 8);
	memcpy(statistics + 8, listed, sizeof(listed));
	statistics[512 + 2] = 1;
	statistics[7 * 512 + 2] = 7;
	read_sda(ACCESS_USB);
	assert_int_equal(snap.state, DRIVE_READ);
	assert_true(was_read(SPACE_ATA_SMART_DATA, 0, 0));
	assert_int_equal(snapshot_find(&snap, SPACE_ATA_LOG, 4, 7).data[2], 7);
	assert_false(was_read(SPACE_ATA_LOG, 4, 5));
	assert_int_equal(fake_asked(drive, 0x2f), 0);
	assert_int_equal(drive->refusals, 0);
}

static void a_bridge_that_passes_nothing_is_no_smart(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	drive->truncate = 36;
	read_sda(ACCESS_USB);
	assert_int_equal(snap.state, DRIVE_NO_SMART);
	assert_non_null(strstr(snap.problems[0].text, "truncated: 36 of 512 bytes"));
	drive->truncate = 0;
	drive->takes_16 = drive->takes_12 = false;
	read_sda(ACCESS_USB);
	assert_int_equal(snap.state, DRIVE_NO_SMART);
	drive->takes_16 = true;
	drive->busy_commands = 99;
	read_sda(ACCESS_USB);
	assert_int_equal(snap.state, DRIVE_UNREADABLE);
	assert_non_null(strstr(snap.problems[0].text, "becoming ready"));
}

/* --- SAS --- */

static void a_sas_drive_gives_the_pages_it_lists(void **state)
{
	static const uint8_t not_listed[] = { 0x03, 0x10, 0x15, 0x19, 0x2f };
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	read_sda(ACCESS_SCSI);
	assert_int_equal(snap.state, DRIVE_READ);
	assert_int_equal(drive->refusals, 0);
	assert_true(was_read(SPACE_SCSI_INQUIRY, 0, 0));
	assert_int_equal(snapshot_find(&snap, SPACE_SCSI_VPD, 0x80, 0).len, 12);
	assert_true(was_read(SPACE_SCSI_CAPACITY, 0, 0));
	assert_true(was_read(SPACE_SCSI_LOG, 0x11, 0));
	for (size_t i = 0; i < ARRAY_SIZE(not_listed); i++)
		assert_int_equal(fake_asked_log(drive, not_listed[i]), 0);
	for (unsigned i = 0; i < drive->ncommands; i++)
		if (drive->trace[i].code == 0x12)
			assert_true(drive->trace[i].cdb[2] != 0x83 &&
				    drive->trace[i].cdb[2] != 0xb0);
}

static void a_sas_drive_in_standby_is_left_alone(void **state)
{
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	for (size_t i = 0; i < drive->npages; i++) {
		if (drive->pages[i].space == FAKE_SENSE) {
			drive->pages[i].bytes[12] = 0x5e;
			drive->pages[i].bytes[13] = 0x04;
		}
	}
	read_sda(ACCESS_SCSI);
	assert_int_equal(snap.state, DRIVE_STANDBY);
	assert_int_equal(drive->ncommands, 2);
	options.wake = true;
	read_sda(ACCESS_SCSI);
	assert_int_equal(snap.state, DRIVE_READ);
}

static void a_disk_without_log_pages_has_no_smart(void **state)
{
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	for (size_t i = 0; i < drive->npages; i++)
		if (drive->pages[i].space == FAKE_LOG)
			drive->pages[i].id = 0x3e;
	read_sda(ACCESS_SCSI);
	assert_int_equal(snap.state, DRIVE_NO_SMART);
	assert_int_equal(fake_asked(drive, 0x4d), 1);
}

static void a_page_that_is_another_is_not_taken(void **state)
{
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	drive->pages[drive->npages - 1].bytes[0] = 0x0d; /* where 11h was asked for */
	read_sda(ACCESS_SCSI);
	assert_false(was_read(SPACE_SCSI_LOG, 0x11, 0));
	assert_true(was_read(SPACE_SCSI_LOG, 0x0d, 0));
}

/* --- a capture can be replayed --- */

static void check_replay(enum access access)
{
	CLEANUP(transport_close) struct transport *t = NULL;
	CLEANUP(snapshot_release) struct snapshot again;
	struct device device = { .access = access, .path = "/dev/none", .name = "none" };
	struct capture c = {
		.sys = &tree.sys, .device = &device, .options = &options, .s = &again
	};

	snapshot_init(&again);
	assert_int_equal(replay_transport(&snap, &t), 0);
	c.t = t;
	assert_int_equal(capture_over(&c), 0);
	assert_int_equal(again.state, DRIVE_READ);
	for (size_t i = 0; i < snap.nlogs; i++) {
		const struct snapshot_log *log = &snap.logs[i];
		struct bytes b = snapshot_find(&again, log->space, log->id, log->sub);
		assert_int_equal(b.len, log->len);
		assert_memory_equal(b.data, log->data, log->len);
	}
	assert_int_equal(again.nlogs, snap.nlogs);
}

static void a_replayed_capture_is_the_same(void **state)
{
	(void)state;
	fake_nvme("/dev/nvme0", 0x010400);
	fake_ata("/dev/sda");
	read_nvme();
	check_replay(ACCESS_NVME);
	read_sda(ACCESS_ATA);
	check_replay(ACCESS_ATA);
	fake_reset();
	fake_sas("/dev/sda");
	read_sda(ACCESS_SCSI);
	check_replay(ACCESS_SCSI);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_old_drive_is_asked_little),
		TEST(a_drive_without_a_version_is_not_asked_for_lists),
		TEST(polling_never_raises_the_error_count),
		TEST(every_nvme_log_keeps_its_events),
		TEST(capability_bits_open_logs),
		TEST(the_only_possible_group_is_read),
		TEST(a_list_of_logs_rules_out_the_others),
		TEST(an_empty_list_of_logs_is_not_believed),
		TEST(rules_add_vendor_logs),
		TEST(the_error_log_is_read_whole),
		TEST(a_log_that_fails_does_not_stop_the_rest),
		TEST(the_event_log_is_read_on_request_and_given_back),
		TEST(privileges_and_dead_drives_have_states),
		TEST(a_sata_drive_gives_all_it_lists),
		TEST(smart_is_never_switched_on),
		TEST(a_sleeping_drive_is_left_asleep),
		TEST(any_layout_of_sense_serves),
		TEST(a_failing_status_is_kept),
		TEST(a_slow_drive_is_not_left_to_libatasmart),
		TEST(a_drive_without_logs_is_asked_for_none),
		TEST(an_old_drive_has_smart_logs),
		TEST(a_bridge_of_12_bytes_is_found),
		TEST(a_bridge_that_passes_nothing_is_no_smart),
		TEST(a_sas_drive_gives_the_pages_it_lists),
		TEST(a_sas_drive_in_standby_is_left_alone),
		TEST(a_disk_without_log_pages_has_no_smart),
		TEST(a_page_that_is_another_is_not_taken),
		TEST(a_replayed_capture_is_the_same),
	};

	return cmocka_run_group_tests_name("device capture", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "lib/captured.h"
#include "transport/atasmart.h"
#include "transport/decorators.h"

/* What is asked of SATA and SAS drives, and what is not; and that a capture can be replayed. */

/* --- SATA --- */

static void a_sata_drive_gives_all_it_lists(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	captured_sda(ACCESS_ATA);
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_int_equal(drive->refusals, 0);
	assert_true(captured_has(SPACE_ATA_IDENTIFY, 0, 0));
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
	assert_true(captured_has(SPACE_ATA_SMART_THRESHOLDS, 0, 0));
	assert_true(captured_has(SPACE_ATA_SMART_STATUS, 0, 0));
	for (unsigned page = 0; page < 8; page++)
		assert_int_equal(captured_has(SPACE_ATA_LOG, 4, page),
				 page == 0 || page == 1 || page == 4 || page == 5 || page == 7);
	assert_true(captured_has(SPACE_ATA_LOG, 3, 0));
	assert_true(captured_has(SPACE_ATA_LOG, 7, 0));
	assert_true(captured_has(SPACE_ATA_LOG, 0xe0, 0));
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
	captured_sda(ACCESS_ATA);
	assert_int_equal(fake_asked(drive, 0xb0), 0);
	assert_int_equal(drive->refusals, 0);
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_int_equal(captured.snap.nproblems, 1);
	assert_non_null(strstr(captured.snap.problems[0].text, "SMART is switched off"));
	/* the statistics do not depend on it */
	assert_true(captured_has(SPACE_ATA_LOG, 4, 7));
}

static void a_sleeping_drive_is_left_asleep(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");
	uint8_t page[572] = { 0, 0x89 };

	(void)state;
	memcpy(page + 60, drive->pages[0].bytes, 512);
	tree_bytes(&captured.tree, page, sizeof(page), CAPTURED_SYSFS "/device/vpd_pg89");
	drive->asleep = true;
	captured_sda(ACCESS_ATA);
	assert_int_equal(captured.snap.state, DRIVE_STANDBY);
	assert_int_equal(drive->ncommands, 1);
	assert_int_equal(drive->trace[0].code, 0xe5);
	/* who it is stands in what the kernel kept */
	assert_memory_equal(snapshot_find(&captured.snap, SPACE_ATA_IDENTIFY, 0, 0).data,
			    drive->pages[0].bytes, 512);
	captured.options.wake = true;
	captured_sda(ACCESS_ATA);
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
}

static void any_layout_of_sense_serves(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	/* libatasmart knows descriptors only: then the drive is asked directly */
	drive->sense = FAKE_SENSE_FIXED;
	captured_sda(ACCESS_ATA);
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
	assert_true(captured_has(SPACE_ATA_SMART_THRESHOLDS, 0, 0));
	assert_int_equal(snapshot_find(&captured.snap, SPACE_ATA_SMART_STATUS, 0, 0).data[0], 0x4f);
	/* without registers there is no status, and no guess at one */
	drive->sense = FAKE_SENSE_NONE;
	captured_sda(ACCESS_ATA);
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
	assert_false(captured_has(SPACE_ATA_SMART_STATUS, 0, 0));
	assert_int_equal(captured.snap.state, DRIVE_READ);
}

static void a_failing_status_is_kept(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	for (int layout = FAKE_SENSE_DESCRIPTOR; layout <= FAKE_SENSE_FIXED; layout++) {
		drive->sense = (enum fake_sense)layout;
		drive->smart_failing = true;
		captured_sda(ACCESS_ATA);
		struct bytes status = snapshot_find(&captured.snap, SPACE_ATA_SMART_STATUS, 0, 0);
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
	captured_sda(ACCESS_ATA);
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
	assert_int_equal(fake_asked(drive, 0xec), 1);
	assert_int_equal(drive->refusals, 0);
}

static void a_drive_without_logs_is_asked_for_none(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	fake_put(drive->pages[0].bytes, 84 * 2, 2, 0x4000);
	fake_put(drive->pages[0].bytes, 87 * 2, 2, 0x4000);
	captured_sda(ACCESS_ATA);
	assert_int_equal(fake_asked(drive, 0x2f), 0);
	assert_int_equal(drive->refusals, 0);
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
}

static void an_old_drive_has_smart_logs(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	fake_put(drive->pages[0].bytes, 84 * 2, 2, 0x4003);
	fake_put(drive->pages[0].bytes, 87 * 2, 2, 0x4003);
	fake_page(drive, FAKE_SMART_LOG, 1, 0, 512);
	fake_page(drive, FAKE_SMART_LOG, 6, 0, 512);
	captured_sda(ACCESS_ATA);
	assert_int_equal(fake_asked(drive, 0x2f), 0);
	assert_true(captured_has(SPACE_ATA_LOG, 1, 0));
	assert_true(captured_has(SPACE_ATA_LOG, 6, 0));
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
	captured_sda(ACCESS_USB);
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_true(captured_has(SPACE_ATA_SMART_DATA, 0, 0));
	assert_int_equal(snapshot_find(&captured.snap, SPACE_ATA_LOG, 4, 7).data[2], 7);
	assert_false(captured_has(SPACE_ATA_LOG, 4, 5));
	assert_int_equal(fake_asked(drive, 0x2f), 0);
	assert_int_equal(drive->refusals, 0);
}

static void a_bridge_that_passes_nothing_is_no_smart(void **state)
{
	struct fake_drive *drive = fake_ata("/dev/sda");

	(void)state;
	drive->truncate = 36;
	captured_sda(ACCESS_USB);
	assert_int_equal(captured.snap.state, DRIVE_NO_SMART);
	assert_non_null(strstr(captured.snap.problems[0].text, "truncated: 36 of 512 bytes"));
	drive->truncate = 0;
	drive->takes_16 = drive->takes_12 = false;
	captured_sda(ACCESS_USB);
	assert_int_equal(captured.snap.state, DRIVE_NO_SMART);
	drive->takes_16 = true;
	drive->busy_commands = 99;
	captured_sda(ACCESS_USB);
	assert_int_equal(captured.snap.state, DRIVE_UNREADABLE);
	assert_non_null(strstr(captured.snap.problems[0].text, "becoming ready"));
}

/* --- SAS --- */

static void a_sas_drive_gives_the_pages_it_lists(void **state)
{
	static const uint8_t not_listed[] = { 0x03, 0x10, 0x15, 0x19, 0x2f };
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	captured_sda(ACCESS_SCSI);
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_int_equal(drive->refusals, 0);
	assert_true(captured_has(SPACE_SCSI_INQUIRY, 0, 0));
	assert_int_equal(snapshot_find(&captured.snap, SPACE_SCSI_VPD, 0x80, 0).len, 12);
	assert_true(captured_has(SPACE_SCSI_CAPACITY, 0, 0));
	assert_true(captured_has(SPACE_SCSI_LOG, 0x11, 0));
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
	captured_sda(ACCESS_SCSI);
	assert_int_equal(captured.snap.state, DRIVE_STANDBY);
	assert_int_equal(drive->ncommands, 2);
	captured.options.wake = true;
	captured_sda(ACCESS_SCSI);
	assert_int_equal(captured.snap.state, DRIVE_READ);
}

static void a_disk_without_log_pages_has_no_smart(void **state)
{
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	for (size_t i = 0; i < drive->npages; i++)
		if (drive->pages[i].space == FAKE_LOG)
			drive->pages[i].id = 0x3e;
	captured_sda(ACCESS_SCSI);
	assert_int_equal(captured.snap.state, DRIVE_NO_SMART);
	assert_int_equal(fake_asked(drive, 0x4d), 1);
}

static void a_page_that_is_another_is_not_taken(void **state)
{
	struct fake_drive *drive = fake_sas("/dev/sda");

	(void)state;
	drive->pages[drive->npages - 1].bytes[0] = 0x0d; /* where 11h was asked for */
	captured_sda(ACCESS_SCSI);
	assert_false(captured_has(SPACE_SCSI_LOG, 0x11, 0));
	assert_true(captured_has(SPACE_SCSI_LOG, 0x0d, 0));
}

/* --- a capture can be replayed --- */

static void check_replay(enum access access)
{
	CLEANUP(transport_close) struct transport *t = NULL;
	CLEANUP(snapshot_release) struct snapshot again;
	struct device device = { .access = access, .path = "/dev/none", .name = "none" };
	struct capture c = { .sys = &captured.tree.sys,
			     .device = &device,
			     .options = &captured.options,
			     .s = &again };

	snapshot_init(&again);
	assert_int_equal(replay_transport(&captured.snap, &t), 0);
	c.t = t;
	assert_int_equal(capture_over(&c), 0);
	assert_int_equal(again.state, DRIVE_READ);
	for (size_t i = 0; i < captured.snap.nlogs; i++) {
		const struct snapshot_log *log = &captured.snap.logs[i];
		struct bytes b = snapshot_find(&again, log->space, log->id, log->sub);
		assert_int_equal(b.len, log->len);
		assert_memory_equal(b.data, log->data, log->len);
	}
	assert_int_equal(again.nlogs, captured.snap.nlogs);
}

static void a_replayed_capture_is_the_same(void **state)
{
	(void)state;
	fake_nvme("/dev/nvme0", 0x010400);
	fake_ata("/dev/sda");
	captured_nvme();
	check_replay(ACCESS_NVME);
	captured_sda(ACCESS_ATA);
	check_replay(ACCESS_ATA);
	fake_reset();
	fake_sas("/dev/sda");
	captured_sda(ACCESS_SCSI);
	check_replay(ACCESS_SCSI);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, captured_set_up, captured_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
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

	return cmocka_run_group_tests_name("reading SATA and SAS drives", tests, NULL, NULL);
}

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

/* What is asked of an NVMe drive, and above all what is not. */

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
	captured_nvme();
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_int_equal(drive->refusals, 0);
	assert_int_equal(fake_asked(drive, 0x06), 3); /* CNS 01h, 02h, 00h; no 03h */
	assert_int_equal(fake_asked(drive, 0x02), 3);
	for (size_t i = 0; i < ARRAY_SIZE(logs); i++)
		assert_int_equal(fake_asked_log(drive, logs[i]), 0);
	assert_true(captured_has(SPACE_NVME_LOG, 2, 0));
}

static void a_drive_without_a_version_is_not_asked_for_lists(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0);

	(void)state;
	captured_nvme();
	assert_int_equal(drive->refusals, 0);
	assert_int_equal(fake_asked(drive, 0x06), 2); /* the kernel knows namespace 1 */
	assert_true(captured_has(SPACE_NVME_IDENTIFY, 0, 1));
	assert_false(captured_has(SPACE_NVME_IDENTIFY, 2, 0));
}

static void polling_never_raises_the_error_count(void **state)
{
	static const uint32_t versions[] = { 0, 0x010000, 0x010200, 0x010300, 0x010400, 0x020000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		fake_reset();
		struct fake_drive *drive = fake_nvme("/dev/nvme0", versions[i]);
		for (unsigned k = 0; k < 100; k++)
			captured_nvme();
		assert_int_equal(drive->refusals, 0);
	}
}

static void every_nvme_log_keeps_its_events(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	fake_put(controller(drive), 256, 2, 1 << 4);
	fake_page(drive, FAKE_LOG, 6, 0, 564);
	captured_nvme();
	assert_true(captured_has(SPACE_NVME_LOG, 6, 0));
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
	captured_nvme();
	assert_true(captured_has(SPACE_NVME_LOG, 5, 0));
	assert_true(captured_has(SPACE_NVME_LOG, 9, 3));
	assert_true(captured_has(SPACE_NVME_LOG, 0x81, 0));
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
	captured_nvme();
	assert_true(captured_has(SPACE_NVME_LOG, 9, 1));
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
	captured_nvme();
	assert_true(captured_has(SPACE_NVME_LOG, 0, 0));
	assert_true(captured_has(SPACE_NVME_LOG, 0xc0, 0));
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
	captured_nvme();
	assert_true(captured_has(SPACE_NVME_LOG, 1, 0));
	assert_true(captured_has(SPACE_NVME_LOG, 3, 0));
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
	captured.options.extra_logs = two_logs;
	captured_nvme();
	assert_true(captured_has(SPACE_NVME_LOG, 0xca, 0));
	assert_int_equal(fake_asked_log(drive, 2), 1);
	assert_int_equal(fake_asked_log(drive, 0xc0), 0);
}

static void the_error_log_is_read_whole(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	controller(drive)[262] = 255;
	fake_page(drive, FAKE_LOG, 1, 0, 16384);
	captured_nvme();
	assert_int_equal(snapshot_find(&captured.snap, SPACE_NVME_LOG, 1, 0).len, 16384);
	assert_int_equal(fake_asked_log(drive, 1), 1);
	/* a drive that transfers 8 KiB at most gives it in two parts */
	controller(drive)[77] = 1;
	drive->ncommands = 0;
	captured_nvme();
	assert_int_equal(snapshot_find(&captured.snap, SPACE_NVME_LOG, 1, 0).len, 16384);
	assert_int_equal(fake_asked_log(drive, 1), 2);
}

static void a_log_that_fails_does_not_stop_the_rest(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	for (size_t i = 0; i < drive->npages; i++)
		if (drive->pages[i].space == FAKE_LOG && drive->pages[i].id == 1)
			drive->pages[i].id = 0x77;
	captured_nvme();
	assert_int_equal(captured.snap.state, DRIVE_READ);
	assert_true(captured_has(SPACE_NVME_LOG, 3, 0));
	assert_false(captured_has(SPACE_NVME_LOG, 1, 0));
	for (size_t i = 0; i < captured.snap.nlogs; i++)
		if (captured.snap.logs[i].space == SPACE_NVME_LOG && captured.snap.logs[i].id == 1)
			assert_string_equal(captured.snap.logs[i].error,
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
	captured_nvme();
	assert_int_equal(fake_asked_log(drive, 0x0d), 0);
	captured.options.events = true;
	captured_nvme();
	struct bytes read = snapshot_find(&captured.snap, SPACE_NVME_LOG, 0x0d, 0);
	assert_int_equal(read.len, 8192);
	assert_int_equal(read.data[8191], 0x5a);
	assert_false(drive->events_context);
	assert_int_equal(drive->refusals, 0);
	/* another program is reading it: left alone, after one try */
	drive->events_context = true;
	drive->ncommands = 0;
	captured_nvme();
	assert_int_equal(fake_asked_log(drive, 0x0d), 1);
	assert_true(drive->events_context);
	assert_int_equal(captured.snap.state, DRIVE_READ);
}

static void privileges_and_dead_drives_have_states(void **state)
{
	struct fake_drive *drive = fake_nvme("/dev/nvme0", 0x010400);

	(void)state;
	drive->errno_of_all = EACCES;
	captured_nvme();
	assert_int_equal(captured.snap.state, DRIVE_NO_ACCESS);
	assert_non_null(strstr(captured.snap.problems[0].text, "CAP_SYS_ADMIN"));
	drive->errno_of_all = ENODEV;
	captured_nvme();
	assert_int_equal(captured.snap.state, DRIVE_UNREADABLE);
	drive->errno_of_all = EAGAIN;
	drive->ncommands = 0;
	captured_nvme();
	assert_int_equal(captured.snap.state, DRIVE_UNREADABLE);
	assert_int_equal(drive->ncommands, 3);
	drive->errno_of_all = 0;
	drive->busy_commands = 2;
	captured_nvme();
	assert_int_equal(captured.snap.state, DRIVE_READ);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, captured_set_up, captured_tear_down)

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
	};

	return cmocka_run_group_tests_name("reading NVMe drives", tests, NULL, NULL);
}

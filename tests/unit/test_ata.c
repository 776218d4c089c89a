/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "decode/ata.h"
#include "lib/ata_logs.h"
#include "lib/dumps.h"

static void add(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub,
		const struct sector *sector)
{
	assert_int_equal(snapshot_add(s, space, id, sub, bytes_of(sector->bytes, 512)), 0);
}

static void decode(struct snapshot *s, struct reading *r)
{
	struct diag d = { 0 };

	if (reading_decode(s, NULL, &d, r))
		fail_msg("%s", d.text);
	snapshot_release(s);
}

static void identify_tells_who_the_drive_is(void **state)
{
	struct snapshot s;
	struct sector id;
	struct reading r;

	(void)state;
	snapshot_init(&s);
	build_identify(&id, "EXAMPLE SSD 480", "EX0001", "EX10", 937703088);
	add(&s, SPACE_ATA_IDENTIFY, 0, 0, &id);
	decode(&s, &r);
	assert_int_equal(r.identity.protocol, PROTOCOL_ATA);
	assert_string_equal(r.identity.model, "EXAMPLE SSD 480");
	assert_string_equal(r.identity.serial, "EX0001");
	assert_string_equal(r.identity.firmware, "EX10");
	assert_string_equal(r.identity.wwn, "0x5002538e40a22954");
	assert_true(r.identity.has_capacity && r.identity.capacity_bytes == 480103981056);
	assert_int_equal(r.identity.logical_block_bytes, 512);
	assert_int_equal(r.identity.rotational, 0);
	assert_true(field_number(&r, "ata.identify", "smart_supported") == 1);
	assert_true(field_number(&r, "ata.identify", "smart_enabled") == 1);
	assert_true(field_number(&r, "ata.identify", "trim_supported") == 0);
	assert_int_equal(r.nproblems, 0);
	reading_release(&r);
}

static void sectors_of_4096_bytes(void **state)
{
	struct snapshot s;
	struct sector id, page;
	struct reading r;

	(void)state;
	snapshot_init(&s);
	build_identify(&id, "EXAMPLE 4KN", "EX0002", "EX10", 117212886);
	sector_put(&id, 212, 2, 0x5000);
	sector_put(&id, 234, 4, 2048);
	sector_close(&id);
	add(&s, SPACE_ATA_IDENTIFY, 0, 0, &id);
	build_devstat(&page, 1);
	put_statistic(&page, 0x18, 1000000);
	add(&s, SPACE_ATA_LOG, 4, 1, &page);
	decode(&s, &r);
	assert_int_equal(r.identity.logical_block_bytes, 4096);
	assert_true(r.identity.capacity_bytes == 480103981056);
	assert_true(field_number(&r, "ata.devstat.general", "sectors_written") == 4096000000);
	reading_release(&r);
}

static void a_spoiled_identify_is_noted(void **state)
{
	struct snapshot s;
	struct sector id;
	struct reading r;

	(void)state;
	snapshot_init(&s);
	build_identify(&id, "EXAMPLE", "EX0003", "EX10", 1000);
	id.bytes[300] ^= 1;
	add(&s, SPACE_ATA_IDENTIFY, 0, 0, &id);
	decode(&s, &r);
	assert_int_equal(r.nproblems, 1);
	assert_int_equal(r.problems[0].err, -EBADMSG);
	reading_release(&r);
}

static void attributes_with_their_thresholds(void **state)
{
	struct sector data = { { 0 } }, thresholds = { { 0 } };
	const struct attribute *a;
	struct snapshot s;
	struct reading r;

	(void)state;
	put_attribute(&data, 0, 9, 0x32, 100, 99, 40311);
	put_attribute(&data, 3, 173, 0x13, 85, 84, 0x06052104ecULL | 0x01ULL << 48);
	put_attribute(&data, 29, 241, 0x32, 100, 100, 0xffffffffffff);
	data.bytes[363] = 0xf3; /* a self-test runs, 30 % of it left */
	sector_close(&data);
	put_threshold(&thresholds, 7, 173, 10);
	put_threshold(&thresholds, 8, 99, 20);
	snapshot_init(&s);
	add(&s, SPACE_ATA_SMART_DATA, 0, 0, &data);
	add(&s, SPACE_ATA_SMART_THRESHOLDS, 0, 0, &thresholds);
	decode(&s, &r);
	assert_int_equal(r.nattributes, 3);
	a = reading_attribute(&r, 9);
	assert_true(a->raw == 40311 && a->value == 100 && a->worst == 99 && !a->has_threshold);
	a = reading_attribute(&r, 173);
	assert_true(a->raw == 0x010006052104ecULL && a->raw_bytes == 7 && a->flags == 0x13);
	assert_true(a->has_threshold && a->threshold == 10);
	assert_true(reading_attribute(&r, 241)->raw == 0xffffffffffff);
	assert_null(reading_attribute(&r, 99));
	assert_int_equal(r.selftest_progress, 70);
	assert_false(r.attributes_checksum_bad);
	reading_release(&r);
}

static void a_wrong_checksum_is_noted(void **state)
{
	struct sector data = { { 0 } };
	struct snapshot s;
	struct reading r;

	(void)state;
	put_attribute(&data, 0, 9, 0x32, 100, 99, 40311);
	data.bytes[400] ^= 0x40;
	snapshot_init(&s);
	add(&s, SPACE_ATA_SMART_DATA, 0, 0, &data);
	decode(&s, &r);
	assert_true(r.attributes_checksum_bad);
	assert_int_equal(r.nattributes, 1);
	reading_release(&r);
}

static void status_registers(void **state)
{
	static const struct {
		uint8_t mid, high;
		enum smart_status status;
		size_t problems;
	} cases[] = {
		{ 0x4f, 0xc2, SMART_STATUS_PASSED, 0 },	 { 0xf4, 0x2c, SMART_STATUS_FAILED, 0 },
		{ 0xad, 0x64, SMART_STATUS_UNKNOWN, 1 }, { 0x4f, 0x2c, SMART_STATUS_UNKNOWN, 1 },
		{ 0, 0, SMART_STATUS_UNKNOWN, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t registers[2] = { cases[i].mid, cases[i].high };
		struct snapshot s;
		struct reading r;

		snapshot_init(&s);
		assert_int_equal(
			snapshot_add(&s, SPACE_ATA_SMART_STATUS, 0, 0, bytes_of(registers, 2)), 0);
		decode(&s, &r);
		assert_int_equal(r.smart_status, cases[i].status);
		assert_int_equal(r.nproblems, cases[i].problems);
		reading_release(&r);
	}
}

static void statistics_need_both_flags(void **state)
{
	struct snapshot s;
	struct sector general, temperature, ssd;
	struct reading r;

	(void)state;
	build_devstat(&general, 1);
	put_statistic(&general, 0x08, 42);
	sector_put(&general, 0x10, 8, 1ULL << 63 | 5);	     /* supported, not valid */
	sector_put(&general, 0x18, 8, 1ULL << 62 | 5);	     /* valid, not supported */
	put_statistic(&general, 0x28, 0xffffffffffff);	     /* not maintained */
	put_statistic(&general, 0x20, 0x0fULL << 56 | 7777); /* other flags mean nothing here */
	build_devstat(&temperature, 5);
	put_statistic(&temperature, 0x08, 0xa3); /* -93 C */
	put_statistic(&temperature, 0x20, 70);
	put_statistic(&temperature, 0x28, 0xec); /* -20 C */
	put_statistic(&temperature, 0x10, 0x80); /* -128: not valid */
	put_statistic(&temperature, 0x50, 90);
	build_devstat(&ssd, 7);
	put_statistic(&ssd, 0x08, 255);
	snapshot_init(&s);
	add(&s, SPACE_ATA_LOG, 4, 1, &general);
	add(&s, SPACE_ATA_LOG, 4, 5, &temperature);
	add(&s, SPACE_ATA_LOG, 4, 7, &ssd);
	decode(&s, &r);
	assert_true(field_number(&r, "ata.devstat.general", "power_on_resets") == 42);
	assert_true(field_is_absent(&r, "ata.devstat.general", "power_on_hours"));
	assert_true(field_is_absent(&r, "ata.devstat.general", "sectors_written"));
	assert_true(field_is_absent(&r, "ata.devstat.general", "sectors_read"));
	assert_true(field_number(&r, "ata.devstat.general", "write_commands") == 7777);
	assert_true(field_is_absent(&r, "ata.devstat.temperature", "temperature"));
	assert_true(field_is_absent(&r, "ata.devstat.temperature", "average_short"));
	assert_true(field_number(&r, "ata.devstat.temperature", "highest") == 70000);
	assert_true(field_number(&r, "ata.devstat.temperature", "lowest") == -20000);
	assert_true(field_number(&r, "ata.devstat.temperature", "minutes_over") == 90);
	assert_int_equal(reading_find(&r, "ata.devstat.ssd", "percentage_used")->value.bound,
			 BOUND_AT_LEAST);
	/* -93 C is told of, -128 is not: it is the standard's own "not valid" */
	assert_int_equal(r.nproblems, 1);
	reading_release(&r);
}

static void a_page_that_is_another_page(void **state)
{
	struct snapshot s;
	struct sector page;
	struct reading r;

	(void)state;
	build_devstat(&page, 1);
	put_statistic(&page, 0x08, 77);
	snapshot_init(&s);
	add(&s, SPACE_ATA_LOG, 4, 7, &page);
	decode(&s, &r);
	assert_true(field_is_absent(&r, "ata.devstat.ssd", "percentage_used"));
	assert_int_equal(r.nproblems, 1);
	reading_release(&r);
}

/* Weekly tests around the point where 16 bits of hours wrap, the newest first. */
static void selftest_hours_wrap(void **state)
{
	static const uint16_t hours[] = { 650, 482, 314, 146, 65515, 65347, 65179, 65011 };
	static const uint64_t want[] = { 66186, 66018, 65850, 65682, 65515, 65347, 65179, 65011 };
	struct sector data = { { 0 } }, log = { { 0 } };
	struct snapshot s;
	struct reading r;

	(void)state;
	put_attribute(&data, 0, 9, 0x32, 100, 100, 66200);
	for (unsigned i = 0; i < ARRAY_SIZE(hours); i++)
		put_selftest(&log, false, (20 + 21 - i) % 21, 1, 0, hours[i], 0xffffffff);
	log.bytes[508] = 21; /* the newest stands in the last descriptor */
	sector_close(&log);
	snapshot_init(&s);
	add(&s, SPACE_ATA_SMART_DATA, 0, 0, &data);
	add(&s, SPACE_ATA_LOG, 6, 0, &log);
	decode(&s, &r);
	assert_true(r.selftest_log_read);
	assert_int_equal(r.nselftests, ARRAY_SIZE(hours));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(r.selftests[i].hours == want[i]);
		assert_false(r.selftests[i].hours_unreliable);
	}
	reading_release(&r);
}

/* A firmware that logs new tests at hour 0 or 1: the place in the log says which is newest. */
static void selftest_hours_that_make_no_sense(void **state)
{
	struct sector log = { { 0 } }, general;
	struct snapshot s;
	struct reading r;

	(void)state;
	build_devstat(&general, 1);
	put_statistic(&general, 0x10, 29747);
	put_selftest(&log, true, 0, 2, 0x00, 29000, 0xffffffffffff);
	put_selftest(&log, true, 1, 1, 0x75, 1, 4886718345);
	put_selftest(&log, true, 18, 3, 0x20, 40000, 0xffffffffffff);
	sector_put(&log, 2, 2, 2);
	sector_close(&log);
	snapshot_init(&s);
	add(&s, SPACE_ATA_LOG, 4, 1, &general);
	add(&s, SPACE_ATA_LOG, 7, 0, &log);
	decode(&s, &r);
	assert_int_equal(r.nselftests, 3);
	assert_true(r.selftests[0].hours == 1 && r.selftests[0].hours_unreliable);
	assert_int_equal(r.selftests[0].result, SELFTEST_FAILED);
	assert_true(r.selftests[0].has_lba && r.selftests[0].lba == 4886718345);
	assert_true(r.selftests[1].hours == 29000 && !r.selftests[1].hours_unreliable);
	assert_string_equal(r.selftests[1].kind, "extended");
	assert_false(r.selftests[1].has_lba);
	/* later than the drive has run */
	assert_true(r.selftests[2].hours == 40000 && r.selftests[2].hours_unreliable);
	assert_int_equal(r.selftests[2].result, SELFTEST_ABORTED);
	assert_string_equal(r.selftests[2].kind, "conveyance");
	reading_release(&r);
}

/* A log of two sectors: 19 entries in each; the newest stands in the second. */
static void a_long_selftest_log(void **state)
{
	struct {
		struct sector first, second;
	} log = { { { 0 } }, { { 0 } } };
	struct snapshot s;
	struct reading r;

	(void)state;
	put_selftest(&log.first, true, 18, 1, 0, 500, 0);
	put_selftest(&log.second, true, 0, 2, 0x70, 600, 1);
	sector_put(&log.first, 2, 2, 20);
	for (int sectors = 1; sectors <= 2; sectors++) {
		snapshot_init(&s);
		assert_int_equal(snapshot_add(&s, SPACE_ATA_LOG, 7, 0,
					      bytes_of(&log, 512 * (size_t)sectors)),
				 0);
		decode(&s, &r);
		assert_true(r.selftest_log_read);
		assert_int_equal(r.nselftests, sectors == 2 ? 2 : 0);
		assert_int_equal(r.nproblems, sectors == 2 ? 0 : 1);
		if (sectors == 2)
			assert_true(r.selftests[0].hours == 600 && r.selftests[1].hours == 500);
		reading_release(&r);
	}
}

static void error_counts(void **state)
{
	struct sector log = { { 0 } };
	struct snapshot s;
	struct reading r;

	(void)state;
	sector_put(&log, 452, 2, 210);
	snapshot_init(&s);
	add(&s, SPACE_ATA_LOG, 1, 0, &log);
	log = (struct sector){ { 0 } };
	sector_put(&log, 500, 2, 7921);
	add(&s, SPACE_ATA_LOG, 3, 0, &log);
	decode(&s, &r);
	assert_true(r.has_error_log_entries && r.error_log_entries == 7921);
	reading_release(&r);
}

static void temperatures_that_disagree(void **state)
{
	struct sector data = { { 0 } }, sct = { { 0 } };
	struct snapshot s;
	struct reading r;

	(void)state;
	put_attribute(&data, 0, 194, 0x22, 65, 50, 0x003100160023ULL);
	sct.bytes[200] = 90;
	sct.bytes[203] = 0xfe;
	sct.bytes[204] = 0x80;
	snapshot_init(&s);
	add(&s, SPACE_ATA_SMART_DATA, 0, 0, &data);
	add(&s, SPACE_ATA_LOG, 0xe0, 0, &sct);
	decode(&s, &r);
	assert_true(field_is_absent(&r, "ata.sct_status", "temperature"));
	assert_true(field_number(&r, "ata.sct_status", "temperature_min") == -2000);
	assert_true(field_is_absent(&r, "ata.sct_status", "temperature_max"));
	assert_int_equal(r.nproblems, 1);
	reading_release(&r);
}

static void the_copy_of_identify_serves_as_well(void **state)
{
	struct sector id, capacity = { { 0 } };
	struct snapshot s;
	struct reading r;

	(void)state;
	build_identify(&id, "EXAMPLE SSD 480", "EX0001", "EX10", 937703088);
	sector_put(&capacity, 0, 8, 1ULL << 63 | 2ULL << 16 | 1);
	sector_put(&capacity, 8, 8, 1ULL << 63 | 937703088);
	sector_put(&capacity, 24, 8, 1ULL << 63 | 256);
	snapshot_init(&s);
	add(&s, SPACE_ATA_LOG, 0x30, 1, &id);
	add(&s, SPACE_ATA_LOG, 0x30, 2, &capacity);
	decode(&s, &r);
	assert_string_equal(r.identity.model, "EXAMPLE SSD 480");
	assert_true(field_number(&r, "ata.capacity_log", "capacity_sectors") == 937703088);
	assert_true(field_number(&r, "ata.capacity_log", "capacity_valid") == 1);
	assert_true(field_number(&r, "ata.capacity_log", "logical_sector_words") == 256);
	reading_release(&r);
}

/* Whatever a log is cut to: no crash, and what is left is told of or absent. */
static void short_logs(void **state)
{
	static const struct {
		enum log_space space;
		uint32_t id, sub;
	} logs[] = {
		{ SPACE_ATA_IDENTIFY, 0, 0 },	  { SPACE_ATA_SMART_DATA, 0, 0 },
		{ SPACE_ATA_SMART_STATUS, 0, 0 }, { SPACE_ATA_SMART_THRESHOLDS, 0, 0 },
		{ SPACE_ATA_LOG, 0, 0 },	  { SPACE_ATA_LOG, 1, 0 },
		{ SPACE_ATA_LOG, 3, 0 },	  { SPACE_ATA_LOG, 4, 1 },
		{ SPACE_ATA_LOG, 6, 0 },	  { SPACE_ATA_LOG, 7, 0 },
		{ SPACE_ATA_LOG, 0xe0, 0 },	  { SPACE_ATA_LOG, 0x30, 2 },
	};
	struct sector ones;

	(void)state;
	memset(ones.bytes, 0xff, sizeof(ones.bytes));
	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		for (size_t len = 0; len <= 512; len += len < 16 ? 1 : 31) {
			struct snapshot s;
			struct reading r;

			snapshot_init(&s);
			assert_int_equal(snapshot_add(&s, logs[i].space, logs[i].id, logs[i].sub,
						      bytes_of(ones.bytes, len)),
					 0);
			decode(&s, &r);
			reading_release(&r);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identify_tells_who_the_drive_is),
		cmocka_unit_test(sectors_of_4096_bytes),
		cmocka_unit_test(a_spoiled_identify_is_noted),
		cmocka_unit_test(attributes_with_their_thresholds),
		cmocka_unit_test(a_wrong_checksum_is_noted),
		cmocka_unit_test(status_registers),
		cmocka_unit_test(statistics_need_both_flags),
		cmocka_unit_test(a_page_that_is_another_page),
		cmocka_unit_test(selftest_hours_wrap),
		cmocka_unit_test(selftest_hours_that_make_no_sense),
		cmocka_unit_test(a_long_selftest_log),
		cmocka_unit_test(error_counts),
		cmocka_unit_test(temperatures_that_disagree),
		cmocka_unit_test(the_copy_of_identify_serves_as_well),
		cmocka_unit_test(short_logs),
	};

	return cmocka_run_group_tests_name("ATA", tests, NULL, NULL);
}

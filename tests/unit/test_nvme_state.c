/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "health/facts.h"
#include "lib/nvme_logs.h"
#include "lib/nvme_reading.h"

#define GB INT64_C(1000000000)

static struct {
	struct snapshot s;
	struct reading r;
	struct log_page p;
} t;

static int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	build_drive(&t.s); /* 8760 hours */
	reading_init(&t.r);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	snapshot_release(&t.s);
	reading_release(&t.r);
	return 0;
}

static void decode(void)
{
	struct diag d = { 0 };

	assert_int_equal(reading_decode(&t.s, NULL, &d, &t.r), 0);
}

/* --- self-tests ------------------------------------------------------------------------------ */

static void put_selftest(unsigned index, unsigned code, unsigned result, uint64_t hours)
{
	put(&t.p, 4 + index * 28, 1, code << 4 | result);
	put(&t.p, 4 + index * 28 + 4, 8, hours);
}

static void start_selftests(void)
{
	t.p.len = 564;
	for (unsigned i = 0; i < 20; i++)
		put(&t.p, 4 + i * 28, 1, 0x0f);
}

static void idle_ignores_the_completion(void **state)
{
	(void)state;
	start_selftests();
	put(&t.p, 1, 1, 37);
	add_page(&t.s, SPACE_NVME_LOG, 6, 0, &t.p);
	decode();
	assert_true(t.r.selftest_log_read);
	assert_int_equal(t.r.selftest_progress, -1);
	assert_int_equal(t.r.nselftests, 0);
}

static void a_running_test_has_progress(void **state)
{
	(void)state;
	start_selftests();
	put(&t.p, 0, 1, 2);
	put(&t.p, 1, 1, 0x80 | 37); /* the top bit is reserved */
	add_page(&t.s, SPACE_NVME_LOG, 6, 0, &t.p);
	decode();
	assert_int_equal(t.r.selftest_progress, 37);
}

/* result 7, code 2, segment 7, valid bits 3, hour 6ECh, namespace 1, LBA 0 */
static void a_failed_test_tells_segment_and_lba(void **state)
{
	const struct selftest *st;

	(void)state;
	start_selftests();
	put_selftest(0, 2, 7, 0x6ec);
	put(&t.p, 5, 1, 7);
	put(&t.p, 6, 1, 3);
	put(&t.p, 16, 4, 1);
	put_selftest(1, 1, 0, 0x600);
	put(&t.p, 4 + 28 + 1, 1, 5); /* a segment that does not count */
	add_page(&t.s, SPACE_NVME_LOG, 6, 0, &t.p);
	decode();
	assert_int_equal(t.r.nselftests, 2);
	st = &t.r.selftests[0];
	assert_int_equal(st->result, SELFTEST_FAILED);
	assert_int_equal(st->code, 7);
	assert_string_equal(st->kind, "extended");
	assert_true(st->has_segment && st->segment == 7);
	assert_true(st->has_lba && st->lba == 0);
	assert_true(st->has_hours && st->hours == 1772);
	assert_false(st->hours_unreliable);
	st++;
	assert_int_equal(st->result, SELFTEST_PASSED);
	assert_string_equal(st->kind, "short");
	assert_false(st->has_segment || st->has_lba);
}

static void results_by_their_codes(void **state)
{
	static const enum selftest_result want[] = {
		SELFTEST_PASSED,  SELFTEST_ABORTED, SELFTEST_ABORTED, SELFTEST_ABORTED,
		SELFTEST_ABORTED, SELFTEST_FAILED,  SELFTEST_FAILED,  SELFTEST_FAILED,
		SELFTEST_ABORTED, SELFTEST_ABORTED, SELFTEST_UNKNOWN,
	};

	(void)state;
	start_selftests();
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		put_selftest(i, 1, i, 1000 - i);
	add_page(&t.s, SPACE_NVME_LOG, 6, 0, &t.p);
	decode();
	assert_int_equal(t.r.nselftests, ARRAY_SIZE(want));
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(t.r.selftests[i].result, want[i]);
}

static void hours_that_cannot_be_are_marked(void **state)
{
	(void)state;
	start_selftests();
	put_selftest(0, 1, 0, 9000); /* after the drive's own 8760 */
	put_selftest(1, 1, 0, 500);
	put_selftest(2, 1, 0, 600); /* older, and later */
	add_page(&t.s, SPACE_NVME_LOG, 6, 0, &t.p);
	decode();
	assert_true(t.r.selftests[0].hours_unreliable);
	assert_false(t.r.selftests[1].hours_unreliable);
	assert_true(t.r.selftests[2].hours_unreliable);
}

static void zeros_are_no_tests(void **state)
{
	(void)state;
	t.p.len = 564;
	add_page(&t.s, SPACE_NVME_LOG, 6, 0, &t.p);
	decode();
	assert_int_equal(t.r.nselftests, 0);
	assert_true(t.r.selftest_log_read);
}

static void a_drive_without_the_log_has_not_failed(void **state)
{
	(void)state;
	decode();
	assert_false(t.r.selftest_log_read);
	assert_int_equal(t.r.nselftests, 0);
}

/* --- endurance groups ------------------------------------------------------------------------ */

static void add_group(uint32_t id, unsigned used, unsigned spare, u128 estimate, u128 media)
{
	memset(&t.p, 0, sizeof(t.p));
	put(&t.p, 3, 1, spare);
	put(&t.p, 4, 1, 10);
	put(&t.p, 5, 1, used);
	put(&t.p, 32, 16, estimate);
	put(&t.p, 64, 16, 500);
	put(&t.p, 80, 16, media);
	t.p.len = 512;
	add_page(&t.s, SPACE_NVME_LOG, 9, id, &t.p);
}

static void one_endurance_group_is_the_drive(void **state)
{
	const struct decoded *v;

	(void)state;
	add_group(1, 12, 98, 7000000, 655000);
	decode();
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 655000 * GB);
	check_fact(&t.r, FACT_ENDURANCE_ESTIMATE, 7000000 * GB);
	assert_int_equal(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN)->value.bound, BOUND_AT_MOST);
	check_number(&t.r, "nvme.endurance", "worst_percentage_used", 12000);
	check_number(&t.r, "nvme.endurance", "group_data_written", 500 * GB);
	v = reading_find(&t.r, "nvme.endurance", "group_percentage_used");
	assert_int_equal(v->sub, 1);
}

/* Group 1: 10 of 1000; group 2: 90 of 100 TB. At this rate the drive ends when group 2 does. */
static void the_worst_endurance_group_binds(void **state)
{
	(void)state;
	add_group(1, 1, 100, 1000000, 10000);
	add_group(2, 90, 20, 100000, 90000);
	add_group(3, 5, 60, 500000, 20000);
	decode();
	check_fact(&t.r, FACT_NAND_BYTES_WRITTEN, 120000 * GB);
	/* 120 TB x 100 / 90 */
	check_fact(&t.r, FACT_ENDURANCE_ESTIMATE, INT64_C(133333333333333));
	check_number(&t.r, "nvme.endurance", "worst_percentage_used", 90000);
	check_number(&t.r, "nvme.endurance", "worst_spare", 20000);
	check_number(&t.r, "nvme.endurance", "worst_spare_threshold", 10000);
}

/* Log 02h says 3 % used and spare 100 % of the whole drive. */
static void the_worst_group_is_followed(void **state)
{
	struct drive_rule rule = { 0 };
	struct facts facts;
	i128 v = 0;

	(void)state;
	add_group(1, 1, 100, 1000000, 10000);
	add_group(2, 90, 20, 100000, 90000);
	decode();
	facts_collect(&t.r, &rule, &facts);
	assert_true(facts_number(&facts, FACT_PERCENTAGE_USED, &v) && v == 90000);
	assert_true(facts_number(&facts, FACT_AVAILABLE_SPARE, &v) && v == 20000);
	assert_true(facts_number(&facts, FACT_SPARE_THRESHOLD, &v) && v == 10000);
	reading_release(&t.r);
	t.s.logs[2].data[5] = 95; /* a drive that is worse than its groups is followed itself */
	decode();
	facts_collect(&t.r, &rule, &facts);
	assert_true(facts_number(&facts, FACT_PERCENTAGE_USED, &v) && v == 95000);
}

static void a_group_that_does_not_report_leaves_the_sum_unknown(void **state)
{
	(void)state;
	add_group(1, 1, 100, 0, 10000);
	add_group(2, 255, 100, 0, 0);
	decode();
	check_absent(&t.r, "nvme.endurance", "all_media_written");
	check_absent(&t.r, "nvme.endurance", "binding_estimate");
	check_absent(&t.r, "nvme.endurance", "endurance_estimate");
	assert_int_equal(reading_find(&t.r, "nvme.endurance", "worst_percentage_used")->value.bound,
			 BOUND_AT_LEAST);
}

static void a_short_endurance_log_is_refused(void **state)
{
	(void)state;
	t.p.len = 64;
	add_page(&t.s, SPACE_NVME_LOG, 9, 1, &t.p);
	decode();
	assert_true(has_problem(&t.r, "64 of at least 160 bytes"));
	assert_null(find_fact(&t.r, FACT_NAND_BYTES_WRITTEN));
}

/* --- sanitize and events --------------------------------------------------------------------- */

static void sanitize_status_is_taken_apart(void **state)
{
	(void)state;
	t.p.len = 512;
	put(&t.p, 0, 2, 65535);
	put(&t.p, 2, 2, 0x101);
	put(&t.p, 4, 4, 2);
	put(&t.p, 8, 4, 0xffffffff);
	put(&t.p, 12, 4, 120);
	add_page(&t.s, SPACE_NVME_LOG, 0x81, 0, &t.p);
	decode();
	check_absent(&t.r, "nvme.sanitize", "progress");
	check_number(&t.r, "nvme.sanitize", "state", 1);
	check_number(&t.r, "nvme.sanitize", "passes", 0);
	check_number(&t.r, "nvme.sanitize", "global_data_erased", 1);
	check_number(&t.r, "nvme.sanitize", "action", 2);
	check_absent(&t.r, "nvme.sanitize", "time_overwrite");
	check_number(&t.r, "nvme.sanitize", "time_block_erase", 120);
	reading_release(&t.r);
	t.s.logs[3].data[2] = 0x1a; /* state 2, 3 passes */
	t.s.logs[3].data[3] = 0;
	t.s.logs[3].data[0] = 0;
	t.s.logs[3].data[1] = 0x40;
	decode();
	check_number(&t.r, "nvme.sanitize", "progress", 16384);
	check_number(&t.r, "nvme.sanitize", "state", 2);
	check_number(&t.r, "nvme.sanitize", "passes", 3);
	check_number(&t.r, "nvme.sanitize", "global_data_erased", 0);
}

/* An event at off: header of 24 bytes, n bytes of data. Returns where the next one begins. */
static size_t put_event(size_t off, unsigned type, uint64_t when, const char *data, size_t n)
{
	put(&t.p, off, 1, type);
	put(&t.p, off + 1, 1, 1);
	put(&t.p, off + 2, 1, 21);
	put(&t.p, off + 6, 8, when);
	put(&t.p, off + 22, 2, n);
	put_bytes(&t.p, off + 24, data, n);
	return off + 24 + n;
}

static void start_events(unsigned n)
{
	put(&t.p, 0, 1, 0x0d);
	put(&t.p, 4, 4, n);
	put(&t.p, 18, 2, 492);
	put(&t.p, 28, 16, 8000);
	t.p.len = 512;
}

static void events_are_walked_by_their_lengths(void **state)
{
	const struct decoded *v;
	size_t at;

	(void)state;
	start_events(3);
	at = put_event(512, 2, 1000, "firmware", 8);
	at = put_event(at, 0x0d, 2000, "\x05\x01", 2);
	put_event(at, 7, 3000, "", 0);
	add_page(&t.s, SPACE_NVME_LOG, 0x0d, 0, &t.p);
	decode();
	check_number(&t.r, "nvme.persistent", "pel_power_on_hours", 8000);
	for (size_t i = 0; i < 3; i++) {
		v = reading_find_nth(&t.r, "nvme.event", "event_timestamp", i);
		assert_true(v->value.number == (i128)(i + 1) * 1000);
		assert_int_equal(v->sub, i);
	}
	assert_null(reading_find_nth(&t.r, "nvme.event", "event_timestamp", 3));
	check_number(&t.r, "nvme.event", "event_over_temperature", 5000);
	assert_string_equal(reading_find(&t.r, "nvme.event", "event_data")->value.text,
			    "6669726d77617265");
	assert_false(has_problem(&t.r, "events"));
}

static void events_cut_short_are_told(void **state)
{
	(void)state;
	start_events(3);
	put_event(512, 2, 1000, "firmware", 8);
	t.p.len += 30; /* the second one has a header length of 3 */
	add_page(&t.s, SPACE_NVME_LOG, 0x0d, 0, &t.p);
	decode();
	assert_non_null(reading_find_nth(&t.r, "nvme.event", "event_type", 0));
	assert_null(reading_find_nth(&t.r, "nvme.event", "event_type", 1));
	assert_true(has_problem(&t.r, "1 of 3 events read"));
}

static void sanitize_zeros_against_the_events_are_an_error(void **state)
{
	struct log_page zeros = { .len = 512 };

	(void)state;
	start_events(1);
	put_event(512, 0x0a, 1000, "\1\0\0\0", 4);
	add_page(&t.s, SPACE_NVME_LOG, 0x0d, 0, &t.p);
	add_page(&t.s, SPACE_NVME_LOG, 0x81, 0, &zeros);
	decode();
	assert_true(has_problem(&t.r, "tell of a sanitize operation"));
}

static void sanitize_zeros_alone_are_believed(void **state)
{
	(void)state;
	t.p.len = 512;
	add_page(&t.s, SPACE_NVME_LOG, 0x81, 0, &t.p);
	decode();
	check_number(&t.r, "nvme.sanitize", "state", 0);
	assert_int_equal(t.r.nproblems, 0);
}

static void a_log_that_could_not_be_read_is_a_problem(void **state)
{
	(void)state;
	assert_int_equal(snapshot_add_error(&t.s, SPACE_NVME_LOG, 6, 0, -EIO, "no answer"), 0);
	decode();
	assert_true(has_problem(&t.r, "nvme-log 06h: no answer"));
	assert_int_equal(t.r.problems[0].err, -EIO);
	assert_false(t.r.selftest_log_read);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(idle_ignores_the_completion),
		TEST(a_running_test_has_progress),
		TEST(a_failed_test_tells_segment_and_lba),
		TEST(results_by_their_codes),
		TEST(hours_that_cannot_be_are_marked),
		TEST(zeros_are_no_tests),
		TEST(a_drive_without_the_log_has_not_failed),
		TEST(one_endurance_group_is_the_drive),
		TEST(the_worst_endurance_group_binds),
		TEST(the_worst_group_is_followed),
		TEST(a_group_that_does_not_report_leaves_the_sum_unknown),
		TEST(a_short_endurance_log_is_refused),
		TEST(sanitize_status_is_taken_apart),
		TEST(events_are_walked_by_their_lengths),
		TEST(events_cut_short_are_told),
		TEST(sanitize_zeros_against_the_events_are_an_error),
		TEST(sanitize_zeros_alone_are_believed),
		TEST(a_log_that_could_not_be_read_is_a_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Appending to the history database, and getting the same back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

static struct made_folder folder;
static struct store *s;

static const struct made_drive drive_a = {
	.model = "MODEL A", .serial = "SN0001", .firmware = "1.0", .capacity = 960197124096
};

static int set_up(void **state)
{
	(void)state;
	made_folder_init(&folder);
	s = made_store(folder.db, STORE_WRITE);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	store_close(&s);
	made_folder_release(&folder);
	return 0;
}

/* --- samples --------------------------------------------------------------------------------- */

static void facts_come_back_as_they_were(void **state)
{
	struct made_append *m = made_append_new(&drive_a, T0, 1000, 50);
	struct series series;
	struct sample sample;
	struct frame frame;
	int64_t drive = 0;

	(void)state;
	assert_int_equal(made_append(s, &drive_a, T0, 1000, 50, &drive), APPEND_NEW);
	sample_take(&m->reading, &m->facts, &sample, &frame);
	made_series_of(s, drive, &series);
	assert_int_equal(series.nsamples, 1);
	assert_int_equal(series.samples[0].time, T0);
	assert_int_equal(series.samples[0].has, sample.has);
	assert_memory_equal(series.samples[0].values, sample.values, sizeof(sample.values));
	assert_int_equal(series.samples[0].values[FACT_HOST_BYTES_WRITTEN], 512000000);
	assert_true(frame_equal(series.samples[0].frame, &frame));
	assert_string_equal(series.identity.serial, "SN0001");
	assert_string_equal(series.identity.model, "MODEL A");
	assert_true(series.identity.has_capacity);
	assert_int_equal(series.identity.capacity_bytes, 960197124096);
	series_release(&series);
	made_append_free(m);
}

/* Numbers in no relation to each other, so that frames change and differences are of any size. */
static void any_number_comes_back(void **state)
{
	static const uint64_t units[] = {
		0, 1, 127, 128, 8000000, 3, UINT32_MAX, 1000, 18000000000000, 5
	};
	struct series series;
	int64_t drive = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		made_append(s, &drive_a, T0 + (int64_t)i * HOUR, units[i], i, &drive);
	made_series_of(s, drive, &series);
	assert_int_equal(series.nsamples, ARRAY_SIZE(units));
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		assert_int_equal(series.samples[i].values[FACT_HOST_BYTES_WRITTEN],
				 (int64_t)units[i] * 512000);
		assert_int_equal(series.samples[i].values[FACT_POWER_ON_HOURS], i);
	}
	series_release(&series);
	made_store_check(s);
}

static void a_range_has_both_its_ends(void **state)
{
	struct series series;
	struct diag d = { 0 };
	int64_t drive = 0;

	(void)state;
	for (int i = 0; i < 10; i++)
		made_append(s, &drive_a, T0 + i * HOUR, 10, 10, &drive);
	series_init(&series);
	assert_int_equal(store_series(s, drive, T0 + 2 * HOUR, T0 + 5 * HOUR, &d, &series), 0);
	assert_int_equal(series.nsamples, 4);
	series_release(&series);
}

static void raw_logs_come_back_to_the_byte(void **state)
{
	struct made_append *m;
	struct snapshot back;
	struct diag d = { 0 };
	int64_t drive = 0;

	(void)state;
	for (int i = 0; i < 200; i++)
		made_append(s, &drive_a, T0 + i * HOUR, 1000 + 37 * (uint64_t)i, (uint64_t)i,
			    &drive);
	for (int i = 0; i < 200; i++) {
		struct str want = { 0 }, got = { 0 };

		m = made_append_new(&drive_a, T0 + i * HOUR, 1000 + 37 * (uint64_t)i, (uint64_t)i);
		if (store_snapshot(s, drive, T0 + i * HOUR + 59, &d, &back))
			fail_msg("%s", d.text);
		assert_int_equal(snapshot_write_json(&m->snapshot, &want), 0);
		assert_int_equal(snapshot_write_json(&back, &got), 0);
		assert_string_equal(str_text(&got), str_text(&want));
		snapshot_release(&back);
		made_append_free(m);
		str_release(&want);
		str_release(&got);
	}
	assert_int_equal(store_snapshot(s, drive, T0 - 1, &d, &back), -ENOENT);
}

/* --- the same again -------------------------------------------------------------------------- */

static void the_same_dump_twice_is_one_sample(void **state)
{
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(made_append(s, &drive_a, T0, 1, 1, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &drive_a, T0 + HOUR, 2, 2, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &drive_a, T0, 1, 1, NULL), APPEND_SAME);
	assert_int_equal(made_append(s, &drive_a, T0 + HOUR, 2, 2, NULL), APPEND_SAME);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(drives[0].nsamples, 2);
	free(drives);
}

static void an_undated_dump_copied_later_is_the_same(void **state)
{
	struct made_drive undated = drive_a;

	(void)state;
	undated.undated = true;
	assert_int_equal(made_append(s, &undated, T0, 1, 1, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &undated, T0 + DAY, 1, 1, NULL), APPEND_SAME);
	assert_int_equal(made_append(s, &undated, T0 + DAY, 2, 2, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &undated, T0 - DAY, 1, 1, NULL), APPEND_SAME);
}

static void the_fuller_of_two_readings_stays(void **state)
{
	struct made_drive full = drive_a, poor = drive_a;
	struct series series;
	int64_t drive = 0;

	(void)state;
	full.spare = true;
	assert_int_equal(made_append(s, &poor, T0, 1, 1, &drive), APPEND_NEW);
	assert_int_equal(made_append(s, &full, T0, 1, 1, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &poor, T0, 1, 1, NULL), APPEND_LESS);
	/* over another path a second later, live */
	full.live = poor.live = true;
	full.path = "/dev/nvme0";
	poor.path = "/dev/nvme1";
	assert_int_equal(made_append(s, &poor, T0 + HOUR, 1, 1, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &full, T0 + HOUR + 1, 1, 1, NULL), APPEND_NEW);
	assert_int_equal(made_append(s, &poor, T0 + HOUR + 2, 1, 1, NULL), APPEND_LESS);
	/* over the same path it is a sample of its own */
	assert_int_equal(made_append(s, &full, T0 + HOUR + 5, 1, 1, NULL), APPEND_NEW);
	made_series_of(s, drive, &series);
	assert_int_equal(series.nsamples, 3);
	for (size_t i = 0; i < series.nsamples; i++)
		assert_true(series.samples[i].has & FACT_BIT(FACT_AVAILABLE_SPARE));
	series_release(&series);
	made_store_check(s);
}

/* --- order ----------------------------------------------------------------------------------- */

static void samples_out_of_order_find_their_place(void **state)
{
	static const int order[] = { 5, 1, 3, 0, 9, 2, 8, 4, 7, 6 };
	struct series series;
	int64_t drive = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		made_append(s, &drive_a, T0 + order[i] * HOUR, (uint64_t)order[i], 1, &drive);
	made_series_of(s, drive, &series);
	assert_int_equal(series.nsamples, ARRAY_SIZE(order));
	for (size_t i = 0; i < series.nsamples; i++)
		assert_int_equal(series.samples[i].values[FACT_HOST_BYTES_WRITTEN],
				 (int64_t)i * 512000);
	series_release(&series);
}

static void events_are_found_anew_around_a_sample_between(void **state)
{
	struct made_drive other = drive_a;
	struct series series;
	int64_t drive = 0;

	(void)state;
	other.firmware = "2.0";
	made_append(s, &drive_a, T0, 1, 1, &drive);
	made_append(s, &other, T0 + 10 * HOUR, 9, 9, NULL);
	made_series_of(s, drive, &series);
	assert_int_equal(made_events(&series, EVENT_FIRMWARE_CHANGED), 1);
	assert_int_equal(series.events[0].time, T0 + 10 * HOUR);
	series_release(&series);
	/* it was changed before this one already */
	made_append(s, &other, T0 + 5 * HOUR, 5, 5, NULL);
	made_series_of(s, drive, &series);
	assert_int_equal(made_events(&series, EVENT_FIRMWARE_CHANGED), 1);
	assert_int_equal(series.events[0].time, T0 + 5 * HOUR);
	series_release(&series);
}

static void a_clock_that_went_back_loses_nothing(void **state)
{
	struct made_drive live = drive_a;
	struct series series;
	int64_t drive = 0;

	(void)state;
	live.live = true;
	made_append(s, &live, T0 + 100 * DAY, 1, 1, &drive);
	made_append(s, &live, T0, 2, 2, NULL);
	made_append(s, &live, T0 + HOUR, 3, 3, NULL);
	made_series_of(s, drive, &series);
	assert_int_equal(series.nsamples, 3);
	assert_int_equal(made_events(&series, EVENT_CLOCK_JUMP), 1);
	assert_int_equal(series.events[0].time, T0);
	series_release(&series);
}

/* --- transactions ---------------------------------------------------------------------------- */

static void all_of_a_transaction_or_nothing(void **state)
{
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(store_begin(s, &d), 0);
	made_append(s, &drive_a, T0, 1, 1, NULL);
	store_rollback(s);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_int_equal(n, 0);
	free(drives);
	assert_int_equal(store_begin(s, &d), 0);
	made_append(s, &drive_a, T0, 1, 1, NULL);
	made_append(s, &drive_a, T0 + HOUR, 1, 1, NULL);
	assert_int_equal(store_commit(s, &d), 0);
	store_close(&s);
	s = made_store(folder.db, STORE_READ);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(drives[0].nsamples, 2);
	assert_int_equal(drives[0].first_time, T0);
	assert_int_equal(drives[0].last_time, T0 + HOUR);
	assert_int_equal(drives[0].last_seen_here, TIME_UNKNOWN);
	free(drives);
}

/* What another process appends in between is not overwritten by what this one remembers. */
static void two_writers_take_turns(void **state)
{
	struct store *other = made_store(folder.db, STORE_WRITE);
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	(void)state;
	for (int i = 0; i < 50; i++)
		made_append(i % 2 ? s : other, &drive_a, T0 + i * HOUR, (uint64_t)i, 1, NULL);
	store_close(&other);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(drives[0].nsamples, 50);
	free(drives);
	made_store_check(s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(facts_come_back_as_they_were),
		TEST(any_number_comes_back),
		TEST(a_range_has_both_its_ends),
		TEST(raw_logs_come_back_to_the_byte),
		TEST(the_same_dump_twice_is_one_sample),
		TEST(an_undated_dump_copied_later_is_the_same),
		TEST(the_fuller_of_two_readings_stays),
		TEST(samples_out_of_order_find_their_place),
		TEST(events_are_found_anew_around_a_sample_between),
		TEST(a_clock_that_went_back_loses_nothing),
		TEST(all_of_a_transaction_or_nothing),
		TEST(two_writers_take_turns),
	};
#undef TEST

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}

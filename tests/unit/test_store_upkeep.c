/* SPDX-License-Identifier: MIT */
/* Thinning out, decoding anew, copies, checks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

static struct made_folder folder;
static struct store *s;

static const struct made_drive drive_a = { .model = "MODEL A",
					   .serial = "SN0001",
					   .firmware = "1" };
static const struct made_drive drive_b = { .model = "MODEL B",
					   .serial = "SN0002",
					   .firmware = "1" };

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

/* Hourly samples of n hours from T0 on. */
static int64_t add_hours(const struct made_drive *drive, int n)
{
	struct diag d = { 0 };
	int64_t id = 0;

	assert_int_equal(store_begin(s, &d), 0);
	for (int i = 0; i < n; i++)
		made_append(s, drive, T0 + i * HOUR, 1000 + 31 * (uint64_t)i, (uint64_t)i, &id);
	assert_int_equal(store_commit(s, &d), 0);
	return id;
}

/* Each sample that is still there has its raw logs, to the byte. */
static void check_snapshots(const struct made_drive *drive, int64_t id)
{
	struct series series;

	made_series_of(s, id, &series);
	for (size_t i = 0; i < series.nsamples; i++) {
		int64_t time = series.samples[i].time;
		uint64_t hour = (uint64_t)((time - T0) / HOUR);
		struct made_append *m = made_append_new(drive, time, 1000 + 31 * hour, hour);
		struct str want = { 0 }, got = { 0 };
		struct snapshot back;
		struct diag d = { 0 };

		if (store_snapshot(s, id, time, &d, &back))
			fail_msg("%s", d.text);
		assert_int_equal(snapshot_write_json(&m->snapshot, &want), 0);
		assert_int_equal(snapshot_write_json(&back, &got), 0);
		assert_string_equal(str_text(&got), str_text(&want));
		snapshot_release(&back);
		made_append_free(m);
		str_release(&want);
		str_release(&got);
	}
	series_release(&series);
}

/* --- prune ----------------------------------------------------------------------------------- */

static uint64_t prune(unsigned full_days, unsigned daily_days, int64_t now, bool dry_run)
{
	const struct retention r = { .full_days = full_days, .daily_days = daily_days };
	uint64_t samples = 0, bytes = 0;
	struct diag d = { 0 };

	if (store_prune(s, &r, now, dry_run, &d, &samples, &bytes))
		fail_msg("%s", d.text);
	assert_int_equal(samples > 0, bytes > 0);
	return samples;
}

static void the_last_sample_of_a_day_stays(void **state)
{
	int64_t id = add_hours(&drive_a, 10 * 24), now = T0 + 10 * DAY;
	struct series series;

	(void)state;
	/* 7 days thinned out: 7 x 23 go, but for the very first */
	assert_int_equal(prune(3, 0, now, true), 7 * 23 - 1);
	assert_int_equal(prune(3, 0, now, false), 7 * 23 - 1);
	assert_int_equal(prune(3, 0, now, true), 0);
	made_series_of(s, id, &series);
	assert_int_equal(series.nsamples, 1 + 7 + 3 * 24);
	assert_int_equal(series.samples[0].time, T0);
	for (int day = 0; day < 7; day++)
		assert_int_equal(series.samples[1 + day].time, T0 + day * DAY + 23 * HOUR);
	series_release(&series);
	check_snapshots(&drive_a, id);
	made_store_check(s);
}

static void nothing_goes_without_limits(void **state)
{
	(void)state;
	add_hours(&drive_a, 48);
	assert_int_equal(prune(0, 0, T0 + 1000 * DAY, false), 0);
	assert_int_equal(prune(90, 0, T0 + 10 * DAY, false), 0);
}

static void daily_samples_go_after_their_time(void **state)
{
	int64_t id = add_hours(&drive_a, 20 * 24);
	struct series series;

	(void)state;
	prune(2, 8, T0 + 20 * DAY, false);
	made_series_of(s, id, &series);
	/* the first, 8 days' last ones, 2 whole days */
	assert_int_equal(series.nsamples, 1 + 8 + 2 * 24);
	assert_int_equal(series.samples[1].time, T0 + 10 * DAY + 23 * HOUR);
	series_release(&series);
	made_store_check(s);
}

static void samples_beside_an_event_stay(void **state)
{
	struct event event = { .time = T0 + 3 * DAY + 90 * 60,
			       .kind = EVENT_TRIM,
			       .text = "trimmed" };
	struct made_drive updated = drive_a;
	struct series series;
	struct diag d = { 0 };
	int64_t id = 0;
	int found = 0;

	(void)state;
	updated.firmware = "2";
	for (int i = 0; i < 96; i++)
		made_append(s, i < 30 ? &drive_a : &updated, T0 + i * HOUR, (uint64_t)i, 1, &id);
	assert_int_equal(store_add_event(s, id, &event, &d), 0);
	prune(1, 0, T0 + 100 * DAY, false);
	made_series_of(s, id, &series);
	for (size_t i = 0; i < series.nsamples; i++) {
		int64_t hour = (series.samples[i].time - T0) / HOUR;

		found += hour == 29 || hour == 30 || hour == 73 || hour == 74;
	}
	assert_int_equal(found, 4);
	assert_int_equal(series.nsamples, 1 + 4 + 4);
	assert_int_equal(made_events(&series, EVENT_FIRMWARE_CHANGED), 1);
	assert_int_equal(made_events(&series, EVENT_TRIM), 1);
	series_release(&series);
	made_store_check(s);
}

static void space_is_given_back(void **state)
{
	struct stat before, after;

	(void)state;
	add_hours(&drive_a, 200 * 24);
	store_close(&s);
	assert_int_equal(stat(folder.db, &before), 0);
	s = made_store(folder.db, STORE_WRITE);
	prune(10, 0, T0 + 200 * DAY, false);
	assert_int_equal(stat(folder.db, &after), 0);
	assert_true(after.st_size * 3 < before.st_size);
}

static void after_pruning_one_appends_on(void **state)
{
	int64_t id = add_hours(&drive_a, 24 * 10);

	(void)state;
	prune(1, 0, T0 + 100 * DAY, false);
	for (int i = 240; i < 300; i++)
		made_append(s, &drive_a, T0 + i * HOUR, 1000 + 31 * (uint64_t)i, (uint64_t)i, NULL);
	check_snapshots(&drive_a, id);
	made_store_check(s);
}

/* --- redecode -------------------------------------------------------------------------------- */

/* How the rules read the logs, and a change of them. */
struct rules_now {
	int64_t add_hours; /* to what the drive tells of its power-on hours */
	int fail_after;	   /* samples; negative: never */
};

static int decode(void *arg, const struct snapshot *snapshot, struct redecoded *ret)
{
	struct rules_now *now = arg;
	int err;

	if (now->fail_after == 0)
		return -ECANCELED;
	now->fail_after--;
	err = reading_decode(snapshot, NULL, NULL, &ret->reading);
	if (err)
		return err;
	memset(&ret->rule, 0, sizeof(ret->rule));
	facts_collect(&ret->reading, &ret->rule, &ret->facts);
	if (now->add_hours)
		ret->facts.sets[FACT_POWER_ON_HOURS].candidates[0].value += now->add_hours;
	return 0;
}

static uint64_t redecode(struct rules_now now, uint64_t want_samples)
{
	uint64_t samples = 0, changed = 0;
	struct diag d = { 0 };

	if (store_redecode(s, decode, &now, NULL, NULL, &d, &samples, &changed))
		fail_msg("%s", d.text);
	assert_int_equal(samples, want_samples);
	return changed;
}

static void the_same_rules_change_nothing(void **state)
{
	size_t len = 0, len_after = 0;
	char *before, *after;

	(void)state;
	add_hours(&drive_a, 100);
	add_hours(&drive_b, 50);
	store_close(&s);
	before = made_file_read(folder.db, &len);
	s = made_store(folder.db, STORE_WRITE);
	assert_int_equal(redecode((struct rules_now){ 0, -1 }, 150), 0);
	store_close(&s);
	after = made_file_read(folder.db, &len_after);
	assert_int_equal(len, len_after);
	/* but for the counter of changes and the like in the header */
	assert_memory_equal(before + 100, after + 100, len - 100);
	free(before);
	free(after);
}

static void better_rules_change_facts_and_not_logs(void **state)
{
	int64_t id = add_hours(&drive_a, 100);
	struct series series;

	(void)state;
	assert_int_equal(redecode((struct rules_now){ 1000, -1 }, 100), 100);
	made_series_of(s, id, &series);
	for (size_t i = 0; i < series.nsamples; i++)
		assert_int_equal(series.samples[i].values[FACT_POWER_ON_HOURS], 1000 + (int64_t)i);
	series_release(&series);
	check_snapshots(&drive_a, id);
	made_store_check(s);
	/* and back */
	assert_int_equal(redecode((struct rules_now){ 0, -1 }, 100), 100);
	assert_int_equal(redecode((struct rules_now){ 0, -1 }, 100), 0);
	for (int i = 100; i < 110; i++)
		assert_int_equal(made_append(s, &drive_a, T0 + i * HOUR, 1000 + 31 * (uint64_t)i,
					     (uint64_t)i, NULL),
				 APPEND_NEW);
	made_store_check(s);
}

static void one_that_fails_undoes_all(void **state)
{
	struct rules_now now = { 1000, 50 };
	uint64_t samples, changed;
	struct diag d = { 0 };

	(void)state;
	add_hours(&drive_a, 100);
	assert_int_equal(store_redecode(s, decode, &now, NULL, NULL, &d, &samples, &changed),
			 -ECANCELED);
	assert_int_equal(redecode((struct rules_now){ 0, -1 }, 100), 0);
}

/* --- copies ---------------------------------------------------------------------------------- */

static void write_meanwhile(void *arg, uint64_t done, uint64_t total)
{
	struct made_drive drive = drive_b;
	int64_t *time = arg;
	struct store *other;

	/* another process writes meanwhile, more than fits in one step */
	assert_true(done <= total);
	other = made_store(folder.db, STORE_WRITE);
	made_append(other, &drive, *time += HOUR, 1, 1, NULL);
	store_close(&other);
}

static void a_copy_is_whole_and_replaces_nothing(void **state)
{
	char path[128], part[160];
	struct series series;
	struct diag d = { 0 };
	int64_t time = T0, id = add_hours(&drive_a, 24 * 50);

	(void)state;
	snprintf(path, sizeof(path), "%s/copy.db", folder.path);
	snprintf(part, sizeof(part), "%s.part", path);
	if (store_backup(s, path, write_meanwhile, &time, &d))
		fail_msg("%s", d.text);
	assert_true(time > T0);
	assert_int_not_equal(access(part, F_OK), 0);
	assert_int_equal(store_backup(s, path, NULL, NULL, &d), -EEXIST);
	store_close(&s);
	s = made_store(path, STORE_WRITE);
	made_series_of(s, id, &series);
	assert_int_equal(series.nsamples, 24 * 50);
	series_release(&series);
	check_snapshots(&drive_a, id);
	made_store_check(s);
	made_append(s, &drive_a, T0 + 1000 * DAY, 1, 1, NULL);
}

static void a_copy_to_nowhere_leaves_nothing(void **state)
{
	char path[128];
	struct diag d = { 0 };

	(void)state;
	add_hours(&drive_a, 10);
	snprintf(path, sizeof(path), "%s/nowhere/copy.db", folder.path);
	assert_int_equal(store_backup(s, path, NULL, NULL, &d), -ENOENT);
	assert_true(d.text[0]);
	assert_int_not_equal(access(path, F_OK), 0);
}

static void a_corrupt_database_is_not_copied(void **state)
{
	char rubbish[4096], copy[128];
	struct diag d = { 0 };
	FILE *f;

	(void)state;
	add_hours(&drive_a, 2000);
	store_close(&s);
	memset(rubbish, 0xa5, sizeof(rubbish));
	f = fopen(folder.db, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, -2 * (long)sizeof(rubbish), SEEK_END), 0);
	assert_int_equal(fwrite(rubbish, 1, sizeof(rubbish), f), sizeof(rubbish));
	assert_int_equal(fclose(f), 0);
	s = made_store(folder.db, STORE_READ);
	snprintf(copy, sizeof(copy), "%s/copy.db", folder.path);
	assert_int_equal(store_backup(s, copy, NULL, NULL, &d), -EUCLEAN);
	assert_non_null(strstr(d.text, "corrupt"));
	assert_int_equal(access(copy, F_OK), -1);
	snprintf(copy, sizeof(copy), "%s/copy.db.part", folder.path);
	assert_int_equal(access(copy, F_OK), -1);
}

/* --- checks ---------------------------------------------------------------------------------- */

static void a_database_that_contradicts_itself_is_found_out(void **state)
{
	static const struct {
		const char *sql, *says;
	} faults[] = {
		{ "UPDATE drive SET samples = 7", "number of samples" },
		{ "UPDATE sample SET raw_number = 77 WHERE time = 1767225600", "raw logs" },
		{ "PRAGMA foreign_keys = OFF; UPDATE sample SET frame = 77 WHERE time = 1767225600",
		  "refers" },
	};
	struct diag d = { 0 };
	sqlite3 *db;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		add_hours(&drive_a, 10);
		made_store_check(s);
		assert_int_equal(sqlite3_open(folder.db, &db), SQLITE_OK);
		assert_int_equal(sqlite3_exec(db, faults[i].sql, NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		diag_clear(&d);
		assert_int_equal(store_check(s, &d), -EUCLEAN);
		if (!strstr(d.text, faults[i].says))
			fail_msg("%s", d.text);
		store_close(&s);
		made_folder_release(&folder);
		set_up(NULL);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_last_sample_of_a_day_stays),
		TEST(nothing_goes_without_limits),
		TEST(daily_samples_go_after_their_time),
		TEST(samples_beside_an_event_stay),
		TEST(space_is_given_back),
		TEST(after_pruning_one_appends_on),
		TEST(the_same_rules_change_nothing),
		TEST(better_rules_change_facts_and_not_logs),
		TEST(one_that_fails_undoes_all),
		TEST(a_copy_is_whole_and_replaces_nothing),
		TEST(a_copy_to_nowhere_leaves_nothing),
		TEST(a_corrupt_database_is_not_copied),
		TEST(a_database_that_contradicts_itself_is_found_out),
	};
#undef TEST

	return cmocka_run_group_tests_name("store: upkeep", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* What `record` does with drives that were just read: asleep ones, old samples, a corrupt file. */
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
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "cli/recording.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

static struct made_folder folder;
static struct context ctx;
static struct drives d;
static char config[128];

static const struct made_drive one = {
	.model = "MODEL A", .serial = "SN0001", .path = "/dev/nvme0", .live = true
};
static const struct made_drive two = {
	.model = "MODEL A", .serial = "SN0002", .path = "/dev/nvme1", .live = true
};

static int set_up(void **state)
{
	(void)state;
	made_folder_init(&folder);
	snprintf(config, sizeof(config), "%s/nandlife.conf", folder.path);
	made_file_write(config, "", 0);
	context_init(&ctx);
	ctx.now = T0 + 10 * DAY + HOUR;
	ctx.options.db = folder.db;
	ctx.options.drive_db = "db";
	ctx.options.config = config;
	ctx.options.quiet = true;
	d = (struct drives){ .discovered = true };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drives_release(&d);
	context_release(&ctx);
	made_folder_release(&folder);
	return 0;
}

static void check(int err)
{
	if (err)
		fail_msg("%d: %s", err, ctx.diag.text);
}

/* A drive as the machine has it now. */
static struct snapshot *add(const struct made_drive *drive, uint64_t units)
{
	struct made_append *m = made_append_new(drive, ctx.now, units, 1000);
	struct drive *ret;

	check(drives_add(&d, &m->snapshot, &ret));
	snapshot_init(&m->snapshot);
	made_append_free(m);
	return &ret->snapshot;
}

/* A sample an hour, from hour `from` to before hour `to`. */
static void hours_of(const struct made_drive *drive, int64_t from, int64_t to)
{
	struct store *s = made_store(folder.db, STORE_WRITE);

	check(store_begin(s, &ctx.diag));
	for (int64_t i = from; i < to; i++)
		made_append(s, drive, T0 + i * HOUR, 1000 + (uint64_t)i, (uint64_t)i, NULL);
	check(store_commit(s, &ctx.diag));
	store_close(&s);
}

static uint64_t samples_of(const char *db, const struct made_drive *drive)
{
	struct store *s = made_store(db, STORE_READ);
	struct stored_drive *found = NULL;
	struct diag why = { 0 };
	uint64_t n = 0;
	size_t count = 0;

	if (store_find(s, drive->serial, &why, &found, &count) == 0)
		n = found[0].nsamples;
	free(found);
	store_close(&s);
	return n;
}

/* --- drives ---------------------------------------------------------------------------------- */

static void drives_are_recorded(void **state)
{
	struct recording rec;

	(void)state;
	add(&one, 5);
	add(&two, 6);
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	assert_int_equal(rec.n, 2);
	assert_int_equal(rec.counts[RECORD_NEW], 2);
	assert_string_equal(rec.recorded[1].identity.serial, "SN0002");
	assert_string_equal(rec.recorded[1].identity.path, "/dev/nvme1");
	assert_string_equal(rec.moved, "");
	recording_release(&rec);
	assert_int_equal(samples_of(folder.db, &one), 1);
	assert_int_equal(samples_of(folder.db, &two), 1);
}

/* What an earlier read told of it is no sample of now. */
static void a_drive_in_standby_is_left_out(void **state)
{
	struct recording rec;

	(void)state;
	hours_of(&one, 0, 3);
	add(&one, 5000)->state = DRIVE_STANDBY;
	add(&two, 6);
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	assert_int_equal(rec.counts[RECORD_STANDBY], 1);
	assert_int_equal(rec.counts[RECORD_NEW], 1);
	assert_int_equal(rec.recorded[0].result, RECORD_STANDBY);
	assert_string_equal(rec.recorded[0].why.text, "");
	assert_false(rec.no_access);
	recording_release(&rec);
	assert_int_equal(samples_of(folder.db, &one), 3);
	assert_int_equal(samples_of(folder.db, &two), 1);
}

/* Asleep from the start: nobody knows who it is, so it gets no row of its own. */
static void one_in_standby_without_a_name_is_no_drive(void **state)
{
	struct stored_drive *known = NULL;
	struct recording rec;
	struct snapshot s;
	struct drive *ret;
	size_t n = 1;

	(void)state;
	snapshot_init(&s);
	s.state = DRIVE_STANDBY;
	s.time = ctx.now;
	text_copy(s.path, sizeof(s.path), "/dev/sdz");
	check(drives_add(&d, &s, &ret));
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	assert_int_equal(rec.counts[RECORD_STANDBY], 1);
	assert_string_equal(rec.recorded[0].identity.path, "/dev/sdz");
	assert_string_equal(rec.recorded[0].identity.serial, "");
	check(store_drives(rec.store, &ctx.diag, &known, &n));
	assert_int_equal(n, 0);
	free(known);
	recording_release(&rec);
}

static void one_that_gives_nothing_keeps_no_other_back(void **state)
{
	struct recording rec;

	(void)state;
	add(&one, 5)->state = DRIVE_NO_ACCESS;
	add(&two, 6);
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	assert_int_equal(rec.recorded[0].result, RECORD_NO_DATA);
	assert_true(rec.recorded[0].why.text[0]);
	assert_true(rec.no_access);
	assert_int_equal(rec.counts[RECORD_NEW], 1);
	recording_release(&rec);
	assert_int_equal(samples_of(folder.db, &one), 0);
	assert_int_equal(samples_of(folder.db, &two), 1);
}

/* Read over a second path a few seconds later. */
static void two_paths_are_one_sample(void **state)
{
	struct made_drive path = one;
	struct recording rec;

	(void)state;
	path.path = "/dev/nvme7";
	add(&one, 5);
	add(&path, 5);
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	assert_int_equal(rec.counts[RECORD_NEW], 1);
	assert_int_equal(rec.counts[RECORD_SAME], 1);
	recording_release(&rec);
	assert_int_equal(samples_of(folder.db, &one), 1);
}

/* --- retention ------------------------------------------------------------------------------- */

static uint64_t pruned_now(uint64_t units)
{
	struct recording rec;
	uint64_t pruned;

	add(&one, units);
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	pruned = rec.pruned;
	recording_release(&rec);
	drives_release(&d);
	d = (struct drives){ .discovered = true };
	return pruned;
}

/* Ten days of hours, of which the last three stay whole: 7 x 23 go, but for the very first. */
static void the_first_of_a_day_thins_out(void **state)
{
	static const char limits[] = "[history]\nfull-days = 3\n";

	(void)state;
	made_file_write(config, limits, strlen(limits));
	ctx.now = T0 + 10 * DAY;
	hours_of(&one, 0, 10 * 24);
	assert_int_equal(pruned_now(5000), 7 * 23 - 1);
	assert_int_equal(samples_of(folder.db, &one), 10 * 24 + 1 - (7 * 23 - 1));
	/* the same day again, then the next one: a day more is older than three */
	ctx.now += HOUR;
	assert_int_equal(pruned_now(5001), 0);
	ctx.now += 23 * HOUR;
	assert_int_equal(pruned_now(5002), 23);
}

static void nothing_goes_before_its_time(void **state)
{
	(void)state;
	hours_of(&one, 0, 10 * 24);
	assert_int_equal(pruned_now(5000), 0); /* 90 days unless it is said otherwise */
	ctx.now = T0 + 101 * DAY - HOUR;
	assert_int_equal(pruned_now(5001), 10 * 23 - 1);
}

/* The clock of the machine was ahead once: that sample does not keep today from being thinned. */
static void a_sample_of_the_future_is_not_today(void **state)
{
	static const char limits[] = "[history]\nfull-days = 3\n";

	(void)state;
	made_file_write(config, limits, strlen(limits));
	ctx.now = T0 + 10 * DAY;
	hours_of(&one, 0, 10 * 24);
	hours_of(&two, 400 * 24, 400 * 24 + 1);
	assert_int_equal(pruned_now(5000), 7 * 23 - 1);
}

/* --- corrupt --------------------------------------------------------------------------------- */

#define LOG_BYTES ((size_t)1 << 20)
#define LOGS	  40
#define PAGE	  4096

/* A history of more than 32 MB: each sample has a log of a megabyte that nothing makes smaller. */
static void make_large(const struct made_drive *drive, int64_t last)
{
	static uint64_t log[LOG_BYTES / sizeof(uint64_t)];
	struct store *s = made_store(folder.db, STORE_WRITE);
	struct rng rng;
	struct stat st;

	rng_seed(&rng, 1, 0);
	for (int64_t i = 0; i < LOGS; i++) {
		struct made_append *m = made_append_new(drive, last - (LOGS - i) * HOUR,
							1000 + (uint64_t)i, 1);
		struct bytes bytes = { .data = (const uint8_t *)log, .len = sizeof(log) };
		enum append_result result;

		for (size_t k = 0; k < ARRAY_SIZE(log); k++)
			log[k] = rng_next(&rng);
		check(snapshot_add(&m->snapshot, SPACE_NVME_LOG, 0xca, 0, bytes));
		check(store_append(s, &m->append, &ctx.diag, &result, NULL));
		made_append_free(m);
	}
	store_close(&s);
	assert_int_equal(stat(folder.db, &st), 0);
	assert_true(st.st_size > 33 << 20);
}

/* Overwrite so many pages, from the middle of the file on. */
static void damage_middle(int pages)
{
	char rubbish[PAGE];
	struct stat st;
	FILE *f;

	memset(rubbish, 0xa5, sizeof(rubbish));
	assert_int_equal(stat(folder.db, &st), 0);
	f = fopen(folder.db, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, (long)(st.st_size / PAGE / 2 * PAGE), SEEK_SET), 0);
	for (int i = 0; i < pages; i++)
		assert_int_equal(fwrite(rubbish, 1, PAGE, f), PAGE);
	assert_int_equal(fclose(f), 0);
}

/* The samples that were read go into a new database; the old one is whole beside it. */
static void expect_new(const char *moved, uint64_t old_bytes)
{
	struct stat st;

	assert_true(strncmp(moved, folder.db, strlen(folder.db)) == 0);
	assert_int_equal(stat(moved, &st), 0);
	assert_true((uint64_t)st.st_size >= old_bytes);
	assert_int_equal(samples_of(folder.db, &one), 1);
	assert_int_equal(samples_of(folder.db, &two), 1);
}

static void record_both(struct recording *rec)
{
	add(&one, 5000);
	add(&two, 6);
	check(recording_open(&ctx, rec));
	assert_string_equal(rec->moved, ""); /* too large to be read whole each time */
	check(recording_add(rec, &d));
	assert_int_equal(rec->counts[RECORD_NEW], 2);
	assert_int_equal(rec->n, 2);
	assert_non_null(rec->store);
	recording_release(rec);
}

/* What an append needs is gone: found out when it is written to, by the second drive only. */
static void corruption_is_found_by_an_append(void **state)
{
	struct recording rec;
	struct store *s;

	(void)state;
	make_large(&two, ctx.now);
	hours_of(&one, 10 * 24, 10 * 24 + 1);
	damage_middle((int)(LOGS * LOG_BYTES / PAGE * 45 / 100));
	s = made_store(folder.db, STORE_READ);
	assert_int_equal(store_quick_check(s, &ctx.diag), -EUCLEAN);
	assert_int_equal(exit_code_of(-EUCLEAN), EX_DATAERR);
	diag_clear(&ctx.diag);
	store_close(&s);
	record_both(&rec);
	expect_new(rec.moved, 33 << 20);
}

/* One page that no append needs is found out by the first recording of a day. */
static void a_page_in_the_middle_is_found_the_next_day(void **state)
{
	struct recording rec;

	(void)state;
	make_large(&two, ctx.now);
	damage_middle(1);
	add(&one, 4999);
	check(recording_open(&ctx, &rec));
	check(recording_add(&rec, &d));
	assert_string_equal(rec.moved, "");
	assert_int_equal(rec.counts[RECORD_NEW], 1);
	recording_release(&rec);
	assert_int_equal(samples_of(folder.db, &two), LOGS);
	drives_release(&d);
	d = (struct drives){ .discovered = true };
	ctx.now += DAY;
	record_both(&rec);
	expect_new(rec.moved, 33 << 20);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(drives_are_recorded),
		TEST(a_drive_in_standby_is_left_out),
		TEST(one_in_standby_without_a_name_is_no_drive),
		TEST(one_that_gives_nothing_keeps_no_other_back),
		TEST(two_paths_are_one_sample),
		TEST(the_first_of_a_day_thins_out),
		TEST(nothing_goes_before_its_time),
		TEST(a_sample_of_the_future_is_not_today),
		TEST(corruption_is_found_by_an_append),
		TEST(a_page_in_the_middle_is_found_the_next_day),
	};
#undef TEST

	return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}

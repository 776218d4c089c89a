/* SPDX-License-Identifier: MIT */
/* What the history says of drives that are here, gone, asleep, dead, or another machine's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/drive_history.h"
#include "lib/made_history.h"
#include "lib/made_series.h"

static struct made_folder folder;
static struct context ctx;
static struct drives d;

/* They sit at these places and were read there. */
static const struct made_drive one = { .model = "MODEL A",
				       .serial = "SN0001",
				       .path = "/dev/nvme0",
				       .capacity = 960197124096,
				       .live = true };
static const struct made_drive two = { .model = "MODEL A",
				       .serial = "SN0002",
				       .path = "/dev/nvme1",
				       .capacity = 960197124096,
				       .live = true };

static int set_up(void **state)
{
	(void)state;
	made_folder_init(&folder);
	context_init(&ctx);
	ctx.now = T0 + 10 * DAY;
	ctx.options.db = folder.db;
	ctx.options.drive_db = "db";
	d = (struct drives){ .with_history = true, .with_absent = true };
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

/* A sample a day from `from` to before `to`. */
static void samples_of(const struct made_drive *drive, int64_t from, int64_t to)
{
	struct store *s = made_store(folder.db, STORE_WRITE);
	int64_t id;

	for (int64_t day = from; day < to; day++)
		made_append(s, drive, T0 + day * DAY, 1000000 + (uint64_t)day * 10000,
			    1000 + (uint64_t)day * 24, &id);
	store_close(&s);
}

static void check(int err)
{
	if (err)
		fail_msg("%d: %s", err, ctx.diag.text);
}

/* A drive that is here and was just read. */
static void add_live(const struct made_drive *drive)
{
	struct made_append *m = made_append_new(drive, ctx.now, 1200000, 1240);
	struct drive *ret;

	check(drives_add(&d, &m->snapshot, &ret));
	snapshot_init(&m->snapshot);
	made_append_free(m);
}

/* As drives_load after the drives of the machine were read. */
static void judge(void)
{
	d.discovered = true;
	check(context_rules(&ctx));
	check(drives_judge(&ctx, &d));
}

static const struct drive_report *report_of(const char *serial)
{
	for (size_t i = 0; i < d.n; i++)
		if (strcmp(d.reports[i].reading->identity.serial, serial) == 0)
			return &d.reports[i];
	return NULL;
}

static void test_the_past_is_joined(void **state)
{
	const struct drive_report *r;

	(void)state;
	samples_of(&one, 0, 10);
	add_live(&one);
	judge();
	assert_int_equal(d.n, 1);
	r = report_of("SN0001");
	assert_false(r->from_history);
	assert_int_equal(r->history.nsamples, 11);
	assert_int_equal(r->history.last, ctx.now);
	assert_true(r->assessment->forecast.has_writes_all);
}

/* The reading restarted its counter: what the history knows is added. */
static void test_counters_go_on(void **state)
{
	struct made_append *m = made_append_new(&one, T0 + 10 * DAY, 500, 1240);
	struct drive *drive;
	i128 bytes;

	(void)state;
	samples_of(&one, 0, 10);
	check(drives_add(&d, &m->snapshot, &drive));
	snapshot_init(&m->snapshot);
	made_append_free(m);
	judge();
	assert_true(facts_number(&report_of("SN0001")->assessment->facts, FACT_HOST_BYTES_WRITTEN,
				 &bytes));
	assert_true(bytes == (i128)(1090000 + 500) * 512000);
}

static void test_vanished_lately(void **state)
{
	const struct drive_report *r;

	(void)state;
	samples_of(&one, 0, 10);
	samples_of(&two, 0, 9);
	add_live(&one);
	judge();
	assert_int_equal(d.n, 2);
	r = report_of("SN0002");
	assert_int_equal(r->reading->state, DRIVE_ABSENT);
	assert_int_equal(r->assessment->verdict, SEVERITY_UNKNOWN);
	assert_string_equal(r->assessment->reason,
			    "the drive is not there now; last seen at /dev/nvme1 on "
			    "2026-01-09T00:00:00Z");
	/* no value of before, and not its node: it may be another's now */
	assert_null(facts_get(&r->assessment->facts, FACT_HOST_BYTES_WRITTEN));
	assert_string_equal(r->reading->identity.path, "");
}

/* A USB drive that was pulled out is not missed. */
static void test_pulled_out(void **state)
{
	struct made_drive usb = two;

	(void)state;
	usb.location = "USB port 2-1";
	samples_of(&one, 0, 10);
	samples_of(&usb, 0, 9);
	add_live(&one);
	judge();
	assert_int_equal(d.n, 1);
	assert_int_equal(d.nretired, 0);
}

static void test_taken_out_long_ago(void **state)
{
	(void)state;
	ctx.now = T0 + 60 * DAY;
	samples_of(&one, 0, 10);
	samples_of(&two, 0, 9);
	add_live(&one);
	judge();
	assert_int_equal(d.n, 1);
	assert_int_equal(d.nretired, 1);
}

/* The list of a named database shows it, as last seen. */
static void test_retired_in_the_list(void **state)
{
	const struct drive_report *r;

	(void)state;
	ctx.now = T0 + 60 * DAY;
	d.with_retired = true;
	samples_of(&one, 0, 10);
	samples_of(&two, 0, 9);
	add_live(&one);
	judge();
	assert_int_equal(d.n, 2);
	assert_int_equal(d.nretired, 0);
	r = report_of("SN0002");
	assert_true(r->from_history && r->is_gone);
	assert_non_null(facts_get(&r->assessment->facts, FACT_HOST_BYTES_WRITTEN));
}

/* None of its drives is here: its records are all there is. */
static void test_another_machines_database(void **state)
{
	(void)state;
	samples_of(&one, 0, 10);
	samples_of(&two, 0, 9);
	judge();
	assert_int_equal(d.n, 2);
	assert_true(report_of("SN0001")->from_history);
	assert_true(report_of("SN0002")->from_history);
	assert_int_equal(report_of("SN0001")->history.nsamples, 10);
}

static void snapshot_at(struct snapshot *s, const char *path, enum drive_state state)
{
	snapshot_init(s);
	text_copy(s->path, sizeof(s->path), path);
	s->state = state;
}

static void test_what_may_not_be_opened(void **state)
{
	const struct drive_report *r;
	struct snapshot s;
	bool replaced;

	(void)state;
	samples_of(&one, 0, 10);
	snapshot_at(&s, "/dev/nvme0", DRIVE_NO_ACCESS);
	check(history_replace(&ctx, &d, &s, &replaced));
	assert_true(replaced);
	judge();
	r = report_of("SN0001");
	assert_true(r->from_history && !r->is_gone);
	assert_string_equal(r->reading->identity.path, "/dev/nvme0");
	assert_int_equal(r->reading->time, T0 + 9 * DAY);
	assert_int_equal(r->reading->state, DRIVE_READ);
}

/* It is there and does not answer: what it said before is not what it is. */
static void test_the_dead_have_no_last_word(void **state)
{
	static const enum drive_state states[] = { DRIVE_HUNG, DRIVE_UNREADABLE, DRIVE_NO_SMART };

	(void)state;
	samples_of(&one, 0, 10);
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		struct snapshot s;
		bool replaced;

		snapshot_at(&s, "/dev/nvme0", states[i]);
		check(history_replace(&ctx, &d, &s, &replaced));
		assert_false(replaced);
		snapshot_release(&s);
	}
	assert_int_equal(d.n, 0);
}

/* Another drive was seen at that node later. */
static void test_the_node_is_anothers(void **state)
{
	struct made_drive moved = two;
	struct snapshot s;
	bool replaced;

	(void)state;
	samples_of(&one, 0, 5);
	moved.path = one.path;
	samples_of(&moved, 5, 10);
	snapshot_at(&s, "/dev/nvme0", DRIVE_NO_ACCESS);
	check(history_replace(&ctx, &d, &s, &replaced));
	assert_true(replaced);
	judge();
	assert_non_null(report_of("SN0002"));
	assert_true(report_of("SN0001") == NULL || report_of("SN0001")->is_gone);
}

static void test_as_of_then(void **state)
{
	(void)state;
	ctx.options.at.set = true;
	ctx.options.at.value = T0 + 5 * DAY;
	samples_of(&one, 0, 10);
	samples_of(&two, 8, 10);
	assert_true(history_answers_alone(&ctx, &d));
	check(drives_load(&ctx, &d));
	assert_int_equal(d.n, 1); /* the other one was not known yet */
	assert_int_equal(d.reports[0].reading->time, T0 + 5 * DAY);
	assert_int_equal(d.reports[0].history.nsamples, 6);
	assert_int_equal(d.reports[0].now, T0 + 5 * DAY);
}

/* Its clock was wrong: what it wrote down last is not what is known last. */
static void test_a_record_of_tomorrow(void **state)
{
	(void)state;
	samples_of(&one, 0, 10);
	samples_of(&one, 20, 21);
	judge();
	assert_int_equal(d.n, 1);
	assert_int_equal(d.reports[0].reading->time, T0 + 9 * DAY);
	assert_int_equal(d.reports[0].history.naside, 1);
}

static void test_a_named_database_must_be_there(void **state)
{
	bool open;

	(void)state;
	assert_int_equal(history_open(&ctx, &d, &open), -ENOENT);
	assert_int_equal(exit_code_of(-ENOENT), EX_NOINPUT);
}

static void test_a_foreign_database_is_refused(void **state)
{
	bool open;

	(void)state;
	made_file_write(folder.db, "not a database", 14);
	assert_int_equal(history_open(&ctx, &d, &open), -EINVAL);
	assert_int_equal(ctx.fail_code, EX_DATAERR);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_the_past_is_joined),
		T(test_counters_go_on),
		T(test_vanished_lately),
		T(test_pulled_out),
		T(test_taken_out_long_ago),
		T(test_retired_in_the_list),
		T(test_another_machines_database),
		T(test_what_may_not_be_opened),
		T(test_the_dead_have_no_last_word),
		T(test_the_node_is_anothers),
		T(test_as_of_then),
		T(test_a_record_of_tomorrow),
		T(test_a_named_database_must_be_there),
		T(test_a_foreign_database_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

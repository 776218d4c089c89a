/* SPDX-License-Identifier: MIT */
/*
 * Every write, sync, truncation, deletion and opening of a file fails in turn, or the power goes
 * off there: afterwards what was committed is all there, the database is sound, and a retry works.
 */
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

#include "lib/made_history.h"
#include "lib/made_series.h"
#include "lib/power_cut_vfs.h"
#include "store/place.h"

#define BEFORE 60 /* hourly samples that are there before */
#define ADDED  4

static const struct made_drive drive_a = { .model = "MODEL A", .serial = "SN0001" };

static struct made_folder folder;
static char copy_path[128];
static char *image; /* of the database before */
static size_t image_len;

/* How each call fails. */
static const struct {
	const char *name;
	int err;
	bool for_good;
	enum power_cut cut;
} faults[] = {
	{ "EIO once", EIO, false, CUT_NONE },	    { "EIO for good", EIO, true, CUT_NONE },
	{ "ENOSPC once", ENOSPC, false, CUT_NONE }, { "ENOSPC for good", ENOSPC, true, CUT_NONE },
	{ "cut, all lost", 0, false, CUT_LOST },    { "cut, all kept", 0, false, CUT_KEPT },
	{ "cut, torn", 0, false, CUT_TORN },
};

/* What a task has promised when it ends, by failure or not. */
struct promise {
	int err;
	struct diag d;
	unsigned acknowledged; /* appends that returned 0, or all of a transaction after its commit
				*/
};

/* --- tasks ----------------------------------------------------------------------------------- */

static int try_append(struct store *s, int hour, struct diag *d)
{
	struct made_append *m = made_append_new(&drive_a, T0 + hour * HOUR, 1000 + (uint64_t)hour,
						(uint64_t)hour);
	enum append_result result;
	int err = store_append(s, &m->append, d, &result, NULL);

	made_append_free(m);
	return err;
}

static void append_each(struct promise *p)
{
	struct store *s = NULL;

	p->err = store_open(folder.db, STORE_WRITE, T0, &p->d, &s, NULL);
	for (int i = 0; i < ADDED && !p->err; i++) {
		p->err = try_append(s, BEFORE + i, &p->d);
		p->acknowledged += !p->err;
	}
	store_close(&s);
}

static void append_together(struct promise *p)
{
	struct store *s = NULL;

	p->err = store_open(folder.db, STORE_WRITE, T0, &p->d, &s, NULL);
	if (!p->err)
		p->err = store_begin(s, &p->d);
	for (int i = 0; i < ADDED && !p->err; i++)
		p->err = try_append(s, BEFORE + i, &p->d);
	if (!p->err)
		p->err = store_commit(s, &p->d);
	p->acknowledged = p->err ? 0 : ADDED;
	store_close(&s);
}

static void prune(struct promise *p)
{
	const struct retention r = { .full_days = 1 };
	uint64_t samples, bytes;
	struct store *s = NULL;

	p->err = store_open(folder.db, STORE_WRITE, T0, &p->d, &s, NULL);
	if (!p->err)
		p->err = store_prune(s, &r, T0 + BEFORE * HOUR, false, &p->d, &samples, &bytes);
	store_close(&s);
}

static int decode_other(void *arg, const struct snapshot *snapshot, struct redecoded *ret)
{
	int err = reading_decode(snapshot, NULL, NULL, &ret->reading);

	(void)arg;
	if (err)
		return err;
	memset(&ret->rule, 0, sizeof(ret->rule));
	facts_collect(&ret->reading, &ret->rule, &ret->facts);
	ret->facts.sets[FACT_POWER_ON_HOURS].candidates[0].value += 10000;
	return 0;
}

static void redecode(struct promise *p)
{
	uint64_t samples, changed;
	struct store *s = NULL;

	p->err = store_open(folder.db, STORE_WRITE, T0, &p->d, &s, NULL);
	if (!p->err)
		p->err = store_redecode(s, decode_other, NULL, NULL, NULL, &p->d, &samples,
					&changed);
	store_close(&s);
}

static void back_up(struct promise *p)
{
	struct store *s = NULL;

	p->err = store_open(folder.db, STORE_READ, T0, &p->d, &s, NULL);
	if (!p->err)
		p->err = store_backup(s, copy_path, NULL, NULL, &p->d);
	store_close(&s);
}

/* --- what must hold after them --------------------------------------------------------------- */

static struct store *open_checked(const char *path, enum store_mode mode)
{
	struct store *s = made_store(path, mode);
	struct diag d = { 0 };

	if (store_check(s, &d))
		fail_msg("%s", d.text);
	return s;
}

static void read_samples(struct store *s, struct series *ret)
{
	struct diag d = { 0 };

	series_init(ret);
	if (store_series(s, 1, TIME_UNKNOWN, TIME_UNKNOWN, &d, ret))
		fail_msg("%s", d.text);
}

/* Each sample has its facts and its logs. */
static void expect_samples(struct store *s, size_t least, size_t most, int64_t more_hours)
{
	struct series series;
	struct snapshot back;
	struct diag d = { 0 };

	read_samples(s, &series);
	assert_in_range(series.nsamples, least, most);
	for (size_t i = 0; i < series.nsamples; i++) {
		int64_t hour = (series.samples[i].time - T0) / HOUR;

		assert_int_equal(series.samples[i].values[FACT_HOST_BYTES_WRITTEN],
				 (1000 + hour) * 512000);
		assert_int_equal(series.samples[i].values[FACT_POWER_ON_HOURS], hour + more_hours);
		if (store_snapshot(s, 1, series.samples[i].time, &d, &back))
			fail_msg("%s", d.text);
		assert_int_equal(back.time, series.samples[i].time);
		snapshot_release(&back);
	}
	series_release(&series);
}

static void after_append_each(const struct promise *p)
{
	struct store *s = open_checked(folder.db, STORE_WRITE);

	expect_samples(s, BEFORE + p->acknowledged, BEFORE + ADDED, 0);
	for (int i = 0; i < ADDED; i++)
		assert_int_equal(try_append(s, BEFORE + i, NULL), 0);
	expect_samples(s, BEFORE + ADDED, BEFORE + ADDED, 0);
	store_close(&s);
}

static void after_append_together(const struct promise *p)
{
	struct store *s = open_checked(folder.db, STORE_WRITE);
	struct series series;

	read_samples(s, &series);
	if (p->acknowledged)
		assert_int_equal(series.nsamples, BEFORE + ADDED);
	else if (series.nsamples != BEFORE)
		assert_int_equal(series.nsamples, BEFORE + ADDED);
	series_release(&series);
	store_close(&s);
	after_append_each(p);
}

static void after_prune(const struct promise *p)
{
	struct promise again = { 0 };
	struct store *s = open_checked(folder.db, STORE_WRITE);

	(void)p;
	expect_samples(s, 1 + 1 + 24, BEFORE, 0);
	store_close(&s);
	prune(&again);
	assert_int_equal(again.err, 0);
	s = open_checked(folder.db, STORE_WRITE);
	/* hours 0, 23 and 36 to 59: day 2 is thinned out up to its last, which is kept anyway */
	expect_samples(s, 1 + 1 + 24, 1 + 1 + 24, 0);
	store_close(&s);
}

static void after_redecode(const struct promise *p)
{
	struct store *s = open_checked(folder.db, STORE_WRITE);
	struct promise again = { 0 };
	struct series series;
	int64_t more;

	read_samples(s, &series);
	more = series.samples[0].values[FACT_POWER_ON_HOURS];
	series_release(&series);
	if (!p->err)
		assert_int_equal(more, 10000);
	expect_samples(s, BEFORE, BEFORE, more);
	store_close(&s);
	redecode(&again);
	assert_int_equal(again.err, 0);
	s = open_checked(folder.db, STORE_WRITE);
	expect_samples(s, BEFORE, BEFORE, 10000);
	store_close(&s);
}

/* The copy is there whole, or not at all. */
static void after_back_up(const struct promise *p)
{
	struct promise again = { 0 };
	struct store *s = open_checked(folder.db, STORE_WRITE);

	expect_samples(s, BEFORE, BEFORE, 0);
	store_close(&s);
	if (access(copy_path, F_OK) != 0) {
		assert_int_not_equal(p->err, 0);
		back_up(&again);
		assert_int_equal(again.err, 0);
	}
	s = open_checked(copy_path, STORE_READ);
	expect_samples(s, BEFORE, BEFORE, 0);
	store_close(&s);
}

/* A database that has only begun: made new by its first append. */
static void after_create(const struct promise *p)
{
	struct store *s = made_store(folder.db, STORE_WRITE);
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n;

	assert_int_equal(store_check(s, &d), 0);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_true(p->acknowledged == 0 || n == 1);
	free(drives);
	for (int i = 0; i < ADDED; i++)
		assert_int_equal(try_append(s, BEFORE + i, NULL), 0);
	expect_samples(s, ADDED, ADDED, 0);
	store_close(&s);
}

/* --- the loop -------------------------------------------------------------------------------- */

/* What is there before the task. */
enum before {
	BEFORE_HISTORY,
	BEFORE_NOTHING,
	BEFORE_OLD_VERSION, /* ours, of version 0: it has to be migrated in its place */
};

static void make_old_version(void)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(folder.db, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "PRAGMA journal_mode = WAL; PRAGMA application_id = "
				      "1313622098",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
}

static void put_back(enum before before)
{
	made_folder_release(&folder);
	assert_int_equal(mkdir(folder.path, 0755), 0);
	if (before == BEFORE_HISTORY)
		made_file_write(folder.db, image, image_len);
	if (before == BEFORE_OLD_VERSION)
		make_old_version();
}

static void check_failure(const struct promise *p, size_t fault)
{
	if (!p->err)
		return;
	if (!p->d.text[0] || p->d.err != p->err)
		fail_msg("error %d without a reason", p->err);
	if (faults[fault].err && p->err != -faults[fault].err)
		fail_msg("%s: error %d, \"%s\"", faults[fault].name, p->err, p->d.text);
}

static void torture(const char *name, enum before before, void (*task)(struct promise *p),
		    void (*after)(const struct promise *p))
{
	unsigned runs = 0, calls;
	struct promise p;

	put_back(before);
	power = (struct power){ 0 };
	p = (struct promise){ 0 };
	task(&p);
	calls = power.calls;
	power_return();
	assert_int_equal(p.err, 0);
	after(&p);
	power_return();
	for (size_t fault = 0; fault < ARRAY_SIZE(faults); fault++)
		for (unsigned n = 1; n <= calls; n++) {
			put_back(before);
			power_return();
			power = (struct power){ .fail_at = n,
						.err = faults[fault].err,
						.for_good = faults[fault].for_good,
						.cut = faults[fault].cut,
						.seed = n * 7919 + 1 };
			p = (struct promise){ 0 };
			task(&p);
			assert_true(power.hit);
			power_return();
			check_failure(&p, fault);
			after(&p);
			power_return();
			runs++;
		}
	print_message("# %s: %u calls, %u faults\n", name, calls, runs);
}

static void appends(void **state)
{
	(void)state;
	torture("appends", BEFORE_HISTORY, append_each, after_append_each);
}

static void a_transaction(void **state)
{
	(void)state;
	torture("transaction", BEFORE_HISTORY, append_together, after_append_together);
}

static void a_new_database(void **state)
{
	(void)state;
	torture("new database", BEFORE_NOTHING, append_each, after_create);
}

static void a_migration(void **state)
{
	(void)state;
	torture("migration", BEFORE_OLD_VERSION, append_each, after_create);
}

static void pruning(void **state)
{
	(void)state;
	torture("prune", BEFORE_HISTORY, prune, after_prune);
}

static void redecoding(void **state)
{
	(void)state;
	torture("redecode", BEFORE_HISTORY, redecode, after_redecode);
}

static void backing_up(void **state)
{
	(void)state;
	torture("backup", BEFORE_HISTORY, back_up, after_back_up);
}

static int set_up(void **state)
{
	struct store *s;

	(void)state;
	power_vfs_register();
	made_folder_init(&folder);
	snprintf(copy_path, sizeof(copy_path), "%s/copy.db", folder.path);
	s = made_store(folder.db, STORE_WRITE);
	for (int i = 0; i < BEFORE; i++)
		assert_int_equal(try_append(s, i, NULL), 0);
	store_close(&s);
	image = made_file_read(folder.db, &image_len);
	return image ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(image);
	made_folder_release(&folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appends),	  cmocka_unit_test(a_transaction),
		cmocka_unit_test(a_new_database), cmocka_unit_test(a_migration),
		cmocka_unit_test(pruning),	  cmocka_unit_test(redecoding),
		cmocka_unit_test(backing_up),
	};

	return cmocka_run_group_tests_name("store: power", tests, set_up, tear_down);
}

/* SPDX-License-Identifier: MIT */
/* Several processes at one history database, and ends that no process chooses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/made_history.h"
#include "lib/made_series.h"
#include "store/database.h"

static const struct made_drive drive_a = { .model = "MODEL A", .serial = "SN0001" };

static struct made_folder folder;

static int set_up(void **state)
{
	(void)state;
	made_folder_init(&folder);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	made_folder_release(&folder);
	return 0;
}

static int try_append(struct store *s, const struct made_drive *drive, int hour, struct diag *d)
{
	struct made_append *m = made_append_new(drive, T0 + hour * HOUR, 1000 + (uint64_t)hour,
						(uint64_t)hour);
	enum append_result result;
	int err = store_append(s, &m->append, d, &result, NULL);

	made_append_free(m);
	return err;
}

static size_t count_checked(const char *path)
{
	struct store *s = made_store(path, STORE_WRITE);
	struct stored_drive *drives;
	struct diag d = { 0 };
	size_t n, count = 0;

	if (store_check(s, &d))
		fail_msg("%s", d.text);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	for (size_t i = 0; i < n; i++)
		count += drives[i].nsamples;
	free(drives);
	store_close(&s);
	return count;
}

/* --- two writers ----------------------------------------------------------------------------- */

#define WRITERS 3
#define EACH	60

/* Every process a drive of its own, and all of them one that they share; they start it together. */
static int write_one(int number)
{
	struct made_drive own = { .model = "M", .serial = "OWN0" };
	char serial[8];
	struct store *s = NULL;
	int err;

	snprintf(serial, sizeof(serial), "OWN%d", number);
	own.serial = serial;
	err = store_open(folder.db, STORE_WRITE, T0, NULL, &s, NULL);
	for (int i = 0; i < EACH && !err; i++) {
		err = try_append(s, &own, i, NULL);
		if (!err)
			err = try_append(s, &drive_a, i * WRITERS + number, NULL);
	}
	store_close(&s);
	return err ? 1 : 0;
}

static void writers_at_once_lose_nothing(void **state)
{
	pid_t children[WRITERS];
	int status;

	(void)state;
	for (int i = 0; i < WRITERS; i++) {
		children[i] = fork();
		assert_true(children[i] >= 0);
		if (children[i] == 0)
			_exit(write_one(i));
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	assert_int_equal(count_checked(folder.db), WRITERS * EACH * 2);
}

/* --- kill -9 --------------------------------------------------------------------------------- */

/* Appends for ever, and says after each how many are there. */
static void append_for_ever(int out)
{
	struct store *s = NULL;

	if (store_open(folder.db, STORE_WRITE, T0, NULL, &s, NULL))
		_exit(1);
	for (int i = 0;; i++) {
		if (try_append(s, &drive_a, i, NULL) ||
		    write(out, &(int){ i + 1 }, sizeof(int)) != sizeof(int))
			_exit(1);
	}
}

static void a_killed_writer_loses_nothing_that_it_had_told(void **state)
{
	(void)state;
	for (unsigned run = 0; run < 12; run++) {
		int ends[2], told = 0, n, status;
		size_t count;
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			close(ends[0]);
			append_for_ever(ends[1]);
		}
		close(ends[1]);
		while (told < 5 && read(ends[0], &n, sizeof(n)) == sizeof(n))
			told = n;
		usleep(run * 700);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		while (read(ends[0], &n, sizeof(n)) == sizeof(n))
			told = n;
		close(ends[0]);
		count = count_checked(folder.db);
		assert_true(told >= 5);
		assert_in_range(count, told, told + 1);
		assert_int_equal(unlink(folder.db), 0);
	}
}

/* --- locked ---------------------------------------------------------------------------------- */

static void a_locked_database_is_waited_for_and_then_reported(void **state)
{
	struct store *s = made_store(folder.db, STORE_WRITE);
	struct diag d = { 0 };
	sqlite3 *other;

	(void)state;
	assert_int_equal(try_append(s, &drive_a, 0, NULL), 0);
	assert_int_equal(sqlite3_open(folder.db, &other), SQLITE_OK);
	assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	/* a reader does not care */
	assert_int_equal(store_check(s, &d), 0);
	assert_int_equal(try_append(s, &drive_a, 1, &d), -EBUSY);
	assert_non_null(strstr(d.text, "locked"));
	assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(other);
	assert_int_equal(try_append(s, &drive_a, 1, NULL), 0);
	store_close(&s);
	assert_int_equal(count_checked(folder.db), 2);
}

/* --- a full disk, a read-only one ------------------------------------------------------------ */

/* A file system of this size at path; false where this process may not mount one. */
static bool mount_small(const char *path)
{
	assert_int_equal(mkdir(path, 0755), 0);
	if (geteuid() == 0 && mount("tmpfs", path, "tmpfs", 0, "size=512k") == 0)
		return true;
	rmdir(path);
	return false;
}

static void a_full_disk_loses_one_sample_and_no_more(void **state)
{
	char path[96], db[128];
	struct diag d = { 0 };
	struct store *s;
	int err = 0, hour = 0;
	size_t count;

	(void)state;
	snprintf(path, sizeof(path), "%s/small", folder.path);
	snprintf(db, sizeof(db), "%s/history.db", path);
	if (!mount_small(path))
		return; /* needs root */
	s = made_store(db, STORE_WRITE);
	while (!err && hour < 100000) {
		err = try_append(s, &drive_a, hour, &d);
		hour += !err;
	}
	assert_int_equal(err, -ENOSPC);
	assert_non_null(strstr(d.text, "no space is left"));
	store_close(&s);
	/* room again, and it goes on */
	assert_int_equal(mount("tmpfs", path, "tmpfs", MS_REMOUNT, "size=4m"), 0);
	count = count_checked(db);
	assert_int_equal(count, hour);
	s = made_store(db, STORE_WRITE);
	assert_int_equal(try_append(s, &drive_a, hour, NULL), 0);
	store_close(&s);
	assert_int_equal(umount(path), 0);
}

static void a_read_only_disk_is_read(void **state)
{
	char path[96], db[128];
	struct diag d = { 0 };
	struct store *s;

	(void)state;
	snprintf(path, sizeof(path), "%s/small", folder.path);
	snprintf(db, sizeof(db), "%s/history.db", path);
	if (!mount_small(path))
		return; /* needs root */
	s = made_store(db, STORE_WRITE);
	assert_int_equal(try_append(s, &drive_a, 0, NULL), 0);
	store_close(&s);
	assert_int_equal(mount("tmpfs", path, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL), 0);
	assert_int_equal(store_open(db, STORE_RECORD, T0, &d, &s, NULL), -EROFS);
	assert_non_null(strstr(d.text, "read-only"));
	diag_clear(&d);
	if (store_open(db, STORE_READ, T0, &d, &s, NULL))
		fail_msg("%s", d.text);
	assert_true(s->immutable);
	assert_int_equal(store_check(s, &d), 0);
	store_close(&s);
	assert_int_equal(umount(path), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(writers_at_once_lose_nothing),
		TEST(a_killed_writer_loses_nothing_that_it_had_told),
		TEST(a_locked_database_is_waited_for_and_then_reported),
		TEST(a_full_disk_loses_one_sample_and_no_more),
		TEST(a_read_only_disk_is_read),
	};
#undef TEST

	return cmocka_run_group_tests_name("store: processes", tests, NULL, NULL);
}

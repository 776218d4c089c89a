/* SPDX-License-Identifier: MIT */
/* Files that are no history database of this version, or a corrupt one. */
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

static struct made_folder folder;

static const struct made_drive drive_a = { .model = "MODEL A", .serial = "SN0001" };

static int set_up(void **state)
{
	(void)state;
	made_folder_init(&folder);
	return chmod(folder.path, 0755);
}

static int tear_down(void **state)
{
	(void)state;
	made_folder_release(&folder);
	return 0;
}

/* Overwrite a part of the database. */
static void scribble(long at, const void *data, size_t n)
{
	FILE *f = fopen(folder.db, "r+b");

	assert_non_null(f);
	assert_int_equal(fseek(f, at, SEEK_SET), 0);
	assert_int_equal(fwrite(data, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void make_history(void)
{
	struct store *s = made_store(folder.db, STORE_WRITE);

	for (int i = 0; i < 100; i++)
		made_append(s, &drive_a, T0 + i * HOUR, (uint64_t)i, (uint64_t)i, NULL);
	store_close(&s);
}

static bool exists(const char *suffix)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", folder.db, suffix);
	return access(path, F_OK) == 0;
}

static void sql(const char *text)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(folder.db, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Whatever mode: refused with this error, and not a byte of it or beside it differs. */
static void expect_refused(int want, const char *says)
{
	static const enum store_mode modes[] = { STORE_READ, STORE_WRITE, STORE_RECORD };
	size_t len = 0, len_after = 0;
	char *before = made_file_read(folder.db, &len), *after;
	bool wal = exists("-wal"), shm = exists("-shm");
	struct diag d = { 0 };

	assert_non_null(before);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		assert_int_equal(made_try_open(folder.db, modes[i], &d), want);
		if (!strstr(d.text, says))
			fail_msg("\"%s\" does not say \"%s\"", d.text, says);
		after = made_file_read(folder.db, &len_after);
		assert_int_equal(len_after, len);
		assert_memory_equal(after, before, len);
		free(after);
		assert_int_equal(exists("-wal"), wal);
		assert_int_equal(exists("-shm"), shm);
		assert_false(exists("-journal"));
		assert_false(exists(".new"));
	}
	free(before);
}

/* --- not ours -------------------------------------------------------------------------------- */

static void other_files_are_left_alone(void **state)
{
	struct diag d = { 0 };
	char zeros[4096] = "";

	(void)state;
	made_file_write(folder.db, "my thesis", 9);
	expect_refused(-EINVAL, "not a history database");
	made_file_write(folder.db, zeros, sizeof(zeros));
	expect_refused(-EINVAL, "not a history database");
	made_file_write(folder.db, "SQLite format 3", 16);
	expect_refused(-EINVAL, "not a history database");
	assert_int_equal(unlink(folder.db), 0);
	assert_int_equal(mkdir(folder.db, 0755), 0);
	assert_int_equal(made_try_open(folder.db, STORE_WRITE, &d), -EINVAL);
	assert_int_equal(rmdir(folder.db), 0);
	assert_int_equal(mkfifo(folder.db, 0600), 0);
	assert_int_equal(made_try_open(folder.db, STORE_RECORD, &d), -EINVAL);
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), -EINVAL);
}

static void databases_of_others_are_left_alone(void **state)
{
	(void)state;
	sql("CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')");
	expect_refused(-EINVAL, "not a history database");
	sql("PRAGMA application_id = 77; PRAGMA user_version = 1; PRAGMA journal_mode = WAL");
	expect_refused(-EINVAL, "not a history database");
}

static void a_newer_database_is_left_alone(void **state)
{
	(void)state;
	make_history();
	sql("PRAGMA user_version = 99");
	expect_refused(-EINVAL, "newer");
}

/* A newer nandlife was cut off before its changes left the -wal. */
static void a_newer_version_in_the_wal_counts(void **state)
{
	char wal[128], kept[128];
	size_t len = 0, len_after = 0;
	char *before, *after;
	sqlite3 *db;

	(void)state;
	make_history();
	assert_int_equal(sqlite3_open(folder.db, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
	snprintf(wal, sizeof(wal), "%s-wal", folder.db);
	snprintf(kept, sizeof(kept), "%s/kept", folder.path);
	before = made_file_read(wal, &len);
	made_file_write(kept, before, len);
	before = (free(before), made_file_read(folder.db, &len_after));
	made_file_write(wal, "", 0);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	/* as it was before the close */
	made_file_write(folder.db, before, len_after);
	free(before);
	assert_int_equal(rename(kept, wal), 0);
	before = made_file_read(wal, &len);
	expect_refused(-EINVAL, "newer");
	after = made_file_read(wal, &len_after);
	assert_int_equal(len, len_after);
	assert_memory_equal(before, after, len);
	free(before);
	free(after);
}

/* --- corrupt --------------------------------------------------------------------------------- */

static void expect_moved_aside(void)
{
	char moved[PATH_MAX], want[160];
	struct stored_drive *drives;
	struct store *s = NULL;
	struct diag d = { 0 };
	size_t n;

	if (store_open(folder.db, STORE_RECORD, T0, &d, &s, moved))
		fail_msg("%s", d.text);
	snprintf(want, sizeof(want), "%s.corrupt-2026-01-01T00:00:00Z", folder.db);
	assert_string_equal(moved, want);
	assert_int_equal(access(moved, F_OK), 0);
	assert_int_equal(store_drives(s, &d, &drives, &n), 0);
	assert_int_equal(n, 0);
	free(drives);
	made_append(s, &drive_a, T0, 1, 1, NULL);
	store_close(&s);
	assert_int_equal(unlink(moved), 0);
}

static void a_corrupt_one_is_refused_or_moved_aside(void **state)
{
	char rubbish[4096 * 4];
	struct diag d = { 0 };
	struct stat st;

	(void)state;
	memset(rubbish, 0xa5, sizeof(rubbish));
	/* its schema */
	make_history();
	scribble(100, rubbish, 3000);
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), -EUCLEAN);
	assert_int_equal(made_try_open(folder.db, STORE_WRITE, &d), -EUCLEAN);
	expect_moved_aside();
	/* some table */
	make_history();
	scribble(4096 * 3, rubbish, sizeof(rubbish));
	expect_moved_aside();
	/* its second half */
	make_history();
	assert_int_equal(stat(folder.db, &st), 0);
	assert_int_equal(truncate(folder.db, st.st_size / 2), 0);
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), -EUCLEAN);
	expect_moved_aside();
	/* a page and a half is all that is left */
	make_history();
	assert_int_equal(truncate(folder.db, 6000), 0);
	assert_int_equal(made_try_open(folder.db, STORE_WRITE, &d), -EUCLEAN);
	expect_moved_aside();
}

static void a_reader_of_a_corrupt_table_says_so(void **state)
{
	char rubbish[4096];
	struct series series;
	struct store *s;
	struct diag d = { 0 };
	struct stat st;
	int err = 0;

	(void)state;
	memset(rubbish, 0xa5, sizeof(rubbish));
	make_history();
	assert_int_equal(stat(folder.db, &st), 0);
	for (long at = 2 * 4096; at < st.st_size; at += 4096)
		scribble(at, rubbish, sizeof(rubbish));
	s = made_store(folder.db, STORE_READ);
	series_init(&series);
	err = store_series(s, 1, TIME_UNKNOWN, TIME_UNKNOWN, &d, &series);
	assert_int_equal(err, -EUCLEAN);
	assert_non_null(strstr(d.text, "corrupt"));
	store_close(&s);
}

/* Found only when it is written to: the caller starts anew. */
static void what_turns_out_corrupt_can_start_anew(void **state)
{
	char moved[PATH_MAX];
	struct store *s;
	struct diag d = { 0 };

	(void)state;
	make_history();
	s = made_store(folder.db, STORE_RECORD);
	made_append(s, &drive_a, T0 + 1000 * HOUR, 1, 1, NULL);
	assert_int_equal(store_start_anew(&s, T0, &d, moved), 0);
	made_append(s, &drive_a, T0, 1, 1, NULL);
	store_close(&s);
	assert_int_equal(access(moved, F_OK), 0);
	s = made_store(moved, STORE_READ);
	store_close(&s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(other_files_are_left_alone),
		TEST(databases_of_others_are_left_alone),
		TEST(a_newer_database_is_left_alone),
		TEST(a_newer_version_in_the_wal_counts),
		TEST(a_corrupt_one_is_refused_or_moved_aside),
		TEST(a_reader_of_a_corrupt_table_says_so),
		TEST(what_turns_out_corrupt_can_start_anew),
	};
#undef TEST

	return cmocka_run_group_tests_name("store: refused", tests, NULL, NULL);
}

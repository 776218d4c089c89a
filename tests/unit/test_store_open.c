/* SPDX-License-Identifier: MIT */
/* How a database is opened, made, and by whom. */
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
#include <sys/wait.h>
#include <unistd.h>

#include "lib/made_history.h"
#include "lib/made_series.h"
#include "store/database.h"
#include "store/migrate.h"

#define NOBODY 65534

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

/* --- new ------------------------------------------------------------------------------------- */

static void nothing_is_there(void **state)
{
	struct diag d = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), -ENOENT);
	assert_non_null(strstr(d.text, "nandlife record"));
	assert_false(exists(""));
	assert_int_equal(made_try_open(folder.db, STORE_WRITE, &d), 0);
	assert_int_equal(stat(folder.db, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), 0);
}

static void everybody_may_read_whatever_the_umask(void **state)
{
	mode_t before = umask(077);
	struct diag d = { 0 };
	struct stat st;

	(void)state;
	assert_int_equal(made_try_open(folder.db, STORE_WRITE, &d), 0);
	umask(before);
	assert_int_equal(stat(folder.db, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

static void missing_folders_are_made(void **state)
{
	char path[160], sub[96], below[128];
	struct store *s;
	struct stat st;

	(void)state;
	snprintf(sub, sizeof(sub), "%s/lib", folder.path);
	snprintf(below, sizeof(below), "%s/nandlife", sub);
	snprintf(path, sizeof(path), "%s/history.db", below);
	s = made_store(path, STORE_WRITE);
	store_close(&s);
	assert_int_equal(stat(below, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0755);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(below), 0);
}

static void an_empty_file_is_new(void **state)
{
	struct diag d = { 0 };

	(void)state;
	made_file_write(folder.db, "", 0);
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), -ENOENT);
	assert_non_null(strstr(d.text, "empty"));
	assert_int_equal(made_try_open(folder.db, STORE_RECORD, &d), 0);
	assert_int_equal(made_try_open(folder.db, STORE_READ, &d), 0);
}

static void the_rest_of_a_cut_start_does_no_harm(void **state)
{
	struct diag d = { 0 };
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s.new", folder.db);
	made_file_write(path, "half a database", 15);
	assert_int_equal(made_try_open(folder.db, STORE_WRITE, &d), 0);
	assert_false(exists(".new"));
}

static void links_lead_to_the_database(void **state)
{
	char link[128], beside[160];
	struct store *s;

	(void)state;
	snprintf(link, sizeof(link), "%s/link", folder.path);
	assert_int_equal(symlink("history.db", link), 0);
	s = made_store(link, STORE_WRITE);
	made_append(s, &drive_a, T0, 1, 1, NULL);
	snprintf(beside, sizeof(beside), "%s-wal", link);
	assert_int_not_equal(access(beside, F_OK), 0);
	assert_true(exists("-wal"));
	store_close(&s);
	assert_true(exists(""));
}

static void names_may_hold_anything(void **state)
{
	char path[128];
	struct store *s;

	(void)state;
	snprintf(path, sizeof(path), "%s/a?b#c%%41 d", folder.path);
	s = made_store(path, STORE_WRITE);
	made_append(s, &drive_a, T0, 1, 1, NULL);
	store_close(&s);
	s = made_store(path, STORE_READ);
	store_close(&s);
	assert_int_equal(access(path, F_OK), 0);
}

/* --- who may do what ------------------------------------------------------------------------- */

/* Run as an ordinary user in a child; the assertions of the child are its exit status. */
static void as_nobody(int (*fn)(void))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(setgid(NOBODY) || setuid(NOBODY) ? 99 : fn());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int reads_without_permission(void)
{
	struct store *s = NULL;
	struct series series;
	struct diag d = { 0 };

	series_init(&series);
	if (store_open(folder.db, STORE_READ, T0, &d, &s, NULL))
		return 1;
	if (!s->immutable)
		return 2;
	if (store_series(s, 1, TIME_UNKNOWN, TIME_UNKNOWN, &d, &series) || series.nsamples != 100)
		return 3;
	series_release(&series);
	store_close(&s);
	return exists("-wal") || exists("-shm") ? 4 : 0;
}

static int may_not_write(void)
{
	struct diag d = { 0 };

	if (made_try_open(folder.db, STORE_WRITE, &d) != -EACCES || !strstr(d.text, "root"))
		return 1;
	return made_try_open(folder.db, STORE_RECORD, &d) == -EACCES ? 0 : 2;
}

static int may_not_create(void)
{
	struct diag d = { 0 };

	return made_try_open(folder.db, STORE_WRITE, &d) == -EACCES ? 0 : 1;
}

static int may_not_read(void)
{
	struct diag d = { 0 };

	return made_try_open(folder.db, STORE_READ, &d) == -EACCES ? 0 : 1;
}

static void an_ordinary_user_reads_and_does_not_write(void **state)
{
	(void)state;
	if (geteuid() != 0)
		return; /* needs root */
	as_nobody(may_not_create);
	make_history();
	as_nobody(reads_without_permission);
	as_nobody(may_not_write);
	assert_int_equal(chmod(folder.db, 0600), 0);
	as_nobody(may_not_read);
}

static int sees_a_writer(void)
{
	struct store *s = NULL;
	struct series series;
	struct diag d = { 0 };

	series_init(&series);
	if (store_open(folder.db, STORE_READ, T0, &d, &s, NULL))
		return 1;
	if (s->immutable)
		return 2;
	if (store_series(s, 1, TIME_UNKNOWN, TIME_UNKNOWN, &d, &series) || series.nsamples != 101)
		return 3;
	series_release(&series);
	store_close(&s);
	return 0;
}

/* What is only in the -wal of a writer that has it open is seen. */
static void an_ordinary_user_sees_what_a_writer_has_just_added(void **state)
{
	struct store *s;

	(void)state;
	if (geteuid() != 0)
		return; /* needs root */
	make_history();
	s = made_store(folder.db, STORE_WRITE);
	made_append(s, &drive_a, T0 + 1000 * HOUR, 1, 1, NULL);
	as_nobody(sees_a_writer);
	store_close(&s);
}

static void a_reader_leaves_the_wal_to_writers(void **state)
{
	struct store *writer, *reader;
	size_t len = 0, len_after = 0;
	char *before, *after;
	char wal[128];

	(void)state;
	make_history();
	snprintf(wal, sizeof(wal), "%s-wal", folder.db);
	writer = made_store(folder.db, STORE_WRITE);
	made_append(writer, &drive_a, T0 + 1000 * HOUR, 1, 1, NULL);
	before = made_file_read(wal, &len);
	assert_true(len > 0);
	reader = made_store(folder.db, STORE_READ);
	store_close(&reader);
	after = made_file_read(wal, &len_after);
	assert_int_equal(len, len_after);
	assert_memory_equal(before, after, len);
	free(before);
	free(after);
	store_close(&writer);
	assert_false(exists("-wal"));
}

static void a_reader_writes_nothing(void **state)
{
	struct made_append *m = made_append_new(&drive_a, T0, 1, 1);
	enum append_result result = APPEND_LESS;
	struct diag d = { 0 };
	struct store *s;

	(void)state;
	make_history();
	s = made_store(folder.db, STORE_READ);
	assert_int_equal(store_append(s, &m->append, &d, &result, NULL), -EACCES);
	assert_int_equal(result, APPEND_LESS);
	store_close(&s);
	made_append_free(m);
}

/* --- migrations ------------------------------------------------------------------------------ */

static void migrations_are_numbered(void **state)
{
	(void)state;
	assert_true(store_nmigrations >= 1);
	for (size_t i = 0; i < store_nmigrations; i++) {
		char name[32];

		snprintf(name, sizeof(name), "history-%04zu.sql", i + 1);
		assert_string_equal(store_migrations[i].name, name);
	}
}

/* SQLite 3.36 and older know no STRICT: without the word it is the same schema. */
static void old_sqlite_gets_tables_that_are_not_strict(void **state)
{
	struct str text = { 0 };
	sqlite3 *db;

	(void)state;
	migration_text(store_migrations[0].sql, 3036000, &text);
	assert_null(strstr(str_text(&text), "STRICT"));
	assert_non_null(strstr(str_text(&text), "WITHOUT ROWID"));
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, str_text(&text), NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	str_release(&text);
	migration_text(store_migrations[0].sql, 3037000, &text);
	assert_string_equal(str_text(&text), store_migrations[0].sql);
	str_release(&text);
}

static void tables_are_as_the_design_says(void **state)
{
	static const char *const none[] = {
		"SELECT 1 FROM pragma_table_list WHERE NOT strict AND name NOT GLOB 'sqlite*'",
		"SELECT 1 FROM pragma_journal_mode WHERE journal_mode <> 'wal'",
		"SELECT 1 FROM pragma_application_id WHERE application_id <> 1313622098",
		"SELECT 1 FROM pragma_auto_vacuum WHERE auto_vacuum <> 2",
	};
	sqlite3_stmt *st;
	sqlite3 *db;

	(void)state;
	make_history();
	assert_int_equal(sqlite3_open(folder.db, &db), SQLITE_OK);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		assert_int_equal(sqlite3_prepare_v2(db, none[i], -1, &st, NULL), SQLITE_OK);
		if (sqlite3_step(st) != SQLITE_DONE)
			fail_msg("%s", none[i]);
		sqlite3_finalize(st);
	}
	sqlite3_close(db);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(nothing_is_there),
		TEST(everybody_may_read_whatever_the_umask),
		TEST(missing_folders_are_made),
		TEST(an_empty_file_is_new),
		TEST(the_rest_of_a_cut_start_does_no_harm),
		TEST(links_lead_to_the_database),
		TEST(names_may_hold_anything),
		TEST(an_ordinary_user_reads_and_does_not_write),
		TEST(an_ordinary_user_sees_what_a_writer_has_just_added),
		TEST(a_reader_leaves_the_wal_to_writers),
		TEST(a_reader_writes_nothing),
		TEST(migrations_are_numbered),
		TEST(old_sqlite_gets_tables_that_are_not_strict),
		TEST(tables_are_as_the_design_says),
	};
#undef TEST

	return cmocka_run_group_tests_name("store: open", tests, NULL, NULL);
}

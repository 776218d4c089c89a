/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "store/drives.h"
#include "store/migrate.h"
#include "store/place.h"

/*
 * How every connection is set up. The cache holds the pages at which a thousand drives append.
 */
static const char setup_sql[] = "PRAGMA trusted_schema = OFF;"
				"PRAGMA cell_size_check = ON;"
				"PRAGMA foreign_keys = ON;"
				"PRAGMA synchronous = FULL;"
				"PRAGMA cache_size = -32768;"
				"PRAGMA journal_size_limit = 16777216;";

/*
 * Databases up to this size are read whole for faults when they are opened to be recorded to: this
 * takes less time than reading one drive. For larger ones the caller says when it is time.
 */
#define QUICK_CHECK_BYTES_MAX (INT64_C(32) << 20)

void store_close(struct store **ps)
{
	struct store *s = *ps;

	*ps = NULL;
	if (!s)
		return;
	if (s->in_transaction)
		store_rollback(s);
	open_drives_forget(s);
	for (size_t i = 0; i < STATEMENT_COUNT; i++)
		sqlite3_finalize(s->statements[i]);
	sqlite3_close(s->db);
	delta_release(&s->delta);
	pack_release(&s->packed);
	pack_release(&s->coded);
	free(s->path);
	free(s);
}

/* As a URI, whatever the path is made of. */
static void immutable_uri(const char *path, struct str *ret)
{
	str_add(ret, "file:");
	for (; *path; path++)
		if (*path == '?' || *path == '#' || *path == '%')
			str_addf(ret, "%%%02X", (unsigned char)*path);
		else
			str_add_char(ret, *path);
	str_add(ret, "?immutable=1");
}

static int open_database(struct store *s, int flags, struct diag *d)
{
	CLEANUP(str_release) struct str uri = { 0 };
	int rc;

	sqlite3_close(s->db);
	s->db = NULL;
	if (s->immutable) {
		immutable_uri(s->path, &uri);
		if (str_error(&uri))
			return store_no_memory(d);
		flags |= SQLITE_OPEN_URI;
	}
	rc = sqlite3_open_v2(s->immutable ? str_text(&uri) : s->path, &s->db, flags, NULL);
	if (!s->db)
		return store_no_memory(d);
	if (rc != SQLITE_OK)
		return store_fail(s, d, rc);
	sqlite3_extended_result_codes(s->db, 1);
	sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return store_exec(s, setup_sql, d);
}

static int pragma_number(struct store *s, const char *pragma, struct diag *d, int64_t *ret)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, pragma, -1, &st, NULL);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*ret = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : store_fail(s, d, rc);
}

/* --- reading --------------------------------------------------------------------------------- */

static int older(const struct store *s, struct diag *d)
{
	return diag_fail(d, -EINVAL,
			 "%s: written by an older nandlife; `nandlife record` as root brings it up "
			 "to date",
			 s->path);
}

static int open_reading(struct store *s, struct diag *d)
{
	int64_t version = 0;
	int err = open_database(s, SQLITE_OPEN_READONLY, d);

	if (!err) /* never a checkpoint, not even by the last one to close */
		sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	/* the first real access: opens the -wal and its index, or cannot */
	if (!err)
		err = pragma_number(s, "PRAGMA user_version", d, &version);
	if (!err && version < (int64_t)store_nmigrations)
		err = older(s, d);
	return err;
}

/*
 * An ordinary user cannot create the -shm that SQLite wants, and on a full disk nobody can; where
 * nobody writes it is not needed.
 */
static int open_to_read(struct store *s, struct diag *d)
{
	struct diag first = { 0 };
	int err = open_reading(s, &first);

	if (err == -EACCES || err == -EROFS || err == -ENOSPC) {
		s->immutable = true;
		return open_reading(s, d);
	}
	return err ? diag_fail(d, err, "%s", first.text) : 0;
}

/* --- writing --------------------------------------------------------------------------------- */

static int migrate(struct store *s, struct diag *d)
{
	int64_t version = 0;
	int err = store_exec(s, "BEGIN IMMEDIATE", d);

	if (err)
		return err;
	err = pragma_number(s, "PRAGMA user_version", d, &version);
	if (!err && version < (int64_t)store_nmigrations)
		err = store_migrate(s, version, d);
	if (!err)
		err = store_exec(s, "COMMIT", d);
	if (err && !sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

/* A database of its own at path, all of it in the file when this returns. */
static int fill_new(void *arg, const char *path, struct diag *d)
{
	CLEANUP(store_close) struct store *s = calloc(1, sizeof(*s));
	int err;

	(void)arg;
	if (s)
		s->path = strdup(path);
	if (!s || !s->path)
		return store_no_memory(d);
	err = open_database(s, SQLITE_OPEN_READWRITE, d);
	if (!err)
		err = store_exec(s, "PRAGMA auto_vacuum = INCREMENTAL", d);
	if (!err)
		err = migrate(s, d);
	return err ? err : store_exec(s, "PRAGMA journal_mode = WAL", d);
}

int store_quick_check(struct store *s, struct diag *d)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &st, NULL);
	const char *text;
	int err = 0;

	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	text = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(st, 0) : NULL;
	if (rc != SQLITE_ROW)
		err = store_fail(s, d, rc);
	else if (!text)
		err = store_no_memory(d);
	else if (strcmp(text, "ok") != 0)
		err = store_malformed(s, d, text);
	sqlite3_finalize(st);
	return err;
}

static int check_small(struct store *s, struct diag *d)
{
	int64_t pages = 0, page_bytes = 0;
	int err = pragma_number(s, "PRAGMA page_count", d, &pages);

	if (!err)
		err = pragma_number(s, "PRAGMA page_size", d, &page_bytes);
	return err || pages * page_bytes > QUICK_CHECK_BYTES_MAX ? err : store_quick_check(s, d);
}

static int open_to_write(struct store *s, struct diag *d)
{
	int64_t version = 0;
	int err = open_database(s, SQLITE_OPEN_READWRITE, d);

	if (!err)
		err = pragma_number(s, "PRAGMA user_version", d, &version);
	if (!err && version < (int64_t)store_nmigrations)
		err = migrate(s, d);
	if (!err && s->mode == STORE_RECORD)
		err = check_small(s, d);
	return err;
}

/* --- all of it ------------------------------------------------------------------------------- */

static int none_to_read(const char *path, enum place_state state, struct diag *d)
{
	return diag_fail(d, -ENOENT,
			 state == PLACE_EMPTY ? "%s: empty: nothing was recorded yet; `nandlife "
						"record` fills it"
					      : "%s: no such history database; `nandlife record` "
						"starts one",
			 path);
}

static int open_once(struct store *s, struct diag *d)
{
	enum place_state state;
	int err = place_look(sqlite3_vfs_find(NULL), s->path, (int64_t)store_nmigrations, d,
			     &state);

	if (err)
		return err;
	if (s->mode == STORE_READ)
		return state == PLACE_OURS ? open_to_read(s, d) : none_to_read(s->path, state, d);
	/* the first write is only at the first append: say now that there will be none */
	err = state == PLACE_OURS ? place_check_writable(s->path, d)
				  : place_create(s->path, fill_new, NULL, d);
	return err ? err : open_to_write(s, d);
}

/* Close what is corrupt, move it aside, and open a new one. */
static int start_anew(struct store *s, struct diag *d, char ret_moved[PATH_MAX])
{
	int err;

	sqlite3_close(s->db);
	s->db = NULL;
	err = place_move_aside(s->path, s->now, d, ret_moved);
	return err ? err : open_once(s, d);
}

int store_open(const char *path, enum store_mode mode, int64_t now, struct diag *d,
	       struct store **ret, char ret_moved[PATH_MAX])
{
	CLEANUP(store_close) struct store *s = calloc(1, sizeof(*s));
	struct diag first = { 0 };
	char moved[PATH_MAX] = "";
	int err;

	if (!s)
		return store_no_memory(d);
	s->mode = mode;
	s->now = now;
	err = place_resolve(path, d, &s->path);
	if (err)
		return err;
	err = open_once(s, &first);
	if (err == -EUCLEAN && mode == STORE_RECORD)
		err = start_anew(s, d, moved);
	else if (err)
		diag_fail(d, err, "%s", first.text);
	if (err)
		return err;
	if (ret_moved)
		memcpy(ret_moved, moved, PATH_MAX);
	*ret = s;
	s = NULL;
	return 0;
}

int store_start_anew(struct store **ps, int64_t now, struct diag *d, char ret_moved[PATH_MAX])
{
	CLEANUP(store_close) struct store *s = *ps;
	CLEANUP(cleanup_free) char *path = strdup(s->path);
	char moved[PATH_MAX];
	int err;

	*ps = NULL;
	if (!path)
		return store_no_memory(d);
	store_close(&s);
	err = place_move_aside(path, now, d, moved);
	if (!err)
		err = store_open(path, STORE_RECORD, now, d, ps, NULL);
	if (!err && ret_moved)
		memcpy(ret_moved, moved, PATH_MAX);
	return err;
}

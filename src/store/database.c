/* SPDX-License-Identifier: MIT */
#include "store/database.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/text.h"
#include "store/drives.h"

static const char *const sql[STATEMENT_COUNT] = {
#define X(e, text) [e] = text,
	STATEMENTS(X)
#undef X
};

/* What a result code means to the user; the first row that matches the extended or plain code. */
static const struct {
	int rc, err;
	const char *text;
} failures[] = {
	{ SQLITE_IOERR_NOMEM, -ENOMEM, "out of memory" },
	{ SQLITE_NOMEM, -ENOMEM, "out of memory" },
	{ SQLITE_BUSY, -EBUSY,
	  "locked by another process for more than 10 s; try again when it is done" },
	{ SQLITE_LOCKED, -EBUSY,
	  "locked by another process for more than 10 s; try again when it is done" },
	{ SQLITE_PROTOCOL, -EBUSY, "other processes hold its locks; try again" },
	{ SQLITE_FULL, -ENOSPC,
	  "no space is left on its file system; free some and try again. What was recorded before "
	  "is intact" },
	{ SQLITE_CORRUPT, -EUCLEAN,
	  "the database is corrupt; restore a backup, or let `nandlife record` move it aside and "
	  "start anew" },
	{ SQLITE_NOTADB, -EUCLEAN,
	  "the database is corrupt; restore a backup, or let `nandlife record` move it aside and "
	  "start anew" },
	{ SQLITE_ERROR, -EUCLEAN,
	  "the database lacks what its version must have; restore a backup, or let `nandlife "
	  "record` move it aside and start anew" },
	{ SQLITE_CONSTRAINT, -EUCLEAN,
	  "the database contradicts itself; restore a backup, or let `nandlife record` move it "
	  "aside and start anew" },
	{ SQLITE_MISMATCH, -EUCLEAN,
	  "the database contradicts itself; restore a backup, or let `nandlife record` move it "
	  "aside and start anew" },
	{ SQLITE_READONLY_DBMOVED, -EIO, "it was moved or deleted while it was open; try again" },
	{ SQLITE_TOOBIG, -E2BIG, "a sample is larger than SQLite allows" },
};

/* Why a file could not be opened or written to, beyond SQLite's word. */
static int fail_access(const char *path, struct diag *d, int system_errno)
{
	struct statvfs fs;

	if (system_errno == EROFS || (statvfs(path, &fs) == 0 && (fs.f_flag & ST_RDONLY)))
		return diag_fail(d, -EROFS,
				 "%s: its file system is read-only; remount it, or name another "
				 "database with --db",
				 path);
	if (system_errno == ENOSPC || system_errno == EDQUOT)
		return diag_fail(d, -ENOSPC,
				 "%s: no space is left on its file system; free some and try "
				 "again. What was recorded before is intact",
				 path);
	if (system_errno == EIO)
		return diag_fail(d, -EIO,
				 "%s: its file system reports an I/O error; see the kernel's log",
				 path);
	if (system_errno && system_errno != EACCES && system_errno != EPERM)
		return diag_fail(d, -system_errno, "%s: %s", path, strerror(system_errno));
	return diag_fail(d, -EACCES,
			 "%s: no permission to write to it or its folder; run as root, or name "
			 "another database with --db",
			 path);
}

/* Of the call that failed; SQLite does not remember it on every way out. */
static int system_errno_of(sqlite3 *db, int rc)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	int err = db ? sqlite3_system_errno(db) : 0;

	if (!err && (rc & 0xff) == SQLITE_IOERR && vfs && vfs->xGetLastError)
		err = vfs->xGetLastError(vfs, 0, NULL);
	return err;
}

int store_fail_at(const char *path, sqlite3 *db, struct diag *d, int rc)
{
	int system_errno = system_errno_of(db, rc);

	for (size_t i = 0; i < ARRAY_SIZE(failures); i++)
		if (failures[i].rc == rc || failures[i].rc == (rc & 0xff))
			return diag_fail(d, failures[i].err, "%s: %s", path, failures[i].text);
	if ((rc & 0xff) == SQLITE_READONLY || (rc & 0xff) == SQLITE_CANTOPEN ||
	    (rc & 0xff) == SQLITE_PERM)
		return fail_access(path, d, system_errno);
	if ((rc & 0xff) == SQLITE_IOERR && (system_errno == ENOSPC || system_errno == EDQUOT))
		return fail_access(path, d, system_errno);
	return diag_fail(d, -EIO,
			 "%s: reading or writing it failed (%s%s%s); what was recorded before is "
			 "kept. See the kernel's log for its disk, then try again",
			 path, sqlite3_errstr(rc), system_errno ? ": " : "",
			 system_errno ? strerror(system_errno) : "");
}

int store_fail(const struct store *s, struct diag *d, int rc)
{
	return store_fail_at(s->path, s->db, d, rc);
}

int store_malformed(const struct store *s, struct diag *d, const char *what)
{
	return diag_fail(d, -EUCLEAN,
			 "%s: the database is corrupt (%s); restore a backup, or let `nandlife "
			 "record` move it aside and start anew",
			 s->path, what);
}

int store_no_memory(struct diag *d)
{
	return diag_fail(d, -ENOMEM, "out of memory");
}

int store_exec(struct store *s, const char *text, struct diag *d)
{
	int rc = sqlite3_exec(s->db, text, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : store_fail(s, d, rc);
}

/* --- statements ------------------------------------------------------------------------------ */

int statement_get(struct store *s, enum statement id, struct diag *d, sqlite3_stmt **ret)
{
	int rc;

	if (!s->statements[id]) {
		rc = sqlite3_prepare_v3(s->db, sql[id], -1, SQLITE_PREPARE_PERSISTENT,
					&s->statements[id], NULL);
		if (rc != SQLITE_OK)
			return store_fail(s, d, rc);
	}
	*ret = s->statements[id];
	return 0;
}

void statement_end(sqlite3_stmt **st)
{
	if (*st)
		sqlite3_reset(*st);
	*st = NULL;
}

int statement_step(struct store *s, sqlite3_stmt *st, struct diag *d)
{
	int rc = sqlite3_step(st);

	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : store_fail(s, d, rc);
}

int statement_run(struct store *s, sqlite3_stmt *st, struct diag *d)
{
	int err;

	do
		err = statement_step(s, st, d);
	while (err == 1);
	return err;
}

/* Binding what lives elsewhere allocates nothing, so it fails only for a wrong number. */
static void bound(int rc)
{
	assert(rc == SQLITE_OK);
	(void)rc;
}

void bind_number(sqlite3_stmt *st, int i, int64_t v)
{
	bound(sqlite3_bind_int64(st, i, v));
}

void bind_text(sqlite3_stmt *st, int i, const char *text)
{
	bound(sqlite3_bind_text(st, i, text, -1, SQLITE_STATIC));
}

void bind_bytes(sqlite3_stmt *st, int i, struct bytes b)
{
	bound(sqlite3_bind_blob64(st, i, b.len ? (const void *)b.data : "", b.len, SQLITE_STATIC));
}

void bind_null(sqlite3_stmt *st, int i)
{
	bound(sqlite3_bind_null(st, i));
}

void column_text(sqlite3_stmt *st, int i, char *ret, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(st, i);

	text_copy(ret, size, text ? text : "");
}

struct bytes column_bytes(sqlite3_stmt *st, int i)
{
	const void *data = sqlite3_column_blob(st, i);

	return bytes_of(data, data ? (size_t)sqlite3_column_bytes(st, i) : 0);
}

int row_end(const struct store *s, struct diag *d)
{
	return sqlite3_errcode(s->db) == SQLITE_NOMEM ? store_no_memory(d) : 0;
}

/* --- transactions ---------------------------------------------------------------------------- */

/* What is remembered of drives is true only as long as nobody else writes. */
static int check_data_version(struct store *s, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_DATA_VERSION, d, &st);
	int64_t version;

	if (!err)
		err = statement_step(s, st, d);
	if (err < 0)
		return err;
	version = sqlite3_column_int64(st, 0);
	if (version != s->data_version) {
		open_drives_forget(s);
		s->has_fact_ids = false;
	}
	s->data_version = version;
	return 0;
}

/* The way back is prepared first: without memory it would not be found later. */
static int begin(struct store *s, const char *text, struct diag *d)
{
	sqlite3_stmt *st;
	int err = statement_get(s, SQL_ROLLBACK, d, &st);

	return err ? err : store_exec(s, text, d);
}

static void roll_back(struct store *s)
{
	CLEANUP(statement_end) sqlite3_stmt *st = s->statements[SQL_ROLLBACK];

	/* SQLite has done it already after some errors */
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_step(st);
}

int read_begin(struct store *s, struct diag *d)
{
	return s->in_transaction ? 0 : begin(s, "BEGIN", d);
}

int read_end(struct store *s, int err)
{
	if (!s->in_transaction)
		roll_back(s);
	return err;
}

int store_begin(struct store *s, struct diag *d)
{
	int err;

	if (s->mode == STORE_READ)
		return diag_fail(d, -EACCES, "%s: it is open for reading only", s->path);
	assert(!s->in_transaction);
	err = begin(s, "BEGIN IMMEDIATE", d);
	if (err)
		return err;
	s->in_transaction = true;
	s->failed = 0;
	err = check_data_version(s, d);
	if (err)
		store_rollback(s);
	return err;
}

int store_commit(struct store *s, struct diag *d)
{
	int err = s->failed;

	if (err)
		diag_fail(d, err, "%s: a write before failed, so nothing of it is kept", s->path);
	else
		err = open_drives_flush(s, d);
	if (!err)
		err = store_exec(s, "COMMIT", d);
	if (err) {
		store_rollback(s);
		return err;
	}
	s->in_transaction = false;
	return 0;
}

void store_rollback(struct store *s)
{
	roll_back(s);
	s->in_transaction = false;
	s->failed = 0;
	open_drives_forget(s);
	s->has_fact_ids = false;
}

int write_begin(struct store *s, struct diag *d, bool *ret_own)
{
	int err = 0;

	*ret_own = false;
	if (!s->in_transaction) {
		err = store_begin(s, d);
		*ret_own = !err;
	} else if (s->failed) {
		err = diag_fail(d, s->failed, "%s: a write before failed", s->path);
	}
	return err;
}

int write_end(struct store *s, bool own, int err, struct diag *d)
{
	if (own && !err)
		return store_commit(s, d);
	if (own)
		store_rollback(s);
	else if (err)
		s->failed = err;
	return err;
}

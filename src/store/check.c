/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "store/sample.h"

/* Statements that must find nothing, and what it is if they do. */
static const struct {
	const char *sql, *fault;
} checks[] = {
	{ "SELECT 1 FROM sample LEFT JOIN raw ON raw.drive = sample.drive AND raw.number = "
	  "sample.raw_number WHERE raw.drive IS NULL LIMIT 1",
	  "a sample without the raw logs that it refers to" },
	{ "SELECT 1 FROM drive WHERE samples <> (SELECT count(*) FROM sample WHERE "
	  "sample.drive = drive.id) LIMIT 1",
	  "a drive with another number of samples than it says" },
	{ "SELECT 1 FROM pragma_foreign_key_check LIMIT 1",
	  "a row refers to one that is not there" },
};

/* SQLite's own words, or nothing. */
static int check_pages(struct store *s, struct diag *d)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, "PRAGMA integrity_check(1)", -1, &st, NULL);
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

static int check_rows(struct store *s, const char *sql, const char *fault, struct diag *d)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);
	int err = 0;

	if (rc == SQLITE_OK)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		err = store_malformed(s, d, fault);
	else if (rc != SQLITE_DONE)
		err = store_fail(s, d, rc);
	sqlite3_finalize(st);
	return err;
}

int store_check(struct store *s, struct diag *d)
{
	int err = open_drives_flush(s, d);

	if (!err)
		err = check_pages(s, d);
	for (size_t i = 0; i < ARRAY_SIZE(checks) && !err; i++)
		err = check_rows(s, checks[i].sql, checks[i].fault, d);
	return err;
}

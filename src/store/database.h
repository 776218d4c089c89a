/* SPDX-License-Identifier: MIT */
#ifndef STORE_DATABASE_H
#define STORE_DATABASE_H

#include <sqlite3.h>

#include "store/logs.h"
#include "store/statements.h"
#include "store/store.h"

/* What the files of this folder share: the open database, its statements and its errors. */

struct store {
	sqlite3 *db;
	char *path; /* with all links resolved */
	enum store_mode mode;
	bool immutable;
	bool in_transaction;  /* between store_begin and its end */
	int failed;	      /* of a write in it: it can only be rolled back */
	int64_t now;	      /* as store_open was told */
	int64_t data_version; /* changes when another process has written */
	bool has_fact_ids;
	int64_t fact_ids[FACT_COUNT]; /* rows of table fact; 0: not there yet */
	sqlite3_stmt *statements[STATEMENT_COUNT];
	struct delta delta;
	struct open_drives *drives; /* what is known of drives that were written to */
	struct pack packed, coded;  /* memory of one append */
};

/* The errno of a result code of SQLite, and what happened and what to do in d. */
int store_fail(const struct store *s, struct diag *d, int rc) MUST_USE;

/* As above for a file at path that is not open yet. */
int store_fail_at(const char *path, sqlite3 *db, struct diag *d, int rc) MUST_USE;

/* A row or column that nandlife did not write so: -EUCLEAN. */
int store_malformed(const struct store *s, struct diag *d, const char *what) MUST_USE;

int store_no_memory(struct diag *d) MUST_USE;

/* Run SQL without rows or parameters. */
int store_exec(struct store *s, const char *text, struct diag *d) MUST_USE;

/*
 * A statement ready to be bound, prepared at its first use. Declare it with
 * CLEANUP(statement_end), which makes it ready for the next one.
 */
int statement_get(struct store *s, enum statement id, struct diag *d, sqlite3_stmt **ret) MUST_USE;
void statement_end(sqlite3_stmt **st);

/* 1: a row; 0: done; or negative. */
int statement_step(struct store *s, sqlite3_stmt *st, struct diag *d) MUST_USE;

/* Run it to its end. */
int statement_run(struct store *s, sqlite3_stmt *st, struct diag *d) MUST_USE;

/* Parameters are numbered from 1, columns from 0. Texts and bytes must live until the end. */
void bind_number(sqlite3_stmt *st, int i, int64_t v);
void bind_text(sqlite3_stmt *st, int i, const char *text);
void bind_bytes(sqlite3_stmt *st, int i, struct bytes b);
void bind_null(sqlite3_stmt *st, int i);
void column_text(sqlite3_stmt *st, int i, char *ret, size_t size);
struct bytes column_bytes(sqlite3_stmt *st, int i);

/* After the columns of a row were read: -ENOMEM where one could not be. */
int row_end(const struct store *s, struct diag *d) MUST_USE;

/*
 * Around reads that must agree with each other, and around writes. Inside store_begin they do
 * nothing but to remember a failure; write_end commits its own transaction, or rolls it back where
 * err is set, and returns what came of it.
 */
int read_begin(struct store *s, struct diag *d) MUST_USE;
int read_end(struct store *s, int err);
int write_begin(struct store *s, struct diag *d, bool *ret_own) MUST_USE;
int write_end(struct store *s, bool own, int err, struct diag *d) MUST_USE;

#endif

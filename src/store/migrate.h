/* SPDX-License-Identifier: MIT */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* db/history-NNNN.sql in order: number n (from 1) brings the database from version n - 1 to n. */
struct migration {
	const char *name, *sql;
};
extern const struct migration store_migrations[];
extern const size_t store_nmigrations;

/* SQLite before 3.37 has no STRICT tables: take the word out for it. */
void migration_text(const char *sql, int sqlite_version, struct str *ret);

/* Bring the database from version `from` to the newest, inside a transaction. */
struct store;
struct diag;
int store_migrate(struct store *s, int64_t from, struct diag *d) MUST_USE;

#endif

/* SPDX-License-Identifier: MIT */
#include "store/migrate.h"

#include <stdio.h>
#include <string.h>

#include "store/database.h"
#include "store/place.h"

#define STRICT_SINCE 3037000

/* The words as the migrations write them. */
static const char *const strict_words[] = { ") STRICT, ", ") STRICT;" };

void migration_text(const char *sql, int sqlite_version, struct str *ret)
{
	while (*sql) {
		size_t skip = 0;

		for (size_t i = 0; sqlite_version < STRICT_SINCE && i < ARRAY_SIZE(strict_words);
		     i++)
			if (strncmp(sql, strict_words[i], strlen(strict_words[i])) == 0)
				skip = strlen(strict_words[i]);
		if (skip) {
			str_add(ret, sql[skip - 1] == ';' ? ");" : ") ");
			sql += skip;
		} else {
			str_add_char(ret, *sql++);
		}
	}
}

static void str_free(struct str *b)
{
	str_release(b);
}

int store_migrate(struct store *s, int64_t from, struct diag *d)
{
	CLEANUP(str_free) struct str text = { 0 };
	char pragmas[96];
	int err;

	for (size_t i = (size_t)from; i < store_nmigrations; i++)
		migration_text(store_migrations[i].sql, sqlite3_libversion_number(), &text);
	if (str_error(&text))
		return store_no_memory(d);
	snprintf(pragmas, sizeof(pragmas), "PRAGMA application_id = %d; PRAGMA user_version = %zu;",
		 STORE_APPLICATION_ID, store_nmigrations);
	err = store_exec(s, str_text(&text), d);
	return err ? err : store_exec(s, pragmas, d);
}

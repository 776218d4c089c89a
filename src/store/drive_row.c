/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "store/drives.h"

/* Columns of DRIVE_COLUMNS. */
static int read_row(struct store *s, sqlite3_stmt *st, struct diag *d, struct drive_row *ret)
{
	struct identity *i = &ret->drive.identity;
	char protocol[16];

	memset(ret, 0, sizeof(*ret));
	ret->drive.id = sqlite3_column_int64(st, 0);
	column_text(st, 1, i->serial, sizeof(i->serial));
	column_text(st, 2, i->model, sizeof(i->model));
	i->has_capacity = sqlite3_column_type(st, 3) != SQLITE_NULL;
	i->capacity_bytes = (uint64_t)sqlite3_column_int64(st, 3);
	column_text(st, 4, protocol, sizeof(protocol));
	i->protocol = protocol_of(protocol);
	column_text(st, 5, i->firmware, sizeof(i->firmware));
	column_text(st, 6, i->wwn, sizeof(i->wwn));
	column_text(st, 7, i->vendor, sizeof(i->vendor));
	column_text(st, 8, i->smartctl_family, sizeof(i->smartctl_family));
	i->logical_block_bytes = (uint32_t)sqlite3_column_int64(st, 9);
	i->rotational = (int8_t)sqlite3_column_int(st, 10);
	i->incomplete = sqlite3_column_int(st, 11);
	column_text(st, 12, i->path, sizeof(i->path));
	column_text(st, 13, ret->via, sizeof(ret->via));
	column_text(st, 14, i->by_id, sizeof(i->by_id));
	column_text(st, 15, i->location, sizeof(i->location));
	column_text(st, 16, i->array, sizeof(i->array));
	ret->drive.nsamples = (uint64_t)sqlite3_column_int64(st, 17);
	ret->drive.first_time = sqlite3_column_int64(st, 18);
	ret->drive.last_time = sqlite3_column_int64(st, 19);
	ret->has_live = sqlite3_column_type(st, 20) != SQLITE_NULL;
	ret->last_live = sqlite3_column_int64(st, 20);
	ret->drive.last_seen_here = ret->has_live ? ret->last_live : TIME_UNKNOWN;
	return row_end(s, d);
}

int drive_rows_read(struct store *s, sqlite3_stmt *st, struct diag *d, struct drive_row **ret,
		    size_t *ret_n)
{
	CLEANUP(cleanup_free) struct drive_row *rows = NULL;
	size_t n = 0, cap = 0;
	int err;

	while ((err = statement_step(s, st, d)) == 1) {
		if (n == cap) {
			size_t more = cap ? cap * 2 : 4;
			struct drive_row *grown = realloc(rows, more * sizeof(*rows));

			if (!grown)
				return store_no_memory(d);
			rows = grown;
			cap = more;
		}
		err = read_row(s, st, d, &rows[n]);
		if (err)
			return err;
		n++;
	}
	if (err)
		return err;
	*ret = rows;
	*ret_n = n;
	rows = NULL;
	return 0;
}

/* --- which drive is it? ---------------------------------------------------------------------- */

static bool same_model(const struct identity *a, const struct identity *b)
{
	return !a->model[0] || !b->model[0] || strcmp(a->model, b->model) == 0;
}

static bool same_capacity(const struct identity *a, const struct identity *b)
{
	return !a->has_capacity || !b->has_capacity || a->capacity_bytes == b->capacity_bytes;
}

static bool identical(const struct identity *a, const struct identity *b)
{
	return strcmp(a->model, b->model) == 0 && a->has_capacity == b->has_capacity &&
	       same_capacity(a, b);
}

/*
 * Of drives with this serial number: the one that says the same, else the only one that does not
 * contradict. A drive whose capacity is not known takes one on only where no other drive could
 * be meant. NULL: none.
 */
static const struct drive_row *choose(const struct drive_row *rows, size_t n,
				      const struct identity *identity)
{
	const struct drive_row *fits = NULL;
	size_t nfits = 0, nmodels = 0;

	for (size_t i = 0; i < n; i++) {
		const struct identity *known = &rows[i].drive.identity;

		if (strcmp(known->serial, identity->serial) != 0 || !same_model(known, identity))
			continue;
		if (identical(known, identity))
			return &rows[i];
		nmodels++;
		if (same_capacity(known, identity)) {
			fits = &rows[i];
			nfits++;
		}
	}
	if (nfits != 1)
		return NULL;
	if (nmodels > 1 && identity->has_capacity && !fits->drive.identity.has_capacity)
		return NULL;
	return fits;
}

int drive_row_resolve(struct store *s, const struct identity *identity, struct diag *d,
		      struct drive_row *ret)
{
	CLEANUP(cleanup_free) struct drive_row *rows = NULL;
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	const struct drive_row *row;
	size_t n = 0;
	int err = statement_get(s, SQL_DRIVES_BY_SERIAL, d, &st);

	if (err)
		return err;
	bind_text(st, 1, identity->serial);
	err = drive_rows_read(s, st, d, &rows, &n);
	if (err)
		return err;
	row = choose(rows, n, identity);
	if (row)
		*ret = *row;
	else
		memset(ret, 0, sizeof(*ret));
	return 0;
}

/* --- writing --------------------------------------------------------------------------------- */

int drive_row_add(struct store *s, const struct identity *identity, struct diag *d,
		  struct drive_row *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_DRIVE_ADD, d, &st);

	if (err)
		return err;
	bind_text(st, 1, identity->serial);
	bind_text(st, 2, identity->model);
	err = statement_run(s, st, d);
	if (err)
		return err;
	memset(ret, 0, sizeof(*ret));
	ret->drive.id = sqlite3_last_insert_rowid(s->db);
	ret->drive.identity = *identity;
	ret->drive.last_seen_here = TIME_UNKNOWN;
	return 0;
}

int drive_row_set(struct store *s, const struct drive_row *row, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	const struct identity *i = &row->drive.identity;
	int err = statement_get(s, SQL_DRIVE_SET, d, &st);

	if (err)
		return err;
	bind_number(st, 1, row->drive.id);
	bind_text(st, 2, i->serial);
	bind_text(st, 3, i->model);
	if (i->has_capacity)
		bind_number(st, 4, (int64_t)i->capacity_bytes);
	else
		bind_null(st, 4);
	bind_text(st, 5, stored_protocol(i->protocol));
	bind_text(st, 6, i->firmware);
	bind_text(st, 7, i->wwn);
	bind_text(st, 8, i->vendor);
	bind_text(st, 9, i->smartctl_family);
	bind_number(st, 10, i->logical_block_bytes);
	bind_number(st, 11, i->rotational);
	bind_number(st, 12, i->incomplete);
	bind_text(st, 13, i->path);
	bind_text(st, 14, row->via);
	bind_text(st, 15, i->by_id);
	bind_text(st, 16, i->location);
	bind_text(st, 17, i->array);
	bind_number(st, 18, (int64_t)row->drive.nsamples);
	bind_number(st, 19, row->drive.first_time);
	bind_number(st, 20, row->drive.last_time);
	if (row->has_live)
		bind_number(st, 21, row->last_live);
	else
		bind_null(st, 21);
	return statement_run(s, st, d);
}

/* --- who sat here before --------------------------------------------------------------------- */

/* Latest first, as the statements sort them; the first live one that is not `row` itself. */
static int find_before(struct store *s, enum statement id, const char *place,
		       const struct drive_row *row, struct diag *d, struct drive_row *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	struct drive_row other;
	int err = statement_get(s, id, d, &st);

	if (err)
		return err;
	bind_text(st, 1, place);
	while ((err = statement_step(s, st, d)) == 1) {
		err = read_row(s, st, d, &other);
		if (err)
			return err;
		if (!other.has_live)
			break;
		if (other.drive.id == row->drive.id || strcmp(other.via, row->via) != 0)
			continue;
		/* with the same node in another slot it was renumbered, not replaced */
		if (id == SQL_DRIVES_BY_PATH && other.drive.identity.location[0])
			continue;
		*ret = other;
		return 0;
	}
	return err < 0 ? err : 0;
}

int drive_row_before(struct store *s, const struct drive_row *row, struct diag *d,
		     struct drive_row *ret)
{
	const struct identity *i = &row->drive.identity;

	memset(ret, 0, sizeof(*ret));
	if (i->location[0])
		return find_before(s, SQL_DRIVES_BY_LOCATION, i->location, row, d, ret);
	if (i->path[0])
		return find_before(s, SQL_DRIVES_BY_PATH, i->path, row, d, ret);
	return 0;
}

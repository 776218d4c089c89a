/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"
#include "store/drives.h"

#define BY_ID_FOLDER "/dev/disk/by-id/"
#define NEAR_MAX     3 /* names in the message where none fits */
#define NEAR_EDITS   3

/* --- who owns a path ------------------------------------------------------------------------- */

static int compare_places(const struct drive_row *a, const struct drive_row *b)
{
	int order = strcmp(a->drive.identity.path, b->drive.identity.path);

	return order ? order : strcmp(a->via, b->via);
}

/* Was a seen in its place later than b? */
static bool is_later(const struct drive_row *a, const struct drive_row *b)
{
	if (a->has_live != b->has_live)
		return a->has_live;
	if (a->has_live && a->last_live != b->last_live)
		return a->last_live > b->last_live;
	if (a->drive.last_time != b->drive.last_time)
		return a->drive.last_time > b->drive.last_time;
	return a->drive.id > b->drive.id;
}

static int by_place(const void *x, const void *y)
{
	const struct drive_row *a = *(const struct drive_row *const *)x;
	const struct drive_row *b = *(const struct drive_row *const *)y;
	int order = compare_places(a, b);

	if (order)
		return order;
	return is_later(a, b) ? -1 : 1;
}

/* Of drives with the same path the one that was seen there last, among all that there are. */
static int set_owners(struct drive_row *rows, size_t n, struct diag *d)
{
	CLEANUP(cleanup_free) struct drive_row **sorted = malloc((n + 1) * sizeof(*sorted));

	if (!sorted)
		return store_no_memory(d);
	for (size_t i = 0; i < n; i++)
		sorted[i] = &rows[i];
	qsort(sorted, n, sizeof(*sorted), by_place);
	for (size_t i = 0; i < n; i++)
		sorted[i]->drive.owns_path = sorted[i]->drive.identity.path[0] &&
					     (i == 0 || compare_places(sorted[i - 1], sorted[i]));
	return 0;
}

/* The same for one drive, without reading all others: dumps of many machines name one node. */
static int set_owner(struct store *s, struct drive_row *row, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err;

	if (!row->drive.identity.path[0])
		return 0;
	err = statement_get(s, SQL_PATH_OWNER, d, &st);
	if (err)
		return err;
	bind_text(st, 1, row->drive.identity.path);
	bind_text(st, 2, row->via);
	err = statement_step(s, st, d);
	if (err < 0)
		return err;
	row->drive.owns_path = err == 1 && sqlite3_column_int64(st, 0) == row->drive.id;
	return 0;
}

/* --- rows for the caller --------------------------------------------------------------------- */

static int give(const struct drive_row *rows, size_t n, struct diag *d, struct stored_drive **ret,
		size_t *ret_n)
{
	struct stored_drive *drives = malloc((n + 1) * sizeof(*drives));

	if (!drives)
		return store_no_memory(d);
	for (size_t i = 0; i < n; i++)
		drives[i] = rows[i].drive;
	*ret = drives;
	*ret_n = n;
	return 0;
}

static int all_rows(struct store *s, struct diag *d, struct drive_row **ret, size_t *ret_n)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = open_drives_flush(s, d);

	if (!err)
		err = statement_get(s, SQL_DRIVES, d, &st);
	return err ? err : drive_rows_read(s, st, d, ret, ret_n);
}

int store_drives(struct store *s, struct diag *d, struct stored_drive **ret, size_t *ret_n)
{
	CLEANUP(cleanup_free) struct drive_row *rows = NULL;
	size_t n = 0;
	int err = all_rows(s, d, &rows, &n);

	if (!err)
		err = set_owners(rows, n, d);
	return err ? err : give(rows, n, d, ret, ret_n);
}

int store_find_identity(struct store *s, const struct identity *identity, struct diag *d,
			struct stored_drive *ret)
{
	struct drive_row row = { 0 };
	int err = 0;

	if (identity->serial[0])
		err = open_drives_flush(s, d);
	if (!err && identity->serial[0])
		err = drive_row_resolve(s, identity, d, &row);
	if (!err && row.drive.id)
		err = set_owner(s, &row, d);
	if (err)
		return err;
	if (!row.drive.id)
		return diag_fail(d, -ENOENT, "%s: no drive %s in it", s->path, identity->serial);
	*ret = row.drive;
	return 0;
}

/* --- by a word ------------------------------------------------------------------------------- */

static int rows_by(struct store *s, enum statement id, const char *word, struct diag *d,
		   struct drive_row **ret, size_t *ret_n)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, id, d, &st);

	if (err)
		return err;
	bind_text(st, 1, word);
	return drive_rows_read(s, st, d, ret, ret_n);
}

/* Of rows of one place, the drive that was seen last there, for each way to read it. */
static size_t latest_each_way(struct drive_row *rows, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		size_t same = kept;

		for (size_t k = 0; k < kept; k++)
			if (strcmp(rows[k].via, rows[i].via) == 0)
				same = k;
		if (same == kept)
			rows[kept++] = rows[i];
		else if (is_later(&rows[i], &rows[same]))
			rows[same] = rows[i];
	}
	return kept;
}

/* "/dev/nvme0" of "/dev/nvme0n1": histories are of controllers. */
static bool controller_of(const char *word, char *ret, size_t size)
{
	static const char node[] = "/dev/nvme", digits[] = "0123456789";
	const char *number = word + strlen(node), *ns;

	if (!text_starts_with(word, node))
		return false;
	ns = number + strspn(number, digits);
	if (ns == number || *ns != 'n' || !ns[1] || ns[1 + strspn(ns + 1, digits)])
		return false;
	snprintf(ret, size, "%.*s", (int)(ns - word), word);
	return true;
}

/* Ways that the indexes of the database answer, each tried until one finds something. */
static int by_index(struct store *s, const char *word, struct diag *d, struct drive_row **ret,
		    size_t *ret_n)
{
	char by_id[BY_ID_MAX], node[NODE_MAX], controller[NODE_MAX] = "";
	const struct {
		enum statement id;
		const char *word;
		bool place;
	} ways[] = {
		{ SQL_DRIVES_BY_SERIAL, word, false },	  { SQL_DRIVES_BY_BY_ID, word, true },
		{ SQL_DRIVES_BY_BY_ID, by_id, true },	  { SQL_DRIVES_BY_PATH, word, true },
		{ SQL_DRIVES_BY_PATH, controller, true }, { SQL_DRIVES_BY_PATH, node, true },
		{ SQL_DRIVES_BY_LOCATION, word, true },
	};
	int err = 0;

	snprintf(by_id, sizeof(by_id), BY_ID_FOLDER "%s", word);
	snprintf(node, sizeof(node), "/dev/%s", word);
	controller_of(word, controller, sizeof(controller));
	for (size_t i = 0; i < ARRAY_SIZE(ways) && !err; i++) {
		if (!ways[i].word[0])
			continue;
		err = rows_by(s, ways[i].id, ways[i].word, d, ret, ret_n);
		if (!err && *ret_n && ways[i].place)
			*ret_n = latest_each_way(*ret, *ret_n);
		if (err || *ret_n)
			break;
		free(*ret);
		*ret = NULL;
	}
	return err;
}

const char *store_drive_name(const struct identity *i, bool capacity,
			     char ret[STORE_DRIVE_NAME_MAX])
{
	snprintf(ret, STORE_DRIVE_NAME_MAX, "%s_%s", i->model, i->serial);
	for (char *c = ret; *c; c++)
		if (*c == ' ')
			*c = '_';
	if (capacity && i->has_capacity) {
		size_t n = strlen(ret);

		snprintf(ret + n, STORE_DRIVE_NAME_MAX - n, "@%llu",
			 (unsigned long long)i->capacity_bytes);
	}
	return ret;
}

/* The name itself, or with the bus in front: "nvme-...". */
static bool ends_with_name(const char *word, const char *name)
{
	size_t word_len = strlen(word), len = strlen(name);

	if (word_len < len || !text_equal_nocase(word + word_len - len, name))
		return false;
	return word_len == len || word[word_len - len - 1] == '-';
}

static bool is_joined(const char *word, const struct identity *i)
{
	char name[STORE_DRIVE_NAME_MAX];

	return ends_with_name(word, store_drive_name(i, false, name)) ||
	       ends_with_name(word, store_drive_name(i, true, name));
}

static void near_names(const struct drive_row *rows, size_t n, const char *word, struct str *ret)
{
	char serial[SERIAL_MAX * 4];
	unsigned found = 0;

	for (size_t i = 0; i < n && found < NEAR_MAX; i++) {
		const char *known = rows[i].drive.identity.serial;

		if (text_distance(word, known) > NEAR_EDITS &&
		    !(strlen(word) >= 4 && strcasestr(known, word)))
			continue;
		text_escape(serial, sizeof(serial), known);
		str_addf(ret, "%s%s", found ? ", " : "; near: ", serial);
		found++;
	}
	if (!found)
		str_addf(ret, "; `nandlife history` lists the drives");
}

static int by_name(struct store *s, const char *word, struct diag *d, struct drive_row **ret,
		   size_t *ret_n)
{
	CLEANUP(cleanup_free) struct drive_row *rows = NULL;
	CLEANUP(str_release) struct str near = { 0 };
	size_t n = 0, kept = 0;
	int err = all_rows(s, d, &rows, &n);

	if (err)
		return err;
	if (strncmp(word, BY_ID_FOLDER, strlen(BY_ID_FOLDER)) == 0)
		word += strlen(BY_ID_FOLDER);
	near_names(rows, n, word, &near);
	for (size_t i = 0; i < n; i++)
		if (is_joined(word, &rows[i].drive.identity))
			rows[kept++] = rows[i];
	if (!kept)
		return diag_fail(d, -ENOENT, "%s: no such drive in the history (%s)%s", word,
				 s->path, str_text(&near));
	*ret = rows;
	*ret_n = kept;
	rows = NULL;
	return 0;
}

int store_find(struct store *s, const char *word, struct diag *d, struct stored_drive **ret,
	       size_t *ret_n)
{
	CLEANUP(cleanup_free) struct drive_row *rows = NULL;
	size_t n = 0;
	int err;

	if (!word[0])
		return diag_fail(d, -ENOENT, "no drive is named");
	err = open_drives_flush(s, d);
	if (!err)
		err = by_index(s, word, d, &rows, &n);
	if (!err && !n)
		err = by_name(s, word, d, &rows, &n);
	for (size_t i = 0; i < n && !err; i++)
		err = set_owner(s, &rows[i], d);
	return err ? err : give(rows, n, d, ret, ret_n);
}

/* SPDX-License-Identifier: MIT */
#include "store/sample.h"

#include <errno.h>
#include <string.h>

void sample_row_read(sqlite3_stmt *st, struct sample_row *ret)
{
	int64_t flags = sqlite3_column_int64(st, 3);

	memset(ret, 0, sizeof(*ret));
	ret->sample.time = sqlite3_column_int64(st, 0);
	ret->frame = sqlite3_column_int64(st, 1);
	ret->raw_number = sqlite3_column_int64(st, 2);
	ret->sample.live = flags & SAMPLE_LIVE;
	ret->sample.time_is_file = flags & SAMPLE_TIME_IS_FILE;
	ret->facts = column_bytes(st, 4);
	ret->has_raw = sqlite3_column_type(st, 5) != SQLITE_NULL;
	ret->raw = column_bytes(st, 5);
}

void raw_key_release(struct raw_key *k)
{
	pack_release(&k->plain);
	*k = (struct raw_key){ 0 };
}

/* One row of table raw without what it refers to. */
static int read_stored(struct store *s, int64_t drive, int64_t number, struct diag *d,
		       int64_t *ret_base, struct pack *ret)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	struct bytes b;
	int err = statement_get(s, SQL_RAW, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, number);
	err = statement_step(s, st, d);
	if (err < 0)
		return err;
	if (!err)
		return store_malformed(s, d, "raw logs that others refer to are gone");
	*ret_base = sqlite3_column_int64(st, 0);
	b = column_bytes(st, 1);
	pack_bytes(ret, b.data, b.len);
	return ret->err ? store_no_memory(d) : 0;
}

static int decode(struct store *s, struct bytes prefix, struct bytes stored, struct diag *d,
		  struct pack *ret)
{
	int err = delta_decode(&s->delta, prefix, stored, ret);

	if (err == -EUCLEAN)
		return store_malformed(s, d, "raw logs that do not decompress");
	return err ? store_no_memory(d) : 0;
}

int raw_key_read(struct store *s, int64_t drive, int64_t number, struct diag *d,
		 struct raw_key *ret)
{
	CLEANUP(pack_release) struct pack stored = { 0 };
	CLEANUP(pack_release) struct pack base_stored = { 0 };
	CLEANUP(pack_release) struct pack base = { 0 };
	CLEANUP(raw_key_release) struct raw_key key = { .number = number };
	int64_t none = 0;
	int err = read_stored(s, drive, number, d, &key.base, &stored);

	if (!err && key.base) {
		err = read_stored(s, drive, key.base, d, &none, &base_stored);
		if (!err && none)
			return store_malformed(s, d, "raw logs refer to others in a chain");
		if (!err)
			err = decode(s, bytes_of(NULL, 0), pack_view(&base_stored), d, &base);
	}
	if (!err)
		err = decode(s, pack_view(&base), pack_view(&stored), d, &key.plain);
	if (err)
		return err;
	key.stored = stored.len;
	raw_key_release(ret);
	*ret = key;
	memset(&key, 0, sizeof(key));
	return 0;
}

int sample_logs(struct store *s, const struct raw_key *key, const struct sample_row *row,
		struct diag *d, struct pack *ret)
{
	if (row->has_raw)
		return decode(s, pack_view(&key->plain), row->raw, d, ret);
	pack_clear(ret);
	pack_bytes(ret, key->plain.data, key->plain.len);
	return ret->err ? store_no_memory(d) : 0;
}

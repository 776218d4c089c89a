/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "store/adding.h"

/* A difference larger than this is kept in table raw, where it does not spread a drive's samples.
 */
#define SAMPLE_RAW_MAX 512

static int encode(struct adding *g, const struct raw_key *key, struct pack *ret)
{
	struct bytes prefix = key ? pack_view(&key->plain) : bytes_of(NULL, 0);

	return delta_encode(&g->s->delta, prefix, g->logs, ret) ? store_no_memory(g->d) : 0;
}

/* Take these logs as what the next ones are a difference to. */
static int set_key(struct adding *g, int64_t base, const struct pack *stored)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	struct open_drive *o = g->drive;
	struct raw_key key = { .number = o->next_raw, .base = base, .stored = stored->len };
	int err = statement_get(g->s, SQL_RAW_ADD, g->d, &st);

	if (err)
		return err;
	bind_number(st, 1, o->row.drive.id);
	bind_number(st, 2, key.number);
	if (base)
		bind_number(st, 3, base);
	else
		bind_null(st, 3);
	bind_bytes(st, 4, pack_view(stored));
	err = statement_run(g->s, st, g->d);
	if (err)
		return err;
	pack_bytes(&key.plain, g->logs.data, g->logs.len);
	if (key.plain.err) {
		raw_key_release(&key);
		return store_no_memory(g->d);
	}
	if (base && !o->key.base) { /* the one before was whole, and it is the base now */
		raw_key_release(&o->base);
		o->base = o->key;
		o->key = (struct raw_key){ 0 };
	}
	raw_key_release(&o->key);
	o->key = key;
	o->next_raw++;
	g->raw_number = key.number;
	g->has_raw = false;
	return 0;
}

/* A new key: a difference to the whole one, unless that saves less than half. */
static int renew_key(struct adding *g)
{
	CLEANUP(pack_release) struct pack whole = { 0 };
	CLEANUP(pack_release) struct pack part = { 0 };
	struct open_drive *o = g->drive;
	const struct raw_key *base = o->key.base ? &o->base : &o->key;
	int err = encode(g, NULL, &whole);

	if (err || !o->key.number)
		return err ? err : set_key(g, 0, &whole);
	err = encode(g, base, &part);
	if (err)
		return err;
	return part.len * 2 < whole.len ? set_key(g, base->number, &part) : set_key(g, 0, &whole);
}

int adding_encode_logs(struct adding *g)
{
	const struct raw_key *key = &g->drive->key;
	int err;

	if (!key->number)
		return renew_key(g);
	g->raw_number = key->number;
	g->has_raw = !bytes_equal(g->logs, pack_view(&key->plain));
	if (!g->has_raw)
		return 0;
	err = encode(g, key, &g->raw);
	if (err)
		return err;
	if (g->raw.len > SAMPLE_RAW_MAX || g->raw.len > (key->base ? key->stored : key->stored / 8))
		return renew_key(g);
	return 0;
}

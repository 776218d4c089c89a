/* SPDX-License-Identifier: MIT */
#include "store/logs.h"

#include <errno.h>
#include <string.h>

/*
 * Kinds of logs and states are written by name, because databases outlive the order of an
 * enumeration; differences make them free. The bytes of all logs follow behind all that describes
 * them.
 */
#define LOGS_VERSION 1

static const struct text_member {
	size_t offset, size;
} texts[] = {
#define TEXT(member)                                                                         \
	{                                                                                    \
		offsetof(struct snapshot, member), sizeof(((struct snapshot *)NULL)->member) \
	}
	TEXT(path), TEXT(by_id), TEXT(location), TEXT(array), TEXT(transport), TEXT(via),
#undef TEXT
};

void logs_pack(const struct snapshot *s, struct pack *p)
{
	pack_byte(p, LOGS_VERSION);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		pack_text(p, (const char *)s + texts[i].offset);
	pack_number(p, s->node_bytes);
	pack_number(p, s->node_block_bytes);
	pack_signed(p, s->node_rotational);
	pack_text(p, drive_state_name(s->state));
	pack_number(p, s->npaths);
	for (size_t i = 0; i < s->npaths; i++) {
		pack_text(p, s->paths[i].node);
		pack_text(p, s->paths[i].state);
	}
	pack_number(p, s->nproblems);
	for (size_t i = 0; i < s->nproblems; i++) {
		pack_signed(p, s->problems[i].err);
		pack_text(p, s->problems[i].text);
	}
	pack_number(p, s->nlogs);
	for (size_t i = 0; i < s->nlogs; i++) {
		const struct snapshot_log *log = &s->logs[i];

		pack_text(p, log_space_name(log->space));
		pack_number(p, log->id);
		pack_number(p, log->sub);
		pack_signed(p, log->err);
		if (!log->err) {
			pack_number(p, log->len);
		} else {
			pack_byte(p, log->error != NULL);
			pack_text(p, log->error ? log->error : "");
		}
	}
	for (size_t i = 0; i < s->nlogs; i++)
		if (!s->logs[i].err)
			pack_bytes(p, s->logs[i].data, s->logs[i].len);
}

static void unpack_state(struct unpack *u, struct snapshot *s)
{
	char name[32];

	unpack_text(u, name, sizeof(name));
	for (unsigned i = 0; i < DRIVE_STATE_COUNT; i++)
		if (strcmp(drive_state_name(i), name) == 0) {
			s->state = i;
			return;
		}
	u->bad = true;
}

static enum log_space unpack_space(struct unpack *u)
{
	char name[32];

	unpack_text(u, name, sizeof(name));
	for (unsigned i = 0; i < LOG_SPACE_COUNT; i++)
		if (strcmp(log_space_name(i), name) == 0)
			return i;
	u->bad = true;
	return 0;
}

static void unpack_place(struct unpack *u, struct snapshot *s)
{
	if (unpack_byte(u) != LOGS_VERSION)
		u->bad = true;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		unpack_text(u, (char *)s + texts[i].offset, texts[i].size);
	s->node_bytes = unpack_number(u, UINT64_MAX);
	s->node_block_bytes = (uint32_t)unpack_number(u, UINT32_MAX);
	s->node_rotational = (int8_t)unpack_signed(u);
	unpack_state(u, s);
	s->npaths = unpack_number(u, SNAPSHOT_PATHS_MAX);
	for (size_t i = 0; i < s->npaths; i++) {
		unpack_text(u, s->paths[i].node, sizeof(s->paths[i].node));
		unpack_text(u, s->paths[i].state, sizeof(s->paths[i].state));
	}
	s->nproblems = unpack_number(u, SNAPSHOT_PROBLEMS_MAX);
	for (size_t i = 0; i < s->nproblems; i++) {
		s->problems[i].err = (int)unpack_signed(u);
		unpack_text(u, s->problems[i].text, sizeof(s->problems[i].text));
	}
}

/*
 * One log's description from u, its bytes from data. The reason of an error has no bound of its
 * own, so it is a copy.
 */
static int unpack_log(struct unpack *u, struct unpack *data, struct snapshot *s)
{
	CLEANUP(cleanup_free) char *why = NULL;
	enum log_space space = unpack_space(u);
	uint32_t id = (uint32_t)unpack_number(u, UINT32_MAX);
	uint32_t sub = (uint32_t)unpack_number(u, UINT32_MAX);
	int64_t err = unpack_signed(u);
	struct bytes b;
	bool has_why;

	if (!err) {
		b = unpack_bytes(data, unpack_number(u, SNAPSHOT_BYTES_MAX));
		return u->bad || data->bad ? -EUCLEAN : snapshot_add(s, space, id, sub, b);
	}
	has_why = unpack_byte(u);
	b = unpack_bytes(u, unpack_number(u, SNAPSHOT_BYTES_MAX));
	if (u->bad)
		return -EUCLEAN;
	if (has_why) {
		why = calloc(1, b.len + 1);
		if (!why)
			return -ENOMEM;
		if (b.len)
			memcpy(why, b.data, b.len);
	}
	return snapshot_add_error(s, space, id, sub, (int)err, why);
}

/* Where the bytes of the logs begin: behind the descriptions of all n logs. */
static struct unpack skip_logs(struct unpack u, uint64_t n)
{
	for (uint64_t i = 0; i < n && !u.bad; i++) {
		unpack_space(&u);
		unpack_number(&u, UINT32_MAX);
		unpack_number(&u, UINT32_MAX);
		if (!unpack_signed(&u)) {
			unpack_number(&u, SNAPSHOT_BYTES_MAX);
		} else {
			unpack_byte(&u);
			unpack_bytes(&u, unpack_number(&u, SNAPSHOT_BYTES_MAX));
		}
	}
	return u;
}

int logs_unpack(struct bytes b, struct snapshot *ret)
{
	CLEANUP(snapshot_release) struct snapshot s;
	struct unpack u = { .left = b }, data;
	uint64_t n;
	int err = 0;

	snapshot_init(&s);
	unpack_place(&u, &s);
	n = unpack_number(&u, SNAPSHOT_LOGS_MAX);
	data = skip_logs(u, n);
	for (uint64_t i = 0; i < n && !err; i++)
		err = unpack_log(&u, &data, &s);
	if (!err && (u.bad || data.bad || data.left.len))
		err = -EUCLEAN;
	if (err)
		return err == -E2BIG ? -EUCLEAN : err;
	*ret = s;
	snapshot_init(&s);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "decode/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

static const char *const space_names[LOG_SPACE_COUNT] = {
#define X(e, name, ids) [e] = name,
	LOG_SPACES(X)
#undef X
};

static const char *const state_names[DRIVE_STATE_COUNT] = {
	[DRIVE_READ] = "read",		 [DRIVE_STANDBY] = "standby",
	[DRIVE_NO_SMART] = "no-smart",	 [DRIVE_UNREADABLE] = "unreadable",
	[DRIVE_ABSENT] = "absent",	 [DRIVE_HUNG] = "hung",
	[DRIVE_NO_ACCESS] = "no-access",
};

const char *log_space_name(enum log_space space)
{
	return (unsigned)space < LOG_SPACE_COUNT ? space_names[space] : "unknown";
}

const char *drive_state_name(enum drive_state state)
{
	return (unsigned)state < DRIVE_STATE_COUNT ? state_names[state] : "unknown";
}

void snapshot_init(struct snapshot *s)
{
	memset(s, 0, offsetof(struct snapshot, problems));
	s->time = TIME_UNKNOWN;
	s->node_rotational = -1;
}

void snapshot_release(struct snapshot *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nlogs; i++) {
		free(s->logs[i].error);
		free(s->logs[i].data);
		json_release(&s->logs[i].json);
	}
	free(s->logs);
	snapshot_init(s);
}

static size_t bytes_held(const struct snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nlogs; i++)
		n += s->logs[i].len;
	return n;
}

/* Takes over log->data and log->error, also on failure. */
static int append(struct snapshot *s, struct snapshot_log *log)
{
	CLEANUP(cleanup_free) uint8_t *data = log->data;
	CLEANUP(cleanup_free) char *error = log->error;
	struct snapshot_log *logs;

	if (s->nlogs >= SNAPSHOT_LOGS_MAX || log->len > SNAPSHOT_BYTES_MAX - bytes_held(s))
		return -E2BIG;
	logs = realloc(s->logs, (s->nlogs + 1) * sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	s->logs = logs;
	s->logs[s->nlogs++] = *log;
	data = NULL;
	error = NULL;
	return 0;
}

int snapshot_add(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub,
		 struct bytes data)
{
	struct snapshot_log log = { .space = space, .id = id, .sub = sub, .len = data.len };

	if (data.len > SNAPSHOT_BYTES_MAX)
		return -E2BIG;
	log.data = malloc(data.len + 1); /* also for no bytes: NULL means "not read" */
	if (!log.data)
		return -ENOMEM;
	if (data.len)
		memcpy(log.data, data.data, data.len);
	log.data[data.len] = '\0';
	return append(s, &log);
}

int snapshot_add_error(struct snapshot *s, enum log_space space, uint32_t id, uint32_t sub, int err,
		       const char *why)
{
	struct snapshot_log log = { .space = space, .id = id, .sub = sub, .err = err };

	if (why) {
		log.error = strdup(why);
		if (!log.error)
			return -ENOMEM;
	}
	return append(s, &log);
}

void snapshot_add_problem(struct snapshot *s, int err, const char *fmt, ...)
{
	char text[sizeof(s->problems[0].text)];
	struct snapshot_problem *p;
	va_list ap;

	if (s->nproblems >= SNAPSHOT_PROBLEMS_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	p = &s->problems[s->nproblems++];
	p->err = err;
	text_escape(p->text, sizeof(p->text), text);
}

struct bytes snapshot_find(const struct snapshot *s, enum log_space space, uint32_t id,
			   uint32_t sub)
{
	for (size_t i = 0; i < s->nlogs; i++) {
		const struct snapshot_log *log = &s->logs[i];

		if (log->space == space && log->id == id && log->sub == sub && log->data)
			return bytes_of(log->data, log->len);
	}
	return bytes_of(NULL, 0);
}

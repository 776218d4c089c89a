/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/text.h"
#include "base/units.h"
#include "decode/snapshot.h"
#include "doc/doc.h"

/*
 * One drive's object in a capture. Strings from a system can hold any bytes: such a string has its
 * bytes in hexadecimal beside it ("path_hex"), as everywhere in nandlife's JSON.
 */

#define ERRNO_MAX 4095 /* the kernel's own limit */

/* Numbers of errors differ between machines: a capture has their names. */
#define NAMED(e)                        \
	{                               \
		.name = #e, .number = e \
	}
static const struct {
	const char *name;
	int number;
} errors[] = {
	NAMED(EPERM),	     NAMED(ENOENT),	  NAMED(EINTR),	       NAMED(EIO),
	NAMED(ENXIO),	     NAMED(E2BIG),	  NAMED(EBADF),	       NAMED(EAGAIN),
	NAMED(ENOMEM),	     NAMED(EACCES),	  NAMED(EFAULT),       NAMED(ENOTBLK),
	NAMED(EBUSY),	     NAMED(EEXIST),	  NAMED(ENODEV),       NAMED(EINVAL),
	NAMED(EMFILE),	     NAMED(ENOTTY),	  NAMED(EFBIG),	       NAMED(ENOSPC),
	NAMED(EROFS),	     NAMED(EPIPE),	  NAMED(EDOM),	       NAMED(ERANGE),
	NAMED(EDEADLK),	     NAMED(ENAMETOOLONG), NAMED(ENOSYS),       NAMED(ENODATA),
	NAMED(ETIME),	     NAMED(ENOLINK),	  NAMED(EPROTO),       NAMED(EBADMSG),
	NAMED(EOVERFLOW),    NAMED(EILSEQ),	  NAMED(EOPNOTSUPP),   NAMED(EADDRNOTAVAIL),
	NAMED(ENETDOWN),     NAMED(ENETUNREACH),  NAMED(ECONNABORTED), NAMED(ECONNRESET),
	NAMED(ENOBUFS),	     NAMED(ENOTCONN),	  NAMED(ESHUTDOWN),    NAMED(ETIMEDOUT),
	NAMED(ECONNREFUSED), NAMED(EHOSTDOWN),	  NAMED(EHOSTUNREACH), NAMED(EALREADY),
	NAMED(EINPROGRESS),  NAMED(ESTALE),	  NAMED(EREMOTEIO),    NAMED(ENOMEDIUM),
	NAMED(EMEDIUMTYPE),  NAMED(ECANCELED),	  NAMED(ENOKEY),       NAMED(EKEYREJECTED),
	NAMED(EHWPOISON),
};

/* "EIO"; "E2048" for an error without a name here; null for a remark without an error. */
static void add_errno(struct doc *o, int err)
{
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (errors[i].number == -err) {
			doc_string(o, "error", errors[i].name);
			return;
		}
	if (err < 0)
		doc_stringf(o, "error", "E%d", -err);
	else
		doc_null(o, "error");
}

/* 0: the text is no name of an error. */
static int errno_of(const char *name)
{
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (strcmp(errors[i].name, name) == 0)
			return -errors[i].number;
	if (name[0] == 'E' && parse_u64(name + 1, ERRNO_MAX, &number) == 0)
		return -(int)number;
	return 0;
}

static char *hex_text(struct bytes b)
{
	static const char digits[] = "0123456789abcdef";
	char *text = malloc(b.len * 2 + 1);

	if (!text)
		return NULL;
	for (size_t i = 0; i < b.len; i++) {
		text[2 * i] = digits[b.data[i] >> 4];
		text[2 * i + 1] = digits[b.data[i] & 15];
	}
	text[b.len * 2] = '\0';
	return text;
}

static int add_log(struct doc *logs, const struct snapshot_log *log)
{
	CLEANUP(cleanup_free) char *text = NULL;
	struct doc *o = doc_object(logs, NULL);

	doc_string(o, "space", log_space_name(log->space));
	doc_integer(o, "id", log->id, UNIT_NONE);
	doc_integer(o, "sub", log->sub, UNIT_NONE);
	if (log->err) {
		add_errno(o, log->err);
		doc_string(o, "why", log->error);
		return 0;
	}
	text = hex_text(bytes_of(log->data, log->len));
	if (!text)
		return -ENOMEM;
	doc_string(o, "data", text);
	return 0;
}

int snapshot_to_doc(const struct snapshot *s, struct doc *drive)
{
	char when[TIME_TEXT];
	struct doc *list, *o;
	int err = 0;

	doc_string(drive, "time", s->time == TIME_UNKNOWN ? NULL : time_format(s->time, when));
	doc_bool(drive, "time_is_file", s->time_is_file);
	if (s->live)
		doc_bool(drive, "live", true);
	if (*s->serial)
		doc_string(drive, "serial", s->serial);
	doc_string(drive, "path", s->path);
	doc_string(drive, "by_id", s->by_id);
	doc_string(drive, "location", s->location);
	doc_string(drive, "array", s->array);
	doc_string(drive, "transport", s->transport);
	doc_string(drive, "via", s->via);
	doc_integer(drive, "node_bytes", s->node_bytes, UNIT_NONE);
	doc_integer(drive, "node_block_bytes", s->node_block_bytes, UNIT_NONE);
	if (s->node_rotational < 0)
		doc_null(drive, "node_rotational");
	else
		doc_bool(drive, "node_rotational", s->node_rotational);
	doc_string(drive, "state", drive_state_name(s->state));
	list = doc_array(drive, "paths");
	for (size_t i = 0; i < s->npaths; i++) {
		o = doc_object(list, NULL);
		doc_string(o, "node", s->paths[i].node);
		doc_string(o, "state", s->paths[i].state);
	}
	list = doc_array(drive, "problems");
	for (size_t i = 0; i < s->nproblems; i++) {
		o = doc_object(list, NULL);
		add_errno(o, s->problems[i].err);
		doc_string(o, "text", s->problems[i].text);
	}
	list = doc_array(drive, "logs");
	for (size_t i = 0; i < s->nlogs && !err; i++)
		err = add_log(list, &s->logs[i]);
	return err;
}

int snapshot_write_json(const struct snapshot *s, struct str *out)
{
	CLEANUP(doc_release) struct doc *drive = doc_new();
	int err = drive ? snapshot_to_doc(s, drive) : -ENOMEM;

	if (!err)
		err = doc_error(drive);
	if (err)
		return err;
	doc_render_json(drive, out);
	return str_error(out);
}

/* --- reading --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Lower case only: what is written again must be the same to the byte. */
static int hex_bytes(const char *text, size_t max, struct diag *d, const char *key, uint8_t **ret,
		     size_t *ret_len)
{
	CLEANUP(cleanup_free) uint8_t *data = NULL;
	size_t len = strlen(text) / 2;

	if (strlen(text) % 2)
		return diag_fail(d, -EINVAL, "\"%s\" has an odd number of digits", key);
	if (len > max)
		return diag_fail(d, -E2BIG, "\"%s\" is longer than %zu bytes", key, max);
	data = malloc(len + 1);
	if (!data)
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return diag_fail(d, -EINVAL, "\"%s\": no hexadecimal digits at %zu", key,
					 2 * i);
		data[i] = (uint8_t)(high << 4 | low);
	}
	data[len] = '\0';
	*ret = data;
	*ret_len = len;
	data = NULL;
	return 0;
}

/* As read_string, from the bytes that stand beside a string that is not clean. */
static int read_hex_string(const cJSON *v, const char *key, struct diag *d, char *dst, size_t size)
{
	CLEANUP(cleanup_free) uint8_t *bytes = NULL;
	const char *text = json_string(v);
	size_t len = 0;
	int err;

	if (!text)
		return diag_fail(d, -EINVAL, "\"%s\" is no string", key);
	err = hex_bytes(text, size - 1, d, key, &bytes, &len);
	if (err || !bytes)
		return err;
	memcpy(dst, bytes, len + 1);
	return 0;
}

/* A string member of at most size - 1 bytes; absent or null leaves dst empty. */
static int read_string(const cJSON *o, const char *key, struct diag *d, char *dst, size_t size)
{
	const cJSON *v = json_member(o, key);
	const char *text;
	char hex_key[32];

	if (!v || cJSON_IsNull(v))
		return 0;
	snprintf(hex_key, sizeof(hex_key), "%s_hex", key);
	if (json_member(o, hex_key))
		return read_hex_string(json_member(o, hex_key), hex_key, d, dst, size);
	text = json_string(v);
	if (!text)
		return diag_fail(d, -EINVAL, "\"%s\" is no string", key);
	if (!text_copy(dst, size, text))
		return diag_fail(d, -E2BIG, "\"%s\" is longer than %zu bytes", key, size - 1);
	return 0;
}

static int read_number(const cJSON *o, const char *key, uint64_t max, struct diag *d, uint64_t *ret)
{
	const cJSON *v = json_member(o, key);
	char exact_key[32];
	i128 n;

	snprintf(exact_key, sizeof(exact_key), "%s_str", key);
	if (json_member(o, exact_key))
		v = json_member(o, exact_key);
	if (!v)
		return 0;
	if (!json_integer(v, &n) || n < 0 || (u128)n > max)
		return diag_fail(d, -EINVAL, "\"%s\" is no number from 0 to %llu", key,
				 (unsigned long long)max);
	*ret = (uint64_t)n;
	return 0;
}

static int read_bool(const cJSON *o, const char *key, struct diag *d, int8_t *ret)
{
	const cJSON *v = json_member(o, key);

	if (!v || cJSON_IsNull(v))
		return 0;
	if (!cJSON_IsBool(v))
		return diag_fail(d, -EINVAL, "\"%s\" is neither true nor false", key);
	*ret = cJSON_IsTrue(v) ? 1 : 0;
	return 0;
}

static int read_errno(const cJSON *o, struct diag *d, int *ret)
{
	const cJSON *v = json_member(o, "error");
	const char *name = json_string(v);

	if (!v || cJSON_IsNull(v))
		return 0;
	*ret = name ? errno_of(name) : 0;
	if (!*ret)
		return diag_fail(d, -EINVAL, "\"error\" names no error");
	return 0;
}

static int read_log(const cJSON *o, struct diag *d, struct snapshot *s)
{
	CLEANUP(cleanup_free) uint8_t *data = NULL;
	const char *space = json_string(json_member(o, "space"));
	const cJSON *hex = json_member(o, "data");
	char why[512] = "";
	unsigned sp = 0;
	uint64_t id = 0, sub = 0;
	size_t len = 0;
	int err, log_err = 0;

	while (space && sp < LOG_SPACE_COUNT && strcmp(log_space_name(sp), space) != 0)
		sp++;
	if (!space || sp == LOG_SPACE_COUNT)
		return diag_fail(d, -EINVAL, "\"space\" names no kind of log");
	err = read_number(o, "id", UINT32_MAX, d, &id);
	if (!err)
		err = read_number(o, "sub", UINT32_MAX, d, &sub);
	if (!err)
		err = read_string(o, "why", d, why, sizeof(why));
	if (!err)
		err = read_errno(o, d, &log_err);
	if (err)
		return err;
	if (log_err)
		return snapshot_add_error(s, sp, (uint32_t)id, (uint32_t)sub, log_err,
					  why[0] ? why : NULL);
	if (hex && !cJSON_IsNull(hex)) {
		if (!json_string(hex))
			return diag_fail(d, -EINVAL, "\"data\" is no string");
		err = hex_bytes(json_string(hex), SNAPSHOT_BYTES_MAX, d, "data", &data, &len);
		if (err)
			return err;
	}
	return snapshot_add(s, sp, (uint32_t)id, (uint32_t)sub, bytes_of(data, len));
}

static int read_path(const cJSON *o, struct diag *d, struct snapshot *s)
{
	struct snapshot_path *p = &s->paths[s->npaths];
	int err;

	if (s->npaths >= SNAPSHOT_PATHS_MAX)
		return -E2BIG;
	*p = (struct snapshot_path){ 0 };
	err = read_string(o, "node", d, p->node, sizeof(p->node));
	if (!err)
		err = read_string(o, "state", d, p->state, sizeof(p->state));
	s->npaths += !err;
	return err;
}

static int read_problem(const cJSON *o, struct diag *d, struct snapshot *s)
{
	struct snapshot_problem *p = &s->problems[s->nproblems];
	int err;

	if (s->nproblems >= SNAPSHOT_PROBLEMS_MAX)
		return -E2BIG;
	*p = (struct snapshot_problem){ 0 };
	err = read_errno(o, d, &p->err);
	if (!err)
		err = read_string(o, "text", d, p->text, sizeof(p->text));
	s->nproblems += !err;
	return err;
}

/* Each element of a list by one of the functions above; says which one was wrong. */
static int read_list(const cJSON *drive, const char *key, struct diag *d, struct snapshot *s,
		     int (*read)(const cJSON *o, struct diag *d, struct snapshot *s))
{
	const cJSON *list = json_member(drive, key), *o;
	struct diag inner = { 0 };
	size_t n = 0;
	int err;

	if (!list)
		return 0;
	if (!cJSON_IsArray(list))
		return diag_fail(d, -EINVAL, "\"%s\" is no list", key);
	cJSON_ArrayForEach(o, list)
	{
		err = cJSON_IsObject(o) ? read(o, &inner, s)
					: diag_fail(&inner, -EINVAL, "no object");
		if (err == -E2BIG && !inner.err)
			diag_fail(&inner, err, "more than a snapshot holds");
		if (err)
			return diag_fail(d, err, "\"%s\", element %zu: %s", key, n,
					 inner.err ? inner.text : "out of memory");
		n++;
	}
	return 0;
}

static int read_time(const cJSON *drive, struct diag *d, struct snapshot *s)
{
	char text[TIME_TEXT] = "";
	int8_t live = 0, is_file = 0;
	int err = read_string(drive, "time", d, text, sizeof(text));

	if (!err && text[0] && time_parse(text, &s->time))
		err = diag_fail(d, -EINVAL, "\"time\" is no RFC 3339 time");
	if (!err)
		err = read_bool(drive, "time_is_file", d, &is_file);
	if (!err)
		err = read_bool(drive, "live", d, &live);
	s->time_is_file = is_file;
	s->live = live == 1;
	return err;
}

static int read_state(const cJSON *drive, struct diag *d, struct snapshot *s)
{
	char text[32] = "";
	int err = read_string(drive, "state", d, text, sizeof(text));

	for (unsigned i = 0; !err && i < DRIVE_STATE_COUNT; i++)
		if (strcmp(drive_state_name(i), text) == 0) {
			s->state = i;
			return 0;
		}
	return err ? err : diag_fail(d, -EINVAL, "\"state\" names no state of a drive");
}

static int read_node(const cJSON *drive, struct diag *d, struct snapshot *s)
{
	uint64_t block = 0;
	int err = read_number(drive, "node_bytes", UINT64_MAX, d, &s->node_bytes);

	if (!err)
		err = read_number(drive, "node_block_bytes", UINT32_MAX, d, &block);
	s->node_block_bytes = (uint32_t)block;
	return err ? err : read_bool(drive, "node_rotational", d, &s->node_rotational);
}

int snapshot_read_json(const struct cJSON *drive, struct diag *d, struct snapshot *ret)
{
	CLEANUP(snapshot_release) struct snapshot s;
	const struct {
		const char *key;
		char *dst;
		size_t size;
	} strings[] = {
		{ "serial", s.serial, sizeof(s.serial) },
		{ "path", s.path, sizeof(s.path) },
		{ "by_id", s.by_id, sizeof(s.by_id) },
		{ "location", s.location, sizeof(s.location) },
		{ "array", s.array, sizeof(s.array) },
		{ "transport", s.transport, sizeof(s.transport) },
		{ "via", s.via, sizeof(s.via) },
	};
	int err;

	snapshot_init(&s);
	if (!cJSON_IsObject(drive))
		return diag_fail(d, -EINVAL, "a drive of a capture is no JSON object");
	err = read_time(drive, d, &s);
	for (size_t i = 0; i < ARRAY_SIZE(strings) && !err; i++)
		err = read_string(drive, strings[i].key, d, strings[i].dst, strings[i].size);
	if (!err)
		err = read_node(drive, d, &s);
	if (!err)
		err = read_state(drive, d, &s);
	if (!err)
		err = read_list(drive, "paths", d, &s, read_path);
	if (!err)
		err = read_list(drive, "problems", d, &s, read_problem);
	if (!err)
		err = read_list(drive, "logs", d, &s, read_log);
	if (err)
		return err;
	*ret = s;
	snapshot_init(&s);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/dump.h"

/*
 * What kind of file a dump is, and the drives in it. JSON is taken object by object, whether they
 * stand one a line, in an array, pretty-printed one after the other or behind other text; each
 * byte is looked at a fixed number of times, so that a long file of many drives takes linear time.
 */

struct dump_reader {
	struct dump_source source;
	const struct dump_taker *taker;
	size_t ndrives, nothers;
	size_t line; /* where the object in hand starts */
	/* text that may yet turn out to be no JSON at all: only the first mistake is kept */
	bool unsure;
	size_t bad, bad_line;
	struct diag first_bad;
};

/* Takes over the snapshot, also on failure. */
static int give(struct dump_reader *in, struct snapshot *s)
{
	int err = in->taker->take(in->taker->arg, s, in->line);

	if (!err)
		in->ndrives++;
	return err;
}

/*
 * A drive that consists of one dump. Takes over *json (its parsed text; json may be NULL), also on
 * failure.
 */
static int add_dump(struct dump_reader *in, enum log_space space, struct bytes text, cJSON **json,
		    int64_t time, const char *path, struct diag *d)
{
	struct snapshot s;
	int err;

	snapshot_init(&s);
	err = snapshot_add(&s, space, 0, 0, text);
	if (err)
		return diag_fail(d, err, "%zu bytes are too many for one drive", text.len);
	s.state = DRIVE_READ;
	s.time_is_file = time == TIME_UNKNOWN;
	s.time = s.time_is_file ? in->source.time : time;
	if (path)
		text_copy(s.path, sizeof(s.path), path);
	if (json) {
		s.logs[0].json = *json;
		*json = NULL;
	}
	return give(in, &s);
}

static int add_capture(struct dump_reader *in, const cJSON *root, struct diag *d)
{
	const cJSON *drive, *drives = json_member(root, "drives");

	cJSON_ArrayForEach(drive, drives)
	{
		struct snapshot s;
		int err = snapshot_read_json(drive, d, &s);

		if (!err)
			err = give(in, &s);
		if (err)
			return err;
	}
	return 0;
}

struct listed {
	struct dump_reader *in;
	struct diag *d;
};

/* One drive out of a list, as JSON of its own. */
static int add_listed(void *ctx, const cJSON *drive)
{
	const struct listed *l = ctx;
	CLEANUP(cleanup_free) char *text = cJSON_PrintUnformatted(drive);
	char path[NODE_MAX] = "";

	if (!text)
		return -ENOMEM;
	nvme_cli_list_path(drive, path, sizeof(path));
	return add_dump(l->in, SPACE_NVME_CLI_JSON, bytes_of(text, strlen(text)), NULL,
			TIME_UNKNOWN, path, l->d);
}

static int unknown_kind(struct diag *d)
{
	return diag_fail(d, -EINVAL, "no capture, smartctl or nvme-cli output, or skdump blob");
}

/* One JSON value of whatever kind; *root, its tree, may be taken over. */
static int add_value(struct dump_reader *in, struct bytes text, cJSON **root, struct diag *d)
{
	const char *schema = json_string(json_member(*root, "schema"));
	struct listed listed = { in, d };
	int err = -EINVAL;
	char path[NODE_MAX] = "";
	const char *name;

	if (schema && text_starts_with(schema, "nandlife.capture/"))
		return add_capture(in, *root, d);
	if (smartctl_json_accepts(*root)) {
		name = json_string(json_path(*root, "device.name"));
		if (name)
			text_copy(path, sizeof(path), name);
		return add_dump(in, SPACE_SMARTCTL_JSON, text, root, smartctl_json_time(*root),
				path, d);
	}
	if (nvme_cli_accepts(*root))
		return add_dump(in, SPACE_NVME_CLI_JSON, text, root, TIME_UNKNOWN, NULL, d);
	if (nvme_cli_list_accepts(*root))
		return nvme_cli_list_each(*root, add_listed, &listed);
	if (in->taker->other)
		err = in->taker->other(in->taker->arg, *root, in->line, d);
	in->nothers += !err;
	return err == -EINVAL ? unknown_kind(d) : err;
}

/* Errors that end the reading of a file; others are of one object. */
static bool is_fatal(const struct dump_reader *in, int err)
{
	return err == -ENOMEM || err == in->taker->stop;
}

/* Tells of an object that could not be taken. Lines in `d` count from the start of the object. */
static void tell_bad(struct dump_reader *in, const struct diag *d)
{
	if (in->unsure && in->bad++)
		return;
	if (!in->unsure) {
		in->bad++;
		in->taker->bad(in->taker->arg, in->line, d);
		return;
	}
	in->bad_line = in->line;
	in->first_bad = *d;
}

/*
 * The line end at i stands within an open object, and the next line starts with a brace: is that
 * another object, so that this one is broken? So it is in JSON Lines and where lines within an
 * object are indented; without indentation, a brace may open what a list or a key asks for.
 */
static bool is_broken_at(struct bytes text, size_t i, size_t first_line)
{
	uint8_t inner = bytes_has(text, first_line + 1, 1) ? text.data[first_line + 1] : 0;

	if (!bytes_has(text, i + 1, 1) || text.data[i + 1] != '{')
		return false;
	if (i == first_line || inner == ' ' || inner == '\t')
		return true;
	if (text.data[i - 1] == '\r')
		i--;
	return !memchr("[,:", text.data[i - 1], 3);
}

/* Length of the object at the start of text, or of what is there of a broken one. */
static size_t object_length(struct bytes text)
{
	size_t depth = 0, first_line = 0;
	bool quoted = false;

	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.data[i];

		if (c == '\n') {
			first_line = first_line ? first_line : i;
			if ((depth || quoted) && is_broken_at(text, i, first_line))
				return i;
		}
		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (c == '{' || c == '['))
			depth++;
		else if (!quoted && (c == '}' || c == ']') && depth && --depth == 0)
			return i + 1;
	}
	return text.len;
}

/* Where the next object starts: the first brace that begins a line, or stands behind "[" or ",". */
static size_t find_object(struct bytes text, size_t at)
{
	bool may_start = true;

	for (; at < text.len; at++) {
		uint8_t c = text.data[at];

		if (c == '{' && may_start)
			return at;
		if (c == '\n')
			may_start = true;
		else if (c != ' ' && c != '\t' && c != '\r' && c != '[' && c != ',')
			may_start = false;
	}
	return text.len;
}

static size_t count_lines(struct bytes text, size_t from, size_t to)
{
	size_t n = 0;

	while (from < to) {
		const uint8_t *end = memchr(text.data + from, '\n', to - from);

		if (!end)
			break;
		n++;
		from = (size_t)(end - text.data) + 1;
	}
	return n;
}

/*
 * The object at `at`: its length, and its tree unless it is broken. An object on a line of its own,
 * as in JSON Lines, is parsed right away; else its end is looked for first, so that a broken one
 * does not take those behind it along.
 */
static int read_object(struct bytes text, size_t at, struct diag *d, cJSON **ret, size_t *ret_len)
{
	struct bytes rest = bytes_slice(text, at, text.len);
	const uint8_t *end = memchr(rest.data, '\n', rest.len);

	if (at == 0 || text.data[at - 1] == '\n') {
		struct bytes line = bytes_slice(rest, 0,
						end ? (size_t)(end - rest.data) : rest.len);
		int err = json_parse(line, JSON_LENIENT, NULL, ret, ret_len);

		if (err != -EINVAL)
			return err;
	}
	*ret_len = object_length(rest);
	return json_parse(bytes_slice(rest, 0, *ret_len), JSON_LENIENT, d, ret, NULL);
}

static int add_objects(struct dump_reader *in, struct bytes text)
{
	size_t at = find_object(text, 0), counted = 0;

	while (at < text.len) {
		CLEANUP(json_release) cJSON *root = NULL;
		struct diag d = { 0 };
		size_t len = 0;
		int err;

		in->line += count_lines(text, counted, at);
		counted = at;
		err = read_object(text, at, &d, &root, &len);
		if (!err)
			err = add_value(in, bytes_slice(text, at, len), &root, &d);
		if (is_fatal(in, err))
			return err;
		if (err)
			tell_bad(in, &d);
		at = find_object(text, at + len);
	}
	in->line += count_lines(text, counted, text.len);
	return 0;
}

/* Does a line start with one of these? At the end of the words a number may be asked for. */
static bool line_starts(struct bytes text, size_t at, const char *words)
{
	size_t n = strlen(words);

	return bytes_has(text, at, n) && memcmp(text.data + at, words, n) == 0;
}

static size_t line_after(struct bytes text, size_t at)
{
	const uint8_t *end = memchr(text.data + at, '\n', text.len - at);

	return end ? (size_t)(end - text.data) + 1 : text.len;
}

/* "smartctl 7.4 2023-08-01 ..." */
static bool is_banner(struct bytes text, size_t at)
{
	static const char words[] = "smartctl ";

	at += line_starts(text, at, words) ? sizeof(words) - 1 : text.len - at;
	if (line_starts(text, at, "version "))
		at += sizeof("version ") - 1;
	return at < text.len && text.data[at] >= '0' && text.data[at] <= '9';
}

static bool is_information(struct bytes text, size_t at)
{
	return line_starts(text, at, "=== START OF INFORMATION SECTION");
}

/* Lines that only smartctl writes: enough where somebody cut the beginning off. */
static bool is_smartctl_text(struct bytes text)
{
	static const char *const marks[] = { "=== START OF ", "ID# ATTRIBUTE_NAME",
					     "SMART/Health Information",
					     "Smartctl open device:", "Device Statistics (" };

	for (size_t at = 0; at < text.len; at = line_after(text, at)) {
		if (is_banner(text, at))
			return true;
		for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
			if (line_starts(text, at, marks[i]))
				return true;
	}
	return false;
}

static int add_text_of_one(struct dump_reader *in, struct bytes drive)
{
	struct diag d = { 0 };
	int err = add_dump(in, SPACE_SMARTCTL_TEXT, drive, NULL, smartctl_text_time(drive), NULL,
			   &d);

	if (err && !is_fatal(in, err)) {
		tell_bad(in, &d);
		err = 0;
	}
	in->line += count_lines(drive, 0, drive.len);
	return err;
}

static int add_text(struct dump_reader *in, struct bytes text)
{
	bool has_information = false, has_banner = false;
	size_t start = 0;
	int err = 0;

	/* a drive starts with the banner, or with its information where the banner was cut off */
	for (size_t at = 0; at < text.len && !err; at = line_after(text, at)) {
		bool banner = is_banner(text, at), information = is_information(text, at);

		if ((banner && (has_banner || has_information)) ||
		    (information && has_information)) {
			err = add_text_of_one(in, bytes_slice(text, start, at - start));
			start = at;
			has_banner = has_information = false;
		}
		has_banner = has_banner || banner;
		has_information = has_information || information;
	}
	return err ? err : add_text_of_one(in, bytes_slice(text, start, text.len));
}

static struct bytes without_mark(struct bytes text)
{
	return line_starts(text, 0, "\xef\xbb\xbf") ? bytes_slice(text, 3, text.len) : text;
}

static bool starts_as_json(struct bytes text)
{
	size_t at = 0;

	while (at < text.len && strchr(" \t\r\n", text.data[at]) && text.data[at])
		at++;
	return at < text.len && (text.data[at] == '{' || text.data[at] == '[');
}

static int add_all(struct dump_reader *in, struct bytes text, struct diag *d)
{
	size_t first_line = in->line;
	int err;

	if (!text.len)
		return diag_fail(d, -EINVAL, "an empty file");
	if (skdump_accepts(text))
		return add_dump(in, SPACE_SKDUMP, text, NULL, TIME_UNKNOWN, NULL, d);
	in->unsure = !starts_as_json(text);
	err = add_objects(in, text);
	if (err)
		return err;
	if (in->unsure && !in->ndrives && is_smartctl_text(text)) {
		in->unsure = false;
		in->bad = 0;
		in->line = first_line;
		return add_text(in, text);
	}
	if (in->unsure && in->bad)
		in->taker->bad(in->taker->arg, in->bad_line, &in->first_bad);
	return in->ndrives || in->nothers || in->bad ? 0 : unknown_kind(d);
}

int dump_each(struct bytes text, const struct dump_source *source, const struct dump_taker *taker,
	      struct diag *d)
{
	struct dump_reader in = { .source = *source, .taker = taker, .line = source->line };

	return add_all(&in, source->line == 1 ? without_mark(text) : text, d);
}

#define TOO_MANY (-EOVERFLOW)

/* All drives of a file in one array. */
struct gathering {
	const char *name;
	struct diag *d;
	struct snapshot *drives;
	size_t n, cap;
};

static int gather(void *arg, struct snapshot *s, size_t line)
{
	struct gathering *g = arg;

	(void)line;
	if (g->n == DUMP_DRIVES_MAX) {
		snapshot_release(s);
		return diag_fail(g->d, TOO_MANY, "%s: more than %d drives", g->name,
				 DUMP_DRIVES_MAX);
	}
	if (g->n == g->cap) {
		size_t cap = g->cap ? g->cap * 2 : 1;
		struct snapshot *drives = realloc(g->drives, cap * sizeof(*drives));

		if (!drives) {
			snapshot_release(s);
			return -ENOMEM;
		}
		g->drives = drives;
		g->cap = cap;
	}
	/* so many trees would be many times the file */
	for (size_t i = 0; i < s->nlogs; i++)
		json_release(&s->logs[i].json);
	g->drives[g->n++] = *s;
	return 0;
}

static void note_bad(void *arg, size_t line, const struct diag *why)
{
	struct gathering *g = arg;

	if (line == 1)
		diag_fail(g->d, why->err, "%s: %s", g->name, why->text);
	else
		diag_fail(g->d, why->err, "%s: the object at line %zu: %s", g->name, line,
			  why->text);
}

int snapshots_from_dump(struct bytes file, const char *name, int64_t file_time, struct diag *d,
			struct snapshot **ret, size_t *ret_n)
{
	struct diag unheard = { 0 }, whole = { 0 };
	struct gathering g = { .name = name, .d = d ? d : &unheard };
	const struct dump_source source = { .time = file_time, .line = 1 };
	const struct dump_taker taker = {
		.take = gather, .bad = note_bad, .arg = &g, .stop = TOO_MANY
	};
	int err = dump_each(file, &source, &taker, &whole);

	if (whole.err)
		diag_fail(g.d, whole.err, "%s: %s", name, whole.text);
	if (!err && !g.n)
		err = g.d->err;
	if (err) {
		for (size_t i = 0; i < g.n; i++)
			snapshot_release(&g.drives[i]);
		free(g.drives);
		return err == TOO_MANY ? -E2BIG : err;
	}
	*ret = g.drives;
	*ret_n = g.n;
	return 0;
}

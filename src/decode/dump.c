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
	const char *name;
	int64_t file_time;
	struct diag *d;
	struct snapshot *drives;
	size_t ndrives, cap;
	size_t bad;  /* objects that could not be taken */
	size_t line; /* where the object in hand starts, from 1 */
};

static void release_drives(struct dump_reader *in)
{
	for (size_t i = 0; i < in->ndrives; i++)
		snapshot_release(&in->drives[i]);
	free(in->drives);
}

/* Room for one more drive, initialised. */
static int new_drive(struct dump_reader *in, struct snapshot **ret)
{
	if (in->ndrives == DUMP_DRIVES_MAX)
		return diag_fail(in->d, -E2BIG, "%s: more than %d drives", in->name,
				 DUMP_DRIVES_MAX);
	if (in->ndrives == in->cap) {
		size_t cap = in->cap ? in->cap * 2 : 1;
		struct snapshot *drives = realloc(in->drives, cap * sizeof(*drives));

		if (!drives)
			return -ENOMEM;
		in->drives = drives;
		in->cap = cap;
	}
	snapshot_init(&in->drives[in->ndrives]);
	*ret = &in->drives[in->ndrives++];
	return 0;
}

/* Takes the last one away again. */
static void drop_drive(struct dump_reader *in)
{
	snapshot_release(&in->drives[--in->ndrives]);
}

/* A drive that consists of one dump. */
static int add_dump(struct dump_reader *in, enum log_space space, struct bytes text, int64_t time,
		    const char *path)
{
	struct snapshot *s = NULL;
	int err = new_drive(in, &s);

	if (!s)
		return err;
	err = snapshot_add(s, space, 0, 0, text);
	if (err) {
		drop_drive(in);
		return diag_fail(in->d, err, "%s: %zu bytes are too many for one drive", in->name,
				 text.len);
	}
	s->state = DRIVE_READ;
	s->time_is_file = time == TIME_UNKNOWN;
	s->time = s->time_is_file ? in->file_time : time;
	if (path)
		text_copy(s->path, sizeof(s->path), path);
	return 0;
}

static int add_capture(struct dump_reader *in, const cJSON *root)
{
	const cJSON *drive, *drives = json_member(root, "drives");

	cJSON_ArrayForEach(drive, drives)
	{
		struct snapshot *s = NULL;
		int err = new_drive(in, &s);

		if (err)
			return err;
		err = snapshot_read_json(drive, in->d, s);
		if (err) {
			drop_drive(in);
			return err;
		}
	}
	return 0;
}

/* One drive out of a list, as JSON of its own. */
static int add_listed(void *ctx, const cJSON *drive)
{
	struct dump_reader *in = ctx;
	CLEANUP(cleanup_free) char *text = cJSON_PrintUnformatted(drive);
	char path[NODE_MAX] = "";

	if (!text)
		return -ENOMEM;
	nvme_cli_list_path(drive, path, sizeof(path));
	return add_dump(in, SPACE_NVME_CLI_JSON, bytes_of(text, strlen(text)), TIME_UNKNOWN, path);
}

static int unknown_kind(struct dump_reader *in)
{
	return diag_fail(in->d, -EINVAL,
			 "%s: no capture, smartctl or nvme-cli output, or skdump blob", in->name);
}

/* why counts lines from the start of the object. */
static int bad_object(struct dump_reader *in, int err, const char *why)
{
	if (in->line == 1)
		return diag_fail(in->d, err, "%s: %s", in->name, why);
	return diag_fail(in->d, err, "%s: the object at line %zu: %s", in->name, in->line, why);
}

/* One JSON value of whatever kind. */
static int add_object(struct dump_reader *in, struct bytes text)
{
	CLEANUP(json_release) cJSON *root = NULL;
	struct diag d = { 0 };
	const char *schema;
	int err = json_parse(text, JSON_LENIENT, &d, &root, NULL);

	if (err)
		return err == -ENOMEM ? err : bad_object(in, err, d.text);
	schema = json_string(json_member(root, "schema"));
	if (schema && text_starts_with(schema, "nandlife.capture/"))
		return add_capture(in, root);
	if (smartctl_json_accepts(root))
		return add_dump(in, SPACE_SMARTCTL_JSON, text, smartctl_json_time(root),
				json_string(json_path(root, "device.name")));
	if (nvme_cli_accepts(root))
		return add_dump(in, SPACE_NVME_CLI_JSON, text, TIME_UNKNOWN, NULL);
	if (nvme_cli_list_accepts(root))
		return nvme_cli_list_each(root, add_listed, in);
	return unknown_kind(in);
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

	for (size_t i = from; i < to; i++)
		n += text.data[i] == '\n';
	return n;
}

static int add_objects(struct dump_reader *in, struct bytes text)
{
	size_t at = find_object(text, 0), counted = 0;

	in->line = 1;
	while (at < text.len) {
		struct bytes object = bytes_slice(text, at, text.len);
		int err;

		in->line += count_lines(text, counted, at);
		counted = at;
		object = bytes_slice(object, 0, object_length(object));
		err = add_object(in, object);
		if (err == -ENOMEM || err == -E2BIG)
			return err;
		in->bad += err != 0;
		at = find_object(text, at + object.len);
	}
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
			struct bytes drive = bytes_slice(text, start, at - start);

			err = add_dump(in, SPACE_SMARTCTL_TEXT, drive, smartctl_text_time(drive),
				       NULL);
			start = at;
			has_banner = has_information = false;
		}
		has_banner = has_banner || banner;
		has_information = has_information || information;
	}
	if (!err) {
		struct bytes drive = bytes_slice(text, start, text.len);

		err = add_dump(in, SPACE_SMARTCTL_TEXT, drive, smartctl_text_time(drive), NULL);
	}
	return err;
}

static struct bytes without_mark(struct bytes text)
{
	return line_starts(text, 0, "\xef\xbb\xbf") ? bytes_slice(text, 3, text.len) : text;
}

static int add_all(struct dump_reader *in, struct bytes file)
{
	struct bytes text = without_mark(file);
	int err;

	if (!text.len)
		return diag_fail(in->d, -EINVAL, "%s: an empty file", in->name);
	if (skdump_accepts(text))
		return add_dump(in, SPACE_SKDUMP, text, TIME_UNKNOWN, NULL);
	err = add_objects(in, text);
	if (err || in->ndrives)
		return err;
	if (is_smartctl_text(text)) {
		diag_clear(in->d);
		in->bad = 0;
		return add_text(in, text);
	}
	return in->bad ? -EINVAL : unknown_kind(in);
}

int snapshots_from_dump(struct bytes file, const char *name, int64_t file_time, struct diag *d,
			struct snapshot **ret, size_t *ret_n)
{
	struct diag unheard = { 0 };
	struct dump_reader in = { .name = name, .file_time = file_time, .d = d ? d : &unheard };
	int err = add_all(&in, file);

	if (err) {
		release_drives(&in);
		return err;
	}
	*ret = in.drives;
	*ret_n = in.ndrives;
	return 0;
}

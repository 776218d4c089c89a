/* SPDX-License-Identifier: MIT */
#include "decode/smartctl_text.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "decode/ata.h"

/*
 * smartctl -a and -x, versions 5 to 7, for ATA, NVMe and SCSI drives. The text is taken line by
 * line: headings open a part, a blank line or the next heading ends it. Each line is looked at
 * once, so the time is linear.
 */

static const struct {
	const char *start; /* of the line */
	enum text_part part;
} headings[] = {
	{ "=== START OF", PART_OTHER },
	{ "ID# ATTRIBUTE_NAME", PART_ATTRIBUTES },
	{ "ID#  ATTRIBUTE_NAME", PART_ATTRIBUTES }, /* hexadecimal */
	{ "SMART/Health Information", PART_NVME_HEALTH },
	{ "Device Statistics (", PART_DEVSTAT },
	{ "SCT Status Version:", PART_SCT },
	{ "SCT Temperature History", PART_IGNORED },
	{ "Num  Test_Description    Status                  Remaining", PART_ATA_SELFTESTS },
	{ "Num  Test_Description  Status", PART_NVME_SELFTESTS },
	{ "Num  Test              Status", PART_SCSI_SELFTESTS },
	{ "Error counter log:", PART_SCSI_COUNTERS },
	{ "Supported Power States", PART_IGNORED },
	{ "Supported LBA Sizes", PART_IGNORED },
	{ "Error Information (NVMe", PART_IGNORED },
	{ "General Purpose Log Directory", PART_IGNORED },
	{ "SATA Phy Event Counters", PART_IGNORED },
	{ "Protocol Specific port log page", PART_IGNORED },
};

static void (*const parts[PART_COUNT])(struct text_reader *t, char *line) = {
	[PART_ATTRIBUTES] = text_attribute,
	[PART_DEVSTAT] = text_devstat,
	[PART_SCT] = text_sct,
	[PART_ATA_SELFTESTS] = text_ata_selftest,
	[PART_NVME_SELFTESTS] = text_nvme_selftest,
	[PART_SCSI_SELFTESTS] = text_scsi_selftest,
	[PART_SCSI_COUNTERS] = text_scsi_counters,
};

size_t text_words(char *line, char **words, size_t max)
{
	size_t n = 0;

	for (;;) {
		line += strspn(line, " \t");
		if (!*line || n == max)
			return n;
		words[n++] = line;
		if (n == max)
			return n;
		line += strcspn(line, " \t");
		if (*line)
			*line++ = '\0';
	}
}

bool text_number(const char *s, i128 *ret)
{
	bool negative = *s == '-';
	u128 v = 0;
	size_t n;

	s += negative;
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		for (s += 2, n = 0; n <= 16; n++) {
			static const char digits[] = "0123456789abcdefABCDEF";
			const char *d = s[n] ? strchr(digits, s[n]) : NULL;

			if (!d)
				break;
			v = v << 4 | (u128)(d - digits - (d - digits > 15 ? 6 : 0));
		}
		if (!n || n > 16)
			return false;
	} else if (parse_grouped(s, &v, NULL) || v > (u128)I128_MAX) {
		return false;
	}
	*ret = negative ? -(i128)v : (i128)v;
	return true;
}

/* "Label:   value"; cuts the line in two. False where it is no such line. */
static bool split_label(char *line, const char **ret_value)
{
	char *colon = strchr(line, ':');

	if (!colon)
		return false;
	*colon++ = '\0';
	*ret_value = colon + strspn(colon, " \t");
	return true;
}

static void health_line(struct text_reader *t, char *line)
{
	const char *value;
	i128 v;

	if (!split_label(line, &value))
		return;
	for (const struct dump_row *row = dump_nvme_health_rows; row->field; row++)
		if (row->text && strcmp(row->text, line) == 0 && text_number(value, &v))
			dump_log_put_named(&t->health, row->field, v);
}

static void other_line(struct text_reader *t, char *line)
{
	const char *value;

	if (*line == ' ' || *line == '\t') /* continues the line above, or belongs to a table */
		line += strspn(line, " \t");
	text_message(t, line);
	if (split_label(line, &value))
		text_label(t, line, value);
}

/* Does the line open a part? */
static bool open_part(struct text_reader *t, const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++) {
		if (text_starts_with(line, headings[i].start)) {
			t->part = headings[i].part;
			t->ata_selftests_done = t->r->nselftests > 0;
			if (t->part == PART_ATTRIBUTES)
				t->r->identity.protocol = PROTOCOL_ATA;
			if (t->part == PART_NVME_HEALTH)
				t->r->identity.protocol = PROTOCOL_NVME;
			return true;
		}
	}
	return false;
}

/* Rows of the two tables that start with a number, which a stray blank line does not end. */
static bool continues_table(const struct text_reader *t, const char *line)
{
	return (t->part == PART_ATTRIBUTES || t->part == PART_DEVSTAT) &&
	       (strchr(" \t", *line) || (*line >= '0' && *line <= '9'));
}

static void read_line(struct text_reader *t, char *line)
{
	if (!line[strspn(line, " \t")]) {
		if (!continues_table(t, line))
			t->part = PART_OTHER;
		return;
	}
	if (open_part(t, line))
		return;
	if ((t->part == PART_ATTRIBUTES || t->part == PART_DEVSTAT) && !continues_table(t, line) &&
	    !text_starts_with(line, "Page"))
		t->part = PART_OTHER;
	if (t->part == PART_OTHER)
		other_line(t, line);
	else if (t->part == PART_NVME_HEALTH)
		health_line(t, line);
	else if (t->part != PART_IGNORED)
		parts[t->part](t, line);
}

/* The next line without its end, cut at TEXT_LINE_MAX; returns where the one after it starts. */
static size_t next_line(struct bytes text, size_t at, char line[TEXT_LINE_MAX])
{
	const uint8_t *start = text.data + at;
	const uint8_t *end = memchr(start, '\n', text.len - at);
	size_t len = end ? (size_t)(end - start) : text.len - at, n = len;

	if (n >= TEXT_LINE_MAX)
		n = TEXT_LINE_MAX - 1;
	for (size_t i = 0; i < n; i++)
		line[i] = start[i] ? (char)start[i] : ' ';
	while (n && (line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\r'))
		n--;
	line[n] = '\0';
	return at + len + 1;
}

static int finish(struct text_reader *t, struct diag *d)
{
	int err = t->err;

	if (!err)
		err = dump_health_add(&t->health, t->r);
	if (!err)
		err = dump_devstat_add(&t->devstat, t->r);
	if (!err)
		err = dump_log_add(&t->sct, t->r);
	return err ? err : dump_finish(t->r, d);
}

int decode_smartctl_text(struct bytes text, struct diag *d, struct reading *r)
{
	struct text_reader t = { .r = r };
	char line[TEXT_LINE_MAX];

	text_copy(r->origin, sizeof(r->origin), "smartctl text");
	dump_devstat_init(&t.devstat);
	dump_log_init(&t.health, layout_by_name("nvme.smart"));
	dump_log_init(&t.sct, &layout_ata_sct_status);
	for (size_t at = 0; at < text.len && !t.err;) {
		at = next_line(text, at, line);
		read_line(&t, line);
	}
	return finish(&t, d);
}

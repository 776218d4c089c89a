/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/scsi.h"
#include "decode/smartctl_text.h"

/* A byte in decimal or hexadecimal; "---" where the drive tells none. */
static bool byte_word(const char *s, uint8_t *ret)
{
	i128 v;

	if (!text_number(s, &v) || v < 0 || v > UINT8_MAX)
		return false;
	*ret = (uint8_t)v;
	return true;
}

/* "-O--CK", or "0x0032" in the old format. */
static bool flags_word(const char *s, uint16_t *ret)
{
	static const char letters[] = "POSRCK";
	uint16_t flags = 0;
	i128 v;

	if (text_starts_with(s, "0x")) {
		if (!text_number(s, &v) || v > UINT16_MAX)
			return false;
		*ret = (uint16_t)v;
		return true;
	}
	for (size_t i = 0; i < sizeof(letters) - 1; i++, s++) {
		if (*s == letters[i])
			flags |= (uint16_t)(1u << i);
		else if (*s != '-')
			return false;
	}
	*ret = flags;
	return true;
}

/*
 * Columns before the raw value: ID, name, flags, value, worst, threshold, then one ("-", "NOW",
 * "Past") or, in the old format, type, updated, when failed.
 */
void text_attribute(struct text_reader *t, char *line)
{
	enum { ID, NAME, FLAGS, VALUE, WORST, THRESHOLD, BRIEF_RAW = 7, OLD_RAW = 9 };
	char *w[OLD_RAW + 1], *raw;
	struct attribute a = { 0 };
	size_t n = text_words(line, w, THRESHOLD + 2);
	bool old;

	if (n < THRESHOLD + 2 || !byte_word(w[ID], &a.id) || !a.id ||
	    !flags_word(w[FLAGS], &a.flags) || t->r->nattributes >= ATTRIBUTES_MAX)
		return;
	old = text_starts_with(w[FLAGS], "0x") && (text_starts_with(w[THRESHOLD + 1], "Pre-fail") ||
						   text_starts_with(w[THRESHOLD + 1], "Old_age"));
	n = text_words(w[THRESHOLD + 1], w + THRESHOLD + 1, old ? 4 : 2);
	if (n < (old ? 4 : 2))
		return;
	raw = w[old ? OLD_RAW : BRIEF_RAW];
	text_copy(a.name, sizeof(a.name), w[NAME]);
	a.has_flags = true;
	a.has_value = byte_word(w[VALUE], &a.value);
	a.has_worst = byte_word(w[WORST], &a.worst);
	a.has_threshold = byte_word(w[THRESHOLD], &a.threshold);
	attribute_raw_from_text(&a, raw);
	t->r->attributes[t->r->nattributes++] = a;
}

/* "0x01  0x018  6     53629469162  ---  Logical Sectors Written"; old versions mark "18~". */
void text_devstat(struct text_reader *t, char *line)
{
	char *w[5];
	i128 page, off, v;

	if (text_words(line, w, 5) < 4 || !text_number(w[0], &page) ||
	    !text_starts_with(w[1], "0x") || !text_number(w[1], &off))
		return;
	/* "-" where the drive does not keep it */
	if (text_number(w[3], &v))
		dump_devstat_put(&t->devstat, page, off, v);
}

/* "21/41 Celsius"; "?" where not known. */
static void put_pair(struct dump_log *log, const char *value, const char *low, const char *high)
{
	const char *slash = strchr(value, '/');
	i128 v;

	if (!slash)
		return;
	if (text_number(value, &v))
		dump_log_put_named(log, low, v);
	value = slash + 1;
	if (text_number(value + strspn(value, " "), &v))
		dump_log_put_named(log, high, v);
}

void text_sct(struct text_reader *t, char *line)
{
	static const struct {
		const char *label, *low, *high; /* no low: a single number */
	} rows[] = {
		{ "Current Temperature", NULL, "temperature" },
		{ "Power Cycle Min/Max Temperature", "temperature_cycle_min",
		  "temperature_cycle_max" },
		{ "Lifetime    Min/Max Temperature", "temperature_min", "temperature_max" },
		{ "Specified Max Operating Temperature", NULL, "temperature_limit" },
		{ "Under/Over Temperature Limit Count", "under_limit_count", "over_limit_count" },
	};
	const char *value = strchr(line, ':');
	i128 v;

	if (!value)
		return;
	value++;
	value += strspn(value, " \t");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!text_starts_with(line, rows[i].label))
			continue;
		if (rows[i].low)
			put_pair(&t->sct, value, rows[i].low, rows[i].high);
		else if (text_number(value, &v))
			dump_log_put_named(&t->sct, rows[i].high, v);
	}
}

/* The kind of a self-test by the first word of its description. */
static void set_kind(struct selftest *test, const char *description)
{
	static const struct {
		const char *word, *kind;
	} kinds[] = {
		{ "Short", "short" },
		{ "Extended", "extended" },
		{ "Conveyance", "conveyance" },
		{ "Selective", "selective" },
		{ "Offline", "offline" },
		{ "Vendor", "vendor" },
		{ "Abort", "abort" },
		{ "Background short", "short" },
		{ "Foreground short", "short" },
		{ "Background long", "extended" },
		{ "Foreground long", "extended" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (text_starts_with(description, kinds[i].word))
			text_copy(test->kind, sizeof(test->kind), kinds[i].kind);
}

static void set_hours(struct selftest *test, const char *word)
{
	i128 v;

	if (!text_number(word, &v) || v < 0 || v > UINT64_MAX)
		return;
	test->has_hours = true;
	test->hours = (uint64_t)v;
}

static void set_lba(struct selftest *test, const char *word)
{
	i128 v;

	if (!text_number(word, &v) || v < 0 || v > UINT64_MAX)
		return;
	test->has_lba = true;
	test->lba = (uint64_t)v;
}

/* Skips "# 1  " or " 0   "; NULL where no number stands there. */
static const char *behind_number(const char *line)
{
	size_t n;

	line += strspn(line, " #");
	n = strspn(line, "0123456789");
	if (!n)
		return NULL;
	return line + n + strspn(line + n, " ");
}

/* "# 1  Short offline       Completed without error       00%     31600         -" */
void text_ata_selftest(struct text_reader *t, char *line)
{
	const char *description = behind_number(line);
	char *percent = strrchr(line, '%'), *w[3];
	struct selftest *test;
	size_t n;
	i128 v;

	t->r->selftest_log_read = true;
	if (*line != '#' || !description || !percent || percent - line < 2 || t->ata_selftests_done)
		return;
	test = reading_new_selftest(t->r);
	if (!test)
		return;
	set_kind(test, description);
	test->code = (uint8_t)smartctl_selftest_code(description);
	test->result = ata_selftest_result(test->code);
	if ((test->result == SELFTEST_RUNNING || test->result == SELFTEST_ABORTED) &&
	    text_number(percent - 2, &v) && v >= 0 && v <= 100)
		test->remaining_percent = (int8_t)v;
	n = text_words(percent + 1, w, 3);
	if (n >= 1)
		set_hours(test, w[0]);
	if (n >= 2)
		set_lba(test, w[1]);
}

/* Columns behind the status: hours, LBA, namespace, segment, status type, status code. */
void text_nvme_selftest(struct text_reader *t, char *line)
{
	static const struct {
		const char *words;
		uint8_t code;
	} results[] = {
		{ "Completed without error", 0 },	    { "Aborted: Self-test command", 1 },
		{ "Aborted: Controller Reset", 2 },	    { "Aborted: Namespace removed", 3 },
		{ "Aborted: Format NVM command", 4 },	    { "Fatal or unknown test error", 5 },
		{ "Completed: unknown failed segment", 6 }, { "Completed: failed segments", 7 },
		{ "Aborted: unknown reason", 8 },	    { "Aborted: sanitize operation", 9 },
	};
	const char *description = behind_number(line);
	char *at = NULL, *w[6];
	struct selftest *test;
	size_t i, n;
	i128 v;

	t->r->selftest_log_read = true;
	for (i = 0; i < ARRAY_SIZE(results) && !at; i++)
		at = strstr(line, results[i].words);
	test = description && at ? reading_new_selftest(t->r) : NULL;
	if (!test)
		return;
	set_kind(test, description);
	test->code = results[i - 1].code;
	test->result = smartctl_nvme_selftest_result(test->code);
	n = text_words(at + strlen(results[i - 1].words), w, 6);
	if (n >= 1)
		set_hours(test, w[0]);
	if (n >= 2)
		set_lba(test, w[1]);
	if (n >= 4 && text_number(w[3], &v) && v >= 0 && v <= UINT8_MAX) {
		test->has_segment = true;
		test->segment = (uint8_t)v;
	}
}

/* "# 1  Background long   Completed                   -   12345                 - [-   -    -]" */
void text_scsi_selftest(struct text_reader *t, char *line)
{
	static const struct {
		const char *words;
		uint8_t code;
	} results[] = {
		{ "Aborted (by user", 1 },
		{ "Aborted (device reset", 2 },
		{ "Unknown error, incomplete", 3 },
		{ "Completed, segment failed", 4 },
		{ "Failed in first segment", 5 },
		{ "Failed in second segment", 6 },
		{ "Failed in segment", 7 },
		{ "Self test in progress", 15 },
		{ "Completed", 0 },
	};
	const char *description = behind_number(line);
	char *at = NULL, *w[4], *open;
	struct selftest *test;
	size_t i, n;

	if (*line != '#' || !description)
		return;
	t->r->selftest_log_read = true;
	for (i = 0; i < ARRAY_SIZE(results) && !at; i++)
		at = strstr(line, results[i].words);
	test = at ? reading_new_selftest(t->r) : NULL;
	if (!test)
		return;
	set_kind(test, description);
	test->code = results[i - 1].code;
	test->result = scsi_selftest_result(test->code);
	/* the words before the bracket: ... segment, hours, LBA */
	open = strrchr(at, '[');
	if (open)
		*open = '\0';
	at += strlen(results[i - 1].words);
	at += strcspn(at, " ");
	n = text_words(at, w, 4);
	if (n >= 2)
		set_hours(test, w[n >= 3 ? n - 2 : n - 1]);
	if (n >= 3)
		set_lba(test, w[n - 1]);
}

/* "write:         0        0         0         0          0      23456.789           0" */
void text_scsi_counters(struct text_reader *t, char *line)
{
	enum { NAME, FAST, DELAYED, AGAIN, CORRECTED, RUNS, GIGABYTES, UNCORRECTED, COLUMNS };
	const char *layout, *fields[COLUMNS] = {
		NULL,	     "corrected_fast",	"corrected_delayed", "rewrites",
		"corrected", "correction_runs", "bytes_processed",   "uncorrected"
	};
	char *w[COLUMNS];
	i128 v;

	if (text_words(line, w, COLUMNS) < COLUMNS)
		return;
	if (strcmp(w[NAME], "write:") == 0)
		layout = "scsi.write_errors";
	else if (strcmp(w[NAME], "read:") == 0)
		layout = "scsi.read_errors";
	else
		return;
	if (strcmp(w[NAME], "read:") == 0)
		fields[AGAIN] = "rereads";
	for (int i = FAST; i < COLUMNS && !t->err; i++) {
		bool known = i == GIGABYTES ? dump_decimal(w[i], 1000000000, &v)
					    : text_number(w[i], &v);

		if (known)
			t->err = dump_add(t->r, layout, fields[i], v);
	}
}

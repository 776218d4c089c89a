/* SPDX-License-Identifier: MIT */
#include "db/drivedb.h"

#include <regex.h>
#include <string.h>

#include "base/str.h"
#include "base/text.h"
#include "base/units.h"

#define ENTRY_STRINGS 5
#define STRING_MAX    ((size_t)32 << 10)
#define PRESET_MAX    128
#define ENTRY_DEFAULT "DEFAULT"

/* The strings of one entry, adjacent literals put together. */
struct entry {
	struct str strings[ENTRY_STRINGS];
	size_t n;
};

enum entry_string {
	ENTRY_FAMILY,
	ENTRY_MODEL,
	ENTRY_FIRMWARE,
	ENTRY_WARNING,
	ENTRY_PRESETS,
};

static void entry_release(struct entry *e)
{
	for (size_t i = 0; i < ENTRY_STRINGS; i++)
		str_release(&e->strings[i]);
	*e = (struct entry){ 0 };
}

static char char_at(struct bytes text, size_t at)
{
	return at < text.len ? (char)text.data[at] : '\0';
}

static size_t skip_to(struct bytes text, size_t at, const char *end)
{
	const void *found = at < text.len ? memmem(text.data + at, text.len - at, end, strlen(end))
					  : NULL;

	return found ? (size_t)((const uint8_t *)found - text.data) + strlen(end) : text.len;
}

/* Behind white space and comments. */
static size_t skip_blank(struct bytes text, size_t at)
{
	for (;;) {
		char c = char_at(text, at);

		if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
			at++;
		else if (c == '/' && char_at(text, at + 1) == '/')
			at = skip_to(text, at, "\n");
		else if (c == '/' && char_at(text, at + 1) == '*')
			at = skip_to(text, at + 2, "*/");
		else
			return at;
	}
}

/* Append a string literal that begins at `at`; returns the position behind it. */
static size_t read_literal(struct bytes text, size_t at, struct str *out)
{
	for (at++; at < text.len && char_at(text, at) != '"'; at++) {
		if (char_at(text, at) == '\\')
			at++;
		str_add_char(out, char_at(text, at));
	}
	return at + 1;
}

/*
 * Read the next entry from *at on. False at the end, or where something stands that belongs to no
 * such file.
 */
static bool next_entry(struct bytes text, size_t *at, struct entry *e)
{
	size_t i = skip_blank(text, *at);

	entry_release(e);
	if (char_at(text, i) != '{')
		return false;
	for (i = skip_blank(text, i + 1); char_at(text, i) != '}'; i = skip_blank(text, i)) {
		char c = char_at(text, i);

		if (c == ',' && e->n + 1 < ENTRY_STRINGS) {
			e->n++;
			i++;
		} else if (c == '"') {
			e->strings[e->n].max = STRING_MAX;
			i = read_literal(text, i, &e->strings[e->n]);
		} else {
			return false;
		}
	}
	i = skip_blank(text, i + 1);
	*at = char_at(text, i) == ',' ? i + 1 : i;
	return e->n + 1 == ENTRY_STRINGS;
}

/* An empty pattern matches everything. */
static bool matches_whole(const char *pattern, const char *s)
{
	regmatch_t match;
	regex_t regex;
	bool whole;

	if (!*pattern)
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED) != 0)
		return false;
	whole = regexec(&regex, s, 1, &match, 0) == 0 && match.rm_so == 0 &&
		(size_t)match.rm_eo == strlen(s);
	regfree(&regex);
	return whole;
}

/* "9,raw24(raw8),Power_On_Hours" or "6,raw48,Read_Channel_Margin,HDD". */
static void add_preset(const char *preset, struct drivedb_names *ret)
{
	char words[PRESET_MAX], *fields[4] = { 0 };
	uint64_t id;
	size_t n = 0;

	if (!text_copy(words, sizeof(words), preset))
		return;
	for (char *rest = words; n < ARRAY_SIZE(fields) && rest; n++) {
		fields[n] = rest;
		rest = strchr(rest, ',');
		if (rest)
			*rest++ = '\0';
	}
	if (n < 3 || !*fields[2] || parse_u64(fields[0], 255, &id) < 0)
		return;
	if (n == 4 && !strcmp(fields[3], "HDD"))
		return;
	text_escape(ret->names[id], sizeof(ret->names[id]), fields[2]);
}

static void add_presets(const char *presets, struct drivedb_names *ret)
{
	static const char option[] = "-v ";
	char preset[PRESET_MAX];

	while ((presets = strstr(presets, option)) != NULL) {
		size_t n = strcspn(presets += strlen(option), " ");

		if (n < sizeof(preset)) {
			memcpy(preset, presets, n);
			preset[n] = '\0';
			add_preset(preset, ret);
		}
	}
}

static bool names_model(const struct entry *e, const char *model, const char *firmware)
{
	const char *family = str_text(&e->strings[ENTRY_FAMILY]);

	return *family != '$' && !text_starts_with(family, "USB:") &&
	       strcmp(family, ENTRY_DEFAULT) != 0 &&
	       matches_whole(str_text(&e->strings[ENTRY_MODEL]), model) &&
	       matches_whole(str_text(&e->strings[ENTRY_FIRMWARE]), firmware);
}

bool drivedb_names(struct bytes text, const char *model, const char *firmware,
		   struct drivedb_names *ret)
{
	CLEANUP(entry_release) struct entry e = { 0 };
	size_t at = 0;
	bool any = false;

	*ret = (struct drivedb_names){ 0 };
	while (!ret->model_found && next_entry(text, &at, &e)) {
		any = true;
		if (!strcmp(str_text(&e.strings[ENTRY_FAMILY]), ENTRY_DEFAULT))
			add_presets(str_text(&e.strings[ENTRY_PRESETS]), ret);
		ret->model_found = names_model(&e, model, firmware);
	}
	if (ret->model_found)
		add_presets(str_text(&e.strings[ENTRY_PRESETS]), ret);
	return any;
}

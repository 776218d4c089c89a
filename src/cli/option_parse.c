/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "base/times.h"
#include "base/units.h"
#include "cli/option.h"

#define SHOWN_MAX 64

/* Walks over the words of a command line, one option or plain word a step. */
struct scan {
	int argc;
	char **argv;
	int at;
	const char *letters; /* the rest of a group of one-letter options, or NULL */
	bool ended;	     /* after -- */
};

struct token {
	const struct option_row *row; /* NULL: a plain word */
	const char *value;	      /* of an option that takes one; the word itself */
	char shown[SHOWN_MAX];	      /* the option as it was typed: "--from", "-q" */
};

static int unknown_option(const char *shown, const char *name, struct diag *d)
{
	struct suggestion s = { .word = name };

	for (size_t i = 0; i < option_rows_n; i++)
		suggestion_offer(&s, option_rows[i].name);
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no option %s; did you mean --%s?", shown,
				 s.best);
	return diag_fail(d, -EINVAL, "there is no option %s", shown);
}

/* The next word as an option's value. One that looks like an option is more likely a slip. */
static int value_from_next_word(struct scan *s, struct token *t, struct diag *d)
{
	const char *next = s->at < s->argc ? s->argv[s->at] : NULL;

	if (!next || (next[0] == '-' && next[1]))
		return diag_fail(d, -EINVAL, "%s needs a value: %s %s", t->shown, t->shown,
				 t->row->argument);
	t->value = next;
	s->at++;
	return 0;
}

static int scan_long(struct scan *s, const char *word, struct token *t, struct diag *d)
{
	const char *equals = strchr(word, '=');
	char name[SHOWN_MAX - 2];

	snprintf(name, sizeof(name), "%.*s", equals ? (int)(equals - word) : (int)strlen(word),
		 word);
	snprintf(t->shown, sizeof(t->shown), "--%s", name);
	t->row = option_by_name(name);
	if (!t->row)
		return unknown_option(t->shown, name, d);
	if (!option_takes_value(t->row))
		return equals ? diag_fail(d, -EINVAL, "%s takes no value", t->shown) : 0;
	if (!equals)
		return value_from_next_word(s, t, d);
	t->value = equals + 1;
	return 0;
}

static int scan_letter(struct scan *s, struct token *t, struct diag *d)
{
	char letter = *s->letters++;

	snprintf(t->shown, sizeof(t->shown), "-%c", letter);
	for (size_t i = 0; i < option_rows_n; i++)
		if (option_rows[i].letter && option_rows[i].letter == letter)
			t->row = &option_rows[i];
	if (!t->row) {
		s->letters = NULL;
		return diag_fail(d, -EINVAL, "there is no option %s", t->shown);
	}
	if (option_takes_value(t->row)) {
		t->value = *s->letters ? s->letters : NULL;
		s->letters = NULL;
		return t->value ? 0 : value_from_next_word(s, t, d);
	}
	if (!*s->letters)
		s->letters = NULL;
	return 0;
}

/* 1 with the next token, 0 at the end, -EINVAL on a mistake, after which scanning may go on. */
static int scan_next(struct scan *s, struct token *t, struct diag *d)
{
	const char *word;
	int r;

	*t = (struct token){ 0 };
	if (!s->letters) {
		if (s->at < s->argc && !s->ended && !strcmp(s->argv[s->at], "--")) {
			s->ended = true;
			s->at++;
		}
		if (s->at >= s->argc)
			return 0;
		word = s->argv[s->at++];
		if (s->ended || word[0] != '-' || !word[1]) {
			t->value = word;
			return 1;
		}
		if (word[1] == '-') {
			r = scan_long(s, word + 2, t, d);
			return r < 0 ? r : 1;
		}
		s->letters = word + 1;
	}
	r = scan_letter(s, t, d);
	return r < 0 ? r : 1;
}

static int bad_format(const char *shown, const char *value, struct diag *d)
{
	struct suggestion s = { .word = value };

	for (unsigned i = 0; i < FORMAT_COUNT; i++)
		suggestion_offer(&s, format_word((enum format)i));
	if (s.best)
		return diag_fail(d, -EINVAL, "%s: there is no format '%s'; did you mean %s?", shown,
				 value, s.best);
	return diag_fail(d, -EINVAL,
			 "%s: there is no format '%s'; nandlife help COMMAND lists them", shown,
			 value);
}

/* "x2" or "2x" */
static bool parse_times(const char *value, double *ret)
{
	size_t len = strlen(value);
	char digits[32];

	if (len < 2 || len > sizeof(digits) || (value[0] != 'x' && value[len - 1] != 'x'))
		return false;
	snprintf(digits, sizeof(digits), "%.*s", (int)len - 1, value[0] == 'x' ? value + 1 : value);
	return parse_decimal(digits, ret) == 0;
}

static int set_number(struct option_number *n, const struct option_row *row, const char *shown,
		      const char *value, struct diag *d)
{
	double v;

	n->times = row->times && parse_times(value, &n->value);
	if (n->times)
		return 0;
	if (parse_decimal(value, &v) < 0 || v < row->low || v > row->high ||
	    (row->whole && v != floor(v)))
		return diag_fail(d, -EINVAL, "%s: '%s' is no %snumber from %.10g to %.10g", shown,
				 value, row->whole ? "whole " : "", row->low, row->high);
	n->value = v;
	return 0;
}

static int set_share(struct option_number *n, const struct option_row *row, const char *shown,
		     const char *value, struct diag *d)
{
	double v;

	if (parse_share(value, &v) < 0 || v < row->low || v > row->high)
		return diag_fail(
			d, -EINVAL,
			"%s: '%s' is no share from %.10g to %.10g; write it as 0.07 or 7%%", shown,
			value, row->low, row->high);
	n->value = v;
	return 0;
}

static int set_bytes(struct option_number *n, const char *shown, const char *value, struct diag *d)
{
	uint64_t bytes;

	if (parse_bytes(value, &bytes) < 0 || !bytes)
		return diag_fail(d, -EINVAL, "%s: '%s' is no size; write it as 80GB or 1.92TB",
				 shown, value);
	n->value = (double)bytes;
	return 0;
}

static int set_time(struct option_time *t, const char *shown, const char *value, struct diag *d)
{
	if (time_parse(value, &t->value) < 0)
		return diag_fail(
			d, -EINVAL,
			"%s: '%s' is no time; write it as 2026-05-01 or 2026-05-01T10:00:00Z",
			shown, value);
	return 0;
}

static int set_past(struct option_past *past, const char *shown, const char *value, struct diag *d)
{
	past->ago = time_parse(value, &past->value) < 0;
	if (past->ago && duration_parse(value, &past->value) < 0)
		return diag_fail(
			d, -EINVAL,
			"%s: '%s' is neither a time (2026-05-01, 2026-05-01T10:00:00Z) nor "
			"a duration (36h, 30d, 8w, 1y)",
			shown, value);
	return 0;
}

static int set_text(const char **text, const char *shown, const char *value, struct diag *d)
{
	if (!*value)
		return diag_fail(d, -EINVAL, "%s: the value is empty", shown);
	*text = value;
	return 0;
}

static int list_add(struct option_list *list, const char *value)
{
	const char **items = reallocarray(list->items, list->n + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	items[list->n++] = value;
	list->items = items;
	return 0;
}

/* Store the value, of the command line or (given false) the row's default. */
static int set_value(struct options *o, const struct option_row *row, const char *shown,
		     const char *value, bool given, struct diag *d)
{
	void *at = (char *)o + row->offset;
	const char *checked = NULL;
	int r;

	switch (row->type) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return 0;
	case OPTION_JSON:
		*(struct option_format *)at = (struct option_format){ given, FORMAT_JSON };
		return 0;
	case OPTION_CSV:
		*(struct option_format *)at = (struct option_format){ given, FORMAT_CSV };
		return 0;
	case OPTION_FORMAT:
		if (!format_by_word(value, &((struct option_format *)at)->value))
			return bad_format(shown, value, d);
		((struct option_format *)at)->set = given;
		return 0;
	case OPTION_TEXT:
	case OPTION_FILE:
	case OPTION_FOLDER:
		return set_text(at, shown, value, d);
	case OPTION_TEXTS:
	case OPTION_FILES:
		r = set_text(&checked, shown, value, d);
		return r < 0 ? r : list_add(at, checked);
	case OPTION_TIME:
		((struct option_time *)at)->set = given;
		return set_time(at, shown, value, d);
	case OPTION_PAST:
		((struct option_past *)at)->set = given;
		return set_past(at, shown, value, d);
	case OPTION_BYTES:
		((struct option_number *)at)->set = given;
		return set_bytes(at, shown, value, d);
	case OPTION_NUMBER:
		((struct option_number *)at)->set = given;
		return set_number(at, row, shown, value, d);
	case OPTION_SHARE:
		((struct option_number *)at)->set = given;
		return set_share(at, row, shown, value, d);
	}
	return 0;
}

void options_init(struct options *o)
{
	*o = (struct options){ 0 };
	for (size_t i = 0; i < option_rows_n; i++)
		if (option_rows[i].fallback)
			(void)!set_value(o, &option_rows[i], "", option_rows[i].fallback, false,
					 NULL);
}

void options_release(struct options *o)
{
	free(o->words.items);
	for (size_t i = 0; i < option_rows_n; i++)
		if (option_is_list(&option_rows[i]))
			free(((struct option_list *)(void *)((char *)o + option_rows[i].offset))
				     ->items);
	*o = (struct options){ 0 };
}

int options_parse(struct options *o, int argc, char **argv, struct diag *d)
{
	struct scan s = { .argc = argc, .argv = argv };
	struct token t;
	int r, err = 0;

	while ((r = scan_next(&s, &t, d)) != 0) {
		if (r > 0)
			r = t.row ? set_value(o, t.row, t.shown, t.value, true, d)
				  : list_add(&o->words, t.value);
		/* the first mistake is the one told; the rest may still say which format */
		if (r < 0 && !err)
			err = r;
		if (r == -ENOMEM)
			break;
	}
	return err;
}

int options_set(struct options *o, const struct option_row *row, const char *value, struct diag *d)
{
	char shown[SHOWN_MAX];

	snprintf(shown, sizeof(shown), "--%s", row->name);
	return set_value(o, row, shown, value, true, d);
}

int options_check(int argc, char **argv, const char *command, unsigned groups, struct diag *d)
{
	struct scan s = { .argc = argc, .argv = argv };
	struct token t;
	int r;

	while ((r = scan_next(&s, &t, d)) > 0)
		if (t.row && !(t.row->group & groups))
			return diag_fail(d, -EINVAL, "%s is no option of nandlife %s", t.shown,
					 command);
	return r;
}

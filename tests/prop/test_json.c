/* SPDX-License-Identifier: MIT */
/*
 * Our parser of JSON makes of any text what cJSON's makes of it, where that one is right: random
 * values, whole and with bytes changed, cut off or put in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"

#define RUNS	   20000
#define VALUES_MAX 40

/* xorshift64*: the seed is in every message, so that a failure can be run again. */
static uint64_t roll(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static const char *any_of(uint64_t *state, const char *const *words, size_t n)
{
	return words[roll(state) % n];
}

static void add_string(uint64_t *state, struct str *out)
{
	static const char *const pieces[] = { "a",	  "model", " ",	      "\\n",
					      "\\\"",	  "\\\\",  "\\u00e9", "\\ud83d\\ude00",
					      "\xc3\xa9", "\\/",   "\\u0041", "longer text" };

	str_add_char(out, '"');
	for (uint64_t n = roll(state) % 4; n; n--)
		str_add(out, any_of(state, pieces, ARRAY_SIZE(pieces)));
	str_add_char(out, '"');
}

static void add_scalar(uint64_t *state, struct str *out)
{
	static const char *const words[] = { "true", "false", "null",	  "0",	  "-1",
					     "12",   "1.5",   "-2e3",	  "1E+2", "0.001",
					     "007",  "1234",  "-9.75e-3", "3.0" };

	if (roll(state) % 3 == 0)
		add_string(state, out);
	else
		str_add(out, any_of(state, words, ARRAY_SIZE(words)));
}

static void add_space(uint64_t *state, struct str *out)
{
	static const char *const spaces[] = { "", "", "", " ", "\n", "\t ", "\r\n" };

	str_add(out, any_of(state, spaces, ARRAY_SIZE(spaces)));
}

/* Objects and arrays are opened and closed at random; at the end all are closed. */
static void make_text(uint64_t *state, struct str *out)
{
	char open[VALUES_MAX];
	size_t depth = 0, n = 1 + roll(state) % VALUES_MAX;
	bool first = true;

	do {
		uint64_t what = n ? roll(state) % 4 : 3;

		if (what == 3 && depth) {
			str_add_char(out, open[--depth]);
			first = false;
			continue;
		}
		if (!first)
			str_add_char(out, ',');
		add_space(state, out);
		if (depth && open[depth - 1] == '}') {
			add_string(state, out);
			add_space(state, out);
			str_add_char(out, ':');
			add_space(state, out);
		}
		first = what < 2 && n > 1;
		n -= n > 0;
		if (!first) {
			add_scalar(state, out);
		} else {
			open[depth++] = what ? '}' : ']';
			str_add_char(out, what ? '{' : '[');
		}
		add_space(state, out);
	} while (depth);
}

static void damage(uint64_t *state, struct str *text)
{
	static const char bytes[] = "{}[],:\"\\ \n0e.xu";
	size_t at = text->len ? roll(state) % text->len : 0;

	switch (roll(state) % 3) {
	case 0:
		text->len = at;
		break;
	default:
		text->s[at] = bytes[roll(state) % (sizeof(bytes) - 1)];
	}
	text->s[text->len] = '\0';
}

static bool same_node(const cJSON *a, const cJSON *b)
{
	const char *no = "";

	return a->type == b->type && a->valueint == b->valueint &&
	       a->valuedouble == b->valuedouble &&
	       strcmp(a->valuestring ? a->valuestring : no, b->valuestring ? b->valuestring : no) ==
		       0 &&
	       strcmp(a->string ? a->string : no, b->string ? b->string : no) == 0 &&
	       !a->child == !b->child && !a->next == !b->next;
}

/* All nodes of both in the same order; a stack of the siblings that wait. */
static bool same_tree(const cJSON *a, const cJSON *b)
{
	const cJSON *waiting[2][VALUES_MAX * 4];
	size_t depth = 0;

	for (;;) {
		if (!same_node(a, b))
			return false;
		if (a->next) {
			waiting[0][depth] = a->next;
			waiting[1][depth++] = b->next;
		}
		if (a->child) {
			a = a->child;
			b = b->child;
		} else if (depth) {
			a = waiting[0][--depth];
			b = waiting[1][depth];
		} else {
			return true;
		}
	}
}

/* cJSON takes any four characters behind \u for hexadecimal digits. */
static bool has_odd_escape(const char *text)
{
	for (const char *s = text; (s = strstr(s, "\\u")) != NULL; s += 2)
		if (strspn(s + 2, "0123456789abcdefABCDEF") < 4)
			return true;
	return false;
}

static void compare(uint64_t seed, const struct str *text)
{
	const char *end = NULL;
	cJSON *theirs = cJSON_ParseWithLengthOpts(text->s, text->len, &end, false), *ours = NULL;
	size_t used = 0;
	int err = json_parse(bytes_of(text->s, text->len), JSON_LENIENT, NULL, &ours, &used);

	if (err != (theirs ? 0 : -EINVAL) && !(err && has_odd_escape(text->s)))
		fail_msg("seed %llu: %d for %s", (unsigned long long)seed, err, text->s);
	if (!err && theirs && (used != (size_t)(end - text->s) || !same_tree(ours, theirs)))
		fail_msg("seed %llu: another tree for %s", (unsigned long long)seed, text->s);
	json_release(&ours);
	cJSON_Delete(theirs);
}

static void agrees_with_cjson(void **state)
{
	size_t good = 0;

	(void)state;
	for (uint64_t run = 1; run <= RUNS; run++) {
		struct str text = { 0 };
		uint64_t dice = run * 977;

		make_text(&dice, &text);
		compare(run, &text);
		for (int i = 0; i < 3 && text.len; i++) {
			damage(&dice, &text);
			compare(run, &text);
		}
		good += text.len != 0;
		str_release(&text);
	}
	assert_true(good > RUNS / 2);
}

/* As deep as cJSON goes, and not one deeper. */
static void nesting_has_a_limit(void **state)
{
	char text[2 * CJSON_NESTING_LIMIT + 2];
	cJSON *json = NULL;

	(void)state;
	memset(text, '[', CJSON_NESTING_LIMIT);
	memset(text + CJSON_NESTING_LIMIT, ']', CJSON_NESTING_LIMIT);
	assert_int_equal(
		json_parse(bytes_of(text, sizeof(text) - 2), JSON_STRICT, NULL, &json, NULL), 0);
	json_release(&json);
	assert_null(json);
	memset(text, '[', CJSON_NESTING_LIMIT + 1);
	memset(text + CJSON_NESTING_LIMIT + 1, ']', CJSON_NESTING_LIMIT + 1);
	assert_int_equal(json_parse(bytes_of(text, sizeof(text)), JSON_STRICT, NULL, &json, NULL),
			 -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_cjson),
		cmocka_unit_test(nesting_has_a_limit),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "doc/doc.h"

static char *render(struct doc *root)
{
	struct str out = { 0 };

	assert_int_equal(doc_error(root), 0);
	doc_render_json(root, &out);
	doc_free(root);
	assert_int_equal(str_error(&out), 0);
	return str_steal(&out);
}

static void json_pins_every_kind(void **state)
{
	struct doc *root = doc_new(), *list;
	char *s;

	(void)state;
	doc_null(root, "none");
	doc_bool(root, "yes", true);
	doc_integer(root, "count", 42, UNIT_COUNT);
	doc_integer(root, "used", 123700, UNIT_PERCENT);
	doc_integer(root, "cold", -12500, UNIT_CELSIUS);
	doc_real(root, "waf", 1.5902, 4);
	doc_real(root, "whole", 3.0, 4);
	doc_real(root, "nan", NAN, 4);
	doc_string(root, "empty", "");
	list = doc_array(root, "list");
	doc_integer(list, NULL, 1, UNIT_COUNT);
	doc_object(list, NULL);
	doc_array(root, "nothing");
	s = render(root);
	assert_string_equal(s, "{\n"
			       "  \"none\": null,\n"
			       "  \"yes\": true,\n"
			       "  \"count\": 42,\n"
			       "  \"used\": 123.7,\n"
			       "  \"cold\": -12.5,\n"
			       "  \"waf\": 1.59,\n"
			       "  \"whole\": 3,\n"
			       "  \"nan\": null,\n"
			       "  \"empty\": null,\n"
			       "  \"list\": [\n"
			       "    1,\n"
			       "    {}\n"
			       "  ],\n"
			       "  \"nothing\": []\n"
			       "}\n");
	free(s);
}

static void integers_beyond_a_double_keep_their_digits(void **state)
{
	struct doc *root = doc_new();
	char *s;

	(void)state;
	doc_integer(root, "edge", (i128)1 << 53, UNIT_BYTES);
	doc_integer(root, "value", ((i128)1 << 53) + 1, UNIT_BYTES);
	s = render(root);
	assert_string_equal(s, "{\n  \"edge\": 9007199254740992,\n"
			       "  \"value\": 9007199254740992,\n"
			       "  \"value_str\": \"9007199254740993\"\n}\n");
	free(s);
}

static void hostile_strings_stay_inside_the_json(void **state)
{
	struct doc *root = doc_new();
	char *s;

	(void)state;
	doc_string(root, "model", "A\"B\\C\n\x1b[31m\xff<script>");
	s = render(root);
	assert_string_equal(s,
			    "{\n  \"model\": "
			    "\"A\\\"B\\\\C\\u000a\\u001b[31m\xEF\xBF\xBD<script>\",\n"
			    "  \"model_hex\": \"4122425c430a1b5b33316dff3c7363726970743e\"\n}\n");
	free(s);
}

static void what_is_written_parses_again(void **state)
{
	struct doc *root = doc_new();
	cJSON *back = NULL;
	char *s;
	i128 v;

	(void)state;
	doc_string(root, "s", "tab\tquote\"");
	doc_integer(root, "n", (i128)1 << 90, UNIT_BYTES);
	s = render(root);
	assert_int_equal(json_parse(bytes_of(s, strlen(s)), JSON_STRICT, NULL, &back, NULL), 0);
	assert_string_equal(json_string(json_member(back, "s")), "tab\tquote\"");
	assert_true(json_integer(json_member(back, "n_str"), &v));
	assert_true(v == (i128)1 << 90);
	json_release(&back);
	free(s);
}

static void csv_quotes_and_defuses_cells(void **state)
{
	struct doc *root = doc_new(), *rows = doc_array(root, "rows"), *row;
	struct str out = { 0 };

	(void)state;
	row = doc_object(rows, NULL);
	doc_string(row, "model", "A, \"B\"\n");
	doc_string(row, "serial", "=cmd()");
	doc_integer(row, "temperature", -5000, UNIT_CELSIUS);
	doc_null(row, "left");
	doc_render_csv(doc_get(root, "rows"), &out);
	assert_string_equal(str_text(&out), "model,serial,temperature,left\r\n"
					    "\"A, \"\"B\"\"\\x0a\",'=cmd(),-5,\r\n");
	str_release(&out);
	doc_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_pins_every_kind),
		cmocka_unit_test(integers_beyond_a_double_keep_their_digits),
		cmocka_unit_test(hostile_strings_stay_inside_the_json),
		cmocka_unit_test(what_is_written_parses_again),
		cmocka_unit_test(csv_quotes_and_defuses_cells),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <locale.h>
#include <string.h>

#include "cli/view_text.h"

static const struct view_column columns[] = {
	{ "DRIVE", 0 },
	{ "LEFT", COLUMN_RIGHT },
	{ "WHY", COLUMN_WRAP },
};

static void fill(struct view *v)
{
	view_line(v, STYLE_HEADING, 0, "two %s", "drives");
	view_table(v, columns, ARRAY_SIZE(columns), 2);
	view_cell(v, STYLE_PLAIN, "/dev/sda");
	view_cell(v, STYLE_PLAIN, "7 %%");
	view_cell(v, STYLE_BAD, "worn\x1b[2J");
	view_cell(v, STYLE_PLAIN, "/dev/nvme0");
	view_cell(v, STYLE_PLAIN, "100 %%");
	view_cell(v, STYLE_PLAIN, "%s", "");
}

static void a_pipe_gets_plain_aligned_text(void **state)
{
	struct terminal t = { 0 };
	struct view v = { 0 };
	struct str out = { 0 };

	(void)state;
	fill(&v);
	assert_int_equal(view_to_text(&v, &t, &out), 0);
	assert_string_equal(str_text(&out), "two drives\n"
					    "  DRIVE        LEFT  WHY\n"
					    "  /dev/sda      7 %  worn\\x1b[2J\n"
					    "  /dev/nvme0  100 %\n");
	str_release(&out);
	view_release(&v);
}

static void a_terminal_gets_colours_and_wrapped_columns(void **state)
{
	struct terminal t = { .columns = 40, .colour = true };
	struct view v = { 0 };
	struct str out = { 0 };

	(void)state;
	view_table(&v, columns, ARRAY_SIZE(columns), 0);
	view_cell(&v, STYLE_PLAIN, "/dev/sda");
	view_cell(&v, STYLE_PLAIN, "7 %%");
	view_cell(&v, STYLE_BAD, "a long reason that does not fit into forty columns of text");
	assert_int_equal(view_to_text(&v, &t, &out), 0);
	assert_non_null(strstr(str_text(&out), "\033[1;31m"));
	for (const char *s = str_text(&out); *s;) {
		size_t n = strcspn(s, "\n");

		assert_true(n <= 40 + 16); /* the colour sequences take no columns */
		s += n + (s[n] == '\n');
	}
	str_release(&out);
	view_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_gets_plain_aligned_text),
		cmocka_unit_test(a_terminal_gets_colours_and_wrapped_columns),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

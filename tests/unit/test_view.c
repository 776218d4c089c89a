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

static void expect(unsigned width, bool colour, const char *want)
{
	struct terminal t = { .columns = width, .colour = colour };
	struct view v = { 0 };
	struct str out = { 0 };

	view_table(&v, columns, ARRAY_SIZE(columns), 0);
	view_cell(&v, STYLE_PLAIN, "/dev/sda");
	view_cell(&v, STYLE_PLAIN, "7 %%");
	view_cell(&v, STYLE_BAD, "a long reason that does not fit into fifty columns of text");
	view_cell(&v, STYLE_PLAIN, "/dev/sdb");
	view_cell(&v, STYLE_PLAIN, "100 %%");
	view_cell(&v, STYLE_PLAIN, "%s", "");
	assert_int_equal(view_to_text(&v, &t, &out), 0);
	assert_string_equal(str_text(&out), want);
	str_release(&out);
	view_release(&v);
}

static void the_last_column_wraps_between_words(void **state)
{
	(void)state;
	expect(50, false,
	       "DRIVE      LEFT  WHY\n"
	       "/dev/sda    7 %  a long reason that does not fit\n"
	       "                 into fifty columns of text\n"
	       "/dev/sdb  100 %\n");
	expect(80, false,
	       "DRIVE      LEFT  WHY\n"
	       "/dev/sda    7 %  a long reason that does not fit into fifty columns of text\n"
	       "/dev/sdb  100 %\n");
}

static void too_narrow_for_wrapping_it_hangs_below(void **state)
{
	(void)state;
	expect(40, false,
	       "DRIVE      LEFT\n"
	       "/dev/sda    7 %\n"
	       "    a long reason that does not fit into\n"
	       "    fifty columns of text\n"
	       "/dev/sdb  100 %\n");
}

static void a_terminal_gets_colours(void **state)
{
	(void)state;
	expect(50, true,
	       "DRIVE      LEFT  WHY\n"
	       "/dev/sda    7 %  \033[1;31ma long reason that does not fit\033[0m\n"
	       "                 \033[1;31minto fifty columns of text\033[0m\n"
	       "/dev/sdb  100 %\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_gets_plain_aligned_text),
		cmocka_unit_test(the_last_column_wraps_between_words),
		cmocka_unit_test(too_narrow_for_wrapping_it_hangs_below),
		cmocka_unit_test(a_terminal_gets_colours),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

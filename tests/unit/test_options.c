/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>

#include "base/suggest.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/option.h"
#include "device/read.h"

#define WORDS_MAX 12

/* Splits at spaces; the words live in buf. */
static int split(char *buf, char **argv)
{
	int n = 0;

	while (buf && *buf) {
		argv[n++] = buf;
		buf = strchr(buf, ' ');
		if (buf)
			*buf++ = '\0';
	}
	return n;
}

/* Parses a line into o, which the caller releases; the words point into buf. */
static int parse(const char *line, char buf[256], struct options *o, struct diag *d)
{
	char *argv[WORDS_MAX];

	assert_true(strlen(line) < 256);
	memcpy(buf, line, strlen(line) + 1);
	options_init(o);
	return options_parse(o, split(buf, argv), argv, d);
}

static void test_mistakes(void **state)
{
	static const struct {
		const char *line, *text;
	} rows[] = {
		{ "--fromat json", "there is no option --fromat; did you mean --format?" },
		{ "health --form", "there is no option --form; did you mean --format?" },
		{ "health --xyzzy", "there is no option --xyzzy" },
		{ "-X", "there is no option -X" },
		{ "-qX", "there is no option -X" },
		{ "--", NULL },
		{ "-", NULL },
		{ "---", "there is no option ---" },
		{ "--=x", "there is no option --" },
		{ "--from", "--from needs a value: --from FILE" },
		{ "--from --json", "--from needs a value: --from FILE" },
		{ "--from -q", "--from needs a value: --from FILE" },
		{ "--from -", NULL },
		{ "--from=", "--from: the value is empty" },
		{ "--from=-q", NULL },
		{ "-o", "-o needs a value: -o FILE" },
		{ "--json=yes", "--json takes no value" },
		{ "--format jsn", "--format: there is no format 'jsn'; did you mean json?" },
		{ "--format=",
		  "--format: there is no format ''; nandlife help COMMAND lists them" },
		{ "--format xml",
		  "--format: there is no format 'xml'; nandlife help COMMAND lists them" },
		{ "--timeout 0.5", "--timeout: '0.5' is no number from 1 to 86400" },
		{ "--timeout 1e3", "--timeout: '1e3' is no number from 1 to 86400" },
		{ "--timeout nan", "--timeout: 'nan' is no number from 1 to 86400" },
		{ "--timeout 86400", NULL },
		{ "--pe 1,5", "--pe: '1,5' is no number from 1 to 1000000000" },
		{ "--daily 0", "--daily: '0' is no size; write it as 80GB or 1.92TB" },
		{ "--capacity -1GB", "--capacity needs a value: --capacity SIZE" },
		{ "--capacity=-1GB", "--capacity: '-1GB' is no size; write it as 80GB or 1.92TB" },
		{ "--at yesterday", "--at: 'yesterday' is no time; write it as 2026-05-01 or "
				    "2026-05-01T10:00:00Z" },
		/* the first mistake is the one that is told */
		{ "--fromat --frum", "there is no option --fromat; did you mean --format?" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diag d = { 0 };
		struct options o;
		char buf[256];

		assert_int_equal(parse(rows[i].line, buf, &o, &d), rows[i].text ? -EINVAL : 0);
		assert_string_equal(d.text, rows[i].text ? rows[i].text : "");
		options_release(&o);
	}
	(void)state;
}

static void test_values(void **state)
{
	struct diag d = { 0 };
	struct options o;
	char buf[256];

	assert_int_equal(
		parse("--json life -qv --from a --from=b --daily 100GB -- --wake --", buf, &o, &d),
		0);
	assert_true(o.quiet && o.verbose && !o.wake && !o.help);
	assert_true(o.format.set && o.format.value == FORMAT_JSON);
	assert_int_equal(o.from.n, 2);
	assert_string_equal(o.from.items[0], "a");
	assert_string_equal(o.from.items[1], "b");
	assert_true(o.daily.set && o.daily.value == 100e9);
	assert_false(o.capacity.set);
	assert_int_equal(o.words.n, 3);
	assert_string_equal(o.words.items[0], "life");
	assert_string_equal(o.words.items[1], "--wake");
	assert_string_equal(o.words.items[2], "--");
	options_release(&o);

	assert_int_equal(parse("capture -oout.json --at 2026-05-01 --format=csv --format nagios",
			       buf, &o, &d),
			 0);
	assert_string_equal(o.output, "out.json");
	assert_true(o.at.set && o.at.value == 1777593600);
	assert_int_equal(o.format.value, FORMAT_NAGIOS);
	options_release(&o);
	(void)state;
}

static void test_defaults(void **state)
{
	struct options o;

	options_init(&o);
	assert_int_equal(o.format.value, FORMAT_TEXT);
	assert_false(o.format.set);
	assert_true(o.timeout.value == READ_TIMEOUT_DEFAULT);
	assert_false(o.timeout.set);
	options_release(&o);
	(void)state;
}

/* What follows a mistake still says which format a failure has to take. */
static void test_format_after_mistake(void **state)
{
	struct diag d = { 0 };
	struct options o;
	char buf[256];

	assert_int_equal(parse("health --wkae --format nagios", buf, &o, &d), -EINVAL);
	assert_int_equal(o.format.value, FORMAT_NAGIOS);
	assert_string_equal(o.words.items[0], "health");
	options_release(&o);
	(void)state;
}

static void test_check(void **state)
{
	char *argv[] = { (char[]){ "-q" }, (char[]){ "help" }, (char[]){ "--from" },
			 (char[]){ "x" } };
	struct diag d = { 0 };

	assert_int_equal(options_check(4, argv, "help", GROUP_GENERAL | GROUP_DUMP, &d), 0);
	assert_int_equal(options_check(4, argv, "help", GROUP_GENERAL, &d), -EINVAL);
	assert_string_equal(d.text, "--from is no option of nandlife help");
	(void)state;
}

static void test_suggestions(void **state)
{
	static const struct {
		const char *word, *best;
	} rows[] = {
		{ "helth", "health" },	 { "heath", "health" }, { "hae", NULL },
		{ "lfie", "life" },	 { "li", "list" },	{ "captrue", "capture" },
		{ "completely", NULL },	 { "x", NULL },		{ "", NULL },
		{ "healthcheck", NULL },
	};
	static const char *const known[] = { "list", "health", "life", "capture" };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct suggestion s = { .word = rows[i].word };

		for (size_t j = 0; j < ARRAY_SIZE(known); j++)
			suggestion_offer(&s, known[j]);
		if (rows[i].best)
			assert_string_equal(s.best, rows[i].best);
		else
			assert_null(s.best);
	}
	(void)state;
}

/* The rows are well formed: parser, help, man pages and completions all rest on them. */
static void test_option_rows(void **state)
{
	for (size_t i = 0; i < option_rows_n; i++) {
		const struct option_row *row = &option_rows[i];

		assert_ptr_equal(option_by_name(row->name), row);
		assert_true(option_takes_value(row) == (row->argument != NULL));
		assert_true(strspn(row->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(row->name));
		assert_null(strpbrk(row->help, "\n\"`$\\"));
		assert_true(row->help[strlen(row->help) - 1] != '.');
		assert_true(row->type != OPTION_NUMBER || row->low < row->high);
		for (size_t j = 0; j < i; j++)
			assert_true(!row->letter || row->letter != option_rows[j].letter);
	}
	(void)state;
}

static void test_command_rows(void **state)
{
	for (size_t i = 0; i < commands_n; i++) {
		const struct command *command = &commands[i];

		assert_ptr_equal(command_by_name(command->name), command);
		assert_non_null(command->summary);
		assert_non_null(command->usage);
		assert_non_null(command->run);
		assert_null(strpbrk(command->summary, "\n\"`$\\"));
		assert_true((command->words == WORDS_CHOICE) == (command->choices != NULL));
		/* a command that offers formats takes --format, and the other way round */
		assert_true((command->formats != 0) == ((command->groups & GROUP_OUTPUT) != 0));
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mistakes),    cmocka_unit_test(test_values),
		cmocka_unit_test(test_defaults),    cmocka_unit_test(test_format_after_mistake),
		cmocka_unit_test(test_check),	    cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_option_rows), cmocka_unit_test(test_command_rows),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}

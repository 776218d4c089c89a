/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/times.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/output.h"
#include "cli/settings.h"
#include "cli/wrap.h"

static int parse(struct settings *s, const char *text, struct diag *d)
{
	settings_init(s);
	return settings_parse(s, bytes_of(text, strlen(text)), "x.conf", d);
}

static void a_file_sets_limits_and_accepts_findings(void **state)
{
	struct diag d = { 0 };
	struct settings s;

	(void)state;
	assert_int_equal(parse(&s,
			       "# comment\n"
			       "; comment\n"
			       "\n"
			       "[limits]\n"
			       "used-warning = 80\n"
			       "used-warning=81.5 ; the last one counts\n"
			       "[accept S64GNE0R900001]\r\n"
			       "wear.life-low = scratch drive, to be used up\r\n"
			       "[accept *]\n"
			       "data.stale: archive\n"
			       "[history]\n"
			       "daily-days = 3650",
			       &d),
			 0);
	assert_true(s.limits.used_warning == 81.5);
	assert_true(s.limits.used_critical == 99);
	assert_int_equal(s.full_days, HISTORY_FULL_DAYS);
	assert_int_equal(s.daily_days, 3650);
	assert_int_equal(s.nsuppressions, 2);
	assert_string_equal(s.suppressions[0].serial, "S64GNE0R900001");
	assert_string_equal(s.suppressions[0].id, "wear.life-low");
	assert_string_equal(s.suppressions[0].reason, "scratch drive, to be used up");
	assert_string_equal(s.suppressions[1].serial, "");
	assert_string_equal(s.suppressions[1].reason, "archive");
	settings_release(&s);
}

static void mistakes_are_told_with_their_line(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "[limits]\n\nused-warnin = 80\n",
		  "x.conf:3: there is no limit 'used-warnin'; did you mean used-warning?" },
		{ "[limits]\nxyzzy = 80\n",
		  "x.conf:2: there is no limit 'xyzzy'; nandlife help limits lists them" },
		{ "[limits]\nused-warning = 8,5\n",
		  "x.conf:2: limit used-warning: '8,5' is no number" },
		{ "[limits]\nused-warning = 1001\n",
		  "x.conf:2: limit used-warning: 1001 is not within 1 to 1000 %" },
		{ "[limits]\nused-warning = 80\n  used-critical = 90\n",
		  "x.conf:3: an entry may not be indented" },
		{ "used-warning = 80\n", "x.conf:1: an entry stands before the first [section]" },
		{ "[limit]\nused-warning = 80\n", "x.conf:2: there is no section [limit]; write "
						  "[limits], [history] or [accept SERIAL]" },
		{ "[history]\nfull-days = 90d\n",
		  "x.conf:2: full-days: '90d' is no number of days from 0 (for ever) to 36500" },
		{ "[history]\ndays = 9\n", "x.conf:2: there is no entry 'days' under [history]; "
					   "full-days and daily-days are" },
		{ "[limits]\nused-warning\n",
		  "x.conf:2: the line is neither [section] nor NAME = VALUE" },
		{ "[limits\nused-warning = 80\n",
		  "x.conf:1: the line is neither [section] nor NAME = VALUE" },
		{ "[accept *]\nwear.life-lo = x\n",
		  "x.conf:2: there is no finding 'wear.life-lo'; did you mean wear.life-low?" },
		{ "[accept *]\nwear.life-low =\n",
		  "x.conf:2: wear.life-low: say why it is accepted" },
		{ "[accept 0123456789012345678901234567890123456789012345678901234567890]\n"
		  "wear.life-low = x\n",
		  "x.conf:2: the name is too long" },
		/* the first mistake is the one that is told */
		{ "[limits]\nfoo = 1\nbar = 2\n",
		  "x.conf:2: there is no limit 'foo'; nandlife help limits lists them" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diag d = { 0 };
		struct settings s;

		assert_int_equal(parse(&s, rows[i].text, &d), -EINVAL);
		assert_string_equal(d.text, rows[i].message);
		settings_release(&s);
	}
}

/* inih would cut the line in two and read an entry out of its rest. */
static void an_overlong_line_is_refused(void **state)
{
	char text[1024] = "[limits]\nused-warning = 8";
	struct diag d = { 0 };
	struct settings s;

	(void)state;
	memset(text + strlen(text), ' ', 400);
	text[500] = '\0';
	assert_int_equal(parse(&s, text, &d), -EINVAL);
	assert_string_equal(d.text, "x.conf:2: the line is too long");
	settings_release(&s);
}

static void a_nul_byte_is_refused(void **state)
{
	static const char text[] = "[limits]\nused\0-warning = 80\n";
	struct diag d = { 0 };
	struct settings s;

	(void)state;
	settings_init(&s);
	assert_int_equal(settings_parse(&s, bytes_of(text, sizeof(text) - 1), "x.conf", &d),
			 -EINVAL);
	assert_string_equal(d.text, "x.conf:2: the line has a NUL byte");
	settings_release(&s);
}

static void limits_come_from_the_command_line_too(void **state)
{
	struct diag d = { 0 };
	struct settings s;

	(void)state;
	settings_init(&s);
	assert_int_equal(settings_limit(&s, "waf-high=4.5", &d), 0);
	assert_true(s.limits.waf_high == 4.5);
	assert_int_equal(settings_limit(&s, "waf-high", &d), -EINVAL);
	assert_string_equal(d.text, "--limit: 'waf-high' is not NAME=VALUE");
	diag_clear(&d);
	assert_int_equal(settings_limit(&s, "waf-hihg=3", &d), -EINVAL);
	assert_string_equal(d.text, "there is no limit 'waf-hihg'; did you mean waf-high?");
	settings_release(&s);
}

static void errors_have_exit_codes(void **state)
{
	static const struct {
		int err, code;
	} rows[] = {
		{ 0, 0 },	{ EINVAL, 65 },	    { ENODATA, 65 }, { ENOENT, 66 }, { ENODEV, 66 },
		{ ENOTTY, 69 }, { EOPNOTSUPP, 69 }, { ENOMEM, 71 },  { EMFILE, 71 }, { EIO, 74 },
		{ ENOSPC, 74 }, { ETIMEDOUT, 74 },  { EBUSY, 75 },   { EAGAIN, 75 }, { EACCES, 77 },
		{ EPERM, 77 },	{ EXDEV, 71 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(exit_code_of(-rows[i].err), rows[i].code);
}

static void text_wraps_between_words(void **state)
{
	CLEANUP(str_release) struct str out = { 0 };

	(void)state;
	add_wrapped(&out, "one two three four five six seven", 0, 4, 24);
	assert_string_equal(str_text(&out), "one two three four five\n    six seven\n");
	str_release(&out);
	add_wrapped(&out, "", 0, 4, 24);
	assert_string_equal(str_text(&out), "\n");
	str_release(&out);
	add_wrapped(&out, "first\n\nsecond", 0, 2, 80);
	assert_string_equal(str_text(&out), "first\n\n  second\n");
	str_release(&out);
	/* a word longer than the line stands alone, not cut */
	add_wrapped(&out, "x 0123456789012345678901234567890123456789 y", 0, 0, 20);
	assert_string_equal(str_text(&out), "x\n0123456789012345678901234567890123456789\ny\n");
}

static void a_file_is_replaced_whole(void **state)
{
	char folder[] = "/tmp/nandlife-test-XXXXXX", path[64];
	CLEANUP(file_names_release) struct file_names names = { 0 };
	CLEANUP(file_release) struct file file = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/b.json", folder);
	assert_int_equal(file_write(path, bytes_of("old", 3), &d), 0);
	assert_int_equal(file_write(path, bytes_of("new text", 8), &d), 0);
	assert_int_equal(file_read(path, &d, &file), 0);
	assert_int_equal(file.len, 8);
	assert_string_equal((const char *)file.data, "new text");
	assert_true(file.time != TIME_UNKNOWN);
	assert_int_equal(folder_list(folder, ".json", &d, &names), 0);
	assert_int_equal(names.n, 1);
	assert_string_equal(names.items[0], path);

	assert_int_equal(file_write("/nonexistent/x", bytes_of("x", 1), &d), -ENOENT);
	assert_string_equal(d.text, "/nonexistent/x: No such file or directory");
	diag_clear(&d);
	assert_int_equal(file_read(folder, &d, &file), -EISDIR);
	unlink(path);
	rmdir(folder);
}

static void a_failed_write_sticks_and_is_told(void **state)
{
	struct output out;
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	if (fd < 0)
		return; /* no such device in some build chambers */
	output_init(&out, fd);
	assert_false(out.terminal.colour);
	assert_int_equal(out.terminal.columns, 0);
	assert_int_equal(output_flush(&out), 0);
	str_add(&out.text, "x");
	assert_int_equal(output_flush(&out), -ENOSPC);
	assert_int_equal(output_flush(&out), -ENOSPC);
	output_release(&out);
	close(fd);
}

static void an_empty_file_is_read(void **state)
{
	CLEANUP(file_release) struct file file = { 0 };
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(file_read("/dev/null", &d, &file), 0);
	assert_int_equal(file.len, 0);
	assert_non_null(file.data);
	assert_true(file.time == TIME_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_sets_limits_and_accepts_findings),
		cmocka_unit_test(mistakes_are_told_with_their_line),
		cmocka_unit_test(an_overlong_line_is_refused),
		cmocka_unit_test(a_nul_byte_is_refused),
		cmocka_unit_test(limits_come_from_the_command_line_too),
		cmocka_unit_test(errors_have_exit_codes),
		cmocka_unit_test(text_wraps_between_words),
		cmocka_unit_test(a_file_is_replaced_whole),
		cmocka_unit_test(an_empty_file_is_read),
		cmocka_unit_test(a_failed_write_sticks_and_is_told),
	};

	return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "report/mail.h"

static char *compose(const char *to, const char *subject, const char *body)
{
	const struct mail m = { .to = to, .subject = subject, .date = 1767225600, .body = body };
	struct str out = { 0 };

	mail_compose(&m, &out);
	assert_int_equal(str_error(&out), 0);
	return str_steal(&out);
}

static void a_plain_message_is_plain(void **state)
{
	char *text = compose("root@example.org", "nandlife: OK: 2 OK", "two drives\nare well\n");

	(void)state;
	assert_string_equal(text, "Date: Thu, 1 Jan 2026 00:00:00 +0000\n"
				  "To: root@example.org\n"
				  "Subject: nandlife: OK: 2 OK\n"
				  "Auto-Submitted: auto-generated\n"
				  "MIME-Version: 1.0\n"
				  "Content-Type: text/plain; charset=utf-8\n"
				  "Content-Transfer-Encoding: 7bit\n"
				  "\n"
				  "two drives\nare well\n");
	free(text);
}

/* Every line before the empty one is a header of ours, or goes on with a space. */
static void assert_headers(const char *text)
{
	static const char *const names[] = { "Date:",		"To:",		 "Subject:",
					     "Auto-Submitted:", "MIME-Version:", "Content-" };

	while (*text != '\n') {
		size_t known = *text == ' ';

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			known += strncmp(text, names[i], strlen(names[i])) == 0;
		assert_int_equal(known, 1);
		assert_true(strcspn(text, "\n") <= 998);
		text += strcspn(text, "\n") + 1;
	}
}

static void no_subject_starts_a_header(void **state)
{
	static const char *const subjects[] = {
		"a\nBcc: thief@example.org",   "a\r\nBcc: x", "\n\nbody", "=?utf-8?Q?x?=",
		"\xc3\xbc \xff \xff \xe2\x82", "\t",	      "",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++) {
		char *text = compose(NULL, subjects[i], "body\n");

		assert_headers(text);
		assert_null(strstr(text, "\nBcc"));
		assert_null(strchr(text, '\r'));
		free(text);
	}
}

static void long_subjects_are_words_of_75(void **state)
{
	char subject[2001], *text, *line;

	(void)state;
	for (size_t i = 0; i + 2 < sizeof(subject); i += 2)
		memcpy(subject + i, "\xc3\xa9", 3);
	text = compose(NULL, subject, "");
	assert_headers(text);
	line = strstr(text, "Subject: ") + strlen("Subject: ");
	for (size_t n = 0; n == 0 || *line == ' '; n++) {
		line += n != 0;
		assert_true(strcspn(line, "\n") <= 75);
		assert_int_equal(strncmp(line, "=?utf-8?Q?=C3=A9", 16), 0);
		line += strcspn(line, "\n") + 1;
	}
	free(text);
}

/* What a reader makes of quoted-printable. */
static void decode(const char *s, char *ret)
{
	for (; *s; s++) {
		char *end = NULL;

		if (*s != '=') {
			*ret++ = *s;
		} else if (s[1] == '\n') {
			s++;
		} else {
			*ret++ = (char)strtoul((const char[]){ s[1], s[2], '\0' }, &end, 16);
			assert_int_equal(*end, '\0');
			s += 2;
		}
	}
	*ret = '\0';
}

static void a_body_comes_through_whole(void **state)
{
	static const char body[] =
		"\xc3\xa9 = 100 % \n.\nFrom here\n trailing \n\x01\n"
		"a line that is a good deal longer than the seventy-six characters "
		"that a line may have when it is quoted \xe2\x82\xac and goes on\n";
	char *text = compose(NULL, "s", body), got[1024];
	const char *start = strstr(text, "\n\n") + 2;

	(void)state;
	assert_non_null(strstr(text, "Content-Transfer-Encoding: quoted-printable\n"));
	decode(start, got);
	assert_string_equal(got, body);
	for (const char *line = start; *line; line += strcspn(line, "\n") + 1) {
		size_t n = strcspn(line, "\n");

		assert_true(n <= 76 && *line != '.' && strncmp(line, "From ", 5) != 0);
		assert_true(!n || line[n - 1] != ' ');
	}
	free(text);
}

static void addresses_are_checked(void **state)
{
	static const char *const good[] = { "root", "a.b+c@example.org", "x@localhost" };
	static const char *const bad[] = {
		"",   "a b@c", "a@b\nBcc: c", "a@b,c@d",   "@b",
		"a@", "a@b@c", "<a@b>",	      "-oQ/tmp@x", "\xc3\xa9@b"
	};
	char longest[300];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(mail_address_is_plain(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(mail_address_is_plain(bad[i]));
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_false(mail_address_is_plain(longest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_message_is_plain),
		cmocka_unit_test(no_subject_starts_a_header),
		cmocka_unit_test(long_subjects_are_words_of_75),
		cmocka_unit_test(a_body_comes_through_whole),
		cmocka_unit_test(addresses_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

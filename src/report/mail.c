/* SPDX-License-Identifier: MIT */
#include "report/mail.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

#define ADDRESS_MAX	  254 /* RFC 5321, 4.5.3.1.3 less the brackets */
#define PLAIN_SUBJECT_MAX 200
#define LINE_MAX	  998 /* RFC 5322, 2.1.1 */
#define ENCODED_WORD_MAX  75  /* RFC 2047, 2 */
#define QUOTED_LINE_MAX	  76  /* RFC 2045, 6.7 */

static bool is_plain(unsigned char c)
{
	return c >= ' ' && c <= '~';
}

bool mail_address_is_plain(const char *address)
{
	static const char atom[] = "!#$%&'*+-/=?^_`{|}~.@"
				   "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	const char *at = strchr(address, '@');
	size_t n = strlen(address);

	if (!n || n > ADDRESS_MAX || address[strspn(address, atom)])
		return false;
	return *address != '@' && *address != '-' && (!at || (at[1] && !strchr(at + 1, '@')));
}

static void add_date(struct str *out, int64_t date)
{
	static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	struct tm tm = { 0 };

	gmtime_r(&date, &tm);
	str_addf(out, "Date: %s, %d %s %d %02d:%02d:%02d +0000\n", days[tm.tm_wday], tm.tm_mday,
		 months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

static bool subject_is_plain(const char *s)
{
	const char *p = s;

	while (is_plain((unsigned char)*p))
		p++;
	return !*p && p - s <= PLAIN_SUBJECT_MAX && !strstr(s, "=?");
}

/* A byte as it stands in an encoded word: letters and digits alone are safe everywhere. */
static size_t encode_byte(unsigned char c, char buf[4])
{
	bool safe = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

	return (size_t)snprintf(buf, 4, safe ? "%c" : c == ' ' ? "_" : "=%02X", c);
}

/* Words of whole characters, each on a line of its own. Bytes that are no UTF-8 become U+FFFD. */
static void add_encoded_words(struct str *out, const char *s)
{
	static const char start[] = "=?utf-8?Q?", end[] = "?=";
	size_t used = ENCODED_WORD_MAX;
	bool first = true;

	while (*s) {
		unsigned n = text_utf8_length(s);
		const char *from = n ? s : "\xef\xbf\xbd";
		char text[4 * 4 + 1] = "";
		size_t len = 0;

		for (unsigned i = 0; i < (n ? n : 3); i++)
			len += encode_byte((unsigned char)from[i], text + len);
		if (used + len + strlen(end) > ENCODED_WORD_MAX) {
			str_addf(out, "%s%s", first ? "" : "?=\n ", start);
			used = strlen(start);
			first = false;
		}
		str_add(out, text);
		used += len;
		s += n ? n : 1;
	}
	str_add(out, first ? "" : end);
}

/*
 * Lines that the way may change: too long, not ASCII, a dot alone (the end of a message to
 * sendmail), "From " (the start of one in a mailbox).
 */
static bool body_is_plain(const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");

		if (n > LINE_MAX || *s == '.' || text_starts_with(s, "From "))
			return false;
		for (size_t i = 0; i < n; i++)
			if (!is_plain((unsigned char)s[i]))
				return false;
		s += n + (s[n] == '\n');
	}
	return true;
}

static void add_quoted_line(struct str *out, const char *s, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		bool starts = !i && (c == '.' || c == 'F');
		bool as_is = is_plain(c) && c != '=' && !starts && (c != ' ' || i + 1 < n);
		size_t len = as_is ? 1 : 3;

		/* a soft line break takes a place, too; what follows it starts a line */
		if (used + len > QUOTED_LINE_MAX - 1) {
			str_add(out, "=\n");
			used = 0;
			as_is = false;
			len = 3;
		}
		str_addf(out, as_is ? "%c" : "=%02X", c);
		used += len;
	}
	str_add_char(out, '\n');
}

static void add_quoted(struct str *out, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, "\n");

		add_quoted_line(out, s, n);
		s += n + (s[n] == '\n');
	}
}

void mail_compose(const struct mail *m, struct str *out)
{
	bool plain = body_is_plain(m->body);

	add_date(out, m->date);
	if (m->to)
		str_addf(out, "To: %s\n", m->to);
	str_add(out, "Subject: ");
	if (subject_is_plain(m->subject))
		str_add(out, m->subject);
	else
		add_encoded_words(out, m->subject);
	str_addf(out,
		 "\nAuto-Submitted: auto-generated\nMIME-Version: 1.0\n"
		 "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: %s\n\n",
		 plain ? "7bit" : "quoted-printable");
	if (plain)
		str_add(out, m->body);
	else
		add_quoted(out, m->body);
}

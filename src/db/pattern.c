/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <regex.h>
#include <string.h>

#include "base/text.h"
#include "db/family.h"

#define GROUPS_MAX 12

/* Behind the set, group, count or escape that begins at s, or behind one character. */
static const char *skip_atom(const char *s)
{
	unsigned depth = 0;

	do {
		if (*s == '\\' && s[1]) {
			s += 2;
		} else if (*s == '[') {
			s += s[1] == '^' ? 2 : 1;
			s += *s == ']';
			s += strcspn(s, "]");
			s += *s == ']';
		} else if (*s == '{') {
			s += strcspn(s, "}");
			s += *s == '}';
		} else {
			depth += *s == '(';
			depth -= depth && *s == ')';
			s += *s != '\0';
		}
	} while (depth && *s);
	return s;
}

/*
 * The longest piece of plain text in one alternative at the top level, from s on: characters that
 * stand for themselves and are not optional. Returns where the alternative ends.
 */
static const char *find_needle(const char *s, const char **ret_start, size_t *ret_len)
{
	const char *run = s;
	size_t n = 0;

	*ret_len = 0;
	while (*s && *s != '|') {
		const char *next = skip_atom(s);
		bool plain = next == s + 1 && !strchr(".[]()*+?{}^$\\", *s);
		bool optional = *next == '?' || *next == '*' || *next == '{';

		if (!plain || optional) {
			run = next;
			n = 0;
		} else if (++n > *ret_len) {
			*ret_start = run;
			*ret_len = n;
		}
		s = next;
	}
	return s;
}

static void find_needles(struct pattern *p)
{
	const char *s = p->text, *start = s;
	size_t len;

	for (p->nneedles = 0; p->nneedles < NEEDLES_MAX; s++) {
		s = find_needle(s, &start, &len);
		if (len == 0)
			break;
		p->needles[p->nneedles].off = (uint16_t)(start - p->text);
		p->needles[p->nneedles++].len = (uint16_t)len;
		if (!*s)
			return;
	}
	p->nneedles = 0; /* an alternative without one, or too many */
}

/*
 * The library expands counted repetitions before it compiles: nested ones eat all memory. Only a
 * single character or set may be counted, up to nine times; there are no back references.
 */
static const char *find_costly(const char *s)
{
	bool in_set = false;
	unsigned groups = 0;

	for (size_t i = 0; s[i]; i++) {
		if (!in_set && s[i] == '\\') {
			if (s[i + 1] >= '0' && s[i + 1] <= '9')
				return "back references are not supported";
			i += s[i + 1] != '\0';
			continue;
		}
		if (!in_set && s[i] == '{' &&
		    (i == 0 || strchr(")}*+?", s[i - 1]) || strspn(s + i + 1, "0123456789") != 1))
			return "only single characters may be repeated, up to nine times";
		if (!in_set && s[i] == '(' && ++groups > GROUPS_MAX)
			return "too many groups";
		in_set = in_set ? s[i] != ']' : s[i] == '[';
	}
	return NULL;
}

int pattern_prepare(struct pattern *p, char *why, size_t size)
{
	const char *costly = find_costly(p->text);

	if (costly) {
		text_copy(why, size, costly);
		return -EINVAL;
	}
	find_needles(p);
	return 0;
}

int pattern_check(const struct pattern *p, char *why, size_t size)
{
	regex_t regex;
	int err = *p->text ? regcomp(&regex, p->text, REG_EXTENDED | REG_NOSUB) : 0;

	if (err) {
		regerror(err, &regex, why, size);
		return err == REG_ESPACE ? -ENOMEM : -EINVAL;
	}
	if (*p->text)
		regfree(&regex);
	return 0;
}

static bool may_match(const struct pattern *p, const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < p->nneedles; i++)
		if (memmem(s, len, p->text + p->needles[i].off, p->needles[i].len))
			return true;
	return p->nneedles == 0;
}

int pattern_matches(const struct pattern *p, const char *s)
{
	regex_t regex;
	int matches, err;

	if (!*p->text)
		return 1;
	if (!may_match(p, s))
		return 0;
	err = regcomp(&regex, p->text, REG_EXTENDED | REG_NOSUB);
	if (err)
		return err == REG_ESPACE ? -ENOMEM : 0;
	matches = regexec(&regex, s, 0, NULL, 0);
	regfree(&regex);
	return matches == REG_ESPACE ? -ENOMEM : matches == 0;
}

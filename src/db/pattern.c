/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "db/family.h"

#define GROUPS_MAX 12

/*
 * Most patterns begin with "^" and plain text. Comparing that first spares the regular expression
 * for all but the few families of the right maker.
 */
static void find_prefix(struct pattern *p)
{
	const char *s = p->text;
	size_t n = 0;

	/* an alternative at the top level has a beginning of its own */
	for (int depth = 0; *s; s++) {
		depth += *s == '(';
		depth -= *s == ')';
		if (*s == '|' && depth <= 0)
			return;
	}
	s = p->text;
	if (*s++ != '^')
		return;
	while (n < sizeof(p->prefix) - 1 && s[n] && !strchr(".[]()*+?{}|^$\\", s[n])) {
		p->prefix[n] = s[n];
		n++;
	}
	if (n && s[n] && strchr("*?{", s[n])) /* the last character may be missing */
		n--;
	p->prefix[n] = '\0';
	p->prefix_len = n;
}

/*
 * The library expands counted repetitions before it compiles: nested ones eat all memory. Only a
 * single character or set may be counted, up to nine times; there are no back references.
 */
static const char *find_costly(const char *s)
{
	bool in_set = false;
	unsigned depth = 0;

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
		if (!in_set && s[i] == '(' && ++depth > GROUPS_MAX)
			return "too many groups";
		in_set = in_set ? s[i] != ']' : s[i] == '[';
	}
	return NULL;
}

int pattern_compile(struct pattern *p, char *why, size_t size)
{
	const char *costly = find_costly(p->text);
	int err;

	if (!*p->text)
		return 0;
	if (costly) {
		text_copy(why, size, costly);
		return -EINVAL;
	}
	err = regcomp(&p->regex, p->text, REG_EXTENDED | REG_NOSUB);
	if (err) {
		regerror(err, &p->regex, why, size);
		return err == REG_ESPACE ? -ENOMEM : -EINVAL;
	}
	p->compiled = true;
	find_prefix(p);
	return 0;
}

bool pattern_matches(const struct pattern *p, const char *s)
{
	if (!p->compiled)
		return true;
	if (strncmp(s, p->prefix, p->prefix_len) != 0)
		return false;
	return regexec(&p->regex, s, 0, NULL, 0) == 0;
}

void pattern_release(struct pattern *p)
{
	if (p->compiled)
		regfree(&p->regex);
	p->compiled = false;
}

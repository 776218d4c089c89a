/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "db/family.h"

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

int pattern_compile(struct pattern *p, char *why, size_t size)
{
	int err;

	if (!*p->text)
		return 0;
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

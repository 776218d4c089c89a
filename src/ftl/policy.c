/* SPDX-License-Identifier: MIT */
#include "ftl/policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"

static const struct {
	const char *name, *argument;
	uint32_t most;
} policies[] = {
#define X(e, name, argument, most, help) { name, argument, most },
	VICTIM_POLICIES(X)
#undef X
};

static const char *const ties[] = {
#define X(e, name, help) name,
	VICTIM_TIES(X)
#undef X
};

static int unknown(const char *what, const char *text, const char *const *names, size_t n,
		   struct diag *d)
{
	struct suggestion s = { .word = text };
	char list[256];
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		suggestion_offer(&s, names[i]);
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%s", i ? ", " : "",
				       names[i]);
	}
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no %s '%s'; did you mean %s?", what, text,
				 s.best);
	return diag_fail(d, -EINVAL, "there is no %s '%s'; there are %s", what, text, list);
}

static int parse_argument(enum victim_policy policy, const char *text, struct victim_choice *ret,
			  struct diag *d)
{
	const char *name = policies[policy].name, *argument = policies[policy].argument;
	uint64_t v = 0;

	if (!*argument && text)
		return diag_fail(d, -EINVAL, "the policy %s takes no number", name);
	if (*argument && (!text || parse_u64(text, policies[policy].most, &v) < 0 || v < 1))
		return diag_fail(d, -EINVAL, "the policy %s needs a number from 1 to %u: %s:%s",
				 name, policies[policy].most, name, argument);
	ret->policy = policy;
	ret->argument = (uint32_t)v;
	return 0;
}

int victim_parse(const char *text, struct victim_choice *ret, struct diag *d)
{
	const char *colon = strchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : strlen(text);
	const char *names[VICTIM_POLICY_COUNT];
	char name[VICTIM_TEXT_MAX];

	for (unsigned i = 0; i < VICTIM_POLICY_COUNT; i++) {
		names[i] = policies[i].name;
		if (strlen(names[i]) == n && !strncmp(names[i], text, n))
			return parse_argument((enum victim_policy)i, colon ? colon + 1 : NULL, ret,
					      d);
	}
	snprintf(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : sizeof(name) - 1), text);
	return unknown("policy", name, names, ARRAY_SIZE(names), d);
}

int victim_ties_parse(const char *text, enum victim_ties *ret, struct diag *d)
{
	for (unsigned i = 0; i < VICTIM_TIES_COUNT; i++) {
		if (!strcmp(ties[i], text)) {
			*ret = (enum victim_ties)i;
			return 0;
		}
	}
	return unknown("tie rule", text, ties, ARRAY_SIZE(ties), d);
}

const char *victim_text(const struct victim_choice *v, char buf[VICTIM_TEXT_MAX])
{
	if (*policies[v->policy].argument)
		snprintf(buf, VICTIM_TEXT_MAX, "%s:%u", policies[v->policy].name, v->argument);
	else
		snprintf(buf, VICTIM_TEXT_MAX, "%s", policies[v->policy].name);
	return buf;
}

const char *victim_ties_text(enum victim_ties rule)
{
	return ties[rule];
}

bool victim_has_ties(enum victim_policy policy)
{
	return policy == VICTIM_GREEDY || policy == VICTIM_WINDOWED;
}

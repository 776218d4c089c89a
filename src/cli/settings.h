/* SPDX-License-Identifier: MIT */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include "base/bytes.h"
#include "health/finding.h"

/*
 * What the administrator decides: limits of the findings, and findings that are accepted for a
 * drive. nandlife.conf has
 *
 *	[limits]
 *	NAME = VALUE		as --limit
 *	[accept SERIAL]		or [accept *] for every drive
 *	FINDING = REASON
 */
struct settings {
	struct limits limits;
	struct suppression *suppressions;
	size_t nsuppressions;
};

void settings_init(struct settings *s); /* the defaults */
void settings_release(struct settings *s);

/*
 * Add what the text of a configuration file says; name is for messages. -EINVAL at the first
 * mistake, with file and line in d; -ENOMEM.
 */
int settings_parse(struct settings *s, struct bytes text, const char *name,
		   struct diag *d) MUST_USE;

/* "NAME=VALUE" of --limit. -EINVAL, the reason in d. */
int settings_limit(struct settings *s, const char *word, struct diag *d) MUST_USE;

#endif

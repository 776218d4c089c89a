/* SPDX-License-Identifier: MIT */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#define HISTORY_FULL_DAYS 90 /* unless set */

#include "base/bytes.h"
#include "health/finding.h"

/*
 * What the administrator decides: limits of the findings, findings that are accepted for a drive,
 * and how long the history is kept. nandlife.conf has
 *
 *	[limits]
 *	NAME = VALUE		as --limit
 *	[accept SERIAL]		or [accept *] for every drive
 *	FINDING = REASON
 *	[history]
 *	full-days = DAYS
 *	daily-days = DAYS
 */
struct settings {
	struct limits limits;
	struct suppression *suppressions;
	size_t nsuppressions;
	/* of the history: every sample is kept for so many days, then one a day; 0: for ever */
	unsigned full_days, daily_days;
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

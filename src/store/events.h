/* SPDX-License-Identifier: MIT */
#ifndef STORE_EVENTS_H
#define STORE_EVENTS_H

#include "store/database.h"

/* derived: found between two samples, and so found anew when they change. */
int events_add(struct store *s, int64_t drive, const struct event *event, bool derived,
	       struct diag *d) MUST_USE;

/* Add what two samples show that follow each other. */
int events_derive(struct store *s, int64_t drive, const struct sample *before,
		  const struct sample *after, const struct drive_rule *rule,
		  struct diag *d) MUST_USE;

/* Drop what was derived for the later sample of a pair. */
int events_forget(struct store *s, int64_t drive, int64_t time, struct diag *d) MUST_USE;

#endif

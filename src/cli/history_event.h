/* SPDX-License-Identifier: MIT */
#ifndef CLI_HISTORY_EVENT_H
#define CLI_HISTORY_EVENT_H

#include "store/store.h"

/*
 * An event as one line of an export, {"schema":"nandlife.event/1", "drive":{"model","serial",
 * "capacity_bytes"}, "time","kind","text"}.
 */
struct str;
struct cJSON;

void history_event_export(const struct identity *drive, const struct event *event, struct str *out);

/*
 * Put it back; one of the same kind and time that is there stays as it is. -EINVAL where the object
 * is no event, -ENOENT where its drive is not in the history; errors of the store. d has reasons.
 */
int history_event_import(struct store *s, const struct cJSON *object, struct diag *d,
			 bool *ret_added) MUST_USE;

#endif

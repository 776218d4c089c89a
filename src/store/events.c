/* SPDX-License-Identifier: MIT */
#include "store/events.h"

int events_add(struct store *s, int64_t drive, const struct event *event, bool derived,
	       struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_EVENT_ADD, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, event->time);
	bind_text(st, 3, event_kind_name(event->kind));
	bind_text(st, 4, event->text);
	bind_number(st, 5, derived);
	return statement_run(s, st, d);
}

/* Nothing else shows between two samples of one frame: the same firmware, place and sources. */
static bool counter_fell(const struct sample *before, const struct sample *after)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (fact_is_counter((enum fact_id)i) && before->has & after->has & FACT_BIT(i) &&
		    after->values[i] < before->values[i])
			return true;
	return false;
}

int events_derive(struct store *s, int64_t drive, const struct sample *before,
		  const struct sample *after, const struct drive_rule *rule, struct diag *d)
{
	struct event events[EVENTS_BETWEEN_MAX];
	size_t n;
	int err = 0;

	if (before->frame == after->frame && !counter_fell(before, after))
		return 0;
	n = series_events_between(before, after, rule, events, EVENTS_BETWEEN_MAX);
	for (size_t i = 0; i < n && !err; i++)
		err = events_add(s, drive, &events[i], true, d);
	return err;
}

int events_forget(struct store *s, int64_t drive, int64_t time, struct diag *d)
{
	CLEANUP(statement_end) sqlite3_stmt *st = NULL;
	int err = statement_get(s, SQL_EVENTS_FORGET, d, &st);

	if (err)
		return err;
	bind_number(st, 1, drive);
	bind_number(st, 2, time);
	return statement_run(s, st, d);
}

int store_add_event(struct store *s, int64_t drive, const struct event *event, struct diag *d)
{
	bool own = false;
	int err = write_begin(s, d, &own);

	if (err)
		return err;
	return write_end(s, own, events_add(s, drive, event, false, d), d);
}

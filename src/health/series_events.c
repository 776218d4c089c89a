/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/series_counting.h"

static const char *amount(enum fact_id id, i128 v, char buf[UNIT_TEXT_MAX])
{
	if (fact_unit(id) == UNIT_BYTES && v >= 0)
		return format_bytes((u128)v, buf);
	return format_quantity(v, fact_unit(id), buf);
}

static void reset_text(const struct change *changes, size_t n, struct event *e)
{
	char from[UNIT_TEXT_MAX], to[UNIT_TEXT_MAX];
	size_t at = 0;

	for (size_t i = 0; i < n && i < 2; i++)
		at += (size_t)snprintf(e->text + at, sizeof(e->text) - at,
				       "%s%s fell from %s to %s", i ? ", " : "",
				       fact_label(changes[i].id),
				       amount(changes[i].id, changes[i].from, from),
				       amount(changes[i].id, changes[i].to, to));
	if (n > 2)
		snprintf(e->text + at, sizeof(e->text) - at, ", and %zu more counters", n - 2);
}

static void wrap_text(const struct change *changes, size_t n, struct event *e)
{
	char from[UNIT_TEXT_MAX], to[UNIT_TEXT_MAX], end[UNIT_TEXT_MAX];
	size_t at = 0;

	for (size_t i = 0; i < n && i < 2; i++)
		at += (size_t)snprintf(e->text + at, sizeof(e->text) - at,
				       "%s%s passed the end of its range at %s: %s, then %s",
				       i ? "; " : "", fact_label(changes[i].id),
				       amount(changes[i].id, changes[i].modulus, end),
				       amount(changes[i].id, changes[i].from, from),
				       amount(changes[i].id, changes[i].to, to));
}

size_t changes_events(const struct changes *c, struct event ret[2])
{
	size_t n = 0;

	if (c->nresets) {
		ret[n] = (struct event){ .time = c->time, .kind = EVENT_COUNTER_RESET };
		reset_text(c->resets, c->nresets, &ret[n++]);
	}
	if (c->nwraps) {
		ret[n] = (struct event){ .time = c->time, .kind = EVENT_COUNTER_WRAP };
		wrap_text(c->wraps, c->nwraps, &ret[n++]);
	}
	return n;
}

static bool firmware_event(const struct frame *a, const struct frame *b, struct event *e)
{
	char from[4 * FW_MAX], to[4 * FW_MAX];

	if (!*a->firmware || !*b->firmware || strcmp(a->firmware, b->firmware) == 0)
		return false;
	text_escape(from, sizeof(from), a->firmware);
	text_escape(to, sizeof(to), b->firmware);
	e->kind = EVENT_FIRMWARE_CHANGED;
	snprintf(e->text, sizeof(e->text), "firmware %.100s, before it %.100s", to, from);
	return true;
}

/* "/dev/nvme0" is the same place as "/dev/nvme0n1". */
static size_t node_length(const char *path)
{
	size_t n = strlen(path), digits;

	if (strncmp(path, "/dev/nvme", strlen("/dev/nvme")) != 0)
		return n;
	digits = strlen("/dev/nvme") + strspn(path + strlen("/dev/nvme"), "0123456789");
	return path[digits] == 'n' ? digits : n;
}

static bool same_node(const char *a, const char *b)
{
	size_t n = node_length(a);

	return n == node_length(b) && strncmp(a, b, n) == 0;
}

/* A node or a slot; those of a dump and of this machine are not to be compared. */
static bool node_event(const struct sample *x, const struct sample *y, struct event *e)
{
	const struct frame *a = x->frame, *b = y->frame;
	bool node = *a->path && *b->path && !same_node(a->path, b->path);
	bool place = *a->location && *b->location && strcmp(a->location, b->location) != 0;
	char from[120], to[120];

	if (x->live != y->live || (!node && !place))
		return false;
	text_escape(from, sizeof(from), node ? a->path : a->location);
	text_escape(to, sizeof(to), node ? b->path : b->location);
	e->kind = EVENT_NODE_CHANGED;
	snprintf(e->text, sizeof(e->text), "now at %.100s, before at %.100s", to, from);
	return true;
}

size_t place_events(const struct sample *before, const struct sample *after, struct event ret[2])
{
	size_t n = 0;

	ret[0].time = ret[1].time = after->time;
	n += firmware_event(before->frame, after->frame, &ret[n]);
	n += node_event(before, after, &ret[n]);
	return n;
}

size_t series_events_between(const struct sample *before, const struct sample *after,
			     const struct drive_rule *rule, struct event *ret, size_t max)
{
	struct event found[4];
	struct sample a = *before, b = *after;
	struct counting *c = malloc(sizeof(*c));
	size_t n;

	if (!c)
		return 0;
	n = place_events(before, after, found);
	counting_init(c, rule);
	if (hours_fit(before, after)) {
		counting_add(c, &a);
		counting_add(c, &b);
		n += changes_events(&c->now, &found[n]);
	}
	free(c);
	n = n < max ? n : max;
	memcpy(ret, found, n * sizeof(*ret));
	return n;
}

/* SPDX-License-Identifier: MIT */
/* Which members of an array end together, and when to replace which. */
#include <errno.h>
#include <string.h>

#include "health/array.h"

void array_plans_release(struct array_plans *plans)
{
	free(plans->items);
	free(plans->members);
	*plans = (struct array_plans){ 0 };
}

static int compare(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_end(const void *a, const void *b)
{
	const struct array_member *x = a, *y = b;
	int order = compare(x->end, y->end);

	return order ? order : x->drive < y->drive ? -1 : 1;
}

static int by_end_low(const void *a, const void *b)
{
	const struct array_member *x = a, *y = b;
	int order = compare(x->end_low, y->end_low);

	return order ? order : by_end(a, b);
}

/* Neighbours in time are enough to look at: who has none within the window has nobody there. */
static void find_together(struct array_plan *plan, int64_t window)
{
	struct array_member *m = plan->members;

	qsort(m, plan->n, sizeof(*m), by_end);
	plan->ntogether = 0;
	for (size_t i = 0; i < plan->n; i++) {
		m[i].together = (i > 0 && m[i].end - m[i - 1].end <= window) ||
				(i + 1 < plan->n && m[i + 1].end - m[i].end <= window);
		plan->ntogether += m[i].together;
	}
}

void array_stagger(struct array_plan *plan, int64_t window, int64_t now)
{
	struct array_member *m = plan->members;
	size_t overdue = 0;
	int64_t next = INT64_MAX;

	find_together(plan, window);
	qsort(m, plan->n, sizeof(*m), by_end_low);
	while (overdue < plan->n && m[overdue].end_low - SECONDS_PER_DAY <= now)
		overdue++;
	/* those overdue go now, together: the next one follows them */
	plan->spacing = window;
	for (size_t i = overdue ? overdue : 1; i < plan->n; i++) {
		int64_t turn = (int64_t)(overdue ? i - overdue + 1 : i);
		int64_t room = (m[i].end_low - SECONDS_PER_DAY - now) / turn;

		if (room < plan->spacing)
			plan->spacing = room;
	}
	for (size_t i = plan->n; i-- > 0;) {
		m[i].overdue = i < overdue;
		m[i].replace = m[i].overdue ? now : m[i].end_low - SECONDS_PER_DAY;
		if (!m[i].overdue && i + 1 < plan->n && next - plan->spacing < m[i].replace)
			m[i].replace = next - plan->spacing;
		next = m[i].replace;
	}
}

/* A member with what it is sorted by. */
struct named {
	const char *name;
	int64_t time; /* of the reading; now where it is not known */
	struct array_member member;
};

/* The newest first, so that the others of its array can be held against it. */
static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = compare(y->time, x->time);
	return order ? order : by_end(&x->member, &y->member);
}

/* Does the drive count, and when does it end? */
static bool find_end(const struct reading *r, const struct assessment *a, int64_t now,
		     struct array_member *ret)
{
	const struct estimate *e;

	if (!*r->identity.array || a->estimates.binding < 0)
		return false;
	e = &a->estimates.by_method[a->estimates.binding];
	if (!e->has_days)
		return false;
	ret->end = estimate_time(e, e->days_left, r, now);
	ret->end_low = e->has_interval ? estimate_time(e, e->days_low, r, now) : ret->end;
	return ret->end < TIME_MAX;
}

/* A member that was not read when the others were has been taken out: another drive replaced it. */
static void take_current(const struct named *named, size_t n, double stale,
			 struct array_plans *plans)
{
	size_t taken = 0, newest = 0;

	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(named[i - 1].name, named[i].name) != 0) {
			newest = i;
			plans->items[plans->n++] = (struct array_plan){
				.name = named[i].name,
				.members = &plans->members[taken],
			};
		}
		if ((double)named[newest].time - (double)named[i].time > stale)
			continue;
		plans->members[taken++] = named[i].member;
		plans->items[plans->n - 1].n++;
	}
}

int array_plans_make(const struct reading *const *readings,
		     const struct assessment *const *assessments, size_t n,
		     const struct limits *limits, int64_t now, struct array_plans *ret)
{
	CLEANUP(cleanup_free) struct named *named = calloc(n + 1, sizeof(*named));
	struct array_plans plans = {
		.items = calloc(n + 1, sizeof(*plans.items)),
		.members = calloc(n + 1, sizeof(*plans.members)),
	};
	size_t found = 0;

	if (!named || !plans.items || !plans.members) {
		array_plans_release(&plans);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		int64_t time = readings[i]->time;

		named[found] = (struct named){ readings[i]->identity.array,
					       time == TIME_UNKNOWN ? now : time,
					       { .drive = i } };
		found += find_end(readings[i], assessments[i], now, &named[found].member);
	}
	qsort(named, found, sizeof(*named), by_name);
	take_current(named, found, limits->stale_days * (double)SECONDS_PER_DAY, &plans);
	for (size_t i = 0; i < plans.n; i++)
		array_stagger(&plans.items[i],
			      (int64_t)(limits->array_window * (double)SECONDS_PER_DAY), now);
	*ret = plans;
	return 0;
}

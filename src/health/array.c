/* SPDX-License-Identifier: MIT */
/* The finding on members of an array that near their end together. */
#include "health/array.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define NAMED_MAX  3 /* members that one line names */
#define MEMBER_MAX 96

struct comparison {
	const struct reading *const *readings;
	struct assessment *const *assessments;
	size_t n;
	const struct limits *limits;
	const struct suppression *suppressions;
	size_t nsuppressions;
	int64_t now;
};

static void add(char *text, size_t size, const char *fmt, ...) PRINTF(3, 4);

static void add(char *text, size_t size, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, size - used, fmt, ap);
	va_end(ap);
}

static const char *format_day(int64_t t, char buf[TIME_TEXT])
{
	time_format(t, buf);
	buf[strlen("2026-05-01")] = '\0';
	return buf;
}

static const char *name_of(const struct reading *r, char buf[MEMBER_MAX])
{
	const struct identity *id = &r->identity;

	text_escape(buf, MEMBER_MAX, *id->path ? id->path : id->serial);
	return buf;
}

static void add_finding(const struct comparison *c, size_t drive, const struct finding *f)
{
	assess_add(c->readings[drive], c->suppressions, c->nsuppressions, f, c->assessments[drive]);
}

/* --- members whose ends are known ---------------------------------------------------------- */

/* "stagger: replace /dev/sda by 2026-12-01, /dev/sdb by 2027-03-01, then 2 more" */
static void advise(const struct comparison *c, const struct array_plan *plan, struct finding *f)
{
	size_t told = 0;

	for (size_t i = 0; i < plan->n; i++) {
		const struct array_member *m = &plan->members[i];
		char name[MEMBER_MAX], day[TIME_TEXT];

		if (!m->together || ++told > NAMED_MAX)
			continue;
		add(f->advice, sizeof(f->advice), told == 1 ? "stagger: replace %s" : ", %s",
		    name_of(c->readings[m->drive], name));
		if (m->overdue)
			add(f->advice, sizeof(f->advice), " now");
		else
			add(f->advice, sizeof(f->advice), " by %s", format_day(m->replace, day));
	}
	if (told > NAMED_MAX)
		add(f->advice, sizeof(f->advice), ", then %zu more", told - NAMED_MAX);
}

static void add_evidence(const struct comparison *c, const struct array_plan *plan,
			 const struct array_member *self, struct finding *f)
{
	char name[MEMBER_MAX], day[TIME_TEXT];
	size_t told = 0;

	snprintf(f->evidence, sizeof(f->evidence), "%s at the earliest",
		 format_day(self->end_low, day));
	for (size_t i = 0; i < plan->n; i++) {
		const struct array_member *m = &plan->members[i];

		if (m == self || !m->together || ++told > NAMED_MAX)
			continue;
		add(f->evidence, sizeof(f->evidence), "; %s about %s",
		    name_of(c->readings[m->drive], name), format_day(m->end, day));
	}
	add(f->evidence, sizeof(f->evidence), "; limit: array-window %g days",
	    c->limits->array_window);
}

/* How many others end within a window of this one. */
static size_t count_near(const struct array_plan *plan, const struct array_member *self,
			 int64_t window)
{
	size_t near = 0;

	for (size_t i = 0; i < plan->n; i++) {
		int64_t apart = plan->members[i].end - self->end;

		near += &plan->members[i] != self && apart <= window && -apart <= window;
	}
	return near;
}

/* It is time to plan once the first of them is due soon. */
static enum severity severity_of(const struct comparison *c, const struct array_plan *plan)
{
	int64_t horizon = c->now + (int64_t)(c->limits->array_horizon * SECONDS_PER_DAY);

	for (size_t i = 0; i < plan->n; i++)
		if (plan->members[i].together && plan->members[i].replace <= horizon)
			return SEVERITY_WARNING;
	return SEVERITY_OK;
}

static void judge_plan(const struct comparison *c, const struct array_plan *plan)
{
	int64_t window = (int64_t)(c->limits->array_window * SECONDS_PER_DAY);
	enum severity severity = severity_of(c, plan);

	for (size_t i = 0; i < plan->n; i++) {
		const struct array_member *m = &plan->members[i];
		struct finding f = { .id = ARRAY_WEAR_CORRELATED, .severity = severity };
		char day[TIME_TEXT], array[4 * ARRAY_MAX];

		if (!m->together)
			continue;
		text_escape(array, sizeof(array), plan->name);
		snprintf(f.text, sizeof(f.text),
			 "ends about %s, within %g days of %zu more of array %s",
			 format_day(m->end, day), c->limits->array_window,
			 count_near(plan, m, window), array);
		add_evidence(c, plan, m, &f);
		advise(c, plan, &f);
		add_finding(c, m->drive, &f);
	}
}

/* --- members of which one has no end ------------------------------------------------------- */

static bool is_worn_member(const struct comparison *c, size_t i)
{
	const struct wear *wear = &c->assessments[i]->wear;

	return *c->readings[i]->identity.array && wear->has_used &&
	       (double)wear->used / 1000 >= c->limits->array_used;
}

static bool has_end(const struct comparison *c, size_t i)
{
	const struct estimates *e = &c->assessments[i]->estimates;

	return e->binding >= 0 && e->by_method[e->binding].has_days;
}

/* Were both there at about the same time? Else one has replaced the other. */
static bool are_of_one_time(const struct comparison *c, size_t i, size_t k)
{
	int64_t a = c->readings[i]->time, b = c->readings[k]->time;

	return a == TIME_UNKNOWN || b == TIME_UNKNOWN ||
	       fabs((double)a - (double)b) <= c->limits->stale_days * SECONDS_PER_DAY;
}

/* Where both ends are known, the plan has compared them. */
static bool wears_like(const struct comparison *c, size_t i, size_t k)
{
	double difference = (double)(c->assessments[i]->wear.used - c->assessments[k]->wear.used) /
			    1000;

	return i != k && is_worn_member(c, k) && !(has_end(c, i) && has_end(c, k)) &&
	       strcmp(c->readings[i]->identity.array, c->readings[k]->identity.array) == 0 &&
	       are_of_one_time(c, i, k) && difference <= c->limits->array_points &&
	       -difference <= c->limits->array_points;
}

static void judge_worn(const struct comparison *c, size_t i)
{
	struct finding f = { .id = ARRAY_WEAR_CORRELATED, .severity = SEVERITY_WARNING };
	char used[UNIT_TEXT_MAX], other[MEMBER_MAX], array[4 * ARRAY_MAX];
	size_t alike = 0;

	for (size_t k = 0; k < c->n; k++)
		if (wears_like(c, i, k) && !alike++)
			name_of(c->readings[k], other);
	if (!alike)
		return;
	format_quantity(c->assessments[i]->wear.used, UNIT_PERCENT, used);
	text_escape(array, sizeof(array), c->readings[i]->identity.array);
	snprintf(f.text, sizeof(f.text),
		 "%s of the rated life is used, and %zu more of array %s wear alike", used, alike,
		 array);
	snprintf(f.evidence, sizeof(f.evidence), "within %g points of %s%s; limit: from %g %% used",
		 c->limits->array_points, other, alike > 1 ? " and others" : "",
		 c->limits->array_used);
	snprintf(f.advice, sizeof(f.advice),
		 "replace one of them early, so that not all reach their end at once");
	add_finding(c, i, &f);
}

int assess_arrays(const struct reading *const *readings, struct assessment *const *assessments,
		  size_t n, const struct limits *limits, const struct suppression *suppressions,
		  size_t nsuppressions, int64_t now)
{
	CLEANUP(array_plans_release) struct array_plans plans = { 0 };
	const struct comparison c = { readings,	    assessments,   n,  limits,
				      suppressions, nsuppressions, now };
	int err = array_plans_make(readings, (const struct assessment *const *)assessments, n,
				   limits, now, &plans);

	if (err < 0)
		return err;
	for (size_t i = 0; i < plans.n; i++)
		if (plans.items[i].ntogether)
			judge_plan(&c, &plans.items[i]);
	for (size_t i = 0; i < n; i++)
		if (is_worn_member(&c, i))
			judge_worn(&c, i);
	return 0;
}

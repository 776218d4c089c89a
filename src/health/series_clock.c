/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "health/series_counting.h"

#define SECONDS_PER_HOUR 3600
#define AHEAD_MAX	 300		    /* seconds that two clocks may differ */
#define CLOCK_SET	 INT64_C(315532800) /* 1980: clocks that lost their time begin there */
#define HOURS_RANGE	 65536
#define HOURS_LOST	 2 /* that a power cut can take back */

/*
 * A clock that was wrong breaks the history into runs of samples that fit each other. More runs
 * than this are no clock's fault: the hours do not count hours.
 */
#define RUNS_MAX 64

static bool hours_of(const struct sample *s, int64_t *ret)
{
	*ret = s->values[FACT_POWER_ON_HOURS];
	return s->has & FACT_BIT(FACT_POWER_ON_HOURS);
}

static bool same_hours(const struct sample *a, const struct sample *b)
{
	return a->frame == b->frame || strcmp(a->frame->facts[FACT_POWER_ON_HOURS].source,
					      b->frame->facts[FACT_POWER_ON_HOURS].source) == 0;
}

static bool hours_in(int64_t hours, int64_t seconds)
{
	return hours <= (seconds + seconds / 20) / SECONDS_PER_HOUR + 2;
}

/* Power-on hours that rose by more than time went by: one of the two times is wrong. */
static bool is_too_fast(const struct sample *before, const struct sample *after)
{
	int64_t a, b, seconds = after->time - before->time;

	if (!hours_of(before, &a) || !hours_of(after, &b) || !same_hours(before, after))
		return false;
	return b > a && !hours_in(b - a, seconds);
}

bool hours_fit(const struct sample *before, const struct sample *after)
{
	int64_t a, b, seconds = after->time - before->time;

	if (!hours_of(before, &a) || !hours_of(after, &b) || !same_hours(before, after))
		return true;
	if (b >= a - HOURS_LOST)
		return hours_in(b - a, seconds);
	/* from 0 again, or past the end of 16 bits; but not back by a little */
	return (b <= a / 2 && hours_in(b, seconds)) ||
	       (a < HOURS_RANGE && hours_in(HOURS_RANGE - a + b, seconds));
}

int series_note(struct series *s, const struct event *event)
{
	for (size_t i = 0; i < s->nevents; i++)
		if (s->events[i].kind == event->kind && s->events[i].time == event->time)
			return 0;
	return series_add_event(s, event);
}

static int note_wrong(struct series *s, const struct sample *sample, size_t n, const char *why)
{
	struct event e = { .time = sample->time, .kind = EVENT_CLOCK_JUMP };
	char time[TIME_TEXT];

	snprintf(e.text, sizeof(e.text), "%zu sample%s dated from %s %s left out: %s", n,
		 n == 1 ? "" : "s", time_format(sample->time, time), n == 1 ? "is" : "are", why);
	return series_note(s, &e);
}

/* Samples from `from` to before `to`, less those that are aside already. */
static int set_aside(struct series *s, size_t from, size_t to, const char *why)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		n += !s->samples[i].aside;
		s->samples[i].aside = true;
	}
	return n ? note_wrong(s, &s->samples[from], n, why) : 0;
}

static int check_bounds(struct series *s, int64_t now)
{
	size_t early = 0, late = s->nsamples;
	int err;

	while (early < s->nsamples && s->samples[early].time < CLOCK_SET)
		early++;
	if (now != TIME_UNKNOWN)
		while (late > early && s->samples[late - 1].time > now + AHEAD_MAX)
			late--;
	err = set_aside(s, 0, early, "the clock was not set");
	return err ? err : set_aside(s, late, s->nsamples, "that is later than now");
}

/* Samples that follow each other and whose hours fit their times. */
struct run {
	size_t from, to;    /* behind its last sample */
	size_t first, last; /* of its samples those with hours that count */
	size_t weight;	    /* samples of the best chain of runs that ends here */
	int before;	    /* the run before it in that chain; -1: none */
};

/* Returns how many; RUNS_MAX + 1 where there are more. */
static size_t find_runs(const struct series *s, struct run runs[RUNS_MAX])
{
	size_t n = 0;
	int64_t hours;

	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];

		if (sample->aside || !hours_of(sample, &hours))
			continue;
		if (!n || !hours_fit(&s->samples[runs[n - 1].last], sample)) {
			if (n == RUNS_MAX)
				return RUNS_MAX + 1;
			runs[n++] = (struct run){ .from = i, .first = i, .before = -1 };
		}
		runs[n - 1].last = i;
		runs[n - 1].to = i + 1;
		runs[n - 1].weight++;
	}
	return n;
}

/* The chain with most samples among those that end with the newest one. */
static void chain_runs(const struct series *s, struct run *runs, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t best = 0;

		for (size_t k = 0; k < i; k++)
			if (runs[k].weight > best &&
			    !is_too_fast(&s->samples[runs[k].last], &s->samples[runs[i].first])) {
				best = runs[k].weight;
				runs[i].before = (int)k;
			}
		runs[i].weight += best;
	}
}

/*
 * Power-on hours count no faster than time goes: where they seem to, the clock that dated one side
 * was wrong. Most samples are right. Hours that fall may have restarted; but those that fall and
 * then rise too fast were only dated too late. Hours that stop for low-power times are slower,
 * which tells nothing.
 */
static int check_hours(struct series *s)
{
	struct run runs[RUNS_MAX];
	size_t n = find_runs(s, runs), total = 0, kept;
	bool keep[RUNS_MAX] = { false };

	if (n < 2 || n > RUNS_MAX)
		return 0;
	for (size_t i = 0; i < n; i++)
		total += runs[i].weight;
	chain_runs(s, runs, n);
	kept = runs[n - 1].weight;
	if (kept * 2 < total) /* another counter took its place, rather than another clock */
		return 0;
	for (int i = (int)n - 1; i >= 0; i = runs[i].before)
		keep[i] = true;
	for (size_t i = 0; i < n; i++) {
		int err = keep[i] ? 0
				  : set_aside(s, runs[i].from, runs[i].to,
					      "the power-on hours do not fit that time");
		if (err)
			return err;
	}
	return 0;
}

/*
 * Is every counter of a sample between those of two others, and one above the first? One that
 * restarted between the two has no upper end, but the hours rise no faster than time goes.
 */
static bool is_between(const struct sample *low, const struct sample *s, const struct sample *high)
{
	size_t n = 0, above = 0;
	int64_t before, hours;

	if (hours_of(low, &before) && hours_of(s, &hours) &&
	    !hours_in(hours - before, high->time - low->time))
		return false;
	for (int id = 0; id < FACT_COUNT; id++) {
		uint64_t bit = FACT_BIT(id);

		if (!fact_is_counter((enum fact_id)id) || !(low->has & s->has & high->has & bit))
			continue;
		if (s->values[id] < low->values[id])
			return false;
		if (s->values[id] > high->values[id] && high->values[id] >= low->values[id])
			return false;
		n += s->values[id] > 0;
		above += s->values[id] > low->values[id];
	}
	return n >= 3 && above > 0;
}

#define EARLY_MAX 3 /* more of them are a history of their own */

/*
 * A clock that began somewhere in the past dates the first samples long before all others, whose
 * counters seem to restart then; but they pass the same numbers later on.
 */
static int check_first(struct series *s)
{
	size_t first = 0, n = 0;

	for (size_t i = 0; i < s->nsamples && n <= EARLY_MAX; i++) {
		const struct sample *a = &s->samples[i], *b = a + 1;
		int64_t x, y;

		if (a->aside)
			continue;
		if (!n++)
			first = i;
		if (i + 1 == s->nsamples || b->aside || !hours_of(a, &x) || !hours_of(b, &y) ||
		    y >= x || n > EARLY_MAX)
			continue;
		for (size_t k = i + 1; k + 1 < s->nsamples; k++)
			if (!s->samples[k].aside && !s->samples[k + 1].aside &&
			    is_between(&s->samples[k], a, &s->samples[k + 1]))
				return set_aside(s, first, i + 1,
						 "the counters passed these numbers later");
	}
	return 0;
}

int series_check_clock(struct series *s, int64_t now)
{
	int err = check_bounds(s, now);

	if (!err)
		err = check_first(s);
	return err ? err : check_hours(s);
}

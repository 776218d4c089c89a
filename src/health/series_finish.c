/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "health/series_counting.h"

#define SECONDS_PER_HOUR 3600
#define GAP_MIN		 (12 * SECONDS_PER_HOUR)
#define GAP_TIMES	 4			     /* the usual interval */
#define USUAL_SAMPLES	 15			     /* that make it */
#define HABIT		 (8 * 24 * SECONDS_PER_HOUR) /* nights and weekends without power */

static int by_time(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->values[FACT_POWER_ON_HOURS] > y->values[FACT_POWER_ON_HOURS]) -
	       (x->values[FACT_POWER_ON_HOURS] < y->values[FACT_POWER_ON_HOURS]);
}

static int events_by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The intervals before the one at hand, newest at next - 1. */
struct intervals {
	int64_t recent[USUAL_SAMPLES];
	size_t n;
	int64_t longest, longest_time; /* of the last days */
};

static bool is_gap(const struct intervals *v, int64_t seconds)
{
	int64_t sorted[USUAL_SAMPLES];
	size_t n = v->n < USUAL_SAMPLES ? v->n : USUAL_SAMPLES;

	if (seconds < GAP_MIN || n == 0)
		return false;
	memcpy(sorted, v->recent, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_length);
	return seconds > GAP_TIMES * sorted[n / 2] && seconds > v->longest + v->longest / 2;
}

static void add_interval(struct intervals *v, int64_t time, int64_t seconds)
{
	v->recent[v->n++ % USUAL_SAMPLES] = seconds;
	if (seconds >= v->longest || time - v->longest_time > HABIT) {
		v->longest = seconds;
		v->longest_time = time;
	}
}

static int note_gap(struct series *s, const struct sample *before, const struct sample *after)
{
	struct event e = { .time = after->time, .kind = EVENT_GAP };
	char days[UNIT_TEXT_MAX], time[TIME_TEXT];

	snprintf(e.text, sizeof(e.text), "no sample for %s, since %s",
		 format_hours((u128)(after->time - before->time) / SECONDS_PER_HOUR, days),
		 time_format(before->time, time));
	return series_note(s, &e);
}

static int note_all(struct series *s, const struct event *events, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int err = series_note(s, &events[i]);

		if (err)
			return err;
	}
	return 0;
}

static int note_changes(struct series *s, const struct changes *changes)
{
	struct event found[2];

	return note_all(s, found, changes_events(changes, found));
}

/* Walk over the samples that count: counters, events, gaps. */
static int walk(struct series *s, struct counting *c)
{
	struct intervals intervals = { .n = 0 };
	struct sample *before = NULL;
	int err = 0;

	for (size_t i = 0; i < s->nsamples && !err; i++) {
		struct sample *sample = &s->samples[i];
		struct event found[4];
		size_t n = 0;

		if (sample->aside)
			continue;
		counting_add(c, sample);
		if (before) {
			n = place_events(before, sample, found);
			n += changes_events(&c->before, &found[n]);
			err = note_all(s, found, n);
			if (!err && is_gap(&intervals, sample->time - before->time))
				err = note_gap(s, before, sample);
			add_interval(&intervals, sample->time, sample->time - before->time);
		}
		before = sample;
	}
	return err ? err : note_changes(s, &c->now);
}

int series_finish(struct series *s, const struct drive_rule *rule, int64_t now)
{
	struct counting *c = malloc(sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	if (s->nsamples)
		qsort(s->samples, s->nsamples, sizeof(*s->samples), by_time);
	counting_init(c, rule);
	err = series_check_clock(s, now);
	if (!err)
		err = walk(s, c);
	if (!err)
		counting_end(c, s);
	if (s->nevents)
		qsort(s->events, s->nevents, sizeof(*s->events), events_by_time);
	free(c);
	return err;
}

/* SPDX-License-Identifier: MIT */
#include "health/series.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char *const kind_names[EVENT_KIND_COUNT] = {
#define X(e, name, meaning) [e] = name,
	EVENT_KINDS(X)
#undef X
};

const char *event_kind_name(enum event_kind kind)
{
	return kind_names[kind];
}

enum event_kind event_kind_by_name(const char *name)
{
	for (int i = 0; i < EVENT_KIND_COUNT; i++)
		if (strcmp(kind_names[i], name) == 0)
			return (enum event_kind)i;
	return EVENT_KIND_COUNT;
}

void series_init(struct series *s)
{
	memset(s, 0, sizeof(*s));
}

void series_drop_samples(struct series *s)
{
	for (size_t i = 0; i < s->nframes; i++)
		free(s->frames[i]);
	free(s->frames);
	free(s->samples);
	s->frames = NULL;
	s->samples = NULL;
	s->nframes = s->nsamples = 0;
}

void series_release(struct series *s)
{
	series_drop_samples(s);
	free(s->events);
	series_init(s);
}

static int64_t saturated(i128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

static void take_fact(enum fact_id id, const struct fact *f, struct sample *s, struct frame *frame)
{
	s->has |= FACT_BIT(id);
	if (f->bound == BOUND_AT_LEAST)
		s->at_least |= FACT_BIT(id);
	if (f->bound == BOUND_AT_MOST)
		s->at_most |= FACT_BIT(id);
	s->values[id] = saturated(f->value);
	frame->facts[id].quality = f->quality;
	frame->facts[id].confidence = f->confidence;
	text_copy(frame->facts[id].source, sizeof(frame->facts[id].source), f->source);
}

void sample_take(const struct reading *r, const struct facts *facts, struct sample *ret,
		 struct frame *ret_frame)
{
	const struct identity *id = &r->identity;

	memset(ret, 0, sizeof(*ret));
	memset(ret_frame, 0, sizeof(*ret_frame));
	ret->time = r->time;
	ret->time_is_file = r->time_is_file;
	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact *f = facts_get(facts, (enum fact_id)i);

		if (f)
			take_fact((enum fact_id)i, f, ret, ret_frame);
	}
	ret_frame->protocol = id->protocol;
	text_copy(ret_frame->firmware, sizeof(ret_frame->firmware), id->firmware);
	text_copy(ret_frame->path, sizeof(ret_frame->path), id->path);
	text_copy(ret_frame->by_id, sizeof(ret_frame->by_id), id->by_id);
	text_copy(ret_frame->location, sizeof(ret_frame->location), id->location);
	text_copy(ret_frame->array, sizeof(ret_frame->array), id->array);
}

bool frame_equal(const struct frame *a, const struct frame *b)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (a->facts[i].quality != b->facts[i].quality ||
		    a->facts[i].confidence != b->facts[i].confidence ||
		    strcmp(a->facts[i].source, b->facts[i].source) != 0)
			return false;
	return a->protocol == b->protocol && strcmp(a->firmware, b->firmware) == 0 &&
	       strcmp(a->path, b->path) == 0 && strcmp(a->by_id, b->by_id) == 0 &&
	       strcmp(a->location, b->location) == 0 && strcmp(a->array, b->array) == 0;
}

/* Room for one more: capacities are powers of two from 16 on, so n tells when it is used up. */
static int grow(void **items, size_t n, size_t size)
{
	void *grown;

	if (n && (n < 16 || (n & (n - 1))))
		return 0;
	grown = reallocarray(*items, n ? n * 2 : 16, size);
	if (!grown)
		return -ENOMEM;
	*items = grown;
	return 0;
}

int series_add_frame(struct series *s, const struct frame *frame, const struct frame **ret)
{
	struct frame *copy = malloc(sizeof(*copy));
	void *frames = s->frames;
	int err = copy ? grow(&frames, s->nframes, sizeof(struct frame *)) : -ENOMEM;

	s->frames = frames;
	if (err) {
		free(copy);
		return err;
	}
	*copy = *frame;
	s->frames[s->nframes++] = copy;
	*ret = copy;
	return 0;
}

int series_add_sample(struct series *s, const struct sample *sample)
{
	void *samples = s->samples;
	int err = grow(&samples, s->nsamples, sizeof(*sample));

	s->samples = samples;
	if (!err)
		s->samples[s->nsamples++] = *sample;
	return err;
}

int series_add_event(struct series *s, const struct event *event)
{
	void *events = s->events;
	int err = grow(&events, s->nevents, sizeof(*event));

	s->events = events;
	if (!err)
		s->events[s->nevents++] = *event;
	return err;
}

int series_add_reading(struct series *s, const struct reading *r, const struct facts *facts,
		       bool live)
{
	CLEANUP(cleanup_free) struct frame *frame = malloc(sizeof(*frame));
	const struct frame *kept;
	struct sample sample;
	int err;

	if (!frame)
		return -ENOMEM;
	for (size_t i = 0; i < s->nsamples; i++)
		if (s->samples[i].time == r->time)
			return 0;
	sample_take(r, facts, &sample, frame);
	err = series_add_frame(s, frame, &kept);
	if (err)
		return err;
	sample.frame = kept;
	sample.live = live;
	return series_add_sample(s, &sample);
}

int64_t sample_shown(const struct sample *s, enum fact_id id)
{
	return s->values[id] < 0 && fact_is_counter(id) ? 0 : s->values[id];
}

void series_summarize(const struct series *s, struct series_summary *ret)
{
	*ret = (struct series_summary){ 0 };
	for (size_t i = 0; i < s->nsamples; i++) {
		if (s->samples[i].aside) {
			ret->naside++;
			continue;
		}
		if (!ret->nsamples++)
			ret->first = s->samples[i].time;
		ret->last = s->samples[i].time;
	}
}

int64_t counter_step(int64_t step, int64_t rise)
{
	while (step) {
		int64_t rest = rise % step;

		rise = step;
		step = rest;
	}
	return rise;
}

void series_pace(const struct series *s, enum fact_id id, uint64_t needed, struct counter_pace *ret)
{
	const struct sample *first = NULL, *last = NULL;

	*ret = (struct counter_pace){ 0 };
	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];

		if (sample->aside || (sample->has & needed) != needed)
			continue;
		if (last && sample->values[id] > last->values[id])
			ret->step = counter_step(ret->step, sample->values[id] - last->values[id]);
		first = first ? first : sample;
		last = sample;
	}
	if (!last || last->values[id] <= first->values[id]) {
		ret->step = 0;
		return;
	}
	ret->seconds = last->time - first->time;
	ret->risen = last->values[id] - first->values[id];
}

const struct sample *series_last(const struct series *s)
{
	for (size_t i = s->nsamples; i-- > 0;)
		if (!s->samples[i].aside)
			return &s->samples[i];
	return NULL;
}

/* How many samples are not later than t. */
static size_t count_until(const struct series *s, int64_t t)
{
	size_t low = 0, high = s->nsamples;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->samples[middle].time <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct sample *series_at(const struct series *s, int64_t t, enum fact_id id)
{
	for (size_t i = count_until(s, t); i-- > 0;)
		if (!s->samples[i].aside && s->samples[i].has & FACT_BIT(id))
			return &s->samples[i];
	return NULL;
}

void series_correct(const struct series *s, const struct reading *r, struct facts *facts)
{
	const struct sample *last = series_last(s);

	if (!last || (r->time != TIME_UNKNOWN && r->time < last->time))
		return;
	for (int id = 0; id < FACT_COUNT; id++) {
		struct fact *f = &facts->sets[id].candidates[0];
		char amount[UNIT_TEXT_MAX], source[FACT_SOURCE_MAX];

		if (!s->added[id] || !facts->sets[id].n)
			continue;
		f->value += s->added[id];
		format_quantity(s->added[id], fact_unit((enum fact_id)id), amount);
		snprintf(source, sizeof(source),
			 "%.80s; and %s from before it began anew, by the history", f->source,
			 amount);
		text_copy(f->source, sizeof(f->source), source);
	}
}

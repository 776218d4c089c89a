/* SPDX-License-Identifier: MIT */
#include "bench/wear_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "bench/wear_reading.h"

static void must(int r)
{
	if (r < 0)
		abort();
}

static void *must_allocate(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		abort();
	return p;
}

void wear_history_init(struct wear_history *h, const struct rules *rules,
		       const struct wear_drive *d)
{
	CLEANUP(reading_release) struct reading r = { 0 };
	struct facts *facts = must_allocate(1, sizeof(*facts));
	struct frame *frame = must_allocate(1, sizeof(*frame));
	const struct frame *shared = NULL;

	*h = (struct wear_history){ .drive = d };
	series_init(&h->all);
	wear_reading_start(d, &r);
	rules_match(rules, &r, &h->rule);
	h->all.identity = r.identity;
	for (size_t i = 0; i < d->nsamples; i++) {
		struct sample sample;

		wear_reading_take(d, &d->samples[i], &r);
		facts_collect(&r, &h->rule, facts);
		sample_take(&r, facts, &sample, frame);
		if (!shared || !frame_equal(shared, frame))
			must(series_add_frame(&h->all, frame, &shared));
		sample.frame = shared;
		must(series_add_sample(&h->all, &sample));
	}
	free(facts);
	free(frame);
}

void wear_history_release(struct wear_history *h)
{
	series_release(&h->all);
	*h = (struct wear_history){ 0 };
}

/* The first n samples as a series of their own. */
static void copy_series(const struct series *all, size_t n, struct series *ret)
{
	const struct frame *from = NULL, *to = NULL;

	series_init(ret);
	ret->identity = all->identity;
	for (size_t i = 0; i < n; i++) {
		struct sample sample = all->samples[i];

		if (sample.frame != from) {
			from = sample.frame;
			must(series_add_frame(ret, from, &to));
		}
		sample.frame = to;
		must(series_add_sample(ret, &sample));
	}
}

/* The last by the clock, none from the future: the one that the owner would ask with. */
static const struct wear_sample *last_sample(const struct wear_drive *d, size_t n, int64_t now)
{
	const struct wear_sample *last = &d->samples[n - 1];

	for (size_t i = 0; i < n; i++)
		if (d->samples[i].time <= now &&
		    (last->time > now || d->samples[i].time >= last->time))
			last = &d->samples[i];
	return last;
}

static enum fact_id limiting_fact(const struct wear_drive *d)
{
	switch (d->product->limit) {
	case WEAR_AVG:
		return FACT_ERASE_COUNT_AVG;
	case WEAR_MAX:
		return FACT_ERASE_COUNT_MAX;
	default:
		return FACT_PERCENTAGE_USED;
	}
}

static void line_forecast(const struct wear_history *h, const struct series *s, int64_t now,
			  double horizon, struct interval_forecast *ret)
{
	enum fact_id id = limiting_fact(h->drive);
	double limit = id == FACT_PERCENTAGE_USED ? 100000 : h->drive->rated;
	struct wear_point *points = must_allocate(s->nsamples, sizeof(*points));
	size_t n = 0;

	for (size_t i = 0; i < s->nsamples; i++)
		if (!s->samples[i].aside && s->samples[i].has & FACT_BIT(id))
			points[n++] = (struct wear_point){
				(double)(s->samples[i].time - now) / 86400,
				(double)s->samples[i].values[id],
			};
	straight_line_forecast(points, n, 0, limit, horizon, h->drive->number, ret);
	free(points);
}

static enum estimate_method binding_interval(const struct estimates *e, double horizon,
					     struct interval_forecast *ret)
{
	const struct estimate *b;

	if (e->binding < 0)
		return METHOD_COUNT;
	b = &e->by_method[e->binding];
	if (!b->has_days || !b->has_interval)
		return METHOD_COUNT;
	*ret = (struct interval_forecast){
		fmin(b->days_low, horizon),
		fmin(b->days_left, horizon),
		fmin(b->days_high, horizon),
	};
	return b->method;
}

void wear_history_forecast(const struct wear_history *h, double age, double horizon,
			   enum estimate_method *ret_binding, struct interval_forecast *ret,
			   struct interval_forecast *ret_line)
{
	CLEANUP(reading_release) struct reading r = { 0 };
	CLEANUP(series_release) struct series s;
	struct assessment *a = must_allocate(1, sizeof(*a));
	struct limits limits;
	int64_t now = h->drive->birth + (int64_t)(age * 86400);
	size_t n = wear_drive_samples_by(h->drive, age);

	copy_series(&h->all, n, &s);
	must(series_finish(&s, &h->rule, now));
	wear_reading_take(h->drive, last_sample(h->drive, n, now), &r);
	limits_defaults(&limits);
	assess(&r, &h->rule, &(struct criteria){ .limits = &limits, .series = &s, .now = now }, a);
	*ret_binding = binding_interval(&a->estimates, horizon, ret);
	line_forecast(h, &s, now, horizon, ret_line);
	free(a);
}

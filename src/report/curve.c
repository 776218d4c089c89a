/* SPDX-License-Identifier: MIT */
#include "report/curve.h"

#include <math.h>
#include <string.h>

#define SECONDS_PER_DAY 86400

/* One value on its way into a curve. */
struct entry {
	int64_t time;
	double value, weight;
	bool apart;
};

struct folding {
	const struct curve_window *window;
	struct curve *curve;
	int64_t column; /* of the last point; -1: none yet */
	double weight;	/* gathered in it */
};

static void fold_start(struct folding *f, const struct curve_window *w, struct curve *ret)
{
	ret->n = 0;
	ret->lowest = ret->highest = ret->last = 0;
	*f = (struct folding){ .window = w, .curve = ret, .column = -1 };
}

static void widen(struct curve *c, double v)
{
	bool first = c->n == 0;

	c->lowest = first || v < c->lowest ? v : c->lowest;
	c->highest = first || v > c->highest ? v : c->highest;
	c->last = v;
}

/* Entries come in the order of their times. */
static void fold_add(struct folding *f, const struct entry *e)
{
	struct curve *c = f->curve;
	double width = (double)(f->window->to - f->window->from) + 1;
	double at = (double)(e->time - f->window->from) / width * CURVE_POINTS_MAX;
	int64_t column = at < 0 ? 0 : at >= CURVE_POINTS_MAX ? CURVE_POINTS_MAX - 1 : (int64_t)at;
	struct chart_point *p;

	if (!isfinite(e->value) || column < f->column)
		return;
	widen(c, e->value);
	if (column > f->column) {
		c->points[c->n++] = (struct chart_point){ e->time, e->value, e->value, e->value,
							  e->apart };
		f->column = column;
		f->weight = e->weight;
		return;
	}
	p = &c->points[c->n - 1];
	p->time = e->time;
	p->low = fmin(p->low, e->value);
	p->high = fmax(p->high, e->value);
	f->weight += e->weight;
	if (f->weight > 0)
		p->middle += (e->value - p->middle) * e->weight / f->weight;
}

static bool has(const struct sample *s, enum fact_id id)
{
	return !s->aside && s->has & FACT_BIT(id);
}

/* Is there a gap of the record right before this sample? Events and samples are by time. */
static bool gap_before(const struct series *s, const struct sample *sample, size_t *event)
{
	bool gap = false;

	for (; *event < s->nevents && s->events[*event].time <= sample->time; (*event)++)
		gap |= s->events[*event].kind == EVENT_GAP;
	return gap;
}

typedef bool value_fn(const void *arg, const struct sample *sample, double *ret);

static void fold_values(const struct series *s, value_fn *value, const void *arg,
			const struct curve_window *w, struct curve *ret)
{
	struct folding f;
	size_t event = 0;
	bool apart = false;

	fold_start(&f, w, ret);
	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];
		struct entry e = { .time = sample->time, .weight = 1 };

		apart |= gap_before(s, sample, &event);
		if (sample->aside || !value(arg, sample, &e.value))
			continue;
		e.apart = apart;
		apart = false;
		fold_add(&f, &e);
	}
}

static bool fact_value(const void *arg, const struct sample *sample, double *ret)
{
	enum fact_id id = *(const enum fact_id *)arg;

	if (!has(sample, id))
		return false;
	*ret = (double)sample->values[id] / unit_scale(fact_unit(id));
	return true;
}

void curve_fact(const struct series *s, enum fact_id id, const struct curve_window *w,
		struct curve *ret)
{
	fold_values(s, fact_value, &id, w, ret);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* What a counter counts in: the greatest common divisor of all that it rose by. 0: it never rose.
 */
static int64_t counter_step(const struct series *s, enum fact_id id)
{
	const struct sample *before = NULL;
	int64_t step = 0;

	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];

		if (!has(sample, id))
			continue;
		if (before && sample->values[id] > before->values[id])
			step = common_divisor(sample->values[id] - before->values[id], step);
		before = sample;
	}
	return step;
}

/* A counter's rise within a span is known well enough. */
static bool is_sure(double rise, int64_t step)
{
	return rise * RATE_ERROR >= (double)step;
}

void curve_rate(const struct series *s, enum fact_id id, const struct curve_window *w,
		struct curve *ret)
{
	const struct sample *from = NULL;
	int64_t step = counter_step(s, id);
	struct folding f;

	fold_start(&f, w, ret);
	for (size_t i = 0; step && i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];
		double days, rise;

		if (!has(sample, id))
			continue;
		if (!from)
			from = sample;
		days = (double)(sample->time - from->time) / SECONDS_PER_DAY;
		rise = (double)(sample->values[id] - from->values[id]);
		if (days < 1 || !is_sure(rise, step))
			continue;
		fold_add(&f, &(struct entry){
				     .time = from->time + (sample->time - from->time) / 2,
				     .value = rise / unit_scale(fact_unit(id)) / days,
				     .weight = days,
			     });
		from = sample;
	}
}

void curve_ratio(const struct series *s, enum fact_id over, enum fact_id under,
		 const struct curve_window *w, struct curve *ret)
{
	const struct sample *from = NULL;
	int64_t over_step = counter_step(s, over), under_step = counter_step(s, under);
	struct folding f;

	fold_start(&f, w, ret);
	for (size_t i = 0; over_step && under_step && i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];
		double above, below;

		if (!has(sample, over) || !has(sample, under))
			continue;
		if (!from)
			from = sample;
		above = (double)(sample->values[over] - from->values[over]);
		below = (double)(sample->values[under] - from->values[under]);
		if (sample->time - from->time < SECONDS_PER_DAY || !is_sure(above, over_step) ||
		    !is_sure(below, under_step))
			continue;
		fold_add(&f, &(struct entry){
				     .time = from->time + (sample->time - from->time) / 2,
				     .value = above / below,
				     .weight = below,
			     });
		from = sample;
	}
}

/* A share of life: what was used of how much, in the same unit. */
struct life_share {
	enum fact_id used;
	double total;  /* in used's unit */
	bool from_top; /* used counts down from 100 % */
};

static double input(const struct estimate *e, const char *name)
{
	for (size_t i = 0; i < e->ninputs; i++)
		if (strcmp(e->inputs[i].name, name) == 0)
			return (double)e->inputs[i].value;
	return 0;
}

/* The erase count that an estimate follows: the one that gives what it says is left. */
static void erase_share(const struct estimate *e, struct life_share *ret)
{
	static const enum fact_id counts[] = { FACT_ERASE_COUNT_MAX, FACT_ERASE_COUNT_AVG,
					       FACT_ERASE_COUNT_SLC_MAX, FACT_ERASE_COUNT_SLC_AVG };
	double nearest = INFINITY;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		double total = input(
			e, fact_name(i < 2 ? FACT_RATED_PE_CYCLES : FACT_RATED_PE_CYCLES_SLC));
		double left, off;

		if (total <= 0 || input(e, fact_name(counts[i])) <= 0)
			continue;
		left = fmax(0, 100 * (1 - input(e, fact_name(counts[i])) / total));
		off = fabs(left - e->left_percent);
		if (off < nearest) {
			nearest = off;
			*ret = (struct life_share){ .used = counts[i], .total = total };
		}
	}
}

static struct life_share share_of(const struct estimate *e)
{
	struct life_share share = { .used = FACT_NONE };

	switch (e->method) {
	case METHOD_PERCENTAGE_USED:
		share = (struct life_share){ .used = FACT_PERCENTAGE_USED, .total = 100000 };
		break;
	case METHOD_ERASE_BUDGET:
		erase_share(e, &share);
		break;
	case METHOD_ENDURANCE_ESTIMATE:
		share = (struct life_share){ .used = FACT_NAND_BYTES_WRITTEN,
					     .total = input(e,
							    fact_name(FACT_ENDURANCE_ESTIMATE)) };
		break;
	case METHOD_RATED_TBW:
		share = (struct life_share){ .used = FACT_HOST_BYTES_WRITTEN,
					     .total = input(e,
							    fact_name(FACT_RATED_BYTES_WRITTEN)) };
		break;
	case METHOD_SPARE_DEPLETION:
		share = (struct life_share){
			.used = FACT_AVAILABLE_SPARE,
			.total = 100000 - input(e, fact_name(FACT_SPARE_THRESHOLD)),
			.from_top = true,
		};
		break;
	default:
		break;
	}
	return share;
}

static bool life_value(const void *arg, const struct sample *sample, double *ret)
{
	const struct life_share *share = arg;
	double used;

	if (!has(sample, share->used))
		return false;
	used = (double)sample->values[share->used];
	if (share->from_top)
		used = 100000 - used;
	*ret = fmin(100, fmax(0, 100 * (1 - used / share->total)));
	return true;
}

void curve_life_left(const struct series *s, const struct estimate *e, const struct curve_window *w,
		     struct curve *ret)
{
	struct life_share share = share_of(e);

	*ret = (struct curve){ 0 };
	if (share.used != FACT_NONE && share.total > 0)
		fold_values(s, life_value, &share, w, ret);
}

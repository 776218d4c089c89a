/* SPDX-License-Identifier: MIT */
#include "report/curve.h"

#include <math.h>
#include <string.h>

/* Of a column: the mean of some days of a week is not the week's. */
#define FILLED 0.6

/* One value on its way into a curve. */
struct entry {
	int64_t time;
	double value, weight;
	bool apart;
};

struct folding {
	const struct curve_window *window;
	struct curve *curve;
	int64_t width; /* of a column, seconds */
	int64_t columns;
	int64_t column; /* of the last point; -1: none yet */
	double weight;	/* gathered in it */
	bool latest;	/* of a column the last value is kept, not the mean */
	bool spans;	/* weights are seconds: a column is not left before it is mostly filled */
};

/*
 * Columns hold whole days or weeks where they hold more than some hours: else the rhythm of the day
 * or week beats against them and draws a pattern that nobody measured.
 */
static int64_t column_width(const struct curve_window *w)
{
	int64_t width = (w->to - w->from) / CURVE_POINTS_MAX + 1;

	if (width > 7 * SECONDS_PER_DAY)
		width = (width / (7 * SECONDS_PER_DAY) + 1) * 7 * SECONDS_PER_DAY;
	else if (width > SECONDS_PER_DAY)
		width = 7 * SECONDS_PER_DAY;
	else if (width > SECONDS_PER_DAY / 4)
		width = SECONDS_PER_DAY;
	return width;
}

static void fold_start(struct folding *f, const struct curve_window *w, struct curve *ret)
{
	*ret = (struct curve){ 0 };
	*f = (struct folding){ .window = w, .curve = ret, .width = column_width(w), .column = -1 };
	/* what is left over at the end belongs to the last column: a part of a week would stick out
	 */
	f->columns = (w->to - w->from + f->width / 2) / f->width;
}

static void widen(struct curve *c, const struct entry *e)
{
	bool first = c->n == 0;

	c->lowest = first || e->value < c->lowest ? e->value : c->lowest;
	c->highest = first || e->value > c->highest ? e->value : c->highest;
	c->first = first ? e->value : c->first;
	c->first_time = first ? e->time : c->first_time;
	c->last = e->value;
	c->last_time = e->time;
}

/* Entries come in the order of their times. */
static void fold_add(struct folding *f, const struct entry *e)
{
	struct curve *c = f->curve;
	int64_t column = (e->time - f->window->from) / f->width;
	struct chart_point *p;

	column = column >= f->columns ? f->columns - 1 : column;
	if (!isfinite(e->value) || e->time < f->window->from || e->time > f->window->to ||
	    column < f->column)
		return;
	widen(c, e);
	if (column > f->column && !(f->spans && c->n && f->weight < FILLED * (double)f->width)) {
		c->points[c->n++] = (struct chart_point){ e->time, e->value, e->value, e->value,
							  e->apart };
		f->column = column;
		f->weight = e->weight;
		return;
	}
	p = &c->points[c->n - 1];
	c->thinned = true;
	p->time = e->time;
	p->low = fmin(p->low, e->value);
	p->high = fmax(p->high, e->value);
	f->weight += e->weight;
	if (f->latest)
		p->middle = e->value;
	else if (f->weight > 0)
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

static void fold_values(const struct series *s, value_fn *value, const void *arg, bool latest,
			const struct curve_window *w, struct curve *ret)
{
	struct folding f;
	size_t event = 0;
	bool apart = false;

	fold_start(&f, w, ret);
	f.latest = latest;
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
	*ret = (double)sample_shown(sample, id) / unit_scale(fact_unit(id));
	return true;
}

void curve_fact(const struct series *s, enum fact_id id, const struct curve_window *w,
		struct curve *ret)
{
	fold_values(s, fact_value, &id, fact_is_counter(id), w, ret);
}

/* Seconds that a counter takes for 1 / RATE_ERROR steps on average; 0 where it did not rise. */
static double seconds_of_steps(const struct counter_pace *pace)
{
	return pace->step ? (double)pace->seconds * (double)pace->step / RATE_ERROR /
				    (double)pace->risen
			  : 0;
}

void curve_rate(const struct series *s, enum fact_id id, const struct curve_window *w,
		struct curve *ret)
{
	const struct sample *from = NULL;
	struct counter_pace pace;
	double shortest;
	struct folding f;

	series_pace(s, id, FACT_BIT(id), &pace);
	shortest = fmax(SECONDS_PER_DAY, seconds_of_steps(&pace));
	fold_start(&f, w, ret);
	f.spans = true;
	for (size_t i = 0; pace.step && i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];
		double seconds, rise;

		if (!has(sample, id))
			continue;
		if (!from)
			from = sample;
		seconds = (double)(sample->time - from->time);
		rise = (double)(sample->values[id] - from->values[id]);
		if (seconds < shortest)
			continue;
		fold_add(&f, &(struct entry){
				     .time = from->time + (sample->time - from->time) / 2,
				     .value = rise / unit_scale(fact_unit(id)) / seconds *
					      SECONDS_PER_DAY,
				     .weight = seconds,
			     });
		from = sample;
	}
}

void curve_ratio(const struct series *s, enum fact_id over, enum fact_id under,
		 const struct curve_window *w, struct curve *ret)
{
	const struct sample *from = NULL;
	struct counter_pace over_pace, under_pace;
	double shortest;
	struct folding f;

	series_pace(s, over, FACT_BIT(over), &over_pace);
	series_pace(s, under, FACT_BIT(under), &under_pace);
	shortest = fmax(SECONDS_PER_DAY,
			fmax(seconds_of_steps(&over_pace), seconds_of_steps(&under_pace)));
	fold_start(&f, w, ret);
	for (size_t i = 0; over_pace.step && under_pace.step && i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];
		double above, below;

		if (!has(sample, over) || !has(sample, under))
			continue;
		if (!from)
			from = sample;
		above = (double)(sample->values[over] - from->values[over]);
		below = (double)(sample->values[under] - from->values[under]);
		/* with few writes of the host, those of the drive itself are no amplification */
		if ((double)(sample->time - from->time) < shortest ||
		    below * RATE_ERROR < (double)under_pace.step)
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
		fold_values(s, life_value, &share, true, w, ret);
}

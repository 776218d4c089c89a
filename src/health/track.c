/* SPDX-License-Identifier: MIT */
#include "health/track.h"

#include <math.h>
#include <string.h>

/* A bin should hold so many steps, so that its amount is known to a quarter. */
#define STEPS_PER_BIN 4

/* A stretch's ends should be known to an eighth of its length. */
#define SLACKS_PER_BIN 8

/* No ratio of two counters is better known than this. */
#define RATIO_ERROR_MIN 0.003

/* A ratio that was only seen to be below a bound. */
#define TAIL_ERROR 0.3

/* Beyond the last step: how far into the next one is the counter at most? */
#define WITHIN_STEP 0.95

static bool counts(const struct sample *s, enum fact_id id)
{
	return !s->aside && (s->has & FACT_BIT(id));
}

static int64_t value_of(const struct sample *s, enum fact_id id, bool falls)
{
	return falls ? -s->values[id] : s->values[id];
}

/* Ends, step and sampling interval. */
static bool survey(const struct series *s, enum fact_id id, struct track *ret)
{
	int64_t top = 0, step = 0, first = 0, last = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *x = &s->samples[i];

		if (!counts(x, id))
			continue;
		if (n == 0) {
			first = x->time;
			top = value_of(x, id, ret->falls);
			ret->first = (double)top;
		}
		if (value_of(x, id, ret->falls) > top) {
			step = counter_step(step, value_of(x, id, ret->falls) - top);
			top = value_of(x, id, ret->falls);
		}
		last = x->time;
		n++;
	}
	if (n < 2 || last <= first)
		return false;
	ret->begin = (double)(first - ret->origin) / SECONDS_PER_DAY;
	ret->end = (double)(last - ret->origin) / SECONDS_PER_DAY;
	ret->last = (double)top;
	ret->step = (double)step;
	ret->interval = (ret->end - ret->begin) / (double)(n - 1);
	return true;
}

/* Marks closer than the track can hold replace each other. */
static void add_mark(struct track *t, const struct mark *m)
{
	double apart = (t->end - t->begin) / (TRACK_MARKS_MAX - 8);

	if (t->n >= 2 &&
	    (t->marks[t->n - 1].day - t->marks[t->n - 2].day < apart || t->n == TRACK_MARKS_MAX))
		t->n--;
	if (t->n > 0 && m->day <= t->marks[t->n - 1].day)
		return;
	t->marks[t->n++] = *m;
}

/* The first sample is as good as a mark where the counter is fine beside what it counts. */
#define FIRST_STEPS_MIN 8

static void find_marks(const struct series *s, enum fact_id id, struct track *ret)
{
	double before = 0, top = 0;
	bool any = false;

	ret->n = 0;
	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *x = &s->samples[i];
		double day, value, steps;

		if (!counts(x, id))
			continue;
		day = (double)(x->time - ret->origin) / SECONDS_PER_DAY;
		value = (double)value_of(x, id, ret->falls);
		if (any && value > top) {
			steps = (value - top) / ret->step;
			if (ret->n == 0 && steps >= FIRST_STEPS_MIN && day > before)
				add_mark(ret, &(struct mark){ before, 0, top + ret->step / 2 });
			add_mark(ret, &(struct mark){ .day = day - (day - before) / (2 * steps),
						      .slack = (day - before) / (2 * steps),
						      .value = value });
		}
		if (!any || value > top)
			top = value;
		any = true;
		before = day;
	}
}

/* Where between two steps the counter is by now, by its pace over the last few. */
static double value_at_end(const struct track *t)
{
	size_t back = t->n > 4 ? t->n - 4 : 0;
	const struct mark *m;
	double pace;

	if (t->n == 0)
		return t->last + t->step / 2;
	m = &t->marks[t->n - 1];
	if (t->n < 2)
		return m->value + t->step / 2;
	pace = (m->value - t->marks[back].value) / (m->day - t->marks[back].day);
	return m->value + fmin(WITHIN_STEP * t->step, pace * (t->end - m->day));
}

bool track_build(const struct series *s, enum fact_id id, bool falls, struct track *ret)
{
	size_t i = 0;

	memset(ret, 0, sizeof(*ret));
	ret->falls = falls;
	while (i < s->nsamples && s->samples[i].aside)
		i++;
	if (i < s->nsamples)
		ret->origin = s->samples[i].time;
	if (!survey(s, id, ret))
		return false;
	if (ret->step > 0)
		find_marks(s, id, ret);
	ret->end_value = value_at_end(ret);
	return true;
}

double track_at(const struct track *t, double day)
{
	struct mark a = { t->begin, 0, t->first }, b = { t->end, 0, t->end_value };
	size_t low = 0, high = t->n; /* the first mark later than day */

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (t->marks[middle].day <= day)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		a = t->marks[low - 1];
	if (low < t->n)
		b = t->marks[low];
	if (day <= a.day || b.day <= a.day)
		return a.value;
	if (day >= b.day)
		return b.value;
	return a.value + (b.value - a.value) * (day - a.day) / (b.day - a.day);
}

bool track_is_fine(const struct track *t, double days)
{
	double span = t->end - t->begin;

	return t->step > 0 && (t->last - t->first) / t->step * days >= STEPS_PER_BIN * span;
}

/* The mark nearest to a day, before `limit`; i: the first one not before `limit`. */
static size_t nearest_before(const struct track *t, size_t i, double day, double limit)
{
	size_t best;

	while (i > 0 && t->marks[i - 1].day > limit)
		i--;
	if (i == 0)
		return t->n;
	best = i - 1;
	while (best > 0 && fabs(t->marks[best - 1].day - day) <= fabs(t->marks[best].day - day))
		best--;
	return best;
}

size_t track_bins(const struct track *t, double width, struct rate_bin *ret, size_t max)
{
	struct mark edge = { t->end, 0, t->end_value };
	size_t at = t->n, n = 0;

	if (t->n == 0)
		return 0;
	if (t->marks[t->n - 1].day >= t->end) {
		edge = t->marks[t->n - 1];
		at--;
	}
	while (n + 1 < max) {
		size_t next = nearest_before(t, at, edge.day - width, edge.day - width / 2);

		if (next == t->n)
			break;
		ret[n++] = (struct rate_bin){ .from = t->marks[next].day,
					      .to = edge.day,
					      .amount = edge.value - t->marks[next].value };
		edge = t->marks[next];
		at = next;
	}
	for (size_t i = 0; i < n; i++)
		ret[i].weight = fmin(8, (ret[i].to - ret[i].from) / width);
	for (size_t i = 0; i < n / 2; i++) {
		struct rate_bin swap = ret[i];

		ret[i] = ret[n - 1 - i];
		ret[n - 1 - i] = swap;
	}
	return n;
}

/* Squared relative error of a ratio between two marks: of their times, and of the driver's steps.
 */
static double ratio_error(const struct mark *a, const struct mark *b, const struct track *driver,
			  double driven)
{
	double days = b->day - a->day, steps = driver->step / driven;

	return (a->slack * a->slack + b->slack * b->slack) / (3 * days * days) + steps * steps / 6 +
	       RATIO_ERROR_MIN * RATIO_ERROR_MIN;
}

size_t track_ratio_bins(const struct track *gauge, const struct track *driver, struct rate_bin *ret,
			size_t max)
{
	double apart, since;
	size_t n = 0, from = 0;

	if (gauge->n == 0)
		return 0;
	apart = (gauge->marks[gauge->n - 1].value - gauge->marks[0].value) / (double)(max - 2);
	for (size_t i = 1; i < gauge->n; i++) {
		const struct mark *a = &gauge->marks[from], *b = &gauge->marks[i];
		double days = b->day - a->day, counted = b->value - a->value;
		double driven = track_at(driver, b->day) - track_at(driver, a->day);

		if (counted < apart || days < SLACKS_PER_BIN * (a->slack + b->slack) / 2 ||
		    driven < 2 * driver->step || driven <= 0)
			continue;
		ret[n++] = (struct rate_bin){ .from = a->day,
					      .to = b->day,
					      .amount = counted / driven,
					      .weight = 1 / ratio_error(a, b, driver, driven) };
		from = i;
	}
	/* much was driven since, without a step: the ratio has fallen */
	since = track_at(driver, gauge->end) - track_at(driver, gauge->marks[gauge->n - 1].day);
	if (n > 0 && since > 0 && since * ret[n - 1].amount > 1.5 * gauge->step)
		ret[n++] = (struct rate_bin){ .from = gauge->marks[gauge->n - 1].day,
					      .to = gauge->end,
					      .amount = WITHIN_STEP * gauge->step / since,
					      .weight = 1 / (TAIL_ERROR * TAIL_ERROR) };
	return n;
}

/* SPDX-License-Identifier: MIT */
#include "bench/wear_path.h"

#include <math.h>
#include <stdlib.h>

#include "bench/wear_generator.h"

#define RECORD_DAYS_MAX 3652.0

static double *new_days(size_t n)
{
	double *days = calloc(n, sizeof(*days));

	if (!days)
		abort();
	return days;
}

void path_init(struct wear_path *p, double life)
{
	*p = (struct wear_path){ .life = life, .ndays = (size_t)life + 2 };
	p->volume = new_days(p->ndays);
	p->waf = new_days(p->ndays);
	p->host = new_days(p->ndays + 1);
	p->nand = new_days(p->ndays + 1);
	p->hours = new_days(p->ndays + 1);
}

void path_release(struct wear_path *p)
{
	free(p->volume);
	free(p->waf);
	free(p->host);
	free(p->nand);
	free(p->hours);
	*p = (struct wear_path){ 0 };
}

/* --- the path at any moment --- */

/* Value at an age of a sum whose days are spent by the hours of the day. */
static double sum_at(const struct wear_path *p, const double *sum, double age)
{
	size_t day = (size_t)age;
	double hour = 24 * (age - (double)day);
	size_t h = (size_t)hour;
	double share = p->by_hour[h] + (hour - (double)h) * (p->by_hour[h + 1] - p->by_hour[h]);

	return sum[day] + share * (sum[day + 1] - sum[day]);
}

static struct wear_state state_at(const struct wear_path *p, const struct wear_drive *d, double age)
{
	struct wear_state s = {
		.host = sum_at(p, p->host, age),
		.nand = sum_at(p, p->nand, age),
	};
	size_t day = (size_t)age;
	double today = 24 * (age - (double)day);

	s.nand_slc = s.host * p->slc_share;
	s.avg = s.nand / wear_drive_flash_bytes(d);
	s.max = s.avg * p->unevenness + p->spread * sqrt(s.avg);
	/* one area of pSLC is about 3 % of the drive */
	s.slc_avg = s.nand_slc / (0.03 * (double)d->product->capacity);
	s.hours = p->hours[day] + fmin(today, p->hours[day + 1] - p->hours[day]);
	return s;
}

static double limiting_share(const struct wear_path *p, const struct wear_drive *d, double age)
{
	struct wear_state s = state_at(p, d, age);

	return (d->product->limit == WEAR_MAX ? s.max : s.avg) / d->rated;
}

/* --- from shapes to bytes --- */

static void draw_day(struct draw *r, struct wear_path *p)
{
	static const double office[24] = { [8] = 2, 3, 3, 3, 2, 3, 3, 3, 2, 1 };
	static const double backup[24] = { [1] = 10, 10, 10 };
	unsigned kind = draw_below(r, 3);
	double sum = 0;

	for (int h = 0; h < 24; h++) {
		sum += 0.3 + (kind == 1 ? office[h] : kind == 2 ? backup[h] : 0);
		p->by_hour[h + 1] = sum;
	}
	for (int h = 0; h <= 24; h++)
		p->by_hour[h] /= sum;
	p->hours_a_day = draw_chance(r, 0.25) ? draw_between(r, 5, 12) : 24;
}

static void switch_off(struct wear_path *p, const struct schedule *s)
{
	for (size_t i = 0; i < s->ngaps; i++)
		for (size_t day = (size_t)s->gaps[i].start;
		     s->gaps[i].off && day < p->ndays && (double)day < s->gaps[i].end; day++)
			p->volume[day] = 0;
}

/* Average erase count at which the limiting count is the rated one. */
static double average_at_end(const struct wear_path *p, const struct wear_drive *d)
{
	double root;

	if (d->product->limit != WEAR_MAX)
		return d->rated;
	root = (sqrt(p->spread * p->spread + 4 * p->unevenness * d->rated) - p->spread) /
	       (2 * p->unevenness);
	return root * root;
}

static void add_up(struct wear_path *p)
{
	for (size_t day = 0; day < p->ndays; day++) {
		p->host[day + 1] = p->host[day] + p->volume[day];
		p->nand[day + 1] = p->nand[day] + p->volume[day] * p->waf[day];
		p->hours[day + 1] = p->hours[day] + (p->volume[day] > 0 ? p->hours_a_day : 0);
	}
}

/* The first moment at which the limiting counter shows its limit. */
static double find_end(const struct wear_path *p, const struct wear_drive *d)
{
	double low = 0, high = p->life, end = wear_drive_end(d);

	while (high - low > 1e-4) {
		double middle = (low + high) / 2;

		if (limiting_share(p, d, middle) < end)
			low = middle;
		else
			high = middle;
	}
	return high;
}

void path_finish(struct draw *r, struct wear_path *p, const struct schedule *s,
		 struct wear_drive *d)
{
	double scale;

	draw_day(r, p);
	p->unevenness = draw_between(r, 1.0, 1.2);
	p->spread = draw_between(r, 0, 3);
	if (d->product->counters & WEAR_BIT(WEAR_NAND_SLC))
		p->slc_share = draw_between(r, 0.5, 1);
	switch_off(p, s);
	add_up(p);
	scale = average_at_end(p, d) * wear_drive_flash_bytes(d) / sum_at(p, p->nand, p->life);
	for (size_t day = 0; day <= p->ndays; day++) {
		p->host[day] *= scale;
		p->nand[day] *= scale;
	}
	/* a counter that wraps between two samples tells nobody how often */
	d->wraps = s->wraps && 10 * s->interval * p->host[p->ndays] / p->life <
				       0x1p32 * (double)d->product->unit[WEAR_HOST];
	d->life = find_end(p, d);
}

/* --- samples --- */

static bool in_gap(const struct schedule *s, double age)
{
	for (size_t i = 0; i < s->ngaps; i++)
		if (age >= s->gaps[i].start && age < s->gaps[i].end)
			return true;
	return false;
}

static int64_t clock_error_at(const struct schedule *s, double age)
{
	for (size_t i = 0; i < s->nclock_errors; i++)
		if (age >= s->clock_errors[i].start && age < s->clock_errors[i].end)
			return s->clock_errors[i].seconds;
	return 0;
}

void path_record(struct draw *r, const struct wear_path *p, const struct schedule *s,
		 struct wear_drive *d)
{
	double until = fmin(WEAR_RECORDED * d->life, RECORD_DAYS_MAX);
	size_t restarted = 0;

	for (double tick = s->first + 0.01; tick < until; tick += s->interval) {
		double age = tick + s->interval * s->jitter * draw_unit(r);
		struct wear_state state;

		if (in_gap(s, age) || draw_chance(r, s->missed))
			continue;
		state = state_at(p, d, age);
		for (; restarted < s->nrestarts && s->restarts[restarted].age <= age; restarted++) {
			struct wear_state then = state_at(p, d, s->restarts[restarted].age);

			wear_drive_restart(d, s->restarts[restarted].counters, &then);
		}
		wear_drive_show(d, age, clock_error_at(s, age), &state);
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * Findings on wear and write amplification that changed against the drive's own past.
 *
 * The last two weeks are compared with all before them, in whole steps of the counters: what the
 * last step may hide counts against a change. Where the steps are too coarse for two weeks, longer
 * windows tell. A pace that the drive had for a window before is none, however uneven its use is. A
 * change that was found is told until three quarters of it are over, so that a finding does not
 * come and go from day to day.
 */
#include <stdio.h>

#include "health/judge.h"

#define LOOKS	   14	/* back, in a window's time, for a change that was found */
#define PASTS_MAX  52	/* windows looked back to */
#define STEPS_MIN  3	/* of a counter within the window */
#define ABOVE_PAST 1.25 /* times the highest of them */
#define KEEPS	   0.75 /* of the factor ends a change */

/* A life this long is not worth a warning, whatever changed. */
#define LONG_LIFE_DAYS (20 * 365.25)

/* Fewer bytes than this share of the capacity say nothing of write amplification. */
#define CAPACITY_SHARE 100
#define BYTES_MIN      1000000000

/* Days; where samples are missing, half of them or twice as many will do, and the past has two. */
static const int windows[] = { 14, 56, 182 };

/* A quantity per something: NAND bytes per host byte, or a counter per day. */
struct pace {
	enum fact_id what, per; /* per FACT_NONE: days */
	double step, per_step;
	double per_min; /* less says nothing */
	int days;	/* of the window */
};

struct span {
	const struct sample *from, *to;
	double what, per, days;
};

/* The last sample not later than t that counts and has both. */
static const struct sample *sample_at(const struct series *s, const struct pace *p, int64_t t)
{
	const struct sample *sample = series_at(s, t, p->what);

	if (p->per == FACT_NONE)
		return sample;
	while (sample && !(sample->has & FACT_BIT(p->per)))
		sample = series_at(s, sample->time - 1, p->what);
	return sample;
}

static const struct sample *first_sample(const struct series *s, const struct pace *p)
{
	uint64_t wanted = FACT_BIT(p->what) | (p->per == FACT_NONE ? 0 : FACT_BIT(p->per));

	for (size_t i = 0; i < s->nsamples; i++)
		if (!s->samples[i].aside && (s->samples[i].has & wanted) == wanted)
			return &s->samples[i];
	return NULL;
}

static struct span span_of(const struct pace *p, const struct sample *from, const struct sample *to)
{
	struct span span = { .from = from, .to = to };

	span.days = (double)(to->time - from->time) / (double)SECONDS_PER_DAY;
	span.what = (double)to->values[p->what] - (double)from->values[p->what];
	span.per = p->per == FACT_NONE ? span.days
				       : (double)to->values[p->per] - (double)from->values[p->per];
	return span;
}

/* The window that ends with `to`. False where too much is missing. */
static bool window_before(const struct series *s, const struct pace *p, const struct sample *to,
			  struct span *ret)
{
	const struct sample *from = sample_at(s, p, to->time - p->days * SECONDS_PER_DAY);

	if (!from)
		return false;
	*ret = span_of(p, from, to);
	return ret->days >= p->days / 2.0 && ret->days <= p->days * 2.0 && ret->per >= p->per_min;
}

static double least(const struct pace *p, const struct span *s)
{
	return (s->what - p->step) / (s->per + p->per_step);
}

static double most(const struct pace *p, const struct span *s)
{
	double per = s->per - p->per_step;

	return (s->what + p->step) / (per > 0 ? per : s->per);
}

/* The highest pace of the windows before `to`. */
static double highest(const struct series *s, const struct pace *p, const struct sample *to)
{
	double high = 0;
	struct span span;

	for (int i = 0; i < PASTS_MAX && window_before(s, p, to, &span); i++) {
		double pace = span.what / span.per;

		high = pace > high ? pace : high;
		to = span.from;
	}
	return high;
}

struct change_seen {
	struct span recent, past;
};

/* Does the pace of the window up to `to` stand out, by at least this factor? */
static bool stands_out(const struct series *s, const struct pace *p, const struct sample *to,
		       double factor, bool strict, struct change_seen *ret)
{
	const struct sample *first = first_sample(s, p);
	struct change_seen c;
	double recent, past;

	if (!window_before(s, p, to, &c.recent))
		return false;
	c.past = span_of(p, first, c.recent.from);
	if (c.past.days < p->days * 2.0 || c.past.per < p->per_min || c.recent.what <= 0)
		return false;
	recent = c.recent.what / c.recent.per;
	past = c.past.what / c.past.per;
	*ret = c;
	if (!strict)
		return recent >= factor * past;
	return c.recent.what >= STEPS_MIN * p->step &&
	       least(p, &c.recent) >= factor * most(p, &c.past) &&
	       recent >= ABOVE_PAST * highest(s, p, c.recent.from);
}

/* Look by look over the last window: found at the factor, kept until most of it is gone. */
static bool changed_within(const struct judge *j, const struct pace *p, struct change_seen *ret)
{
	const struct series *s = j->series;
	const struct sample *last = sample_at(s, p, INT64_MAX), *before = NULL;
	int64_t window = p->days * SECONDS_PER_DAY;
	double factor = j->limits->change_factor;
	bool is = false;

	/* the window before a record that old is not of late */
	if (last && j->now != TIME_UNKNOWN && j->now - last->time > window)
		return false;
	for (int look = LOOKS; last && look >= 0; look--) {
		const struct sample *to = sample_at(s, p, last->time - look * window / LOOKS);

		if (!to || to == before)
			continue;
		is = stands_out(s, p, to, is ? KEEPS * factor : factor, !is, ret);
		before = to;
	}
	return is;
}

static bool changed(const struct judge *j, struct pace *p, struct change_seen *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(windows); i++) {
		p->days = windows[i];
		if (changed_within(j, p, ret))
			return true;
	}
	return false;
}

/* The smallest step that the counter made. */
static double step_of(const struct series *s, enum fact_id id)
{
	const struct sample *before = NULL;
	int64_t step = 0;

	for (size_t i = 0; i < s->nsamples; i++) {
		const struct sample *sample = &s->samples[i];

		if (sample->aside || !(sample->has & FACT_BIT(id)))
			continue;
		if (before) {
			int64_t rise = sample->values[id] - before->values[id];

			if (rise > 0 && (!step || rise < step))
				step = rise;
		}
		before = sample;
	}
	return (double)step;
}

static enum severity severity_of(const struct judge *j)
{
	const struct estimates *e = j->estimates;
	bool lasts = e->binding >= 0 && e->by_method[e->binding].days_left > LONG_LIFE_DAYS;

	return lasts ? SEVERITY_OK : SEVERITY_WARNING;
}

static const char *amount_a_day(const struct pace *p, const struct span *s, char buf[UNIT_TEXT_MAX])
{
	double a_day = s->what / s->days;

	if (fact_unit(p->what) == UNIT_BYTES)
		return format_bytes((u128)a_day, buf);
	snprintf(buf, UNIT_TEXT_MAX, "%.3g %s", a_day / unit_scale(fact_unit(p->what)),
		 unit_text(fact_unit(p->what)));
	return buf;
}

static bool judge_pace(struct judge *j, enum fact_id id)
{
	const struct fact *f = judge_fact(j, id);
	struct pace p = { .what = id, .per = FACT_NONE };
	char now[UNIT_TEXT_MAX], before[UNIT_TEXT_MAX];
	struct change_seen c;

	if (!f)
		return false;
	p.step = step_of(j->series, id);
	if (!changed(j, &p, &c))
		return false;
	amount_a_day(&p, &c.recent, now);
	amount_a_day(&p, &c.past, before);
	finding_evidence(
		judge_add(j, severity_of(j), "find out what writes more, or why more is erased",
			  "%s: %s a day over the last %.0f days, %s a day before%s", fact_label(id),
			  now, c.recent.days, before, judge_mark(f->confidence)),
		"%s over the %.0f days before; limit %g times; %.150s", fact_name(id), c.past.days,
		j->limits->change_factor, f->source);
	return true;
}

/* The finest counter of wear that tells it speaks. */
void judge_rate_changed(struct judge *j)
{
	static const enum fact_id counters[] = { FACT_PERCENTAGE_USED, FACT_ERASE_COUNT_AVG,
						 FACT_NAND_BYTES_WRITTEN };

	for (size_t i = 0; j->series && i < ARRAY_SIZE(counters); i++)
		if (judge_pace(j, counters[i]))
			return;
}

void judge_waf_changed(struct judge *j)
{
	const struct fact *nand = judge_fact(j, FACT_NAND_BYTES_WRITTEN);
	const struct fact *host = judge_fact(j, FACT_HOST_BYTES_WRITTEN);
	const struct identity *id = &j->r->identity;
	struct pace p = { .what = FACT_NAND_BYTES_WRITTEN, .per = FACT_HOST_BYTES_WRITTEN };
	struct change_seen c;

	if (!j->series || !nand || !host)
		return;
	p.step = step_of(j->series, p.what);
	p.per_step = step_of(j->series, p.per);
	p.per_min = id->has_capacity ? (double)id->capacity_bytes / CAPACITY_SHARE : 0;
	if (p.per_min < BYTES_MIN)
		p.per_min = BYTES_MIN;
	if (!changed(j, &p, &c))
		return;
	finding_evidence(
		judge_add(j, severity_of(j), "check TRIM, free space and what writes small pieces",
			  "write amplification is %.2f over the last %.0f days, %.2f before%s",
			  c.recent.what / c.recent.per, c.recent.days, c.past.what / c.past.per,
			  judge_mark(nand->confidence)),
		"over the %.0f days before; limit %g times; NAND: %.110s; host: %.110s",
		c.past.days, j->limits->change_factor, nand->source, host->source);
}

/* SPDX-License-Identifier: MIT */
#include "health/series_counting.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/collect.h"

#define SECONDS_PER_HOUR 3600
#define HOURS_RANGE	 ((i128)1 << 16)
#define BLOCK		 512
#define BLOCK_4K	 4096
#define DATA_UNIT	 512000

/* So many times the usual is still taken for what the drive wrote over one step. */
#define BURST 8

static int64_t saturated(i128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

void counting_init(struct counting *c, const struct drive_rule *rule)
{
	memset(c, 0, sizeof(*c));
	c->rule = rule;
}

/* Log and offset or attribute, without names and rule, which change as rules improve. */
static size_t source_length(const char *source)
{
	size_t n = strcspn(source, "(");

	while (n > 0 && (source[n - 1] == ' ' || source[n - 1] == ','))
		n--;
	return n;
}

static struct track *find_track(struct counter *k, const char *source)
{
	size_t n = source_length(source);

	for (size_t i = 0; i < TRACKS_MAX; i++) {
		struct track *t = &k->tracks[i];

		if (*t->source && strlen(t->source) == n && strncmp(t->source, source, n) == 0)
			return t;
	}
	return NULL;
}

static struct track *new_track(struct counter *k, const char *source)
{
	struct track *t = &k->tracks[0];

	for (size_t i = 1; i < TRACKS_MAX; i++)
		if (k->tracks[i].used < t->used)
			t = &k->tracks[i];
	*t = (struct track){ 0 };
	snprintf(t->source, sizeof(t->source), "%.*s", (int)source_length(source), source);
	return t;
}

/* A counter that lost its last steps in a power cut, or is made of rounded numbers, falls so far.
 */
static i128 rounding_of(enum fact_id id, i128 top)
{
	switch (fact_unit(id)) {
	case UNIT_PERCENT:
		return unit_scale(UNIT_PERCENT);
	case UNIT_HOURS:
		return 2 + top / 500;
	case UNIT_CYCLES:
		return 1 + top / 200;
	default:
		return top / 200;
	}
}

/* Two sources of one fact that stand this near mean the same count. */
static i128 step_between(enum fact_id id, i128 position)
{
	switch (fact_unit(id)) {
	case UNIT_PERCENT:
		return 2 * (i128)unit_scale(UNIT_PERCENT);
	case UNIT_BYTES:
		return ((i128)1 << 36) + position / 20; /* some count in steps of 64 GB */
	case UNIT_HOURS:
		return 24 + position / 20;
	default:
		return 2 + position / 20;
	}
}

static bool falls(struct counting *c, const struct sample *s, enum fact_id id)
{
	struct track *t;

	if (!(s->has & FACT_BIT(id)))
		return false;
	t = find_track(&c->counters[id], s->frame->facts[id].source);
	return t && s->values[id] < t->top - rounding_of(id, t->top);
}

/* What it counts a second, as far as can be told: over the history or the drive's life. */
static double rate_of(const struct counting *c, enum fact_id id, const struct track *t)
{
	const struct counter *k = &c->counters[id];
	const struct track *hours = c->counters[FACT_POWER_ON_HOURS].last;
	double seen = 0, life = 0;

	if (t->time > k->first_time)
		seen = (double)(k->position - k->first) / (double)(t->time - k->first_time);
	if (hours && hours->raw > 0)
		life = (double)t->top / ((double)hours->raw * SECONDS_PER_HOUR);
	return seen > life ? seen : life;
}

static bool hours_possible(i128 hours, int64_t seconds)
{
	return hours * SECONDS_PER_HOUR <= (i128)seconds + seconds / 20 + 2 * SECONDS_PER_HOUR;
}

/* Can it have counted so much in the time since the track was seen last? */
static bool is_plausible(const struct counting *c, enum fact_id id, const struct track *t,
			 const struct sample *s, i128 counted, i128 allowance)
{
	double usual = rate_of(c, id, t) * (double)(s->time - t->time);

	if (id == FACT_POWER_ON_HOURS)
		return hours_possible(counted, s->time - t->time);
	return (double)counted <= BURST * usual + (double)allowance;
}

static bool wraps_at(const struct counting *c, enum fact_id id, const struct track *t,
		     const struct sample *s, i128 modulus)
{
	i128 raw = s->values[id];

	return t->top < modulus && t->top >= modulus - modulus / 4 && raw < modulus / 4 &&
	       is_plausible(c, id, t, s, modulus - t->top + raw, modulus / 64);
}

/* The rule knows that the sectors of Device Statistics wrap: however far it stood. */
static i128 modulus_by_rule(const struct counting *c, enum fact_id id, const struct track *t,
			    const struct sample *s)
{
	i128 modulus = (i128)BLOCK << 32;

	if (!c->rule || !c->rule->host_counter_wraps_32 || fact_unit(id) != UNIT_BYTES ||
	    s->frame->facts[id].quality != QUALITY_MEASURED)
		return 0;
	if (t->top >= modulus)
		modulus = (i128)BLOCK_4K << 32;
	return t->top < modulus ? modulus : 0;
}

/* The range of the counter where this fall is a wrap, else 0. */
static i128 wrap_of(const struct counting *c, enum fact_id id, const struct track *t,
		    const struct sample *s)
{
	static const uint64_t byte_units[] = { BLOCK, BLOCK_4K, DATA_UNIT };
	i128 modulus = modulus_by_rule(c, id, t, s);

	if (modulus)
		return modulus;
	if (fact_unit(id) == UNIT_PERCENT) /* 255 is where it stays */
		return 0;
	if (fact_unit(id) != UNIT_BYTES) {
		if (wraps_at(c, id, t, s, HOURS_RANGE))
			return HOURS_RANGE;
		return wraps_at(c, id, t, s, (i128)1 << 32) ? (i128)1 << 32 : 0;
	}
	for (size_t i = 0; c->rule && i < c->rule->nmeanings; i++) {
		const struct attribute_meaning *m = &c->rule->meanings[i];

		if (m->fact == id && m->divisor == 1 &&
		    wraps_at(c, id, t, s, (i128)m->factor << 32))
			return (i128)m->factor << 32;
	}
	for (size_t i = 0; i < ARRAY_SIZE(byte_units); i++)
		if (wraps_at(c, id, t, s, (i128)byte_units[i] << 32))
			return (i128)byte_units[i] << 32;
	return 0;
}

/*
 * What was counted since the restart: all that it shows where it began at 0, and nothing where it
 * shows more than that could be.
 */
static i128 counted_since(const struct counting *c, enum fact_id id, const struct track *t,
			  const struct sample *s)
{
	i128 raw = s->values[id];

	if (fact_unit(id) == UNIT_PERCENT && raw > t->top / 4)
		return 0;
	return is_plausible(c, id, t, s, raw, 0) ? raw : 0;
}

/*
 * Percentages are the drive's own estimate: firmware that corrects it to another number is
 * believed, and the past is moved to join; only one that starts at 0 counts on.
 */
static bool is_corrected(enum fact_id id, i128 raw, i128 counted)
{
	return fact_unit(id) == UNIT_PERCENT && raw > counted;
}

/*
 * NAND bytes that are host bytes times a ratio fall where the host bytes wrap: by as much, times
 * the ratio. 0: they are counted by themselves, or nothing wrapped.
 */
static i128 lost_with_host(const struct counting *c, enum fact_id id, const struct track *t)
{
	if (id != FACT_NAND_BYTES_WRITTEN || !text_starts_with(t->source, SOURCE_HOST_BYTES))
		return 0;
	for (size_t i = 0; i < c->now.nwraps; i++) {
		const struct change *w = &c->now.wraps[i];

		if (w->id == FACT_HOST_BYTES_WRITTEN && w->from > 0)
			return w->modulus * t->top / w->from;
	}
	return 0;
}

static void fall(struct counting *c, enum fact_id id, struct track *t, const struct sample *s,
		 bool restarted)
{
	struct counter *k = &c->counters[id];
	i128 raw = s->values[id], modulus = restarted ? 0 : wrap_of(c, id, t, s), counted, natural,
	     lost;
	struct change change = { .id = id, .from = t->top, .to = raw, .modulus = modulus };

	if (modulus) {
		c->now.wraps[c->now.nwraps++] = change;
		t->offset += modulus;
		t->added += modulus;
		return;
	}
	lost = lost_with_host(c, id, t);
	if (lost) { /* the wrap of the host's is the event */
		t->offset += lost;
		t->added += lost;
		return;
	}
	c->now.resets[c->now.nresets++] = change;
	counted = counted_since(c, id, t, s);
	natural = t->offset - t->added;
	t->offset = k->position + counted - raw;
	if (!is_corrected(id, raw, counted))
		t->added = t->offset - natural;
}

static void forget_change(struct change *changes, size_t *n, enum fact_id id)
{
	for (size_t i = 0; i < *n; i++)
		if (changes[i].id == id) {
			memmove(&changes[i], &changes[i + 1], (--*n - i) * sizeof(*changes));
			return;
		}
}

/*
 * The last sample alone stood high beyond reason or fell, and now the counter goes on from where it
 * was before: that one was misread.
 */
static bool undo(struct counting *c, enum fact_id id, struct track *t, const struct sample *s)
{
	struct counter *k = &c->counters[id];
	i128 rise = s->values[id] - k->kept.top, rounding = rounding_of(id, k->kept.top);
	i128 position = k->position;

	if (k->odd == ODD_NONE || t != k->last || rise < -rounding)
		return false;
	k->position = k->before;
	if (!is_plausible(c, id, &k->kept, s, rise, rounding)) {
		k->position = position;
		return false;
	}
	*t = k->kept;
	k->sample->values[id] = saturated(k->position);
	forget_change(c->before.resets, &c->before.nresets, id);
	forget_change(c->before.wraps, &c->before.nwraps, id);
	return true;
}

/*
 * A source that was not seen yet joins where the others stand. One that tells but the least, for it
 * wraps or has stopped, is lifted to what they told.
 */
static void join(struct counter *k, struct track *t, enum fact_id id, const struct sample *s)
{
	const struct track *last = k->last;
	i128 raw = s->values[id];
	i128 near = step_between(id, k->position), natural = last->offset - last->added;
	i128 as_last = raw + last->offset - k->position, alone = raw + natural - k->position;

	t->offset = k->position - raw;
	if (as_last >= -near && as_last <= near) {
		t->offset = last->offset;
		t->added = last->added;
	} else if (alone >= -near && alone <= near) {
		t->offset = natural;
	} else if (s->at_least & FACT_BIT(id) && alone < 0) {
		t->added = t->offset - natural;
	}
}

/* Does it rise by more than it ever did, against a rate that is known? */
static bool jumps(const struct counting *c, enum fact_id id, const struct track *t,
		  const struct sample *s)
{
	i128 rise = s->values[id] - t->top;

	return rise > 0 && rate_of(c, id, t) > 0 &&
	       !is_plausible(c, id, t, s, rise, rounding_of(id, t->top));
}

static enum odd step(struct counting *c, enum fact_id id, struct track *t, const struct sample *s,
		     bool restarted)
{
	i128 raw = s->values[id];
	bool fell = raw < t->top - rounding_of(id, t->top), jumped = jumps(c, id, t, s);

	if ((fell || jumped) && undo(c, id, t, s))
		return ODD_NONE;
	if (fell) {
		fall(c, id, t, s, restarted);
		t->top = raw;
		return ODD_FELL;
	}
	return jumped && t == c->counters[id].last ? ODD_JUMPED : ODD_NONE;
}

static void count(struct counting *c, enum fact_id id, struct sample *s, bool restarted)
{
	struct counter *k = &c->counters[id];
	const char *source = s->frame->facts[id].source;
	struct track *t = find_track(k, source), kept;
	i128 raw = s->values[id], before;

	if (!k->last) {
		k->first = k->position = raw;
		k->first_time = s->time;
	}
	if (!t) {
		t = new_track(k, source);
		if (k->last)
			join(k, t, id, s);
		t->top = raw;
		k->odd = ODD_NONE;
	} else {
		kept = *t;
		before = k->position;
		k->odd = step(c, id, t, s, restarted);
		k->kept = kept;
		k->before = before;
	}
	t->top = raw > t->top ? raw : t->top;
	if (t->top + t->offset > k->position)
		k->position = t->top + t->offset;
	t->raw = raw;
	t->time = s->time;
	t->used = ++c->uses;
	k->last = t;
	k->sample = s;
	s->values[id] = saturated(k->position);
}

void counting_add(struct counting *c, struct sample *s)
{
	bool restarted = falls(c, s, FACT_POWER_CYCLES);
	const struct track *hours = find_track(&c->counters[FACT_POWER_ON_HOURS],
					       s->frame->facts[FACT_POWER_ON_HOURS].source);

	if (hours && falls(c, s, FACT_POWER_ON_HOURS) &&
	    !wraps_at(c, FACT_POWER_ON_HOURS, hours, s, HOURS_RANGE))
		restarted = true;
	c->before = c->now;
	c->now.time = s->time;
	c->now.nresets = c->now.nwraps = 0;
	for (int i = 0; i < FACT_COUNT; i++)
		if (fact_is_counter((enum fact_id)i) && s->has & FACT_BIT(i))
			count(c, (enum fact_id)i, s, restarted);
}

void counting_end(struct counting *c, struct series *s)
{
	for (int id = 0; id < FACT_COUNT; id++) {
		const struct track *last = c->counters[id].last;
		i128 shift = last ? last->added - last->offset : 0;

		s->added[id] = last ? saturated(last->added) : 0;
		if (!shift)
			continue;
		for (size_t i = 0; i < s->nsamples; i++)
			if (!s->samples[i].aside && s->samples[i].has & FACT_BIT(id))
				s->samples[i].values[id] = saturated(s->samples[i].values[id] +
								     shift);
	}
}

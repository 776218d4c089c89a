/* SPDX-License-Identifier: MIT */
/*
 * Whatever happens to a drive's counters and to the clock, its history never runs backwards, and
 * where the drive's truth is known it comes out again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lib/made_series.h"

#define RUNS	    3000
#define SAMPLES_MAX 120

/* xorshift64*: the seed is in every message, so that a failure can be run again. */
static uint64_t dice;

static uint64_t below(uint64_t n)
{
	dice ^= dice >> 12;
	dice ^= dice << 25;
	dice ^= dice >> 27;
	return dice * UINT64_C(2685821657736338717) % n;
}

static bool one_in(uint64_t n)
{
	return below(n) == 0;
}

static void fail_run(uint64_t seed, size_t i, enum fact_id id, const char *what)
{
	fail_msg("seed %llu, sample %zu, %s: %s", (unsigned long long)seed, i, fact_name(id), what);
}

static void never_backwards(const struct series *s, uint64_t seed)
{
	for (int id = 0; id < FACT_COUNT; id++) {
		int64_t last = INT64_MIN;

		if (!fact_is_counter((enum fact_id)id))
			continue;
		for (size_t i = 0; i < s->nsamples; i++) {
			if (s->samples[i].aside || !(s->samples[i].has & FACT_BIT(id)))
				continue;
			if (s->samples[i].values[id] < last)
				fail_run(seed, i, (enum fact_id)id, "it falls");
			last = s->samples[i].values[id];
		}
	}
}

static void in_order(const struct series *s, uint64_t seed)
{
	for (size_t i = 1; i < s->nsamples; i++)
		if (s->samples[i].time < s->samples[i - 1].time)
			fail_run(seed, i, FACT_POWER_ON_HOURS, "out of order");
	for (size_t i = 1; i < s->nevents; i++)
		if (s->events[i].time < s->events[i - 1].time)
			fail_run(seed, i, FACT_POWER_ON_HOURS, "events out of order");
	for (size_t i = 0; i < s->nevents; i++)
		if (!*s->events[i].text)
			fail_run(seed, i, FACT_POWER_ON_HOURS, "an event without text");
}

/* Any numbers at any times from any source. */
static void test_anything(void **state)
{
	static struct drive_rule rule;

	(void)state;
	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct series s;
		size_t n;

		dice = seed * UINT64_C(0x9e3779b97f4a7c15);
		rule.host_counter_wraps_32 = one_in(2);
		series_init(&s);
		n = below(SAMPLES_MAX);
		for (size_t i = 0; i < 3; i++) {
			struct frame *frame = made_frame(&s);

			frame->facts[below(FACT_COUNT)].source[0] = (char)('a' + i);
		}
		for (size_t i = 0; i < n; i++) {
			int64_t time = one_in(20) ? (int64_t)(below(2) ? below(1000000) : dice)
						  : T0 + (int64_t)below((uint64_t)(400 * DAY));
			struct sample *sample = made_sample(&s, s.frames[below(3)], time);

			sample->live = one_in(2);
			for (int id = 0; id < FACT_COUNT; id++)
				if (!one_in(3))
					made_fact(sample, (enum fact_id)id,
						  one_in(30) ? INT64_MAX
							     : (int64_t)below(UINT64_C(1)
									      << below(50)));
		}
		assert_int_equal(series_finish(&s, &rule, T0 + 300 * DAY), 0);
		never_backwards(&s, seed);
		in_order(&s, seed);
		if (s.nsamples != n)
			fail_run(seed, n, FACT_POWER_ON_HOURS, "samples got lost");
		series_release(&s);
	}
}

/* A drive with a truth, and what it shows of it. */
struct drive {
	int64_t host, hours, cycles; /* truth */
	int64_t host_shown_from;     /* where its counters began anew */
	int64_t hours_shown_from, cycles_shown_from;
	int64_t lost; /* host bytes between the last sample and a restart */
};

static void show(const struct drive *d, struct series *s, int64_t time, int64_t range)
{
	struct sample *sample = made_sample(s, s->frames[0], time);
	int64_t host = d->host - d->host_shown_from;

	made_fact(sample, FACT_HOST_BYTES_WRITTEN, range ? host % range : host);
	made_fact(sample, FACT_POWER_ON_HOURS, d->hours - d->hours_shown_from);
	made_fact(sample, FACT_POWER_CYCLES, d->cycles - d->cycles_shown_from);
}

/*
 * A drive that writes about evenly, with counters that wrap or restart at any time, and a clock
 * that was ahead for a sample: the rise of what it wrote comes out but for what passed unseen.
 */
static void test_truth(void **state)
{
	static struct drive_rule rule;

	(void)state;
	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct drive d = { .hours = (int64_t)below(30000), .cycles = 50 };
		int64_t step, daily, range, time = T0, first, unseen = 0;
		size_t n, wraps = 0, restarts = 0, wrong = 0, quiet = 10;
		struct series s;

		dice = seed * UINT64_C(0x9e3779b97f4a7c15);
		series_init(&s);
		made_frame(&s);
		step = (int64_t)(1 + below(24)) * HOUR;
		daily = (int64_t)(1 + below(400)) * GBYTES;
		rule.host_counter_wraps_32 = one_in(2);
		range = rule.host_counter_wraps_32 ? INT64_C(512) << 32 : 0;
		d.host = first = (int64_t)(1 + below(2000)) * GBYTES;
		n = 20 + below(SAMPLES_MAX - 20);
		for (size_t i = 0; i < n; i++) {
			int64_t wrote = daily / 24 * (step / HOUR) * (int64_t)(50 + below(100)) /
					100;
			int64_t at = time;
			int64_t shown = d.host - d.host_shown_from;

			shown = range ? shown % range : shown;
			/* it restarts in the middle of the step; seen only if it stood higher */
			if (i > quiet && shown > 2 * wrote && one_in(40)) {
				quiet = i + 10;
				unseen += wrote / 2;
				restarts++;
				d.host_shown_from = d.host + wrote / 2;
				d.hours_shown_from = d.hours;
				d.cycles_shown_from = d.cycles;
			} else if (i > quiet && i + 6 < n && !restarts && one_in(40)) {
				at += 4 * step + 1; /* the clock is ahead for once */
				wrong++;
				quiet = i + 10;
			}
			if (i) {
				int64_t before = range ? (d.host - d.host_shown_from) / range : 0;

				d.host += wrote;
				d.hours += step / HOUR;
				wraps += range && (d.host - d.host_shown_from) / range > before;
			}
			show(&d, &s, at, range);
			time += step;
		}
		assert_int_equal(series_finish(&s, &rule, time + DAY), 0);
		never_backwards(&s, seed);
		{
			const struct sample *a = &s.samples[0], *b = series_last(&s);
			int64_t rise = b->values[FACT_HOST_BYTES_WRITTEN] -
				       a->values[FACT_HOST_BYTES_WRITTEN];

			if (rise > d.host - first || rise < d.host - first - unseen)
				fail_run(seed, n, FACT_HOST_BYTES_WRITTEN, "the truth is lost");
		}
		if (made_events(&s, EVENT_COUNTER_WRAP) != wraps)
			fail_run(seed, n, FACT_HOST_BYTES_WRITTEN, "another number of wraps");
		if (made_events(&s, EVENT_COUNTER_RESET) != restarts)
			fail_run(seed, n, FACT_HOST_BYTES_WRITTEN, "another number of restarts");
		if (step >= 4 * HOUR && (made_events(&s, EVENT_CLOCK_JUMP) > 0) != (wrong > 0))
			fail_run(seed, n, FACT_POWER_ON_HOURS, "the clock's jump was not seen");
		series_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anything),
		cmocka_unit_test(test_truth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

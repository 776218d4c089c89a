/* SPDX-License-Identifier: MIT */
/* Histories dated by clocks that were wrong, with gaps and with hours that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "lib/made_series.h"

static struct series s;
static const struct drive_rule no_rule;

static int set_up(void **state)
{
	(void)state;
	series_init(&s);
	made_frame(&s);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	series_release(&s);
	return 0;
}

static void add(int64_t time, enum fact_id id, int64_t value)
{
	made_fact(made_sample(&s, s.frames[0], time), id, value);
}

static void finish(void)
{
	assert_int_equal(series_finish(&s, &no_rule, T0 + 400 * DAY), 0);
}

static void test_future_is_set_aside(void **state)
{
	(void)state;
	add(T0, FACT_POWER_ON_HOURS, 100);
	add(T0 + HOUR, FACT_POWER_ON_HOURS, 101);
	add(T0 + 7 * HOUR, FACT_POWER_ON_HOURS, 102);
	assert_int_equal(series_finish(&s, &no_rule, T0 + 2 * HOUR), 0);
	assert_true(s.samples[2].aside);
	assert_int_equal(series_last(&s)->time, T0 + HOUR);
	assert_int_equal(made_events(&s, EVENT_CLOCK_JUMP), 1);
	assert_string_equal(made_event_text(&s, EVENT_CLOCK_JUMP),
			    "1 sample dated from 2026-01-01T07:00:00Z is left out: that is later "
			    "than now");
}

static void test_five_minutes_are_no_future(void **state)
{
	(void)state;
	add(T0 + 300, FACT_POWER_ON_HOURS, 102);
	add(T0 + 301, FACT_POWER_ON_HOURS, 102);
	assert_int_equal(series_finish(&s, &no_rule, T0), 0);
	assert_false(s.samples[0].aside);
	assert_true(s.samples[1].aside);
}

/* Five hours ahead for two samples, until the time zone was set: hours dip and come back. */
static void test_clock_was_ahead(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 24; i++)
		add(T0 + i * HOUR + (i == 8 || i == 9 ? 5 * HOUR + 60 : 0), FACT_POWER_ON_HOURS,
		    1000 + i);
	finish();
	for (size_t i = 0; i < s.nsamples; i++)
		assert_int_equal(s.samples[i].aside,
				 s.samples[i].values[FACT_POWER_ON_HOURS] == 1008 ||
					 s.samples[i].values[FACT_POWER_ON_HOURS] == 1009);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 0);
	assert_true(made_events(&s, EVENT_CLOCK_JUMP) >= 1);
}

/* The first start after the battery was empty. */
static void test_clock_began_in_the_past(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 30; i++) {
		int64_t time = i == 10 ? T0 - 1000 * DAY : i == 20 ? 600 : T0 + i * DAY;
		struct sample *sample = made_sample(&s, s.frames[0], time);

		made_fact(sample, FACT_POWER_ON_HOURS, 500 + i * 20);
		made_fact(sample, FACT_POWER_CYCLES, 100 + i);
		made_fact(sample, FACT_HOST_BYTES_WRITTEN, TBYTES + i * GBYTES);
	}
	finish();
	assert_true(s.samples[0].aside && s.samples[0].time == 600);
	assert_true(s.samples[1].aside && s.samples[1].time == T0 - 1000 * DAY);
	for (size_t i = 2; i < s.nsamples; i++)
		assert_false(s.samples[i].aside);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 0);
	assert_int_equal(made_events(&s, EVENT_CLOCK_JUMP), 2);
}

/* The same, and the next sample shows counters that restarted. */
static void test_clock_began_in_the_past_before_a_restart(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 30; i++) {
		int64_t since = i > 10 ? i - 10 : i + 30;
		struct sample *sample = made_sample(&s, s.frames[0],
						    i == 10 ? T0 - 9000 * DAY : T0 + i * DAY);

		made_fact(sample, FACT_POWER_ON_HOURS, since * 20);
		made_fact(sample, FACT_POWER_CYCLES, 100 + i);
		made_fact(sample, FACT_HOST_BYTES_WRITTEN, since * GBYTES);
	}
	finish();
	assert_true(s.samples[0].aside && s.samples[0].time == T0 - 9000 * DAY);
	for (size_t i = 1; i < s.nsamples; i++)
		assert_false(s.samples[i].aside);
	assert_int_equal(made_events(&s, EVENT_CLOCK_JUMP), 1);
}

/* Counters that restart twice never reach what the first sample showed: all of it counts. */
static void test_restarts_are_no_clock(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 30; i++) {
		int64_t since = i == 0 ? 40 : i < 15 ? i : i - 14;
		struct sample *sample = made_sample(&s, s.frames[0], T0 + i * DAY);

		made_fact(sample, FACT_POWER_ON_HOURS, since * 20);
		made_fact(sample, FACT_POWER_CYCLES, since);
		made_fact(sample, FACT_HOST_BYTES_WRITTEN, since * GBYTES);
	}
	finish();
	for (size_t i = 0; i < s.nsamples; i++)
		assert_false(s.samples[i].aside);
}

/* Ten hours in eighty: the firmware does not count its low-power times, and nothing is wrong. */
static void test_hours_that_leave_out_low_power(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 30; i++)
		add(T0 + i * 80 * HOUR, FACT_POWER_ON_HOURS, 10 * i);
	finish();
	assert_int_equal(s.nevents, 0);
	assert_false(s.samples[0].aside);
}

/* A counter of half hours is no clock that is wrong all the time. */
static void test_hours_of_another_unit(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 100; i++)
		add(T0 + i * DAY, FACT_POWER_ON_HOURS, 48 * i);
	finish();
	for (size_t i = 0; i < s.nsamples; i++)
		assert_false(s.samples[i].aside);
}

static void test_hours_restart(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 40; i++)
		add(T0 + i * DAY, FACT_POWER_ON_HOURS, i < 30 ? 5000 + i * 24 : (i - 30) * 24);
	finish();
	for (size_t i = 0; i < s.nsamples; i++) {
		assert_false(s.samples[i].aside);
		assert_true(s.samples[i].values[FACT_POWER_ON_HOURS] <= 5000 + (int64_t)i * 24);
	}
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 1);
	assert_int_equal(made_events(&s, EVENT_CLOCK_JUMP), 0);
}

static void test_gap(void **state)
{
	(void)state;
	for (int64_t i = 0; i < 48; i++)
		add(T0 + i * HOUR, FACT_POWER_ON_HOURS, 100 + i);
	add(T0 + 20 * DAY, FACT_POWER_ON_HOURS, 150);
	add(T0 + 20 * DAY + 10 * HOUR, FACT_POWER_ON_HOURS, 160);
	finish();
	assert_int_equal(s.nevents, 1);
	assert_int_equal(s.events[0].kind, EVENT_GAP);
	assert_int_equal(s.events[0].time, T0 + 20 * DAY);
	assert_string_equal(s.events[0].text, "no sample for 18 days, since 2026-01-02T23:00:00Z");
}

/* Fourteen hours of every night are usual, and so are weekends after the first. */
static void test_nights_are_no_gaps(void **state)
{
	(void)state;
	for (int64_t day = 0; day < 28; day++)
		for (int64_t hour = 0; hour < 10 && day % 7 < 5; hour++)
			add(T0 + day * DAY + hour * HOUR, FACT_POWER_CYCLES, day);
	finish();
	assert_true(made_events(&s, EVENT_GAP) <= 2);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_future_is_set_aside),
		T(test_five_minutes_are_no_future),
		T(test_clock_was_ahead),
		T(test_clock_began_in_the_past),
		T(test_clock_began_in_the_past_before_a_restart),
		T(test_restarts_are_no_clock),
		T(test_hours_that_leave_out_low_power),
		T(test_hours_of_another_unit),
		T(test_hours_restart),
		T(test_gap),
		T(test_nights_are_no_gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

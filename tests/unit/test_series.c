/* SPDX-License-Identifier: MIT */
/* Histories with wraps and restarts, and what must be made of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
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

/* Samples a day apart with 24 h of power and the values of one fact. */
static void days_of(enum fact_id id, const int64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sample *sample = made_sample(&s, s.frames[0], T0 + (int64_t)i * DAY);

		made_fact(sample, FACT_POWER_ON_HOURS, 1000 + (int64_t)i * 24);
		made_fact(sample, id, values[i]);
	}
}

static void finish(void)
{
	assert_int_equal(series_finish(&s, &no_rule, T0 + 400 * DAY), 0);
}

#define HAS_VALUES(id, ...) has_values(id, (const int64_t[]){ __VA_ARGS__ })

static void has_values(enum fact_id id, const int64_t *values)
{
	for (size_t i = 0; i < s.nsamples; i++)
		assert_int_equal(s.samples[i].values[id], values[i]);
}

static void test_event_names(void **state)
{
	(void)state;
	for (int i = 0; i < EVENT_KIND_COUNT; i++)
		assert_int_equal(event_kind_by_name(event_kind_name((enum event_kind)i)), i);
	assert_string_equal(event_kind_name(EVENT_COUNTER_WRAP), "counter-wrap");
	assert_int_equal(event_kind_by_name("earthquake"), EVENT_KIND_COUNT);
}

static void test_order(void **state)
{
	(void)state;
	add(T0 + DAY, FACT_POWER_CYCLES, 11);
	add(T0, FACT_POWER_CYCLES, 10);
	add(T0 + 2 * DAY, FACT_POWER_CYCLES, 12);
	finish();
	HAS_VALUES(FACT_POWER_CYCLES, 10, 11, 12);
	assert_int_equal(s.nevents, 0);
	assert_int_equal(series_last(&s)->time, T0 + 2 * DAY);
	assert_int_equal(series_at(&s, T0 + DAY + 1, FACT_POWER_CYCLES)->time, T0 + DAY);
	assert_null(series_at(&s, T0 - 1, FACT_POWER_CYCLES));
	assert_null(series_at(&s, T0 + DAY, FACT_MEDIA_ERRORS));
}

static void test_restart_at_zero(void **state)
{
	static const int64_t host[] = { 100 * GBYTES, 110 * GBYTES, 120 * GBYTES, 4 * GBYTES,
					14 * GBYTES };

	(void)state;
	days_of(FACT_HOST_BYTES_WRITTEN, host, ARRAY_SIZE(host));
	finish();
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 100 * GBYTES, 110 * GBYTES, 120 * GBYTES, 124 * GBYTES,
		   134 * GBYTES);
	assert_int_equal(s.added[FACT_HOST_BYTES_WRITTEN], 120 * GBYTES);
	assert_int_equal(s.added[FACT_POWER_ON_HOURS], 0);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 1);
	assert_string_equal(made_event_text(&s, EVENT_COUNTER_RESET),
			    "host written fell from 120 GB to 4.00 GB");
	assert_int_equal(s.events[0].time, T0 + 3 * DAY);
}

/* It shows far more than a day can have written: nothing is known of that day. */
static void test_restart_elsewhere(void **state)
{
	static const int64_t host[] = { 10 * TBYTES, 10 * TBYTES + 10 * GBYTES, 3 * TBYTES,
					3 * TBYTES + 10 * GBYTES };

	(void)state;
	days_of(FACT_HOST_BYTES_WRITTEN, host, ARRAY_SIZE(host));
	finish();
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 10 * TBYTES, 10 * TBYTES + 10 * GBYTES,
		   10 * TBYTES + 10 * GBYTES, 10 * TBYTES + 20 * GBYTES);
}

static void test_restart_twice(void **state)
{
	static const int64_t host[] = { 100 * GBYTES, 110 * GBYTES, 2 * GBYTES, 12 * GBYTES, 0,
					10 * GBYTES };

	(void)state;
	days_of(FACT_HOST_BYTES_WRITTEN, host, ARRAY_SIZE(host));
	finish();
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 100 * GBYTES, 110 * GBYTES, 112 * GBYTES, 122 * GBYTES,
		   122 * GBYTES, 132 * GBYTES);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 2);
}

/* Power cycles restart with all else: the fall of the others is no wrap, however near the end. */
static void test_restart_of_all_near_a_wrap(void **state)
{
	const int64_t range = INT64_C(512) << 32;
	static const int64_t days[] = { 0, 1, 2, 3 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(days); i++) {
		struct sample *sample = made_sample(&s, s.frames[0], T0 + days[i] * DAY);

		made_fact(sample, FACT_POWER_CYCLES, i < 2 ? 500 : 1);
		made_fact(sample, FACT_HOST_BYTES_WRITTEN,
			  i < 2 ? range - 20 * GBYTES + days[i] * 10 * GBYTES : days[i] * GBYTES);
	}
	finish();
	assert_int_equal(made_events(&s, EVENT_COUNTER_WRAP), 0);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 1);
	assert_int_equal(series_last(&s)->values[FACT_HOST_BYTES_WRITTEN],
			 range - 10 * GBYTES + 3 * GBYTES);
}

static void test_wrap_of_sectors_by_rule(void **state)
{
	const int64_t range = INT64_C(512) << 32;
	static struct drive_rule rule = { .host_counter_wraps_32 = true };

	(void)state;
	/* a month apart, so that it stood in the middle */
	add(T0, FACT_HOST_BYTES_WRITTEN, 500 * GBYTES);
	add(T0 + 30 * DAY, FACT_HOST_BYTES_WRITTEN, 1500 * GBYTES);
	add(T0 + 60 * DAY, FACT_HOST_BYTES_WRITTEN, 2500 * GBYTES - range);
	add(T0 + 90 * DAY, FACT_HOST_BYTES_WRITTEN, 3500 * GBYTES - range);
	add(T0 + 120 * DAY, FACT_HOST_BYTES_WRITTEN, 4500 * GBYTES - 2 * range);
	assert_int_equal(series_finish(&s, &rule, T0 + 400 * DAY), 0);
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 500 * GBYTES, 1500 * GBYTES, 2500 * GBYTES,
		   3500 * GBYTES, 4500 * GBYTES);
	assert_int_equal(s.added[FACT_HOST_BYTES_WRITTEN], 2 * range);
	assert_int_equal(made_events(&s, EVENT_COUNTER_WRAP), 2);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 0);
	assert_string_equal(made_event_text(&s, EVENT_COUNTER_WRAP),
			    "host written passed the end of its range at 2.20 TB: 1.50 TB, then "
			    "301 GB");
}

/* Without a rule only near the end, and only by what the drive can have counted. */
static void test_wrap_without_rule(void **state)
{
	const int64_t range = INT64_C(512000) << 32;
	const int64_t nand[] = { range - 300 * GBYTES, range - 100 * GBYTES, 100 * GBYTES };

	(void)state;
	days_of(FACT_NAND_BYTES_WRITTEN, nand, ARRAY_SIZE(nand));
	finish();
	assert_int_equal(series_last(&s)->values[FACT_NAND_BYTES_WRITTEN], range + 100 * GBYTES);
	assert_int_equal(made_events(&s, EVENT_COUNTER_WRAP), 1);
}

/* NAND bytes made of host bytes and a ratio go on where the host bytes wrap. */
static void test_wrap_below_a_ratio(void **state)
{
	const int64_t range = INT64_C(512) << 32;

	(void)state;
	snprintf(s.frames[0]->facts[FACT_NAND_BYTES_WRITTEN].source, FACT_SOURCE_MAX,
		 "host bytes x (attribute 248 + attribute 247) / attribute 247, flash pages");
	for (int64_t day = 0; day < 6; day++) {
		struct sample *sample = made_sample(&s, s.frames[0], T0 + day * DAY);
		int64_t host = (range - 120 * GBYTES + day * 50 * GBYTES) % range;

		made_fact(sample, FACT_POWER_ON_HOURS, 5000 + day * 24);
		made_fact(sample, FACT_HOST_BYTES_WRITTEN, host);
		made_fact(sample, FACT_NAND_BYTES_WRITTEN, 3 * host);
	}
	finish();
	for (size_t i = 0; i < s.nsamples; i++)
		assert_int_equal(s.samples[i].values[FACT_NAND_BYTES_WRITTEN],
				 3 * s.samples[i].values[FACT_HOST_BYTES_WRITTEN]);
	assert_int_equal(made_events(&s, EVENT_COUNTER_WRAP), 1);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 0);
}

static void test_wrap_by_the_unit_of_the_rule(void **state)
{
	static struct drive_rule rule = {
		.meanings = { { .id = 241,
				.fact = FACT_HOST_BYTES_WRITTEN,
				.factor = 65536,
				.divisor = 1 } },
		.nmeanings = 1,
	};
	const int64_t range = INT64_C(65536) << 32;

	(void)state;
	add(T0, FACT_HOST_BYTES_WRITTEN, range - 900 * GBYTES);
	add(T0 + DAY, FACT_HOST_BYTES_WRITTEN, range - 100 * GBYTES);
	add(T0 + 2 * DAY, FACT_HOST_BYTES_WRITTEN, 700 * GBYTES);
	assert_int_equal(series_finish(&s, &rule, T0 + 400 * DAY), 0);
	assert_int_equal(series_last(&s)->values[FACT_HOST_BYTES_WRITTEN], range + 700 * GBYTES);
}

static void test_wrap_of_hours(void **state)
{
	static const int64_t hours[] = { 65011, 65179, 65347, 65515, 146, 314 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hours); i++)
		add(T0 + (int64_t)i * 7 * DAY, FACT_POWER_ON_HOURS, hours[i]);
	finish();
	HAS_VALUES(FACT_POWER_ON_HOURS, 65011, 65179, 65347, 65515, 65682, 65850);
	assert_int_equal(made_events(&s, EVENT_COUNTER_WRAP), 1);
	assert_int_equal(made_events(&s, EVENT_CLOCK_JUMP), 0);
}

/* 255 means 255 or more, and stays; a percentage has no range to pass. */
static void test_percentage_saturates(void **state)
{
	static const int64_t used[] = { 253000, 254000, 255000, 255000 };

	(void)state;
	days_of(FACT_PERCENTAGE_USED, used, ARRAY_SIZE(used));
	finish();
	HAS_VALUES(FACT_PERCENTAGE_USED, 253000, 254000, 255000, 255000);
	assert_int_equal(s.nevents, 0);
}

static void test_percentage_jitters(void **state)
{
	static const int64_t used[] = { 11000, 12000, 11000, 12000, 11000, 13000 };

	(void)state;
	days_of(FACT_PERCENTAGE_USED, used, ARRAY_SIZE(used));
	finish();
	HAS_VALUES(FACT_PERCENTAGE_USED, 11000, 12000, 12000, 12000, 12000, 13000);
	assert_int_equal(s.nevents, 0);
}

/* A past that was moved below 0 is shown as 0. */
static void test_no_fact_is_shown_below_zero(void **state)
{
	static const int64_t used[] = { 2000, 8000, 14000, 9000, 10000 };

	(void)state;
	days_of(FACT_PERCENTAGE_USED, used, ARRAY_SIZE(used));
	finish();
	HAS_VALUES(FACT_PERCENTAGE_USED, -3000, 3000, 9000, 9000, 10000);
	assert_int_equal(sample_shown(&s.samples[0], FACT_PERCENTAGE_USED), 0);
	assert_int_equal(sample_shown(&s.samples[1], FACT_PERCENTAGE_USED), 3000);
}

/* Firmware that estimates anew is believed, and the past joins it. */
static void test_percentage_is_corrected(void **state)
{
	static const int64_t used[] = { 44000, 45000, 31000, 32000 };

	(void)state;
	days_of(FACT_PERCENTAGE_USED, used, ARRAY_SIZE(used));
	finish();
	HAS_VALUES(FACT_PERCENTAGE_USED, 30000, 31000, 31000, 32000);
	assert_int_equal(s.added[FACT_PERCENTAGE_USED], 0);
	assert_int_equal(made_events(&s, EVENT_COUNTER_RESET), 1);
}

static void test_percentage_restarts(void **state)
{
	static const int64_t used[] = { 44000, 45000, 0, 1000 };

	(void)state;
	days_of(FACT_PERCENTAGE_USED, used, ARRAY_SIZE(used));
	finish();
	HAS_VALUES(FACT_PERCENTAGE_USED, 44000, 45000, 45000, 46000);
	assert_int_equal(s.added[FACT_PERCENTAGE_USED], 45000);
}

/* A power cut takes back what was not saved yet: nothing restarted. */
static void test_lost_steps(void **state)
{
	static const int64_t host[] = { 1000 * GBYTES, 1010 * GBYTES, 1009 * GBYTES,
					1019 * GBYTES };

	(void)state;
	days_of(FACT_HOST_BYTES_WRITTEN, host, ARRAY_SIZE(host));
	finish();
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 1000 * GBYTES, 1010 * GBYTES, 1010 * GBYTES,
		   1019 * GBYTES);
	assert_int_equal(s.nevents, 0);
}

/* One reading of nonsense between good ones leaves no trace. */
static void test_one_misread_sample(void **state)
{
	static const int64_t host[] = { 1000 * GBYTES, 1010 * GBYTES, 900 * TBYTES, 1030 * GBYTES,
					1040 * GBYTES };

	(void)state;
	days_of(FACT_HOST_BYTES_WRITTEN, host, ARRAY_SIZE(host));
	finish();
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 1000 * GBYTES, 1010 * GBYTES, 1010 * GBYTES,
		   1030 * GBYTES, 1040 * GBYTES);
	assert_int_equal(s.added[FACT_HOST_BYTES_WRITTEN], 0);
}

/* What may fall does: spare and temperature are no counters. */
static void test_gauges_fall(void **state)
{
	static const int64_t spare[] = { 100000, 90000, 40000, 100000 };

	(void)state;
	days_of(FACT_AVAILABLE_SPARE, spare, ARRAY_SIZE(spare));
	finish();
	HAS_VALUES(FACT_AVAILABLE_SPARE, 100000, 90000, 40000, 100000);
	assert_int_equal(s.nevents, 0);
}

/* The same drive through a bridge that shows a coarser counter every other day. */
static void test_two_sources_in_other_steps(void **state)
{
	struct frame *coarse = made_frame(&s);
	const int64_t step = INT64_C(64) << 30;

	(void)state;
	text_copy(coarse->facts[FACT_HOST_BYTES_WRITTEN].source,
		  sizeof(coarse->facts[FACT_HOST_BYTES_WRITTEN].source),
		  "attribute 241 raw value (TBW)");
	for (int64_t i = 0; i < 40; i++) {
		int64_t truth = 5 * TBYTES + i * 20 * GBYTES;
		struct sample *sample = made_sample(&s, i % 2 ? coarse : s.frames[0], T0 + i * DAY);

		made_fact(sample, FACT_HOST_BYTES_WRITTEN, i % 2 ? truth / step * step : truth);
	}
	finish();
	for (size_t i = 0; i < s.nsamples; i++) {
		int64_t off = s.samples[i].values[FACT_HOST_BYTES_WRITTEN] - 5 * TBYTES -
			      (int64_t)i * 20 * GBYTES;

		assert_true(off <= 0 && off > -step);
	}
	assert_int_equal(s.nevents, 0);
	assert_int_equal(s.added[FACT_HOST_BYTES_WRITTEN], 0);
}

/* Sources that contradict each other: what is followed last says where it stands. */
static void test_two_sources_that_contradict(void **state)
{
	struct frame *other = made_frame(&s);

	(void)state;
	text_copy(other->facts[FACT_HOST_BYTES_WRITTEN].source,
		  sizeof(other->facts[FACT_HOST_BYTES_WRITTEN].source),
		  "attribute 241 raw value (TBW)");
	for (int64_t i = 0; i < 10; i++) {
		struct sample *sample = made_sample(&s, i % 2 ? other : s.frames[0], T0 + i * DAY);

		made_fact(sample, FACT_HOST_BYTES_WRITTEN,
			  (i % 2 ? 3 : 8) * TBYTES + i * 10 * GBYTES);
	}
	finish();
	for (size_t i = 1; i < s.nsamples; i++)
		assert_in_range(s.samples[i].values[FACT_HOST_BYTES_WRITTEN] -
					s.samples[i - 1].values[FACT_HOST_BYTES_WRITTEN],
				0, 20 * GBYTES);
	assert_int_equal(series_last(&s)->values[FACT_HOST_BYTES_WRITTEN],
			 3 * TBYTES + 90 * GBYTES);
	assert_int_equal(s.nevents, 0);
}

static void test_firmware_and_node(void **state)
{
	struct frame *other = made_frame(&s);

	(void)state;
	text_copy(other->firmware, sizeof(other->firmware), "1.1");
	text_copy(other->path, sizeof(other->path), "/dev/sdb");
	for (int64_t i = 0; i < 4; i++)
		made_sample(&s, s.frames[i / 2], T0 + i * DAY);
	finish();
	assert_int_equal(s.nevents, 2);
	assert_string_equal(made_event_text(&s, EVENT_FIRMWARE_CHANGED),
			    "firmware 1.1, before it 1.0");
	assert_string_equal(made_event_text(&s, EVENT_NODE_CHANGED),
			    "now at /dev/sdb, before at /dev/sda");
}

static void test_node_of_a_namespace(void **state)
{
	struct frame *other = made_frame(&s);

	(void)state;
	text_copy(s.frames[0]->path, sizeof(s.frames[0]->path), "/dev/nvme1");
	text_copy(other->path, sizeof(other->path), "/dev/nvme1n1");
	for (int64_t i = 0; i < 4; i++)
		made_sample(&s, s.frames[i % 2], T0 + i * DAY);
	finish();
	assert_int_equal(s.nevents, 0);
}

/* Finishing finds again what the database kept, and says it once. */
static void test_events_are_not_doubled(void **state)
{
	struct event found[EVENTS_BETWEEN_MAX];
	size_t n;

	(void)state;
	add(T0, FACT_HOST_BYTES_WRITTEN, 100 * GBYTES);
	add(T0 + DAY, FACT_HOST_BYTES_WRITTEN, 110 * GBYTES);
	add(T0 + 2 * DAY, FACT_HOST_BYTES_WRITTEN, GBYTES);
	n = series_events_between(&s.samples[1], &s.samples[2], &no_rule, found,
				  EVENTS_BETWEEN_MAX);
	assert_int_equal(n, 1);
	assert_int_equal(found[0].kind, EVENT_COUNTER_RESET);
	assert_int_equal(s.samples[2].values[FACT_HOST_BYTES_WRITTEN], GBYTES);
	assert_int_equal(series_add_event(&s, &found[0]), 0);
	finish();
	assert_int_equal(s.nevents, 1);
	assert_string_equal(s.events[0].text, found[0].text);
	assert_int_equal(series_events_between(&s.samples[1], &s.samples[2], &no_rule, found, 0),
			 0);
}

static void test_frames(void **state)
{
	struct frame *other = made_frame(&s);

	(void)state;
	assert_true(frame_equal(s.frames[0], other));
	text_copy(other->location, sizeof(other->location), "slot 3");
	assert_false(frame_equal(s.frames[0], other));
	*other = *s.frames[0];
	other->facts[FACT_MEDIA_ERRORS].quality = QUALITY_VENDOR;
	assert_false(frame_equal(s.frames[0], other));
}

static void test_take(void **state)
{
	static struct facts facts;
	static struct frame frame;
	struct reading r;
	struct sample sample;

	(void)state;
	reading_init(&r);
	r.time = T0;
	text_copy(r.identity.firmware, sizeof(r.identity.firmware), "2.0");
	facts.sets[FACT_HOST_BYTES_WRITTEN].n = 1;
	facts.sets[FACT_HOST_BYTES_WRITTEN].candidates[0] = (struct fact){ .value = I128_MAX,
									   .bound = BOUND_AT_LEAST,
									   .source = "log" };
	sample_take(&r, &facts, &sample, &frame);
	assert_int_equal(sample.time, T0);
	assert_true(sample.has == FACT_BIT(FACT_HOST_BYTES_WRITTEN));
	assert_true(sample.at_least == sample.has && sample.at_most == 0);
	assert_int_equal(sample.values[FACT_HOST_BYTES_WRITTEN], INT64_MAX);
	assert_string_equal(frame.firmware, "2.0");
	assert_string_equal(frame.facts[FACT_HOST_BYTES_WRITTEN].source, "log");
	assert_string_equal(frame.facts[FACT_NAND_BYTES_WRITTEN].source, "");
	reading_release(&r);
}

static void test_correct(void **state)
{
	static struct facts facts;
	struct fact *f = &facts.sets[FACT_HOST_BYTES_WRITTEN].candidates[0];
	struct reading r;

	(void)state;
	reading_init(&r);
	r.time = T0 + 2 * DAY;
	facts.sets[FACT_HOST_BYTES_WRITTEN].n = 1;
	*f = (struct fact){ .value = 2 * GBYTES, .source = "log of host_bytes_written" };
	add(T0, FACT_HOST_BYTES_WRITTEN, 100 * GBYTES);
	add(T0 + DAY, FACT_HOST_BYTES_WRITTEN, 110 * GBYTES);
	add(T0 + 2 * DAY, FACT_HOST_BYTES_WRITTEN, 2 * GBYTES);
	finish();
	series_correct(&s, &r, &facts);
	assert_true(f->value == 112 * GBYTES);
	assert_string_equal(f->source, "log of host_bytes_written; and 110 GB from before it "
				       "began anew, by the history");
	/* an older reading is not of that time */
	r.time = T0 + DAY;
	f->value = 110 * GBYTES;
	series_correct(&s, &r, &facts);
	assert_true(f->value == 110 * GBYTES);
	reading_release(&r);
}

static void test_empty(void **state)
{
	(void)state;
	series_release(&s);
	assert_int_equal(series_finish(&s, NULL, T0), 0);
	assert_null(series_last(&s));
	assert_null(series_at(&s, T0, FACT_MEDIA_ERRORS));
}

/* Through a bridge only the statistic that wraps is seen: the history knows how much there was. */
static void test_the_least_is_lifted(void **state)
{
	struct frame *bridge = made_frame(&s);

	(void)state;
	text_copy(bridge->facts[FACT_HOST_BYTES_WRITTEN].source, FACT_SOURCE_MAX,
		  "Device Statistics page 01h");
	for (int64_t i = 0; i < 6; i++) {
		struct sample *sample = made_sample(&s, i < 3 ? s.frames[0] : bridge, T0 + i * DAY);

		made_fact(sample, FACT_HOST_BYTES_WRITTEN,
			  (i < 3 ? 5000 : 600) * GBYTES + i * 10 * GBYTES);
		if (i >= 3)
			sample->at_least = FACT_BIT(FACT_HOST_BYTES_WRITTEN);
	}
	finish();
	HAS_VALUES(FACT_HOST_BYTES_WRITTEN, 5000 * GBYTES, 5010 * GBYTES, 5020 * GBYTES,
		   5020 * GBYTES, 5030 * GBYTES, 5040 * GBYTES);
	assert_int_equal(s.added[FACT_HOST_BYTES_WRITTEN], 4390 * GBYTES);
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_event_names),
		T(test_order),
		T(test_restart_at_zero),
		T(test_restart_elsewhere),
		T(test_restart_twice),
		T(test_restart_of_all_near_a_wrap),
		T(test_wrap_of_sectors_by_rule),
		T(test_wrap_without_rule),
		T(test_wrap_below_a_ratio),
		T(test_wrap_by_the_unit_of_the_rule),
		T(test_wrap_of_hours),
		T(test_percentage_saturates),
		T(test_percentage_jitters),
		T(test_no_fact_is_shown_below_zero),
		T(test_percentage_is_corrected),
		T(test_percentage_restarts),
		T(test_lost_steps),
		T(test_one_misread_sample),
		T(test_gauges_fall),
		T(test_two_sources_in_other_steps),
		T(test_two_sources_that_contradict),
		T(test_the_least_is_lifted),
		T(test_firmware_and_node),
		T(test_node_of_a_namespace),
		T(test_events_are_not_doubled),
		T(test_frames),
		T(test_take),
		T(test_correct),
		T(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

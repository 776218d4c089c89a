/* SPDX-License-Identifier: MIT */
/* Findings that need a history, and histories that must not alarm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "lib/judged.h"
#include "lib/made_series.h"

static struct series s;
static struct judged *d;

static int set_up(void **state)
{
	(void)state;
	d = judged_nvme();
	series_init(&s);
	made_frame(&s);
	d->series = &s;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	series_release(&s);
	return 0;
}

/* Value of a fact on a day. */
typedef int64_t course(int64_t day);

/* One sample a day of each fact, the last one now. */
static void history_of(int64_t days, enum fact_id a, course *of_a, enum fact_id b, course *of_b)
{
	for (int64_t day = 0; day < days; day++) {
		struct sample *sample = made_sample(&s, s.frames[0], T0 + day * DAY);

		made_fact(sample, a, of_a(day));
		if (of_b)
			made_fact(sample, b, of_b(day));
	}
	d->now = d->r.time = T0 + (days - 1) * DAY;
	assert_int_equal(series_finish(&s, &d->rule, d->now), 0);
}

static int64_t rises_late(int64_t day)
{
	return day < 95 ? 12 : 12 + (day - 94) * 2;
}

static int64_t rose_once(int64_t day)
{
	return day < 40 ? 0 : 12;
}

static void test_crc_rising(void **state)
{
	const struct finding *f;

	(void)state;
	judged_fact(d, FACT_CRC_ERRORS, 22);
	history_of(100, FACT_CRC_ERRORS, rises_late, FACT_NONE, NULL);
	f = judged_expect(d, "interface.crc-rising", SEVERITY_WARNING);
	assert_string_equal(f->text, "interface CRC errors: 10 more within 14 days");
	assert_non_null(strstr(f->evidence, "crc_errors: 12 on 2026-03-27, 22 on 2026-04-10"));
}

static void test_crc_stands_still(void **state)
{
	(void)state;
	judged_fact(d, FACT_CRC_ERRORS, 12);
	history_of(100, FACT_CRC_ERRORS, rose_once, FACT_NONE, NULL);
	judged_refuse(d, "interface.crc-rising");
	assert_string_equal(judged_finding(d, "interface.crc-errors")->text,
			    "interface CRC errors: 12 in its lifetime, none of them in the last "
			    "14 days");
}

static void test_media_rising(void **state)
{
	(void)state;
	judged_fact(d, FACT_MEDIA_ERRORS, 22);
	history_of(100, FACT_MEDIA_ERRORS, rises_late, FACT_NONE, NULL);
	judged_expect(d, "media.errors-rising", SEVERITY_WARNING);
}

static void test_reallocated_rising(void **state)
{
	(void)state;
	judged_fact(d, FACT_REALLOCATED_BLOCKS, 22);
	history_of(100, FACT_REALLOCATED_BLOCKS, rises_late, FACT_NONE, NULL);
	judged_expect(d, "reallocated.rising", SEVERITY_WARNING);
	d->limits.reallocated_rising = 11;
	judged_expect(d, "reallocated.rising", SEVERITY_OK);
}

/* The count began anew when the firmware was changed: nothing rose. */
static int64_t restarts(int64_t day)
{
	return day < 95 ? 500 : 0;
}

static void test_restart_is_no_rise(void **state)
{
	(void)state;
	judged_fact(d, FACT_REALLOCATED_BLOCKS, 0);
	judged_fact(d, FACT_MEDIA_ERRORS, 0);
	history_of(100, FACT_REALLOCATED_BLOCKS, restarts, FACT_MEDIA_ERRORS, restarts);
	judged_refuse(d, "reallocated.rising");
	judged_refuse(d, "media.errors-rising");
}

/* What rose before the drive was put aside for a year is no news. */
static void test_old_history_is_no_news(void **state)
{
	(void)state;
	judged_fact(d, FACT_CRC_ERRORS, 22);
	history_of(100, FACT_CRC_ERRORS, rises_late, FACT_NONE, NULL);
	d->now += 300 * DAY;
	judged_refuse(d, "interface.crc-rising");
}

static int64_t spare_falls(int64_t day)
{
	return 1000 * (day < 80 ? 100 : 100 - (day - 80) / 5);
}

static int64_t spare_blinks(int64_t day)
{
	return 1000 * (day == 99 ? 90 : 100);
}

static void test_spare_falling(void **state)
{
	const struct finding *f;

	(void)state;
	history_of(100, FACT_AVAILABLE_SPARE, spare_falls, FACT_NONE, NULL);
	f = judged_expect(d, "spare.falling", SEVERITY_WARNING);
	assert_string_equal(f->text, "available spare fell from 100 % to 97 % within 90 days");
}

static void test_one_low_spare_is_no_fall(void **state)
{
	(void)state;
	history_of(100, FACT_AVAILABLE_SPARE, spare_blinks, FACT_NONE, NULL);
	judged_refuse(d, "spare.falling");
}

static int64_t even_host(int64_t day)
{
	return 20 * TBYTES + day * 200 * GBYTES;
}

static int64_t even_nand(int64_t day)
{
	return 30 * TBYTES + day * 300 * GBYTES;
}

static int64_t more_nand_lately(int64_t day)
{
	return even_nand(day) + (day > 80 ? (day - 80) * 400 * GBYTES : 0);
}

static void both_written(course *nand)
{
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 40e12);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 60e12);
	history_of(100, FACT_HOST_BYTES_WRITTEN, even_host, FACT_NAND_BYTES_WRITTEN, nand);
}

static void test_waf_changed(void **state)
{
	const struct finding *f;

	(void)state;
	both_written(more_nand_lately);
	f = judged_expect(d, "waf.changed", SEVERITY_WARNING);
	assert_string_equal(f->text,
			    "write amplification is 3.50 over the last 14 days, 1.62 before");
	f = judged_expect(d, "wear.rate-changed", SEVERITY_WARNING);
	assert_string_equal(f->text,
			    "NAND written: 700 GB a day over the last 14 days, 324 GB a day "
			    "before");
}

static void test_old_change_is_no_news(void **state)
{
	(void)state;
	both_written(more_nand_lately);
	d->now += 15 * DAY;
	judged_refuse(d, "waf.changed");
	judged_refuse(d, "wear.rate-changed");
}

static void test_even_use_is_no_change(void **state)
{
	(void)state;
	both_written(even_nand);
	judged_refuse(d, "waf.changed");
	judged_refuse(d, "wear.rate-changed");
}

/* Every third week brings a backup: that is how it always was. */
static int64_t bursts(int64_t day)
{
	return even_nand(day) + (day / 21 + (day % 21 >= 20)) * 20 * TBYTES;
}

static void test_bursts_are_no_change(void **state)
{
	(void)state;
	both_written(bursts);
	judged_refuse(d, "waf.changed");
	judged_refuse(d, "wear.rate-changed");
}

/* Points of percentage used: two within two weeks after one in the month before may be chance. */
static int64_t points(int64_t day)
{
	return 1000 * (10 + (day >= 30) + (day >= 62) + (day >= 88) + (day >= 98));
}

static int64_t many_points(int64_t day)
{
	return 1000 * (10 + day / 30 + (day > 80 ? (day - 80) / 2 : 0));
}

static void test_points_are_coarse(void **state)
{
	(void)state;
	history_of(100, FACT_PERCENTAGE_USED, points, FACT_NONE, NULL);
	judged_refuse(d, "wear.rate-changed");
}

static void test_points_that_tell(void **state)
{
	const struct finding *f;

	(void)state;
	history_of(100, FACT_PERCENTAGE_USED, many_points, FACT_NONE, NULL);
	f = judged_expect(d, "wear.rate-changed", SEVERITY_WARNING);
	assert_non_null(strstr(f->text, "rated life used: 0.571 % a day over the last 14 days"));
}

static int64_t never_moves(int64_t day)
{
	(void)day;
	return 10000;
}

static void test_nothing_worn_is_no_change(void **state)
{
	(void)state;
	history_of(100, FACT_PERCENTAGE_USED, never_moves, FACT_NONE, NULL);
	judged_refuse(d, "wear.rate-changed");
}

/* A point in 20 days, then one in 8: two weeks cannot tell, eight can. */
static int64_t slow_points(int64_t day)
{
	return 1000 * (10 + day / 20 + (day > 400 ? (day - 400) * 3 / 40 : 0));
}

static void test_coarse_steps_need_longer(void **state)
{
	const struct finding *f;

	(void)state;
	history_of(460, FACT_PERCENTAGE_USED, slow_points, FACT_NONE, NULL);
	f = judged_expect(d, "wear.rate-changed", SEVERITY_WARNING);
	assert_string_equal(f->text, "rated life used: 0.107 % a day over the last 56 days, "
				     "0.0496 % a day before");
}

/* One month is too short a past, and days without samples are no two weeks. */
static void test_short_history(void **state)
{
	(void)state;
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 40e12);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 60e12);
	for (int64_t day = 60; day < 100; day++) {
		struct sample *sample = made_sample(&s, s.frames[0], T0 + day * DAY);

		made_fact(sample, FACT_NAND_BYTES_WRITTEN, more_nand_lately(day));
		made_fact(sample, FACT_HOST_BYTES_WRITTEN, even_host(day));
	}
	d->now = d->r.time = T0 + 99 * DAY;
	assert_int_equal(series_finish(&s, &d->rule, d->now), 0);
	judged_refuse(d, "waf.changed");
	judged_refuse(d, "wear.rate-changed");
}

/* Found on day 95, when it was 2.2 times the past; kept on day 99 at 1.8 times; over on day 102. */
static int64_t doubles_and_eases(int64_t day)
{
	int64_t days = day < 84 ? 0 : day > 90 ? 7 : day - 83;

	return even_nand(day) + days * 800 * GBYTES;
}

static void test_change_is_kept_until_it_is_over(void **state)
{
	const struct finding *f;

	(void)state;
	both_written(doubles_and_eases);
	f = judged_expect(d, "waf.changed", SEVERITY_WARNING);
	assert_string_equal(f->text,
			    "write amplification is 2.93 over the last 14 days, 1.59 before");
	series_release(&s);
	made_frame(&s);
	history_of(103, FACT_HOST_BYTES_WRITTEN, even_host, FACT_NAND_BYTES_WRITTEN,
		   doubles_and_eases);
	judged_refuse(d, "waf.changed");
}

static void test_no_history(void **state)
{
	(void)state;
	d->series = NULL;
	judged_fact(d, FACT_CRC_ERRORS, 22);
	judged_refuse(d, "interface.crc-rising");
	d->series = &s;
	assert_int_equal(series_finish(&s, &d->rule, d->now), 0);
	judged_refuse(d, "interface.crc-rising");
	judged_refuse(d, "spare.falling");
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_crc_rising),
		T(test_crc_stands_still),
		T(test_media_rising),
		T(test_reallocated_rising),
		T(test_restart_is_no_rise),
		T(test_old_history_is_no_news),
		T(test_spare_falling),
		T(test_one_low_spare_is_no_fall),
		T(test_waf_changed),
		T(test_old_change_is_no_news),
		T(test_even_use_is_no_change),
		T(test_bursts_are_no_change),
		T(test_points_are_coarse),
		T(test_points_that_tell),
		T(test_nothing_worn_is_no_change),
		T(test_coarse_steps_need_longer),
		T(test_short_history),
		T(test_change_is_kept_until_it_is_over),
		T(test_no_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

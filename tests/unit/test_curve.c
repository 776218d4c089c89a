/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "lib/made_series.h"
#include "report/curve.h"
#include "report/ticks.h"

#define CURVE_DAYS 1000

/* Samples every `hours` hours for CURVE_DAYS days. */
struct history {
	struct series series;
	struct curve_window window;
};

typedef int64_t value_at(int64_t hour);

static void make(struct history *h, int64_t hours, enum fact_id id, value_at *value)
{
	const struct frame *frame;

	series_init(&h->series);
	frame = made_frame(&h->series);
	for (int64_t hour = 0; hour <= CURVE_DAYS * 24; hour += hours)
		made_fact(made_sample(&h->series, frame, T0 + hour * HOUR), id, value(hour));
	h->window = (struct curve_window){ T0, T0 + CURVE_DAYS * DAY };
}

static int64_t cold_but_once(int64_t hour)
{
	return hour == 8088 ? 97000 : 40000;
}

static void thinning_keeps_the_extremes(void **state)
{
	struct history h;
	struct curve c;
	double highest = 0, middle = 0;

	(void)state;
	make(&h, 1, FACT_TEMPERATURE, cold_but_once);
	curve_fact(&h.series, FACT_TEMPERATURE, &h.window, &c);
	assert_true(c.n > 100 && c.n <= CURVE_POINTS_MAX);
	for (size_t i = 0; i < c.n; i++) {
		assert_true(c.points[i].low <= c.points[i].middle);
		assert_true(c.points[i].middle <= c.points[i].high);
		assert_true(!i || c.points[i].time > c.points[i - 1].time);
		highest = fmax(highest, c.points[i].high);
		middle = fmax(middle, c.points[i].middle);
	}
	assert_true(highest == 97 && c.highest == 97 && c.lowest == 40);
	/* one hour in a week of 168 */
	assert_true(middle > 40.2 && middle < 40.5);
	assert_int_equal(c.points[c.n - 1].time, T0 + CURVE_DAYS * DAY);
	series_release(&h.series);
}

/* 512,000 bytes a unit, 200 GB on each of five days a week, next to none at its end. */
static int64_t workdays(int64_t hour)
{
	int64_t days = hour / 24, rest = hour % 24;
	int64_t done = days / 7 * 5 + (days % 7 < 5 ? days % 7 : 5);
	int64_t bytes = done * 200 * GBYTES + (days % 7 < 5 ? rest * 200 * GBYTES / 24 : 0);

	/* never quite the same, or the unit could be a whole day's writes */
	return (bytes / 512000 + days * days % 11) * 512000;
}

static void a_week_has_one_rate_and_two_extremes(void **state)
{
	struct history h;
	struct curve c;

	(void)state;
	make(&h, 24, FACT_HOST_BYTES_WRITTEN, workdays);
	curve_rate(&h.series, FACT_HOST_BYTES_WRITTEN, &h.window, &c);
	assert_true(c.n > 100);
	for (size_t i = 0; i + 1 < c.n; i++) {
		assert_true(fabs(c.points[i].middle / 1e9 - 200 * 5 / 7.0) < 1);
		assert_true(fabs(c.points[i].low) < 1e7);
		assert_true(fabs(c.points[i].high / 1e9 - 200) < 1);
	}
	series_release(&h.series);
}

/* A counter of 64 GiB steps that takes 9.2 days a step: no day on which nothing was written. */
static int64_t coarse(int64_t hour)
{
	int64_t step = INT64_C(64) << 30;

	return (int64_t)((double)hour / 24 * 7.5e9) / step * step;
}

static void a_change_within_a_step_is_no_rate_of_zero(void **state)
{
	struct history h;
	struct curve c;

	(void)state;
	make(&h, 24, FACT_HOST_BYTES_WRITTEN, coarse);
	curve_rate(&h.series, FACT_HOST_BYTES_WRITTEN, &h.window, &c);
	assert_in_range(c.n, 5, CURVE_DAYS / 91 + 1);
	assert_true(c.lowest > 7.5e9 * 0.88 && c.highest < 7.5e9 * 1.12);
	series_release(&h.series);
}

static void an_idle_counter_has_no_curve(void **state)
{
	struct history h;
	struct curve c;

	(void)state;
	make(&h, 24, FACT_HOST_BYTES_WRITTEN, cold_but_once);
	for (size_t i = 0; i < h.series.nsamples; i++)
		h.series.samples[i].values[FACT_HOST_BYTES_WRITTEN] = 7;
	curve_rate(&h.series, FACT_HOST_BYTES_WRITTEN, &h.window, &c);
	assert_int_equal(c.n, 0);
	curve_ratio(&h.series, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN, &h.window, &c);
	assert_int_equal(c.n, 0);
	series_release(&h.series);
}

static void a_ratio_is_of_its_time(void **state)
{
	struct history h;
	struct curve c;

	(void)state;
	make(&h, 24, FACT_HOST_BYTES_WRITTEN, workdays);
	for (size_t i = 0; i < h.series.nsamples; i++) {
		struct sample *s = &h.series.samples[i];
		int64_t host = s->values[FACT_HOST_BYTES_WRITTEN];
		int64_t half = workdays(CURVE_DAYS * 12);

		/* 1.5 in the first half, 3 in the second */
		made_fact(s, FACT_NAND_BYTES_WRITTEN,
			  host < half ? host / 2 * 3 : half / 2 * 3 + (host - half) * 3);
	}
	curve_ratio(&h.series, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN, &h.window, &c);
	assert_true(fabs(c.points[0].middle - 1.5) < 0.01);
	assert_true(fabs(c.points[c.n - 1].middle - 3) < 0.01);
	series_release(&h.series);
}

static void a_gap_and_samples_aside_are_not_drawn_over(void **state)
{
	struct history h;
	struct curve c;
	size_t apart = 0;

	(void)state;
	make(&h, 24, FACT_TEMPERATURE, cold_but_once);
	h.series.samples[500].aside = true;
	h.series.samples[500].values[FACT_TEMPERATURE] = 120000;
	assert_int_equal(series_add_event(&h.series, &(struct event){ .time = T0 + 700 * DAY,
								      .kind = EVENT_GAP }),
			 0);
	curve_fact(&h.series, FACT_TEMPERATURE, &h.window, &c);
	for (size_t i = 0; i < c.n; i++)
		apart += c.points[i].apart;
	assert_true(c.highest < 120);
	assert_int_equal(apart, 1);
	series_release(&h.series);
}

static int64_t cycles(int64_t hour)
{
	return 100 + hour / 24;
}

static void life_left_follows_the_method(void **state)
{
	struct estimate e = { .method = METHOD_ERASE_BUDGET, .left_percent = 45, .ninputs = 3 };
	struct history h;
	struct curve c;

	(void)state;
	make(&h, 24, FACT_ERASE_COUNT_MAX, cycles);
	e.inputs[0] = (struct estimate_input){ "erase_count_avg", UNIT_CYCLES, 900 };
	e.inputs[1] = (struct estimate_input){ "erase_count_max", UNIT_CYCLES, 1100 };
	e.inputs[2] = (struct estimate_input){ "rated_pe_cycles", UNIT_CYCLES, 2000 };
	curve_life_left(&h.series, &e, &h.window, &c);
	assert_true(c.first == 95 && fabs(c.last - 45) < 0.01);
	/* the average is not in these samples */
	e.left_percent = 55;
	curve_life_left(&h.series, &e, &h.window, &c);
	assert_int_equal(c.n, 0);
	series_release(&h.series);
}

static void axes_end_at_round_numbers(void **state)
{
	static const double pairs[][2] = { { 0, 1 },	   { 0.03, 0.03 }, { 7, 8 },
					   { 8.1, 10 },	   { 100, 100 },   { 2.29, 2.5 },
					   { 3500, 4000 }, { 1e15, 1e15 } };
	struct tick ticks[TICKS_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		assert_true(fabs(axis_top(pairs[i][0]) / pairs[i][1] - 1) < 1e-9);
	assert_true(axis_top(NAN) == 1 && axis_top(INFINITY) == 1);
	assert_int_equal(ticks_numbers(100, 5, ticks), 3);
	assert_string_equal(ticks[1].label, "50");
	assert_int_equal(ticks_numbers(40000, 5, ticks), 5);
	assert_string_equal(ticks[4].label, "40,000");
	for (double top = 1e-6; top < 1e18; top *= 1.37) {
		size_t n = ticks_numbers(axis_top(top), 5, ticks);

		assert_in_range(n, 2, 5);
		assert_true(ticks[n - 1].at <= axis_top(top) * (1 + 1e-9));
	}
}

static void dates_are_sensible(void **state)
{
	struct tick ticks[TICKS_MAX];

	(void)state;
	/* T0 is the first day of 2026 */
	assert_int_equal(ticks_dates(T0, T0 + 360 * DAY, 9, ticks), 4);
	assert_string_equal(ticks[0].label, "2026-01");
	assert_string_equal(ticks[3].label, "2026-10");
	assert_int_equal(ticks_dates(T0 + 1, T0 + 8 * 365 * DAY, 9, ticks), 7);
	assert_string_equal(ticks[0].label, "2027");
	/* Mondays */
	assert_true(ticks_dates(T0, T0 + 40 * DAY, 9, ticks) >= 5);
	assert_string_equal(ticks[0].label, "2026-01-05");
	assert_string_equal(ticks[1].label, "2026-01-12");
	for (double days = 2; days < 365e3; days *= 1.31) {
		for (int64_t from = 0; from < 400 * DAY; from += 37 * DAY + 7) {
			int64_t to = T0 + from + (int64_t)(days * (double)DAY);
			size_t n = ticks_dates(T0 + from, to, 9, ticks);

			assert_in_range(n, 1, 9);
			for (size_t i = 0; i < n; i++)
				assert_true(ticks[i].at >= (double)(T0 + from) &&
					    ticks[i].at <= (double)to);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thinning_keeps_the_extremes),
		cmocka_unit_test(a_week_has_one_rate_and_two_extremes),
		cmocka_unit_test(a_change_within_a_step_is_no_rate_of_zero),
		cmocka_unit_test(an_idle_counter_has_no_curve),
		cmocka_unit_test(a_ratio_is_of_its_time),
		cmocka_unit_test(a_gap_and_samples_aside_are_not_drawn_over),
		cmocka_unit_test(life_left_follows_the_method),
		cmocka_unit_test(axes_end_at_round_numbers),
		cmocka_unit_test(dates_are_sensible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

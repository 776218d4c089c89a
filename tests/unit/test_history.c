/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "report/history.h"
#include "report/plot.h"

#define HOUR  3600
#define DAY   (24 * HOUR)
#define START INT64_C(1767225600) /* 2026-01-01 */
#define GB    INT64_C(1000000000)

/* Adds a sample with host and NAND bytes, and the percentage used in whole points. */
static void add(struct series *s, int64_t time, int64_t host, int64_t nand, int64_t percent)
{
	static const struct frame frame = {
		.facts = { [FACT_HOST_BYTES_WRITTEN] = { .source = "log 1, offset 48" },
			   [FACT_NAND_BYTES_WRITTEN] = { .source = "log 2, offset 0" },
			   [FACT_PERCENTAGE_USED] = { .source = "log 1, offset 5" } },
	};
	const struct frame *kept = s->nframes ? s->frames[0] : NULL;
	struct sample sample = {
		.time = time,
		.has = FACT_BIT(FACT_HOST_BYTES_WRITTEN) | FACT_BIT(FACT_NAND_BYTES_WRITTEN) |
		       FACT_BIT(FACT_PERCENTAGE_USED),
		.live = true,
	};

	if (!kept)
		assert_int_equal(series_add_frame(s, &frame, &kept), 0);
	sample.frame = kept;
	sample.values[FACT_HOST_BYTES_WRITTEN] = host;
	sample.values[FACT_NAND_BYTES_WRITTEN] = nand;
	sample.values[FACT_PERCENTAGE_USED] = percent * 1000;
	assert_int_equal(series_add_sample(s, &sample), 0);
}

static bool value_at(const struct series *s, const char *name, double window, size_t at,
		     double *ret)
{
	struct metric_reader reader;
	struct metric_value v;
	bool known = false;

	metric_reader_init(&reader, metric_by_name(name), s, window);
	for (size_t i = 0; i <= at; i++)
		known = metric_read(&reader, i, &v);
	*ret = known ? v.real : NAN;
	return known;
}

static void names_are_found_and_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < metrics_n; i++) {
		assert_ptr_equal(metric_by_name(metrics[i].name), &metrics[i]);
		assert_ptr_equal(metric_by_name(metric_key(&metrics[i])), &metrics[i]);
		assert_non_null(metric_help(&metrics[i]));
	}
	for (int i = 0; i < FACT_COUNT; i++)
		assert_non_null(metric_by_name(fact_name((enum fact_id)i)));
	assert_ptr_equal(metric_by_name("erase-count-max"), metric_by_name("erase-max"));
	assert_null(metric_by_name("erase-ma"));
	assert_null(metric_by_name("erase-maxx"));
}

/* 24 GB a day written by the hour, with write amplification 2. */
static void rates_of_an_even_drive(void **state)
{
	struct series s;
	double v;

	(void)state;
	series_init(&s);
	for (int i = 0; i < 100; i++)
		add(&s, START + i * HOUR, 500 * GB + i * GB, 900 * GB + 2 * i * GB, 1);
	assert_int_equal(series_finish(&s, NULL, START + 100 * HOUR), 0);
	assert_false(value_at(&s, "writes-per-day", DAY, 0, &v));
	assert_true(value_at(&s, "writes-per-day", DAY, 1, &v));
	assert_true(fabs(v - 24e9) < 1);
	assert_true(value_at(&s, "writes-per-day", DAY, 99, &v));
	assert_true(fabs(v - 24e9) < 1);
	assert_true(value_at(&s, "waf", DAY, 50, &v));
	assert_true(fabs(v - 2) < 1e-9);
	assert_true(value_at(&s, "waf-lifetime", DAY, 0, &v));
	assert_true(fabs(v - 1.8) < 1e-9);
	assert_false(value_at(&s, "erase-max", DAY, 3, &v));
	assert_false(value_at(&s, "unevenness", DAY, 3, &v));
	series_release(&s);
}

/* A counter of 64 GB a step at 32 GB a day stands still every other day: that is no rate of 0. */
static void steps_are_no_pauses(void **state)
{
	struct series s;
	double v;

	(void)state;
	series_init(&s);
	for (int i = 0; i < 60; i++)
		add(&s, START + i * DAY, i / 2 * 64 * GB, i / 2 * 64 * GB * 3, 2);
	assert_int_equal(series_finish(&s, NULL, START + 60 * DAY), 0);
	assert_false(value_at(&s, "writes-per-day", DAY, 1, &v));
	for (size_t i = 20; i < 60; i++) {
		assert_true(value_at(&s, "writes-per-day", DAY, i, &v));
		assert_true(v > 28e9 && v < 36e9);
		assert_true(value_at(&s, "waf", DAY, i, &v));
		assert_true(fabs(v - 3) < 1e-9);
	}
	/* the percentage never moved: that it grows by nothing is known only of the whole */
	assert_true(value_at(&s, "wear-per-day", DAY, 59, &v));
	assert_true(v == 0);
	series_release(&s);
}

/* A drive that writes nothing for a week has a rate of zero then. */
static void a_pause_is_a_pause(void **state)
{
	struct series s;
	int64_t host = 0;
	double v;

	(void)state;
	series_init(&s);
	for (int i = 0; i < 24 * 30; i++) {
		host += i / 24 < 10 || i / 24 >= 20 ? 1 * GB + i % 7 : 0;
		add(&s, START + i * HOUR, host, 2 * host, 1);
	}
	assert_int_equal(series_finish(&s, NULL, START + 30 * DAY), 0);
	assert_true(value_at(&s, "writes-per-day", DAY, 24 * 15, &v));
	assert_true(v == 0);
	assert_false(value_at(&s, "waf", DAY, 24 * 15, &v));
	assert_true(value_at(&s, "writes-per-day", DAY, 24 * 25, &v));
	assert_true(v > 23e9 && v < 25e9);
	series_release(&s);
}

static void a_reset_makes_no_rate_absurd(void **state)
{
	struct series s;

	(void)state;
	series_init(&s);
	for (int i = 0; i < 200; i++)
		add(&s, START + i * HOUR, (i % 50) * GB, (i % 50) * 2 * GB, i % 50 / 5);
	assert_int_equal(series_finish(&s, NULL, START + 200 * HOUR), 0);
	for (size_t i = 1; i < 200; i++) {
		double v;

		if (value_at(&s, "writes-per-day", DAY, i, &v))
			assert_true(v >= 0 && v <= 25e9);
		if (value_at(&s, "waf", DAY, i, &v))
			assert_true(v > 0 && v < 3);
		if (value_at(&s, "wear-per-day", DAY, i, &v))
			assert_true(v >= 0 && v < 20);
	}
	series_release(&s);
}

static void thinning_keeps_the_ends(void **state)
{
	struct history_query q = { .window_seconds = DAY };
	struct history_table table;
	struct view view = { 0 };
	struct series s;

	(void)state;
	series_init(&s);
	for (int i = 0; i < 1000; i++)
		add(&s, START + i * HOUR, i * GB, i * GB, 1);
	assert_int_equal(series_finish(&s, NULL, START + 1000 * HOUR), 0);
	s.nevents = 0;
	q.metrics[q.nmetrics++] = metric_by_name("written");
	history_range(&s, TIME_UNKNOWN, TIME_UNKNOWN, &q);
	report_history_view(&s, &q, 7, &table, &view);
	assert_int_equal(view.blocks[view.n - 1].ncells, 7 * 2);
	assert_string_equal(view.blocks[view.n - 1].cells[0].text, "2026-01-01 00:00");
	assert_string_equal(view.blocks[view.n - 1].cells[13].text, "999 GB");
	view_release(&view);
	/* a stretch of it: the rates know what was before */
	q.metrics[0] = metric_by_name("writes-per-day");
	history_range(&s, START + 500 * HOUR, START + 509 * HOUR, &q);
	assert_int_equal(q.sample_from, 500);
	assert_int_equal(q.sample_to, 510);
	report_history_view(&s, &q, 7, &table, &view);
	assert_int_equal(view.blocks[view.n - 1].ncells, 7 * 2);
	assert_string_equal(view.blocks[view.n - 1].cells[1].text, "24.0 GB");
	view_release(&view);
	series_release(&s);
}

static const char *plain_label(const void *arg, double v, char buf[UNIT_TEXT_MAX])
{
	(void)arg;
	return format_bytes((u128)v, buf);
}

static void draw(struct plot *p, struct str *out)
{
	struct view view = { 0 };

	plot_view(p, &view);
	assert_int_equal(view_error(&view), 0);
	for (size_t i = 0; i < view.n; i++)
		str_addf(out, "%s\n", view.blocks[i].cells[0].text);
	view_release(&view);
}

static void a_plot_in_ascii(void **state)
{
	static const struct plot_point points[] = {
		{ START, 0 },
		{ START + 10 * DAY, 50e9 },
		{ START + 20 * DAY, 100e9 },
		{ START + 60 * DAY, 20e9 },
		{ START + 70 * DAY, 10e9 },
	};
	const int64_t marks[] = { START + 20 * DAY };
	struct str out = { 0 };
	struct plot p = { .title = "host writes a day",
			  .points = points,
			  .n = ARRAY_SIZE(points),
			  .gap_seconds = 15 * DAY,
			  .marks = marks,
			  .nmarks = 1,
			  .columns = 50,
			  .rows = 5,
			  .from_zero = true,
			  .label = plain_label };

	(void)state;
	draw(&p, &out);
	assert_string_equal(str_text(&out), "host writes a day\n"
					    " 100 GB +          **\n"
					    "        |       ***\n"
					    "50.0 GB +     ***\n"
					    "        |  ***                             **\n"
					    "    0 B +***                                 *****\n"
					    "        ++-------------------+-------------------+\n"
					    "         2026-01-01     2026-02-05      2026-03-12\n"
					    "                    ^\n");
	str_release(&out);
}

/* Elapsed time has round hours and minutes, numbers are round too. */
static void a_plot_of_other_axes(void **state)
{
	static const struct plot_point points[] = { { 0, 47 }, { 10800000, 30 }, { 36000000, 30 } };
	struct str out = { 0 };
	struct plot p = { .title = "MB/s",
			  .axis = PLOT_ELAPSED,
			  .points = points,
			  .n = ARRAY_SIZE(points),
			  .columns = 60,
			  .rows = 3,
			  .from_zero = true };

	(void)state;
	draw(&p, &out);
	assert_string_equal(str_text(&out),
			    "MB/s\n"
			    "60 +*******\n"
			    "20 +      **************************************************\n"
			    " 0 +\n"
			    "   ++----------+----------+----------+----------+----------+\n"
			    "    0 h       2 h        4 h        6 h        8 h      10 h\n");
	str_release(&out);
	p.axis = PLOT_NUMBERS;
	draw(&p, &out);
	assert_string_equal(str_text(&out),
			    "MB/s\n"
			    "60 +*******\n"
			    "20 +      **************************************************\n"
			    " 0 +\n"
			    "   ++--------------+---------------+--------------+---------\n"
			    "    0         10,000,000      20,000,000     30,000,000\n");
	str_release(&out);
}

/* Nothing that a plot is given may break it. */
static void a_plot_of_anything(void **state)
{
	const struct plot_point odd[] = {
		{ INT64_MIN / 4, 1e308 },  { 0, NAN }, { 1, INFINITY }, { 2, -1e308 },
		{ INT64_MAX / 4, 5e-324 },
	};

	(void)state;
	for (size_t n = 0; n <= ARRAY_SIZE(odd); n++)
		for (size_t from = 0; from < ARRAY_SIZE(odd) && from + n <= ARRAY_SIZE(odd); from++)
			for (unsigned columns = 0; columns < 400; columns += 199) {
				struct str out = { 0 };
				struct plot p = { .title = "t",
						  .axis = (enum plot_axis)(n % 3),
						  .points = odd + from,
						  .n = n,
						  .columns = columns,
						  .rows = columns,
						  .unicode = true };

				draw(&p, &out);
				assert_true(out.len > 2);
				str_release(&out);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_and_unique),
		cmocka_unit_test(rates_of_an_even_drive),
		cmocka_unit_test(steps_are_no_pauses),
		cmocka_unit_test(a_pause_is_a_pause),
		cmocka_unit_test(a_reset_makes_no_rate_absurd),
		cmocka_unit_test(thinning_keeps_the_ends),
		cmocka_unit_test(a_plot_in_ascii),
		cmocka_unit_test(a_plot_of_other_axes),
		cmocka_unit_test(a_plot_of_anything),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}

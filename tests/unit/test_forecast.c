/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "lib/history.h"

#define GB 1e9

/* One point of percentage used for 2 TB. */
#define WEAR (0.01 / 2000e9)

static void assert_near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.9g is not %.9g within %g", got, want, within);
}

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

/* Some weeks of 80 to 130 GB a day. */
static void go_unevenly(struct history *h, int weeks, double every, double unit)
{
	struct rng rnd;

	rng_seed(&rnd, 7, 0);
	for (int i = 0; i < weeks; i++)
		history_go(h, 7, every, (80 + 50 * rng_unit(&rnd)) * GB * unit, WEAR / unit);
}

static const struct forecast_method *percentage(struct history *h)
{
	const struct forecast_method *m = &history_forecast(h)->by_method[METHOD_PERCENTAGE_USED];

	if (m->has_days)
		assert_true(0 <= m->days_low && m->days_low <= m->days_left &&
			    m->days_left <= m->days_high);
	return m;
}

/* 20 % in 400 days: 1,600 are left. */
static void steady(void **state)
{
	struct history *h = history_new();
	const struct forecast_method *m;
	const struct forecast *f;

	(void)state;
	history_go(h, 400, 1, 100 * GB, WEAR);
	m = percentage(h);
	assert_true(m->has_days);
	assert_near(m->days_left, 1600, 16);
	assert_true(m->days_low > 800 && m->days_high < 3200);
	assert_near(m->data_days, 400, 1e-9);
	assert_string_equal(m->rests_on, "400 days of history: 20 % of rated life used");
	f = history_forecast(h);
	assert_true(f->has_writes_recent && f->has_writes_all && f->has_wear_recent);
	assert_near(f->writes_per_day_recent / GB, 100, 0.1);
	assert_near(f->writes_per_day_all / GB, 100, 0.1);
	assert_near(f->wear_per_day_recent, 0.05, 0.0005);
	assert_string_equal(f->trend, "");
}

static void says_what_is_missing(void **state)
{
	struct history *h = history_new();
	const struct forecast_method *m;

	(void)state;
	history_go(h, 3, 1, 100 * GB, WEAR);
	m = percentage(h);
	assert_false(m->has_days);
	assert_string_equal(m->reason, "needs 14 days of history, has 3.0: about 2017-07");

	/* long enough, but the percentage has not moved */
	h = history_new();
	history_go(h, 30, 1, 10 * GB, WEAR);
	m = percentage(h);
	assert_false(m->has_days);
	assert_says(m->reason, "needs 2 steps of the rated life used within the history, has 0");
}

/* The life so far tells the wear of a byte where the history is too short to show it. */
static void short_history_of_an_old_drive(void **state)
{
	struct history *h = history_new();
	const struct forecast_method *m;

	(void)state;
	history_go(h, 1000, 1000, 100 * GB, WEAR);
	history_go(h, 10, 1, 100 * GB, WEAR);
	h->series.samples++;
	h->series.nsamples--;
	m = percentage(h);
	assert_true(m->has_days);
	assert_near(m->days_left, 990, 50);
	assert_near(m->data_days, 10, 1e-9);
}

static void same_input_same_answer(void **state)
{
	struct history *h = history_new();
	struct forecast first;

	(void)state;
	go_unevenly(h, 40, 1, 1);
	first = *history_forecast(h);
	assert_memory_equal(&first, history_forecast(h), sizeof(first));
}

/* Another unit of the driver changes nothing. */
static void units_do_not_matter(void **state)
{
	double days[2][3];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct history *h = history_new();
		double unit = i == 0 ? 1 : 1024;
		const struct forecast_method *m;

		h->host_step = 512000 * unit;
		go_unevenly(h, 60, 1, unit);
		m = percentage(h);
		days[i][0] = m->days_low;
		days[i][1] = m->days_left;
		days[i][2] = m->days_high;
	}
	for (int i = 0; i < 3; i++)
		assert_near(days[1][i] / days[0][i], 1, 1e-6);
}

static void sampling_density_hardly_matters(void **state)
{
	static const double every[] = { 1.0 / 24, 0.25, 1, 7 };
	double middle[4];

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct history *h = history_new();

		go_unevenly(h, 60, every[i], 1);
		middle[i] = percentage(h)->days_left;
		assert_near(middle[i] / middle[0], 1, every[i] < 7 ? 0.03 : 0.08);
	}
}

static void growth_is_seen(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;
	double line;

	(void)state;
	for (int week = 0; week < 52; week++)
		history_go(h, 7, 1, 100 * GB * exp(week / 52.0), WEAR);
	f = history_forecast(h);
	line = (1 - h->wear) / h->wear * h->days;
	assert_true(f->by_method[METHOD_PERCENTAGE_USED].days_high < line);
	assert_says(f->trend, "writes: up 9 % a month");
}

static void step_is_seen(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;
	double left;

	(void)state;
	history_go(h, 300, 1, 100 * GB, WEAR);
	history_go(h, 60, 1, 300 * GB, WEAR);
	left = (1 - h->wear) / (300 * GB * WEAR);
	f = history_forecast(h);
	assert_near(f->by_method[METHOD_PERCENTAGE_USED].days_left, left, 0.1 * left);
	assert_string_equal(f->trend, "writes rose 3.0-fold about 2018-05");
}

/* The same writes wear twice as much: the percentage alone shows it. */
static void write_amplification_is_seen(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;
	double left;

	(void)state;
	history_go(h, 300, 1, 200 * GB, WEAR);
	history_go(h, 100, 1, 200 * GB, 2 * WEAR);
	left = (1 - h->wear) / (400 * GB * WEAR);
	f = history_forecast(h);
	assert_near(f->by_method[METHOD_PERCENTAGE_USED].days_left, left, 0.1 * left);
	assert_says(f->trend, "wear per byte written rose 2.0-fold about 2018-05");
	assert_false(f->has_waf_recent);
}

static void idle_has_no_date(void **state)
{
	struct history *h = history_new();
	const struct forecast_method *m;

	(void)state;
	history_go(h, 100, 1, 100 * GB, WEAR);
	history_go(h, 300, 1, 0, WEAR);
	m = percentage(h);
	assert_false(m->has_days);
	assert_string_equal(m->reason, "no date: nothing was counted for the last 300 days");
}

static void nothing_known(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;

	(void)state;
	f = history_forecast(h);
	assert_int_equal(f->nsamples, 1);
	assert_false(f->by_method[METHOD_PERCENTAGE_USED].has_days);
	assert_says(f->by_method[METHOD_PERCENTAGE_USED].reason, "needs 14 days of history");
	h->series.nsamples = 0;
	f = history_forecast(h);
	assert_int_equal(f->nsamples, 0);
	assert_string_equal(f->by_method[METHOD_PERCENTAGE_USED].reason, "");
}

static void cone(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;

	(void)state;
	h->estimates.by_method[METHOD_PERCENTAGE_USED].has_days = true;
	h->estimates.by_method[METHOD_PERCENTAGE_USED].days_left = 1000;
	history_go(h, 400, 1, 100 * GB, WEAR);
	f = history_forecast(h);
	assert_int_equal(f->npoints, FORECAST_POINTS_MAX);
	assert_int_equal(f->cone_method, METHOD_PERCENTAGE_USED);
	assert_int_equal(f->points[0].time, h->now);
	assert_near(f->points[0].middle, 20, 0.5);
	for (size_t i = 0; i < f->npoints; i++) {
		const struct forecast_point *p = &f->points[i];

		assert_true(p->low <= p->middle && p->middle <= p->high);
		if (i > 0)
			assert_true(p->time > p[-1].time && p->middle >= p[-1].middle);
	}
	assert_near(f->points[f->npoints - 1].low, 100, 15);
}

static void history_speaks_in_estimates(void **state)
{
	struct history *h = history_new();
	struct estimate *e = &h->estimates.by_method[METHOD_PERCENTAGE_USED];
	const struct forecast *f;

	(void)state;
	history_go(h, 214, 1, 84 * GB, WEAR);
	e->has_days = true;
	e->days_left = 1000;
	text_copy(e->spent, sizeof(e->spent), "9 % used");
	f = history_forecast(h);
	forecast_apply(f, &h->facts, &h->estimates);
	assert_true(e->by_history && e->has_interval && e->trustworthy);
	assert_near(e->days_left, f->by_method[METHOD_PERCENTAGE_USED].days_left, 0);
	assert_string_equal(e->rests_on, "9 % used; 214 days of history");
	assert_int_equal(h->estimates.binding, METHOD_PERCENTAGE_USED);
}

/* Host writes alone: only the rated writes can be forecast. */
static void rated_writes_alone(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;

	(void)state;
	h->percent_step = 0;
	history_limit(h, METHOD_RATED_TBW, FACT_HOST_BYTES_WRITTEN, 150e12);
	h->series.nsamples = 0;
	history_sample(h);
	history_go(h, 300, 1, 100 * GB, WEAR);
	f = history_forecast(h);
	assert_true(f->by_method[METHOD_RATED_TBW].has_days);
	assert_near(f->by_method[METHOD_RATED_TBW].days_left, 1200, 12);
	assert_false(f->by_method[METHOD_PERCENTAGE_USED].has_days);
	assert_false(f->has_wear_recent);
}

/* 300 of 3,000 cycles in 200 days; the limit is the count itself. */
static void erase_counts(void **state)
{
	struct history *h = history_new();
	const struct forecast_method *m;

	(void)state;
	h->rated_cycles = 3000;
	history_limit(h, METHOD_ERASE_BUDGET, FACT_ERASE_COUNT_AVG, 3000);
	h->series.nsamples = 0;
	history_sample(h);
	history_go(h, 200, 1, 100 * GB, WEAR);
	m = &history_forecast(h)->by_method[METHOD_ERASE_BUDGET];
	assert_true(m->has_days);
	assert_near(m->days_left, 1800, 36);
	assert_string_equal(m->rests_on, "200 days of history: 300 cycles of average erase count");
}

/* Counters by 64 GB: a day of 10 GB moves none of them, and still is no rate of zero. */
static void coarse_counters(void **state)
{
	struct history *h = history_new();
	const struct forecast *f;

	(void)state;
	h->host_step = h->nand_step = 64e9;
	history_go(h, 365, 1, 10 * GB, 3 * WEAR);
	h->wear += 0.2; /* an old drive */
	history_go(h, 365, 1, 10 * GB, 3 * WEAR);
	f = history_forecast(h);
	assert_true(f->has_writes_recent && f->has_waf_recent);
	assert_near(f->writes_per_day_recent / GB, 10, 0.7);
	assert_true(f->waf_recent_days > WAF_RECENT_DAYS);
	assert_near(f->waf_recent, 3 * WEAR * 1e15, 0.1 * 3 * WEAR * 1e15);

	/* too few steps for any ratio: none is made up */
	h = history_new();
	h->host_step = h->nand_step = 64e9;
	history_go(h, 60, 1, 5 * GB, 3 * WEAR);
	f = history_forecast(h);
	assert_false(f->has_waf_recent);
	assert_says(f->waf_reason, "too little was written");
}

/* What is bought with more data: the longer the same goes on, the narrower, beside what is left. */
static void more_history_narrows(void **state)
{
	struct history *h = history_new();
	double before = INFINITY;

	(void)state;
	for (int part = 0; part < 4; part++) {
		const struct forecast_method *m;
		double width;

		history_go(h, 100 * (part + 1), 1, 200 * GB, WEAR / 2);
		m = percentage(h);
		width = (m->days_high - m->days_low) / m->days_left;
		assert_true(width < before);
		before = width;
	}
}

static void uneven_is_wider(void **state)
{
	struct rng rnd;
	double width[2];

	(void)state;
	rng_seed(&rnd, 3, 0);
	for (int i = 0; i < 2; i++) {
		struct history *h = history_new();
		const struct forecast_method *m;

		for (int week = 0; week < 60; week++)
			history_go(h, 7, 1, 100 * GB * (i ? rng_exponential(&rnd) : 1), WEAR);
		m = percentage(h);
		width[i] = (m->days_high - m->days_low) / m->days_left;
	}
	assert_true(width[1] > 1.3 * width[0]);
}

/* A gap without samples counts for what the counters say. */
static void gaps_count(void **state)
{
	struct history *h = history_new();

	(void)state;
	history_go(h, 100, 1, 100 * GB, WEAR);
	history_go(h, 90, 90, 100 * GB, WEAR);
	history_go(h, 100, 1, 100 * GB, WEAR);
	assert_near(percentage(h)->days_left, 1710, 18);
}

static void aside_samples_are_nothing(void **state)
{
	struct history *h = history_new();
	double days;
	size_t n;

	(void)state;
	go_unevenly(h, 30, 1, 1);
	days = percentage(h)->days_left;
	n = h->series.nsamples;
	h->series.samples[n] = h->series.samples[n - 1];
	h->series.samples[n].values[FACT_HOST_BYTES_WRITTEN] = INT64_MAX;
	h->series.samples[n].values[FACT_PERCENTAGE_USED] = 99000;
	h->series.samples[n].time += 86400;
	h->series.samples[n].aside = true;
	h->series.nsamples++;
	assert_near(percentage(h)->days_left, days, 0);
	assert_int_equal(history_forecast(h)->nsamples, n);
}

/* Days are counted from now, not from the last sample. */
static void days_count_from_now(void **state)
{
	struct history *h = history_new();
	double days;

	(void)state;
	go_unevenly(h, 60, 1, 1);
	days = percentage(h)->days_left;
	h->now += 20 * 86400;
	assert_near(percentage(h)->days_left, days - 20, 0.011);
}

/* Too short: the lifetime's average stays, and says so. */
static void lifetime_average_stays(void **state)
{
	struct history *h = history_new();
	struct estimate *e = &h->estimates.by_method[METHOD_PERCENTAGE_USED];

	(void)state;
	history_go(h, 3, 1, 84 * GB, WEAR);
	e->has_days = true;
	e->days_left = 1000;
	text_copy(e->rests_on, sizeof(e->rests_on), "9 % used in 27,156 h powered on");
	forecast_apply(history_forecast(h), &h->facts, &h->estimates);
	assert_false(e->by_history);
	assert_near(e->days_left, 1000, 0);
	assert_says(e->rests_on, "powered on; by history: needs 14 days of history, has 3.0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady),
		cmocka_unit_test(says_what_is_missing),
		cmocka_unit_test(short_history_of_an_old_drive),
		cmocka_unit_test(same_input_same_answer),
		cmocka_unit_test(units_do_not_matter),
		cmocka_unit_test(sampling_density_hardly_matters),
		cmocka_unit_test(growth_is_seen),
		cmocka_unit_test(step_is_seen),
		cmocka_unit_test(write_amplification_is_seen),
		cmocka_unit_test(idle_has_no_date),
		cmocka_unit_test(nothing_known),
		cmocka_unit_test(cone),
		cmocka_unit_test(history_speaks_in_estimates),
		cmocka_unit_test(lifetime_average_stays),
		cmocka_unit_test(rated_writes_alone),
		cmocka_unit_test(erase_counts),
		cmocka_unit_test(coarse_counters),
		cmocka_unit_test(more_history_narrows),
		cmocka_unit_test(uneven_is_wider),
		cmocka_unit_test(gaps_count),
		cmocka_unit_test(aside_samples_are_nothing),
		cmocka_unit_test(days_count_from_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

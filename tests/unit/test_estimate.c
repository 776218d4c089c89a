/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "lib/judged.h"

static void assert_near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.9g is not %.9g within %g", got, want, within);
}

static const struct estimate *run(struct judged *d, enum estimate_method method)
{
	return &judged_run(d)->estimates.by_method[method];
}

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static void assert_binds(const struct judged *d, int method)
{
	if (d->a.estimates.binding != method)
		fail_msg("%d binds, not %d", d->a.estimates.binding, method);
}

static void has_input(const struct estimate *e, const char *name, double shown)
{
	for (size_t i = 0; i < e->ninputs; i++) {
		if (strcmp(e->inputs[i].name, name) != 0)
			continue;
		assert_near((double)e->inputs[i].value / unit_scale(e->inputs[i].unit), shown,
			    fabs(shown) / 1e6);
		return;
	}
	fail_msg("no input %s", name);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(method_name(METHOD_PERCENTAGE_USED), "percentage-used");
	assert_string_equal(method_name(METHOD_SPARE_DEPLETION), "spare-depletion");
	assert_string_equal(method_label(METHOD_RATED_TBW), "rated writes (TBW)");
}

/* 9 % in 27,210 h = 1,133.75 days: 91/9 of that are left; the point moves between 8.1 and 9.9. */
static void percentage_used(void **state)
{
	struct judged *d = judged_nvme();
	const struct estimate *e;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 9);
	judged_fact(d, FACT_POWER_ON_HOURS, 27210);
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_true(e->has_left && e->has_days && e->has_interval && e->trustworthy);
	assert_near(e->left_percent, 91, 1e-9);
	assert_near(e->days_left, 1133.75 * 91 / 9, 1e-6);
	assert_near(e->days_low, 1133.75 * (100 - 9.9) / 9.9, 1e-6);
	assert_near(e->days_high, 1133.75 * (100 - 8.1) / 8.1, 1e-6);
	assert_says(e->rests_on, "9 % used in 27,210 h powered on; calendar time not known");
	assert_string_equal(e->reason, "");
	has_input(e, "percentage_used", 9);
	has_input(e, "power_on_hours", 27210);
	assert_binds(d, METHOD_PERCENTAGE_USED);
	assert_string_equal(d->a.estimates.binding_reason, "the only trustworthy limit");
}

/* Finer steps give a narrower interval. */
static void percentage_in_hundredths(void **state)
{
	struct judged *d = judged_nvme();
	const struct estimate *e;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 23.70);
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_near(e->days_left, 10000.0 / 24 * 76.3 / 23.7, 1e-6);
	assert_near(e->days_high - e->days_low, 10000.0 / 24 * 100 * 2 * 0.009 / 23.7 / 23.7, 1e-3);
	judged_fact(d, FACT_PERCENTAGE_USED, 23.701);
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_near(e->days_high - e->days_low, 10000.0 / 24 * 100 * 2 * 0.0009 / 23.7 / 23.7,
		    1e-3);
}

static void too_young(void **state)
{
	static const struct {
		double used, hours;
		bool dated;
	} rows[] = {
		{ 0, 40000, false }, { 1, 40000, false }, { 2, 40000, true }, { 2, 168, true },
		{ 2, 167, false },   { 50, 12, false },	  { 8, 208, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();
		const struct estimate *e;

		judged_fact(d, FACT_PERCENTAGE_USED, rows[i].used);
		judged_fact(d, FACT_POWER_ON_HOURS, rows[i].hours);
		e = run(d, METHOD_PERCENTAGE_USED);
		assert_true(e->has_left);
		assert_near(e->left_percent, 100 - rows[i].used, 1e-9);
		assert_int_equal(e->has_days, rows[i].dated);
		assert_int_equal(e->trustworthy, rows[i].dated);
		assert_binds(d, rows[i].dated ? METHOD_PERCENTAGE_USED : -1);
		if (!rows[i].dated)
			assert_says(e->reason, "not enough wear to tell");
	}
}

static void hours_that_tell_no_date(void **state)
{
	struct judged *d = judged_nvme();
	const struct estimate *e;

	(void)state;
	d->a.facts.sets[FACT_POWER_ON_HOURS].n = 0;
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_true(e->has_left && !e->has_days);
	assert_says(e->reason, "power-on hours are not reported");
	judged_fact(d, FACT_POWER_ON_HOURS, 0);
	assert_says(run(d, METHOD_PERCENTAGE_USED)->reason, "power-on hours are not reported");
	judged_fact(d, FACT_POWER_ON_HOURS, 0)->value = 57951993765239; /* packed raw */
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_false(e->has_days);
	assert_says(e->reason, "not plausible");
}

static void worn_out_is_zero_days(void **state)
{
	static const double used[] = { 100, 123.7, 200, 255 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(used); i++) {
		struct judged *d = judged_nvme();
		const struct estimate *e;

		d->a.facts.sets[FACT_POWER_ON_HOURS].n = 0;
		judged_fact(d, FACT_PERCENTAGE_USED, used[i]);
		e = run(d, METHOD_PERCENTAGE_USED);
		assert_true(e->has_left && e->has_days && e->has_interval && e->trustworthy);
		assert_near(e->left_percent, 0, 0);
		assert_near(e->days_left, 0, 0);
		assert_near(e->days_low, 0, 0);
		assert_near(e->days_high, 0, 0);
		assert_binds(d, METHOD_PERCENTAGE_USED);
	}
}

/* A counter at its floor: it may be worn out already, and lasts at most so long. */
static void floored_percentage(void **state)
{
	struct judged *d = judged_sata();
	const struct estimate *e;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 99)->bound = BOUND_AT_LEAST;
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_near(e->days_left, 10000.0 / 24 / 99, 1e-6);
	assert_near(e->days_low, 0, 0);
	assert_near(e->days_high, e->days_left, 0);
	assert_says(e->rests_on, "at least 99 % used");

	/* the erase counts know better: it is worn out */
	judged_fact(d, FACT_ERASE_COUNT_AVG, 7065);
	judged_fact(d, FACT_RATED_PE_CYCLES, 2100);
	judged_run(d);
	assert_binds(d, METHOD_ERASE_BUDGET);
	assert_near(d->a.estimates.by_method[METHOD_ERASE_BUDGET].days_left, 0, 0);
	assert_string_equal(d->a.estimates.binding_reason, "the earliest trustworthy limit");
}

static void percentage_derived_from_erases(void **state)
{
	struct judged *d = judged_sata();
	const struct estimate *e;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 45)->quality = QUALITY_DERIVED;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 450);
	judged_fact(d, FACT_RATED_PE_CYCLES, 1000);
	e = run(d, METHOD_PERCENTAGE_USED);
	assert_false(e->has_left);
	assert_says(e->reason, "reports no percentage used");
	assert_binds(d, METHOD_ERASE_BUDGET);
	assert_true(d->a.wear.has_used);
}

/* The most worn block of 421 ends the drive, not the average of 357. */
static void erase_budget(void **state)
{
	struct judged *d = judged_nvme();
	const struct estimate *e;

	(void)state;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 357);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 421);
	assert_says(run(d, METHOD_ERASE_BUDGET)->reason, "rated P/E cycles are not known");
	judged_fact(d, FACT_RATED_PE_CYCLES, 3500)->confidence = CONFIDENCE_HIGH;
	e = run(d, METHOD_ERASE_BUDGET);
	assert_near(e->left_percent, 100 * (1 - 421.0 / 3500), 1e-9);
	assert_near(e->days_left, 10000.0 / 24 * (3500 - 421) / 421, 1e-6);
	assert_near(e->days_low, 10000.0 / 24 * (3500 - 421.9) / 421.9, 1e-6);
	assert_near(e->days_high, 10000.0 / 24 * (3500 - 420.1) / 420.1, 1e-6);
	assert_says(e->rests_on, "421 of 3,500 cycles, average 357 (rated: high)");
	has_input(e, "erase_count_max", 421);
	has_input(e, "erase_count_avg", 357);
	has_input(e, "rated_pe_cycles", 3500);
	assert_binds(d, METHOD_ERASE_BUDGET); /* 12 % against 10 % */

	d->a.facts.sets[FACT_ERASE_COUNT_MAX].n = 0;
	e = run(d, METHOD_ERASE_BUDGET);
	assert_near(e->left_percent, 100 * (1 - 357.0 / 3500), 1e-9);
	d->a.facts.sets[FACT_ERASE_COUNT_AVG].n = 0;
	assert_says(run(d, METHOD_ERASE_BUDGET)->reason, "no erase counts");
}

/* A "maximum" below the average, or ten times it, is of something else. */
static void implausible_maximum(void **state)
{
	static const double max[] = { 300, 3581 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(max); i++) {
		struct judged *d = judged_nvme();
		const struct estimate *e;

		judged_fact(d, FACT_ERASE_COUNT_AVG, 357);
		judged_fact(d, FACT_ERASE_COUNT_MAX, max[i]);
		judged_fact(d, FACT_RATED_PE_CYCLES, 3500);
		e = run(d, METHOD_ERASE_BUDGET);
		assert_near(e->left_percent, 100 * (1 - 357.0 / 3500), 1e-9);
		assert_says(e->rests_on, "is not plausible");
	}
}

static void pslc_area_has_its_own_budget(void **state)
{
	struct judged *d = judged_sata();
	const struct estimate *e;

	(void)state;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 1202);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 1275);
	judged_fact(d, FACT_RATED_PE_CYCLES, 3000);
	judged_fact(d, FACT_ERASE_COUNT_SLC_AVG, 62117);
	judged_fact(d, FACT_ERASE_COUNT_SLC_MAX, 63393);
	e = run(d, METHOD_ERASE_BUDGET); /* without its rated cycles it says nothing */
	assert_near(e->left_percent, 57.5, 1e-9);
	judged_fact(d, FACT_RATED_PE_CYCLES_SLC, 100000);
	e = run(d, METHOD_ERASE_BUDGET);
	assert_near(e->left_percent, 100 - 63.393, 1e-9);
	assert_says(e->rests_on, "pSLC area: 63,393 of 100,000 cycles");
	judged_fact(d, FACT_RATED_PE_CYCLES_SLC, 1000000);
	assert_near(run(d, METHOD_ERASE_BUDGET)->left_percent, 57.5, 1e-9);
}

/* A NAND budget, held against NAND bytes; the host budget is that divided by the WAF. */
static void endurance_estimate(void **state)
{
	struct judged *d = judged_nvme();
	const struct estimate *e;

	(void)state;
	assert_says(run(d, METHOD_ENDURANCE_ESTIMATE)->reason, "no endurance estimate");
	judged_fact(d, FACT_ENDURANCE_ESTIMATE, 3500e12);
	assert_says(run(d, METHOD_ENDURANCE_ESTIMATE)->reason, "NAND writes are not reported");
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 400e12);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 700e12);
	e = run(d, METHOD_ENDURANCE_ESTIMATE);
	assert_near(e->left_percent, 80, 1e-9);
	assert_near(e->days_left, 10000.0 / 24 * 4, 1e-6);
	has_input(e, "host_budget_bytes", 2000e12);
	assert_says(e->rests_on, "700 TB of 3.50 PB NAND writes (2.00 PB of host writes)");
	assert_binds(d, METHOD_ENDURANCE_ESTIMATE);

	/* a WAF below 1 is not made into a larger host budget */
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 200e12);
	has_input(run(d, METHOD_ENDURANCE_ESTIMATE), "host_budget_bytes", 3500e12);
	d->rule.compresses = true;
	has_input(run(d, METHOD_ENDURANCE_ESTIMATE), "host_budget_bytes", 7000e12);
}

/* Always beside the others; binds only where the drive reports no wear at all. */
static void rated_writes(void **state)
{
	struct judged *d = judged_sata();
	const struct estimate *e;

	(void)state;
	assert_says(run(d, METHOD_RATED_TBW)->reason, "no TBW rating");
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 40e12);
	e = run(d, METHOD_RATED_TBW);
	assert_near(e->left_percent, 50, 1e-9);
	assert_near(e->days_left, 10000.0 / 24, 1e-6);
	assert_false(e->has_interval);
	assert_false(e->trustworthy);
	assert_says(e->rests_on,
		    "20.0 TB of 40.0 TB in 10,000 h powered on; calendar time not known; a "
		    "warranty limit, not wear");
	assert_says(e->reason, "does not bind");
	assert_binds(d, METHOD_PERCENTAGE_USED); /* though ten times later */

	d->a.facts.sets[FACT_PERCENTAGE_USED].n = 0;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 100); /* wear too, though of unknown scale */
	judged_run(d);
	assert_binds(d, -1);
	d->a.facts.sets[FACT_ERASE_COUNT_AVG].n = 0;
	e = run(d, METHOD_RATED_TBW);
	assert_true(e->trustworthy);
	assert_string_equal(e->reason, "");
	assert_binds(d, METHOD_RATED_TBW);
	assert_says(d->a.estimates.binding_reason, "warranty limit");

	d->a.facts.sets[FACT_HOST_BYTES_WRITTEN].n = 0;
	assert_says(run(d, METHOD_RATED_TBW)->reason, "host writes are not reported");
	assert_binds(d, -1);
	assert_says(d->a.estimates.binding_reason, "reports no wear");
}

/* A new drive: nothing is used, and nothing is said of when it ends. */
static void counters_at_zero(void **state)
{
	static const enum estimate_method methods[] = { METHOD_PERCENTAGE_USED, METHOD_ERASE_BUDGET,
							METHOD_ENDURANCE_ESTIMATE,
							METHOD_RATED_TBW };
	struct judged *d = judged_nvme();

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 0);
	judged_fact(d, FACT_ERASE_COUNT_AVG, 0);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 2);
	judged_fact(d, FACT_RATED_PE_CYCLES, 3000);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 0);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 0);
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 600e12);
	judged_fact(d, FACT_ENDURANCE_ESTIMATE, 600e12);
	judged_run(d);
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		const struct estimate *e = &d->a.estimates.by_method[methods[i]];

		assert_true(e->has_left && !e->has_days);
		assert_near(e->left_percent, 100, 0.1);
		assert_says(e->reason, "not enough wear to tell");
	}
	assert_binds(d, -1);
}

static void implausible_wear_does_not_bind(void **state)
{
	struct judged *d = judged_new(PROTOCOL_ATA);

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 329);
	judged_fact(d, FACT_POWER_ON_HOURS, 319);
	assert_says(run(d, METHOD_PERCENTAGE_USED)->reason, "faster than is plausible");
	assert_near(d->a.estimates.by_method[METHOD_PERCENTAGE_USED].left_percent, 0, 0);
	assert_binds(d, -1);
}

static void warranty_without_write_limit(void **state)
{
	struct judged *d = judged_sata();
	const struct estimate *e;

	(void)state;
	d->rule.no_write_limit = true;
	e = run(d, METHOD_RATED_TBW);
	assert_false(e->has_left);
	assert_says(e->reason, "no limit on writes");
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 1e12);
	e = run(d, METHOD_RATED_TBW);
	assert_false(e->has_left);
	assert_int_equal(e->ninputs, 0);
}

static void spare_depletion(void **state)
{
	static const struct {
		double spare, threshold;
		bool left, dated;
		double percent, days;
		const char *says;
	} rows[] = {
		{ 100, 10, true, false, 100, 0, "not enough spare used" },
		{ 96, 10, true, false, 86.0 / 90 * 100, 0, "not enough spare used" },
		{ 79, 10, true, true, 69.0 / 90 * 100, 10000.0 / 24 * 69 / 21, "" },
		{ 10, 10, true, true, 0, 0, "" },
		{ 5, 10, true, true, 0, 0, "" },
		{ 0, 10, true, true, 0, 0, "" },
		{ 0, 0, false, false, 0, 0, "not reported" }, /* a field nobody fills in */
		{ 99, 99, false, false, 0, 0, "leaves no range" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();
		const struct estimate *e;

		judged_fact(d, FACT_AVAILABLE_SPARE, rows[i].spare);
		judged_fact(d, FACT_SPARE_THRESHOLD, rows[i].threshold);
		e = run(d, METHOD_SPARE_DEPLETION);
		assert_int_equal(e->has_left, rows[i].left);
		assert_int_equal(e->has_days, rows[i].dated);
		assert_near(e->left_percent, rows[i].percent, 1e-9);
		assert_near(e->days_left, rows[i].days, 1e-6);
		assert_says(e->reason, rows[i].says);
		assert_binds(d, rows[i].dated ? METHOD_SPARE_DEPLETION : METHOD_PERCENTAGE_USED);
		if (rows[i].days == 0)
			continue;
		assert_near(e->days_low, 10000.0 / 24 * (90 - 21.9) / 21.9, 1e-6);
		assert_near(e->days_high, 10000.0 / 24 * (90 - 20.1) / 20.1, 1e-6);
	}
}

static void spare_without_a_threshold(void **state)
{
	struct judged *d = judged_sata();
	const struct estimate *e;

	(void)state;
	assert_says(run(d, METHOD_SPARE_DEPLETION)->reason, "not reported");
	judged_fact(d, FACT_AVAILABLE_SPARE, 50);
	e = run(d, METHOD_SPARE_DEPLETION);
	assert_near(e->left_percent, 50, 1e-9);
	assert_says(e->rests_on, "threshold not reported");
	assert_false(e->trustworthy);
	assert_says(e->reason, "names no threshold");
	assert_binds(d, METHOD_PERCENTAGE_USED);
}

/* Unconfirmed numbers bind only where nothing surer gives a date, guesses never. */
static void confidence_decides_what_binds(void **state)
{
	struct judged *d = judged_sata();
	struct fact *rated;

	(void)state;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 500);
	rated = judged_fact(d, FACT_RATED_PE_CYCLES, 1000);
	judged_run(d);
	assert_binds(d, METHOD_ERASE_BUDGET);
	rated->confidence = CONFIDENCE_MEDIUM;
	judged_run(d);
	assert_binds(d, METHOD_PERCENTAGE_USED);
	assert_says(d->a.estimates.by_method[METHOD_ERASE_BUDGET].reason, "unconfirmed");

	d->a.facts.sets[FACT_PERCENTAGE_USED].n = 0;
	judged_run(d);
	assert_binds(d, METHOD_ERASE_BUDGET);
	assert_says(d->a.estimates.binding_reason, "unconfirmed");
	rated->confidence = CONFIDENCE_LOW;
	judged_run(d);
	assert_binds(d, -1);
	assert_says(d->a.estimates.by_method[METHOD_ERASE_BUDGET].reason, "a guess");
	assert_true(d->a.estimates.by_method[METHOD_ERASE_BUDGET].has_left);

	/* both unconfirmed: the earlier one */
	rated->confidence = CONFIDENCE_MEDIUM;
	judged_fact(d, FACT_PERCENTAGE_USED, 60)->confidence = CONFIDENCE_MEDIUM;
	judged_run(d);
	assert_binds(d, METHOD_PERCENTAGE_USED);
}

static void every_method_is_there(void **state)
{
	struct judged *d = judged_new(PROTOCOL_SCSI);

	(void)state;
	judged_run(d);
	for (int i = 0; i < METHOD_COUNT; i++) {
		const struct estimate *e = &d->a.estimates.by_method[i];

		assert_int_equal(e->method, i);
		assert_false(e->has_left);
		assert_true(*e->reason != '\0');
	}
	assert_binds(d, -1);
}

/* The reading of a drive that was last seen ten days ago. */
static void ends_count_from_the_reading_or_from_now(void **state)
{
	const int64_t day = 86400, read = 1800000000, now = read + 10 * day;
	struct estimate average = { .has_days = true }, forecast = average;
	struct reading r;

	(void)state;
	reading_init(&r);
	r.time = read;
	forecast.by_history = true;
	assert_int_equal(estimate_time(&average, 100, &r, now), read + 100 * day);
	assert_int_equal(estimate_time(&forecast, 100, &r, now), now + 100 * day);
	assert_int_equal(estimate_time(&forecast, 100, &r, TIME_UNKNOWN), read + 100 * day);
	assert_int_equal(estimate_time(&forecast, HUGE_VAL, &r, now), TIME_MAX);
	r.time = TIME_UNKNOWN;
	assert_int_equal(estimate_time(&average, 100, &r, now), now + 100 * day);
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(percentage_used),
		cmocka_unit_test(percentage_in_hundredths),
		cmocka_unit_test(too_young),
		cmocka_unit_test(hours_that_tell_no_date),
		cmocka_unit_test(worn_out_is_zero_days),
		cmocka_unit_test(floored_percentage),
		cmocka_unit_test(percentage_derived_from_erases),
		cmocka_unit_test(erase_budget),
		cmocka_unit_test(implausible_maximum),
		cmocka_unit_test(pslc_area_has_its_own_budget),
		cmocka_unit_test(endurance_estimate),
		cmocka_unit_test(rated_writes),
		cmocka_unit_test(counters_at_zero),
		cmocka_unit_test(implausible_wear_does_not_bind),
		cmocka_unit_test(warranty_without_write_limit),
		cmocka_unit_test(spare_depletion),
		cmocka_unit_test(spare_without_a_threshold),
		cmocka_unit_test(confidence_decides_what_binds),
		cmocka_unit_test(every_method_is_there),
		cmocka_unit_test(ends_count_from_the_reading_or_from_now),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* The FTL model fitted to a drive's record, and what it says of other conditions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ftl/analytic.h"
#include "ftl/fit_estimate.h"
#include "lib/hidden_drive.h"

static struct fit_tables *tables;

static int set_up(void **state)
{
	(void)state;
	tables = calloc(1, sizeof(*tables));
	if (!tables)
		return -1;
	fit_tables_fill(tables);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	free(tables);
	return 0;
}

static void assert_within(double got, double want, double share)
{
	if (!(fabs(got - want) <= share * want))
		fail_msg("%.5g is not within %g %% of %.5g", got, share * 100, want);
}

/* One window of a full drive of which the flash is known. */
static struct fit_record full_drive(double spare, double waf)
{
	struct fit_record r = {
		.capacity = 1e12,
		.cycle = 1e12 / (1 - spare),
		.cycle_relative = 0.005,
		.nwindows = 1,
		.writes_per_day = 1e11,
		.has_fill = true,
		.fill = 1,
		.trim = TRIM_NEVER,
	};

	r.windows[0] = (struct fit_window){
		.days = 30, .host = 3e12, .nand = 3e12 * waf, .relative_step = 0.003
	};
	return r;
}

static void fit_to(const struct fit_record *r, struct fit *ret)
{
	assert_int_equal(fit_compute(tables, r, NULL, ret), 0);
	assert_int_equal(fit_tell(ret), 0);
}

/* At their limits the tables are the analytic models that they are made of. */
static void tables_are_the_models(void **state)
{
	static const double spares[] = { 0.05, 0.07, 0.1, 0.2, 0.28, 0.5 };
	const struct analytic_curve fifo = { .victim = { VICTIM_FIFO, 0, TIES_NEWEST },
					     .pages_per_block = 64 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spares); i++) {
		struct fit_drive d = {
			.flash = 1 / (1 - spares[i]),
			.fill = 1,
			.block = 1,
			.separate = -40,
			.factor = 1,
		};
		/* row 1 + 3 + 6 x 4: a tenth of the pages gets 0.1^0.1 of the writes */
		double hot = pow(0.1, 0.1);
		const struct analytic_groups g = { .n = 2,
						   .writes = { hot, 1 - hot },
						   .pages = { 0.1, 0.9 } };

		assert_within(fit_spare(&d), spares[i], 1e-9);
		assert_within(fit_waf(tables, &d), analytic_greedy(spares[i], 64), 0.01);
		d.victim = 1;
		assert_within(fit_waf(tables, &d), 1 / spares[i], 0.01);
		d.victim = 0;
		d.block = FIT_BLOCKS - 1;
		assert_within(fit_waf(tables, &d), analytic_fifo(spares[i]), 0.01);
		d.skew = 1 + 3 + 6 * 4;
		assert_within(fit_waf(tables, &d), analytic_fifo_groups(spares[i], &g), 0.01);
		d.separate = 40;
		assert_within(fit_waf(tables, &d), analytic_best_split(&fifo, spares[i], &g, NULL),
			      0.015);
	}
	assert_within(fit_hot_writes(0), 0.2, 1e-9);
	assert_within(fit_hot_writes(1 + 4 + 6 * 4), pow(0.2, 0.1), 1e-6);
}

/* What the host writes beside collection, and what is over all, adds and multiplies. */
static void costs_beside_collection(void **state)
{
	struct fit_drive d = { .flash = 1.25, .fill = 1, .separate = -40, .factor = 1 };
	double plain = fit_waf(tables, &d);

	(void)state;
	d.fixed = 0.5;
	assert_within(fit_waf(tables, &d), plain + 0.5, 1e-9);
	d.factor = 1.1;
	assert_within(fit_waf(tables, &d), 1.1 * (plain + 0.5), 1e-9);
	d.sequential = 1;
	assert_within(fit_waf(tables, &d), 1.1 * 1.5, 1e-9);
	/* what is free counts only where it is known to be */
	d.fill = 0.5;
	assert_within(fit_spare(&d), 0.2, 1e-9);
	d.trimmed = 1;
	assert_within(fit_spare(&d), 0.6, 1e-9);
}

static void trimmed_between_trims(void **state)
{
	struct fit_drive d = { .fill = 0.5, .churn = 0.5 };

	(void)state;
	assert_true(fit_trimmed_share(TRIM_NEVER, &d, 1) <= 0);
	assert_true(fit_trimmed_share(TRIM_AT_ONCE, &d, 1) >= 1);
	/* half of a capacity is free, and a day writes a tenth of it to new places */
	assert_within(fit_trimmed_share(TRIM_DAILY, &d, 0.1), (1 - exp(-0.1)) / 0.1, 1e-9);
	assert_within(fit_trimmed_share(TRIM_WEEKLY, &d, 0.1), (1 - exp(-0.7)) / 0.7, 1e-9);
}

/* The interval of the spare holds the true one, whatever the write amplification. */
static void spare_is_recovered(void **state)
{
	(void)state;
	for (double spare = 0.07; spare < 0.3; spare += 0.1) {
		struct fit_record r = full_drive(spare, analytic_greedy(spare, 64));
		CLEANUP(fit_release) struct fit f = { 0 };

		fit_to(&r, &f);
		assert_true(f.values[FIT_SPARE].low < spare && spare < f.values[FIT_SPARE].high);
		assert_true(f.values[FIT_SPARE].told && f.values[FIT_OVERPROVISIONING].given);
		assert_false(f.strained);
		assert_within(f.waf, analytic_greedy(spare, 64), 1e-9);
	}
}

static void same_record_same_fit(void **state)
{
	struct fit_record r = full_drive(0.1, 3);
	CLEANUP(fit_release) struct fit a = { 0 };
	CLEANUP(fit_release) struct fit b = { 0 };

	(void)state;
	fit_to(&r, &a);
	fit_to(&r, &b);
	assert_memory_equal(a.values, b.values, sizeof(a.values));
	assert_int_equal(a.npairs, b.npairs);
}

/* Of a drive that says nothing but its write amplification, little is told. */
static void little_is_not_told(void **state)
{
	struct fit_record r = {
		.has_life = true,
		.life = { .host = 1e14, .nand = 2e14, .relative_step = 0.01 },
	};
	CLEANUP(fit_release) struct fit f = { 0 };

	(void)state;
	fit_to(&r, &f);
	assert_false(f.values[FIT_FILL].told);
	assert_false(f.values[FIT_TRIMMED].told);
	assert_true(f.values[FIT_SPARE].high - f.values[FIT_SPARE].low > 0.2);
	assert_int_equal(fit_compute(tables, &(struct fit_record){ 0 }, NULL, &f), -ENODATA);
}

/* Far from all drives of the model, below 1 and far above: an answer, and a warning. */
static void strange_records(void **state)
{
	static const double wafs[] = { 0.14, 0.5, 1, 400, 5000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wafs); i++) {
		struct fit_record r = full_drive(0.1, wafs[i]);
		const struct what_if w = { .has_overprovisioning = true, .overprovisioning = 0.3 };
		CLEANUP(fit_release) struct fit f = { 0 };
		struct what_if_answer a;

		r.compresses = wafs[i] < 1;
		fit_to(&r, &f);
		if (wafs[i] >= 1 && f.strained != (wafs[i] > 100))
			fail_msg("%g: strained %d", wafs[i], f.strained);
		assert_int_equal(what_if_answer(tables, &f, &w, &a), 0);
		assert_true(a.waf.low > 0 && a.waf.low <= a.waf.median &&
			    a.waf.median <= a.waf.high && isfinite(a.waf.high));
	}
}

static struct what_if_answer ask(const struct fit *f, struct what_if w)
{
	struct what_if_answer a;

	assert_int_equal(what_if_answer(tables, f, &w, &a), 0);
	return a;
}

static void other_conditions(void **state)
{
	struct fit_record r = full_drive(0.1, analytic_greedy(0.1, 64));
	CLEANUP(fit_release) struct fit f = { 0 };
	struct what_if_answer a, b;

	(void)state;
	fit_to(&r, &f);
	a = ask(&f, (struct what_if){ 0 });
	assert_within(a.waf.low, f.waf, 1e-9);
	assert_within(a.waf.high, f.waf, 1e-9);
	/* more spare by either way: the truth of this drive is known */
	a = ask(&f, (struct what_if){ .has_overprovisioning = true, .overprovisioning = 0.25 });
	assert_true(a.waf.low < analytic_greedy(0.2, 64) && analytic_greedy(0.2, 64) < a.waf.high);
	assert_within(a.waf.median, analytic_greedy(0.2, 64), 0.1);
	assert_within(a.capacity.median, 1 / 0.9 / 1.25, 0.01);
	b = ask(&f, (struct what_if){ .has_fill = true, .fill = 1 / 0.9 / 1.25 });
	assert_within(b.waf.median, f.waf, 0.01); /* never trimmed: free space does not help */
	b = ask(&f, (struct what_if){ .has_fill = true,
				      .fill = 0.8 / 0.9,
				      .has_trim = true,
				      .trim = TRIM_AT_ONCE });
	assert_within(b.waf.median, a.waf.median, 0.02);
	/* the less trimming, the more is collected; writes wear in proportion */
	a = ask(&f, (struct what_if){
			    .has_fill = true, .fill = 0.6, .has_trim = true, .trim = TRIM_DAILY });
	b = ask(&f, (struct what_if){
			    .has_fill = true, .fill = 0.6, .has_trim = true, .trim = TRIM_WEEKLY });
	assert_true(a.waf.median < b.waf.median);
	b = ask(&f, (struct what_if){ .has_writes = true, .writes = 3 });
	assert_within(b.waf.median, f.waf, 0.01);
	assert_within(b.wear.median, 3, 0.01);
}

static void days_join_both_intervals(void **state)
{
	struct fit_record r = full_drive(0.1, 4);
	const struct what_if twice = { .has_writes = true, .writes = 2 };
	const struct what_if_value now = { 1000, 800, 1300 }, sure = { 1000, 1000, 1000 };
	const struct what_if_value endless = { 1000, 800, INFINITY };
	CLEANUP(fit_release) struct fit f = { 0 };
	struct what_if_value then;

	(void)state;
	fit_to(&r, &f);
	assert_int_equal(what_if_days(tables, &f, &twice, &now, &then), 0);
	assert_within(then.median, 500, 0.02);
	assert_within(then.low, 400, 0.03);
	assert_within(then.high, 650, 0.03);
	assert_int_equal(what_if_days(tables, &f, &twice, &sure, &then), 0);
	assert_within(then.low, 500, 0.05);
	assert_within(then.high, 500, 0.05);
	assert_int_equal(what_if_days(tables, &f, &twice, &endless, &then), 0);
	assert_true(isinf(then.high) && isfinite(then.median));
}

static void absurd_conditions(void **state)
{
	static const struct {
		struct what_if w;
		const char *says;
	} rows[] = {
		{ { .has_overprovisioning = true, .overprovisioning = 2 }, "is: 100 %" },
		{ { .has_overprovisioning = true, .overprovisioning = 0 }, "is: 1 %" },
		{ { .has_fill = true, .fill = 0 }, "is: 1 %" },
		{ { .has_fill = true, .fill = 1.5 }, "is: 100 %" },
		{ { .has_writes = true, .writes = 0 }, "x0.001" },
		{ { .has_writes = true, .writes = 1e9 }, "x1000" },
		{ { .has_writes = true, .writes = (double)NAN }, "x0.001" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct diag d = { 0 };

		assert_int_equal(what_if_check(&rows[i].w, &d), -EINVAL);
		assert_non_null(strstr(d.text, rows[i].says));
	}
}

static void put(struct facts *facts, enum fact_id id, i128 value)
{
	facts->sets[id].n = 1;
	facts->sets[id].candidates[0] = (struct fact){ .value = value };
}

/* NAND bytes from what there is, and what is missing. */
static void evidence_of_one_reading(void **state)
{
	static const struct drive_rule rule;
	struct identity id = { .has_capacity = true, .capacity_bytes = 1000000000000 };
	CLEANUP(cleanup_free) struct facts *facts = calloc(1, sizeof(*facts));
	const struct fit_source s = { &id, &rule, facts, NULL, NULL };
	struct fit_reading r;

	(void)state;
	assert_non_null(facts);
	fit_reading_take(&s, &r);
	assert_int_equal(r.evidence, EVIDENCE_NONE);
	assert_non_null(strstr(r.missing, "host bytes"));
	put(facts, FACT_HOST_BYTES_WRITTEN, (i128)100000000000000);
	fit_reading_take(&s, &r);
	assert_non_null(strstr(r.missing, "NAND bytes"));
	put(facts, FACT_PERCENTAGE_USED, 10000);
	fit_reading_take(&s, &r);
	assert_int_equal(r.evidence, EVIDENCE_NONE);
	put(facts, FACT_RATED_PE_CYCLES, 2000); /* 10 % of 2,000 cycles of 1 TB */
	fit_reading_take(&s, &r);
	assert_int_equal(r.evidence, EVIDENCE_PERCENTAGE);
	assert_within(r.record.life.nand, 200e12, 1e-9);
	assert_true(r.record.life.relative_step > 0.1);
	put(facts, FACT_ERASE_COUNT_AVG, 210);
	fit_reading_take(&s, &r);
	assert_int_equal(r.evidence, EVIDENCE_ERASES);
	assert_within(r.record.life.nand, 210e12, 1e-9);
	assert_true(r.record.cycle <= 0); /* it would be made of itself */
	put(facts, FACT_NAND_BYTES_WRITTEN, (i128)230000000000000);
	fit_reading_take(&s, &r);
	assert_int_equal(r.evidence, EVIDENCE_NAND);
	assert_within(r.record.cycle, 230e12 / 211, 1e-9);
	id.has_capacity = false;
	fit_reading_take(&s, &r);
	assert_int_equal(r.evidence, EVIDENCE_NAND);
	assert_true(r.record.cycle <= 0 && r.record.has_life);
}

/* A drive that counts NAND bytes and no erases gets an estimate, which binds where it is alone. */
static void estimate_of_the_model(void **state)
{
	static const struct drive_rule rule;
	const struct identity id = { .has_capacity = true, .capacity_bytes = 1000000000000 };
	CLEANUP(cleanup_free) struct facts *facts = calloc(1, sizeof(*facts));
	CLEANUP(cleanup_free) struct estimates *estimates = calloc(1, sizeof(*estimates));
	const struct fit_source s = { &id, &rule, facts, NULL, NULL };
	CLEANUP(fit_release) struct fit f = { 0 };
	const struct estimate *e;
	struct fit_reading r;

	(void)state;
	assert_true(facts && estimates);
	estimates->binding = -1;
	put(facts, FACT_HOST_BYTES_WRITTEN, (i128)100000000000000);
	put(facts, FACT_NAND_BYTES_WRITTEN, (i128)300000000000000);
	put(facts, FACT_POWER_ON_HOURS, 24000); /* 100 GB a day */
	fit_reading_take(&s, &r);
	fit_to(&r.record, &f);
	e = &estimates->by_method[METHOD_FTL_MODEL];
	assert_int_equal(fit_estimate(tables, &s, &r, &f, estimates), 0);
	assert_false(e->has_left);
	assert_non_null(strstr(e->reason, "rated P/E cycles"));
	put(facts, FACT_RATED_PE_CYCLES, 1000);
	assert_int_equal(fit_estimate(tables, &s, &r, &f, estimates), 0);
	assert_within(e->left_percent, 70, 1e-6);
	/* 700 cycles of 1 TB at 300 GB a day */
	assert_within(e->days_left, 700e12 / 300e9, 0.1);
	assert_true(e->days_low < 700e12 / 300e9 && 700e12 / 300e9 < e->days_high);
	assert_int_equal(estimates->binding, METHOD_FTL_MODEL);
	estimates->by_method[METHOD_PERCENTAGE_USED] = (struct estimate){
		.has_left = true, .has_days = true, .left_percent = 90, .days_left = 9000
	};
	assert_int_equal(fit_estimate(tables, &s, &r, &f, estimates), 0);
	assert_int_equal(estimates->binding, METHOD_PERCENTAGE_USED);
	assert_non_null(strstr(e->reason, "does not bind"));
}

/* The closed loop in short; `make bench-project` runs it over more and larger drives. */
static void hidden_drives_are_recovered(void **state)
{
	struct hidden_score score;

	(void)state;
	assert_int_equal(hidden_drives_score(77, 8, 4096, NULL, &score), 0);
	assert_true(score.median_error <= 0.15);
	assert_true(score.coverage >= 0.7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_the_models),
		cmocka_unit_test(costs_beside_collection),
		cmocka_unit_test(trimmed_between_trims),
		cmocka_unit_test(spare_is_recovered),
		cmocka_unit_test(same_record_same_fit),
		cmocka_unit_test(little_is_not_told),
		cmocka_unit_test(strange_records),
		cmocka_unit_test(other_conditions),
		cmocka_unit_test(days_join_both_intervals),
		cmocka_unit_test(absurd_conditions),
		cmocka_unit_test(evidence_of_one_reading),
		cmocka_unit_test(estimate_of_the_model),
		cmocka_unit_test(hidden_drives_are_recovered),
	};

	return cmocka_run_group_tests_name("project", tests, set_up, tear_down);
}

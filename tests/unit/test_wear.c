/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/judged.h"

static void assert_near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.9g is not %.9g within %g", got, want, within);
}

static void equation(void **state)
{
	struct wear_equation intel = { 80e9, 10000, 1.1, 1.1 };
	struct wear_equation usual = { 80e9, 10000, 20, 3 };
	double tb = wear_equation_host_bytes(&intel) / 1e12;

	(void)state;
	assert_near(tb, 661.157, 0.001);
	assert_near(tb * 1e12 / 100e9 / 365.25, 18.1, 0.01);
	assert_near(wear_equation_host_bytes(&usual) / 1e12, 13.333, 0.001);
	assert_near(wear_equation_host_bytes(&usual) / 100e9, 133.3, 0.1);
	assert_near(wear_equation_allowed_product(80e9, 10000, 100e9, 5 * 365.25), 4.380, 0.001);
	/* the two are inverse to each other */
	assert_near(wear_equation_allowed_product(80e9, 10000, 100e9,
						  wear_equation_host_bytes(&usual) / 100e9),
		    60, 1e-9);
	assert_near(wear_equation_host_bytes(&(struct wear_equation){ 80e9, 10000, 1, 1 }), 800e12,
		    1);
	assert_near(wear_equation_host_bytes(&(struct wear_equation){ 80e9, 10000, 0, 1 }), 0, 0);
	assert_near(wear_equation_host_bytes(&(struct wear_equation){ 80e9, 0, 1, 1 }), 0, 0);
	assert_near(wear_equation_allowed_product(80e9, 10000, 0, 1), 0, 0);
	assert_near(wear_equation_allowed_product(NAN, 10000, 1, 1), 0, 0);
}

static const struct wear *wear_of(struct judged *d)
{
	return &judged_run(d)->wear;
}

static void waf(void **state)
{
	/* host, NAND, compresses; WAF, plausible, settled */
	static const struct {
		double host, nand;
		bool compresses;
		double waf;
		bool plausible, settled;
	} rows[] = {
		{ 412e12, 655e12, false, 1.5898, true, true },
		{ 9949e9, 12158e9, false, 1.2220, true, true }, /* wear math */
		{ 3361.7, 3200, false, 0.9519, false, false },	/* wear math */
		{ 100e12, 63e12, true, 0.63, true, true },	/* Nytro */
		{ 100e12, 63e12, false, 0.63, false, false },
		{ 99e9, 150e9, false, 1.5152, true, false }, /* too little to be sure */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();
		const struct wear *w;

		d->rule.compresses = rows[i].compresses;
		judged_fact(d, FACT_HOST_BYTES_WRITTEN, rows[i].host);
		judged_fact(d, FACT_NAND_BYTES_WRITTEN, rows[i].nand);
		w = wear_of(d);
		assert_true(w->has_waf_lifetime);
		assert_near(w->waf_lifetime, rows[i].waf, 0.0001);
		assert_int_equal(w->waf_plausible, rows[i].plausible);
		assert_int_equal(w->waf_settled, rows[i].settled);
		assert_near(wear_waf(w), rows[i].plausible ? rows[i].waf : 1, 0.0001);
		assert_int_equal(judged_conflict(d, FACT_NAND_BYTES_WRITTEN,
						 FACT_HOST_BYTES_WRITTEN) != NULL,
				 !rows[i].plausible);
		assert_int_equal(*w->waf_note != '\0', !rows[i].settled);
	}
}

/* A source that is too long for a sentence loses its names and its rule, not its end. */
static void sources_are_not_cut(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	snprintf(judged_fact(d, FACT_NAND_BYTES_WRITTEN, 1e12)->source, FACT_SOURCE_MAX,
		 "average erase count x user capacity (attribute 177 raw value (average erase "
		 "count, cycles), rule Example)");
	snprintf(judged_fact(d, FACT_HOST_BYTES_WRITTEN, 2e12)->source, FACT_SOURCE_MAX,
		 "attribute 241 raw value (host written, 512 B), rule Example");
	assert_string_equal(wear_of(d)->waf_source,
			    "average erase count x user capacity / attribute 241 raw value "
			    "(host written, 512 B), rule Example");
	assert_non_null(strstr(
		judged_conflict(d, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN)->text,
		"(average erase count x user capacity), host 2.00 TB (attribute 241 raw value "
		"(host written, 512 B), rule Example); below 1"));
}

static void waf_unknown(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	assert_false(wear_of(d)->has_waf_lifetime); /* no NAND counter: not 1 */
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 5e12);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 0); /* a dead drive: no division by zero */
	assert_false(wear_of(d)->has_waf_lifetime);
	assert_near(wear_waf(&d->a.wear), 1, 0);
}

static void waf_of_huge_counters(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 0)->value = I128_MAX / 2;
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 0)->value = I128_MAX;
	assert_near(wear_of(d)->waf_lifetime, 2, 1e-9);
}

static void waf_note(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 100e12)->bound = BOUND_AT_LEAST;
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 200e12);
	assert_non_null(strstr(wear_of(d)->waf_note, "at most"));
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 100e12);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 200e12)->confidence = CONFIDENCE_HIGH;
	assert_true(wear_of(d)->waf_settled);
	assert_string_equal(d->a.wear.waf_note, "");
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 200e12)->confidence = CONFIDENCE_MEDIUM;
	assert_non_null(strstr(wear_of(d)->waf_note, "unconfirmed"));
	assert_false(d->a.wear.waf_settled);
	d->a.facts.sets[FACT_NAND_BYTES_WRITTEN].candidates[0].quality = QUALITY_DERIVED;
	assert_non_null(strstr(wear_of(d)->waf_note, "derived"));
	assert_true(d->a.wear.waf_settled); /* by an erase count and a capacity: medium */
	d->a.facts.sets[FACT_NAND_BYTES_WRITTEN].candidates[0].confidence = CONFIDENCE_LOW;
	assert_false(wear_of(d)->waf_settled);
}

/* A wrapped host counter makes a WAF in the hundreds: shown, marked, and never judged by. */
static void waf_in_the_hundreds(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 1e12);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 75e12);
	assert_true(wear_of(d)->waf_settled);
	assert_int_equal(d->a.facts.nconflicts, 0);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 323e12);
	assert_near(wear_of(d)->waf_lifetime, 323, 1e-9);
	assert_false(d->a.wear.waf_settled);
	assert_non_null(strstr(d->a.wear.waf_note, "not plausible"));
	assert_non_null(judged_conflict(d, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN));
	judged_refuse(d, "waf.high");
	/* units: 169 GB read as 2 GB, against 170 GB of NAND writes */
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 2e9);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 170e9);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 1);
	/* a nearly new drive: no contradiction, only too little */
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 99e9);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 1e9);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 0);
}

static void unevenness(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	assert_false(wear_of(d)->has_unevenness);
	judged_fact(d, FACT_ERASE_COUNT_AVG, 357);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 421);
	assert_near(wear_of(d)->unevenness, 1.1793, 0.0001);
	assert_true(d->a.wear.unevenness_settled);

	/* pSLC blocks see far more erases; they are another area */
	judged_fact(d, FACT_ERASE_COUNT_SLC_AVG, 62117);
	judged_fact(d, FACT_ERASE_COUNT_SLC_MAX, 63393);
	assert_near(wear_of(d)->unevenness, 1.1793, 0.0001);

	/* word order reversed: the average stands above the maximum */
	judged_fact(d, FACT_ERASE_COUNT_AVG, 12474);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 4919);
	assert_false(wear_of(d)->has_unevenness);
	assert_non_null(judged_conflict(d, FACT_ERASE_COUNT_MAX, FACT_ERASE_COUNT_AVG));
	judged_fact(d, FACT_ERASE_COUNT_AVG, 12474)->quality = QUALITY_DERIVED;
	assert_false(wear_of(d)->has_unevenness);
	assert_null(judged_conflict(d, FACT_ERASE_COUNT_MAX, FACT_ERASE_COUNT_AVG));

	judged_fact(d, FACT_ERASE_COUNT_AVG, 2);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 8);
	assert_near(wear_of(d)->unevenness, 4, 0);
	assert_false(d->a.wear.unevenness_settled);
	judged_fact(d, FACT_ERASE_COUNT_AVG, 0);
	assert_false(wear_of(d)->has_unevenness);
}

static void life_used(void **state)
{
	static const struct {
		double used;
		bool has;
		long long left;
	} rows[] = {
		{ 0, true, 100000 },	 { 8, true, 92000 },
		{ 29, true, 71000 },	 { 123.7, true, 0 },
		{ 99.9, true, 100 },	 { 200, true, 0 },
		{ 255, true, 0 },	 { 1000, true, 0 },
		{ 1001, false, 0 }, /* another number misread */
		{ 19584.301, false, 0 }, { -229, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();
		const struct wear *w;

		judged_fact(d, FACT_PERCENTAGE_USED, rows[i].used);
		w = wear_of(d);
		assert_int_equal(w->has_used, rows[i].has);
		assert_int_equal(w->has_left, rows[i].has);
		if (!rows[i].has)
			continue;
		assert_true(w->used == (i128)llround(rows[i].used * 1000)); /* unclipped */
		assert_true(w->left == rows[i].left);
		assert_true(w->bound == BOUND_EXACT);
		assert_string_equal(w->used_source, "test log, percentage_used");
	}
}

static void life_used_from_erase_counts(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	d->a.facts.sets[FACT_PERCENTAGE_USED].n = 0;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 2554);
	assert_false(wear_of(d)->has_used); /* of how many? */
	judged_fact(d, FACT_RATED_PE_CYCLES, 1500)->confidence = CONFIDENCE_MEDIUM;
	assert_true(wear_of(d)->used == 170267);
	assert_true(d->a.wear.left == 0);
	assert_int_equal(d->a.wear.used_confidence, CONFIDENCE_MEDIUM);
	assert_non_null(strstr(d->a.wear.used_source, "2,554 of 1,500 cycles"));

	/* rated writes are no wear */
	d->a.facts.sets[FACT_ERASE_COUNT_AVG].n = 0;
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 40e12);
	assert_false(wear_of(d)->has_used);
}

static void floor_and_saturation(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 99)->bound = BOUND_AT_LEAST;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 7065);
	judged_fact(d, FACT_RATED_PE_CYCLES, 2100);
	assert_true(wear_of(d)->used == 99000);
	assert_true(d->a.wear.bound == BOUND_AT_LEAST);
	assert_true(d->a.wear.left == 1000);
	/* 336 % by erase counts is within "at least 99 %" */
	assert_int_equal(d->a.facts.nconflicts, 0);
}

static void measures_differ(void **state)
{
	static const struct {
		long long a, b;
		enum fact_bound bound_a, bound_b;
		bool warranty_b, differ;
	} rows[] = {
		{ 10000, 20000, BOUND_EXACT, BOUND_EXACT, false, false },
		{ 10000, 20001, BOUND_EXACT, BOUND_EXACT, false, true },
		{ 20001, 10000, BOUND_EXACT, BOUND_EXACT, false, true },
		{ 99000, 336000, BOUND_AT_LEAST, BOUND_EXACT, false, false },
		{ 99000, 20000, BOUND_AT_LEAST, BOUND_EXACT, false, true },
		{ 99000, 20000, BOUND_AT_MOST, BOUND_EXACT, false, false },
		{ 8000, 360, BOUND_EXACT, BOUND_EXACT, true, true }, /* Wear math */
		{ 8000, 360, BOUND_EXACT, BOUND_EXACT, false, false },
		{ 8000, 800, BOUND_EXACT, BOUND_EXACT, true, true },
		{ 8000, 900, BOUND_EXACT, BOUND_EXACT, true, false },
		{ 4000, 10, BOUND_EXACT, BOUND_EXACT, true, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct life_measure a = { .used = rows[i].a, .bound = rows[i].bound_a };
		struct life_measure b = { .used = rows[i].b,
					  .bound = rows[i].bound_b,
					  .warranty = rows[i].warranty_b };

		assert_int_equal(life_measures_differ(&a, &b), rows[i].differ);
		assert_int_equal(life_measures_differ(&b, &a), rows[i].differ);
	}
}

/* Wear math: 98 % by the drive, 21.4 % by a TBW rating; the drive's word is followed, both are
 * shown. */
static void conflict_with_rated_writes(void **state)
{
	struct judged *d = judged_sata();
	const struct conflict *c;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 98);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 62578693422.0 * 512);
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 150e12)->quality = QUALITY_DERIVED;
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 5887 * 128e9)->quality = QUALITY_DERIVED;
	judged_run(d);
	assert_true(d->a.wear.left == 2000);
	assert_near(d->a.wear.waf_lifetime, 23.52, 0.01);
	c = judged_conflict(d, FACT_PERCENTAGE_USED, FACT_HOST_BYTES_WRITTEN);
	assert_non_null(c);
	assert_non_null(strstr(c->text, "98 %"));
	assert_non_null(strstr(c->text, "21.4 %"));
	assert_non_null(
		strstr(c->text, "the first is followed: rated writes are a warranty figure"));
}

/* A stuck standard percentage beside a vendor's: which one is followed stands in the text. */
static void conflict_of_candidates(void **state)
{
	struct judged *d = judged_sata();
	struct fact *other;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 17)->quality = QUALITY_VENDOR;
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 0);
	other = judged_candidate(d, FACT_PERCENTAGE_USED, 0);
	other->confidence = CONFIDENCE_LOW;
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 1);
	assert_non_null(judged_conflict(d, FACT_PERCENTAGE_USED, FACT_PERCENTAGE_USED));
	assert_non_null(strstr(d->a.facts.conflicts[0].text, "the other is less sure"));

	/* what the collector derives from the erase count is one measure, not two */
	other->value = 45000;
	other->quality = QUALITY_DERIVED;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 450);
	judged_fact(d, FACT_RATED_PE_CYCLES, 1000);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 1);

	/* equally sure: the drive's own word comes before erase counts */
	d->a.facts.sets[FACT_PERCENTAGE_USED].n = 1;
	judged_run(d);
	assert_non_null(judged_conflict(d, FACT_PERCENTAGE_USED, FACT_ERASE_COUNT_AVG));
	assert_non_null(strstr(d->a.facts.conflicts[0].text, "45 % by average erase count"));
	assert_non_null(strstr(d->a.facts.conflicts[0].text, "it is the drive's own word"));
}

/* Each measure against the followed one; others among themselves only where both contradict it. */
static void conflicts_of_many_measures(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 73);
	judged_candidate(d, FACT_PERCENTAGE_USED, 74);
	judged_fact(d, FACT_ERASE_COUNT_AVG, 1103);
	judged_fact(d, FACT_RATED_PE_CYCLES, 1500);
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 700e12);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 1);
	assert_int_equal(d->a.facts.conflicts[0].facts[0], FACT_PERCENTAGE_USED);
	assert_int_equal(d->a.facts.conflicts[0].facts[1], FACT_HOST_BYTES_WRITTEN);
	assert_int_equal(d->a.facts.conflicts[0].facts[2], FACT_RATED_BYTES_WRITTEN);
	assert_int_equal(d->a.facts.conflicts[0].facts[3], FACT_NONE);

	judged_fact(d, FACT_ERASE_COUNT_AVG, 300); /* 20 %, against 73 % and 2.9 % */
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 3);
	assert_non_null(judged_conflict(d, FACT_PERCENTAGE_USED, FACT_ERASE_COUNT_AVG));
	assert_non_null(judged_conflict(d, FACT_PERCENTAGE_USED, FACT_HOST_BYTES_WRITTEN));
	assert_non_null(judged_conflict(d, FACT_ERASE_COUNT_AVG, FACT_HOST_BYTES_WRITTEN));
}

static void collector_has_said_so(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_candidate(d, FACT_PERCENTAGE_USED, 60);
	facts_add_conflict(&d->a.facts, FACT_PERCENTAGE_USED, FACT_NONE, "10 %% here, 60 %% there");
	life_measures_compare(&d->a.facts);
	assert_int_equal(d->a.facts.nconflicts, 1);
}

static void implausible_rates(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	/* 600 MB/s x 101 h = 218 TB */
	judged_fact(d, FACT_POWER_ON_HOURS, 100);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 218e12);
	judged_run(d);
	assert_null(judged_conflict(d, FACT_HOST_BYTES_WRITTEN, FACT_POWER_ON_HOURS));
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 219e12);
	judged_run(d);
	assert_non_null(judged_conflict(d, FACT_HOST_BYTES_WRITTEN, FACT_POWER_ON_HOURS));
	assert_non_null(strstr(d->a.facts.conflicts[0].text, "would be 602 MB a second"));
	d->r.identity.protocol = PROTOCOL_NVME;
	judged_run(d);
	assert_null(judged_conflict(d, FACT_HOST_BYTES_WRITTEN, FACT_POWER_ON_HOURS));
}

/* Units: 1.8 GB of host writes on a 128 GB drive that is 10 % used: 32 MiB were read as 512 B. */
static void implausible_units(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	d->r.identity.capacity_bytes = 128000000000;
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 12.7e9);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 0); /* capacity not known */
	d->r.identity.has_capacity = true;
	judged_run(d);
	assert_non_null(judged_conflict(d, FACT_HOST_BYTES_WRITTEN, FACT_PERCENTAGE_USED));
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 12.8e9);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 0);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 1e9);
	judged_fact(d, FACT_PERCENTAGE_USED, 1);
	judged_run(d);
	assert_int_equal(d->a.facts.nconflicts, 0);
}

/* Wear math: 329 % used after 319 h, nothing else says so: shown, clamped, and marked. */
static void implausible_wear(void **state)
{
	struct judged *d = judged_new(PROTOCOL_ATA);

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 329);
	judged_fact(d, FACT_POWER_ON_HOURS, 319);
	judged_run(d);
	assert_true(d->a.wear.used == 329000);
	assert_true(d->a.wear.left == 0);
	assert_false(d->a.wear.used_plausible);
	assert_non_null(judged_conflict(d, FACT_PERCENTAGE_USED, FACT_POWER_ON_HOURS));

	/* a drive that was written to death in a fortnight shows it in its erase counts */
	judged_fact(d, FACT_ERASE_COUNT_AVG, 3290);
	judged_fact(d, FACT_RATED_PE_CYCLES, 1000);
	judged_run(d);
	assert_true(d->a.wear.used_plausible);

	d->a.facts.sets[FACT_ERASE_COUNT_AVG].n = 0;
	judged_fact(d, FACT_PERCENTAGE_USED, 200);
	judged_run(d);
	assert_true(d->a.wear.used_plausible);
	judged_fact(d, FACT_PERCENTAGE_USED, 329);
	judged_fact(d, FACT_POWER_ON_HOURS, 1000);
	judged_run(d);
	assert_true(d->a.wear.used_plausible);
	judged_fact(d, FACT_POWER_ON_HOURS, 31900);
	judged_run(d);
	assert_true(d->a.wear.used_plausible);
	d->a.facts.sets[FACT_POWER_ON_HOURS].n = 0; /* how fast is not known */
	judged_run(d);
	assert_true(d->a.wear.used_plausible);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equation),
		cmocka_unit_test(waf),
		cmocka_unit_test(sources_are_not_cut),
		cmocka_unit_test(waf_unknown),
		cmocka_unit_test(waf_of_huge_counters),
		cmocka_unit_test(waf_note),
		cmocka_unit_test(waf_in_the_hundreds),
		cmocka_unit_test(unevenness),
		cmocka_unit_test(life_used),
		cmocka_unit_test(life_used_from_erase_counts),
		cmocka_unit_test(floor_and_saturation),
		cmocka_unit_test(measures_differ),
		cmocka_unit_test(conflict_with_rated_writes),
		cmocka_unit_test(conflict_of_candidates),
		cmocka_unit_test(conflicts_of_many_measures),
		cmocka_unit_test(collector_has_said_so),
		cmocka_unit_test(implausible_rates),
		cmocka_unit_test(implausible_units),
		cmocka_unit_test(implausible_wear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

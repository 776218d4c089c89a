/* SPDX-License-Identifier: MIT */
/* Findings on wear, spare, write amplification and unevenness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lib/judged.h"

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static void source(struct fact *f, const char *text)
{
	snprintf(f->source, sizeof(f->source), "%s", text);
}

static void life_low(void **state)
{
	static const struct {
		double used;
		const char *id;
		enum severity severity;
	} rows[] = {
		{ 89.9, NULL, SEVERITY_OK },
		{ 90, "wear.life-low", SEVERITY_WARNING },
		{ 98.99, "wear.life-low", SEVERITY_WARNING },
		{ 99, "wear.life-low", SEVERITY_CRITICAL },
		{ 255, "wear.life-low", SEVERITY_CRITICAL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();

		judged_fact(d, FACT_PERCENTAGE_USED, rows[i].used);
		if (rows[i].id)
			judged_expect(d, rows[i].id, rows[i].severity);
		else
			judged_refuse(d, "wear.life-low");
		assert_int_equal(d->a.verdict, rows[i].severity);
	}
}

static void life_low_in_words(void **state)
{
	struct judged *d = judged_sata();
	const struct finding *f;

	(void)state;
	source(judged_fact(d, FACT_PERCENTAGE_USED, 170),
	       "attribute 202, raw; rule MX500 (proven)");
	judged_fact(d, FACT_ERASE_COUNT_AVG, 2554);
	judged_fact(d, FACT_RATED_PE_CYCLES, 1500);
	f = judged_expect(d, "wear.life-low", SEVERITY_CRITICAL);
	assert_string_equal(f->text,
			    "170 % of the rated life is used (attribute 202; average 2,554 "
			    "of 1,500 rated cycles)");
	assert_string_equal(f->evidence, "percentage_used 170 %: attribute 202, raw; rule MX500 "
					 "(proven); limits: warning 90 %, critical 99 %");
	assert_string_equal(f->advice, "replace it; copy its data first");
	assert_string_equal(d->a.reason, f->text);
}

/* The line names the log or the attribute; the evidence the whole source. */
static void sources_in_short(void **state)
{
	static const struct {
		const char *source, *shown;
	} rows[] = {
		{ "SMART / Health Information (log 02h), Percentage used at byte 5", "(log 02h)" },
		{ "attribute 202 raw value (rated life used, %), rule MX500", "(attribute 202)" },
		{ "attribute 177 normalised value (life), unconfirmed", "(attribute 177)" },
		{ "attribute 231", "(attribute 231)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_sata();
		const struct finding *f;

		source(judged_fact(d, FACT_PERCENTAGE_USED, 95), rows[i].source);
		f = judged_expect(d, "wear.life-low", SEVERITY_WARNING);
		assert_says(f->text, rows[i].shown);
		assert_says(f->evidence, rows[i].source);
	}
}

/* Wear math: value 1 with threshold 0, all error counts 0: still 99 % used. */
static void threshold_of_zero_disables_nothing(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_attribute(d, 177, 1, 1, 0);
	judged_fact(d, FACT_PERCENTAGE_USED, 99)->bound = BOUND_AT_LEAST;
	assert_says(judged_expect(d, "wear.life-low", SEVERITY_CRITICAL)->text,
		    "at least 99 % of the rated life is used");
}

/* Drive database: a guess does not alarm; an unconfirmed meaning warns at most, and says so. */
static void life_low_by_confidence(void **state)
{
	struct judged *d = judged_sata();
	struct fact *used = judged_fact(d, FACT_PERCENTAGE_USED, 100);

	(void)state;
	used->confidence = CONFIDENCE_HIGH;
	judged_expect(d, "wear.life-low", SEVERITY_CRITICAL);
	used->confidence = CONFIDENCE_MEDIUM;
	assert_says(judged_expect(d, "wear.life-low", SEVERITY_WARNING)->text, "unconfirmed");
	used->confidence = CONFIDENCE_LOW;
	judged_refuse(d, "wear.life-low");
	used->confidence = CONFIDENCE_UNKNOWN;
	judged_refuse(d, "wear.life-low");
}

/* Wear math: 329 % after 319 h is marked, and is no reason to pull the drive at once. */
static void implausible_life(void **state)
{
	struct judged *d = judged_new(PROTOCOL_ATA);

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 329);
	judged_fact(d, FACT_POWER_ON_HOURS, 319);
	assert_says(judged_expect(d, "wear.life-low", SEVERITY_WARNING)->text,
		    "329 % of the rated life used after only 319 h is not plausible");
	judged_fact(d, FACT_POWER_ON_HOURS, 3190);
	judged_expect(d, "wear.life-low", SEVERITY_CRITICAL);
}

static void limits_of_the_admin(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	d->limits.used_warning = 10;
	judged_expect(d, "wear.life-low", SEVERITY_WARNING);
	d->limits.used_critical = 10;
	judged_expect(d, "wear.life-low", SEVERITY_CRITICAL);
}

/* A drive that answers but reports no wear is ok, with a remark. */
static void wear_unknown(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_refuse(d, "wear.unknown");
	d->a.facts.sets[FACT_PERCENTAGE_USED].n = 0;
	assert_string_equal(judged_expect(d, "wear.unknown", SEVERITY_OK)->text,
			    "life used is not known: the drive reports no wear");
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	assert_says(d->a.reason, "reports no life used");
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 80e12);
	assert_says(judged_expect(d, "wear.unknown", SEVERITY_OK)->text,
		    "75.0 % of the rated writes (TBW) are left");
	d->a.facts.sets[FACT_RATED_BYTES_WRITTEN].n = 0;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 500);
	assert_says(judged_expect(d, "wear.unknown", SEVERITY_OK)->text, "no rated cycles");
}

static void rated_writes(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 21e12);
	judged_refuse(d, "wear.rated-writes");
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 20e12);
	judged_expect(d, "wear.rated-writes", SEVERITY_OK);
	assert_int_equal(d->a.verdict, SEVERITY_OK); /* 10 % used by its own word */
	d->a.facts.sets[FACT_PERCENTAGE_USED].n = 0;
	judged_expect(d, "wear.rated-writes", SEVERITY_WARNING);
	d->rule.no_write_limit = true;
	judged_refuse(d, "wear.rated-writes");
}

static void pslc_area(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_ERASE_COUNT_SLC_AVG, 62117);
	judged_refuse(d, "wear.pslc-life-low");
	judged_fact(d, FACT_RATED_PE_CYCLES_SLC, 100000);
	judged_refuse(d, "wear.pslc-life-low");
	judged_fact(d, FACT_RATED_PE_CYCLES_SLC, 65000);
	assert_says(judged_expect(d, "wear.pslc-life-low", SEVERITY_WARNING)->text,
		    "96 % of the pSLC area's life is used (average 62,117 of 65,000 cycles)");
	judged_fact(d, FACT_RATED_PE_CYCLES_SLC, 60000);
	judged_expect(d, "wear.pslc-life-low", SEVERITY_CRITICAL);
	judged_fact(d, FACT_RATED_PE_CYCLES_SLC, 60000)->confidence = CONFIDENCE_MEDIUM;
	judged_expect(d, "wear.pslc-life-low", SEVERITY_WARNING);
	/* it says nothing of the rest of the drive */
	judged_refuse(d, "wear.life-low");
}

static void spare(void **state)
{
	static const struct {
		double spare, threshold; /* threshold -1: not reported */
		const char *id;
		enum severity severity;
	} rows[] = {
		{ 100, 10, NULL, SEVERITY_OK },
		{ 21, 10, NULL, SEVERITY_OK },
		{ 20, 10, "spare.low", SEVERITY_WARNING },
		{ 10, 10, "spare.low", SEVERITY_WARNING },
		{ 9, 10, "spare.below-threshold", SEVERITY_CRITICAL },
		{ 0, 10, "spare.below-threshold", SEVERITY_CRITICAL },
		{ 0, 0, NULL, SEVERITY_OK },	/* nobody fills it in */
		{ 100, 99, NULL, SEVERITY_OK }, /* Apple */
		{ 99, 99, NULL, SEVERITY_OK },
		{ 98, 99, "spare.below-threshold", SEVERITY_CRITICAL },
		{ 11, -1, NULL, SEVERITY_OK },
		{ 10, -1, "spare.low", SEVERITY_WARNING },
		{ 0, -1, NULL, SEVERITY_OK },
		{ 100, 100, NULL, SEVERITY_OK },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();

		judged_fact(d, FACT_AVAILABLE_SPARE, rows[i].spare);
		if (rows[i].threshold < 0)
			d->a.facts.sets[FACT_SPARE_THRESHOLD].n = 0;
		else
			judged_fact(d, FACT_SPARE_THRESHOLD, rows[i].threshold);
		if (rows[i].id)
			judged_expect(d, rows[i].id, rows[i].severity);
		else
			judged_run(d);
		assert_int_equal(d->a.verdict, rows[i].severity);
	}
}

static void spare_by_confidence(void **state)
{
	struct judged *d = judged_sata();
	struct fact *f = judged_fact(d, FACT_AVAILABLE_SPARE, 5);

	(void)state;
	judged_fact(d, FACT_SPARE_THRESHOLD, 10);
	f->confidence = CONFIDENCE_MEDIUM;
	judged_expect(d, "spare.below-threshold", SEVERITY_WARNING);
	f->confidence = CONFIDENCE_LOW;
	judged_refuse(d, "spare.below-threshold");
}

/* Wear math: WAF 23.5 with 2 % left is worth a warning; on a drive that lasts for ages, a remark.
 */
static void waf_high(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 199e12);
	judged_refuse(d, "waf.high");
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 470e12);
	assert_says(judged_expect(d, "waf.high", SEVERITY_OK)->text, "write amplification is 23.5");
	judged_fact(d, FACT_PERCENTAGE_USED, 18); /* 10,000 h for 18 %: 5.2 years left */
	judged_expect(d, "waf.high", SEVERITY_OK);
	judged_fact(d, FACT_PERCENTAGE_USED, 19);
	judged_expect(d, "waf.high", SEVERITY_WARNING);
	judged_fact(d, FACT_PERCENTAGE_USED, 60); /* 278 days */
	judged_expect(d, "waf.high", SEVERITY_WARNING);
	judged_fact(d, FACT_PERCENTAGE_USED, 40); /* 625 days left */
	judged_expect(d, "waf.high", SEVERITY_WARNING);
	d->a.facts.sets[FACT_POWER_ON_HOURS].n = 0; /* without a date half of the life decides */
	judged_expect(d, "waf.high", SEVERITY_OK);
	judged_fact(d, FACT_PERCENTAGE_USED, 50);
	judged_expect(d, "waf.high", SEVERITY_WARNING);
	judged_fact(d, FACT_POWER_ON_HOURS, 10000);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 50e9); /* not enough to be sure of */
	judged_refuse(d, "waf.high");
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 20e12)->bound = BOUND_AT_LEAST; /* wrapped */
	judged_refuse(d, "waf.high");
}

static void unevenness_high(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 500);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 1499);
	judged_refuse(d, "unevenness.high");
	judged_fact(d, FACT_ERASE_COUNT_MAX, 1500);
	assert_says(judged_expect(d, "unevenness.high", SEVERITY_OK)->text, "3.0 times");
	judged_fact(d, FACT_PERCENTAGE_USED, 60);
	judged_expect(d, "unevenness.high", SEVERITY_WARNING);
	judged_fact(d, FACT_ERASE_COUNT_AVG, 10);
	judged_fact(d, FACT_ERASE_COUNT_MAX, 40);
	judged_refuse(d, "unevenness.high");
}

/* A drive that says 5 % while its own erase counts say 102 %: conflicts are remarks, this is not.
 */
static void hidden_wear(void **state)
{
	struct judged *d = judged_sata();
	struct fact *rated;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 5);
	judged_fact(d, FACT_ERASE_COUNT_AVG, 1530);
	rated = judged_fact(d, FACT_RATED_PE_CYCLES, 1500);
	assert_says(judged_expect(d, "data.conflict", SEVERITY_WARNING)->text,
		    "102 % by average erase count (1,530 of 1,500 cycles)");
	rated->confidence = CONFIDENCE_MEDIUM;
	judged_expect(d, "data.conflict", SEVERITY_OK);
	rated->confidence = CONFIDENCE_HIGH;
	judged_fact(d, FACT_ERASE_COUNT_AVG, 1400); /* 93 %: not over yet */
	judged_expect(d, "data.conflict", SEVERITY_OK);
	/* rated writes never do */
	d->a.facts.sets[FACT_ERASE_COUNT_AVG].n = 0;
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 10e12);
	judged_expect(d, "data.conflict", SEVERITY_OK);
	judged_refuse(judged_sata(), "data.conflict");
}

/* A conflict is told to its end, and once. */
static void conflicts_are_told_whole(void **state)
{
	struct judged *d = judged_sata();
	const struct finding *f;

	(void)state;
	snprintf(judged_fact(d, FACT_NAND_BYTES_WRITTEN, 1e12)->source, FACT_SOURCE_MAX, "%075d",
		 1);
	snprintf(judged_fact(d, FACT_HOST_BYTES_WRITTEN, 2e12)->source, FACT_SOURCE_MAX, "%075d",
		 2);
	f = judged_expect(d, "data.conflict", SEVERITY_OK);
	assert_true(strlen(f->text) > 240);
	assert_string_equal(f->text + strlen(f->text) - 15, "estimates use 1");
	assert_string_equal(f->evidence, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(life_low),
		cmocka_unit_test(life_low_in_words),
		cmocka_unit_test(sources_in_short),
		cmocka_unit_test(threshold_of_zero_disables_nothing),
		cmocka_unit_test(life_low_by_confidence),
		cmocka_unit_test(implausible_life),
		cmocka_unit_test(limits_of_the_admin),
		cmocka_unit_test(wear_unknown),
		cmocka_unit_test(rated_writes),
		cmocka_unit_test(pslc_area),
		cmocka_unit_test(spare),
		cmocka_unit_test(spare_by_confidence),
		cmocka_unit_test(waf_high),
		cmocka_unit_test(unevenness_high),
		cmocka_unit_test(hidden_wear),
		cmocka_unit_test(conflicts_are_told_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

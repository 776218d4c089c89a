/* SPDX-License-Identifier: MIT */
/* Which of several sources is followed, and what is said where they disagree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "lib/drive_cases.h"
#include "lib/drive_rules.h"

static bool says(const struct facts *facts, const char *text)
{
	for (size_t i = 0; i < facts->nconflicts; i++)
		if (strstr(facts->conflicts[i].text, text))
			return true;
	return false;
}

static void follows(const struct facts *facts, enum fact_id id, i128 value,
		    enum fact_quality quality)
{
	const struct fact *f = facts_get(facts, id);
	char text[U128_TEXT + 1];

	if (!f)
		fail_msg("%s is unknown", fact_name(id));
	else if (f->value != value || f->quality != quality)
		fail_msg("%s is %s (%s)", fact_name(id), i128_format(f->value, text), f->source);
}

static void collect(const struct drive_case *c, struct facts *ret)
{
	struct reading r;

	drive_case_collect(c, &r, ret);
	reading_release(&r);
}

static void a_wrapped_standard_counter_loses_to_the_attribute(void **state)
{
	const struct drive_case c = {
		.model = "CT1000MX500SSD1",
		.gb = 1000,
		.attributes = { { 246, 100, 165185811366 } },
		.sectors = 165185811366 % ((i128)1 << 32),
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, SECTORS(165185811366), QUALITY_VENDOR);
	assert_true(says(&facts, "wraps at 2^32"));
	assert_int_equal(facts.sets[FACT_HOST_BYTES_WRITTEN].n, 2);
}

static void a_wrap_is_seen_within_one_step_of_the_attribute(void **state)
{
	/* 130,000 steps of 32 MiB and 65,000 sectors into the next one */
	const struct drive_case c = {
		.model = "TS256GSSD370",
		.gb = 256,
		.attributes = { { 241, 100, 130000 } },
		.sectors = ((i128)130000 * 65536 + 65000) % ((i128)1 << 32),
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, MIB32(130000), QUALITY_VENDOR);
}

static void a_wrapping_counter_alone_is_a_lower_bound(void **state)
{
	const struct drive_case c = { .model = "CT1000MX500SSD1", .gb = 1000, .sectors = 5000000 };
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, SECTORS(5000000), QUALITY_MEASURED);
	assert_int_equal(facts_get(&facts, FACT_HOST_BYTES_WRITTEN)->bound, BOUND_AT_LEAST);
}

static void standard_counters_are_followed_where_they_agree(void **state)
{
	const struct drive_case c = {
		.model = "Samsung SSD 860 EVO 1TB",
		.gb = 1000,
		.attributes = { { 241, 99, 77873020 }, { 177, 58, 635 } },
		.sectors = 77873140,
		.percent_plus_one = 45,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, SECTORS(77873140), QUALITY_MEASURED);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(44), QUALITY_MEASURED);
	assert_int_equal(facts.nconflicts, 0);
}

static void a_real_difference_is_a_conflict_with_both_values(void **state)
{
	const struct drive_case c = {
		.model = "Samsung SSD 860 EVO 1TB",
		.gb = 1000,
		.attributes = { { 241, 99, 2000000000 } },
		.sectors = 9000000000,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, SECTORS(9000000000), QUALITY_MEASURED);
	assert_true(says(&facts, "4.61 TB") && says(&facts, "1.02 TB"));
	assert_true(says(&facts, "standard logs stand before attributes"));
}

static void a_statistic_stuck_at_zero_loses(void **state)
{
	const struct drive_case c = {
		.model = "KINGSTON SEDC500R1920G",
		.gb = 1920,
		.attributes = { { 231, 83, 83 } },
		.percent_plus_one = 1,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(17), QUALITY_VENDOR);
	assert_true(says(&facts, "stuck at 0"));
}

static void all_ones_that_other_counters_contradict_lose(void **state)
{
	const struct drive_case c = {
		.model = "KINGSTON SV300S37A60G",
		.gb = 60,
		.attributes = { { 244, 95, 0 } },
		.percent_plus_one = 256,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(5), QUALITY_VENDOR);
	assert_true(says(&facts, "all ones"));
}

static void a_floored_attribute_does_not_contradict_a_saturated_statistic(void **state)
{
	const struct drive_case c = {
		.model = "Samsung SSD 860 PRO 256GB",
		.gb = 256,
		.attributes = { { 177, 1, 7065 } },
		.percent_plus_one = 256,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(255), QUALITY_MEASURED);
	assert_int_equal(facts_get(&facts, FACT_PERCENTAGE_USED)->bound, BOUND_AT_LEAST);
	assert_int_equal(facts.nconflicts, 0);
	/* and what the erase counts say stands behind it: 7,065 of 2,100 */
	assert_true(facts.sets[FACT_PERCENTAGE_USED].candidates[2].value == 336428);
}

static void a_unit_can_be_proven_on_a_drive_without_a_rule(void **state)
{
	struct drive_case c = {
		.model = "UNHEARD OF",
		.gb = 240,
		.attributes = { { 241, 100, 50000 }, { 231, 42, 42 }, { 177, 5, 900 } },
		.sectors = (i128)50000 * 65536 + 1234,
		.percent_plus_one = 8,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, SECTORS(c.sectors), QUALITY_MEASURED);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(7), QUALITY_MEASURED);
	assert_int_equal(facts.sets[FACT_HOST_BYTES_WRITTEN].n, 2);
	assert_null(facts_get(&facts, FACT_ERASE_COUNT_AVG));

	/* wrapped: only the attribute tells */
	c.attributes[0].raw = 200000;
	c.sectors = ((i128)200000 * 65536 + 1234) % ((i128)1 << 32);
	collect(&c, &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, MIB32(200000), QUALITY_VENDOR);

	/* and without the standard log nothing is guessed */
	c.sectors = 0;
	c.percent_plus_one = 0;
	collect(&c, &facts);
	assert_null(facts_get(&facts, FACT_HOST_BYTES_WRITTEN));
	assert_null(facts_get(&facts, FACT_PERCENTAGE_USED));
}

/* 0x239d8b0000_00b4: 180 hours below, milliseconds above; and hours no drive can have. */
static void hours_are_the_low_half_and_possible(void **state)
{
	struct drive_case c = {
		.model = "UNHEARD OF",
		.gb = 240,
		.attributes = { { 9, 100, 10024844510888116 } },
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_POWER_ON_HOURS, 180, QUALITY_VENDOR);
	c.attributes[0].raw = 57951993765239;
	collect(&c, &facts);
	follows(&facts, FACT_POWER_ON_HOURS, 40311, QUALITY_VENDOR);
	c.attributes[0].raw = 200001;
	collect(&c, &facts);
	assert_null(facts_get(&facts, FACT_POWER_ON_HOURS));
}

static void temperatures_are_bytes_and_words_never_the_normalised_value(void **state)
{
	struct drive_case c = {
		.model = "UNHEARD OF",
		.gb = 240,
		.attributes = { { 194, 69, 0x1a00010006 } },
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_TEMPERATURE, 6000, QUALITY_VENDOR);
	follows(&facts, FACT_TEMPERATURE_MAX, 26000, QUALITY_VENDOR);
	c.attributes[0].raw = 0x260016001f;
	collect(&c, &facts);
	follows(&facts, FACT_TEMPERATURE, 31000, QUALITY_VENDOR);
	follows(&facts, FACT_TEMPERATURE_MAX, 38000, QUALITY_VENDOR);
	c.attributes[0].raw = 0; /* no sensor */
	collect(&c, &facts);
	assert_null(facts_get(&facts, FACT_TEMPERATURE));
}

static void a_statistic_far_off_the_attribute_is_no_temperature(void **state)
{
	struct facts facts;
	struct reading r;

	(void)state;
	drive_init(&r, "Patriot P220 512GB", "HDFEB3.2", 512);
	drive_attribute(&r, 194, 35, 35);
	drive_number(&r, "ata.devstat.temperature", "temperature", -58000);
	facts_collect(&r, drive_rule_of(&r), &facts);
	follows(&facts, FACT_TEMPERATURE, 35000, QUALITY_VENDOR);
	assert_true(says(&facts, "30 C apart"));
	reading_release(&r);

	drive_init(&r, "Patriot P220 512GB", "HDFEB3.2", 512);
	drive_attribute(&r, 194, 35, 35);
	drive_number(&r, "ata.devstat.temperature", "temperature", -93000);
	facts_collect(&r, drive_rule_of(&r), &facts);
	follows(&facts, FACT_TEMPERATURE, 35000, QUALITY_VENDOR);
	assert_true(says(&facts, "impossible"));
	reading_release(&r);
}

static void hours_that_differ_are_a_conflict(void **state)
{
	struct facts facts;
	struct reading r;

	(void)state;
	drive_init(&r, "SanDisk SD8SB8U128G1122", "X4120000", 128);
	drive_attribute(&r, 9, 253, 6272);
	drive_number(&r, "ata.devstat.general", "power_on_hours", 752);
	facts_collect(&r, drive_rule_of(&r), &facts);
	follows(&facts, FACT_POWER_ON_HOURS, 752, QUALITY_MEASURED);
	assert_true(says(&facts, "6,272 h") && says(&facts, "752 h"));
	reading_release(&r);
}

/* A normalised 0 with worst 100 was never set: unknown, not worn out. */
static void an_unset_value_is_unknown(void **state)
{
	struct facts facts;
	struct reading r;

	(void)state;
	drive_init(&r, "INTEL SSDSC2KB480G8", "XCV10132", 480);
	drive_attribute(&r, 233, 0, 0);
	r.attributes[0].worst = 100;
	facts_collect(&r, drive_rule_of(&r), &facts);
	assert_null(facts_get(&facts, FACT_PERCENTAGE_USED));
	reading_release(&r);
}

static void an_unconfirmed_attribute_is_told_but_not_followed(void **state)
{
	const struct drive_case c = {
		.model = "Crucial_CT240M500SSD1",
		.firmware = "MU03",
		.gb = 240,
		.attributes = { { 202, 145, 467 } },
		.percent_plus_one = 79,
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(78), QUALITY_MEASURED);
	assert_true(says(&facts, "not 467 % by attribute 202"));
	assert_int_equal(facts.sets[FACT_PERCENTAGE_USED].n, 1);
}

/* One variant of a model counts GB where the rule of another says 512 bytes. */
static void counters_that_are_too_far_apart_are_told(void **state)
{
	struct drive_case c = {
		.model = "SAMSUNG MZ7LH960HAJR-00005",
		.gb = 960,
		.attributes = { { 241, 99, 169 }, { 251, 99, 9000000000 } },
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	assert_true(says(&facts, "more than 80 times") && says(&facts, "another unit"));
	c.attributes[0].raw = 5000000000;
	collect(&c, &facts);
	assert_false(says(&facts, "more than 80 times"));
}

static void nothing_but_statistics_is_enough(void **state)
{
	const struct drive_case c = {
		.model = "MK000960GWEZK", .firmware = "HPGE", .gb = 960, .percent_plus_one = 13
	};
	struct facts facts;

	(void)state;
	collect(&c, &facts);
	follows(&facts, FACT_PERCENTAGE_USED, PERCENT(12), QUALITY_MEASURED);
}

static void nvme_needs_no_rule_and_gives_no_nand_writes(void **state)
{
	struct facts facts;
	struct reading r;

	(void)state;
	drive_init(&r, "ACME NVMe", "1", 1000);
	r.identity.protocol = PROTOCOL_NVME;
	drive_number(&r, "nvme.smart", "data_units_written", 4148594 * (i128)512000);
	drive_number(&r, "nvme.smart", "percentage_used", 200000);
	facts_collect(&r, drive_rule_of(&r), &facts);
	follows(&facts, FACT_HOST_BYTES_WRITTEN, 4148594 * (i128)512000, QUALITY_MEASURED);
	follows(&facts, FACT_PERCENTAGE_USED, 200000, QUALITY_MEASURED);
	assert_null(facts_get(&facts, FACT_NAND_BYTES_WRITTEN));
	assert_null(facts_get(&facts, FACT_RATED_BYTES_WRITTEN));
	reading_release(&r);
}

static void an_average_comes_from_nand_bytes_where_only_extremes_are_logged(void **state)
{
	struct facts facts;
	struct reading r;

	(void)state;
	drive_init(&r, "SAMSUNG MZQL23T8HCLS-00A07", "GDC5302Q", 4000);
	r.identity.protocol = PROTOCOL_NVME;
	drive_number(&r, "ocp.smart", "media_bytes_written", TB(400));
	drive_number(&r, "ocp.smart", "erase_count_max", 130);
	facts_collect(&r, drive_rule_of(&r), &facts);
	follows(&facts, FACT_ERASE_COUNT_AVG, 100, QUALITY_DERIVED);
	reading_release(&r);
}

static void sources_name_log_or_attribute_and_rule(void **state)
{
	const struct drive_case c = {
		.model = "Samsung SSD 750 EVO 250GB",
		.gb = 250,
		.attributes = { { 177, 90, 50 } },
		.sectors = 7,
	};
	struct facts facts;
	const struct fact *f;

	(void)state;
	collect(&c, &facts);
	f = facts_get(&facts, FACT_HOST_BYTES_WRITTEN);
	assert_non_null(strstr(f->source, "Device Statistics"));
	assert_non_null(strstr(f->source, "offset 24"));
	f = facts_get(&facts, FACT_PERCENTAGE_USED);
	assert_non_null(strstr(f->source, "attribute 177 normalised value"));
	assert_non_null(strstr(f->source, "rule Samsung 750 EVO"));
	f = facts_get(&facts, FACT_RATED_BYTES_WRITTEN);
	assert_non_null(strstr(f->source, "unconfirmed"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrapped_standard_counter_loses_to_the_attribute),
		cmocka_unit_test(a_wrap_is_seen_within_one_step_of_the_attribute),
		cmocka_unit_test(a_wrapping_counter_alone_is_a_lower_bound),
		cmocka_unit_test(standard_counters_are_followed_where_they_agree),
		cmocka_unit_test(a_real_difference_is_a_conflict_with_both_values),
		cmocka_unit_test(a_statistic_stuck_at_zero_loses),
		cmocka_unit_test(all_ones_that_other_counters_contradict_lose),
		cmocka_unit_test(a_floored_attribute_does_not_contradict_a_saturated_statistic),
		cmocka_unit_test(a_unit_can_be_proven_on_a_drive_without_a_rule),
		cmocka_unit_test(hours_are_the_low_half_and_possible),
		cmocka_unit_test(temperatures_are_bytes_and_words_never_the_normalised_value),
		cmocka_unit_test(a_statistic_far_off_the_attribute_is_no_temperature),
		cmocka_unit_test(hours_that_differ_are_a_conflict),
		cmocka_unit_test(an_unset_value_is_unknown),
		cmocka_unit_test(an_unconfirmed_attribute_is_told_but_not_followed),
		cmocka_unit_test(counters_that_are_too_far_apart_are_told),
		cmocka_unit_test(nothing_but_statistics_is_enough),
		cmocka_unit_test(nvme_needs_no_rule_and_gives_no_nand_writes),
		cmocka_unit_test(an_average_comes_from_nand_bytes_where_only_extremes_are_logged),
		cmocka_unit_test(sources_name_log_or_attribute_and_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

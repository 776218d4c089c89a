/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/drive_rules.h"

#define FILE_OF(families) "{\"vendor\":\"Acme\",\"families\":[" families "]}"
#define FAMILY_OF(more) \
	"{\"family\":\"One\",\"match\":{\"protocol\":\"ata\",\"model\":\"^ACME 1\"}" more "}"
#define ATTRIBUTE_OF(more)                          \
	FILE_OF(FAMILY_OF(",\"attributes\":[{" more \
			  "\"confidence\":\"proven\",\"evidence\":\"counted\"}]"))

static int parse(const char *text, struct diag *d, struct rules **ret)
{
	struct rules_file file = { .name = "acme.json",
				   .text = bytes_of(text, strlen(text)),
				   .override = true };

	diag_clear(d);
	return rules_parse(&file, 1, d, ret);
}

static struct rules *parsed(const char *text)
{
	struct rules *rules = NULL;
	struct diag d;

	if (parse(text, &d, &rules) < 0)
		fail_msg("%s", d.text);
	return rules;
}

static void refused(const char *text, const char *because)
{
	struct rules *rules = NULL;
	struct diag d;

	assert_int_equal(parse(text, &d, &rules), -EINVAL);
	assert_null(rules);
	if (!strstr(d.text, because) || !strstr(d.text, "acme.json"))
		fail_msg("\"%s\" does not say \"%s\"", d.text, because);
}

static void every_mistake_is_named(void **state)
{
	(void)state;
	refused("", "");
	refused("[]", "no object");
	refused("{\"vendor\":\"A\",\"families\":[]} x", "line 1");
	refused("{\"vendor\":\"A\",\"vendor\":\"B\",\"families\":[]}", "vendor");
	refused("{\"families\":[]}", "\"vendor\" is missing");
	refused("{\"vendor\":1,\"families\":[]}", "no plain text");
	refused("{\"vendor\":\"A\",\"families\":{}}", "no list");
	refused(FILE_OF("{}"), "\"family\" is missing");
	refused(FILE_OF("{\"family\":\"One\"}"), "either \"match\" or \"abstract\"");
	refused(FILE_OF(FAMILY_OF(",\"colour\":1")), "One: family: unknown key \"colour\"");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"model\":\"(\"}}"), "regular expression");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"model\":\"(a{9}){9}\"}}"),
		"single characters");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"model\":\"a{99}\"}}"), "nine times");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"model\":\"(a)\\\\1\"}}"), "back");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"protocol\":\"usb\"}}"),
		"nvme, ata, scsi");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"has\":[0]}}"), "attribute number");
	refused(FILE_OF("{\"family\":\"One\",\"match\":{\"capacity_gb\":[5,1]}}"), "range");
	refused(FILE_OF(FAMILY_OF(",\"extends\":\"None\"")), "no family \"None\"");
	refused(FILE_OF(FAMILY_OF(",\"extends\":\"One\"")), "no family \"One\"");
	refused(FILE_OF("{\"family\":\"A\",\"abstract\":true,\"extends\":\"B\"},"
			"{\"family\":\"B\",\"abstract\":true,\"extends\":\"A\"}"),
		"circle");
	refused(FILE_OF(FAMILY_OF(",\"logs\":[\"acme.smart\"]")), "acme.smart");
	refused(FILE_OF(FAMILY_OF(",\"trim\":[\"maybe\"]")), "unknown word");
	refused(FILE_OF(FAMILY_OF(",\"temperature\":{\"shutdown_celsius\":900}")), "Celsius");
	refused(FILE_OF(FAMILY_OF(",\"ratings\":[{\"tbw_tb\":1}]")), "source");
	refused(FILE_OF(FAMILY_OF(",\"hazards\":[{\"id\":\"a\",\"text\":\"b\",\"source\":\"c\"}]")),
		"\"advice\" is missing");
	refused(FILE_OF(FAMILY_OF(",\"confidence\":\"sure\"")), "proven, high");
}

static void every_mistake_in_an_attribute_is_named(void **state)
{
	(void)state;
	refused(ATTRIBUTE_OF("\"id\":0,\"name\":\"x\","), "does not exist");
	refused(ATTRIBUTE_OF("\"id\":256,\"name\":\"x\","), "range");
	refused(ATTRIBUTE_OF("\"id\":1.5,\"name\":\"x\","), "range");
	refused(ATTRIBUTE_OF("\"id\":1,"), "neither fact nor name");
	refused(ATTRIBUTE_OF("\"id\":1,\"fact\":\"luck\",\"unit\":\"%\","), "unknown fact");
	refused(ATTRIBUTE_OF("\"id\":1,\"fact\":\"percentage_used\","), "\"unit\" is missing");
	refused(ATTRIBUTE_OF("\"id\":1,\"fact\":\"percentage_used\",\"unit\":\"512 B\","),
		"not counted in");
	refused(ATTRIBUTE_OF("\"id\":1,\"fact\":\"percentage_used\",\"unit\":\"ell\","),
		"unknown unit");
	refused(ATTRIBUTE_OF("\"id\":1,\"name\":\"x\",\"read\":\"twice\","), "cannot read");
	refused(ATTRIBUTE_OF("\"id\":1,\"name\":\"x\",\"bits\":[40,20],"), "56 bits");
	refused(FILE_OF(FAMILY_OF(",\"attributes\":[{\"id\":1,\"name\":\"x\"}]")),
		"\"confidence\" is missing");
}

#define PERCENT_OF(more) \
	ATTRIBUTE_OF("\"id\":9,\"fact\":\"percentage_used\",\"unit\":\"%\"" more ",")
#define CYCLES_OF(more) \
	ATTRIBUTE_OF("\"id\":9,\"fact\":\"erase_count_avg\",\"unit\":\"cycles\"" more ",")

/* What the one attribute of a family reads; ABSENT where it says nothing. */
#define ABSENT (-1)

static i128 reads(const char *text, uint8_t value, uint64_t raw, enum fact_bound *ret_bound)
{
	struct rules *rules = parsed(text);
	struct rule_fact found[8];
	struct drive_rule rule;
	struct reading r;
	size_t n;

	drive_init(&r, "ACME 1", "", 100);
	drive_attribute(&r, 9, value, raw);
	drive_attribute(&r, 10, 100, 1000);
	rules_match(rules, &r, &rule);
	n = rule_facts(&rule, &r, found, ARRAY_SIZE(found));
	reading_release(&r);
	rules_free(rules);
	if (ret_bound)
		*ret_bound = n ? found[0].fact.bound : BOUND_AT_MOST;
	return n ? found[0].fact.value : ABSENT;
}

static void every_encoding(void **state)
{
	enum fact_bound bound;

	(void)state;
	assert_true(reads(CYCLES_OF(""), 100, 77, NULL) == 77);
	assert_true(reads(CYCLES_OF(",\"bits\":[16,16]"), 100, 0x000300020001, NULL) == 2);
	assert_true(reads(CYCLES_OF(",\"bits\":[32,16]"), 100, 0x000300020001, NULL) == 3);
	assert_true(reads(CYCLES_OF(",\"plus\":10"), 100, 77, NULL) == 1077);
	assert_true(reads(CYCLES_OF(",\"plus\":11"), 100, 77, NULL) == ABSENT);
	assert_true(reads(CYCLES_OF(",\"read\":\"larger word\""), 100, 0x00050009, NULL) == 9);
	assert_true(reads(CYCLES_OF(",\"read\":\"smaller word\""), 100, 0x00050009, NULL) == 5);
	assert_true(reads(CYCLES_OF(",\"absent_zero\":true"), 100, 0, NULL) == ABSENT);
	assert_true(reads(CYCLES_OF(",\"absent_ones\":true"), 100, 0xffffffffffff, NULL) == ABSENT);
	assert_true(reads(CYCLES_OF(",\"bits\":[0,16],\"absent_ones\":true"), 100, 0xffff, NULL) ==
		    ABSENT);
	/* erased flash is no count, in whatever part of it */
	assert_true(reads(CYCLES_OF(",\"bits\":[0,16]"), 100, 0xffffffffffff, NULL) == ABSENT);
	assert_true(reads(PERCENT_OF(",\"bits\":[0,8],\"ceiling\":255"), 100, 0xffffffffffff,
			  NULL) == ABSENT);
	assert_true(reads(CYCLES_OF(",\"bits\":[0,16]"), 100, 0xffffffff, NULL) == 65535);
	/* no drive has been through a million cycles */
	assert_true(reads(CYCLES_OF(""), 100, 1000001, NULL) == ABSENT);
	assert_true(reads(CYCLES_OF(",\"ceiling\":8191"), 100, 8191, &bound) == 8191);
	assert_int_equal(bound, BOUND_AT_LEAST);
	assert_true(reads(CYCLES_OF(",\"ceiling\":8191"), 100, 8190, &bound) == 8190);
	assert_int_equal(bound, BOUND_EXACT);
	assert_true(reads(CYCLES_OF(",\"lower_bound\":true"), 100, 5, &bound) == 5);
	assert_int_equal(bound, BOUND_AT_LEAST);
}

static void every_encoding_of_a_percentage(void **state)
{
	enum fact_bound bound;

	(void)state;
	assert_true(reads(PERCENT_OF(""), 100, 170, NULL) == 170000);
	assert_true(reads(PERCENT_OF(",\"left_of\":100"), 1, 35, NULL) == 65000);
	assert_true(reads(PERCENT_OF(",\"left_of\":100"), 1, 101, NULL) == ABSENT);
	assert_true(reads(PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\""), 98, 5, &bound) ==
		    2000);
	assert_int_equal(bound, BOUND_EXACT);
	/* it stops at 1, or at 0 */
	assert_true(reads(PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\""), 1, 5, &bound) ==
		    99000);
	assert_int_equal(bound, BOUND_AT_LEAST);
	assert_true(reads(PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\""), 0, 5, &bound) ==
		    100000);
	assert_int_equal(bound, BOUND_AT_LEAST);
	assert_true(reads(PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\""), 253, 5, NULL) ==
		    ABSENT);
	assert_true(reads(PERCENT_OF(",\"left_of\":200,\"read\":\"normalized\",\"floor\":1"), 156,
			  5, NULL) == 44000);
	/* (100 - 186) modulo 256 */
	assert_true(
		reads(PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\",\"modulo_256\":true"),
		      186, 5, NULL) == 170000);
	assert_true(reads(PERCENT_OF(",\"left_of\":100,\"bits\":[0,8],\"modulo_256\":true"), 100,
			  158, NULL) == 198000);
	assert_true(reads(PERCENT_OF(",\"bits\":[16,16],\"hundredths\":true"), 100, 0x7b467c17,
			  NULL) == 123700);
	assert_true(reads(PERCENT_OF(",\"bits\":[0,16],\"hundredths\":true"), 100, 0x0164, NULL) ==
		    ABSENT);
	/* 41.5 % x 1.05 from 42 % */
	assert_true(reads(PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\",\"scale\":105"), 58,
			  5, NULL) == 43575);
}

static void unset_and_lost_values_say_nothing(void **state)
{
	struct rules *rules = parsed(
		PERCENT_OF(",\"left_of\":100,\"read\":\"normalized\",\"bits\":[0,8]"));
	struct rules *words = parsed(CYCLES_OF(",\"bits\":[16,16]"));
	enum fact_bound bound;
	struct drive_rule rule;
	struct reading r;
	i128 v;

	(void)state;
	drive_init(&r, "ACME 1", "", 100);
	drive_attribute(&r, 9, 0, 5);
	rules_match(rules, &r, &rule);
	r.attributes[0].worst = 100; /* value 0 and worst 100: never set */
	assert_false(meaning_read(rule_meaning(&rule, 9), &r, &v, &bound));
	r.attributes[0].worst = 0;
	assert_true(meaning_read(rule_meaning(&rule, 9), &r, &v, &bound));
	/* a dump's formatter showed one number of three */
	rules_match(words, &r, &rule);
	assert_true(meaning_read(rule_meaning(&rule, 9), &r, &v, &bound));
	r.attributes[0].raw_is_decoded = true;
	r.attributes[0].raw_bytes = 0;
	assert_false(meaning_read(rule_meaning(&rule, 9), &r, &v, &bound));
	reading_release(&r);
	rules_free(rules);
	rules_free(words);
}

static void low_confidence_gives_a_name_and_no_fact(void **state)
{
	struct rules *rules = parsed(FILE_OF(FAMILY_OF(
		",\"attributes\":[{\"id\":9,\"fact\":\"erase_count_avg\",\"unit\":\"cycles\","
		"\"confidence\":\"low\",\"evidence\":\"hearsay\"}]")));
	struct drive_rule rule;
	struct rule_fact found[4];
	struct reading r;

	(void)state;
	drive_init(&r, "ACME 1", "", 100);
	drive_attribute(&r, 9, 100, 5);
	rules_match(rules, &r, &rule);
	assert_non_null(rule_meaning(&rule, 9));
	assert_int_equal(rule_facts(&rule, &r, found, ARRAY_SIZE(found)), 0);
	reading_release(&r);
	rules_free(rules);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mistake_is_named),
		cmocka_unit_test(every_mistake_in_an_attribute_is_named),
		cmocka_unit_test(every_encoding),
		cmocka_unit_test(every_encoding_of_a_percentage),
		cmocka_unit_test(unset_and_lost_values_say_nothing),
		cmocka_unit_test(low_confidence_gives_a_name_and_no_fact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "db/family.h"
#include "db/rule_cache.h"
#include "lib/drive_rules.h"

static const char shipped[] =
	"{\"vendor\":\"Acme\",\"families\":["
	"{\"family\":\"base\",\"abstract\":true,\"attributes\":["
	"{\"id\":1,\"name\":\"base one\",\"confidence\":\"high\",\"evidence\":\"e\"},"
	"{\"id\":2,\"name\":\"base two\",\"confidence\":\"high\",\"evidence\":\"e\"}]},"
	"{\"family\":\"every\",\"every_drive\":true,\"match\":{\"protocol\":\"ata\"},"
	"\"attributes\":["
	"{\"id\":3,\"name\":\"every three\",\"confidence\":\"high\",\"evidence\":\"e\"}]},"
	"{\"family\":\"model\",\"extends\":\"base\",\"match\":{\"model\":\"^ACME\"},\"attributes\":"
	"["
	"{\"id\":2,\"name\":\"model two\",\"confidence\":\"high\",\"evidence\":\"e\"}],"
	"\"ratings\":[{\"warranty_years\":5,\"confidence\":\"high\",\"source\":\"sheet\"},"
	"{\"capacity_gb\":500,\"tbw_tb\":300},{\"capacity_gb\":[900,1100],\"tbw_tb\":600,"
	"\"rated_pe\":1500,\"rated_pe_confidence\":\"medium\"}],"
	"\"traits\":{\"compresses\":true}},"
	"{\"family\":\"firmware\",\"match\":{\"model\":\"^ACME\",\"firmware\":\"^X\"},"
	"\"hazards\":[{\"id\":\"bomb\",\"firmware\":\"^X[01]$\",\"hours\":40000,\"fixed_in\":"
	"\"X2\","
	"\"text\":\"t\",\"advice\":\"a\",\"source\":\"s\"}]},"
	"{\"family\":\"set\",\"match\":{\"has\":[160,161],\"lacks\":[225]}},"
	"{\"family\":\"model and set\",\"match\":{\"model\":\"ACME\",\"has\":[160]}}]}";

static const char own[] =
	"{\"vendor\":\"Admin\",\"families\":["
	"{\"family\":\"mine\",\"match\":{\"model\":\"^ACME 500\"},"
	"\"ratings\":[{\"tbw_tb\":111,\"confidence\":\"high\",\"source\":\"my contract\"}]}]}";

static struct rules *load(bool with_own)
{
	const struct rules_file files[] = {
		{ .name = "acme.json", .text = bytes_of(shipped, strlen(shipped)) },
		{ .name = "own.json", .text = bytes_of(own, strlen(own)), .override = true },
	};
	struct diag d = { .err = 0 };
	struct rules *rules = NULL;

	if (rules_parse(files, with_own ? 2 : 1, &d, &rules) < 0)
		fail_msg("%s", d.text);
	return rules;
}

static const char *name_of(const struct drive_rule *rule, uint8_t id)
{
	const struct attribute_meaning *m = rule_meaning(rule, id);

	return m ? m->name : "";
}

static void match(const struct rules *rules, const char *model, const char *firmware, uint64_t gb,
		  struct drive_rule *ret)
{
	struct reading r;

	drive_init(&r, model, firmware, gb);
	rules_match(rules, &r, ret);
	reading_release(&r);
}

static void a_family_replaces_what_its_base_says(void **state)
{
	struct rules *rules = load(false);
	struct drive_rule rule;

	(void)state;
	match(rules, "ACME 500", "A1", 500, &rule);
	assert_true(rule.matched);
	assert_string_equal(rule.family, "model");
	assert_string_equal(rule.vendor, "Acme");
	assert_string_equal(rule.origin, "acme.json: model");
	assert_string_equal(name_of(&rule, 1), "base one");
	assert_string_equal(name_of(&rule, 2), "model two");
	assert_string_equal(name_of(&rule, 3), "every three");
	assert_true(rule.compresses);
	rules_free(rules);
}

static void ratings_go_by_capacity(void **state)
{
	struct rules *rules = load(false);
	struct drive_rule rule;

	(void)state;
	match(rules, "ACME 500", "A1", 512, &rule);
	assert_true(rule.has_tbw && rule.tbw_bytes == UINT64_C(300000000000000));
	assert_true(rule.has_warranty_years && rule.warranty_years == 5);
	assert_false(rule.has_rated_pe);
	assert_int_equal(rule.tbw_confidence, CONFIDENCE_HIGH);
	match(rules, "ACME 1000", "A1", 1024, &rule);
	assert_true(rule.has_tbw && rule.tbw_bytes == UINT64_C(600000000000000));
	assert_int_equal(rule.rated_pe, 1500);
	assert_int_equal(rule.rated_pe_confidence, CONFIDENCE_MEDIUM);
	assert_string_equal(rule.ratings_source, "sheet");
	match(rules, "ACME 700", "A1", 0, &rule);
	assert_false(rule.has_tbw);
	assert_true(rule.has_warranty_years);
	rules_free(rules);
}

static void the_most_specific_family_counts(void **state)
{
	struct rules *rules = load(false);
	struct drive_rule rule;
	struct reading r;

	(void)state;
	match(rules, "ACME 500", "X1", 500, &rule);
	assert_string_equal(rule.family, "firmware");
	assert_string_equal(name_of(&rule, 1), "");
	assert_int_equal(rule.nhazards, 1);
	assert_true(rule.hazards[0].has_hours && rule.hazards[0].hours == 40000);
	match(rules, "ACME 500", "X2", 500, &rule);
	assert_int_equal(rule.nhazards, 0);

	drive_init(&r, "Nobody", "", 100);
	drive_attribute(&r, 160, 100, 0);
	rules_match(rules, &r, &rule);
	assert_false(rule.matched);
	assert_string_equal(name_of(&rule, 3), "every three");
	drive_attribute(&r, 161, 100, 0);
	rules_match(rules, &r, &rule);
	assert_string_equal(rule.family, "set");
	drive_attribute(&r, 225, 100, 0);
	rules_match(rules, &r, &rule);
	assert_false(rule.matched);
	memcpy(r.identity.model, "ACME 9", sizeof("ACME 9"));
	rules_match(rules, &r, &rule);
	assert_string_equal(rule.family, "model and set");
	r.identity.protocol = PROTOCOL_NVME;
	rules_match(rules, &r, &rule);
	assert_string_equal(name_of(&rule, 3), "");
	reading_release(&r);
	rules_free(rules);
}

static void the_administrators_rules_come_on_top(void **state)
{
	struct rules *rules = load(true);
	struct drive_rule rule;

	(void)state;
	match(rules, "ACME 500", "X1", 500, &rule);
	assert_string_equal(rule.family, "mine");
	assert_string_equal(rule.ratings_source, "my contract");
	assert_true(rule.tbw_bytes == UINT64_C(111000000000000));
	assert_int_equal(rule.nhazards, 1); /* and what was known stays */
	rules_free(rules);
}

/* What is kept is found for the same kind of drive alone, also when others had to go for it. */
static void the_cache_tells_kinds_apart(void **state)
{
	struct rules *rules = load(false);
	struct rule_cache *cache = rule_cache_new(rules);
	const struct drive_rule *found;
	struct drive_rule fresh;
	struct reading r;

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		char firmware[16];

		snprintf(firmware, sizeof(firmware), i % 3 ? "X%u" : "Y%u", i % 700);
		drive_init(&r, i % 5 ? "ACME 500" : "OTHER", firmware, i % 2 ? 500 : 1000);
		if (i % 7 == 0)
			drive_attribute(&r, 160, 100, 1);
		if (i % 14 == 0)
			drive_attribute(&r, 161, 100, 1);
		rules_match(rules, &r, &fresh);
		for (int again = 0; again < 2; again++) {
			found = rule_cache_match(cache, &r);
			assert_non_null(found);
			assert_memory_equal(found, &fresh, sizeof(fresh));
		}
		reading_release(&r);
	}
	rule_cache_free(&cache);
	assert_null(cache);
	rules_free(rules);
}

static void no_rules_match_nothing(void **state)
{
	struct drive_rule rule;

	(void)state;
	match(NULL, "ACME", "", 1, &rule);
	assert_false(rule.matched);
	assert_int_equal(rule.nmeanings, 0);
	assert_null(rule.layouts[0]);
}

static void the_rules_of_this_tree_pass_lint(void **state)
{
	static struct rules_problem problems[64];
	size_t n = rules_lint(tree_rules(), problems, ARRAY_SIZE(problems));

	(void)state;
	for (size_t i = 0; i < n && i < ARRAY_SIZE(problems); i++)
		print_error("%s: %s\n", problems[i].where, problems[i].text);
	assert_int_equal(n, 0);
}

static void lint_finds_what_cannot_work(void **state)
{
	static const char text[] = "{\"vendor\":\"A\",\"families\":["
				   "{\"family\":\"early\",\"match\":{\"model\":\"^B\"},"
				   "\"examples\":[{\"model\":\"B\"}]},"
				   "{\"family\":\"late\",\"match\":{\"model\":\"^B\"},\"examples\":"
				   "[{\"model\":\"C\"}]},"
				   "{\"family\":\"alone\",\"abstract\":true},"
				   "{\"family\":\"bare\",\"match\":{\"model\":\"^D(\"}}]}";
	const struct rules_file file = { .name = "a", .text = bytes_of(text, strlen(text)) };
	struct rules_problem problems[8];
	struct rules *rules = NULL;
	struct diag d = { .err = 0 };

	(void)state;
	assert_int_equal(rules_parse(&file, 1, &d, &rules), 0);
	assert_int_equal(rules_lint(rules, problems, ARRAY_SIZE(problems)), 5);
	assert_non_null(strstr(problems[0].text, "is won by \"late\""));
	assert_non_null(strstr(problems[1].text, "does not match its example"));
	assert_non_null(strstr(problems[2].text, "no family extends it"));
	assert_non_null(strstr(problems[3].text, "no examples"));
	assert_string_equal(problems[3].where, "a: bare");
	assert_non_null(strstr(problems[4].text, "no regular expression"));
	rules_free(rules);
}

/* Patterns are compiled only where a drive's name holds a text that they require. */
static void patterns_match_as_regular_expressions_do(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} rows[] = {
		{ "^ACME", "ACME 1", true },
		{ "^ACME", "AN ACME", false },
		{ "ACME", "AN ACME", true },
		{ "^(AN )?ACME", "AN ACME", true },
		{ "^(AN )?ACME", "ACME", true },
		{ "^A|B$", "xB", true },
		{ "^A|B$", "xBx", false },
		{ "AB?C", "AC", true },
		{ "AB*C", "ABBBC", true },
		{ "AB+C", "AC", false },
		{ "A{2}B", "AAB", true },
		{ "A{2}B", "AB", false },
		{ "A[0-9T]{3}B", "A1T9B", true },
		{ "[]A]B", "]B", true },
		{ "[^]A]B", "]B", false },
		{ "A\\.B", "A.B", true },
		{ "A\\.B", "AxB", false },
		{ "(A|BC)D", "BCD", true },
		{ "(A|BC)?", "nothing of it", true },
		{ "A(B|C)D|E", "xE", true },
		{ "A|B|C|D|E|F", "F", true },
		{ "longer than a needle can hold at all", "no", false },
		{ "xlonger than a needle can hold at all",
		  "an xlonger than a needle can hold at all", true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pattern p = { .nneedles = 0 };
		char why[120];

		memcpy(p.text, rows[i].pattern, strlen(rows[i].pattern) + 1);
		assert_int_equal(pattern_prepare(&p, why, sizeof(why)), 0);
		if (pattern_matches(&p, rows[i].text) != rows[i].matches)
			fail_msg("\"%s\" against \"%s\"", rows[i].pattern, rows[i].text);
	}
}

static void hazards_and_quirks_of_real_families(void **state)
{
	struct drive_rule rule;
	struct reading r;

	(void)state;
	drive_init(&r, "M4-CT128M4SSD2", "0002", 128);
	rules_match(tree_rules(), &r, &rule);
	assert_int_equal(rule.nhazards, 1);
	assert_true(rule.hazards[0].hours == 5184);
	memcpy(r.identity.firmware, "0309", 5);
	rules_match(tree_rules(), &r, &rule);
	assert_int_equal(rule.nhazards, 0);
	reading_release(&r);

	drive_init(&r, "MO1600JVYPR", "HPD6", 1600);
	r.identity.protocol = PROTOCOL_SCSI;
	rules_match(tree_rules(), &r, &rule);
	assert_true(rule.nhazards == 1 && rule.hazards[0].hours == 40000);
	reading_release(&r);

	drive_init(&r, "VO0960JFDGU", "HPD7", 960);
	r.identity.protocol = PROTOCOL_SCSI;
	rules_match(tree_rules(), &r, &rule);
	assert_true(rule.nhazards == 1 && rule.hazards[0].hours == 32768);
	reading_release(&r);

	drive_init(&r, "INTEL SSDSC2KW480H6", "LSBG200", 480);
	rules_match(tree_rules(), &r, &rule);
	assert_true(rule.has_shutdown_celsius && rule.shutdown_celsius == 60);
	assert_int_equal(rule.over_temperature, OVER_TEMPERATURE_SWITCHES_OFF);
	reading_release(&r);

	drive_init(&r, "INTEL SSDSC2BW240A4", "DC12", 240);
	rules_match(tree_rules(), &r, &rule);
	assert_true(rule.compresses && (rule.trim_quirks & TRIM_NO_SPEED_GAIN));
	reading_release(&r);

	drive_init(&r, "Samsung SSD 860 EVO 1TB", "RVT04B6Q", 1000);
	rules_match(tree_rules(), &r, &rule);
	assert_true(rule.trim_quirks & TRIM_QUEUED_CORRUPTS);
	reading_release(&r);

	drive_init(&r, "SAMSUNG MZQL23T8HCLS-00A07", "GDC5302Q", 3840);
	r.identity.protocol = PROTOCOL_NVME;
	rules_match(tree_rules(), &r, &rule);
	assert_non_null(rule.layouts[0]);
	assert_string_equal(rule.layouts[0]->name, "ocp.smart");
	assert_null(rule.layouts[1]);
	reading_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_family_replaces_what_its_base_says),
		cmocka_unit_test(ratings_go_by_capacity),
		cmocka_unit_test(the_most_specific_family_counts),
		cmocka_unit_test(the_administrators_rules_come_on_top),
		cmocka_unit_test(the_cache_tells_kinds_apart),
		cmocka_unit_test(no_rules_match_nothing),
		cmocka_unit_test(the_rules_of_this_tree_pass_lint),
		cmocka_unit_test(lint_finds_what_cannot_work),
		cmocka_unit_test(patterns_match_as_regular_expressions_do),
		cmocka_unit_test(hazards_and_quirks_of_real_families),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

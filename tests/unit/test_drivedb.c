/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "db/drivedb.h"

static const char database[] =
	"/* head, with { \"braces\" } */\n"
	"{ \"VERSION: 1.0\", \"-\", \"-\", \"Version information\", \"\" },\n"
	"{ \"DEFAULT\", \"-\", \"-\", \"Default settings\",\n"
	"  \"-v 9,raw24(raw8),Power_On_Hours \"\n"
	"  \"-v 231,raw48,Temperature_Celsius,HDD \" // not for us\n"
	"  \"-v 233,raw48,Media_Wearout_Indicator,SSD\"\n"
	"},\n"
	"{ \"Acme SSDs\", \"ACME (One|Two) [0-9]+GB\", \"\", \"\",\n"
	"  \"-v 9,minutes -v 231,raw48,SSD_Life_Left -v 300,raw48,Beyond -v x,raw48,None \"\n"
	"},\n"
	"{ \"Acme SSDs\", \"ACME Three\", \"FW(1|2)\", \"\", \"-v 231,raw48,Old_Firmware\" },\n"
	"{ \"Acme SSDs\", \"ACME \\\"Q\\\\(u\\\\)\", \"\", \"\", \"-F samsung -v 1,raw48,Quoted\" "
	"},\n"
	"{ \"$ignored\", \"Nobody\", \"\", \"\", \"-v 231,raw48,Wrong\" },\n"
	"{ \"USB: bridge\", \"0x1234:0x5678\", \"\", \"\", \"-d sat\" },\n";

static bool look_up(const char *text, const char *model, const char *firmware,
		    struct drivedb_names *ret)
{
	return drivedb_names(bytes_of(text, strlen(text)), model, firmware, ret);
}

static void the_entry_of_the_model_comes_before_the_defaults(void **state)
{
	struct drivedb_names n;

	(void)state;
	assert_true(look_up(database, "ACME Two 500GB", "", &n));
	assert_true(n.model_found);
	assert_string_equal(n.names[231], "SSD_Life_Left");
	assert_string_equal(n.names[9], "Power_On_Hours"); /* a preset without a name */
	assert_string_equal(n.names[233], "Media_Wearout_Indicator");
	assert_string_equal(n.names[44], "");
}

static void a_model_matches_as_a_whole(void **state)
{
	static const char *const others[] = { "ACME Two 500GB Pro", "XACME One 1GB", "Nobody", "" };
	struct drivedb_names n;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		assert_true(look_up(database, others[i], "", &n));
		assert_false(n.model_found);
		assert_string_equal(n.names[231], "");
	}
	assert_true(look_up(database, "ACME \"Q(u)", "", &n));
	assert_string_equal(n.names[1], "Quoted");
}

static void the_firmware_counts_where_an_entry_names_it(void **state)
{
	struct drivedb_names n;

	(void)state;
	assert_true(look_up(database, "ACME Three", "FW2", &n));
	assert_string_equal(n.names[231], "Old_Firmware");
	assert_true(look_up(database, "ACME Three", "FW3", &n));
	assert_false(n.model_found);
}

/* Every beginning of the file and some nonsense: no crash, and what was whole counts. */
static void a_broken_file_gives_what_was_whole(void **state)
{
	static const char *const others[] = { "", "{", "x", "{ \"a\" }", "{ \"a\", }", "/*", "\"" };
	struct drivedb_names n;

	(void)state;
	for (size_t i = 0; i < strlen(database); i++)
		drivedb_names(bytes_of(database, i), "ACME One 1GB", "", &n);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_false(look_up(others[i], "ACME One 1GB", "", &n));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_entry_of_the_model_comes_before_the_defaults),
		cmocka_unit_test(a_model_matches_as_a_whole),
		cmocka_unit_test(the_firmware_counts_where_an_entry_names_it),
		cmocka_unit_test(a_broken_file_gives_what_was_whole),
	};

	return cmocka_run_group_tests_name("drivedb", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/json.h"
#include "base/str.h"
#include "base/text.h"
#include "base/times.h"
#include "base/units.h"

static void u128_arithmetic_saturates_and_says_so(void **state)
{
	bool saturated = false;
	char text[U128_TEXT];
	u128 v;

	(void)state;
	assert_true(u128_mul((u128)1 << 100, 512000, &saturated) == ((u128)1 << 100) * 512000);
	assert_false(saturated);
	assert_true(u128_mul((u128)1 << 120, 1000, &saturated) == U128_MAX);
	assert_true(saturated);
	saturated = false;
	assert_true(u128_scale(1001, 1, 2, &saturated) == 500);
	assert_true(u128_scale(U128_MAX, 3, 3, &saturated) == U128_MAX);
	assert_string_equal(u128_format(U128_MAX, text), "340282366920938463463374607431768211455");
	assert_int_equal(u128_parse("340282366920938463463374607431768211455", &v), 0);
	assert_true(v == U128_MAX);
	assert_int_equal(u128_parse("340282366920938463463374607431768211456", &v), -ERANGE);
	assert_int_equal(u128_parse("12a", &v), -EINVAL);
	assert_int_equal(u128_parse("", &v), -EINVAL);
}

static void bytes_are_read_within_their_length(void **state)
{
	const uint8_t raw[] = { 0x01, 0x02, 0x03, 0x04, 0xff };
	struct bytes b = bytes_of(raw, sizeof(raw));
	u128 v = 7;

	(void)state;
	assert_true(bytes_le(b, 0, 4, &v));
	assert_true(v == 0x04030201);
	assert_true(bytes_be(b, 1, 2, &v));
	assert_true(v == 0x0203);
	v = 7;
	assert_false(bytes_le(b, 2, 4, &v));
	assert_false(bytes_le(b, SIZE_MAX, 2, &v));
	assert_false(bytes_le(b, 0, 0, &v));
	assert_true(v == 7);
	assert_int_equal(bytes_slice(b, 3, 100).len, 2);
	assert_int_equal(bytes_slice(b, 9, 1).len, 0);
	assert_false(bytes_all(bytes_slice(b, 5, 0), 0));
}

static void device_strings_lose_only_their_padding(void **state)
{
	char text[16];

	(void)state;
	assert_int_equal(text_from_field(text, sizeof(text), "  AB C   ", 9), 4);
	assert_string_equal(text, "AB C");
	text_from_field(text, sizeof(text), "AB\0junk", 7);
	assert_string_equal(text, "AB");
	text_from_ata_field(text, sizeof(text), "BADC  ", 6);
	assert_string_equal(text, "ABCD");
	assert_int_equal(text_from_field(text, 4, "ABCDEF", 6), 3);
}

static void escaped_text_is_harmless_on_a_terminal(void **state)
{
	char text[64], small[6];

	(void)state;
	text_escape(text, sizeof(text), "a\x1b[31mb\n");
	assert_string_equal(text, "a\\x1b[31mb\\x0a");
	text_escape(text, sizeof(text), "\xff\xc3\xa9");
	assert_string_equal(text, "\\xff\xc3\xa9");
	/* C1 control and right-to-left override are valid UTF-8 and harmful */
	text_escape(text, sizeof(text), "\xc2\x9b\xe2\x80\xae");
	assert_string_equal(text, "\\xc2\\x9b\\xe2\\x80\\xae");
	text_escape(small, sizeof(small), "abcd\xc3\xa9");
	assert_string_equal(small, "abcd");
	assert_false(text_is_clean("\x7f"));
	assert_true(text_is_clean("d\xc3\xa9j\xc3\xa0"));
	assert_int_equal(text_utf8_length("\xc0\x80"), 0);     /* overlong */
	assert_int_equal(text_utf8_length("\xed\xa0\x80"), 0); /* surrogate */
	assert_int_equal(text_utf8_length("\xf4\x90\x80\x80"), 0);
	assert_int_equal(text_columns("e\xcc\x81\xc3\xa9"), 2);
}

static void near_words_are_near(void **state)
{
	(void)state;
	assert_int_equal(text_distance("health", "health"), 0);
	assert_int_equal(text_distance("helath", "health"), 1);
	assert_int_equal(text_distance("lif", "life"), 1);
	assert_int_equal(text_distance("", "abc"), 3);
	assert_int_equal(text_distance("list", "show"), 4);
}

static void strings_keep_to_their_limit(void **state)
{
	struct str s = { .max = 10 };

	(void)state;
	str_add(&s, "12345");
	str_addf(&s, "%d", 678);
	assert_string_equal(str_text(&s), "12345678");
	str_add(&s, "9A");
	assert_int_equal(str_error(&s), -E2BIG);
	str_add(&s, "x");
	assert_string_equal(str_text(&s), "12345678");
	assert_null(str_steal(&s));
	str_release(&s);
}

static void sizes_are_formatted_for_people(void **state)
{
	static const struct {
		u128 bytes;
		const char *si, *binary;
	} rows[] = {
		{ 0, "0 B", "0 B" },
		{ 999, "999 B", "999 B" },
		{ 1000, "1.00 kB", "1000 B" },
		{ 999999, "1.00 MB", "976.56 KiB" },
		{ 1920383410176, "1.92 TB", "1.75 TiB" },
		{ 281474976710656, "281 TB", "256.00 TiB" },
		{ 99960, "100 kB", "97.62 KiB" },
	};
	char text[UNIT_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_string_equal(format_bytes(rows[i].bytes, text), rows[i].si);
		assert_string_equal(format_bytes_binary(rows[i].bytes, text), rows[i].binary);
	}
	assert_string_equal(format_bytes_precise(281474976710656, text), "281.47 TB");
	assert_string_equal(format_bytes_precise(999999999999, text), "1.00 TB");
	assert_string_equal(format_bytes_precise(999, text), "999 B");
	assert_string_equal(format_quantity(2554, UNIT_CYCLES, text), "2,554 cycles");
	assert_string_equal(format_quantity(123700, UNIT_PERCENT, text), "123.7 %");
	assert_string_equal(format_quantity(87925, UNIT_PERCENT, text), "87.9 %");
	assert_string_equal(format_quantity(12075, UNIT_PERCENT, text), "12.1 %");
	assert_string_equal(format_quantity(99960, UNIT_PERCENT, text), "100 %");
	assert_string_equal(format_quantity(37, UNIT_PERCENT, text), "0.037 %");
	assert_string_equal(format_quantity(-12000, UNIT_CELSIUS, text), "-12 C");
	assert_string_equal(format_quantity(87925, UNIT_PERCENT, text), "87.9 %");
	assert_string_equal(format_quantity(99950, UNIT_PERCENT, text), "100 %");
	assert_string_equal(format_exact(-500, UNIT_CELSIUS, text), "-0.5");
	assert_string_equal(format_grouped(-1234567, text), "-1,234,567");
	assert_string_equal(format_hours(27210, text), "3.1 years");
}

static void sizes_are_parsed_as_people_write_them(void **state)
{
	uint64_t v = 0;

	(void)state;
	assert_int_equal(parse_bytes("80GB", &v), 0);
	assert_int_equal(v, 80000000000);
	assert_int_equal(parse_bytes("1.5 TiB", &v), 0);
	assert_int_equal(v, 1649267441664);
	assert_int_equal(parse_bytes("512", &v), 0);
	assert_int_equal(v, 512);
	assert_int_equal(parse_bytes("GB", &v), -EINVAL);
	assert_int_equal(parse_bytes("10XB", &v), -EINVAL);
	assert_int_equal(parse_bytes("-1GB", &v), -EINVAL);
	assert_int_equal(parse_bytes("10GBs", &v), -EINVAL);
	assert_int_equal(parse_bytes("1e9", &v), -EINVAL);
	assert_int_equal(parse_bytes("10000000YB", &v), -ERANGE);
	assert_int_equal(v, 512);
}

static void any_locale_groups_its_digits(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
		const char *rest;
	} rows[] = {
		{ "1,600,321,314,816 bytes", 1600321314816, " bytes" },
		{ "1.600.321.314.816", 1600321314816, "" },
		{ "1 600 321 [x]", 1600321, " [x]" },
		{ "1'600'321", 1600321, "" },
		{ "1\xe2\x80\xaf"
		  "600\xe2\x80\xaf"
		  "321",
		  1600321, "" }, /* U+202F */
		{ "1\xa0"
		  "600\xa0"
		  "321",
		  1600321, "" }, /* Latin-1 */
		{ "12,34,567", 1234567, "" },
		{ "42", 42, "" },
		{ "35 (Min/Max 14/47)", 35, " (Min/Max 14/47)" },
		{ "12 34", 12, " 34" },
		{ "1,600 321", 1600, " 321" },
		{ "123456,789", 123456, ",789" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *end = NULL;
		u128 v = 0;

		assert_int_equal(parse_grouped(rows[i].text, &v, &end), 0);
		assert_true(v == rows[i].value);
		assert_string_equal(end, rows[i].rest);
	}
}

static void times_are_exact(void **state)
{
	char text[TIME_TEXT];
	int64_t t = 0;

	(void)state;
	assert_string_equal(time_format(0, text), "1970-01-01T00:00:00Z");
	assert_string_equal(time_format(1234567890, text), "2009-02-13T23:31:30Z");
	assert_string_equal(time_format(-1, text), "1969-12-31T23:59:59Z");
	assert_string_equal(time_format(INT64_MAX, text), "9999-12-31T23:59:59Z");
	assert_string_equal(time_format(INT64_MIN, text), "0000-01-01T00:00:00Z");
	assert_int_equal(time_parse("2024-02-29T12:00:00+02:00", &t), 0);
	assert_int_equal(t, 1709200800);
	assert_int_equal(time_parse("2024-02-29", &t), 0);
	assert_int_equal(t, 1709164800);
	assert_int_equal(time_parse("2023-02-29", &t), -EINVAL);
	assert_int_equal(time_parse("2023-02-28T25:00:00Z", &t), -EINVAL);
	assert_int_equal(time_parse("2023-02-28T12:00:00", &t), -EINVAL);
	assert_int_equal(time_parse("2023-02-28T12:00:00.5Zx", &t), -EINVAL);
}

static cJSON *parse(const char *text)
{
	struct diag d = { 0 };
	cJSON *json = NULL;

	assert_int_equal(json_parse(bytes_of(text, strlen(text)), JSON_LENIENT, &d, &json, NULL),
			 0);
	return json;
}

static void json_keeps_every_digit(void **state)
{
	cJSON *json = parse("{\"raw\":{\"value\":10024844510888116},\"s\":\"1.600.321\","
			    "\"f\":1.0e+18,\"h\":\"0x0b50\",\"x\":\"12x\",\"b\":\"true\","
			    "\"neg\":-12345678901234567890,\"part\":0.29}");
	double real;
	bool b = false;
	i128 v = 0;

	(void)state;
	assert_true(json_integer(json_path(json, "raw.value"), &v));
	assert_true(v == 10024844510888116);
	assert_true(json_integer(json_member(json, "s"), &v));
	assert_true(v == 1600321);
	assert_true(json_integer(json_member(json, "f"), &v));
	assert_true(v == 1000000000000000000);
	assert_true(json_integer(json_member(json, "h"), &v));
	assert_true(v == 0x0b50);
	assert_true(json_integer(json_member(json, "neg"), &v));
	assert_true(v == -(i128)12345678901234567890u);
	assert_false(json_integer(json_member(json, "x"), &v));
	assert_false(json_integer(json_member(json, "part"), &v));
	assert_true(json_real(json_member(json, "part"), &real));
	assert_true(json_boolean(json_member(json, "b"), &b) && b);
	assert_null(json_path(json, "raw.value.more"));
	json_release(&json);
}

/* C's printf leaves such words in other tools' JSON; in our own files they are mistakes. */
static void json_without_a_number_keeps_the_others(void **state)
{
	static const char odd[] = "{\"wear\":-nan,\"max\":Infinity,\"hours\":500}";
	cJSON *json = parse(odd);
	struct diag d = { 0 };
	double real;
	i128 v;

	(void)state;
	assert_false(json_integer(json_member(json, "wear"), &v));
	assert_false(json_real(json_member(json, "wear"), &real));
	assert_false(json_real(json_member(json, "max"), &real));
	assert_true(json_integer(json_member(json, "hours"), &v));
	assert_true(v == 500);
	json_release(&json);
	json = NULL;
	assert_int_equal(json_parse(bytes_of(odd, sizeof(odd) - 1), JSON_STRICT, &d, &json, NULL),
			 -EINVAL);
	assert_non_null(strstr(d.text, "line 1, column 9"));
}

static void json_mistakes_are_named(void **state)
{
	struct diag d = { 0 };
	cJSON *json = NULL;
	size_t used = 0;
	static const char twice[] = "{\"a\":{\"b\":1,\"b\":2}}", tail[] = "{} x",
			  two[] = "{\"n\":12345678901234567} {\"n\":2}", cut[] = "{\"a\":\n [1,";

	(void)state;
	assert_int_equal(
		json_parse(bytes_of(twice, sizeof(twice) - 1), JSON_STRICT, &d, &json, NULL),
		-EINVAL);
	assert_string_equal(d.text, "the key \"b\" stands twice in one object");
	diag_clear(&d);
	assert_int_equal(
		json_parse(bytes_of(tail, sizeof(tail) - 1), JSON_LENIENT, &d, &json, NULL),
		-EINVAL);
	assert_string_equal(d.text, "text after the end of the JSON value at line 1, column 4");
	diag_clear(&d);
	assert_int_equal(json_parse(bytes_of(cut, sizeof(cut) - 1), JSON_LENIENT, &d, &json, NULL),
			 -EINVAL);
	assert_non_null(strstr(d.text, "line 2"));
	assert_int_equal(
		json_parse(bytes_of(two, sizeof(two) - 1), JSON_LENIENT, NULL, &json, &used), 0);
	assert_int_equal(used, strlen("{\"n\":12345678901234567}"));
	json_release(&json);
}

static void the_first_diagnosis_stays(void **state)
{
	struct diag d = { 0 };

	(void)state;
	assert_int_equal(diag_fail(&d, -EIO, "drive\n%s", "a"), -EIO);
	assert_int_equal(diag_fail(&d, -ENOENT, "later"), -ENOENT);
	assert_int_equal(d.err, -EIO);
	assert_string_equal(d.text, "drive\\x0aa");
	assert_int_equal(diag_fail(NULL, -EIO, "nobody listens"), -EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(u128_arithmetic_saturates_and_says_so),
		cmocka_unit_test(bytes_are_read_within_their_length),
		cmocka_unit_test(device_strings_lose_only_their_padding),
		cmocka_unit_test(escaped_text_is_harmless_on_a_terminal),
		cmocka_unit_test(near_words_are_near),
		cmocka_unit_test(strings_keep_to_their_limit),
		cmocka_unit_test(sizes_are_formatted_for_people),
		cmocka_unit_test(sizes_are_parsed_as_people_write_them),
		cmocka_unit_test(any_locale_groups_its_digits),
		cmocka_unit_test(times_are_exact),
		cmocka_unit_test(json_keeps_every_digit),
		cmocka_unit_test(json_without_a_number_keeps_the_others),
		cmocka_unit_test(json_mistakes_are_named),
		cmocka_unit_test(the_first_diagnosis_stays),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "base/cleanup.h"
#include "decode/ata.h"

static const struct {
	const char *text;
	bool has_raw, decoded;
	uint64_t raw;
	uint8_t bytes;
} cases[] = {
	/* whole */
	{ "0", true, false, 0, 6 },
	{ "53629469162", true, false, 53629469162, 6 },
	{ "281474976710655", true, false, 0xffffffffffff, 6 },
	{ "281474976710656", true, false, 1ULL << 48, 7 },
	{ "0x517693943a98", true, false, 0x517693943a98, 6 },
	{ "0x7C177B467C17", true, false, 0x7c177b467c17, 6 },
	{ "0x01020304050607", true, false, 0x01020304050607, 7 },
	{ "39786 (5 145 0)", true, false, 0x059100009b6a, 6 },
	{ "40311 (52 181 0)", true, false, 57951993765239, 6 },
	{ "6670 (39 8396)", true, false, 0x002720cc1a0e, 6 },
	{ "39 (3 51 0 34 0)", true, false, 0x033300220027, 6 },
	{ "0 1 0", true, false, 0x000000010000, 6 },
	{ "1 2 3 4 5 6", true, false, 0x010203040506, 6 },
	{ "0/46", true, false, 46, 6 },
	{ "1/16777216", true, false, 0x000101000000, 6 },
	{ "5117h+00m+00.000s", true, false, 5117, 7 },
	{ "180h+38m+54.091s", true, false, 10024844510888116, 7 },
	/* the low bytes only */
	{ "415 (Average 31345)", true, false, 0x7a71019f, 4 },
	{ "28 (Min/Max 17/51)", true, false, 28, 1 },
	{ "-5 (Min/Max -12/40)", true, false, 0xfb, 1 },
	{ "31 (Min/Max 22/38 #0)", true, false, 31, 1 },
	/* the leading number, in the formatter's unit */
	{ "8h+23m+07s", true, true, 8, 0 },
	{ "8h+23m", true, true, 8, 0 },
	{ "2/46", true, true, 2, 0 },
	{ "35.5", true, true, 35, 0 },
	{ "300 (256 1 1)", true, true, 300, 0 },
	{ "5 (70000 1)", true, true, 5, 0 },
	{ "99999999999999999999", true, false, 0, 0 },
	/* no number */
	{ "-", false, false, 0, 0 },
	{ "", false, false, 0, 0 },
	{ "0x", false, false, 0, 0 },
};

static void raw_is_had_back_from_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct attribute a = { 0 };

		attribute_raw_from_text(&a, cases[i].text);
		if (!cases[i].bytes && !cases[i].decoded) {
			if (a.raw_bytes)
				fail_msg("%s: %u bytes", cases[i].text, a.raw_bytes);
			continue;
		}
		if (a.has_raw != cases[i].has_raw || a.raw_is_decoded != cases[i].decoded ||
		    a.raw != cases[i].raw || a.raw_bytes != cases[i].bytes)
			fail_msg("%s: raw %llx, %u bytes, decoded %d", cases[i].text,
				 (unsigned long long)a.raw, a.raw_bytes, a.raw_is_decoded);
		assert_string_equal(a.raw_text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(raw_is_had_back_from_text) };

	return cmocka_run_group_tests_name("raw values from text", tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Differences of raw logs: exact both ways, small where numbers moved, and never trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

#include "store/diff.h"
#include "store/logs.h"

static struct bytes text(const char *s)
{
	return bytes_of(s, strlen(s));
}

/* Encoded and decoded again; returns the length of the difference, 0 where it declines. */
static size_t round_trip(struct bytes old, struct bytes now, size_t max)
{
	struct pack diff = { 0 }, back = { 0 };
	size_t len = 0;

	if (diff_encode(old, now, max, &diff)) {
		assert_true(diff_decode(old, pack_view(&diff), 4096, &back));
		assert_int_equal(back.len, now.len);
		if (now.len)
			assert_memory_equal(back.data, now.data, now.len);
		len = diff.len;
	}
	pack_release(&diff);
	pack_release(&back);
	return len;
}

static void numbers_that_moved_are_small(void **state)
{
	static const struct {
		const char *old, *now;
		size_t bytes;
	} rows[] = {
		/* 11 equal; 3 digits in 2 bytes; 16 equal */
		{ "{\"written\": 123456, \"other\": 7777}",
		  "{\"written\": 123999, \"other\": 7777}", 5 },
		/* one longer: a sign of it follows */
		{ "{\"hours\": 999, \"other\": 7777}", "{\"hours\": 1000, \"other\": 7777}", 6 },
		{ "{\"hours\": 1000, \"other\": 7777}", "{\"hours\": 999, \"other\": 7777}", 6 },
		{ "the same text", "the same text", 1 },
		/* letters take a byte each */
		{ "state: good, and so on", "state: poor, and so on", 7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(round_trip(text(rows[i].old), text(rows[i].now), 200),
				 rows[i].bytes);
}

static void edges_are_exact(void **state)
{
	static const char *const texts[] = { "",     "1",    "12",   "9",	 "abc",
					     "abcd", "xabc", "1abc", "123456789" };
	size_t n = sizeof(texts) / sizeof(texts[0]);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			round_trip(text(texts[i]), text(texts[k]), 200);
}

static void what_differs_for_long_is_left_to_the_compressor(void **state)
{
	char old[200], now[200];

	(void)state;
	memset(old, 'a', sizeof(old));
	memset(now, 'b', sizeof(now));
	assert_int_equal(round_trip(bytes_of(old, 200), bytes_of(now, 200), 4096), 0);
	assert_int_equal(round_trip(text("1--------2--------3"), text("4--------5--------6"), 4),
			 0);
}

/* Any changes of any bytes, and the way through both kinds. */
static void any_change_comes_back(void **state)
{
	struct delta delta = { 0 };
	struct pack stored = { 0 }, back = { 0 };
	uint64_t x = 88172645463325252u;
	uint8_t old[600], now[640];

	(void)state;
	for (unsigned run = 0; run < 20000; run++) {
		size_t len = 0;

		for (size_t i = 0; i < sizeof(old); i++)
			old[i] = i % 7 ? (uint8_t) "{\"key\": 0123456789, "[i % 20] : (uint8_t)i;
		for (size_t i = 0; i < sizeof(old); i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			if (x % 97 == 0) /* left out */
				continue;
			if (x % 89 == 0 && len < sizeof(now)) /* put in */
				now[len++] = (uint8_t)('0' + x % 10);
			if (len < sizeof(now))
				now[len++] = x % 41 ? old[i] : (uint8_t)(x >> 32);
		}
		assert_int_equal(delta_encode(&delta, bytes_of(old, sizeof(old)),
					      bytes_of(now, len), &stored),
				 0);
		assert_int_equal(
			delta_decode(&delta, bytes_of(old, sizeof(old)), pack_view(&stored), &back),
			0);
		assert_int_equal(back.len, len);
		assert_memory_equal(back.data, now, len);
		/* and with a byte that is not as it was: an answer, whatever it is */
		stored.data[x % stored.len] ^= (uint8_t)(1 + x % 255);
		(void)!delta_decode(&delta, bytes_of(old, sizeof(old)), pack_view(&stored), &back);
	}
	pack_release(&stored);
	pack_release(&back);
	delta_release(&delta);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_that_moved_are_small),
		cmocka_unit_test(edges_are_exact),
		cmocka_unit_test(what_differs_for_long_is_left_to_the_compressor),
		cmocka_unit_test(any_change_comes_back),
	};

	return cmocka_run_group_tests_name("store: differences", tests, NULL, NULL);
}

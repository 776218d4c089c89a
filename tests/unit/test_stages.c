/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "ftl/drive_model.h"
#include "ftl/stages.h"
#include "ftl/stages_curve.h"

static void a_file_of_phases(void **state)
{
	static const char text[] = "# a comment\n"
				   "\n"
				   "  trim   # another\n"
				   "fill\n"
				   "write 1.5x qd=4 size=16KiB\r\n"
				   "measure 10h every=1min reads=30% workload=hotcold:0.1,0.9\n"
				   "idle 15min\n"
				   "read 20GB 90s qd=1";
	struct stages s = { 0 };
	struct diag d = { 0 };

	(void)state;
	if (stages_parse(text, "f", NULL, &s, &d) < 0)
		fail_msg("%s", d.text);
	assert_int_equal(s.n, 6);
	assert_int_equal(s.list[0].kind, STAGE_TRIM);
	assert_int_equal(s.list[1].kind, STAGE_FILL);
	assert_int_equal(s.list[1].drive_ppm, PPM);
	assert_int_equal(s.list[1].workload.kind, WORKLOAD_SEQUENTIAL);
	assert_int_equal(s.list[2].drive_ppm, PPM * 3 / 2);
	assert_int_equal(s.list[2].queue_depth, 4);
	assert_int_equal(s.list[2].request_bytes, 16384);
	assert_int_equal(s.list[3].duration_ns, 36000 * NS_PER_SECOND);
	assert_int_equal(s.list[3].interval_ns, 60 * NS_PER_SECOND);
	assert_int_equal(s.list[3].read_ppm, 300000);
	assert_int_equal(s.list[3].workload.kind, WORKLOAD_HOTCOLD);
	assert_int_equal(s.list[4].duration_ns, 900 * NS_PER_SECOND);
	assert_int_equal(s.list[5].bytes, 20000000000);
	assert_int_equal(s.list[5].duration_ns, 90 * NS_PER_SECOND);
	stages_release(&s);
}

/* What a line does not say is as in the base, but for a fill. */
static void a_base(void **state)
{
	struct stage base = stage_default(STAGE_MEASURE);
	struct stages s = { 0 };

	(void)state;
	base.queue_depth = 7;
	base.request_bytes = 8192;
	assert_int_equal(stages_parse("write 1s\nread 1s size=512\nfill", "f", &base, &s, NULL), 0);
	assert_int_equal(s.list[0].queue_depth, 7);
	assert_int_equal(s.list[0].request_bytes, 8192);
	assert_int_equal(s.list[1].request_bytes, 512);
	assert_int_equal(s.list[2].request_bytes, 128 << 10);
	stages_release(&s);
}

static void mistakes_name_the_line(void **state)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "fill\nwrit 1s", "f:2: there is no stage 'writ'; did you mean write?" },
		{ "write", "f:1: write needs to know how long: write 10min" },
		{ "idle 5GB", "f:1: idle needs a time: idle 15min" },
		{ "\n\ntrim 1s", "f:3: trim takes the whole drive: no time, no size" },
		{ "write 1s qd=0", "f:1: qd=0: 1 to 65536 are possible" },
		{ "write 1s size=100",
		  "f:1: size=100: a multiple of 512 bytes up to 64 MiB is possible" },
		{ "write 1s reads=2", "f:1: reads=2: a share of 0 to 1 (70%)" },
		{ "write 1s deep=2", "f:1: there is no 'deep='; there are workload, size, align, "
				     "qd, reads and every" },
		{ "write soon", "f:1: 'soon' says not how long: a time (90s, 15min, 10h), a size "
				"(20GB) or a multiple of the drive (2x)" },
		{ "write 1000000d", "f:1: '1000000d': 1 ms to 100 years are possible" },
		{ "write 1s every=x", "f:1: every=x: a time (1s, 1min)" },
		{ "# nothing\n", "f: there is no stage in it" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stages s = { 0 };
		struct diag d = { 0 };

		assert_int_equal(stages_parse(rows[i].text, "f", NULL, &s, &d), -EINVAL);
		assert_string_equal(d.text, rows[i].why);
		assert_null(s.list);
	}
}

static void too_many(void **state)
{
	struct str text = { 0 };
	struct stages s = { 0 };
	struct diag d = { 0 };

	(void)state;
	for (unsigned i = 0; i <= STAGES_MAX; i++)
		str_add(&text, "trim\n");
	assert_int_equal(stages_parse(str_text(&text), "f", NULL, &s, &d), -EINVAL);
	assert_string_equal(d.text, "f:257: at most 256 stages are possible");
	str_release(&text);
}

/* However long a stage is: few points, of equal length, that hold everything. */
static void a_curve_is_bounded(void **state)
{
	(void)state;
	for (uint64_t requests = 1; requests < 100000; requests = requests * 3 + 1) {
		struct stages_curve c = { .scale = 3 };
		struct curve_state s = { 0 };
		uint64_t bytes = 0, pages = 0, before = 0;

		assert_int_equal(stages_curve_stage(&c, 0, 0, 10, 16, &s), 0);
		for (uint64_t i = 1; i <= requests; i++) {
			if (stages_curve_due(&c, i * 7))
				stages_curve_advance(&c, i * 7, &s);
			stages_curve_add(&c, 100, 0);
			s.pages++;
			s.programs += 2;
		}
		stages_curve_finish(&c, requests * 7 + 1, &s);
		assert_true(c.n <= 16 && (c.n >= 7 || requests < 16));
		for (uint32_t i = 0; i < c.n; i++) {
			assert_int_equal(c.points[i].start_ns, before);
			before = c.points[i].end_ns;
			bytes += c.points[i].written_bytes;
			pages += c.points[i].pages;
			assert_int_equal(c.points[i].programs, 2 * c.points[i].pages);
		}
		assert_int_equal(bytes, 3 * 100 * requests);
		assert_int_equal(pages, 3 * requests);
		assert_int_equal(before, 3 * (requests * 7 + 1));
		stages_curve_release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_of_phases),	  cmocka_unit_test(a_base),
		cmocka_unit_test(mistakes_name_the_line), cmocka_unit_test(too_many),
		cmocka_unit_test(a_curve_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

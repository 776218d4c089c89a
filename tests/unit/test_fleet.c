/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/made_report.h"
#include "report/fleet_text.h"

#define DRIVES_MAX 8

/* A fleet of made drives. */
struct made_fleet {
	struct made_report *made[DRIVES_MAX];
	struct drive_report reports[DRIVES_MAX];
	size_t n;
	struct fleet fleet;
};

static struct made_report *add(struct made_fleet *m, const char *serial, double used, double days,
			       double low, double high)
{
	struct made_report *r = made_report_new("MODEL", serial, used, 0, 24);

	m->made[m->n++] = r;
	if (isfinite(days))
		made_report_end(r, days, low, high);
	return r;
}

static void make(struct made_fleet *m)
{
	const struct fleet_terms terms = { 730, 30 };

	for (size_t i = 0; i < m->n; i++)
		m->reports[i] = m->made[i]->report;
	assert_int_equal(fleet_make(m->reports, m->n, &terms, MADE_NOW, &m->fleet), 0);
}

static void release(struct made_fleet *m)
{
	for (size_t i = 0; i < m->n; i++)
		made_report_free(m->made[i]);
	fleet_release(&m->fleet);
}

static const char *serial(const struct fleet_drive *d)
{
	return d->r->reading->identity.serial;
}

static void who_ends_first_is_first(void **state)
{
	static const char *const order[] = {
		"worse", "worn", "soon", "later", "half", "new", "none"
	};
	struct made_fleet m = { 0 };
	struct made_report *none;

	(void)state;
	add(&m, "later", 40, 900, 800, 1000);
	none = add(&m, "none", 0, NAN, 0, 0);
	none->assessment.wear.has_left = false;
	add(&m, "new", 0, NAN, 0, 0);
	add(&m, "worn", 101, 0, 0, 0);
	add(&m, "soon", 10, 300, 200, 400);
	add(&m, "worse", 170, 0, 0, 0);
	add(&m, "half", 50, NAN, 0, 0);
	make(&m);
	for (size_t i = 0; i < m.n; i++)
		assert_string_equal(serial(&m.fleet.drives[i]), order[i]);
	assert_int_equal(m.fleet.ends_unknown, 3);
	release(&m);
}

static void totals_leave_out_what_is_unknown_and_say_so(void **state)
{
	struct made_fleet m = { 0 };
	struct made_report *bare;
	char text[REPORT_TEXT_MAX];

	(void)state;
	add(&m, "1", 10, 300, 200, 400);
	bare = add(&m, "2", 10, 300, 200, 400);
	bare->reading.identity.has_capacity = false;
	bare->assessment.facts.sets[FACT_HOST_BYTES_WRITTEN].n = 0;
	bare->assessment.verdict = SEVERITY_WARNING;
	make(&m);
	assert_string_equal(fleet_capacity(&m.fleet, text), "1.92 TB (1 drive unknown)");
	/* 412 TB in 27,210 hours */
	assert_true(fabs(m.fleet.writes_per_day / 1e9 - 363.4) < 0.1);
	assert_string_equal(fleet_host_writes(&m.fleet, text), "363 GB a day (1 drive unknown)");
	assert_string_equal(fleet_verdicts(&m.fleet, text), "1 WARNING, 1 OK");
	assert_int_equal(fleet_verdict(&m.fleet), SEVERITY_WARNING);
	release(&m);
}

static void the_plan_goes_by_the_early_end(void **state)
{
	struct made_fleet m = { 0 };
	struct fleet_quarter q;
	char text[ORDER_TEXT_MAX], quarter[QUARTER_TEXT];

	(void)state;
	add(&m, "beyond", 10, 900, 731, 1000); /* the window ends before its early end */
	add(&m, "within", 10, 900, 700, 2000);
	add(&m, "worn", 100, 0, 0, 0);
	add(&m, "early", 10, 700, 10, INFINITY); /* its lead time has begun */
	make(&m);
	assert_int_equal(m.fleet.nplan, 3);
	assert_string_equal(serial(m.fleet.plan[0]), "worn");
	assert_int_equal(m.fleet.plan[0]->replace_by, MADE_NOW);
	assert_string_equal(serial(m.fleet.plan[1]), "early");
	assert_int_equal(m.fleet.plan[1]->replace_by, MADE_NOW + 10 * 86400);
	assert_int_equal(m.fleet.plan[1]->order_by, MADE_NOW);
	assert_int_equal(m.fleet.plan[2]->order_by, MADE_NOW + 670 * 86400);
	assert_true(fleet_quarter(&m.fleet, 0, &q));
	assert_int_equal(q.n, 2);
	assert_string_equal(quarter_text(q.drives[0]->replace_by, quarter), "2026-Q2");
	assert_string_equal(fleet_order_text(&q, text), "2 x MODEL 1.92 TB");
	assert_true(fleet_quarter(&m.fleet, 1, &q));
	assert_string_equal(quarter_text(q.drives[0]->replace_by, quarter), "2028-Q2");
	assert_false(fleet_quarter(&m.fleet, 2, &q));
	release(&m);
}

static void what_fails_is_replaced_now_unless_accepted(void **state)
{
	struct made_fleet m = { 0 };
	struct made_report *accepted;

	(void)state;
	made_report_finding(add(&m, "failing", 10, NAN, 0, 0), "smart.failing", SEVERITY_CRITICAL,
			    "the drive says it fails");
	made_report_finding(add(&m, "hot", 10, NAN, 0, 0), "temperature.over-critical",
			    SEVERITY_CRITICAL, "90 C");
	accepted = add(&m, "accepted", 10, NAN, 0, 0);
	made_report_finding(accepted, "smart.failing", SEVERITY_CRITICAL, "so it says");
	accepted->assessment.findings[0].suppressed = true;
	make(&m);
	assert_int_equal(m.fleet.nplan, 1);
	assert_string_equal(serial(m.fleet.plan[0]), "failing");
	assert_int_equal(m.fleet.plan[0]->reason, REPLACE_FAILING);
	release(&m);
}

static void members_of_an_array_are_spread(void **state)
{
	struct made_fleet m = { 0 };
	size_t staggered = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		static const char *const serials[] = { "a", "b", "c" };
		struct made_report *r = add(&m, serials[i], 60, 600, 500, 700);

		snprintf(r->reading.identity.array, sizeof(r->reading.identity.array), "md0");
	}
	make(&m);
	assert_int_equal(m.fleet.nplan, 3);
	for (size_t i = 0; i < 3; i++) {
		staggered += m.fleet.plan[i]->reason == REPLACE_STAGGERED;
		assert_true(!i || m.fleet.plan[i]->replace_by >=
					  m.fleet.plan[i - 1]->replace_by + 80 * 86400);
		assert_true(m.fleet.plan[i]->replace_by <= m.fleet.plan[i]->end_low);
	}
	assert_true(staggered >= 2);
	release(&m);
}

static void no_drive_is_unknown(void **state)
{
	struct made_fleet m = { 0 };
	char text[REPORT_TEXT_MAX];

	(void)state;
	make(&m);
	assert_int_equal(fleet_verdict(&m.fleet), SEVERITY_UNKNOWN);
	assert_string_equal(fleet_verdicts(&m.fleet, text), "no SSD found");
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_ends_first_is_first),
		cmocka_unit_test(totals_leave_out_what_is_unknown_and_say_so),
		cmocka_unit_test(the_plan_goes_by_the_early_end),
		cmocka_unit_test(what_fails_is_replaced_now_unless_accepted),
		cmocka_unit_test(members_of_an_array_are_spread),
		cmocka_unit_test(no_drive_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

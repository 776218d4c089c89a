/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "health/array.h"

#define DRIVES 4
#define DAY    INT64_C(86400)
#define NOW    INT64_C(1798761600) /* 2027-01-01 */

struct machine {
	struct reading readings[DRIVES];
	struct assessment assessments[DRIVES];
	const struct reading *r[DRIVES];
	struct assessment *a[DRIVES];
	struct limits limits;
};

/* Drives of the given wear in percent; "" is in no array. */
static struct machine *new_machine(const int used[DRIVES], const char *const arrays[DRIVES])
{
	struct machine *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	limits_defaults(&m->limits);
	for (int i = 0; i < DRIVES; i++) {
		reading_init(&m->readings[i]);
		snprintf(m->readings[i].identity.path, NODE_MAX, "/dev/sd%c", 'a' + i);
		snprintf(m->readings[i].identity.serial, SERIAL_MAX, "S%d", i);
		snprintf(m->readings[i].identity.array, ARRAY_MAX, "%s", arrays[i]);
		m->readings[i].time = NOW;
		m->assessments[i].estimates.binding = -1;
		m->assessments[i].wear.has_used = true;
		m->assessments[i].wear.used = (i128)used[i] * 1000;
		m->r[i] = &m->readings[i];
		m->a[i] = &m->assessments[i];
	}
	return m;
}

static void compare(struct machine *m, const struct suppression *suppressions, size_t n)
{
	assert_int_equal(assess_arrays(m->r, m->a, DRIVES, &m->limits, suppressions, n, NOW), 0);
}

/* The binding estimate: ends in so many days, at the earliest in so many. */
static void set_end(struct machine *m, int drive, double days, double low)
{
	struct estimates *e = &m->assessments[drive].estimates;

	e->binding = METHOD_PERCENTAGE_USED;
	e->by_method[e->binding] = (struct estimate){
		.has_days = true,
		.days_left = days,
		.has_interval = low < days,
		.days_low = low,
		.days_high = 2 * days,
	};
}

static const char *const one_array[DRIVES] = { "md0", "md0", "md0", "" };

static void members_that_near_their_end_together_warn(void **state)
{
	struct machine *m = new_machine((const int[]){ 82, 84, 40, 83 }, one_array);

	(void)state;
	compare(m, NULL, 0);
	assert_int_equal(m->assessments[0].nfindings, 1);
	assert_string_equal(m->assessments[0].findings[0].id, "array.wear-correlated");
	assert_string_equal(m->assessments[0].findings[0].text,
			    "82 % of the rated life is used, and 1 more of array md0 wear alike");
	assert_string_equal(m->assessments[0].findings[0].evidence,
			    "within 3 points of /dev/sdb; limit: from 70 % used");
	assert_int_equal(m->assessments[0].verdict, SEVERITY_WARNING);
	assert_int_equal(m->assessments[1].nfindings, 1);
	assert_int_equal(m->assessments[2].nfindings, 0); /* fresh */
	assert_int_equal(m->assessments[3].nfindings, 0); /* in no array */
	free(m);
}

static void other_arrays_and_early_wear_do_not(void **state)
{
	struct machine *m = new_machine((const int[]){ 69, 69, 90, 94 }, one_array);
	struct machine *n = new_machine((const int[]){ 90, 90, 90, 90 },
					(const char *const[]){ "md0", "md1", "", "" });

	(void)state;
	compare(m, NULL, 0);
	compare(n, NULL, 0);
	for (int i = 0; i < DRIVES; i++) {
		assert_int_equal(m->assessments[i].nfindings, 0);
		assert_int_equal(n->assessments[i].nfindings, 0);
	}
	free(m);
	free(n);
}

static void members_that_end_together_get_a_staggered_proposal(void **state)
{
	struct machine *m = new_machine((const int[]){ 50, 50, 50, 50 }, one_array);
	const struct finding *f;

	(void)state;
	set_end(m, 0, 300, 250);
	set_end(m, 1, 280, 240);
	set_end(m, 2, 900, 800);
	set_end(m, 3, 290, 280);
	compare(m, NULL, 0);
	assert_int_equal(m->assessments[0].nfindings, 1);
	f = &m->assessments[0].findings[0];
	assert_string_equal(f->id, ARRAY_WEAR_CORRELATED);
	assert_int_equal(f->severity, SEVERITY_WARNING);
	assert_string_equal(f->text,
			    "ends about 2027-10-28, within 90 days of 1 more of array md0");
	assert_string_equal(f->evidence, "2027-09-08 at the earliest; /dev/sdb about 2027-10-08; "
					 "limit: array-window 90 days");
	/* 250 - 1 days, and a window before that */
	assert_string_equal(f->advice, "stagger: replace /dev/sdb by 2027-06-09, "
				       "/dev/sda by 2027-09-07");
	assert_int_equal(m->assessments[1].nfindings, 1);
	assert_int_equal(m->assessments[2].nfindings, 0); /* ends much later */
	assert_int_equal(m->assessments[3].nfindings, 0); /* in no array */
	free(m);
}

static void an_end_that_is_years_away_is_a_remark(void **state)
{
	struct machine *m = new_machine((const int[]){ 5, 5, 0, 0 }, one_array);

	(void)state;
	set_end(m, 0, 3000, 2000);
	set_end(m, 1, 3010, 2000);
	compare(m, NULL, 0);
	assert_int_equal(m->assessments[0].nfindings, 1);
	assert_int_equal(m->assessments[0].findings[0].severity, SEVERITY_OK);
	assert_int_equal(m->assessments[0].verdict, SEVERITY_OK);
	free(m);
}

static void dates_tell_more_than_equal_wear(void **state)
{
	struct machine *m = new_machine((const int[]){ 80, 80, 80, 0 }, one_array);

	(void)state;
	set_end(m, 0, 100, 90);
	set_end(m, 1, 500, 400); /* as worn, but hardly written to any more */
	compare(m, NULL, 0);
	/* each is compared by wear with the one that has no date, and not with the other */
	assert_non_null(strstr(m->assessments[0].findings[0].text, "1 more of array md0 wear"));
	assert_non_null(strstr(m->assessments[2].findings[0].text, "2 more of array md0 wear"));
	free(m);
}

static struct array_plan plan_of(struct array_member *members, size_t n)
{
	struct array_plan plan = { .name = "md0", .members = members, .n = n };

	array_stagger(&plan, 90 * DAY, NOW);
	return plan;
}

static int64_t day_of(const struct array_member *m)
{
	return (m->replace - NOW) / DAY;
}

static void where_time_is_short_the_steps_are_equal(void **state)
{
	struct array_member m[] = {
		{ .drive = 0, .end = NOW + 130 * DAY, .end_low = NOW + 121 * DAY },
		{ .drive = 1, .end = NOW + 125 * DAY, .end_low = NOW + 121 * DAY },
		{ .drive = 2, .end = NOW + 135 * DAY, .end_low = NOW + 121 * DAY },
	};
	struct array_plan plan = plan_of(m, 3);

	(void)state;
	assert_int_equal(plan.spacing, 60 * DAY);
	assert_int_equal(plan.ntogether, 3);
	assert_int_equal(m[0].drive, 1);
	assert_int_equal(day_of(&m[0]), 0);
	assert_int_equal(day_of(&m[1]), 60);
	assert_int_equal(day_of(&m[2]), 120);
}

static void who_may_end_any_day_goes_now(void **state)
{
	struct array_member m[] = {
		{ .drive = 0, .end = NOW + 400 * DAY, .end_low = NOW + 301 * DAY },
		{ .drive = 1, .end = NOW + 10 * DAY, .end_low = NOW - DAY },
		{ .drive = 2, .end = NOW + 60 * DAY, .end_low = NOW + 41 * DAY },
	};
	struct array_plan plan = plan_of(m, 3);

	(void)state;
	assert_int_equal(m[0].drive, 1);
	assert_true(m[0].overdue);
	assert_int_equal(day_of(&m[0]), 0);
	assert_int_equal(plan.spacing, 40 * DAY);
	assert_int_equal(day_of(&m[1]), 40);
	assert_int_equal(day_of(&m[2]), 300);
	assert_false(m[2].together);
	assert_int_equal(plan.ntogether, 2);
}

/* 0 to n - 1; xorshift64 */
static uint64_t roll(uint64_t *dice, uint64_t n)
{
	*dice ^= *dice << 13;
	*dice ^= *dice >> 7;
	*dice ^= *dice << 17;
	return *dice % n;
}

/* Whatever the ends: in time, in order, none before now, and as far apart as it is said. */
static void every_proposal_keeps_its_distance_and_its_dates(void **state)
{
	uint64_t dice = 7;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct array_member m[12];
		size_t n = 1 + roll(&dice, 12);

		for (size_t i = 0; i < n; i++) {
			int64_t low = (int64_t)roll(&dice, 1500) - 100;
			m[i] = (struct array_member){
				.drive = i,
				.end_low = NOW + low * DAY,
				.end = NOW + (low + (int64_t)roll(&dice, 300)) * DAY,
			};
		}
		struct array_plan plan = plan_of(m, n);
		assert_true(plan.spacing >= 0 && plan.spacing <= 90 * DAY);
		for (size_t i = 0; i < n; i++) {
			assert_true(m[i].replace >= NOW);
			assert_true(m[i].overdue || m[i].replace < m[i].end_low);
			assert_true(m[i].overdue == (m[i].end_low <= NOW + DAY));
			if (i > 0 && !m[i].overdue)
				assert_true(m[i].replace - m[i - 1].replace >= plan.spacing);
		}
	}
}

static void plans_hold_only_members_that_end(void **state)
{
	CLEANUP(array_plans_release) struct array_plans plans = { 0 };
	const char *const arrays[DRIVES] = { "ZFS tank", "LVM vg0", "ZFS tank", "" };
	struct machine *m = new_machine((const int[]){ 1, 1, 1, 1 }, arrays);

	(void)state;
	set_end(m, 0, 300, 250);
	set_end(m, 1, 300, 250);
	set_end(m, 3, 300, 250);
	assert_int_equal(array_plans_make(m->r, (const struct assessment *const *)m->a, DRIVES,
					  &m->limits, NOW, &plans),
			 0);
	assert_int_equal(plans.n, 2);
	assert_string_equal(plans.items[0].name, "LVM vg0");
	assert_int_equal(plans.items[0].n, 1);
	assert_int_equal(plans.items[0].members[0].drive, 1);
	assert_int_equal(plans.items[0].ntogether, 0);
	assert_string_equal(plans.items[1].name, "ZFS tank");
	assert_int_equal(plans.items[1].n, 1);
	free(m);
}

/* The history still knows the drive that was taken out, and the array that it was in. */
static void a_member_that_was_replaced_does_not_count(void **state)
{
	struct machine *m = new_machine((const int[]){ 80, 80, 80, 80 }, one_array);

	(void)state;
	m->readings[0].time = NOW - 8 * DAY;
	m->readings[2].time = NOW - 20 * DAY;
	set_end(m, 0, 300, 250);
	set_end(m, 1, 300, 250);
	compare(m, NULL, 0);
	for (int i = 0; i < DRIVES; i++)
		assert_int_equal(m->assessments[i].nfindings, 0);
	m->readings[0].time = NOW - 6 * DAY;
	compare(m, NULL, 0);
	assert_int_equal(m->assessments[0].nfindings, 1);
	free(m);
}

static void it_can_be_accepted_for_one_drive(void **state)
{
	struct machine *m = new_machine((const int[]){ 90, 90, 0, 0 }, one_array);
	const struct suppression s = { .serial = "S0",
				       .id = "array.wear-correlated",
				       .reason = "spare at hand" };

	(void)state;
	compare(m, &s, 1);
	assert_true(m->assessments[0].findings[0].suppressed);
	assert_int_equal(m->assessments[0].verdict, SEVERITY_OK);
	assert_int_equal(m->assessments[1].verdict, SEVERITY_WARNING);
	free(m);
}

static void names_shared_by_two_drives_are_told(void **state)
{
	struct machine *m = new_machine((const int[]){ 1, 1, 1, 1 },
					(const char *const[]){ "", "", "", "" });

	(void)state;
	for (int i = 0; i < DRIVES; i++)
		snprintf(m->readings[i].identity.wwn, WWN_MAX, "%s",
			 i < 2 ? "0x5000000000000001" : "0x0000000000000000");
	assess_identities(m->r, m->a, DRIVES, NULL, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(m->assessments[i].nfindings, 1);
		assert_string_equal(m->assessments[i].findings[0].id, "identity.wwn-shared");
		assert_int_equal(m->assessments[i].verdict, SEVERITY_OK);
	}
	assert_string_equal(m->assessments[0].findings[0].text,
			    "another drive has the same world-wide name: /dev/sdb, serial S1");
	assert_int_equal(m->assessments[2].nfindings, 0); /* a name of zeros is none */
	free(m);
}

static void two_readings_of_one_drive_share_their_name(void **state)
{
	struct machine *m = new_machine((const int[]){ 1, 1, 1, 1 },
					(const char *const[]){ "", "", "", "" });

	(void)state;
	for (int i = 0; i < DRIVES; i++) {
		snprintf(m->readings[i].identity.wwn, WWN_MAX, "eui.0025385000000001");
		snprintf(m->readings[i].identity.serial, SERIAL_MAX, "S0");
	}
	assess_identities(m->r, m->a, DRIVES, NULL, 0);
	for (int i = 0; i < DRIVES; i++)
		assert_int_equal(m->assessments[i].nfindings, 0);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_that_near_their_end_together_warn),
		cmocka_unit_test(other_arrays_and_early_wear_do_not),
		cmocka_unit_test(members_that_end_together_get_a_staggered_proposal),
		cmocka_unit_test(an_end_that_is_years_away_is_a_remark),
		cmocka_unit_test(dates_tell_more_than_equal_wear),
		cmocka_unit_test(where_time_is_short_the_steps_are_equal),
		cmocka_unit_test(who_may_end_any_day_goes_now),
		cmocka_unit_test(every_proposal_keeps_its_distance_and_its_dates),
		cmocka_unit_test(plans_hold_only_members_that_end),
		cmocka_unit_test(a_member_that_was_replaced_does_not_count),
		cmocka_unit_test(it_can_be_accepted_for_one_drive),
		cmocka_unit_test(names_shared_by_two_drives_are_told),
		cmocka_unit_test(two_readings_of_one_drive_share_their_name),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

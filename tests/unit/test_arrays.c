/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "health/assess.h"

#define DRIVES 4

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
		snprintf(m->readings[i].identity.array, 32, "%s", arrays[i]);
		m->assessments[i].wear.has_used = true;
		m->assessments[i].wear.used = (i128)used[i] * 1000;
		m->r[i] = &m->readings[i];
		m->a[i] = &m->assessments[i];
	}
	return m;
}

static const char *const one_array[DRIVES] = { "md0", "md0", "md0", "" };

static void members_that_near_their_end_together_warn(void **state)
{
	struct machine *m = new_machine((const int[]){ 82, 84, 40, 83 }, one_array);

	(void)state;
	assess_arrays(m->r, m->a, DRIVES, &m->limits, NULL, 0);
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
	assess_arrays(m->r, m->a, DRIVES, &m->limits, NULL, 0);
	assess_arrays(n->r, n->a, DRIVES, &n->limits, NULL, 0);
	for (int i = 0; i < DRIVES; i++) {
		assert_int_equal(m->assessments[i].nfindings, 0);
		assert_int_equal(n->assessments[i].nfindings, 0);
	}
	free(m);
	free(n);
}

static void it_can_be_accepted_for_one_drive(void **state)
{
	struct machine *m = new_machine((const int[]){ 90, 90, 0, 0 }, one_array);
	const struct suppression s = { .serial = "S0",
				       .id = "array.wear-correlated",
				       .reason = "spare at hand" };

	(void)state;
	assess_arrays(m->r, m->a, DRIVES, &m->limits, &s, 1);
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
		cmocka_unit_test(it_can_be_accepted_for_one_drive),
		cmocka_unit_test(names_shared_by_two_drives_are_told),
		cmocka_unit_test(two_readings_of_one_drive_share_their_name),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

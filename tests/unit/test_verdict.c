/* SPDX-License-Identifier: MIT */
/* Limits, suppressions, the verdict, and findings on the data itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/judged.h"

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static void limit_table(void **state)
{
	struct limits l;

	(void)state;
	memset(&l, 0xff, sizeof(l));
	limits_defaults(&l);
	assert_int_equal(limit_rows_n, sizeof(struct limits) / sizeof(double));
	for (size_t i = 0; i < limit_rows_n; i++) {
		const struct limit_row *row = &limit_rows[i];
		double v;

		memcpy(&v, (const char *)&l + row->offset, sizeof(v));
		assert_true(v == row->standard);
		assert_true(row->low <= v && v <= row->high);
		assert_true(*row->help != '\0');
		for (size_t k = 0; k < i; k++) {
			assert_true(limit_rows[k].offset != row->offset);
			assert_string_not_equal(limit_rows[k].name, row->name);
		}
	}
	assert_true(l.used_warning == 90 && l.used_critical == 99);
}

static void limit_setting(void **state)
{
	static const struct {
		const char *name, *value;
		int err;
		const char *says;
	} rows[] = {
		{ "used-warning", "80", 0, "" },
		{ "used-warning", "80.5", 0, "" },
		{ "used-warning", "0", -ERANGE, "is not within 1 to 1000 %" },
		{ "used-warning", "1001", -ERANGE, "is not within 1 to 1000 %" },
		{ "used-warning", "-5", -EINVAL, "no number" },
		{ "used-warning", "ninety", -EINVAL, "'ninety' is no number" },
		{ "used-warning", "", -EINVAL, "no number" },
		{ "used-warning", "nan", -EINVAL, "no number" },
		{ "used_warning", "80", -ENOENT, "no limit is called 'used_warning'" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct limits l;
		struct diag d = { 0 };

		limits_defaults(&l);
		assert_int_equal(limits_set(&l, rows[i].name, rows[i].value, &d), rows[i].err);
		assert_says(d.text, rows[i].says);
		if (rows[i].err)
			assert_true(l.used_warning == 90);
		else
			assert_true(l.used_warning == (i ? 80.5 : 80));
	}
}

static void severities(void **state)
{
	(void)state;
	assert_string_equal(severity_name(SEVERITY_CRITICAL), "critical");
	assert_string_equal(severity_label(SEVERITY_UNKNOWN), "UNKNOWN");
	assert_true(SEVERITY_CRITICAL > SEVERITY_WARNING && SEVERITY_WARNING > SEVERITY_UNKNOWN &&
		    SEVERITY_UNKNOWN > SEVERITY_OK);
}

static void finding_ids_are_words(void **state)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	size_t n = 0;

	(void)state;
	for (; finding_ids[n]; n++) {
		const char *dot = strchr(finding_ids[n], '.');

		assert_non_null(dot);
		assert_int_equal(strspn(finding_ids[n], letters), dot - finding_ids[n]);
		assert_int_equal(strspn(dot + 1, letters), strlen(dot + 1));
		for (size_t k = 0; k < n; k++)
			assert_string_not_equal(finding_ids[k], finding_ids[n]);
	}
	assert_true(n >= 30 && n <= FINDINGS_MAX);
}

/* The worst first; equally bad ones in the order of the table. */
static void worst_first(void **state)
{
	struct judged *d = judged_nvme();
	const struct assessment *a;

	(void)state;
	judged_fact(d, FACT_CRC_ERRORS, 1);
	judged_fact(d, FACT_TEMPERATURE, 75);
	judged_fact(d, FACT_MEDIA_ERRORS, 5);
	judged_fact(d, FACT_PERCENTAGE_USED, 100);
	judged_fact(d, FACT_AVAILABLE_SPARE, 1);
	a = judged_run(d);
	assert_int_equal(a->nfindings, 5);
	assert_string_equal(a->findings[0].id, "wear.life-low");
	assert_string_equal(a->findings[1].id, "spare.below-threshold");
	assert_string_equal(a->findings[2].id, "temperature.over-warning");
	assert_string_equal(a->findings[3].id, "media.errors");
	assert_string_equal(a->findings[4].id, "interface.crc-errors");
	assert_int_equal(a->verdict, SEVERITY_CRITICAL);
	assert_string_equal(a->reason, a->findings[0].text);
}

static void suppressions(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	snprintf(d->r.identity.serial, sizeof(d->r.identity.serial), "S1");
	judged_fact(d, FACT_MEDIA_ERRORS, 5);
	judged_fact(d, FACT_TEMPERATURE, 75);
	d->nsuppressions = 1;
	d->suppressions[0] = (struct suppression){ "S1", "media.errors", "known since 2024" };
	judged_run(d);
	assert_int_equal(d->a.verdict, SEVERITY_WARNING);
	assert_string_equal(d->a.findings[0].id, "temperature.over-warning");
	assert_true(d->a.findings[1].suppressed); /* last, but there */
	assert_string_equal(d->a.findings[1].suppressed_why, "known since 2024");
	assert_int_equal(d->a.findings[1].severity, SEVERITY_WARNING);
	judged_refuse(d, "media.errors");

	d->nsuppressions = 2; /* any drive */
	d->suppressions[1] = (struct suppression){ "", "temperature.over-warning", "hot aisle" };
	judged_run(d);
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	assert_says(d->a.reason, "2 findings accepted by the administrator");

	snprintf(d->suppressions[0].serial, sizeof(d->suppressions[0].serial), "S2");
	judged_expect(d, "media.errors", SEVERITY_WARNING);
}

static void firmware_hazards(void **state)
{
	static const struct {
		double hours; /* -1: not reported */
		bool has_hours;
		enum severity severity;
		const char *says;
	} rows[] = {
		{ 10000, true, SEVERITY_WARNING, "fails in 22,768 h" },
		{ 30608, true, SEVERITY_CRITICAL, "fails in 2,160 h (90 days powered on)" },
		{ 32767, true, SEVERITY_CRITICAL, "fails in 1 h" },
		{ 32768, true, SEVERITY_CRITICAL, "is past the 32,768 h at which it fails" },
		{ -1, true, SEVERITY_WARNING, "firmware HPD7: loses all data" },
		{ 10000, false, SEVERITY_WARNING, "firmware HPD7: loses all data" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_sata();
		struct firmware_hazard *h = &d->rule.hazards[0];
		const struct finding *f;

		judged_refuse(d, "firmware.hazard");
		if (rows[i].hours < 0)
			d->a.facts.sets[FACT_POWER_ON_HOURS].n = 0;
		else
			judged_fact(d, FACT_POWER_ON_HOURS, rows[i].hours);
		d->rule.matched = true;
		d->rule.nhazards = 1;
		*h = (struct firmware_hazard){ .id = "hours-32768",
					       .has_hours = rows[i].has_hours,
					       .hours = 32768,
					       .fixed_in = "HPD8",
					       .text = "loses all data",
					       .advice = "update the firmware now" };
		snprintf(d->r.identity.firmware, sizeof(d->r.identity.firmware), "HPD7");
		f = judged_expect(d, "firmware.hazard", rows[i].severity);
		assert_says(f->text, rows[i].says);
		assert_says(f->text, "firmware HPD7");
		assert_says(f->evidence, "hours-32768, fixed in HPD8");
		assert_string_equal(f->advice, "update the firmware now");
	}
}

static void firmware_outdated(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_refuse(d, "firmware.outdated");
	d->rule.matched = true;
	snprintf(d->rule.newest_firmware, sizeof(d->rule.newest_firmware), "M3CR046");
	judged_refuse(d, "firmware.outdated"); /* which one it runs is not known */
	snprintf(d->r.identity.firmware, sizeof(d->r.identity.firmware), "M3CR046");
	judged_refuse(d, "firmware.outdated");
	snprintf(d->r.identity.firmware, sizeof(d->r.identity.firmware), "M3CR023");
	assert_string_equal(judged_expect(d, "firmware.outdated", SEVERITY_OK)->text,
			    "firmware M3CR023; the newest known is M3CR046");
}

static void age_of_the_reading(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_refuse(d, "data.stale");
	judged_refuse(d, "data.clock");
	d->now = d->r.time + 7 * 86400;
	judged_refuse(d, "data.stale");
	d->now = d->r.time + 40 * 86400;
	assert_says(judged_expect(d, "data.stale", SEVERITY_UNKNOWN)->text, "40 days old");
	assert_int_equal(d->a.verdict, SEVERITY_UNKNOWN);
	judged_fact(d, FACT_PERCENTAGE_USED, 100); /* known trouble outranks it */
	judged_run(d);
	assert_int_equal(d->a.verdict, SEVERITY_CRITICAL);

	d->now = d->r.time - 300; /* five minutes are allowed */
	judged_refuse(d, "data.clock");
	d->now = d->r.time - 301;
	judged_expect(d, "data.clock", SEVERITY_WARNING);
	d->now = TIME_UNKNOWN;
	judged_refuse(d, "data.clock");
	judged_refuse(d, "data.stale");
	d->r.time = TIME_UNKNOWN;
	judged_refuse(d, "data.clock");
	judged_refuse(d, "data.stale");
}

/* Partial failure: a log that could not be read does not take the others with it. */
static void unreadable_log(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_refuse(d, "data.incomplete");
	reading_add_problem(&d->r, -EIO, "error log: PRP offset invalid");
	assert_string_equal(judged_expect(d, "data.incomplete", SEVERITY_OK)->text,
			    "1 log or field could not be read: error log: PRP offset invalid");
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	d = judged_sata();
	d->r.attributes_checksum_bad = true;
	judged_expect(d, "data.incomplete", SEVERITY_OK);
}

/* Wear math: both numbers are shown; the verdict follows the drive. */
static void conflicts_are_remarks(void **state)
{
	struct judged *d = judged_nvme();
	const struct finding *f;

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 8);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 2e12);
	judged_fact(d, FACT_POWER_ON_HOURS, 208);
	judged_fact(d, FACT_RATED_BYTES_WRITTEN, 560e12);
	f = judged_expect(d, "data.conflict", SEVERITY_OK);
	assert_says(f->text, "8 % by test log");
	assert_says(f->text, "0.36 % by rated writes (2.00 TB of 560 TB)");
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	assert_true(d->a.wear.left == 92000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limit_table),
		cmocka_unit_test(limit_setting),
		cmocka_unit_test(severities),
		cmocka_unit_test(finding_ids_are_words),
		cmocka_unit_test(worst_first),
		cmocka_unit_test(suppressions),
		cmocka_unit_test(firmware_hazards),
		cmocka_unit_test(firmware_outdated),
		cmocka_unit_test(age_of_the_reading),
		cmocka_unit_test(unreadable_log),
		cmocka_unit_test(conflicts_are_remarks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

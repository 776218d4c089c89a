/* SPDX-License-Identifier: MIT */
/* Findings on the drive's state: does it answer, what does it say of itself, is it too hot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "lib/judged.h"

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static void healthy_drives_are_ok(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_run(d);
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	assert_int_equal(d->a.nfindings, 0);
	assert_string_equal(d->a.reason, "10 % of the rated life used, spare 100 %, 41 C");
	d = judged_sata();
	judged_run(d);
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	assert_int_equal(d->a.nfindings, 0);
	assert_string_equal(d->a.reason, "10 % of the rated life used, 35 C");
}

/* Permissions, a hang, a dead drive: unknown with the reason, never "failed". */
static void drives_that_cannot_be_read(void **state)
{
	static const struct {
		enum drive_state state;
		const char *id, *problem, *says;
	} rows[] = {
		{ DRIVE_UNREADABLE, "device.unreadable", "input/output error",
		  "cannot be read: input/output error" },
		{ DRIVE_HUNG, "device.unreadable", "Identify, 10 s",
		  "no answer within the time limit" },
		{ DRIVE_NO_ACCESS, "device.unreadable", "needs CAP_SYS_ADMIN", "CAP_SYS_ADMIN" },
		{ DRIVE_ABSENT, "device.unreadable", "/dev/nvme9: no such drive",
		  "/dev/nvme9: no such drive" },
		{ DRIVE_ABSENT, "device.unreadable", NULL, "there is no such drive" },
		{ DRIVE_STANDBY, "device.standby", NULL, "standby and was not woken" },
		{ DRIVE_NO_SMART, "device.no-health-data", "a RAID volume",
		  "no health data: a RAID volume" },
		{ DRIVE_READ, "device.no-health-data", NULL, "gives no health data" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_new(PROTOCOL_NVME);
		const struct finding *f;

		d->r.state = rows[i].state;
		if (rows[i].problem)
			reading_add_problem(&d->r, -EIO, "%s", rows[i].problem);
		f = judged_expect(d, rows[i].id, SEVERITY_UNKNOWN);
		assert_says(f->text, rows[i].says);
		assert_true(*f->advice != '\0' || rows[i].state == DRIVE_ABSENT);
		assert_int_equal(d->a.verdict, SEVERITY_UNKNOWN);
		assert_string_equal(d->a.reason, f->text);
		assert_int_equal(d->a.nfindings, 1);
	}
	judged_refuse(judged_nvme(), "device.unreadable");
	judged_refuse(judged_nvme(), "device.standby");
	judged_refuse(judged_nvme(), "device.no-health-data");
}

/* Ratings from the drive rules are no health data. */
static void ratings_alone_are_no_data(void **state)
{
	struct judged *d = judged_new(PROTOCOL_ATA);

	(void)state;
	judged_fact(d, FACT_RATED_PE_CYCLES, 1500)->quality = QUALITY_DERIVED;
	judged_expect(d, "device.no-health-data", SEVERITY_UNKNOWN);
}

/* The drive's own verdict is health data, if not much. */
static void status_alone_is_data(void **state)
{
	struct judged *d = judged_new(PROTOCOL_SCSI);

	(void)state;
	d->r.smart_status = SMART_STATUS_PASSED;
	judged_refuse(d, "device.no-health-data");
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	d->r.smart_status = SMART_STATUS_FAILED;
	judged_expect(d, "smart.failing", SEVERITY_CRITICAL);
}

/* A log of zeros: no reading, and not "spare 0 %". */
static void zero_page(void **state)
{
	static const enum fact_id zeros[] = {
		FACT_CRITICAL_WARNING, FACT_AVAILABLE_SPARE, FACT_SPARE_THRESHOLD,
		FACT_PERCENTAGE_USED,  FACT_POWER_ON_HOURS,  FACT_HOST_BYTES_WRITTEN,
	};
	struct judged *d = judged_new(PROTOCOL_NVME);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(zeros); i++)
		judged_fact(d, zeros[i], 0);
	assert_says(judged_expect(d, "device.no-health-data", SEVERITY_UNKNOWN)->text, "all zeros");
	judged_refuse(d, "spare.below-threshold");
	/* a drive that has just been made is no zero page */
	judged_fact(d, FACT_TEMPERATURE, 23);
	judged_refuse(d, "device.no-health-data");
	judged_refuse(d, "spare.below-threshold");
	judged_refuse(d, "spare.low");
	assert_int_equal(d->a.verdict, SEVERITY_OK);
}

/* Host writes of a dead drive are 0, its wear 255 %: no division, no negative life. */
static void dead_drive(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_fact(d, FACT_PERCENTAGE_USED, 255)->bound = BOUND_AT_LEAST;
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 0);
	judged_fact(d, FACT_NAND_BYTES_WRITTEN, 0);
	judged_run(d);
	assert_int_equal(d->a.verdict, SEVERITY_CRITICAL);
	assert_string_equal(d->a.reason, "at least 255 % of the rated life is used (test log)");
	assert_true(d->a.wear.left == 0);
}

static void critical_warning_bits(void **state)
{
	static const struct {
		unsigned mask;
		const char *id;
		enum severity severity;
		const char *says;
	} rows[] = {
		{ 0x01, "spare.below-threshold", SEVERITY_CRITICAL, "critical warning 0x01" },
		{ 0x02, "temperature.over-warning", SEVERITY_WARNING, "critical warning 0x02" },
		{ 0x04, "device.degraded", SEVERITY_CRITICAL, "critical warning 0x04" },
		{ 0x08, "device.read-only", SEVERITY_CRITICAL, "critical warning 0x08" },
		{ 0x10, "device.plp-failed", SEVERITY_CRITICAL, "critical warning 0x10" },
		{ 0x20, "device.degraded", SEVERITY_WARNING, "critical warning 0x20" },
		{ 0x1c, "device.read-only", SEVERITY_CRITICAL, "critical warning 0x1c" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();
		const struct finding *f;

		judged_fact(d, FACT_CRITICAL_WARNING, rows[i].mask);
		f = judged_expect(d, rows[i].id, rows[i].severity);
		assert_says(f->text, rows[i].says);
		assert_says(f->evidence, "critical_warning 0x");
		/* smartctl calls any bit FAILED: that is no finding of its own */
		d->r.smart_status = SMART_STATUS_FAILED;
		judged_refuse(d, "smart.failing");
	}
	judged_refuse(judged_nvme(), "device.degraded");
	judged_refuse(judged_nvme(), "device.read-only");
	judged_refuse(judged_nvme(), "device.plp-failed");
}

/* False alarm: the bit that only mirrors 100 % used is a warning; the verdict follows the wear. */
static void degraded_bit_that_mirrors_wear(void **state)
{
	static const struct {
		double used, spare, errors;
		enum severity severity;
	} rows[] = {
		{ 100, 100, 0, SEVERITY_WARNING },  { 200, 11, 0, SEVERITY_WARNING },
		{ 99, 100, 0, SEVERITY_CRITICAL },  { 100, 10, 0, SEVERITY_CRITICAL },
		{ 100, 100, 1, SEVERITY_CRITICAL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();
		const struct finding *f;

		judged_fact(d, FACT_CRITICAL_WARNING, 0x04);
		judged_fact(d, FACT_PERCENTAGE_USED, rows[i].used);
		judged_fact(d, FACT_AVAILABLE_SPARE, rows[i].spare);
		judged_fact(d, FACT_MEDIA_ERRORS, rows[i].errors);
		f = judged_expect(d, "device.degraded", rows[i].severity);
		if (rows[i].severity == SEVERITY_WARNING)
			assert_says(f->text, "rated endurance consumed (critical warning 0x04");
		assert_int_equal(d->a.verdict, SEVERITY_CRITICAL);
	}
}

static void write_protection(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_WRITE_PROTECTED, 0);
	judged_refuse(d, "device.read-only");
	judged_fact(d, FACT_WRITE_PROTECTED, 1)->quality = QUALITY_VENDOR;
	judged_expect(d, "device.read-only", SEVERITY_CRITICAL);
	judged_fact(d, FACT_WRITE_PROTECTED, 1)->confidence = CONFIDENCE_MEDIUM;
	judged_expect(d, "device.read-only", SEVERITY_WARNING);
	judged_fact(d, FACT_WRITE_PROTECTED, 1)->confidence = CONFIDENCE_LOW;
	judged_refuse(d, "device.read-only");
}

static void capacitors(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_fact(d, FACT_CAPACITOR_HEALTH, 130);
	judged_refuse(d, "device.plp-failed");
	judged_fact(d, FACT_CAPACITOR_HEALTH, 20);
	judged_refuse(d, "device.plp-failed");
	judged_fact(d, FACT_CAPACITOR_HEALTH, 19);
	judged_expect(d, "device.plp-failed", SEVERITY_WARNING);
	judged_fact(d, FACT_CAPACITOR_HEALTH, 0);
	judged_expect(d, "device.plp-failed", SEVERITY_CRITICAL);
}

static void add_number(struct judged *d, const char *layout, const char *field, uint32_t sub,
		       int64_t number)
{
	assert_int_equal(reading_add_number(&d->r, layout, field, 0, sub, number, BOUND_EXACT), 0);
}

static void endurance_groups(void **state)
{
	struct judged *d = judged_nvme();
	const struct finding *f;

	(void)state;
	add_number(d, "nvme.endurance", "group_warning", 1, 0);
	judged_refuse(d, "device.group-warning");
	add_number(d, "nvme.endurance", "group_warning", 2, 0x05);
	f = judged_expect(d, "device.group-warning", SEVERITY_CRITICAL);
	assert_says(
		f->text,
		"endurance group 2: spare below threshold, reliability degraded (warning 0x05)");
	/* said already for the whole drive */
	judged_fact(d, FACT_CRITICAL_WARNING, 0x05);
	judged_refuse(d, "device.group-warning");

	d = judged_nvme();
	add_number(d, "nvme.endurance", "group_warning", 1, 0x04);
	judged_expect(d, "device.group-warning", SEVERITY_CRITICAL);
	judged_fact(d, FACT_PERCENTAGE_USED, 100); /* the bit that mirrors the wear */
	judged_expect(d, "device.group-warning", SEVERITY_WARNING);
}

/* Sentinels: limits of 0 are not reported; an incomplete identity raises no alarm. */
static void temperature_limits(void **state)
{
	static const struct {
		int64_t wctemp, cctemp; /* mC; 0: the field is there and says 0; -1: not read */
		double now;
		const char *id;
		enum severity severity;
	} rows[] = {
		{ 77000, 85000, 76, NULL, SEVERITY_OK },
		{ 77000, 85000, 77, "temperature.over-warning", SEVERITY_WARNING },
		{ 77000, 85000, 85, "temperature.over-critical", SEVERITY_CRITICAL },
		{ -1, -1, 69, NULL, SEVERITY_OK },
		{ -1, -1, 70, "temperature.over-warning", SEVERITY_WARNING },
		{ -1, -1, 80, "temperature.over-critical", SEVERITY_CRITICAL },
		{ 0, 0, 41, NULL, SEVERITY_OK },
		{ 0, 0, 80, "temperature.over-critical", SEVERITY_CRITICAL },
		{ 84000, -1, 83, NULL, SEVERITY_OK },
		{ 84000, -1, 93, "temperature.over-warning", SEVERITY_WARNING },
		{ 84000, -1, 94, "temperature.over-critical", SEVERITY_CRITICAL },
		{ -1, 65000, 65, "temperature.over-critical", SEVERITY_CRITICAL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_nvme();

		judged_fact(d, FACT_TEMPERATURE, rows[i].now);
		if (rows[i].wctemp >= 0)
			add_number(d, "nvme.controller", "wctemp", 0, rows[i].wctemp);
		if (rows[i].cctemp >= 0)
			add_number(d, "nvme.controller", "cctemp", 0, rows[i].cctemp);
		if (rows[i].id)
			judged_expect(d, rows[i].id, rows[i].severity);
		else
			judged_refuse(d, "temperature.over-critical");
		assert_int_equal(d->a.nfindings, rows[i].id != NULL);
		d->r.identity.incomplete = true;
		judged_run(d);
		assert_int_equal(d->a.nfindings, 0);
	}
}

/* ATA names its highest operating temperature, SCSI a reference that it must not reach. */
static void temperature_limits_elsewhere(void **state)
{
	static const struct {
		const char *layout, *field;
		double warning, critical; /* with a field of 65 C */
	} rows[] = {
		{ "ata.devstat.temperature", "specified_max", 65, 80 },
		{ "ata.sct_status", "temperature_limit", 65, 80 },
		{ "scsi.temperature", "reference", 65, 65 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_sata();

		add_number(d, rows[i].layout, rows[i].field, 0, 65000);
		judged_fact(d, FACT_TEMPERATURE, rows[i].warning - 1);
		judged_run(d);
		assert_int_equal(d->a.verdict, SEVERITY_OK);
		judged_fact(d, FACT_TEMPERATURE, rows[i].critical);
		judged_expect(d, "temperature.over-critical", SEVERITY_CRITICAL);
		judged_fact(d, FACT_TEMPERATURE, rows[i].critical - 1);
		if (rows[i].warning < rows[i].critical)
			judged_expect(d, "temperature.over-warning", SEVERITY_WARNING);
	}
}

static void temperature_limits_of_the_rules(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	d->rule.matched = d->rule.has_limit_celsius = true;
	d->rule.limit_celsius = 85;
	judged_fact(d, FACT_TEMPERATURE, 84);
	judged_refuse(d, "temperature.over-warning");
	judged_fact(d, FACT_TEMPERATURE, 85);
	assert_says(judged_expect(d, "temperature.over-warning", SEVERITY_WARNING)->evidence,
		    "warning from 85 C (drive rules), critical from 95 C (default)");
}

static void temperature_limits_by_the_admin(void **state)
{
	struct judged *d = judged_nvme();
	struct diag why = { 0 };

	(void)state;
	assert_int_equal(limits_set(&d->limits, "temperature-warning", "40", &why), 0);
	assert_says(judged_expect(d, "temperature.over-warning", SEVERITY_WARNING)->text,
		    "41 C, the warning limit is 40 C");
}

static void temperature_not_reported(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	d->a.facts.sets[FACT_TEMPERATURE].n = 0;
	d->rule.matched = d->rule.has_shutdown_celsius = true;
	judged_run(d);
	assert_int_equal(d->a.nfindings, 0);
	judged_fact(d, FACT_CRITICAL_WARNING, 0x02);
	judged_expect(d, "temperature.over-warning", SEVERITY_WARNING);
}

/* 0 K, -93 C and 4,294,967,023 C are no temperatures. */
static void temperatures_that_are_none(void **state)
{
	static const double odd[] = { -273.15, -93, 151, 4294967023.0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct judged *d = judged_nvme();

		judged_fact(d, FACT_TEMPERATURE, odd[i]);
		judged_run(d);
		assert_int_equal(d->a.nfindings, 0);
	}
}

/* The Intel 540s vanishes above 60 C until a restart. */
static void switching_off_by_heat(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	d->rule.matched = d->rule.has_shutdown_celsius = true;
	d->rule.shutdown_celsius = 60;
	d->rule.over_temperature = OVER_TEMPERATURE_SWITCHES_OFF;
	judged_fact(d, FACT_TEMPERATURE, 54);
	judged_refuse(d, "temperature.near-shutdown");
	judged_fact(d, FACT_TEMPERATURE, 55);
	assert_says(judged_expect(d, "temperature.near-shutdown", SEVERITY_WARNING)->text,
		    "55 C: above 60 C this model switches off until the next power cycle");
	judged_fact(d, FACT_TEMPERATURE, 60);
	judged_expect(d, "temperature.near-shutdown", SEVERITY_CRITICAL);
	d->rule.has_shutdown_celsius = false;
	judged_refuse(d, "temperature.near-shutdown");
}

/* Sticky alert: what was hot once does not fail the drive of today. */
static void throttling(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_refuse(d, "thermal.throttled");
	judged_fact(d, FACT_THERMAL_THROTTLE_EVENTS, 1);
	judged_expect(d, "thermal.throttled", SEVERITY_OK);
	judged_fact(d, FACT_THERMAL_THROTTLE_EVENTS, 3);
	judged_fact(d, FACT_MINUTES_OVER_TEMPERATURE, 862);
	judged_fact(d, FACT_TEMPERATURE_MAX, 118);
	judged_expect(d, "thermal.throttled", SEVERITY_OK);
	assert_int_equal(d->a.nfindings, 2);
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	add_number(d, "ocp.smart", "throttle_status", 0, 1);
	judged_expect(d, "thermal.throttled", SEVERITY_WARNING);
}

static void hot_plug(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_refuse(d, "device.hot-plug-unsafe");
	d->rule.matched = true;
	judged_refuse(d, "device.hot-plug-unsafe");
	d->rule.matched = d->rule.hot_plug_unsafe = true;
	judged_expect(d, "device.hot-plug-unsafe", SEVERITY_OK);
	assert_int_equal(d->a.verdict, SEVERITY_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(healthy_drives_are_ok),
		cmocka_unit_test(drives_that_cannot_be_read),
		cmocka_unit_test(ratings_alone_are_no_data),
		cmocka_unit_test(status_alone_is_data),
		cmocka_unit_test(zero_page),
		cmocka_unit_test(dead_drive),
		cmocka_unit_test(critical_warning_bits),
		cmocka_unit_test(degraded_bit_that_mirrors_wear),
		cmocka_unit_test(write_protection),
		cmocka_unit_test(capacitors),
		cmocka_unit_test(endurance_groups),
		cmocka_unit_test(temperature_limits),
		cmocka_unit_test(temperature_limits_elsewhere),
		cmocka_unit_test(temperature_limits_of_the_rules),
		cmocka_unit_test(temperature_limits_by_the_admin),
		cmocka_unit_test(temperature_not_reported),
		cmocka_unit_test(temperatures_that_are_none),
		cmocka_unit_test(switching_off_by_heat),
		cmocka_unit_test(throttling),
		cmocka_unit_test(hot_plug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

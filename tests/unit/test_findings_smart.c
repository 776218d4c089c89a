/* SPDX-License-Identifier: MIT */
/* Findings on attributes, the drive's own verdict, errors and self-tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lib/judged.h"

static void assert_says(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' does not say '%s'", text, part);
}

static void name_attribute(struct attribute *a, const char *name)
{
	snprintf(a->name, sizeof(a->name), "%s", name);
}

/* Health status: value, worst, threshold, pre-failure flag -> finding. */
static void attribute_against_threshold(void **state)
{
	static const struct {
		uint8_t value, worst, threshold;
		uint16_t flags;
		const char *id;
		enum severity severity;
	} rows[] = {
		{ 100, 100, 10, 0x3, NULL, SEVERITY_OK },
		{ 10, 10, 10, 0x3, "smart.failing", SEVERITY_CRITICAL },
		{ 10, 10, 10, 0x2, "smart.attribute-low",
		  SEVERITY_WARNING }, /* passed, yet at its threshold */
		{ 1, 1, 10, 0x2, "smart.attribute-low", SEVERITY_WARNING },
		{ 11, 11, 10, 0x3, NULL, SEVERITY_OK },
		{ 61, 42, 45, 0x2, "smart.attribute-was-low", SEVERITY_OK }, /* false alarm */
		{ 61, 45, 45, 0x2, "smart.attribute-was-low", SEVERITY_OK },
		{ 1, 1, 0, 0x3, NULL, SEVERITY_OK },	/* a threshold of 0 never trips */
		{ 0, 100, 10, 0x3, NULL, SEVERITY_OK }, /* never measured */
		{ 0, 0, 1, 0x2, "smart.attribute-low", SEVERITY_WARNING },
		{ 1, 1, 254, 0x3, NULL, SEVERITY_OK }, /* test thresholds */
		{ 253, 253, 255, 0x3, NULL, SEVERITY_OK },
		{ 100, 0, 10, 0x3, NULL, SEVERITY_OK },	    /* worst not kept */
		{ 100, 100, 100, 0x32, NULL, SEVERITY_OK }, /* threshold where it starts */
		{ 100, 100, 100, 0x33, "smart.failing", SEVERITY_CRITICAL },
		{ 90, 90, 100, 0x32, "smart.attribute-low", SEVERITY_WARNING },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_sata();
		const struct finding *f;

		judged_attribute(d, 202, rows[i].value, rows[i].worst, rows[i].threshold)
			->flags = rows[i].flags;
		judged_run(d);
		assert_int_equal(d->a.nfindings, rows[i].id != NULL);
		assert_int_equal(d->a.verdict, rows[i].severity);
		if (!rows[i].id)
			continue;
		f = judged_expect(d, rows[i].id, rows[i].severity);
		assert_says(f->text, "attribute 202");
		assert_true(*f->evidence != '\0');
	}
}

static void missing_columns(void **state)
{
	struct judged *d = judged_sata();
	struct attribute *a = judged_attribute(d, 202, 1, 1, 10);

	(void)state;
	a->has_threshold = false;
	judged_refuse(d, "smart.attribute-low");
	a->has_threshold = true;
	a->has_value = false;
	judged_refuse(d, "smart.attribute-low");
	a->has_value = true;
	a->has_flags = false; /* which kind it is is not known: a warning */
	a->flags = 1;
	judged_expect(d, "smart.attribute-low", SEVERITY_WARNING);
	judged_refuse(d, "smart.failing");
}

/* The value column holds the temperature itself: 18 C below a "threshold" of 69 is no failure. */
static void temperature_in_the_value_column(void **state)
{
	struct judged *d = judged_sata();
	struct attribute *a = judged_attribute(d, 190, 18, 35, 69);

	(void)state;
	a->flags = 0x3;
	a->has_raw = true;
	a->raw = 0x2310000012;
	judged_run(d);
	assert_int_equal(d->a.nfindings, 0);
	/* 100 - temperature at its threshold: too hot, but no failure to come */
	a->value = 40;
	a->threshold = 45;
	a->raw = 60;
	judged_expect(d, "smart.attribute-low", SEVERITY_WARNING);
	judged_refuse(d, "smart.failing");
}

/* SAS drives have no attributes, but say why in sense codes (SPC-5, log page 2Fh). */
static void failing_status_without_attributes(void **state)
{
	struct judged *d = judged_new(PROTOCOL_SCSI);

	(void)state;
	d->r.smart_status = SMART_STATUS_FAILED;
	assert_string_equal(judged_expect(d, "smart.failing", SEVERITY_CRITICAL)->text,
			    "the drive says that it is failing: it does not tell why");
	assert_int_equal(
		reading_add_number(&d->r, "scsi.exceptions", "asc", 0, 0, 0x5d, BOUND_EXACT), 0);
	assert_int_equal(
		reading_add_number(&d->r, "scsi.exceptions", "ascq", 0, 0, 0x10, BOUND_EXACT), 0);
	assert_string_equal(judged_expect(d, "smart.failing", SEVERITY_CRITICAL)->text,
			    "the drive says that it is failing: additional sense code 5Dh, "
			    "qualifier 10h");
}

/* Health status: FAILED is shown with the attributes that trip. */
static void failing_status(void **state)
{
	struct judged *d = judged_sata();
	const struct finding *f;

	(void)state;
	judged_refuse(d, "smart.failing");
	d->r.smart_status = SMART_STATUS_FAILED;
	f = judged_expect(d, "smart.failing", SEVERITY_CRITICAL);
	assert_says(f->text, "none of its attributes tells why");
	name_attribute(judged_attribute(d, 232, 1, 1, 10), "Available_Reservd_Space");
	f = judged_expect(d, "smart.failing", SEVERITY_CRITICAL);
	assert_string_equal(f->text, "the drive says that it is failing: attribute 232 "
				     "(Available_Reservd_Space) is at 1, threshold 10");
	assert_string_equal(d->a.reason, f->text);
	judged_refuse(d, "smart.attribute-low"); /* it is said already */
	d->r.attributes[1].flags = 1;
	judged_run(d);
	assert_int_equal(d->a.nfindings, 1);
}

/* passed, yet at its threshold: passed, and yet an attribute is at its threshold. */
static void passed_with_an_attribute_at_its_threshold(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	name_attribute(judged_attribute(d, 202, 0, 0, 1), "Percent_Lifetime_Remain");
	assert_string_equal(judged_expect(d, "smart.attribute-low", SEVERITY_WARNING)->text,
			    "attribute 202 (Percent_Lifetime_Remain) is at 0, its threshold is 1, "
			    "though the drive's own verdict is passed");
}

/* Health status: registers that say neither; judged by the attributes and said so. */
static void unknown_status(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_refuse(d, "smart.status-derived");
	d->r.smart_status = SMART_STATUS_UNKNOWN;
	judged_expect(d, "smart.status-derived", SEVERITY_OK);
	assert_int_equal(d->a.verdict, SEVERITY_OK);
	judged_attribute(d, 5, 3, 3, 10)->flags = 1;
	judged_expect(d, "smart.failing", SEVERITY_CRITICAL);
	d->r.smart_status = SMART_STATUS_FAILED;
	d->r.smart_status_by_attributes = true;
	judged_expect(d, "smart.status-derived", SEVERITY_OK);
	assert_says(judged_expect(d, "smart.failing", SEVERITY_CRITICAL)->text, "failure is near");
	judged_refuse(judged_nvme(), "smart.status-derived");
}

static void hostile_attribute_name(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	name_attribute(judged_attribute(d, 202, 1, 1, 10), "%s%n\033[2J\"<b>");
	assert_says(judged_expect(d, "smart.attribute-low", SEVERITY_WARNING)->text,
		    "%s%n\\x1b[2J\"<b>");
}

/* Without a name in the dump the rules name it. */
static void name_from_the_rules(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	d->rule.nmeanings = 2;
	d->rule.meanings[0] = (struct attribute_meaning){ .id = 5,
							  .fact = FACT_NONE,
							  .name = "reallocated" };
	d->rule.meanings[1] = (struct attribute_meaning){ .id = 202,
							  .fact = FACT_NONE,
							  .name = "life used" };
	judged_attribute(d, 202, 1, 1, 10);
	assert_says(judged_expect(d, "smart.attribute-low", SEVERITY_WARNING)->text,
		    "attribute 202 (life used) is at 1");
	assert_says(judged_finding(d, "smart.attribute-low")->advice, "for the model");
	d->rule.meanings[1].fact = FACT_PERCENTAGE_USED;
	assert_says(judged_expect(d, "smart.attribute-low", SEVERITY_WARNING)->advice,
		    "it tells life used");
}

static void many_attributes_are_a_few_findings(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	d->r.nattributes = 0;
	for (int i = 0; i < ATTRIBUTES_MAX; i++)
		judged_attribute(d, (uint8_t)(100 + i), 1, 1, 10)->flags = i & 1;
	judged_run(d);
	assert_int_equal(d->a.nfindings, 5);
	assert_int_equal(d->a.verdict, SEVERITY_CRITICAL);
}

static void set_raw(struct judged *d, uint8_t id, uint64_t raw)
{
	struct attribute *a = judged_attribute(d, id, 100, 100, 0);

	a->has_raw = true;
	a->raw = raw;
}

static void media_errors(void **state)
{
	struct judged *d = judged_nvme();

	(void)state;
	judged_refuse(d, "media.errors");
	judged_fact(d, FACT_MEDIA_ERRORS, 285002);
	assert_string_equal(judged_expect(d, "media.errors", SEVERITY_WARNING)->text,
			    "media errors: 285,002 in its lifetime (test log)");
	judged_fact(d, FACT_MEDIA_ERRORS, 0);
	judged_fact(d, FACT_UNCORRECTABLE_ERRORS, 4)->confidence = CONFIDENCE_MEDIUM;
	judged_expect(d, "media.errors", SEVERITY_OK);
	judged_fact(d, FACT_UNCORRECTABLE_ERRORS, 4)->confidence = CONFIDENCE_LOW;
	judged_refuse(d, "media.errors");
	judged_fact(d, FACT_UNCORRECTABLE_ERRORS, 100000);
	judged_expect(d, "media.errors", SEVERITY_WARNING);
	judged_fact(d, FACT_UNCORRECTABLE_ERRORS, 62899102); /* not a count */
	judged_expect(d, "media.errors", SEVERITY_OK);
	/* nor one that attribute 187 does not see */
	judged_fact(d, FACT_UNCORRECTABLE_ERRORS, 161);
	judged_expect(d, "media.errors", SEVERITY_WARNING);
	set_raw(d, 187, 0);
	assert_says(judged_expect(d, "media.errors", SEVERITY_OK)->text, "attribute 187 counts 0");
	d->r.attributes[0].raw = 1;
	judged_expect(d, "media.errors", SEVERITY_WARNING);
	/* what an NVMe drive calls media errors it counts */
	judged_fact(d, FACT_MEDIA_ERRORS, 62899102);
	judged_expect(d, "media.errors", SEVERITY_WARNING);
}

/* False alarms: 198 alone on an unlisted drive; 197 that comes and goes on some families. */
static void pending_sectors(void **state)
{
	static const struct {
		uint64_t pending, uncorrectable;
		double reallocated;
		uint64_t error_log;
		bool transient, any;
		enum severity severity;
	} rows[] = {
		{ 0, 0, 50, 9, false, false, SEVERITY_OK },
		{ 0, 7, 0, 0, false, true, SEVERITY_OK },
		{ 7, 0, 0, 0, false, true, SEVERITY_OK },
		{ 1, 1, 0, 0, false, true, SEVERITY_WARNING },
		{ 0, 7, 3, 0, false, true, SEVERITY_WARNING },
		{ 0, 7, 0, 1, false, true, SEVERITY_WARNING },
		{ 4, 0, 0, 0, true, true, SEVERITY_OK },
		{ 4, 0, 3, 1, true, true, SEVERITY_OK },
		{ 4, 7, 3, 0, true, true, SEVERITY_WARNING },
		{ 0, 0x0000000500000001, 3, 0, false, false, SEVERITY_OK }, /* packed */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_sata();

		d->rule.matched = d->rule.transient_pending = rows[i].transient;
		set_raw(d, 197, rows[i].pending);
		set_raw(d, 198, rows[i].uncorrectable);
		judged_fact(d, FACT_REALLOCATED_BLOCKS, rows[i].reallocated);
		d->r.has_error_log_entries = true;
		d->r.error_log_entries = rows[i].error_log;
		if (rows[i].any)
			judged_expect(d, "media.pending", rows[i].severity);
		else
			judged_refuse(d, "media.pending");
		assert_int_equal(d->a.verdict, rows[i].severity);
	}
}

static void reallocated_blocks(void **state)
{
	struct judged *d = judged_sata();
	struct attribute *reallocated = &d->r.attributes[0];

	(void)state;
	reallocated->value = 52;
	judged_fact(d, FACT_REALLOCATED_BLOCKS, 199);
	judged_refuse(d, "reallocated.high");
	judged_fact(d, FACT_REALLOCATED_BLOCKS, 200);
	judged_expect(d, "reallocated.high", SEVERITY_WARNING);
	judged_fact(d, FACT_REALLOCATED_BLOCKS, 1075);
	assert_says(judged_expect(d, "reallocated.high", SEVERITY_WARNING)->text,
		    "1,075 blocks have been reallocated");
	/* attribute 5 falls as the reserve is used up */
	reallocated->value = 91;
	judged_expect(d, "reallocated.high", SEVERITY_OK);
	reallocated->value = 90;
	judged_expect(d, "reallocated.high", SEVERITY_WARNING);
	/* its spare says how much that means */
	judged_fact(d, FACT_AVAILABLE_SPARE, 95);
	judged_expect(d, "reallocated.high", SEVERITY_OK);
}

static void crc_errors(void **state)
{
	struct judged *d = judged_sata();

	(void)state;
	judged_fact(d, FACT_CRC_ERRORS, 0);
	judged_refuse(d, "interface.crc-errors");
	judged_fact(d, FACT_CRC_ERRORS, 6481);
	judged_expect(d, "interface.crc-errors", SEVERITY_OK); /* a cable, once */
	assert_int_equal(d->a.verdict, SEVERITY_OK);
}

static struct selftest *add_test(struct judged *d, enum selftest_result result)
{
	struct selftest *t = &d->r.selftests[d->r.nselftests++];

	*t = (struct selftest){ .result = result, .kind = "extended", .remaining_percent = -1 };
	d->r.selftest_log_read = true;
	return t;
}

/* Self-test: result 7, segment 7, hour 1772, LBA 0: failed, and the LBA is valid. */
static void failed_selftest(void **state)
{
	struct judged *d = judged_nvme();
	struct selftest *t = add_test(d, SELFTEST_FAILED);
	const struct finding *f;

	(void)state;
	t->code = 7;
	t->has_segment = t->has_hours = t->has_lba = true;
	t->segment = 7;
	t->hours = 0x6ec;
	f = judged_expect(d, "selftest.failed", SEVERITY_CRITICAL);
	assert_string_equal(f->text,
			    "the newest extended self-test failed in segment 7 at power-on "
			    "hour 1,772, first bad LBA 0");
	assert_string_equal(f->evidence, "self-test log, entry 1, result code 7");
	t->has_segment = t->has_lba = false;
	t->hours_unreliable = true;
	assert_string_equal(judged_expect(d, "selftest.failed", SEVERITY_CRITICAL)->text,
			    "the newest extended self-test failed at power-on hour 1,772 "
			    "(unreliable)");
}

/* Self-test: the log's order tells which is newest; no log, no failure. */
static void selftests_in_order(void **state)
{
	static const struct {
		enum selftest_result results[3];
		int n;
		const char *id;
		enum severity severity;
	} rows[] = {
		{ { 0 }, 0, NULL, SEVERITY_OK },
		{ { SELFTEST_PASSED }, 1, NULL, SEVERITY_OK },
		{ { SELFTEST_ABORTED }, 1, NULL, SEVERITY_OK },
		{ { SELFTEST_RUNNING, SELFTEST_FAILED }, 2, "selftest.failed", SEVERITY_CRITICAL },
		{ { SELFTEST_ABORTED, SELFTEST_FAILED }, 2, "selftest.failed", SEVERITY_CRITICAL },
		{ { SELFTEST_PASSED, SELFTEST_FAILED }, 2, "selftest.failed", SEVERITY_OK },
		{ { SELFTEST_FAILED, SELFTEST_PASSED }, 2, "selftest.failed", SEVERITY_CRITICAL },
		{ { SELFTEST_FAILED, SELFTEST_FAILED }, 2, "selftest.failed", SEVERITY_CRITICAL },
		{ { SELFTEST_UNKNOWN, SELFTEST_PASSED, SELFTEST_FAILED },
		  3,
		  "selftest.failed",
		  SEVERITY_OK },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct judged *d = judged_sata();

		for (int k = 0; k < rows[i].n; k++) {
			struct selftest *t = add_test(d, rows[i].results[k]);

			/* hours that run backwards must not matter */
			t->has_hours = true;
			t->hours = 29747 * (uint64_t)k;
		}
		if (rows[i].id)
			judged_expect(d, rows[i].id, rows[i].severity);
		else
			judged_refuse(d, "selftest.failed");
		assert_int_equal(d->a.verdict, rows[i].severity);
		assert_int_equal(d->a.nfindings, rows[i].id != NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attribute_against_threshold),
		cmocka_unit_test(missing_columns),
		cmocka_unit_test(temperature_in_the_value_column),
		cmocka_unit_test(failing_status),
		cmocka_unit_test(failing_status_without_attributes),
		cmocka_unit_test(passed_with_an_attribute_at_its_threshold),
		cmocka_unit_test(unknown_status),
		cmocka_unit_test(hostile_attribute_name),
		cmocka_unit_test(name_from_the_rules),
		cmocka_unit_test(many_attributes_are_a_few_findings),
		cmocka_unit_test(media_errors),
		cmocka_unit_test(pending_sectors),
		cmocka_unit_test(reallocated_blocks),
		cmocka_unit_test(crc_errors),
		cmocka_unit_test(failed_selftest),
		cmocka_unit_test(selftests_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

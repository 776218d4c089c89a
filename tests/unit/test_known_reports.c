/* SPDX-License-Identifier: MIT */
/*
 * Drives on which other tools went wrong, from their attributes to the verdict with the rules of
 * this tree. Each row is a kind of fault with the numbers at which it showed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "health/assess.h"
#include "lib/drive_rules.h"

#define NOT_KNOWN -1

struct known_attribute {
	uint8_t id, value, worst, threshold;
	uint64_t raw;
};

struct known_report {
	const char *kind, *model, *firmware;
	uint64_t gb;
	struct known_attribute attributes[6];
	double statistics_used; /* Device Statistics; NOT_KNOWN: none */
	/* expected; NOT_KNOWN: unknown, or of no interest */
	double hours, used, waf;
	enum severity verdict;
	const char *id; /* a finding that is there; NULL: none above a remark */
};

static const struct known_report reports[] = {
	{ "wear math: wear against TBW",
	  "Samsung SSD 850 PRO 128GB",
	  "EXM02B6Q",
	  128,
	  { { 177, 2, 2, 0, 5887 }, { 241, 99, 99, 0, 62578693422 }, { 9, 95, 95, 0, 20000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  98,
	  23.52,
	  SEVERITY_WARNING,
	  "waf.high" },
	{ "wear math: a threshold of 0 trips nothing",
	  "Samsung SSD 850 EVO 500GB",
	  "EMT02B6Q",
	  500,
	  { { 177, 1, 1, 0, 2981 },
	    { 241, 99, 99, 0, 572549452098 },
	    { 9, 95, 95, 0, 20837 },
	    { 5, 100, 100, 10, 0 },
	    { 179, 100, 100, 10, 0 },
	    { 181, 100, 100, 10, 0 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  99,
	  5.08,
	  SEVERITY_CRITICAL,
	  "wear.life-low" },
	{ "locale: a field that was never set",
	  "KINGSTON SA400S37960G",
	  "SBFK61F1",
	  960,
	  { { 1, 0, 100, 0, 100 }, { 9, 100, 100, 0, 500 }, { 231, 0, 100, 0, 99 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  1,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "locale: a field that was never set, raw value too",
	  "KINGSTON SA400S37480G",
	  "SBFK71E0",
	  480,
	  { { 1, 0, 100, 0, 100 }, { 9, 100, 100, 0, 3000 }, { 231, 0, 100, 0, 0 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "wear math: a decreasing attribute of a good drive",
	  "KINGSTON SKC600512G",
	  "S4200102",
	  512,
	  { { 169, 93, 93, 0, 93 }, { 9, 100, 100, 0, 9000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  7,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "wear math: a decreasing attribute at its end",
	  "KINGSTON SKC600512G",
	  "S4200102",
	  512,
	  { { 169, 0, 0, 0, 0 }, { 231, 0, 0, 0, 0 }, { 9, 100, 100, 0, 9000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  100,
	  NOT_KNOWN,
	  SEVERITY_CRITICAL,
	  "wear.life-low" },
	{ "wear math: percent used read as percent left",
	  "WDC WDS200T2B0A-00SM50",
	  "411040WD",
	  2000,
	  { { 230, 1, 1, 0, 0x000001000000 }, { 9, 100, 100, 0, 900 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  1,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "wear math: percent used, and no packed raw value",
	  "WDC WDS100T1R0A-68A4W0",
	  "411000WR",
	  1000,
	  { { 230, 37, 37, 0, 37 }, { 9, 100, 100, 0, 9000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  37,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "wear math: raw and normalised in opposite directions",
	  "CT500MX500SSD1",
	  "M3CR023",
	  500,
	  { { 202, 60, 60, 1, 40 }, { 9, 100, 100, 0, 31786 }, { 173, 60, 60, 0, 600 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  40,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "exit code: passed, an attribute at its threshold",
	  "CT1000MX500SSD1",
	  "M3CR010",
	  1000,
	  { { 202, 1, 1, 1, 99 }, { 9, 100, 100, 0, 30000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  99,
	  NOT_KNOWN,
	  SEVERITY_CRITICAL,
	  "smart.attribute-low" },
	{ "wear math: used beyond 156 % wraps the normalised value",
	  "CT1000MX500SSD1",
	  "M3CR023",
	  1000,
	  { { 202, 186, 100, 1, 170 }, { 173, 1, 1, 0, 2554 }, { 9, 100, 100, 0, 30000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  170,
	  NOT_KNOWN,
	  SEVERITY_CRITICAL,
	  "wear.life-low" },
	{ "wear math: more used than so few hours can use",
	  "CT240BX500SSD1",
	  "M6CR013",
	  240,
	  { { 202, 27, 1, 0, 329 }, { 9, 100, 100, 0, 319 } },
	  NOT_KNOWN,
	  319,
	  329,
	  NOT_KNOWN,
	  SEVERITY_WARNING,
	  "wear.life-low" },
	{ "missing data: only the standard statistic tells",
	  "MK000960GWEZK",
	  "HPGE",
	  960,
	  { { 9, 100, 100, 0, 20000 } },
	  12,
	  NOT_KNOWN,
	  12,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "missing data: the standard statistic past 100",
	  "MK000960GWEZK",
	  "HPGE",
	  960,
	  { { 9, 100, 100, 0, 20000 } },
	  124,
	  NOT_KNOWN,
	  124,
	  NOT_KNOWN,
	  SEVERITY_CRITICAL,
	  "wear.life-low" },
	{ "false alarm: below its threshold once",
	  "Samsung SSD 860 EVO 1TB",
	  "RVT01B6Q",
	  1000,
	  { { 190, 61, 42, 45, 39 }, { 177, 90, 90, 0, 100 }, { 9, 98, 98, 0, 9000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  9.975,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "alert flapping: pending sectors that come and go",
	  "CT2000MX500SSD1",
	  "M3CR033",
	  2000,
	  { { 197, 100, 100, 0, 1 }, { 5, 100, 100, 10, 2 }, { 202, 97, 97, 1, 3 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  3,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "false alarm: 198 alone on an unlisted drive",
	  "NO SUCH MAKER SSD 256GB",
	  "X1",
	  256,
	  { { 198, 100, 100, 0, 77 }, { 9, 100, 100, 0, 4000 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "health status: the spare is used up, errors are few",
	  "INTEL SSDSC2BF240A4H",
	  "LH6i",
	  240,
	  { { 232, 1, 1, 10, 0 }, { 9, 100, 100, 0, 15820 }, { 233, 73, 73, 0, 0 } },
	  NOT_KNOWN,
	  15820,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  SEVERITY_CRITICAL,
	  "spare.below-threshold" },
	{ "false alarm: spare at its best",
	  "INTEL SSDSC2BF240A4H",
	  "LH6i",
	  240,
	  { { 232, 100, 100, 10, 0 }, { 9, 100, 100, 0, 15820 } },
	  NOT_KNOWN,
	  15820,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "drive database: an unknown drive's life attribute",
	  "NO SUCH MAKER SSD 256GB",
	  "X1",
	  256,
	  { { 202, 1, 1, 0, 1 }, { 231, 1, 1, 0, 1 }, { 169, 0, 0, 0, 0 }, { 9, 100, 100, 0, 40 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "packed raw: hours with milliseconds above",
	  "INTEL SSDSC2BW240A4",
	  "DC32",
	  240,
	  { { 9, 0, 0, 0, UINT64_C(0x9d8b000000b4) }, { 5, 100, 100, 0, 0 } },
	  NOT_KNOWN,
	  180,
	  NOT_KNOWN,
	  NOT_KNOWN,
	  SEVERITY_OK,
	  NULL },
	{ "wear math: host and NAND writes of one maker",
	  "TS2TSSD230S",
	  "V0402B0",
	  2000,
	  { { 241, 100, 100, 0, 296503 },
	    { 245, 100, 100, 0, 362338 },
	    { 9, 100, 100, 0, 1562 },
	    { 169, 100, 100, 0, 100 },
	    { 167, 100, 100, 0, 6 },
	    { 165, 100, 100, 0, 9 } },
	  NOT_KNOWN,
	  NOT_KNOWN,
	  0,
	  1.222,
	  SEVERITY_OK,
	  NULL },
};

static void build(const struct known_report *k, struct reading *r)
{
	drive_init(r, k->model, k->firmware, k->gb);
	r->smart_status = SMART_STATUS_PASSED;
	for (size_t i = 0; i < ARRAY_SIZE(k->attributes) && k->attributes[i].id; i++) {
		const struct known_attribute *a = &k->attributes[i];
		struct attribute *added;

		drive_attribute(r, a->id, a->value, a->raw);
		added = &r->attributes[r->nattributes - 1];
		added->has_flags = added->has_worst = added->has_threshold = true;
		added->flags = 0x0032;
		added->worst = a->worst;
		added->threshold = a->threshold;
	}
	if (k->statistics_used >= 0)
		drive_number(r, "ata.devstat.ssd", "percentage_used",
			     (i128)(k->statistics_used * 1000));
}

static void check(const struct known_report *k, const struct assessment *a)
{
	const struct finding *found = NULL;
	i128 hours;

	if (a->verdict != k->verdict)
		fail_msg("%s: %s, not %s: %s", k->kind, severity_name(a->verdict),
			 severity_name(k->verdict), a->reason);
	for (size_t i = 0; i < a->nfindings && k->id; i++)
		if (strcmp(a->findings[i].id, k->id) == 0 && a->findings[i].severity > SEVERITY_OK)
			found = &a->findings[i];
	if (k->id && !found)
		fail_msg("%s: no %s", k->kind, k->id);
	if (k->hours >= 0 &&
	    (!facts_number(&a->facts, FACT_POWER_ON_HOURS, &hours) || hours != (i128)k->hours))
		fail_msg("%s: hours", k->kind);
	if (a->wear.has_used != (k->used >= 0))
		fail_msg("%s: life used is %sknown", k->kind, a->wear.has_used ? "" : "not ");
	if (k->used >= 0 && a->wear.used != (i128)llround(k->used * 1000))
		fail_msg("%s: %lld used", k->kind, (long long)a->wear.used);
	if (a->wear.has_left && (a->wear.left < 0 || a->wear.left > 100000))
		fail_msg("%s: life left out of bounds", k->kind);
	if (k->waf >= 0 &&
	    (!a->wear.has_waf_lifetime || fabs(a->wear.waf_lifetime - k->waf) > 0.01))
		fail_msg("%s: WAF %.4f", k->kind, a->wear.waf_lifetime);
}

static void known_reports(void **state)
{
	struct assessment *a = calloc(1, sizeof(*a));
	struct limits limits;

	(void)state;
	assert_non_null(a);
	limits_defaults(&limits);
	for (size_t i = 0; i < ARRAY_SIZE(reports); i++) {
		struct reading r;

		build(&reports[i], &r);
		assess(&r, drive_rule_of(&r),
		       &(struct criteria){ .limits = &limits, .now = TIME_UNKNOWN }, a);
		check(&reports[i], a);
		reading_release(&r);
	}
	free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

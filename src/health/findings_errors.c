/* SPDX-License-Identifier: MIT */
/* Findings on errors of the media and the interface, and on self-tests. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/judge.h"

#define ATTRIBUTE_REALLOCATED	5
#define REALLOCATED_SCALE_LOW	90
#define ATTRIBUTE_PENDING	197
#define ATTRIBUTE_UNCORRECTABLE 198
#define COUNT_PLAUSIBLE		UINT32_MAX /* a larger raw value packs several numbers */

/*
 * Some controllers keep something else in the statistic: Kingston's KC400 counts 39 to 63 million
 * on drives that work, and where attribute 187 counts the same errors it then stays at 0.
 */
#define UNCORRECTABLE_PLAUSIBLE 100000
#define ATTRIBUTE_REPORTED	187

const char *judge_why_not_a_count(const struct judge *j, const struct fact *f)
{
	const struct attribute *a = reading_attribute(j->r, ATTRIBUTE_REPORTED);

	if (f->value > UNCORRECTABLE_PLAUSIBLE)
		return ", too many to be a count";
	if (a && a->has_raw && a->raw == 0)
		return ", but attribute 187 counts 0";
	return NULL;
}

/* One of the two: on NVMe the first, on ATA the second. */
void judge_media_errors(struct judge *j)
{
	const struct fact *media = judge_fact(j, FACT_MEDIA_ERRORS);
	bool by_media = media && media->value > 0;
	enum fact_id id = by_media ? FACT_MEDIA_ERRORS : FACT_UNCORRECTABLE_ERRORS;
	const struct fact *f = by_media ? media : judge_fact(j, id);
	char count[UNIT_TEXT_MAX], source[SOURCE_SHORT_MAX];
	const char *doubt;
	bool alarms;

	if (!f || f->value <= 0)
		return;
	doubt = by_media ? NULL : judge_why_not_a_count(j, f);
	alarms = !doubt && f->confidence <= CONFIDENCE_HIGH;
	finding_evidence(judge_add(j, alarms ? SEVERITY_WARNING : SEVERITY_OK,
				   alarms ? "check backups and run an extended self-test" : NULL,
				   "%s: %s in its lifetime%s (%s%s)", fact_label(id),
				   format_grouped(f->value, count), doubt ? doubt : "",
				   source_short(f->source, source), judge_mark(f->confidence)),
			 "%s: %.150s", fact_name(id), f->source);
}

/* The raw count of an attribute; 0 where it is not there or not a count. */
static uint64_t attribute_count(const struct judge *j, uint8_t id)
{
	const struct attribute *a = reading_attribute(j->r, id);

	return a && a->has_raw && a->raw <= COUNT_PLAUSIBLE ? a->raw : 0;
}

static bool is_positive(const struct judge *j, enum fact_id id)
{
	const struct fact *f = facts_get(j->facts, id);

	return f && f->value > 0;
}

/*
 * Attributes 197 and 198 mean pending and uncorrectable sectors on disks; on SSDs without a rule
 * they may mean anything, so one of them alone is only a remark. Some families' 197 comes and goes
 * without harm: a single reading cannot tell, so it never alarms there.
 */
void judge_media_pending(struct judge *j)
{
	uint64_t pending = attribute_count(j, ATTRIBUTE_PENDING);
	uint64_t uncorrectable = attribute_count(j, ATTRIBUTE_UNCORRECTABLE);
	bool transient = j->rule->matched && j->rule->transient_pending;
	int signs = (pending > 0 && !transient) + (uncorrectable > 0) +
		    is_positive(j, FACT_REALLOCATED_BLOCKS) +
		    is_positive(j, FACT_UNCORRECTABLE_ERRORS) +
		    (j->r->has_error_log_entries && j->r->error_log_entries > 0);
	enum severity severity = signs >= 2 ? SEVERITY_WARNING : SEVERITY_OK;
	struct finding *f;

	if (pending == 0 && uncorrectable == 0)
		return;
	if (transient && uncorrectable == 0)
		severity = SEVERITY_OK;
	f = judge_add(j, severity,
		      severity == SEVERITY_OK ? NULL
					      : "check backups and run an extended self-test",
		      "attribute 197 (pending sectors) is %llu, 198 (uncorrectable) %llu%s",
		      (unsigned long long)pending, (unsigned long long)uncorrectable,
		      transient	  ? "; 197 comes and goes on this family"
		      : signs < 2 ? "; alone that is no fault"
				  : "");
	finding_evidence(f, "signs of bad media: %d; one alone does not alarm", signs);
}

/*
 * Does the maker's own scale say that this many blocks are nothing? Attribute 5 falls from 100 as
 * the reserve is used up; some firmware keeps other things in its raw value (16,384 on an M500).
 */
static bool own_scale_is_fine(const struct judge *j)
{
	const struct attribute *a = reading_attribute(j->r, ATTRIBUTE_REALLOCATED);

	return a && a->has_value && a->value > REALLOCATED_SCALE_LOW;
}

/* Where the drive reports its spare, that says better what the blocks mean. */
void judge_reallocated(struct judge *j)
{
	const struct fact *blocks = judge_fact(j, FACT_REALLOCATED_BLOCKS);
	bool fine = judge_fact(j, FACT_AVAILABLE_SPARE) || own_scale_is_fine(j);
	char count[UNIT_TEXT_MAX];

	if (!blocks || blocks->value < 0 ||
	    u128_double((u128)blocks->value) < j->limits->reallocated_warning)
		return;
	finding_evidence(judge_add(j, fine ? SEVERITY_OK : SEVERITY_WARNING,
				   fine ? NULL : "watch whether it rises; check backups",
				   "%s blocks have been reallocated%s%s",
				   format_grouped(blocks->value, count),
				   fine ? ", few by the drive's own scale" : "",
				   judge_mark(blocks->confidence)),
			 "reallocated_blocks: %.150s; limit %g", blocks->source,
			 j->limits->reallocated_warning);
}

/* A lifetime counter: it tells of a bad cable once, not of now. */
void judge_crc_errors(struct judge *j)
{
	const struct fact *f = judge_fact(j, FACT_CRC_ERRORS);
	char count[UNIT_TEXT_MAX], still[64] = "";
	struct rise rise;

	if (!f || f->value <= 0)
		return;
	if (judge_rise(j, FACT_CRC_ERRORS, j->limits->rising_days, &rise) && rise.to == rise.from)
		snprintf(still, sizeof(still), ", none of them in the last %.3g days", rise.days);
	finding_evidence(
		judge_add(j, SEVERITY_OK,
			  *still ? NULL : "if it rises, replace the cable or reseat the drive",
			  "interface CRC errors: %s in its lifetime%s",
			  format_grouped(f->value, count), still),
		"crc_errors: %.150s", f->source);
}

static void describe_test(const struct selftest *t, char *buf, size_t size)
{
	char kind[24], hours[UNIT_TEXT_MAX], segment[32] = "", at[64] = "", lba[48] = "";

	text_escape(kind, sizeof(kind), *t->kind ? t->kind : "last");
	if (t->has_segment)
		snprintf(segment, sizeof(segment), " in segment %u", t->segment);
	if (t->has_hours)
		snprintf(at, sizeof(at), " at power-on hour %s%s",
			 format_grouped((i128)t->hours, hours),
			 t->hours_unreliable ? " (unreliable)" : "");
	if (t->has_lba)
		snprintf(lba, sizeof(lba), ", first bad LBA %llu", (unsigned long long)t->lba);
	snprintf(buf, size, "%s self-test failed%s%s%s", kind, segment, at, lba);
}

/* The newest test that ended by itself counts; the log's order tells which, never the hours. */
void judge_selftest(struct judge *j)
{
	bool newest = true;

	for (size_t i = 0; i < j->r->nselftests && i < SELFTESTS_MAX; i++) {
		const struct selftest *t = &j->r->selftests[i];
		char what[200];

		if (t->result == SELFTEST_PASSED)
			newest = false;
		if (t->result != SELFTEST_FAILED)
			continue;
		describe_test(t, what, sizeof(what));
		finding_evidence(judge_add(j, newest ? SEVERITY_CRITICAL : SEVERITY_OK,
					   newest ? "copy its data and replace it" : NULL, "%s%s%s",
					   newest ? "the newest " : "an earlier ", what,
					   newest ? "" : "; a later one passed"),
				 "self-test log, entry %zu, result code %u", i + 1, t->code);
		return;
	}
}

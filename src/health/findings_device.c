/* SPDX-License-Identifier: MIT */
/* Findings on whether the drive answers, and on what it says of its own state. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/judge.h"

/* Capacitors at 1 % can just about save what is in flight (OCP Datacenter NVMe SSD, log C0h). */
#define CAPACITOR_FAILED 1000
#define CAPACITOR_LOW	 20000

void judge_unreadable(struct judge *j)
{
	char why[200];

	if (j->r->state != DRIVE_UNREADABLE && j->r->state != DRIVE_HUNG &&
	    j->r->state != DRIVE_NO_ACCESS && j->r->state != DRIVE_ABSENT)
		return;
	text_escape(why, sizeof(why), j->r->nproblems ? j->r->problems[0].text : "");
	if (!*why)
		text_copy(why, sizeof(why),
			  j->r->state == DRIVE_ABSENT ? "there is no such drive"
						      : "no reason given");
	switch (j->r->state) {
	case DRIVE_ABSENT:
		judge_add(j, SEVERITY_UNKNOWN, NULL, "%s", why);
		return;
	case DRIVE_HUNG:
		judge_add(j, SEVERITY_UNKNOWN,
			  "check its cabling and power; the next run skips it while it hangs",
			  "the drive gave no answer within the time limit: %s", why);
		return;
	case DRIVE_NO_ACCESS:
		judge_add(j, SEVERITY_UNKNOWN, "run nandlife as root or grant the privilege named",
			  "no permission to read the drive: %s", why);
		return;
	default:
		judge_add(j, SEVERITY_UNKNOWN,
			  "check cabling and power; if it stays so, replace the drive",
			  "the drive cannot be read: %s", why);
	}
}

void judge_standby(struct judge *j)
{
	if (j->r->state == DRIVE_STANDBY)
		judge_add(j, SEVERITY_UNKNOWN, "use --wake to read it all the same",
			  "the drive is in standby and was not woken");
}

void judge_no_health_data(struct judge *j)
{
	char why[160] = "";

	if (j->r->state != DRIVE_READ && j->r->state != DRIVE_NO_SMART)
		return;
	if (judge_has_health_data(j))
		return;
	if (j->r->nproblems)
		text_escape(why, sizeof(why), j->r->problems[0].text);
	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact *f = facts_get(j->facts, (enum fact_id)i);

		if (!f || f->quality == QUALITY_DERIVED)
			continue;
		finding_evidence(judge_add(j, SEVERITY_UNKNOWN,
					   "read the drive without the bridge or tool in between",
					   "the health log is all zeros: it was not really read"),
				 "%.150s", f->source);
		return;
	}
	judge_add(j, SEVERITY_UNKNOWN,
		  "behind a RAID controller, name the device type: --via smartctl:TYPE",
		  "the drive gives no health data%s%s", *why ? ": " : "", why);
}

void judge_read_only(struct judge *j)
{
	static const char *const advice = "copy its data now; it takes no more writes";
	const struct fact *locked = judge_fact(j, FACT_WRITE_PROTECTED);
	unsigned mask = 0;

	if (judge_critical(j, CRITICAL_READ_ONLY, &mask))
		finding_evidence(judge_add(j, SEVERITY_CRITICAL, advice,
					   "the drive has gone read-only (critical warning 0x%02x)",
					   mask),
				 "critical_warning 0x%02x, bit 3", mask);
	else if (locked && locked->value > 0)
		finding_evidence(judge_add(j, judge_cap(SEVERITY_CRITICAL, locked->confidence),
					   advice, "the drive is write protected%s",
					   judge_mark(locked->confidence)),
				 "write_protected: %.150s", locked->source);
}

/*
 * The bit says "NVM subsystem reliability degraded". Many drives set it as soon as the percentage
 * used reaches 100: then it says no more than the wear itself.
 */
void judge_degraded(struct judge *j)
{
	const struct fact *spare = facts_get(j->facts, FACT_AVAILABLE_SPARE);
	const struct fact *floor = facts_get(j->facts, FACT_SPARE_THRESHOLD);
	const struct fact *errors = facts_get(j->facts, FACT_MEDIA_ERRORS);
	const struct wear *w = j->wear;
	char used[UNIT_TEXT_MAX] = "not reported", left[UNIT_TEXT_MAX] = "not reported",
	     count[UNIT_TEXT_MAX] = "not reported";
	bool mirrors = w->has_used && w->used >= 100000 && (!errors || errors->value == 0) &&
		       (!spare || spare->value > (floor ? floor->value : 0));
	struct finding *f;
	unsigned mask;

	if (!judge_critical(j, CRITICAL_RELIABILITY | CRITICAL_PMR, &mask))
		return;
	if (w->has_used)
		format_quantity(w->used, UNIT_PERCENT, used);
	if (spare)
		format_quantity(spare->value, UNIT_PERCENT, left);
	if (errors)
		format_grouped(errors->value, count);
	if (!(mask & CRITICAL_RELIABILITY))
		f = judge_add(
			j, SEVERITY_WARNING, "do not rely on its persistent memory region",
			"the persistent memory region is unreliable (critical warning 0x%02x)",
			mask);
	else if (mirrors)
		f = judge_add(
			j, SEVERITY_WARNING, "plan its replacement; the bit only repeats the wear",
			"rated endurance consumed (critical warning 0x%02x: %s%s used, spare %s, "
			"no media errors)",
			mask, w->bound == BOUND_AT_LEAST ? "at least " : "", used, left);
	else
		f = judge_add(j, SEVERITY_CRITICAL, "copy its data and replace it",
			      "the drive reports degraded reliability (critical warning 0x%02x)",
			      mask);
	finding_evidence(f, "critical_warning 0x%02x; life used %s, spare %s, media errors %s",
			 mask, used, left, count);
}

/* "spare below threshold, read-only" */
static void group_words(unsigned mask, char *buf, size_t size)
{
	static const struct {
		unsigned bit;
		const char *words;
	} bits[] = {
		{ CRITICAL_SPARE, "spare below threshold" },
		{ CRITICAL_RELIABILITY, "reliability degraded" },
		{ CRITICAL_READ_ONLY, "read-only" },
	};
	size_t len = 0;

	*buf = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(bits) && len < size; i++) {
		if (!(mask & bits[i].bit))
			continue;
		snprintf(buf + len, size - len, "%s%s", len ? ", " : "", bits[i].words);
		len += strlen(buf + len);
	}
}

/* Endurance groups have warnings of their own, with the same bits; those of the whole drive count
 * as said.
 */
void judge_group_warning(struct judge *j)
{
	const unsigned own = CRITICAL_SPARE | CRITICAL_RELIABILITY | CRITICAL_READ_ONLY;
	bool worn = j->wear->has_used && j->wear->used >= 100000;
	const struct decoded *v;
	unsigned drive;

	judge_critical(j, 0, &drive);
	for (size_t n = 0; (v = reading_find_nth(j->r, "nvme.endurance", "group_warning", n));
	     n++) {
		unsigned mask = v->value.kind == VALUE_NUMBER ? (unsigned)v->value.number & 0xff
							      : 0;
		bool mirrors = worn && (mask & own) == CRITICAL_RELIABILITY;
		char words[80];

		if (!(mask & own & ~drive))
			continue;
		group_words(mask, words, sizeof(words));
		finding_evidence(judge_add(j, mirrors ? SEVERITY_WARNING : SEVERITY_CRITICAL,
					   "copy its data and replace the drive",
					   "endurance group %u: %s (warning 0x%02x)", v->sub, words,
					   mask),
				 "endurance group log 09h, critical warning 0x%02x", mask);
	}
}

void judge_plp_failed(struct judge *j)
{
	static const char *const advice = "a power cut can lose acknowledged writes: replace it";
	const struct fact *health = judge_fact(j, FACT_CAPACITOR_HEALTH);
	char percent[UNIT_TEXT_MAX];
	unsigned mask;

	if (judge_critical(j, CRITICAL_BACKUP, &mask)) {
		finding_evidence(
			judge_add(j, SEVERITY_CRITICAL, advice,
				  "power-loss protection has failed (critical warning 0x%02x)",
				  mask),
			"critical_warning 0x%02x, bit 4", mask);
		return;
	}
	if (!health || health->value < 0 || health->value >= CAPACITOR_LOW)
		return;
	format_quantity(health->value, UNIT_PERCENT, percent);
	finding_evidence(judge_add(j,
				   health->value < CAPACITOR_FAILED
					   ? judge_cap(SEVERITY_CRITICAL, health->confidence)
					   : SEVERITY_WARNING,
				   advice, "capacitor health of the power-loss protection is %s%s",
				   percent, judge_mark(health->confidence)),
			 "capacitor_health_percent: %.150s", health->source);
}

void judge_hot_plug(struct judge *j)
{
	if (j->rule->matched && j->rule->hot_plug_unsafe)
		finding_evidence(
			judge_add(j, SEVERITY_OK, "shut the machine down before you pull it",
				  "this model must not be plugged or pulled while powered"),
			"drive rules: %.150s", j->rule->origin);
}

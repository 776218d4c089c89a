/* SPDX-License-Identifier: MIT */
/* Findings on the ATA attribute table and on the drive's own verdict. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/judge.h"

#define ATTRIBUTE_PREFAIL 0x0001 /* flag: at its threshold the drive is about to fail */
#define THRESHOLD_INVALID 254	 /* 254 and 255 are for tests of host software */
#define LISTED_MAX	  4	 /* attributes named one by one */

enum attribute_state { ATTRIBUTE_FINE, ATTRIBUTE_WAS_LOW, ATTRIBUTE_LOW };

/* Some drives put the temperature itself into the value column, above which "threshold" warns. */
static bool is_plain_temperature(const struct attribute *a)
{
	return (a->id == 190 || a->id == 194) && a->has_raw && a->value == (a->raw & 0xff);
}

/* Too hot now is no failure to come, whatever the flag says. */
static bool is_prefail(const struct attribute *a)
{
	return a->has_flags && (a->flags & ATTRIBUTE_PREFAIL) && a->id != 190 && a->id != 194;
}

/*
 * A value that was never other than its threshold, as attribute 183 of Kingston drives with Phison
 * and LSI controllers: the threshold was set to where the value starts. One that falls from above
 * leaves 100 or more only where its start is 253 or 200, and its worst is seldom equal just then.
 */
static bool starts_at_threshold(const struct attribute *a)
{
	return a->threshold >= 100 && a->value == a->threshold && a->has_worst &&
	       a->worst == a->value && !is_prefail(a);
}

/* The value falls towards the threshold; a threshold of 0 never trips (ATA8-ACS, SFF-8035i). */
static enum attribute_state attribute_state(const struct attribute *a)
{
	if (!a->has_value || !a->has_threshold || a->threshold == 0 ||
	    a->threshold >= THRESHOLD_INVALID || is_plain_temperature(a))
		return ATTRIBUTE_FINE;
	/* 0 with a better "worst" was never measured */
	if (a->value == 0 && a->has_worst && a->worst > a->threshold)
		return ATTRIBUTE_FINE;
	if (starts_at_threshold(a))
		return ATTRIBUTE_FINE;
	if (a->value <= a->threshold)
		return ATTRIBUTE_LOW;
	if (a->has_worst && a->worst > 0 && a->worst <= a->threshold)
		return ATTRIBUTE_WAS_LOW;
	return ATTRIBUTE_FINE;
}

#define ATTRIBUTE_NAME_MAX 112

/* "attribute 202 (Percent_Lifetime_Remain)" */
static const char *attribute_name(const struct judge *j, const struct attribute *a,
				  char buf[ATTRIBUTE_NAME_MAX])
{
	const char *name = a->name;
	char clean[72];

	for (size_t i = 0; i < j->rule->nmeanings && !*name; i++)
		if (j->rule->meanings[i].id == a->id)
			name = j->rule->meanings[i].name;
	text_escape(clean, sizeof(clean), name);
	snprintf(buf, ATTRIBUTE_NAME_MAX, *clean ? "attribute %u (%s)" : "attribute %u%s", a->id,
		 clean);
	return buf;
}

static void attribute_evidence(const struct judge *j, struct finding *f, const struct attribute *a)
{
	char name[ATTRIBUTE_NAME_MAX], worst[16] = "-";

	if (a->has_worst)
		snprintf(worst, sizeof(worst), "%u", a->worst);
	finding_evidence(f, "%s: value %u, worst %s, threshold %u, %s", attribute_name(j, a, name),
			 a->value, worst, a->threshold, is_prefail(a) ? "pre-failure" : "old age");
}

/* "attribute 5 (...) at 1, threshold 10; ..."; returns how many there are. */
static size_t list_low(const struct judge *j, bool prefail_only, char *buf, size_t size)
{
	size_t found = 0, len = 0;

	*buf = '\0';
	for (size_t i = 0; i < j->r->nattributes; i++) {
		const struct attribute *a = &j->r->attributes[i];
		char name[ATTRIBUTE_NAME_MAX];

		if (attribute_state(a) != ATTRIBUTE_LOW || (prefail_only && !is_prefail(a)))
			continue;
		if (++found > LISTED_MAX || len >= size)
			continue;
		snprintf(buf + len, size - len, "%s%s is at %u, threshold %u",
			 found > 1 ? "; " : "", attribute_name(j, a, name), a->value, a->threshold);
		len += strlen(buf + len);
	}
	return found;
}

/* A drive's verdict on NVMe is its critical warning, whose bits are judged one by one. */
static bool status_is_own_word(const struct judge *j)
{
	i128 mask;

	return !facts_number(j->facts, FACT_CRITICAL_WARNING, &mask) || mask == 0;
}

/* In the drive's own words; its attributes are then listed with that and not one by one. */
static bool says_that_it_fails(const struct judge *j)
{
	return j->r->smart_status == SMART_STATUS_FAILED && status_is_own_word(j) &&
	       !j->r->smart_status_by_attributes;
}

/* What the drive adds to its verdict: attributes, or the sense codes of a SAS drive. */
static void why_it_fails(const struct judge *j, char *buf, size_t size)
{
	i128 asc, ascq;

	if (list_low(j, false, buf, size))
		return;
	if (j->r->nattributes)
		text_copy(buf, size, "none of its attributes tells why");
	else if (reading_number(j->r, "scsi.exceptions", "asc", &asc) &&
		 reading_number(j->r, "scsi.exceptions", "ascq", &ascq))
		snprintf(buf, size, "additional sense code %02Xh, qualifier %02Xh", (unsigned)asc,
			 (unsigned)ascq);
	else
		text_copy(buf, size, "it does not tell why");
}

void judge_smart_failing(struct judge *j)
{
	static const char *const advice = "copy its data and replace it";
	char low[280];

	if (says_that_it_fails(j)) {
		why_it_fails(j, low, sizeof(low));
		finding_evidence(judge_add(j, SEVERITY_CRITICAL, advice,
					   "the drive says that it is failing: %.170s", low),
				 "SMART status: failed; %s", low);
		return;
	}
	if (!list_low(j, true, low, sizeof(low)))
		return;
	finding_evidence(judge_add(j, SEVERITY_CRITICAL, advice, "failure is near: %.190s", low),
			 "pre-failure attributes; the drive's own verdict: %s",
			 j->r->smart_status == SMART_STATUS_PASSED ? "passed" : "not known");
}

static const char *attribute_advice(const struct judge *j, const struct attribute *a)
{
	for (size_t i = 0; i < j->rule->nmeanings; i++)
		if (j->rule->meanings[i].id == a->id &&
		    j->rule->meanings[i].fact == FACT_PERCENTAGE_USED)
			return "it tells life used: plan its replacement";
	return a->id == 190 || a->id == 194 ? "improve its cooling"
					    : "look up what this attribute means for the model";
}

void judge_attribute_low(struct judge *j)
{
	size_t n = 0;

	if (says_that_it_fails(j))
		return;
	for (size_t i = 0; i < j->r->nattributes && n < LISTED_MAX; i++) {
		const struct attribute *a = &j->r->attributes[i];
		char name[ATTRIBUTE_NAME_MAX];

		if (attribute_state(a) != ATTRIBUTE_LOW || is_prefail(a))
			continue;
		n++;
		attribute_evidence(j,
				   judge_add(j, SEVERITY_WARNING, attribute_advice(j, a),
					     "%s is at %u, its threshold is %u%s",
					     attribute_name(j, a, name), a->value, a->threshold,
					     j->r->smart_status == SMART_STATUS_PASSED
						     ? ", though the drive's own verdict is passed"
						     : ""),
				   a);
	}
}

void judge_attribute_was_low(struct judge *j)
{
	size_t n = 0;

	for (size_t i = 0; i < j->r->nattributes && n < LISTED_MAX; i++) {
		const struct attribute *a = &j->r->attributes[i];
		char name[ATTRIBUTE_NAME_MAX];

		if (attribute_state(a) != ATTRIBUTE_WAS_LOW)
			continue;
		n++;
		attribute_evidence(j,
				   judge_add(j, SEVERITY_OK, NULL,
					     "%s was once at %u, below its threshold %u; now %u",
					     attribute_name(j, a, name), a->worst, a->threshold,
					     a->value),
				   a);
	}
}

void judge_status_derived(struct judge *j)
{
	if (j->r->identity.protocol != PROTOCOL_ATA || j->r->nattributes == 0)
		return;
	if (j->r->smart_status != SMART_STATUS_UNKNOWN && !j->r->smart_status_by_attributes)
		return;
	finding_evidence(
		judge_add(j, SEVERITY_OK, NULL,
			  "the drive's own verdict is not known; judged by its attributes"),
		"SMART status: neither passed nor failed");
}

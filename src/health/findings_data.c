/* SPDX-License-Identifier: MIT */
/* Findings on firmware, and on how far the reading itself can be trusted. */
#include <string.h>

#include "base/text.h"
#include "health/judge.h"

#define CLOCK_SLACK	 300 /* seconds that clocks of two machines may differ */
#define CONFLICTS_LISTED 6

/* The rules give only hazards that this firmware has. */
void judge_firmware_hazard(struct judge *j)
{
	i128 on = 0;
	bool has_on = wear_power_on_hours(j->facts, &on);

	for (size_t i = 0; j->rule->matched && i < j->rule->nhazards; i++) {
		const struct firmware_hazard *h = &j->rule->hazards[i];
		char firmware[FW_MAX * 2], hours[UNIT_TEXT_MAX], when[UNIT_TEXT_MAX];
		struct finding *f;
		i128 left = (i128)h->hours - on;

		text_escape(firmware, sizeof(firmware), j->r->identity.firmware);
		if (!h->has_hours || !has_on)
			f = judge_add(j, SEVERITY_WARNING, h->advice, "firmware %s: %.180s",
				      firmware, h->text);
		else if (left <= 0)
			f = judge_add(j, SEVERITY_CRITICAL, h->advice,
				      "firmware %s is past the %s at which it fails: %.120s",
				      firmware, format_quantity((i128)h->hours, UNIT_HOURS, hours),
				      h->text);
		else
			f = judge_add(j,
				      u128_double((u128)left) <= j->limits->hazard_hours
					      ? SEVERITY_CRITICAL
					      : SEVERITY_WARNING,
				      h->advice, "firmware %s fails in %s (%s powered on): %.110s",
				      firmware, format_quantity(left, UNIT_HOURS, hours),
				      format_hours((u128)left, when), h->text);
		finding_evidence(f, "%.48s%s%.48s; %.160s", h->id,
				 *h->fixed_in ? ", fixed in " : "", h->fixed_in, h->source);
	}
}

/* Versions of different branches have no order, so another one is a remark and no more. */
void judge_firmware_outdated(struct judge *j)
{
	char firmware[FW_MAX * 2];

	if (!j->rule->matched || !*j->rule->newest_firmware || !*j->r->identity.firmware ||
	    strcmp(j->rule->newest_firmware, j->r->identity.firmware) == 0)
		return;
	text_escape(firmware, sizeof(firmware), j->r->identity.firmware);
	finding_evidence(judge_add(j, SEVERITY_OK, "read the maker's notes on what it changes",
				   "firmware %s; the newest known is %s", firmware,
				   j->rule->newest_firmware),
			 "drive rules: %.150s", j->rule->origin);
}

void judge_stale(struct judge *j)
{
	double days;

	if (j->r->time == TIME_UNKNOWN || j->now == TIME_UNKNOWN)
		return;
	days = ((double)j->now - (double)j->r->time) / SECONDS_PER_DAY;
	if (days <= j->limits->stale_days)
		return;
	finding_evidence(judge_add(j, SEVERITY_UNKNOWN, "read the drive again",
				   "the reading is %.0f days old and says nothing of now", days),
			 "limit %g days%s", j->limits->stale_days,
			 j->r->time_is_file ? "; the time is the file's" : "");
}

void judge_clock(struct judge *j)
{
	char time[TIME_TEXT];

	if (j->r->time == TIME_UNKNOWN || j->now == TIME_UNKNOWN || j->r->time <= j->now ||
	    (double)j->r->time - (double)j->now <= CLOCK_SLACK)
		return;
	judge_add(j, SEVERITY_WARNING, "check the clocks of both machines",
		  "the reading is from the future: %s", time_format(j->r->time, time));
}

/*
 * The followed measure is fine but another one of the drive's own, as sure, says that its life is
 * over.
 */
static void judge_hidden_wear(struct judge *j)
{
	struct life_measure all[LIFE_MEASURES_MAX];
	size_t n = life_measures(j->facts, all);

	if (!j->wear->has_used || n == 0 || (double)all[0].used / 1000 >= j->limits->used_warning)
		return;
	for (size_t i = 1; i < n; i++) {
		if (all[i].warranty || all[i].confidence > CONFIDENCE_HIGH ||
		    (double)all[i].used / 1000 < j->limits->used_critical ||
		    !life_measures_differ(&all[0], &all[i]))
			continue;
		finding_evidence(judge_add(j, SEVERITY_WARNING, "check with the maker's tool",
					   "life used may be higher than reported: %.170s",
					   all[i].text),
				 "%.140s; but %.140s", all[0].text, all[i].text);
		return;
	}
}

void judge_conflict(struct judge *j)
{
	judge_hidden_wear(j);
	/* both values and their sources stand in the text: it is the evidence too */
	for (size_t i = 0; i < j->facts->nconflicts && i < CONFLICTS_LISTED; i++)
		judge_add(j, SEVERITY_OK, NULL, "%s", j->facts->conflicts[i].text);
}

void judge_incomplete(struct judge *j)
{
	char why[160];
	size_t n = j->r->nproblems;

	if (j->r->attributes_checksum_bad)
		judge_add(j, SEVERITY_OK, NULL,
			  "the checksum of the SMART data is wrong; its numbers may be too");
	if (n == 0 || j->r->state != DRIVE_READ || !judge_has_health_data(j))
		return;
	text_escape(why, sizeof(why), j->r->problems[0].text);
	judge_add(j, SEVERITY_OK, NULL,
		  n > 1 ? "%zu logs or fields could not be read; the first: %s"
			: "%zu log or field could not be read: %s",
		  n, why);
}

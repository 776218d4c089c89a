/* SPDX-License-Identifier: MIT */
/* Findings that need a history: counters that rise, a spare that falls, wear that changed its pace.
 */
#include <stdio.h>

#include "health/judge.h"

#define SPARE_DAYS    90
#define SPARE_SAMPLES 3 /* the best of the last ones: one low reading is no fall */

static int64_t seconds(double days)
{
	return (int64_t)(days * SECONDS_PER_DAY);
}

static const struct sample *first_with(const struct series *s, enum fact_id id)
{
	for (size_t i = 0; i < s->nsamples; i++)
		if (!s->samples[i].aside && s->samples[i].has & FACT_BIT(id))
			return &s->samples[i];
	return NULL;
}

bool judge_rise(const struct judge *j, enum fact_id id, double days, struct rise *ret)
{
	const struct sample *first, *last, *base;
	int64_t now;

	if (!j->series)
		return false;
	last = series_at(j->series, INT64_MAX, id);
	first = first_with(j->series, id);
	if (!last || last == first)
		return false;
	now = j->now == TIME_UNKNOWN ? last->time : j->now;
	if (last->time < now - seconds(days))
		return false;
	base = series_at(j->series, now - seconds(days), id);
	base = base ? base : first;
	*ret = (struct rise){
		.from = base->values[id],
		.to = last->values[id],
		.from_time = base->time,
		.to_time = last->time,
		.days = (double)(last->time - base->time) / SECONDS_PER_DAY,
	};
	return last != base;
}

static const char *day_of(int64_t time, char buf[TIME_TEXT])
{
	time_format(time, buf);
	buf[sizeof("2026-05-01") - 1] = '\0';
	return buf;
}

static void add_rise(struct judge *j, enum fact_id id, double warns, const char *advice)
{
	const struct fact *f = judge_fact(j, id);
	char from[UNIT_TEXT_MAX], to[UNIT_TEXT_MAX], news[UNIT_TEXT_MAX], time[TIME_TEXT];
	char since[TIME_TEXT];
	struct rise rise;
	bool alarms;

	if (!f || !judge_rise(j, id, j->limits->rising_days, &rise) || rise.to <= rise.from)
		return;
	alarms = (double)(rise.to - rise.from) >= warns && f->confidence <= CONFIDENCE_HIGH;
	finding_evidence(judge_add(j, alarms ? SEVERITY_WARNING : SEVERITY_OK,
				   alarms ? advice : NULL, "%s: %s more within %.3g days%s",
				   fact_label(id), format_grouped(rise.to - rise.from, news),
				   rise.days, judge_mark(f->confidence)),
			 "%s: %s on %s, %s on %s; limit %g in %g days; %.110s", fact_name(id),
			 format_grouped(rise.from, from), day_of(rise.from_time, since),
			 format_grouped(rise.to, to), day_of(rise.to_time, time), warns,
			 j->limits->rising_days, f->source);
}

/* On NVMe the first, on ATA the second; a number that is no count of errors does not alarm. */
void judge_media_rising(struct judge *j)
{
	static const char *const advice = "copy its data now, then run an extended self-test";
	const struct fact *f = judge_fact(j, FACT_UNCORRECTABLE_ERRORS);

	add_rise(j, FACT_MEDIA_ERRORS, j->limits->media_rising, advice);
	if (f && !judge_why_not_a_count(j, f))
		add_rise(j, FACT_UNCORRECTABLE_ERRORS, j->limits->media_rising, advice);
}

void judge_reallocated_rising(struct judge *j)
{
	add_rise(j, FACT_REALLOCATED_BLOCKS, j->limits->reallocated_rising,
		 "check backups; replace it if it goes on");
}

void judge_crc_rising(struct judge *j)
{
	add_rise(j, FACT_CRC_ERRORS, j->limits->crc_rising,
		 "replace the cable or reseat the drive");
}

/* The highest of the last samples not later than t. */
static const struct sample *best_at(const struct series *s, int64_t t, enum fact_id id)
{
	const struct sample *best = NULL, *sample = series_at(s, t, id);

	for (int i = 0; i < SPARE_SAMPLES && sample; i++) {
		if (!best || sample->values[id] > best->values[id])
			best = sample;
		sample = series_at(s, sample->time - 1, id);
	}
	return best;
}

void judge_spare_falling(struct judge *j)
{
	const enum fact_id id = FACT_AVAILABLE_SPARE;
	const struct fact *spare = judge_fact(j, id);
	char from[UNIT_TEXT_MAX], to[UNIT_TEXT_MAX], since[TIME_TEXT], time[TIME_TEXT];
	const struct sample *best;
	struct rise rise;
	double lost;

	if (!spare || !judge_rise(j, id, SPARE_DAYS, &rise))
		return;
	best = best_at(j->series, INT64_MAX, id);
	if (best->time <= rise.from_time || best->values[id] >= rise.from)
		return;
	lost = (double)(rise.from - best->values[id]) / unit_scale(UNIT_PERCENT);
	finding_evidence(
		judge_add(j, lost >= j->limits->spare_falling ? SEVERITY_WARNING : SEVERITY_OK,
			  lost >= j->limits->spare_falling
				  ? "blocks go bad: check backups, plan its replacement"
				  : NULL,
			  "available spare fell from %s to %s within %.3g days%s",
			  format_quantity(rise.from, UNIT_PERCENT, from),
			  format_quantity(best->values[id], UNIT_PERCENT, to), rise.days,
			  judge_mark(spare->confidence)),
		"available_spare_percent: %s on %s, %s on %s; limit %g points in %d days; "
		"%.110s",
		from, day_of(rise.from_time, since), to, day_of(best->time, time),
		j->limits->spare_falling, SPARE_DAYS, spare->source);
}

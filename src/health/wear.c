/* SPDX-License-Identifier: MIT */
#include "health/wear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/collect.h"

/* A ratio of counters that step by up to 1 GB means little before this much was written. */
#define WAF_SETTLED_BYTES 100e9

/* Beyond this one of the counters wrapped, stopped or counts in another unit. */
#define WAF_IMPLAUSIBLE 75.0

/* Erase counts are small integers at first: 3 against 2 is no unevenness. */
#define UNEVENNESS_SETTLED_CYCLES 50

/* More life used than this is another number misread: the standard counters end at 255 %. */
#define USED_IMPOSSIBLE 1000000 /* thousandths of a percent: 1,000 % */

/*
 * Twice the rated life within 1,000 hours can be done by force, but then host writes or erase
 * counts show it too.
 */
#define USED_IN_DOUBT	    200000
#define USED_IN_DOUBT_HOURS 1000

/* Less than 2 % used may be rounding. */
#define WEAR_FOR_UNIT 2000

/* Faster than the interface: 8 GT/s x 16 lanes for NVMe, 12 Gbit/s for SAS, 6 Gbit/s for SATA. */
static double bytes_per_hour_max(enum protocol protocol)
{
	const double seconds = 3600;

	switch (protocol) {
	case PROTOCOL_ATA:
		return 600e6 * seconds;
	case PROTOCOL_SCSI:
		return 2.4e9 * seconds;
	default:
		return 16e9 * seconds;
	}
}

static const struct fact *positive(const struct facts *facts, enum fact_id id)
{
	const struct fact *f = facts_get(facts, id);

	return f && f->value > 0 ? f : NULL;
}

static bool unsure(const struct fact *f)
{
	return f->confidence > CONFIDENCE_HIGH;
}

/* What is derived from a sure counter is marked medium, and good enough for a ratio. */
static bool unsure_nand(const struct fact *f)
{
	return f->confidence >
	       (f->quality == QUALITY_DERIVED ? CONFIDENCE_MEDIUM : CONFIDENCE_HIGH);
}

#define BRIEF_MAX 76

/* A source within a sentence: whole where it fits, else without its names and its rule. */
static const char *brief(const struct fact *f, char buf[BRIEF_MAX])
{
	char shorter[SHORT_SOURCE_MAX];

	if (!text_copy(buf, BRIEF_MAX, f->source))
		text_copy(buf, BRIEF_MAX, collect_short_source(f, shorter));
	return buf;
}

static void ratio_source(char buf[FACT_SOURCE_MAX], const struct fact *above,
			 const struct fact *below)
{
	char a[BRIEF_MAX], b[BRIEF_MAX];

	snprintf(buf, FACT_SOURCE_MAX, "%s / %s", brief(above, a), brief(below, b));
}

static void waf_conflict(struct facts *facts, const struct wear *w, const struct fact *nand,
			 const struct fact *host, const char *why)
{
	char written[UNIT_TEXT_MAX], programmed[UNIT_TEXT_MAX], n[BRIEF_MAX], h[BRIEF_MAX];

	facts_add_conflict(facts, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN,
			   "write amplification %.*f: NAND %s (%s), host %s (%s); %s",
			   w->waf_lifetime < 10 ? 2 : 0, w->waf_lifetime,
			   format_bytes((u128)nand->value, programmed), brief(nand, n),
			   format_bytes((u128)host->value, written), brief(host, h), why);
}

static void waf_lifetime(const struct drive_rule *rule, struct facts *facts, struct wear *w)
{
	const struct fact *host = positive(facts, FACT_HOST_BYTES_WRITTEN);
	const struct fact *nand = positive(facts, FACT_NAND_BYTES_WRITTEN);
	bool derived = nand && nand->quality == QUALITY_DERIVED;
	const char *note = "";

	if (!host || !nand)
		return;
	w->has_waf_lifetime = true;
	w->waf_lifetime = u128_double((u128)nand->value) / u128_double((u128)host->value);
	w->waf_plausible = w->waf_lifetime >= 1 || rule->compresses;
	ratio_source(w->waf_source, nand, host);

	if (!w->waf_plausible)
		note = derived ? "below 1: derived from less flash than there is"
			       : "below 1: counter granularity, or a controller that compresses";
	else if (w->waf_lifetime > WAF_IMPLAUSIBLE)
		note = "not plausible: one of the counters is misread";
	else if (u128_double((u128)host->value) < WAF_SETTLED_BYTES)
		note = "less than 100 GB written: the counters' steps show in it";
	else if (host->bound == BOUND_AT_LEAST && nand->bound != BOUND_AT_LEAST)
		note = "at most: the host counter wrapped or stopped";
	else if (nand->bound == BOUND_AT_LEAST)
		note = "at least: the NAND counter wrapped or stopped";
	else if (unsure(host) || unsure_nand(nand))
		note = "a counter's unit is unconfirmed";
	else if (derived)
		note = "derived: the drive itself does not count NAND writes";
	text_copy(w->waf_note, sizeof(w->waf_note), note);
	w->waf_settled = w->waf_plausible && w->waf_lifetime <= WAF_IMPLAUSIBLE && !unsure(host) &&
			 !unsure_nand(nand) && host->bound != BOUND_AT_LEAST &&
			 u128_double((u128)host->value) >= WAF_SETTLED_BYTES;

	if (!w->waf_plausible)
		waf_conflict(facts, w, nand, host,
			     derived ? "below 1, being derived from less flash than there is: "
				       "estimates use 1"
				     : "below 1, though the controller is not known to compress: "
				       "shown as measured, estimates use 1");
	else if (w->waf_lifetime > WAF_IMPLAUSIBLE &&
		 u128_double((u128)nand->value) >= WAF_SETTLED_BYTES)
		waf_conflict(facts, w, nand, host,
			     "not plausible: one of them wrapped or counts in another unit");
}

static void unevenness(struct facts *facts, struct wear *w)
{
	const struct fact *avg = positive(facts, FACT_ERASE_COUNT_AVG);
	const struct fact *max = positive(facts, FACT_ERASE_COUNT_MAX);
	char a[UNIT_TEXT_MAX], m[UNIT_TEXT_MAX], by_avg[BRIEF_MAX], by_max[BRIEF_MAX];

	if (!avg || !max)
		return;
	if (max->value < avg->value) {
		/* an average made from bytes and capacity may well come out a little high */
		if (avg->quality == QUALITY_DERIVED)
			return;
		facts_add_conflict(facts, FACT_ERASE_COUNT_MAX, FACT_ERASE_COUNT_AVG,
				   "maximum erase count %s (%s) is below the average %s (%s): "
				   "the average is followed, unevenness not computed",
				   format_grouped(max->value, m), brief(max, by_max),
				   format_grouped(avg->value, a), brief(avg, by_avg));
		return;
	}
	w->has_unevenness = true;
	w->unevenness = u128_double((u128)max->value) / u128_double((u128)avg->value);
	w->unevenness_settled = avg->value >= UNEVENNESS_SETTLED_CYCLES && !unsure(avg) &&
				!unsure(max);
	ratio_source(w->unevenness_source, max, avg);
}

/* Does anything beside the followed measure say that about the whole life is used? */
static bool used_is_backed(const struct facts *facts)
{
	struct life_measure all[LIFE_MEASURES_MAX];
	size_t n = life_measures(facts, all);

	for (size_t i = 1; i < n; i++)
		if (all[i].used >= USED_IN_DOUBT / 2)
			return true;
	return false;
}

static void life_used(struct facts *facts, struct wear *w)
{
	struct life_measure all[LIFE_MEASURES_MAX];
	size_t n = life_measures(facts, all);
	const struct fact *f = facts_get(facts, FACT_PERCENTAGE_USED);
	char used[UNIT_TEXT_MAX], on[UNIT_TEXT_MAX];
	i128 hours;

	if (n == 0 || all[0].warranty)
		return;
	if (all[0].used > USED_IMPOSSIBLE) {
		facts_add_conflict(facts, all[0].facts[0], FACT_NONE,
				   "%s is no life used: not followed", all[0].text);
		return;
	}
	w->has_used = true;
	w->used = all[0].used;
	w->bound = all[0].bound;
	w->used_confidence = all[0].confidence;
	text_copy(w->used_source, sizeof(w->used_source),
		  all[0].facts[0] == FACT_PERCENTAGE_USED && f ? f->source : all[0].text);
	w->has_left = true;
	w->left = w->used >= 100000 ? 0 : 100000 - w->used;

	w->used_plausible = true;
	if (w->used > USED_IN_DOUBT && wear_power_on_hours(facts, &hours) && hours > 0 &&
	    hours < USED_IN_DOUBT_HOURS && !used_is_backed(facts)) {
		w->used_plausible = false;
		facts_add_conflict(facts, FACT_PERCENTAGE_USED, FACT_POWER_ON_HOURS,
				   "%s of the life used (%.70s) after %s powered on is not "
				   "plausible; it is followed for want of another measure",
				   format_quantity(w->used, UNIT_PERCENT, used), w->used_source,
				   format_quantity(hours, UNIT_HOURS, on));
	}
}

/* More host bytes an hour than the interface carries: one of the two counters is misread. */
static void implausible_rate(const struct reading *r, struct facts *facts)
{
	const struct fact *host = positive(facts, FACT_HOST_BYTES_WRITTEN);
	const struct fact *hours = positive(facts, FACT_POWER_ON_HOURS);
	char bytes[UNIT_TEXT_MAX], on[UNIT_TEXT_MAX], rate[UNIT_TEXT_MAX];
	char by_host[BRIEF_MAX], by_hours[BRIEF_MAX];
	double per_hour;

	if (!host || !hours)
		return;
	/* the hour that has begun counts too */
	per_hour = u128_double((u128)host->value) / (u128_double((u128)hours->value) + 1);
	if (per_hour <= bytes_per_hour_max(r->identity.protocol))
		return;
	facts_add_conflict(
		facts, FACT_HOST_BYTES_WRITTEN, FACT_POWER_ON_HOURS,
		"host writes %s (%s) in %s powered on (%s) would be %s a second, "
		"faster than the interface: one of them is misread or does not count all",
		format_bytes((u128)host->value, bytes), brief(host, by_host),
		format_quantity(hours->value, UNIT_HOURS, on), brief(hours, by_hours),
		format_bytes((u128)(per_hour / 3600), rate));
}

/*
 * Even at a write amplification of 100 a life is worth 100 times the capacity in host writes: with
 * fewer the counter has another unit than it was read in.
 */
static void implausible_unit(const struct reading *r, const struct wear *w, struct facts *facts)
{
	const struct fact *host = positive(facts, FACT_HOST_BYTES_WRITTEN);
	char bytes[UNIT_TEXT_MAX], used[UNIT_TEXT_MAX];

	if (!host || host->bound == BOUND_AT_LEAST || !r->identity.has_capacity || !w->has_used ||
	    w->used < WEAR_FOR_UNIT)
		return;
	if (u128_double((u128)host->value) >=
	    (double)w->used / 100000 * (double)r->identity.capacity_bytes)
		return;
	facts_add_conflict(
		facts, FACT_HOST_BYTES_WRITTEN, FACT_PERCENTAGE_USED,
		"host writes %s (%.80s) are too few for %s of the life used (%.80s): the "
		"counter wrapped or its unit is another one",
		format_bytes((u128)host->value, bytes), host->source,
		format_quantity(w->used, UNIT_PERCENT, used), w->used_source);
}

bool wear_power_on_hours(const struct facts *facts, i128 *ret)
{
	i128 hours;

	if (!facts_number(facts, FACT_POWER_ON_HOURS, &hours) || hours < 0 ||
	    hours > POWER_ON_HOURS_MAX)
		return false;
	*ret = hours;
	return true;
}

double wear_waf(const struct wear *wear)
{
	return wear->has_waf_lifetime && wear->waf_plausible ? wear->waf_lifetime : 1;
}

double wear_equation_host_bytes(const struct wear_equation *e)
{
	if (!(e->capacity_bytes > 0 && e->pe_cycles > 0 && e->waf > 0 && e->unevenness > 0))
		return 0;
	return e->capacity_bytes * e->pe_cycles / (e->waf * e->unevenness);
}

double wear_equation_allowed_product(double capacity_bytes, double pe_cycles, double bytes_per_day,
				     double days)
{
	if (!(capacity_bytes > 0 && pe_cycles > 0 && bytes_per_day > 0 && days > 0))
		return 0;
	return capacity_bytes * pe_cycles / (bytes_per_day * days);
}

void wear_compute(const struct reading *r, const struct drive_rule *rule, struct facts *facts,
		  struct wear *ret)
{
	memset(ret, 0, sizeof(*ret));
	waf_lifetime(rule, facts, ret);
	unevenness(facts, ret);
	life_used(facts, ret);
	life_measures_compare(facts);
	implausible_rate(r, facts);
	implausible_unit(r, ret, facts);
}

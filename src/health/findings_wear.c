/* SPDX-License-Identifier: MIT */
/* Findings on wear, spare, write amplification and unevenness. */
#include <stdio.h>

#include "base/text.h"
#include "health/binding.h"
#include "health/judge.h"

#define DAYS_PER_YEAR 365.25

/* High write amplification is worth a warning where the drive does not last this long. */
#define SHORT_LIFE_DAYS (5 * DAYS_PER_YEAR)
#define SHORT_LIFE_USED 50000 /* where no date is known: half of the life */

/* From this threshold on, "below the threshold" means the first lost block, and "near" nothing. */
#define SPARE_THRESHOLD_STRICT 90000

static double percent(i128 thousandths)
{
	return (double)thousandths / 1000;
}

/* "average 2,554 of 1,500 rated cycles", or "" */
static const char *cycles_text(const struct judge *j, char *buf, size_t size)
{
	const struct fact *avg = judge_fact(j, FACT_ERASE_COUNT_AVG);
	const struct fact *rated = judge_fact(j, FACT_RATED_PE_CYCLES);
	char a[UNIT_TEXT_MAX], p[UNIT_TEXT_MAX];

	*buf = '\0';
	if (avg && rated)
		snprintf(buf, size, "; average %s of %s rated cycles",
			 format_grouped(avg->value, a), format_grouped(rated->value, p));
	return buf;
}

void judge_life_low(struct judge *j)
{
	const struct wear *w = j->wear;
	char used[UNIT_TEXT_MAX], source[SOURCE_SHORT_MAX], cycles[120], on[UNIT_TEXT_MAX];
	bool critical = percent(w->used) >= j->limits->used_critical;
	struct finding *f;
	i128 hours;

	if (!w->has_used || w->used_confidence > CONFIDENCE_MEDIUM)
		return;
	if (!critical && percent(w->used) < j->limits->used_warning)
		return;
	format_quantity(w->used, UNIT_PERCENT, used);
	source_short(w->used_source, source);
	if (!w->used_plausible && wear_power_on_hours(j->facts, &hours))
		f = judge_add(j, SEVERITY_WARNING,
			      "check with the maker's tool before you act on it",
			      "%s of the rated life used after only %s is not plausible (%s)", used,
			      format_quantity(hours, UNIT_HOURS, on), source);
	else
		f = judge_add(j,
			      judge_cap(critical ? SEVERITY_CRITICAL : SEVERITY_WARNING,
					w->used_confidence),
			      critical ? "replace it; copy its data first" : "plan its replacement",
			      "%s%s of the rated life is used (%s%s%s)",
			      w->bound == BOUND_AT_LEAST ? "at least " : "", used, source,
			      judge_mark(w->used_confidence),
			      cycles_text(j, cycles, sizeof(cycles)));
	finding_evidence(f, "percentage_used %s: %.150s; limits: warning %g %%, critical %g %%",
			 used, w->used_source, j->limits->used_warning, j->limits->used_critical);
}

void judge_wear_unknown(struct judge *j)
{
	const struct estimate *tbw = &j->estimates->by_method[METHOD_RATED_TBW];

	if (j->wear->has_used)
		return;
	if (tbw->has_left)
		finding_evidence(judge_add(j, SEVERITY_OK, NULL,
					   "life used is not known; %.1f %% of the rated writes "
					   "(TBW) are left",
					   tbw->left_percent),
				 "%s", tbw->rests_on);
	else
		judge_add(j, SEVERITY_OK, NULL, "life used is not known: %s",
			  facts_report_wear(j->facts)
				  ? "no rated cycles to hold its erase counts against"
				  : "the drive reports no wear");
}

void judge_rated_writes(struct judge *j)
{
	const struct fact *rated = judge_fact(j, FACT_RATED_BYTES_WRITTEN);
	const struct fact *host = judge_fact(j, FACT_HOST_BYTES_WRITTEN);
	bool reports = facts_report_wear(j->facts);
	char done[UNIT_TEXT_MAX], of[UNIT_TEXT_MAX];

	if (!rated || !host || j->rule->no_write_limit || rated->value <= 0 ||
	    host->value < rated->value)
		return;
	finding_evidence(judge_add(j, reports ? SEVERITY_OK : SEVERITY_WARNING,
				   reports ? NULL : "plan its replacement",
				   "%s are written, the warranty covers %s%s",
				   format_bytes((u128)host->value, done),
				   format_bytes((u128)rated->value, of),
				   reports ? " (not wear)" : "; the drive reports no wear"),
			 "host: %.110s; rated: %.110s", host->source, rated->source);
}

void judge_pslc_life_low(struct judge *j)
{
	const struct fact *avg = judge_fact(j, FACT_ERASE_COUNT_SLC_AVG);
	const struct fact *rated = judge_fact(j, FACT_RATED_PE_CYCLES_SLC);
	enum confidence confidence;
	char a[UNIT_TEXT_MAX], p[UNIT_TEXT_MAX];
	double used;

	if (!avg || !rated || avg->value <= 0 || rated->value <= 0)
		return;
	used = 100 * u128_double((u128)avg->value) / u128_double((u128)rated->value);
	if (used < j->limits->used_warning)
		return;
	confidence = avg->confidence > rated->confidence ? avg->confidence : rated->confidence;
	finding_evidence(
		judge_add(j,
			  judge_cap(used >= j->limits->used_critical ? SEVERITY_CRITICAL
								     : SEVERITY_WARNING,
				    confidence),
			  "plan its replacement",
			  "%.0f %% of the pSLC area's life is used (average %s of %s cycles%s)",
			  used, format_grouped(avg->value, a), format_grouped(rated->value, p),
			  judge_mark(confidence)),
		"counts: %.110s; rated: %.110s", avg->source, rated->source);
}

struct spare {
	const struct fact *left;
	i128 threshold;
	bool has_threshold;
	char left_text[UNIT_TEXT_MAX], threshold_text[UNIT_TEXT_MAX];
};

/* Zero of zero is a field that nobody fills in (QEMU's drives, some bridges). */
static bool spare_of(const struct judge *j, struct spare *ret)
{
	const struct fact *floor = judge_fact(j, FACT_SPARE_THRESHOLD);

	*ret = (struct spare){ .left = judge_fact(j, FACT_AVAILABLE_SPARE),
			       .has_threshold = floor != NULL,
			       .threshold = floor ? floor->value : 0,
			       .threshold_text = "not reported" };
	if (ret->threshold < 0 || ret->threshold > 100000 || !ret->left || ret->left->value < 0 ||
	    ret->left->value > 100000 || (ret->left->value == 0 && ret->threshold == 0))
		return false;
	format_quantity(ret->left->value, UNIT_PERCENT, ret->left_text);
	if (floor)
		format_quantity(floor->value, UNIT_PERCENT, ret->threshold_text);
	return true;
}

void judge_spare_below(struct judge *j)
{
	static const char
		*const advice = "copy its data and replace it: it runs out of spare blocks";
	unsigned mask;
	bool flagged = judge_critical(j, CRITICAL_SPARE, &mask);
	struct spare s;
	bool known = spare_of(j, &s),
	     below = known && s.has_threshold && s.left->value < s.threshold;
	struct finding *f;

	if (below)
		f = judge_add(j, judge_cap(SEVERITY_CRITICAL, s.left->confidence), advice,
			      "available spare %s is below the threshold %s%s", s.left_text,
			      s.threshold_text, judge_mark(s.left->confidence));
	else if (flagged)
		f = judge_add(
			j, SEVERITY_CRITICAL, advice,
			"the drive says its spare is below the threshold (critical warning 0x%02x)",
			mask);
	else
		return;
	finding_evidence(f, "available spare %s, threshold %s, critical_warning 0x%02x; %.110s",
			 known ? s.left_text : "not reported", s.threshold_text, mask,
			 known ? s.left->source : "");
}

void judge_spare_low(struct judge *j)
{
	struct spare s;

	if (!spare_of(j, &s) || s.left->value < s.threshold ||
	    s.threshold >= SPARE_THRESHOLD_STRICT || s.left->value >= 100000)
		return;
	if (percent(s.left->value - s.threshold) > j->limits->spare_margin)
		return;
	finding_evidence(judge_add(j, SEVERITY_WARNING, "plan its replacement",
				   "available spare is down to %s, threshold %s%s", s.left_text,
				   s.threshold_text, judge_mark(s.left->confidence)),
			 "%.150s; margin %g points", s.left->source, j->limits->spare_margin);
}

/* Is it worth waking somebody for a ratio: does the drive end soon? */
static enum severity ratio_severity(const struct judge *j)
{
	const struct estimates *e = j->estimates;
	bool soon = e->binding >= 0 ? e->by_method[e->binding].days_left < SHORT_LIFE_DAYS
				    : j->wear->has_used && j->wear->used >= SHORT_LIFE_USED;

	return soon ? SEVERITY_WARNING : SEVERITY_OK;
}

/* Today's counts where it is known: what was high once and is over is a remark. */
void judge_waf_high(struct judge *j)
{
	const struct wear *w = j->wear;
	bool lifetime = w->has_waf_lifetime && w->waf_settled;
	double high = j->limits->waf_high;
	char before[80] = "";
	struct finding *f;

	if (w->has_waf_recent && w->waf_recent >= high) {
		if (w->has_waf_lifetime)
			snprintf(before, sizeof(before), "; %.1f over its lifetime",
				 w->waf_lifetime);
		f = judge_add(j, ratio_severity(j),
			      "check TRIM, leave space unused, write larger pieces",
			      "write amplification is %.1f over the last %.3g days%s",
			      w->waf_recent, w->waf_recent_days, before);
	} else if (lifetime && w->waf_lifetime >= high && w->has_waf_recent) {
		f = judge_add(j, SEVERITY_OK, NULL,
			      "write amplification was high: %.1f over its lifetime, %.1f over "
			      "the last %.3g days",
			      w->waf_lifetime, w->waf_recent, w->waf_recent_days);
	} else if (lifetime && w->waf_lifetime >= high) {
		f = judge_add(j, ratio_severity(j),
			      "check TRIM, leave space unused, write larger pieces",
			      "write amplification is %.1f: each byte written costs %.1f of flash",
			      w->waf_lifetime, w->waf_lifetime);
	} else {
		return;
	}
	finding_evidence(f, "%.150s%s%s; limit %g", w->waf_source, *w->waf_note ? "; " : "",
			 w->waf_note, high);
}

void judge_unevenness_high(struct judge *j)
{
	const struct wear *w = j->wear;

	if (!w->has_unevenness || !w->unevenness_settled ||
	    w->unevenness < j->limits->unevenness_high)
		return;
	finding_evidence(
		judge_add(j, ratio_severity(j),
			  "the most worn blocks end its life: TRIM, and leave space unused",
			  "wear is uneven: the most worn block has %.1f times the average erases",
			  w->unevenness),
		"%.150s; limit %g", w->unevenness_source, j->limits->unevenness_high);
}

/* SPDX-License-Identifier: MIT */
#include "ftl/fit_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/times.h"
#include "base/u128.h"

/* A window: this much of the capacity written, and so many steps of the counter behind it. */
#define WINDOW_CAPACITIES 0.5
#define WINDOW_STEPS	  20

/* What the flash of a drive is beyond its capacity, where nobody says: half of the usual range. */
#define FLASH_UNKNOWN 0.08

/* Fewer erases say too little of the flash. */
#define ERASES_MIN 15

/* What the counters of one drive are apart beside their steps: erased early, bad blocks. */
#define CYCLE_ERROR 0.006

/* Outside of these the counters are not of one area, or not in the units that they seem. */
#define FLASH_MIN 1.0
#define FLASH_MAX 2.5

/* Erases over which the lead of the most worn block is followed. */
#define GROWTH_ERASES_MIN 20

static bool number(const struct facts *facts, enum fact_id id, double *ret)
{
	const struct fact *f = facts_get(facts, id);

	if (!f || f->value < 0)
		return false;
	*ret = u128_double((u128)f->value);
	return true;
}

static bool is_from_erases(const char *source)
{
	return text_starts_with(source, "average erase count");
}

/* Bytes that a cycle of all blocks writes, as far as known. */
static double flash_bytes(const struct fit_record *r)
{
	return r->raw > 0 ? r->raw : r->capacity;
}

/* NAND bytes for each unit of the fact that tells them. */
struct gauge {
	enum fact_id id;
	double scale, error; /* relative, the same for all of the drive's life */
};

static enum fit_evidence find_gauge(const struct fit_source *s, const struct fit_record *r,
				    struct gauge *ret)
{
	const struct fact *nand = facts_get(s->facts, FACT_NAND_BYTES_WRITTEN);
	double flash = flash_bytes(r), cycles, used, error = r->raw > 0 ? 0.04 : FLASH_UNKNOWN;

	if (nand && nand->value > 0 && !is_from_erases(nand->source)) {
		*ret = (struct gauge){ FACT_NAND_BYTES_WRITTEN, 1, 0 };
		return EVIDENCE_NAND;
	}
	if (flash <= 0)
		return EVIDENCE_NONE;
	if (number(s->facts, FACT_ERASE_COUNT_AVG, &used) && used > 0) {
		*ret = (struct gauge){ FACT_ERASE_COUNT_AVG, flash, error };
		return EVIDENCE_ERASES;
	}
	if (number(s->facts, FACT_PERCENTAGE_USED, &used) && used > 0 &&
	    number(s->facts, FACT_RATED_PE_CYCLES, &cycles) && cycles > 0) {
		*ret = (struct gauge){ FACT_PERCENTAGE_USED, cycles * flash / 100000, error + 0.1 };
		return EVIDENCE_PERCENTAGE;
	}
	return EVIDENCE_NONE;
}

static double squared(double x)
{
	return x * x;
}

/* A ratio's relative error where its counters rose by so much in such steps. */
static double step_error(double nand, double nand_step, double host, double host_step, double error)
{
	return sqrt(squared(0.5 * nand_step / nand) + squared(0.5 * host_step / host) +
		    squared(error));
}

static double least_step(enum fact_id id)
{
	return unit_scale(fact_unit(id)) > 1 ? (double)unit_scale(fact_unit(id)) : 1;
}

static void take_life(const struct fit_source *s, const struct gauge *g, struct fit_record *r)
{
	double host, nand;

	if (!number(s->facts, FACT_HOST_BYTES_WRITTEN, &host) || host <= 0 ||
	    !number(s->facts, g->id, &nand) || nand <= 0)
		return;
	r->has_life = true;
	r->life = (struct fit_window){
		.host = host,
		.nand = nand * g->scale,
		.relative_step = step_error(nand, least_step(g->id), host, 0, g->error),
	};
}

static bool has_both(const struct sample *s, const struct gauge *g)
{
	const uint64_t both = FACT_BIT(FACT_HOST_BYTES_WRITTEN) | FACT_BIT(g->id);

	return !s->aside && (s->has & both) == both;
}

static double rise(const struct sample *a, const struct sample *b, enum fact_id id)
{
	return (double)b->values[id] - (double)a->values[id];
}

static void add_window(struct fit_record *r, const struct gauge *g, const struct sample *a,
		       const struct sample *b, double nand_step, double host_step)
{
	double host = rise(a, b, FACT_HOST_BYTES_WRITTEN), nand = rise(a, b, g->id);
	const uint64_t use = FACT_BIT(FACT_BYTES_IN_USE);
	struct fit_window *w;

	if (host <= 0 || nand <= 0 || r->nwindows == FIT_WINDOWS_MAX)
		return;
	w = &r->windows[r->nwindows++];
	*w = (struct fit_window){
		.days = (double)(b->time - a->time) / SECONDS_PER_DAY,
		.host = host,
		.nand = nand * g->scale,
		.relative_step = step_error(nand, nand_step, host, host_step, g->error),
	};
	if (a->has & b->has & use && r->capacity > 0) {
		w->has_fill = true;
		w->fill = ((double)a->values[FACT_BYTES_IN_USE] +
			   (double)b->values[FACT_BYTES_IN_USE]) /
			  2 / r->capacity;
	}
}

/* Cut the history into windows of equal host writes, as many as the counters' steps allow. */
static void take_windows(const struct fit_source *s, const struct gauge *g, struct fit_record *r)
{
	const uint64_t both = FACT_BIT(FACT_HOST_BYTES_WRITTEN) | FACT_BIT(g->id);
	struct counter_pace nand, host;
	double n = FIT_WINDOWS_MAX, share;
	const struct sample *from = NULL;

	series_pace(s->series, g->id, both, &nand);
	series_pace(s->series, FACT_HOST_BYTES_WRITTEN, both, &host);
	if (nand.risen <= 0 || host.risen <= 0 || nand.step <= 0 || host.step <= 0)
		return;
	n = fmin(n, (double)nand.risen / (double)nand.step / WINDOW_STEPS);
	n = fmin(n, (double)host.risen / (double)host.step / WINDOW_STEPS);
	if (r->capacity > 0)
		n = fmin(n, (double)host.risen / r->capacity / WINDOW_CAPACITIES);
	if (n < 1)
		return;
	share = (double)host.risen / floor(n);
	for (size_t i = 0; i < s->series->nsamples; i++) {
		const struct sample *now = &s->series->samples[i];

		if (!has_both(now, g))
			continue;
		if (!from)
			from = now;
		if (rise(from, now, FACT_HOST_BYTES_WRITTEN) < share * 0.999)
			continue;
		add_window(r, g, from, now, (double)nand.step, (double)host.step);
		from = now;
	}
}

/* Bytes that an erase of every block takes: by the history, else by the whole life, whose first
 * programs found the flash erased. */
static void take_cycle(const struct fit_source *s, struct fit_record *r)
{
	const uint64_t both = FACT_BIT(FACT_NAND_BYTES_WRITTEN) | FACT_BIT(FACT_ERASE_COUNT_AVG);
	const struct fact *avg = facts_get(s->facts, FACT_ERASE_COUNT_AVG);
	struct counter_pace nand = { 0 }, erases = { 0 };
	double bytes, count, step = 0.6;

	if (!avg || avg->quality == QUALITY_DERIVED || r->capacity <= 0 ||
	    !number(s->facts, FACT_NAND_BYTES_WRITTEN, &bytes))
		return;
	count = u128_double((u128)avg->value) + 1;
	if (s->series) {
		series_pace(s->series, FACT_NAND_BYTES_WRITTEN, both, &nand);
		series_pace(s->series, FACT_ERASE_COUNT_AVG, both, &erases);
	}
	if (erases.risen >= ERASES_MIN && nand.risen > 0) {
		bytes = (double)nand.risen;
		count = (double)erases.risen;
	}
	if (r->has_slc && r->has_life) /* the erase counts are of the main area */
		bytes *= 1 - r->slc_share * r->life.host / r->life.nand;
	if (count < ERASES_MIN || bytes / count < FLASH_MIN * r->capacity ||
	    bytes / count > FLASH_MAX * r->capacity)
		return;
	r->cycle = bytes / count;
	r->cycle_relative = sqrt(squared(step / count) + squared(CYCLE_ERROR));
}

static void take_wear(const struct fit_source *s, struct fit_wear *w)
{
	const uint64_t both = FACT_BIT(FACT_ERASE_COUNT_MAX) | FACT_BIT(FACT_ERASE_COUNT_AVG);
	struct counter_pace max, avg;
	double most, mean;

	if (!number(s->facts, FACT_ERASE_COUNT_MAX, &most) ||
	    !number(s->facts, FACT_ERASE_COUNT_AVG, &mean) || mean < 1 || most < mean)
		return;
	w->has_unevenness = true;
	w->unevenness = most / mean;
	w->ahead = most - mean;
	if (!s->series)
		return;
	series_pace(s->series, FACT_ERASE_COUNT_MAX, both, &max);
	series_pace(s->series, FACT_ERASE_COUNT_AVG, both, &avg);
	if (avg.risen < GROWTH_ERASES_MIN)
		return;
	w->has_growth = true;
	w->growth = (double)(max.risen - avg.risen) / (double)avg.risen;
	w->growth_error = 0.6 / (double)avg.risen;
}

static const char *const evidence[] = {
	[EVIDENCE_NONE] = "nothing",
	[EVIDENCE_NAND] = "NAND bytes written",
	[EVIDENCE_ERASES] = "average erase count x flash",
	[EVIDENCE_PERCENTAGE] = "percentage used x rated cycles x flash",
};

const char *fit_evidence_text(enum fit_evidence e)
{
	return evidence[e];
}

static void tell_missing(const struct fit_source *s, const struct fit_record *r, char ret[160])
{
	double host;

	if (!number(s->facts, FACT_HOST_BYTES_WRITTEN, &host) || host <= 0)
		snprintf(ret, 160, "the drive reports no host bytes written");
	else if (flash_bytes(r) <= 0)
		snprintf(ret, 160,
			 "the drive reports no NAND bytes written, and its capacity is not known");
	else
		snprintf(ret, 160,
			 "the drive reports neither NAND bytes written nor erase counts, nor a "
			 "percentage used with known rated cycles");
}

void fit_reading_take(const struct fit_source *s, struct fit_reading *ret)
{
	struct fit_reading f = { .evidence = EVIDENCE_NONE };
	struct fit_record *r = &f.record;
	double in_use, slc, host;
	struct gauge g;

	if (s->identity->has_capacity)
		r->capacity = (double)s->identity->capacity_bytes;
	if (s->rule->has_raw_nand_bytes)
		r->raw = (double)s->rule->raw_nand_bytes;
	r->compresses = s->rule->compresses;
	if (number(s->facts, FACT_BYTES_IN_USE, &in_use) && r->capacity > 0) {
		r->has_fill = true;
		r->fill = fmin(in_use / r->capacity, 1);
		r->trim = TRIM_AT_ONCE; /* what is in use is told without what was trimmed */
	}
	if (number(s->facts, FACT_NAND_BYTES_WRITTEN_SLC, &slc) &&
	    number(s->facts, FACT_HOST_BYTES_WRITTEN, &host) && host > 0) {
		r->has_slc = true;
		r->slc_share = slc / host;
	}
	take_wear(s, &f.wear);
	f.evidence = find_gauge(s, r, &g);
	if (f.evidence != EVIDENCE_NONE) {
		take_life(s, &g, r);
		if (s->series)
			take_windows(s, &g, r);
	}
	if (f.evidence == EVIDENCE_NAND)
		take_cycle(s, r);
	if (!r->has_life && !r->nwindows)
		f.evidence = EVIDENCE_NONE;
	if (f.evidence == EVIDENCE_NONE)
		tell_missing(s, r, f.missing);
	if (s->forecast && s->forecast->has_writes_recent)
		r->writes_per_day = s->forecast->writes_per_day_recent;
	else if (s->forecast && s->forecast->has_writes_all)
		r->writes_per_day = s->forecast->writes_per_day_all;
	else if (r->has_life && number(s->facts, FACT_POWER_ON_HOURS, &in_use) && in_use > 0)
		r->writes_per_day = r->life.host / in_use * 24;
	*ret = f;
}

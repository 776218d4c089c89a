/* SPDX-License-Identifier: MIT */
#include "ftl/fit_estimate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/portable_math.h"
#include "base/text.h"
#include "base/units.h"
#include "ftl/what_if.h"
#include "health/binding.h"

#define SEED UINT64_C(0x657374696d617465)

/* Normal deviates between which 90 % lie. */
#define NORMAL_90 1.6448536269514722

/* What the flash of a drive is known to where neither counter nor rule tells it. */
#define FLASH_ERROR 0.08

/* Cycles of the flash: rated, used by the block that ends first, and what that one gains. */
struct cycles {
	double rated, used, pace;  /* erases of that block for each average one */
	double flash, flash_error; /* bytes of one cycle */
};

static bool number(const struct facts *facts, enum fact_id id, double *ret)
{
	const struct fact *f = facts_get(facts, id);

	if (!f || f->value < 0)
		return false;
	*ret = u128_double((u128)f->value);
	return true;
}

static bool find_cycles(const struct fit_source *s, const struct fit_reading *r, struct cycles *ret)
{
	const struct fit_record *c = &r->record;
	double most, mean, nand;

	if (!number(s->facts, FACT_RATED_PE_CYCLES, &ret->rated) || ret->rated < 1)
		return false;
	ret->flash = c->cycle > 0 ? c->cycle : c->raw > 0 ? c->raw : c->capacity;
	ret->flash_error = c->cycle > 0 ? c->cycle_relative : c->raw > 0 ? 0.02 : FLASH_ERROR;
	ret->pace = 1;
	if (ret->flash <= 0)
		return false;
	if (number(s->facts, FACT_ERASE_COUNT_AVG, &mean) && mean > 0) {
		ret->used = mean;
		if (r->wear.has_unevenness && number(s->facts, FACT_ERASE_COUNT_MAX, &most)) {
			ret->used = most;
			ret->pace = r->wear.has_growth ? fmax(1 + r->wear.growth, 1)
						       : r->wear.unevenness;
		}
		return true;
	}
	if (!number(s->facts, FACT_NAND_BYTES_WRITTEN, &nand))
		return false;
	ret->used = nand / ret->flash;
	return true;
}

/* How uncertain today's forecast is: deviations of the logarithm to either side. */
static void forecast_width(const struct estimate *e, double ret[2])
{
	ret[0] = ret[1] = 0;
	if (!e || !e->has_interval || e->days_left <= 0)
		return;
	if (e->days_low > 0)
		ret[0] = portable_log(e->days_left / e->days_low) / NORMAL_90;
	if (e->days_high > 0)
		ret[1] = portable_log(fmin(e->days_high / e->days_left, 100)) / NORMAL_90;
}

static int find_days(const struct fit_tables *t, const struct fit *f, const struct cycles *c,
		     const struct estimate *now, struct estimate *e, double *ret_waf)
{
	CLEANUP(cleanup_free) struct weighted *days = calloc(f->n, sizeof(*days));
	CLEANUP(cleanup_free) struct weighted *wafs = calloc(f->n, sizeof(*wafs));
	double left = c->rated > c->used ? (c->rated - c->used) / c->pace : 0, width[2];
	struct rng r;

	if (!days || !wafs)
		return -ENOMEM;
	forecast_width(now, width);
	rng_seed(&r, SEED, 0);
	for (unsigned i = 0; i < f->n; i++) {
		double luck = rng_normal(&r), flash = rng_normal(&r) * c->flash_error;
		double waf = fit_waf(t, &f->drives[i]);
		double bytes = left * c->flash * portable_exp(flash);

		wafs[i] = (struct weighted){ waf, f->weights[i] };
		days[i].value = bytes / (f->record.writes_per_day * waf) *
				portable_exp(luck * width[luck > 0]);
		days[i].weight = f->weights[i];
	}
	weighted_sort(days, f->n);
	weighted_sort(wafs, f->n);
	*ret_waf = weighted_quantile(wafs, f->n, 0.5);
	e->has_days = e->has_interval = true;
	e->days_left = weighted_quantile(days, f->n, 0.5);
	e->days_low = weighted_quantile(days, f->n, 0.05);
	e->days_high = weighted_quantile(days, f->n, 0.95);
	if (now && now->has_interval && isinf(now->days_high))
		e->days_high = INFINITY;
	return 0;
}

static void add_input(struct estimate *e, const char *name, enum unit unit, double value)
{
	e->inputs[e->ninputs++] = (struct estimate_input){ name, unit, (i128)value };
}

static void rest_on(struct estimate *e, const struct cycles *c, const struct fit *f, double waf)
{
	char used[UNIT_TEXT_MAX], rated[UNIT_TEXT_MAX], daily[UNIT_TEXT_MAX];

	add_input(e, fact_name(FACT_RATED_PE_CYCLES), UNIT_CYCLES, c->rated);
	add_input(e, "used_cycles", UNIT_CYCLES, c->used);
	add_input(e, "cycle_bytes", UNIT_BYTES, c->flash);
	add_input(e, "host_bytes_per_day", UNIT_BYTES, f->record.writes_per_day);
	snprintf(e->spent, sizeof(e->spent), "%s of %s cycles", format_grouped((i128)c->used, used),
		 format_grouped((i128)c->rated, rated));
	snprintf(e->rests_on, sizeof(e->rests_on),
		 "%s; write amplification %.2f by the model, measured %.2f; %s a day", e->spent,
		 waf, f->waf, format_bytes((u128)f->record.writes_per_day, daily));
}

bool fit_estimate_needs_fit(const struct fit_source *source, const struct fit_reading *reading)
{
	struct cycles c;

	return reading->evidence != EVIDENCE_NONE && find_cycles(source, reading, &c);
}

const struct estimate *fit_forecast(const struct estimates *e)
{
	const struct estimate *b = e->binding >= 0 ? &e->by_method[e->binding] : NULL;

	return b && b->has_days ? b : NULL;
}

int fit_estimate(const struct fit_tables *t, const struct fit_source *source,
		 const struct fit_reading *reading, const struct fit *fit,
		 struct estimates *estimates)
{
	struct estimate e = { .method = METHOD_FTL_MODEL, .counter = FACT_NONE };
	const struct fact *rated = facts_get(source->facts, FACT_RATED_PE_CYCLES);
	struct cycles c;
	double waf = 0;
	int err = 0;

	e.confidence = rated && rated->confidence > CONFIDENCE_MEDIUM ? rated->confidence
								      : CONFIDENCE_MEDIUM;
	if (reading->evidence == EVIDENCE_NONE) {
		text_copy(e.reason, sizeof(e.reason), reading->missing);
	} else if (!find_cycles(source, reading, &c)) {
		text_copy(e.reason, sizeof(e.reason),
			  rated ? "the flash and its erases are not known"
				: "the rated P/E cycles are not known");
	} else {
		e.has_left = true;
		e.left_percent = c.used < c.rated ? 100 * (1 - c.used / c.rated) : 0;
		if (fit->record.writes_per_day > 0)
			err = find_days(t, fit, &c, fit_forecast(estimates), &e, &waf);
		else
			text_copy(e.reason, sizeof(e.reason),
				  "no date: how much is written a day is not known");
		rest_on(&e, &c, fit, waf);
		e.by_history = fit->record.nwindows > 0;
	}
	if (err)
		return err;
	estimates->by_method[METHOD_FTL_MODEL] = e;
	estimates_bind(source->facts, estimates);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Remaining life by each method, from lifetime averages. Which one binds: binding.c. */
#include "health/estimate.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/binding.h"

/* A week: in fewer hours the installation of a system looks like a rate. */
#define RATE_HOURS_MIN 168

/* Less than this share of a budget, or fewer than two steps of its counter, shows no rate. */
#define RATE_SHARE_MIN 0.01
#define RATE_STEPS_MIN 2

/*
 * A counter that shows n steps has seen between n - 1 and n + 1, as nobody says how it rounds;
 * 90 % of that lie within 0.9 steps.
 */
#define STEP_90_PERCENT 0.9

/* Above this the average of a few blocks is no longer the wear of the same area. */
#define UNEVENNESS_MAX 10.0

/* A drive that is done with its spares at the first lost block does not tell when it ends. */
#define SPARE_THRESHOLD_MAX 90000 /* thousandths of a percent */

/* One block in hundreds is no trend: fewer points of spare gone than this give no date. */
#define SPARE_USED_MIN 5000

struct context {
	const struct drive_rule *rule;
	const struct facts *facts;
	const struct wear *wear;
};

/* How much of a budget is spent, both in the same unit. */
struct budget {
	double done, total;
	double step;	      /* of the counter behind done; 0: fine enough not to matter */
	bool done_or_more;    /* a floored or saturated counter */
	enum fact_id counter; /* behind done */
	double limit;	      /* where it ends, in its own unit */
};

static void set_reason(struct estimate *e, const char *fmt, ...) PRINTF(2, 3);

static void set_reason(struct estimate *e, const char *fmt, ...)
{
	va_list ap;

	if (*e->reason)
		return;
	va_start(ap, fmt);
	vsnprintf(e->reason, sizeof(e->reason), fmt, ap);
	va_end(ap);
}

static void add_input(struct estimate *e, const char *name, enum unit unit, i128 value)
{
	if (e->ninputs < ESTIMATE_INPUTS_MAX)
		e->inputs[e->ninputs++] = (struct estimate_input){ name, unit, value };
}

/* The fact, noted as an input, if it is there and at least `least`: 0 of a counter, 1 of a total.
 */
static const struct fact *take(struct estimate *e, const struct context *c, enum fact_id id,
			       int least)
{
	const struct fact *f = facts_get(c->facts, id);

	if (!f || f->value < least)
		return NULL;
	add_input(e, fact_name(id), fact_unit(id), f->value);
	if (f->confidence > e->confidence)
		e->confidence = f->confidence;
	return f;
}

static double number(const struct fact *f)
{
	return u128_double((u128)f->value);
}

static double clamp_percent(double v)
{
	return v < 0 ? 0 : v > 100 ? 100 : v;
}

static void worn_out(struct estimate *e)
{
	e->has_left = e->has_days = e->has_interval = true;
	e->left_percent = e->days_left = e->days_low = e->days_high = 0;
}

/* Days left where `done` of `total` took `days`. */
static double days_left(double done, double total, double days)
{
	return done >= total ? 0 : days * (total - done) / done;
}

static void add_interval(struct estimate *e, const struct budget *b, double days)
{
	if (b->done_or_more) {
		e->has_interval = true;
		e->days_low = 0;
		e->days_high = e->days_left;
		return;
	}
	if (b->step <= 0)
		return;
	e->has_interval = true;
	e->days_low = days_left(b->done + STEP_90_PERCENT * b->step, b->total, days);
	e->days_high = days_left(b->done - STEP_90_PERCENT * b->step, b->total, days);
}

/* Left of the budget, and when it ends if the lifetime's average goes on. */
static void spend(struct estimate *e, const struct context *c, const struct budget *b)
{
	const struct fact *on = facts_get(c->facts, FACT_POWER_ON_HOURS);
	char hours[UNIT_TEXT_MAX];

	if (b->done >= b->total) {
		worn_out(e);
		return;
	}
	e->has_left = true;
	if (!b->done_or_more) {
		e->counter = b->counter;
		e->limit = b->limit;
	}
	e->left_percent = clamp_percent(100 * (1 - b->done / b->total));
	if (!on || on->value <= 0) {
		set_reason(e, "no date: power-on hours are not reported");
		return;
	}
	format_quantity(on->value, UNIT_HOURS, hours);
	if (on->value > POWER_ON_HOURS_MAX) {
		set_reason(e, "no date: %s powered on is not plausible", hours);
		return;
	}
	snprintf(e->rests_on, sizeof(e->rests_on), " in %s powered on; calendar time not known",
		 hours);
	add_input(e, fact_name(FACT_POWER_ON_HOURS), UNIT_HOURS, on->value);
	if (on->value < RATE_HOURS_MIN) {
		set_reason(e, "not enough wear to tell a date: powered on for less than a week");
		return;
	}
	if (b->done < RATE_SHARE_MIN * b->total || b->done < RATE_STEPS_MIN * b->step) {
		set_reason(e, "not enough wear to tell a date");
		return;
	}
	e->has_days = true;
	e->days_left = days_left(b->done, b->total, number(on) / 24);
	add_interval(e, b, number(on) / 24);
}

/* The step of a percentage: whole points as far as the number shows, or hundredths, or less. */
static double percentage_step(const struct fact *used)
{
	if (used->value % 1000 == 0)
		return 1;
	return used->value % 10 == 0 ? 0.01 : 0.001;
}

static void percentage_used(struct estimate *e, const struct context *c)
{
	const struct fact *used = facts_get(c->facts, FACT_PERCENTAGE_USED);
	const struct fact *rated = facts_get(c->facts, FACT_RATED_PE_CYCLES);
	char text[UNIT_TEXT_MAX];

	if (!used || !c->wear->has_used) {
		set_reason(e, "%s",
			   used ? "the percentage reported is no life used"
				: "the drive reports no percentage used");
		return;
	}
	if (used->quality == QUALITY_DERIVED && rated &&
	    facts_get(c->facts, FACT_ERASE_COUNT_AVG)) {
		set_reason(e, "the drive reports no percentage used; its erase counts are below");
		return;
	}
	add_input(e, fact_name(FACT_PERCENTAGE_USED), UNIT_PERCENT, used->value);
	e->confidence = used->confidence;
	snprintf(e->spent, sizeof(e->spent), "%s%s used",
		 used->bound == BOUND_AT_LEAST ? "at least " : "",
		 format_quantity(used->value, UNIT_PERCENT, text));
	spend(e, c,
	      &(struct budget){
		      .done = number(used) / 1000,
		      .total = 100,
		      .step = percentage_step(used),
		      .done_or_more = used->bound == BOUND_AT_LEAST,
		      .counter = FACT_PERCENTAGE_USED,
		      .limit = 100000,
	      });
	if (!c->wear->used_plausible) {
		e->confidence = CONFIDENCE_LOW;
		set_reason(e, "does not bind: used up faster than is plausible");
	}
}

/*
 * An area of the flash with its own cycles: the most worn block ends it (the wear equation divides
 * by the unevenness), the average where no maximum is known or where it cannot be of this area.
 */
static bool area_budget(struct estimate *e, const struct context *c, const enum fact_id ids[3],
			const char *area, struct budget *ret)
{
	const struct fact *avg = take(e, c, ids[0], 0);
	const struct fact *max = take(e, c, ids[1], 0);
	const struct fact *rated = (avg || max) ? take(e, c, ids[2], 1) : NULL;
	bool by_max = max && (!avg || (max->value >= avg->value &&
				       number(max) <= UNEVENNESS_MAX * (number(avg) + 1)));
	const struct fact *followed = by_max ? max : avg;
	char count[UNIT_TEXT_MAX], of[UNIT_TEXT_MAX], mean[UNIT_TEXT_MAX], also[96] = "";

	if (!rated || !followed)
		return false;
	if (by_max && avg)
		snprintf(also, sizeof(also), ", average %s", format_grouped(avg->value, mean));
	else if (max && !by_max)
		snprintf(also, sizeof(also), ", average; the maximum %s is not plausible",
			 format_grouped(max->value, mean));
	snprintf(e->spent, sizeof(e->spent), "%s%s of %s cycles%s (rated: %s)", area,
		 format_grouped(followed->value, count),
		 format_quantity(rated->value, UNIT_COUNT, of), also,
		 confidence_name(rated->confidence));
	*ret = (struct budget){
		.done = number(followed),
		.total = number(rated),
		.step = 1,
		.done_or_more = followed->bound == BOUND_AT_LEAST,
		.counter = by_max ? ids[1] : ids[0],
		.limit = number(rated),
	};
	return true;
}

static void erase_budget(struct estimate *e, const struct context *c)
{
	static const enum fact_id main_area[] = { FACT_ERASE_COUNT_AVG, FACT_ERASE_COUNT_MAX,
						  FACT_RATED_PE_CYCLES };
	static const enum fact_id pslc_area[] = { FACT_ERASE_COUNT_SLC_AVG,
						  FACT_ERASE_COUNT_SLC_MAX,
						  FACT_RATED_PE_CYCLES_SLC };
	struct estimate slc = { .method = METHOD_ERASE_BUDGET, .counter = FACT_NONE };
	struct budget main_budget, slc_budget;
	bool has_main = area_budget(e, c, main_area, "", &main_budget);
	bool has_slc = area_budget(&slc, c, pslc_area, "pSLC area: ", &slc_budget);

	if (has_slc && (!has_main || slc_budget.done / slc_budget.total >
					     main_budget.done / main_budget.total)) {
		*e = slc;
		spend(e, c, &slc_budget);
		return;
	}
	if (has_main) {
		spend(e, c, &main_budget);
		return;
	}
	set_reason(e, "%s",
		   e->ninputs ? "the rated P/E cycles are not known"
			      : "the drive reports no erase counts");
}

/* Log 09h's and OCP's figure is a NAND budget at a write amplification of 1. */
static void endurance_estimate(struct estimate *e, const struct context *c)
{
	const struct fact *total = take(e, c, FACT_ENDURANCE_ESTIMATE, 1);
	const struct fact *nand = total ? take(e, c, FACT_NAND_BYTES_WRITTEN, 0) : NULL;
	char done[UNIT_TEXT_MAX], of[UNIT_TEXT_MAX], host[UNIT_TEXT_MAX];
	double host_budget;

	if (!total) {
		set_reason(e, "the drive reports no endurance estimate");
		return;
	}
	if (!nand) {
		set_reason(e, "it is a NAND budget, and NAND writes are not reported");
		return;
	}
	snprintf(e->spent, sizeof(e->spent), "%s of %s NAND writes",
		 format_bytes((u128)nand->value, done), format_bytes((u128)total->value, of));
	if (c->wear->has_waf_lifetime) {
		size_t n = strlen(e->spent);

		host_budget = number(total) / wear_waf(c->wear);
		add_input(e, "host_budget_bytes", UNIT_BYTES, (i128)host_budget);
		snprintf(e->spent + n, sizeof(e->spent) - n, " (%s of host writes)",
			 format_bytes((u128)host_budget, host));
	}
	spend(e, c,
	      &(struct budget){
		      .done = number(nand),
		      .total = number(total),
		      .done_or_more = nand->bound == BOUND_AT_LEAST,
		      .counter = FACT_NAND_BYTES_WRITTEN,
		      .limit = number(total),
	      });
}

static void rated_tbw(struct estimate *e, const struct context *c)
{
	const struct fact *rated = take(e, c, FACT_RATED_BYTES_WRITTEN, 1);
	const struct fact *host = rated ? take(e, c, FACT_HOST_BYTES_WRITTEN, 0) : NULL;
	char done[UNIT_TEXT_MAX], of[UNIT_TEXT_MAX];

	if (c->rule->no_write_limit) {
		e->ninputs = 0;
		set_reason(e, "the warranty sets no limit on writes");
		return;
	}
	if (!rated || !host) {
		set_reason(e, "%s",
			   rated ? "host writes are not reported"
				 : "no TBW rating of this model is known");
		return;
	}
	snprintf(e->spent, sizeof(e->spent), "%s of %s", format_bytes((u128)host->value, done),
		 format_bytes((u128)rated->value, of));
	spend(e, c,
	      &(struct budget){
		      .done = number(host),
		      .total = number(rated),
		      .done_or_more = host->bound == BOUND_AT_LEAST,
		      .counter = FACT_HOST_BYTES_WRITTEN,
		      .limit = number(rated),
	      });
	e->note = "a warranty limit, not wear";
}

static void spare_depletion(struct estimate *e, const struct context *c)
{
	const struct fact *spare = facts_get(c->facts, FACT_AVAILABLE_SPARE);
	const struct fact *floor = facts_get(c->facts, FACT_SPARE_THRESHOLD);
	i128 threshold = floor && floor->value > 0 ? floor->value : 0;
	char left[UNIT_TEXT_MAX], limit[UNIT_TEXT_MAX];

	if (!spare || spare->value < 0 || spare->value > 100000 ||
	    (spare->value == 0 && threshold == 0)) {
		set_reason(e, "available spare is not reported");
		return;
	}
	add_input(e, fact_name(FACT_AVAILABLE_SPARE), UNIT_PERCENT, spare->value);
	if (floor)
		add_input(e, fact_name(FACT_SPARE_THRESHOLD), UNIT_PERCENT, threshold);
	e->confidence = spare->confidence;
	snprintf(e->spent, sizeof(e->spent), "spare %s, threshold %s",
		 format_quantity(spare->value, UNIT_PERCENT, left),
		 floor ? format_quantity(threshold, UNIT_PERCENT, limit) : "not reported");
	if (threshold >= SPARE_THRESHOLD_MAX) {
		set_reason(e, "a threshold of %s leaves no range to run down", limit);
		return;
	}
	if (spare->value > threshold && 100000 - spare->value < SPARE_USED_MIN) {
		e->has_left = true;
		e->left_percent = clamp_percent((double)(spare->value - threshold) * 100 /
						(double)(100000 - threshold));
		set_reason(e, "not enough spare used to tell a date");
		return;
	}
	spend(e, c,
	      &(struct budget){
		      .done = (double)(100000 - spare->value) / 1000,
		      .total = (double)(100000 - threshold) / 1000,
		      .step = 1,
		      .counter = FACT_AVAILABLE_SPARE,
		      .limit = (double)threshold,
	      });
}

/* src/ftl fits its model where it is asked, and takes the place of this one. */
static void ftl_model(struct estimate *e, const struct context *c)
{
	(void)c;
	set_reason(e, "the FTL model was not fitted");
}

static void (*const methods[])(struct estimate *e, const struct context *c) = {
	[METHOD_PERCENTAGE_USED] = percentage_used,	  [METHOD_ERASE_BUDGET] = erase_budget,
	[METHOD_ENDURANCE_ESTIMATE] = endurance_estimate, [METHOD_RATED_TBW] = rated_tbw,
	[METHOD_SPARE_DEPLETION] = spare_depletion,	  [METHOD_FTL_MODEL] = ftl_model,
};
static_assert(ARRAY_SIZE(methods) == METHOD_COUNT, "one row a method");

int64_t estimate_time(const struct estimate *e, double days, const struct reading *r, int64_t now)
{
	bool from_now = r->time == TIME_UNKNOWN || (e->by_history && now != TIME_UNKNOWN);
	int64_t from = from_now ? now : r->time;
	double time = (double)from + days * SECONDS_PER_DAY;

	return time >= (double)TIME_MAX ? TIME_MAX : (int64_t)time;
}

/* Put together what was spent, in which time (as spend() left it), and the note. */
static void rest_on(struct estimate *e)
{
	char span[sizeof(e->rests_on)];

	text_copy(span, sizeof(span), e->rests_on);
	snprintf(e->rests_on, sizeof(e->rests_on), "%s%s%s%s", e->spent, span, e->note ? "; " : "",
		 e->note ? e->note : "");
}

void estimates_compute(const struct drive_rule *rule, const struct facts *facts,
		       const struct wear *wear, struct estimates *ret)
{
	const struct context c = { rule, facts, wear };

	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i < METHOD_COUNT; i++) {
		struct estimate *e = &ret->by_method[i];

		e->method = (enum estimate_method)i;
		e->counter = FACT_NONE;
		methods[i](e, &c);
		rest_on(e);
	}
	estimates_bind(facts, ret);
}

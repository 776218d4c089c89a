/* SPDX-License-Identifier: MIT */
/* Whatever a drive or a dump says, assessing it gives an answer, and one within bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "lib/judged.h"

#define RUNS 20000

/* xorshift64*: the seed is in every message, so that a failure can be run again. */
struct dice {
	uint64_t state;
};

static uint64_t roll(struct dice *d)
{
	d->state ^= d->state >> 12;
	d->state ^= d->state << 25;
	d->state ^= d->state >> 27;
	return d->state * UINT64_C(2685821657736338717);
}

static uint64_t below(struct dice *d, uint64_t n)
{
	return roll(d) % n;
}

static bool one_in(struct dice *d, uint64_t n)
{
	return below(d, n) == 0;
}

/* Numbers that break arithmetic stand beside ordinary ones. */
static i128 odd_number(struct dice *d)
{
	switch (below(d, 12)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return -(i128)below(d, 400000);
	case 3:
		return I128_MAX;
	case 4:
		return -I128_MAX - 1;
	case 5:
		return UINT64_MAX;
	case 6:
		return (i128)roll(d) << 60;
	case 7:
		return 100000;
	case 8:
		return (i128)roll(d);
	default:
		return below(d, 1 + (UINT64_C(1) << below(d, 50)));
	}
}

static void random_bytes(struct dice *d, char *s, size_t size)
{
	size_t n = below(d, size);

	for (size_t i = 0; i < n; i++)
		s[i] = one_in(d, 4) ? "%sn\\\"<\n"[below(d, 7)] : (char)(1 + below(d, 255));
	s[n] = '\0';
}

static void random_facts(struct dice *d, struct judged *j)
{
	for (int id = 0; id < FACT_COUNT; id++) {
		uint64_t n = one_in(d, 2) ? 0 : 1 + below(d, one_in(d, 8) ? CANDIDATES_MAX : 2);

		for (uint64_t k = 0; k < n; k++) {
			struct fact *f = judged_candidate(j, (enum fact_id)id, 0);

			f->value = odd_number(d);
			f->quality = (enum fact_quality)below(d, 3);
			f->bound = (enum fact_bound)below(d, 3);
			f->confidence = (enum confidence)below(d, 5);
			if (one_in(d, 8))
				memset(f->source, 'x', sizeof(f->source) - 1);
		}
	}
}

static void random_reading(struct dice *d, struct judged *j)
{
	j->r.state = one_in(d, 4) ? (enum drive_state)below(d, DRIVE_STATE_COUNT) : DRIVE_READ;
	j->r.identity.incomplete = one_in(d, 8);
	j->r.smart_status = (enum smart_status)below(d, 3);
	j->r.smart_status_by_attributes = one_in(d, 3);
	j->r.time = one_in(d, 4) ? (int64_t)roll(d) : j->r.time;
	j->now = one_in(d, 4) ? (int64_t)roll(d) : one_in(d, 4) ? TIME_UNKNOWN : j->now;
	random_bytes(d, j->r.identity.firmware, sizeof(j->r.identity.firmware));
	random_bytes(d, j->r.identity.serial, sizeof(j->r.identity.serial));
	if (one_in(d, 4))
		reading_add_problem(&j->r, -5, "%s", j->r.identity.firmware);
	for (uint64_t n = below(d, one_in(d, 8) ? ATTRIBUTES_MAX + 1 : 6); n > 0; n--) {
		struct attribute *a = judged_attribute(j, (uint8_t)roll(d), (uint8_t)roll(d),
						       (uint8_t)roll(d), (uint8_t)below(d, 110));

		a->flags = (uint16_t)roll(d);
		a->has_flags = one_in(d, 2);
		a->has_worst = one_in(d, 2);
		a->has_raw = one_in(d, 2);
		a->raw = one_in(d, 2) ? roll(d) : below(d, 100);
		random_bytes(d, a->name, sizeof(a->name));
	}
	for (uint64_t n = below(d, one_in(d, 8) ? SELFTESTS_MAX + 1 : 4); n > 0; n--) {
		struct selftest *t = &j->r.selftests[j->r.nselftests++];

		*t = (struct selftest){ .result = (enum selftest_result)below(d, 5),
					.has_hours = one_in(d, 2),
					.hours = roll(d),
					.has_lba = one_in(d, 2),
					.lba = roll(d) };
		random_bytes(d, t->kind, sizeof(t->kind));
	}
}

static void random_rule(struct dice *d, struct drive_rule *rule)
{
	rule->matched = one_in(d, 2);
	rule->compresses = one_in(d, 4);
	rule->no_write_limit = one_in(d, 8);
	rule->transient_pending = one_in(d, 4);
	rule->has_shutdown_celsius = one_in(d, 4);
	rule->shutdown_celsius = (int32_t)below(d, 200);
	rule->nhazards = below(d, RULE_HAZARDS_MAX + 1);
	for (size_t i = 0; i < rule->nhazards; i++) {
		struct firmware_hazard *h = &rule->hazards[i];

		h->has_hours = one_in(d, 2);
		h->hours = roll(d);
		memset(h->text, 'x', sizeof(h->text) - 1);
		memset(h->advice, 'y', sizeof(h->advice) - 1);
	}
}

static bool percentage(double v)
{
	return isfinite(v) && v >= 0 && v <= 100;
}

static bool days(double v)
{
	return isfinite(v) && v >= 0 && v < 1e7;
}

static const char *bad_wear(const struct wear *w)
{
	if (w->has_waf_lifetime && !(isfinite(w->waf_lifetime) && w->waf_lifetime > 0))
		return "WAF";
	if (!(isfinite(wear_waf(w)) && wear_waf(w) > 0))
		return "WAF to estimate with";
	if (w->has_unevenness && !(isfinite(w->unevenness) && w->unevenness >= 1))
		return "unevenness";
	if (w->has_used != w->has_left)
		return "used without left";
	if (w->has_used && (w->used < 0 || w->used > 1000000))
		return "life used";
	if (w->has_left && (w->left < 0 || w->left > 100000))
		return "life left";
	return NULL;
}

static const char *bad_estimate(const struct estimate *e)
{
	if (e->has_left ? !percentage(e->left_percent) : *e->reason == '\0')
		return "life left, or why not";
	if (e->has_days && (!e->has_left || !days(e->days_left)))
		return "days left";
	if (!e->has_days && *e->reason == '\0')
		return "no reason for no date";
	if (e->trustworthy && !e->has_days)
		return "trusted without a date";
	if (e->has_interval && !(e->has_days && days(e->days_low) && days(e->days_high) &&
				 e->days_low <= e->days_left && e->days_left <= e->days_high))
		return "interval";
	return NULL;
}

static const char *bad_estimates(const struct estimates *all)
{
	for (int i = 0; i < METHOD_COUNT; i++) {
		const struct estimate *e = &all->by_method[i];
		const char *bad = bad_estimate(e);

		if (bad)
			return bad;
		if (e->trustworthy &&
		    (all->binding < 0 || all->by_method[all->binding].days_left > e->days_left))
			return "the earliest trustworthy one does not bind";
	}
	if (all->binding >= 0 && !all->by_method[all->binding].trustworthy)
		return "what binds is not trusted";
	return *all->binding_reason ? NULL : "no reason for what binds";
}

static const char *bad_findings(const struct assessment *a)
{
	enum severity worst = SEVERITY_OK;

	for (size_t i = 0; i < a->nfindings; i++) {
		const struct finding *f = &a->findings[i];
		bool known = false;

		for (size_t k = 0; finding_ids[k]; k++)
			known |= strcmp(finding_ids[k], f->id) == 0;
		if (!known || !*f->text)
			return "finding without id or text";
		if (!text_is_clean(f->text) || !text_is_clean(f->evidence) ||
		    !text_is_clean(f->advice))
			return "finding that is not clean text";
		if (i > 0 && f->severity > a->findings[i - 1].severity)
			return "order of findings";
		if (f->severity > worst)
			worst = f->severity;
	}
	if (a->verdict != worst)
		return "verdict";
	return *a->reason && text_is_clean(a->reason) ? NULL : "reason";
}

static void assessing_is_total(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= RUNS; seed++) {
		struct dice d = { seed * UINT64_C(0x9e3779b97f4a7c15) };
		struct judged *j = judged_new((enum protocol)below(&d, 4));
		const char *bad;

		random_facts(&d, j);
		random_reading(&d, j);
		random_rule(&d, &j->rule);
		judged_run(j);
		bad = bad_wear(&j->a.wear);
		if (!bad)
			bad = bad_estimates(&j->a.estimates);
		if (!bad)
			bad = bad_findings(&j->a);
		if (bad)
			fail_msg("seed %llu: %s", (unsigned long long)seed, bad);
	}
}

/* More wear never makes a drive last longer. */
static void wear_only_shortens_life(void **state)
{
	static const enum fact_id ids[] = { FACT_PERCENTAGE_USED, FACT_ERASE_COUNT_AVG };
	static const enum estimate_method methods[] = { METHOD_PERCENTAGE_USED,
							METHOD_ERASE_BUDGET };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		double before = INFINITY;

		for (int shown = 1; shown <= 256; shown++) {
			struct judged *j = judged_nvme();
			const struct estimate *e;

			judged_fact(j, FACT_RATED_PE_CYCLES, 200);
			judged_fact(j, ids[i], shown);
			e = &judged_run(j)->estimates.by_method[methods[i]];
			if (!e->has_days)
				continue;
			assert_true(e->days_left <= before);
			before = e->days_left;
		}
		assert_true(before == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assessing_is_total),
		cmocka_unit_test(wear_only_shortens_life),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* A forecast is total: any counters at any times give an answer that holds together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "lib/history.h"

#define ROUNDS	    100
#define SAMPLES_MAX 120

static size_t below(struct rng *rnd, size_t n)
{
	return (size_t)(rng_unit(rnd) * (double)n);
}

/* Mostly what a counter does, and at times anything at all. */
static int64_t next_value(struct rng *rnd, int64_t before)
{
	switch (below(rnd, 12)) {
	case 0:
		return (int64_t)(rng_next(rnd) >> (1 + below(rnd, 62)));
	case 1:
		return INT64_MAX;
	case 2:
		return 0;
	case 3:
	case 4:
		return before;
	default:
		return before > INT64_MAX / 4 ? before
					      : before + (int64_t)(1 + below(rnd, 1000)) * 1000;
	}
}

static void make_series(struct rng *rnd, struct history *h)
{
	static const enum fact_id ids[] = { FACT_HOST_BYTES_WRITTEN, FACT_NAND_BYTES_WRITTEN,
					    FACT_PERCENTAGE_USED,    FACT_ERASE_COUNT_AVG,
					    FACT_AVAILABLE_SPARE,    FACT_POWER_ON_HOURS };
	size_t n = below(rnd, SAMPLES_MAX);
	bool wild = below(rnd, 2) == 0;
	int64_t values[FACT_COUNT] = { 0 };

	h->series.nsamples = 0;
	for (size_t i = 0; i < n; i++) {
		struct sample *s;

		history_sample(h);
		s = &h->series.samples[i];
		h->now += (int64_t)below(rnd, 3) * (int64_t)below(rnd, 4000000);
		s->aside = below(rnd, 20) == 0;
		for (size_t k = 0; k < ARRAY_SIZE(ids); k++) {
			int64_t next = values[ids[k]] + (int64_t)below(rnd, 5) * 1000;

			values[ids[k]] = wild ? next_value(rnd, values[ids[k]]) : next;
			s->values[ids[k]] = values[ids[k]];
			if (below(rnd, 10) > 0)
				s->has |= FACT_BIT(ids[k]);
			else
				s->has &= ~FACT_BIT(ids[k]);
		}
	}
}

static void holds_together(const struct forecast *f)
{
	for (int i = 0; i < METHOD_COUNT; i++) {
		const struct forecast_method *m = &f->by_method[i];

		assert_non_null(memchr(m->reason, 0, sizeof(m->reason)));
		if (!m->has_days)
			continue;
		assert_true(m->days_low >= 0 && m->days_low <= m->days_left);
		assert_true(m->days_left <= m->days_high && isfinite(m->days_left));
		assert_true(*m->rests_on && m->data_days >= 0);
	}
	for (size_t i = 0; i < f->npoints; i++) {
		assert_true(f->points[i].low <= f->points[i].middle);
		assert_true(f->points[i].middle <= f->points[i].high);
	}
	assert_true(!f->has_waf_recent || isfinite(f->waf_recent));
	assert_true(!f->has_writes_recent || isfinite(f->writes_per_day_recent));
	assert_true(!f->has_wear_recent || isfinite(f->wear_per_day_recent));
}

static void any_series(void **state)
{
	static const struct {
		enum estimate_method method;
		enum fact_id counter;
		double limit;
	} limits[] = {
		{ METHOD_PERCENTAGE_USED, FACT_PERCENTAGE_USED, 100000 },
		{ METHOD_ERASE_BUDGET, FACT_ERASE_COUNT_AVG, 3000 },
		{ METHOD_ENDURANCE_ESTIMATE, FACT_NAND_BYTES_WRITTEN, 1e15 },
		{ METHOD_RATED_TBW, FACT_HOST_BYTES_WRITTEN, 1e14 },
		{ METHOD_SPARE_DEPLETION, FACT_AVAILABLE_SPARE, 10000 },
	};
	struct rng rnd;

	(void)state;
	rng_seed(&rnd, 2026, 0);
	for (int round = 0; round < ROUNDS; round++) {
		struct history *h = history_new();

		for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
			history_limit(h, limits[i].method, limits[i].counter, limits[i].limit);
		make_series(&rnd, h);
		h->now += (int64_t)below(&rnd, 2) * 86400 * 100;
		holds_together(history_forecast(h));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ftl/simulation.h"
#include "ftl/stages_run.h"
#include "lib/ftl_invariants.h"

/* Small drives of any kind, and anything done to them: what holds of all of them. */

#ifdef __SANITIZE_ADDRESS__
#define DRIVES 60
#else
#define DRIVES 600
#endif

static const char *const policies[] = { "greedy", "windowed:5", "fifo",
					"random", "choices:3",	"cost-benefit" };

static uint64_t any(struct rng *r, uint64_t low, uint64_t high)
{
	return low + rng_below(r, high - low + 1);
}

static void draw_device(struct rng *r, struct simulation_config *c)
{
	*c = (struct simulation_config){
		.device = { .logical_pages = (uint32_t)any(r, 500, 3000),
			    .pages_per_block = (uint32_t)any(r, 4, 40),
			    .separate_gc = rng_below(r, 2),
			    .leveling = (enum wear_leveling)rng_below(r, WEAR_LEVELING_COUNT),
			    .leveling_spread = 5,
			    .read_limit = rng_below(r, 4) ? 0 : (uint32_t)any(r, 50, 500),
			    .refresh_age = rng_below(r, 4) ? 0 : any(r, 10, 1000) * NS_PER_SECOND },
		.page_bytes = 4096,
		.spare = .1 + .3 * rng_unit(r),
		.seed = rng_next(r) >> 1,
		.engine = ENGINE_PAGES,
		.end = END_WRITES,
		.writes = 1,
	};
	assert_int_equal(
		victim_parse(policies[rng_below(r, ARRAY_SIZE(policies))], &c->device.victim, NULL),
		0);
	c->device.spare_low = c->device.spare_high = (uint32_t)rng_below(r, 3);
	if (!rng_below(r, 4))
		c->layout.stripe = (uint32_t)any(r, 2, 4);
}

static void draw_model(struct rng *r, struct drive_model *m)
{
	drive_model_default((enum cell_type)any(r, CELL_MLC, CELL_QLC), m);
	m->channels = (unsigned)any(r, 1, 4);
	m->dies = (unsigned)any(r, m->channels, 9);
	m->flash_page_bytes = 4096 << rng_below(r, 3);
	m->program_bytes = m->pslc.program_bytes = m->flash_page_bytes * (uint32_t)any(r, 1, 3);
	m->programs_queued = (unsigned)rng_below(r, 4);
	m->coalesce_bytes = rng_below(r, 2) * any(r, 1, 200) * 4096;
	m->flash_share_ppm = rng_below(r, 3) ? PPM : (uint32_t)any(r, PPM / 4, PPM);
	m->collection = (enum collection)rng_below(r, COLLECTION_COUNT);
	m->continuous_ppm = (uint32_t)any(r, PPM / 2, 5 * PPM);
	m->collects_at_once = rng_below(r, 2);
	m->idle_free_ppm = (uint32_t)rng_below(r, PPM + 1);
	m->search_ns = rng_below(r, 100);
	m->pslc.mode = (enum pslc_mode)rng_below(r, PSLC_MODE_COUNT);
	m->pslc.overflow = (enum pslc_overflow)rng_below(r, PSLC_OVERFLOW_COUNT);
	m->pslc.bytes = any(r, 100, 3000) * 4096;
	m->pslc.fold_bytes = rng_below(r, 2) * any(r, 1, 500) * 4096;
	m->pslc.fold_pause_ns = rng_below(r, 2) * NS_PER_SECOND;
	m->pslc.held_bytes = rng_below(r, 2) * m->pslc.bytes / 4;
}

static void draw_stage(struct rng *r, struct stage *s)
{
	static const enum workload_kind kinds[] = { WORKLOAD_UNIFORM, WORKLOAD_SEQUENTIAL,
						    WORKLOAD_HOTCOLD };

	*s = stage_default((enum stage_kind)rng_below(r, STAGE_KIND_COUNT));
	s->drive_ppm = 0;
	if (s->kind == STAGE_IDLE)
		s->duration_ns = any(r, 1, 600) * NS_PER_SECOND / 10;
	else if (rng_below(r, 3))
		s->drive_ppm = (uint32_t)any(r, PPM / 10, 2 * PPM);
	else
		s->duration_ns = any(r, 1, 100000000);
	s->workload = (struct workload){ .kind = kinds[rng_below(r, ARRAY_SIZE(kinds))],
					 .hot_pages = .1,
					 .hot_writes = .9 };
	s->request_bytes = (uint32_t)any(r, 1, 40) * 512;
	s->read_ppm = (uint32_t)rng_below(r, PPM);
	s->queue_depth = (unsigned)any(r, 1, 64);
}

static void check(const struct stages_run *r, const struct stages_result *x)
{
	const struct timed_drive *t = stages_run_drive(r);
	const struct timed_totals *n = timed_drive_totals(t);
	const struct pslc *p = timed_drive_cache(t);
	const struct ftl_totals *d = ftl_totals_of(timed_drive_device(t));
	const char *broken = ftl_broken_invariant(timed_drive_device(t));
	uint64_t before = 0;

	if (broken)
		fail_msg("%s", broken);
	/* each page of the host's goes to the cache or the main area, and is in one of them */
	assert_int_equal(d->host_writes, n->pages - p->totals.programs + p->totals.folded);
	assert_int_equal(p->totals.programs, p->totals.folded + p->totals.dropped + p->valid);
	if (p->log)
		assert_int_equal(n->pages, p->totals.programs + p->totals.past);
	for (size_t i = 0; i < x->n; i++) {
		const struct stage_result *s = &x->stages[i];

		assert_int_equal(s->start_ns, before);
		assert_true(s->end_ns >= s->start_ns);
		before = s->end_ns;
		assert_int_equal(s->write_latency.n, s->writes);
		assert_int_equal(s->read_latency.n, s->reads);
		assert_true(s->write_latency.p50_ns <= s->write_latency.p99_ns);
		assert_true(s->write_latency.p99_ns <= s->write_latency.most_ns);
	}
}

/* False where there is no such drive. */
static bool run(uint64_t seed, struct stages_result *ret, struct stages_run **ret_run,
		struct stage *stages, size_t n)
{
	struct simulation_config c;
	struct stages_config s = { .stages = stages, .n = n };
	struct rng r;

	rng_seed(&r, seed, 1);
	draw_device(&r, &c);
	draw_model(&r, &s.drive.model);
	for (size_t i = 0; i < n; i++)
		draw_stage(&r, &stages[i]);
	c.layout.flash_share = s.drive.model.flash_share_ppm / 1e6;
	if (simulation_plan(&c, NULL) < 0)
		return false;
	s.drive.device = c.device;
	s.drive.page_bytes = c.page_bytes;
	s.seed = seed;
	if (stages_run_new(&s, NULL, NULL, ret_run) < 0)
		return false;
	while (stages_run_step(*ret_run, 100) == 1)
		;
	stages_run_result(*ret_run, ret);
	if (!ret->done)
		fail_msg("drive %llu died", (unsigned long long)seed);
	return true;
}

static void any_drive(void **state)
{
	struct stage stages[6];
	unsigned ran = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= DRIVES; seed++) {
		struct stages_result x, again;
		struct stages_run *r = NULL, *r2 = NULL;

		if (!run(seed, &x, &r, stages, ARRAY_SIZE(stages)))
			continue;
		ran++;
		check(r, &x);
		if (seed % 10 == 0) { /* the same seed, the same result */
			assert_true(run(seed, &again, &r2, stages, ARRAY_SIZE(stages)));
			assert_memory_equal(again.stages, x.stages,
					    x.n * sizeof(struct stage_result));
			assert_int_equal(again.end_ns, x.end_ns);
			stages_run_free(r2);
		}
		stages_run_free(r);
	}
	assert_true(ran > DRIVES / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_drive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

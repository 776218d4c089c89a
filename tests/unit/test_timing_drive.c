/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ftl/simulation.h"
#include "ftl/stages_run.h"
#include "lib/ftl_invariants.h"

/* What a drive in time does as a whole: it ages, rests, collects and caches. */

#define PAGE  4096u
#define PAGES (1u << 14)
#define MIB   ((uint64_t)1 << 20)

/* A small drive whose dies are the limit. */
static struct stages_config config_of(double spare, const char *policy)
{
	struct simulation_config c = {
		.device = { .logical_pages = PAGES, .pages_per_block = 64 },
		.page_bytes = PAGE,
		.spare = spare,
		.seed = 1,
		.engine = ENGINE_PAGES,
		.end = END_WRITES,
		.writes = 1,
	};
	struct stages_config s = { .seed = 1 };

	assert_int_equal(victim_parse(policy, &c.device.victim, NULL), 0);
	assert_int_equal(simulation_plan(&c, NULL), 0);
	s.drive.device = c.device;
	s.drive.page_bytes = PAGE;
	drive_model_default(CELL_TLC, &s.drive.model);
	s.drive.model.channels = 4;
	s.drive.model.dies = 8;
	s.drive.model.link_bytes_per_s = 4000000000;
	s.drive.model.host_command_ns = s.drive.model.controller_command_ns = 100;
	return s;
}

static struct stage stage_of(enum stage_kind kind, double drives)
{
	struct stage s = stage_default(kind);

	s.drive_ppm = (uint32_t)(drives * PPM);
	return s;
}

static struct stage stage_for(enum stage_kind kind, double seconds)
{
	struct stage s = stage_default(kind);

	s.drive_ppm = 0;
	s.duration_ns = (uint64_t)(seconds * 1e9);
	return s;
}

static struct stages_run *run(struct stages_config *s, const struct stage *stages, size_t n,
			      struct stages_result *ret)
{
	struct stages_run *r = NULL;
	struct diag d = { 0 };

	s->stages = stages;
	s->n = n;
	if (stages_run_new(s, NULL, &d, &r) < 0)
		fail_msg("%s", d.text);
	while (stages_run_step(r, 1 << 16) == 1)
		;
	stages_run_result(r, ret);
	assert_true(ret->done);
	assert_null(ftl_broken_invariant(timed_drive_device(stages_run_drive(r))));
	return r;
}

static double mb_per_s(const struct stage_result *s)
{
	return mb_per_second(s->written_bytes + s->read_bytes, s->end_ns - s->start_ns);
}

static double waf(const struct stage_result *s)
{
	return (double)s->programs / (double)s->pages;
}

static void assert_within(double got, double want, double share, const char *what)
{
	if (!(fabs(got - want) <= share * want))
		fail_msg("%s: %.6g is not within %g %% of %.6g", what, got, share * 100, want);
}

/* Die time of one page of the host's, when every other page programmed was moved. */
static double die_ns_a_page(const struct drive_model *m, const struct stage_result *s)
{
	const double unit = (double)m->program_bytes / PAGE, k = (double)m->flash_page_bytes / PAGE;
	const double channel = PAGE * 1e9 / (double)m->channel_bytes_per_s;
	const double program = (double)m->times.program_ns / unit, moved = waf(s) - 1;
	const double valid = moved / waf(s), b = 64;
	const double reads = (1 - pow(1 - valid, k)) / k / valid; /* of flash, a page moved */

	return program + channel +
	       moved * (program + 2 * channel + reads * (double)m->times.read_ns) +
	       waf(s) / b * (double)m->times.erase_ns * b * PAGE / m->erase_bytes;
}

/* Steady random writes: the dies' time is used up, and collection takes its share of it. */
static void dies_over_waf(void **state)
{
	static const double spares[] = { .07, .2 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spares); i++)
		for (unsigned at_once = 0; at_once < 2; at_once++) {
			struct stages_config c = config_of(spares[i], "greedy");
			struct stage stages[] = { stage_of(STAGE_WRITE, 8),
						  stage_of(STAGE_MEASURE, 4) };
			struct stages_result x;
			struct stages_run *r;

			c.drive.model.collects_at_once = at_once;
			r = run(&c, stages, 2, &x);
			assert_within(waf(&x.stages[1]), spares[i] < .1 ? 6.6 : 2.6, .05, "WAF");
			assert_within(mb_per_s(&x.stages[1]),
				      c.drive.model.dies * PAGE * 1e3 /
					      die_ns_a_page(&c.drive.model, &x.stages[1]),
				      .02, "MB/s");
			stages_run_free(r);
		}
}

/* The controller's time is a limit of its own. */
static void commands_limit(void **state)
{
	struct stages_config c = config_of(.2, "greedy");
	struct stage stages[] = { stage_of(STAGE_FILL, 1), stage_of(STAGE_READ, .5) };
	struct stages_result x;
	struct stages_run *r;

	(void)state;
	c.drive.model.controller_command_ns = 100000;
	r = run(&c, stages, 2, &x);
	assert_within(per_second(x.stages[1].reads, x.stages[1].end_ns - x.stages[1].start_ns),
		      10000, .01, "IOPS");
	stages_run_free(r);
}

static void reads_do_not_age(void **state)
{
	struct stages_config c = config_of(.1, "greedy");
	struct stage stages[] = { stage_of(STAGE_FILL, 1),  stage_for(STAGE_IDLE, 1),
				  stage_of(STAGE_READ, 1),  stage_of(STAGE_READ, 20),
				  stage_of(STAGE_READ, 1),  stage_of(STAGE_WRITE, 8),
				  stage_for(STAGE_IDLE, 1), stage_of(STAGE_READ, 1) };
	struct stages_result x;
	struct stages_run *r;

	(void)state;
	r = run(&c, stages, ARRAY_SIZE(stages), &x);
	assert_int_equal(x.stages[3].programs, 0);
	assert_int_equal(x.stages[3].device.erases, 0);
	assert_within(mb_per_s(&x.stages[4]), mb_per_s(&x.stages[2]), .02, "read, after reads");
	assert_within(mb_per_s(&x.stages[7]), mb_per_s(&x.stages[2]), .02, "read, used drive");
	stages_run_free(r);
}

/* Where moved pages have blocks of their own, once over the drive is enough. */
static void sequential_writing_restores(void **state)
{
	struct stages_config c = config_of(.1, "greedy");
	struct stage stages[] = { stage_of(STAGE_FILL, 1),  stage_of(STAGE_FILL, 1),
				  stage_of(STAGE_WRITE, 8), stage_of(STAGE_FILL, 1),
				  stage_of(STAGE_FILL, 2),  stage_of(STAGE_FILL, 1) };
	struct stages_result x;
	struct stages_run *r;

	(void)state;
	c.drive.device.separate_gc = true;
	r = run(&c, stages, ARRAY_SIZE(stages), &x);
	assert_within(waf(&x.stages[1]), 1, .001, "WAF of a clean drive");
	assert_true(mb_per_s(&x.stages[3]) < .6 * mb_per_s(&x.stages[1])); /* aged at first */
	assert_within(waf(&x.stages[5]), 1, .02, "WAF restored");
	assert_within(mb_per_s(&x.stages[5]), mb_per_s(&x.stages[1]), .05, "MB/s restored");
	stages_run_free(r);
}

/* Copying all the time costs write amplification and makes the curve flat. */
static void continuous_is_flat_and_dearer(void **state)
{
	struct stage stages[] = { stage_of(STAGE_FILL, 1), stage_of(STAGE_MEASURE, .2),
				  stage_of(STAGE_MEASURE, 8), stage_of(STAGE_MEASURE, 2) };
	double early[2], late[2], price[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct stages_config c = config_of(.2, "greedy");
		struct stages_result x;
		struct stages_run *r;

		c.drive.model.collection = i ? COLLECT_CONTINUOUS : COLLECT_ON_DEMAND;
		c.drive.model.continuous_ppm = 3 * PPM; /* 1.6 would do in the end */
		r = run(&c, stages, ARRAY_SIZE(stages), &x);
		early[i] = mb_per_s(&x.stages[1]);
		late[i] = mb_per_s(&x.stages[3]);
		price[i] = waf(&x.stages[3]);
		stages_run_free(r);
	}
	assert_true(late[0] < .8 * early[0]);
	assert_within(late[1], early[1], .05, "flat");
	assert_within(price[1], 4, .02, "one page and three copies");
	assert_true(price[0] < 2.8);
}

/* An aged drive that rests: it writes as fast as new for a while, if it collects in idle. */
static void idle_restores_who_collects(void **state)
{
	struct stage stages[] = { stage_of(STAGE_FILL, 1),    stage_of(STAGE_MEASURE, .1),
				  stage_of(STAGE_WRITE, 8),   stage_of(STAGE_MEASURE, .1),
				  stage_for(STAGE_IDLE, 900), stage_of(STAGE_MEASURE, .1) };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct stages_config c = config_of(.2, "greedy");
		struct stages_result x;
		struct stages_run *r;

		c.drive.model.collection = i ? COLLECT_IDLE : COLLECT_ON_DEMAND;
		r = run(&c, stages, ARRAY_SIZE(stages), &x);
		assert_true(mb_per_s(&x.stages[3]) < .7 * mb_per_s(&x.stages[1]));
		if (i) {
			assert_within(mb_per_s(&x.stages[5]), mb_per_s(&x.stages[1]), .1, "rested");
			assert_true(x.stages[4].device.programs[FTL_GC] > 0);
		} else {
			assert_within(mb_per_s(&x.stages[5]), mb_per_s(&x.stages[3]), .25, "not");
			assert_int_equal(x.stages[4].programs, 0);
		}
		stages_run_free(r);
	}
}

/* A window is dearer in pages and cheaper in the controller's time. */
static void a_window_saves_search(void **state)
{
	static const char *const policies[] = { "greedy", "windowed:8" };
	struct stage stages[] = { stage_of(STAGE_WRITE, 8), stage_of(STAGE_MEASURE, 4) };
	double pages[2], most[2];
	uint64_t searched[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct stages_config c = config_of(.1, policies[i]);
		struct stages_result x;
		struct stages_run *r;

		c.drive.model.search_ns = 100000;
		stages[0].queue_depth = stages[1].queue_depth = 1;
		r = run(&c, stages, 2, &x);
		pages[i] = waf(&x.stages[1]);
		most[i] = (double)x.stages[1].write_latency.most_ns;
		searched[i] = x.stages[1].totals.searched / x.stages[1].totals.collected;
		assert_true(most[i] > (double)searched[i] * 100000);
		stages_run_free(r);
	}
	assert_true(pages[1] > 1.02 * pages[0]);
	assert_int_equal(searched[1], 8);
	assert_in_range(searched[0], 270, 284);
	assert_true(most[1] < .6 * most[0]);
}

/* Fast while the cache has room, then slow: the cliff stands where the cache is full. */
static void the_cache_ends_in_a_cliff(void **state)
{
	(void)state;
	for (unsigned past = 0; past < 2; past++) {
		struct stages_config c = config_of(.2, "greedy");
		struct stage stages[] = { stage_of(STAGE_MEASURE, .24),
					  stage_of(STAGE_MEASURE, .25),
					  stage_of(STAGE_MEASURE, .4) };
		const struct drive_model *m = &c.drive.model;
		struct stages_result x;
		struct stages_run *r;

		for (size_t i = 0; i < ARRAY_SIZE(stages); i++)
			stages[i].workload.kind = WORKLOAD_SEQUENTIAL;
		c.drive.model.pslc.mode = PSLC_STATIC;
		c.drive.model.pslc.bytes = 16 * MIB; /* a quarter of the drive */
		c.drive.model.pslc.overflow = past ? PSLC_WRITE_PAST : PSLC_FOLD_FIRST;
		r = run(&c, stages, ARRAY_SIZE(stages), &x);
		/* eight dies and what a program of the cache takes, then what one of the main area
		 */
		assert_within(mb_per_s(&x.stages[0]),
			      8e3 * m->program_bytes / (double)(m->pslc.program_ns + 81920), .05,
			      "cache");
		if (past)
			assert_within(mb_per_s(&x.stages[2]),
				      8e3 * m->program_bytes /
					      (double)(m->times.program_ns + 81920),
				      .05, "past the cache");
		else
			assert_true(mb_per_s(&x.stages[2]) <
				    8e3 * m->program_bytes /
					    (double)(m->times.program_ns + m->pslc.program_ns));
		assert_int_equal(x.stages[0].cache.past, 0);
		assert_int_equal(x.stages[0].programs, x.stages[0].pages);
		stages_run_free(r);
	}
}

/* Pages that are written again while they are cached are not folded. */
static void only_what_is_left_is_folded(void **state)
{
	struct stages_config c = config_of(.2, "greedy");
	struct stage stages[] = { stage_of(STAGE_FILL, .1), stage_of(STAGE_FILL, .1),
				  stage_for(STAGE_IDLE, 60) };
	struct stages_result x;
	struct stages_run *r;
	uint32_t written = PAGES / 10;

	(void)state;
	c.drive.model.pslc.mode = PSLC_STATIC;
	c.drive.model.pslc.bytes = 16 * MIB;
	r = run(&c, stages, ARRAY_SIZE(stages), &x);
	assert_in_range(x.stages[2].cache.folded, written - 32, written + 32);
	assert_in_range(x.stages[1].cache.dropped, written - 32, written + 32);
	assert_int_equal(timed_drive_cache(stages_run_drive(r))->valid, 0);
	assert_int_equal(ftl_pages_in_use(timed_drive_device(stages_run_drive(r))),
			 x.stages[2].cache.folded);
	/* 21 of 64 pages fit a block of the cache */
	assert_in_range(x.stages[2].cache.erases, 2 * written / 21 - 3, 2 * written / 21 + 3);
	stages_run_free(r);
}

/* So much is folded in one idle period, or each time after a pause, and so much is kept. */
static void folding_in_idle(void **state)
{
	static const struct {
		uint64_t fold, pause_s, held;
		double idle_s;
		uint64_t left;
	} rows[] = {
		{ 2 * MIB, 0, 0, 900, 6 * MIB },   { 0, 0, 3 * MIB, 900, 3 * MIB },
		{ 2 * MIB, 100, 0, 250, 2 * MIB }, { 2 * MIB, 100, MIB, 900, MIB },
		{ 0, 0, 0, .5, 8 * MIB }, /* too short to begin */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stages_config c = config_of(.2, "greedy");
		struct stage stages[] = { stage_of(STAGE_FILL, .125),
					  stage_for(STAGE_IDLE, rows[i].idle_s) };
		struct stages_result x;
		struct stages_run *r;
		uint64_t left;

		c.drive.model.pslc.mode = PSLC_STATIC;
		c.drive.model.pslc.bytes = 16 * MIB;
		c.drive.model.pslc.fold_bytes = rows[i].fold;
		c.drive.model.pslc.fold_pause_ns = rows[i].pause_s * NS_PER_SECOND;
		c.drive.model.pslc.held_bytes = rows[i].held;
		r = run(&c, stages, 2, &x);
		left = (uint64_t)timed_drive_cache(stages_run_drive(r))->valid * PAGE;
		if (left + 3 * 84 * 1024 < rows[i].left || left > rows[i].left + 84 * 1024)
			fail_msg("row %zu: %llu bytes left, not about %llu", i,
				 (unsigned long long)left, (unsigned long long)rows[i].left);
		stages_run_free(r);
	}
}

/* A dynamic cache is as large as what is free: large on an empty drive, small on a full one. */
static void a_dynamic_cache_shrinks(void **state)
{
	struct stages_config c = config_of(.2, "greedy");
	struct stage stages[] = { stage_of(STAGE_WRITE, .2),  stage_for(STAGE_IDLE, 60),
				  stage_of(STAGE_FILL, 1),    stage_for(STAGE_IDLE, 60),
				  stage_of(STAGE_WRITE, 4),   stage_for(STAGE_IDLE, 600),
				  stage_of(STAGE_MEASURE, .3) };
	struct stages_result x;
	struct stages_run *r;

	(void)state;
	c.drive.model.pslc.mode = PSLC_DYNAMIC;
	c.drive.model.pslc.bytes = 32 * MIB;
	c.drive.model.pslc.overflow = PSLC_WRITE_PAST;
	c.drive.model.collection = COLLECT_IDLE;
	r = run(&c, stages, ARRAY_SIZE(stages), &x);
	assert_in_range(x.stages[0].cache.programs * 10, x.stages[0].pages * 7,
			x.stages[0].pages * 10);
	assert_true(x.stages[6].cache.programs > 0);
	assert_true(x.stages[6].cache.programs * 3 < x.stages[6].pages);
	assert_true(x.stages[6].cache.past > 0);
	stages_run_free(r);
}

/* What the host wrote is programmed or written over in the buffer: not a byte more or less. */
static int odd_request(void *state, struct request *ret)
{
	struct rng *random = state;

	*ret = (struct request){ .op = REQUEST_WRITE,
				 .offset = rng_below(random, PAGES / 4 * 8) * 512,
				 .bytes = (1 + rng_below(random, 40)) * 512 };
	return 1;
}

static void bytes_are_conserved(void **state)
{
	(void)state;
	for (unsigned held = 0; held < 2; held++) {
		struct stages_config c = config_of(.2, "greedy");
		struct rng random;
		struct request_source source = { odd_request, &random };
		struct stage stages[] = { stage_of(STAGE_MEASURE, 2), stage_for(STAGE_IDLE, 1) };
		const struct timed_totals *t;
		struct stages_result x;
		struct stages_run *r;

		rng_seed(&random, 1, 1);
		stages[0].source = &source;
		c.drive.model.coalesce_bytes = held * MIB;
		r = run(&c, stages, 2, &x);
		t = timed_drive_totals(stages_run_drive(r));
		assert_true(t->partial_pages > 1000 && t->modified_pages > 100);
		assert_int_equal(t->written_bytes, (t->pages - t->partial_pages) * PAGE +
							   t->partial_bytes + t->coalesced_bytes);
		assert_int_equal(t->coalesced_bytes > 0, held);
		assert_int_equal(
			t->pages,
			ftl_totals_of(timed_drive_device(stages_run_drive(r)))->host_writes);
		stages_run_free(r);
	}
}

/* Small writes one after the other are whole pages by the time they are programmed. */
static void a_buffer_makes_whole_pages(void **state)
{
	for (unsigned held = 0; held < 2; held++) {
		struct stages_config c = config_of(.2, "greedy");
		struct stage stage = stage_of(STAGE_MEASURE, .5);
		struct stages_result x;
		struct stages_run *r;

		(void)state;
		stage.request_bytes = 512;
		stage.workload.kind = WORKLOAD_SEQUENTIAL;
		c.drive.model.coalesce_bytes = held * MIB / 4;
		r = run(&c, &stage, 1, &x);
		assert_int_equal(x.stages[0].pages, held ? PAGES / 2 - 64 : PAGES / 2 * 8);
		assert_int_equal(x.stages[0].totals.partial_pages, held ? 0 : PAGES / 2 * 8);
		assert_int_equal(x.stages[0].totals.modified_pages, held ? 0 : PAGES / 2 * 7);
		stages_run_free(r);
	}
}

/* A controller that halves the data programs half as much. */
static void compression(void **state)
{
	struct stage fill = stage_of(STAGE_FILL, 1);
	double mb[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct stages_config c = config_of(.2, "greedy");
		struct stages_result x;
		struct stages_run *r;

		c.drive.model.flash_share_ppm = i ? PPM / 2 : PPM;
		r = run(&c, &fill, 1, &x);
		mb[i] = mb_per_s(&x.stages[0]);
		stages_run_free(r);
	}
	assert_within(mb[1], 2 * mb[0], .05, "half of the data");
}

/* One eighth of the drive in one eighth of the time is the same curve. */
static void a_part_stands_for_the_whole(void **state)
{
	double mb[2][3], free_waf[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct stages_config c = config_of(.1, "greedy");
		struct stage stages[] = { stage_for(STAGE_MEASURE, 4), stage_for(STAGE_IDLE, 20),
					  stage_for(STAGE_MEASURE, 4),
					  stage_for(STAGE_MEASURE, 20) };
		struct stages_result x;
		struct stages_run *r;

		c.drive.device.logical_pages *= 8;
		c.drive.device.blocks = (c.drive.device.blocks - 1) * 2 + 1;
		c.drive.device.pages_per_block *= 4;
		c.drive.model.pslc.mode = PSLC_STATIC;
		c.drive.model.pslc.bytes = 64 * MIB;
		c.drive.model.scale = i ? 4 : 1;
		assert_int_equal(stages_scale(&c.drive, NULL), 0);
		r = run(&c, stages, ARRAY_SIZE(stages), &x);
		mb[i][0] = mb_per_s(&x.stages[0]);
		mb[i][1] = mb_per_s(&x.stages[2]);
		mb[i][2] = mb_per_s(&x.stages[3]);
		free_waf[i] = waf(&x.stages[3]);
		assert_within((double)x.end_ns, 48e9, .01, "time");
		stages_run_free(r);
	}
	for (unsigned k = 0; k < 3; k++)
		assert_within(mb[1][k], mb[0][k], .05, "MB/s");
	assert_within(free_waf[1], free_waf[0], .05, "WAF");
}

/* A part of a drive keeps its spare and its pages a block, and a window its share of the blocks. */
static void a_part_is_like_the_whole(void **state)
{
	static const struct {
		unsigned scale;
		uint32_t b, data, part_b, part_data;
	} rows[] = {
		{ 10, 256, 40000, 256, 4000 }, { 100, 256, 40000, 128, 800 },
		{ 16, 4096, 500, 256, 500 },   { 64, 4096, 500, 128, 250 },
		{ 3, 64, 6000, 64, 2000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct stages_config c = config_of(.2, "windowed:400");
		struct ftl_config *f = &c.drive.device;
		uint32_t reserve = ftl_reserve_blocks(f);

		f->pages_per_block = rows[i].b;
		f->blocks = rows[i].data + reserve;
		f->logical_pages = (uint32_t)((uint64_t)rows[i].b * rows[i].data * 8 / 10);
		c.drive.model.scale = rows[i].scale;
		c.drive.model.search_ns = 100;
		assert_int_equal(stages_scale(&c.drive, NULL), 0);
		assert_int_equal(f->pages_per_block, rows[i].part_b);
		assert_int_equal(f->blocks - reserve, rows[i].part_data);
		assert_within(f->logical_pages, .8 * f->pages_per_block * (f->blocks - reserve),
			      .001, "spare");
		assert_within(f->logical_pages, .8 * rows[i].b * rows[i].data / rows[i].scale, .01,
			      "size");
		assert_within(f->victim.argument, 400. * (f->blocks - reserve) / rows[i].data, .02,
			      "window");
		assert_within((double)c.drive.model.search_ns * (f->blocks - reserve),
			      100. * rows[i].data, .02, "search");
	}
}

/* Parity and refresh take their time too. */
static void parity_and_refresh_cost(void **state)
{
	struct stages_config c = config_of(.2, "greedy");
	struct stage stages[] = { stage_of(STAGE_FILL, 1), stage_of(STAGE_READ, 4) };
	struct stages_result x, plain;
	struct stages_run *r = run(&c, stages, 2, &plain);
	const double fill = mb_per_s(&plain.stages[0]), read = mb_per_s(&plain.stages[1]);

	(void)state;
	stages_run_free(r);
	c.drive.device.stripe = 8;
	c.drive.device.read_limit = 100;
	r = run(&c, stages, 2, &x);
	assert_within(waf(&x.stages[0]), 9. / 8, .001, "parity");
	assert_within(mb_per_s(&x.stages[0]), fill * 8 / 9, .03, "MB/s with parity");
	assert_true(x.stages[1].device.programs[FTL_REFRESH] > 0);
	assert_true(mb_per_s(&x.stages[1]) < .98 * read);
	stages_run_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dies_over_waf),
		cmocka_unit_test(commands_limit),
		cmocka_unit_test(reads_do_not_age),
		cmocka_unit_test(sequential_writing_restores),
		cmocka_unit_test(continuous_is_flat_and_dearer),
		cmocka_unit_test(idle_restores_who_collects),
		cmocka_unit_test(a_window_saves_search),
		cmocka_unit_test(the_cache_ends_in_a_cliff),
		cmocka_unit_test(only_what_is_left_is_folded),
		cmocka_unit_test(folding_in_idle),
		cmocka_unit_test(a_dynamic_cache_shrinks),
		cmocka_unit_test(bytes_are_conserved),
		cmocka_unit_test(a_buffer_makes_whole_pages),
		cmocka_unit_test(compression),
		cmocka_unit_test(a_part_stands_for_the_whole),
		cmocka_unit_test(a_part_is_like_the_whole),
		cmocka_unit_test(parity_and_refresh_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ftl/simulation.h"
#include "ftl/stages_run.h"

#define PAGE 4096u

static struct stages_config config_of(uint32_t pages, double spare)
{
	struct simulation_config c = {
		.device = { .logical_pages = pages, .pages_per_block = 64 },
		.page_bytes = PAGE,
		.spare = spare,
		.seed = 1,
		.engine = ENGINE_PAGES,
		.end = END_WRITES,
		.writes = 1,
	};
	struct stages_config s = { .seed = 1 };

	assert_int_equal(simulation_plan(&c, NULL), 0);
	s.drive.device = c.device;
	s.drive.page_bytes = PAGE;
	drive_model_default(CELL_TLC, &s.drive.model);
	return s;
}

static struct stages_run *run(struct stages_config *s, const struct stage *stages, size_t n,
			      struct stages_result *ret)
{
	struct stages_run *r = NULL;

	s->stages = stages;
	s->n = n;
	assert_int_equal(stages_run_new(s, NULL, NULL, &r), 0);
	while (stages_run_step(r, 1 << 16) == 1)
		;
	stages_run_result(r, ret);
	return r;
}

static void assert_within(double got, double want, double share, const char *what)
{
	if (!(fabs(got - want) <= share * want))
		fail_msg("%s: %.6g is not within %g %% of %.6g", what, got, share * 100, want);
}

/* One request at a time without a buffer: a latency is the sum of its parts, to the nanosecond. */
static void one_request_at_a_time(void **state)
{
	struct stages_config c = config_of(1 << 14, .28);
	struct stage stages[] = { stage_default(STAGE_WRITE), stage_default(STAGE_READ) };
	const struct drive_model *m = &c.drive.model;
	struct stages_result x;
	struct stages_run *r;
	uint64_t link, channel;

	(void)state;
	c.drive.model.programs_queued = 0;
	stages[0].bytes = 1000 * PAGE;
	stages[0].workload.kind = WORKLOAD_SEQUENTIAL;
	stages[0].queue_depth = stages[1].queue_depth = 1;
	stages[1].bytes = 1000 * PAGE;
	stages[1].workload.kind = WORKLOAD_SEQUENTIAL;
	r = run(&c, stages, 2, &x);
	link = transfer_ns(PAGE, m->link_bytes_per_s);
	channel = transfer_ns(PAGE, m->channel_bytes_per_s);
	assert_int_equal(x.stages[0].write_latency.n, 1000);
	assert_int_equal(x.stages[0].write_latency.least_ns,
			 m->host_command_ns + m->controller_command_ns + link + channel +
				 m->times.program_ns);
	assert_int_equal(x.stages[0].write_latency.most_ns, x.stages[0].write_latency.least_ns);
	assert_int_equal(x.stages[1].read_latency.least_ns,
			 m->host_command_ns + m->controller_command_ns + m->times.read_ns +
				 channel + link);
	assert_int_equal(x.stages[0].end_ns, 1000 * x.stages[0].write_latency.mean_ns);
	stages_run_free(r);
}

/* Many dies: the link decides. One die: its programs do. */
static void known_limits(void **state)
{
	struct stages_config c = config_of(1 << 14, .28);
	struct stage fill = stage_default(STAGE_FILL);
	struct stages_result x;
	struct stages_run *r;

	(void)state;
	c.drive.model.dies = 512;
	r = run(&c, &fill, 1, &x);
	assert_within(mb_per_second(x.stages[0].written_bytes, x.stages[0].end_ns),
		      (double)c.drive.model.link_bytes_per_s / 1e6, .03, "link");
	stages_run_free(r);
	c.drive.model.dies = c.drive.model.channels = 1;
	r = run(&c, &fill, 1, &x);
	assert_within(mb_per_second(x.stages[0].written_bytes, x.stages[0].end_ns),
		      mb_per_second(c.drive.model.program_bytes,
				    c.drive.model.times.program_ns +
					    transfer_ns(c.drive.model.program_bytes,
							c.drive.model.channel_bytes_per_s)),
		      .03, "die");
	stages_run_free(r);
}

/* The device in time is the device without: the same writes give the same programs and erases. */
static void same_as_untimed(void **state)
{
	struct stages_config c = config_of(1 << 14, .1);
	struct stage write = stage_default(STAGE_WRITE);
	struct source source;
	struct ftl *f = NULL;
	struct stages_result x;
	struct stages_run *r;

	(void)state;
	write.drive_ppm = 10 * PPM;
	r = run(&c, &write, 1, &x);
	assert_int_equal(ftl_new(&c.drive.device, NULL, NULL, &f), 0);
	assert_int_equal(stage_requests_start(&write, (uint64_t)PAGE << 14, c.seed, &source, NULL),
			 0);
	for (uint32_t i = 0; i < 10 << 14; i++) {
		struct request q;
		uint32_t page;

		assert_int_equal(source_next(&source, &q), 1);
		page = (uint32_t)(q.offset / PAGE);
		assert_int_equal(ftl_write(f, &page, 1), 1);
	}
	assert_memory_equal(ftl_totals_of(f), &x.stages[0].device, sizeof(struct ftl_totals));
	assert_int_equal(x.stages[0].programs, x.stages[0].device.programs[FTL_HOST] +
						       x.stages[0].device.programs[FTL_GC]);
	ftl_free(f);
	stages_run_free(r);
}

static void percentiles(void **state)
{
	static struct latency l;

	(void)state;
	assert_int_equal(latency_percentile(&l, 500000), 0);
	for (uint64_t ns = 1; ns < 1000000000; ns = ns * 21 / 20 + 1) {
		unsigned bucket = latency_bucket(ns);

		assert_true(bucket < LATENCY_BUCKETS);
		memset(&l, 0, sizeof(l));
		latency_add(&l, 1);
		latency_add(&l, ns);
		latency_add(&l, 4 * ns);
		assert_within((double)latency_percentile(&l, 500000), (double)ns, .008, "median");
	}
	assert_true(latency_bucket(UINT64_MAX >> 1) < LATENCY_BUCKETS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_request_at_a_time),
		cmocka_unit_test(known_limits),
		cmocka_unit_test(same_as_untimed),
		cmocka_unit_test(percentiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

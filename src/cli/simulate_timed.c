/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "cli/simulate.h"
#include "ftl/stages_summary.h"
#include "report/simulation.h"
#include "sys/resources.h"

#define STEP_REQUESTS (1u << 18)

struct timed_job {
	struct stages_run *run;
	int err;
};

static bool step(void *state)
{
	struct timed_job *job = state;

	job->err = stages_run_step(job->run, STEP_REQUESTS);
	return job->err == 1;
}

static double progress(const void *state)
{
	return stages_run_progress(((const struct timed_job *)state)->run);
}

static int trace_failed(struct context *ctx, const struct simulation_config *c, int err)
{
	const struct diag *why = trace_file_failure(c->trace.state);

	return why->err ? diag_fail(&ctx->diag, err, "%s", why->text) : err;
}

static int run_and_show(struct context *ctx, const struct simulation_config *c,
			const struct simulate_input *in, const struct stages_config *s,
			const struct simulate_show *show)
{
	CLEANUP(stages_run_release) struct stages_run *run = NULL;
	struct simulation_report r = { .config = c, .trace = in->trace ? &in->told : NULL };
	struct simulation_result result;
	struct stages_result stages;
	struct timed_report timed = {
		.config = s,
		.result = &stages,
	};
	struct timed_job job = { 0 };
	struct sys sys;
	int err = sys_real(&sys, "");

	if (!err)
		err = simulate_check_memory(ctx, &sys, timed_drive_memory_bytes(&s->drive));
	if (!err)
		err = stages_run_new(s, &simulate_memory, &ctx->diag, &run);
	if (err == -EINVAL || err == -E2BIG)
		ctx->fail_code = EX_USAGE;
	if (err < 0)
		return err;
	job.run = run;
	simulate_report_start(ctx, &r);
	timed.columns = r.columns;
	timed.unicode = r.unicode;
	r.stopped = simulate_run(ctx, &sys, &(struct simulate_job){ step, progress, &job });
	if (job.err < 0 && c->trace.next)
		return trace_failed(ctx, c, job.err);
	if (job.err < 0)
		return job.err;
	stages_run_result(run, &stages);
	stages_summarise(run, &stages, &result);
	r.result = &result;
	r.timed = &timed;
	r.device = timed_drive_device(stages_run_drive(run));
	if (!r.stopped && stages.dead)
		r.stopped = "the drive came to its end of life";
	r.cpu_seconds = resources_cpu_seconds();
	return show->show(ctx, &r, show->arg);
}

/* A trace, a table and the like take the place of the workload in every stage that has it. */
static void set_source(const struct simulation_config *c, const struct request_source *source,
		       struct stages *stages)
{
	for (size_t i = 0; source->next && i < stages->n; i++) {
		struct stage *s = &stages->list[i];

		if ((s->kind == STAGE_WRITE || s->kind == STAGE_MEASURE) &&
		    s->workload.kind == c->workload.kind)
			s->source = source;
	}
}

int simulate_timed(struct context *ctx, const struct simulation_config *c,
		   struct simulate_input *in, const struct simulate_show *show)
{
	struct request_source source = { 0 };
	CLEANUP(stages_release) struct stages stages = { 0 };
	struct stages_config s = { .drive = { .device = c->device, .page_bytes = c->page_bytes },
				   .seed = c->seed };
	int r = simulate_model(ctx, c->page_bytes, &s.drive.model);

	if (!r && in->preset)
		preset_cache_times(in->preset, &s.drive.model);
	if (!r)
		r = simulate_stages(ctx, c, &stages);
	if (!r)
		r = simulate_requests(ctx, c, in, &source);
	if (r < 0)
		return r;
	if (source.next && ctx->options.scale.value > 1)
		return context_usage(ctx, "--scale: a trace, a table of accesses, trims and an "
					  "alignment are of the whole drive: leave it out");
	set_source(c, &source, &stages);
	r = stages_scale(&s.drive, &ctx->diag);
	if (r < 0) {
		ctx->fail_code = EX_USAGE;
		return r;
	}
	s.stages = stages.list;
	s.n = stages.n;
	return run_and_show(ctx, c, in, &s, show);
}

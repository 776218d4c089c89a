/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <langinfo.h>
#include <string.h>

#include "cli/answer.h"
#include "cli/simulate.h"
#include "ftl/stages_summary.h"
#include "report/simulation.h"
#include "sys/resources.h"

#define STEP_REQUESTS (1u << 18)
#define PLOT_COLUMNS  100 /* where the width of the terminal is not known */

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

static int print(struct context *ctx, const struct simulation_report *r)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_simulation(r, ctx->now);
	CLEANUP(doc_release) struct doc *rows = report_simulation_rows(r);

	report_simulation_view(r, &view);
	return answer_print(ctx, doc, doc_get(rows, "rows"), &view);
}

static int run_and_print(struct context *ctx, const struct simulation_config *c,
			 const struct stages_config *s)
{
	CLEANUP(stages_run_release) struct stages_run *run = NULL;
	struct simulation_report r = { .config = c };
	struct simulation_result result;
	struct stages_result stages;
	struct timed_report timed = {
		.config = s,
		.result = &stages,
		.columns = ctx->out.terminal.columns ? ctx->out.terminal.columns : PLOT_COLUMNS,
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
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
	r.stopped = simulate_run(ctx, &sys, &(struct simulate_job){ step, progress, &job });
	if (job.err < 0)
		return job.err;
	stages_run_result(run, &stages);
	stages_summarise(run, &stages, &result);
	r.result = &result;
	r.timed = &timed;
	if (!r.stopped && stages.dead)
		r.stopped = "the drive came to its end of life";
	r.cpu_seconds = resources_cpu_seconds();
	return print(ctx, &r);
}

int simulate_timed(struct context *ctx, const struct simulation_config *c)
{
	CLEANUP(stages_release) struct stages stages = { 0 };
	struct stages_config s = { .drive = { .device = c->device, .page_bytes = c->page_bytes },
				   .seed = c->seed };
	int r = simulate_model(ctx, c->page_bytes, &s.drive.model);

	if (!r)
		r = simulate_stages(ctx, c, &stages);
	if (r < 0)
		return r;
	r = stages_scale(&s.drive, &ctx->diag);
	if (r < 0) {
		ctx->fail_code = EX_USAGE;
		return r;
	}
	s.stages = stages.list;
	s.n = stages.n;
	return run_and_print(ctx, c, &s);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "cli/presets.h"
#include "cli/simulate.h"
#include "report/simulation.h"
#include "sys/resources.h"

#define STEP_WRITES (1u << 20)

static bool step(void *state)
{
	return simulation_step(state, STEP_WRITES);
}

static double progress(const void *state)
{
	return simulation_progress(state);
}

static int simulate(struct context *ctx, const struct simulation_config *c,
		    const struct simulate_input *in, const struct analytic_answer *analytic,
		    const struct simulate_show *show)
{
	struct simulation_report r = { .config = c,
				       .analytic = analytic,
				       .trace = in->trace ? &in->told : NULL };
	CLEANUP(simulation_release) struct simulation *s = NULL;
	struct simulation_result result;
	struct sys sys;
	int err;

	err = sys_real(&sys, "");
	if (!err)
		err = simulate_check_memory(ctx, &sys, ftl_memory_bytes(&c->device));
	if (!err)
		err = simulation_new(c, &simulate_memory, &ctx->diag, &s);
	if (err == -EINVAL || err == -E2BIG)
		ctx->fail_code = EX_USAGE;
	if (err < 0)
		return err;
	r.stopped = simulate_run(ctx, &sys, &(struct simulate_job){ step, progress, s });
	simulation_result_of(s, &result);
	if (result.failed)
		return diag_fail(&ctx->diag, result.failed, "%s",
				 trace_file_failure(c->trace.state)->text);
	r.result = &result;
	r.device = simulation_device(s);
	if (!r.stopped && !result.reached && c->end == END_PRECISION)
		r.stopped = "the precision asked for was not reached";
	if (!r.stopped && !result.reached && ftl_is_dead(simulation_device(s)))
		r.stopped = "the drive came to its end of life";
	r.cpu_seconds = resources_cpu_seconds();
	return show->show(ctx, &r, show->arg);
}

/* The model that applies. Of a drive in time, only the write cache has one. */
static int answer(struct context *ctx, const struct simulation_config *c,
		  struct analytic_answer *ret)
{
	struct diag *d = ctx->options.analytic ? &ctx->diag : NULL;
	const struct options *o = &ctx->options;
	struct drive_model model;
	int r;

	if (!simulate_is_timed(ctx))
		return analytic_answer(c, ret, d);
	if (o->phases || o->duration || o->interval)
		return context_usage(ctx, "--analytic knows a steady state and no time: leave out "
					  "--phases, --duration and --interval");
	r = simulate_model(ctx, c->page_bytes, &model);
	if (r < 0)
		return r;
	if (model.collection != COLLECT_ON_DEMAND)
		return diag_fail(d, -EOPNOTSUPP,
				 "no analytic model takes account of --gc %s: simulate it",
				 collection_text(model.collection));
	return analytic_answer_cached(c, &model.pslc, cell_bits(model.cell), ret, d);
}

int simulate_once(struct context *ctx, const struct simulate_show *show)
{
	CLEANUP(simulate_input_release) struct simulate_input input = { 0 };
	struct simulation_config config;
	struct analytic_answer analytic;
	int r = simulate_config(ctx, &input, &config);

	if (r < 0)
		return r;
	if (simulate_is_timed(ctx) && !ctx->options.analytic)
		return simulate_timed(ctx, &config, &input, show);
	r = answer(ctx, &config, &analytic);
	if (!ctx->options.analytic)
		return simulate(ctx, &config, &input, r < 0 ? NULL : &analytic, show);
	if (r < 0)
		return r;
	return show->show(ctx,
			  &(struct simulation_report){ .config = &config,
						       .analytic = &analytic,
						       .cpu_seconds = resources_cpu_seconds() },
			  show->arg);
}

int cmd_simulate(struct context *ctx)
{
	size_t nwords;

	context_words(ctx, &nwords);
	if (nwords)
		return context_usage(ctx,
				     "simulate takes no words: a drive is described by options");
	if (ctx->options.html &&
	    (ctx->options.format.set || ctx->options.summarise || ctx->options.sweep.n))
		return context_usage(ctx, "--html, --format, --summarise and --sweep exclude each "
					  "other");
	if (ctx->options.summarise)
		return simulate_summarise(ctx);
	if (ctx->options.preset && !strcmp(ctx->options.preset, "help"))
		return presets_print(ctx, NULL);
	if (ctx->options.sweep.n || ctx->options.replicates.value > 1)
		return simulate_sweep(ctx);
	return simulate_once(ctx, &(struct simulate_show){ simulate_print, NULL });
}

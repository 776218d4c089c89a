/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "cli/answer.h"
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

static int print(struct context *ctx, const struct simulation_report *r)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_simulation(r, ctx->now);
	CLEANUP(doc_release) struct doc *rows = report_simulation_rows(r);

	report_simulation_view(r, &view);
	return answer_print(ctx, doc, doc_get(rows, "rows"), &view);
}

static int simulate(struct context *ctx, const struct simulation_config *c,
		    const struct simulate_input *in, const struct analytic_answer *analytic)
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
	if (!r.stopped && !result.reached && c->end == END_PRECISION)
		r.stopped = "the precision asked for was not reached";
	if (!r.stopped && !result.reached && ftl_is_dead(simulation_device(s)))
		r.stopped = "the drive came to its end of life";
	r.cpu_seconds = resources_cpu_seconds();
	return print(ctx, &r);
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

static int use_preset(struct context *ctx, struct presets *presets, const struct preset **ret)
{
	char given[UNIT_TEXT_MAX], own[UNIT_TEXT_MAX];
	int r = presets_load(ctx, presets);

	if (!r)
		r = presets_find(ctx, presets, ctx->options.preset, ret);
	if (!r)
		presets_fill_options(*ret, &ctx->options, simulate_is_timed(ctx));
	if (!r && ctx->options.overprovision.set && ctx->options.overprovision.value <= 0)
		return context_usage(
			ctx, "--capacity: %s leave %s no spare flash; its own size is %s",
			format_bytes((u128)ctx->options.capacity.value, given), (*ret)->name,
			format_bytes((u128)preset_number(*ret, PRESET_USER), own));
	return r;
}

int cmd_simulate(struct context *ctx)
{
	CLEANUP(simulate_input_release) struct simulate_input input = { 0 };
	struct simulation_config config;
	CLEANUP(presets_release) struct presets presets = { 0 };
	const struct preset *preset = NULL;
	struct analytic_answer analytic;
	size_t nwords;
	int r;

	context_words(ctx, &nwords);
	if (nwords)
		return context_usage(ctx,
				     "simulate takes no words: a drive is described by options");
	if (ctx->options.summarise)
		return simulate_summarise(ctx);
	if (ctx->options.preset && !strcmp(ctx->options.preset, "help"))
		return presets_print(ctx, NULL);
	r = ctx->options.preset ? use_preset(ctx, &presets, &preset) : 0;
	if (!r)
		r = simulate_config(ctx, &input, &config);
	if (r < 0)
		return r;
	if (simulate_is_timed(ctx) && !ctx->options.analytic)
		return simulate_timed(ctx, &config, &input, preset);
	r = answer(ctx, &config, &analytic);
	if (!ctx->options.analytic)
		return simulate(ctx, &config, &input, r < 0 ? NULL : &analytic);
	if (r < 0)
		return r;
	return print(ctx, &(struct simulation_report){ .config = &config,
						       .analytic = &analytic,
						       .cpu_seconds = resources_cpu_seconds() });
}

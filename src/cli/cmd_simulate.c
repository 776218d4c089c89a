/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/answer.h"
#include "cli/progress.h"
#include "cli/simulate.h"
#include "report/simulation.h"
#include "sys/resources.h"

#define STEP_WRITES (1u << 20)

static const struct ftl_memory memory = { resources_get, resources_put, NULL };

/* The largest arrays must fit the memory, or the system would end some other program. */
static int check_memory(struct context *ctx, struct sys *sys, const struct simulation_config *c)
{
	uint64_t needed = ftl_memory_bytes(&c->device), available = resources_available(sys);
	char a[UNIT_TEXT_MAX], b[UNIT_TEXT_MAX];

	if (!available || needed <= available)
		return 0;
	return context_fail(
		ctx, EX_UNAVAILABLE, -ENOMEM,
		"the model of this drive takes %s of memory, and %s are free; the write "
		"amplification of a smaller one is the same",
		format_bytes(needed, a), format_bytes(available, b));
}

static bool signal_came(const struct sys_hold *hold)
{
	struct pollfd fd = { .fd = hold->fd, .events = POLLIN };
	char taken[SYS_SIGNAL_BYTES];

	/* taken, so that it does not end nandlife before the result is shown */
	return poll(&fd, 1, 0) > 0 && read(hold->fd, taken, sizeof(taken)) > 0;
}

static const char *run(struct context *ctx, struct sys *sys, struct simulation *s)
{
	const bool silent = ctx->options.no_progress || ctx->options.quiet;
	struct progress progress;
	struct sys_hold hold;
	const char *stopped = NULL;
	bool held = sys->ops->hold_signals(sys, &hold) >= 0;

	progress_start(&progress, STDERR_FILENO, silent, "simulating", sys_ms(sys));
	while (!stopped && simulation_step(s, STEP_WRITES)) {
		progress_share(&progress, simulation_progress(s), sys_ms(sys));
		if (held && signal_came(&hold))
			stopped = "stopped by a signal: this is what was known by then";
	}
	progress_end(&progress);
	if (held)
		sys->ops->let_signals(sys, &hold);
	return stopped;
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
		    const struct analytic_answer *analytic)
{
	struct simulation_report r = { .config = c, .analytic = analytic };
	CLEANUP(simulation_release) struct simulation *s = NULL;
	struct simulation_result result;
	struct sys sys;
	int err;

	err = sys_real(&sys, "");
	if (!err)
		err = check_memory(ctx, &sys, c);
	if (!err)
		err = simulation_new(c, &memory, &ctx->diag, &s);
	if (err == -EINVAL || err == -E2BIG)
		ctx->fail_code = EX_USAGE;
	if (err < 0)
		return err;
	r.stopped = run(ctx, &sys, s);
	simulation_result_of(s, &result);
	r.result = &result;
	if (!r.stopped && !result.reached && c->end == END_PRECISION)
		r.stopped = "the precision asked for was not reached";
	if (!r.stopped && !result.reached && ftl_is_dead(simulation_device(s)))
		r.stopped = "the drive came to its end of life";
	r.cpu_seconds = resources_cpu_seconds();
	return print(ctx, &r);
}

int cmd_simulate(struct context *ctx)
{
	struct simulation_config config;
	struct analytic_answer answer;
	size_t nwords;
	int r;

	context_words(ctx, &nwords);
	if (nwords)
		return context_usage(ctx,
				     "simulate takes no words: a drive is described by options");
	r = simulate_config(ctx, &config);
	if (r < 0)
		return r;
	r = analytic_answer(&config, &answer, ctx->options.analytic ? &ctx->diag : NULL);
	if (!ctx->options.analytic)
		return simulate(ctx, &config, r < 0 ? NULL : &answer);
	if (r < 0)
		return r;
	return print(ctx, &(struct simulation_report){ .config = &config,
						       .analytic = &answer,
						       .cpu_seconds = resources_cpu_seconds() });
}

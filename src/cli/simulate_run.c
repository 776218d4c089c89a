/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/progress.h"
#include "cli/simulate.h"
#include "sys/resources.h"

const struct ftl_memory simulate_memory = { resources_get, resources_put, NULL };

int simulate_check_memory(struct context *ctx, struct sys *sys, uint64_t needed)
{
	uint64_t available = resources_available(sys);
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

const char *simulate_run(struct context *ctx, struct sys *sys, const struct simulate_job *job)
{
	const bool silent = ctx->options.no_progress || ctx->options.quiet;
	struct progress progress;
	struct sys_hold hold;
	const char *stopped = NULL;
	bool held = sys->ops->hold_signals(sys, &hold) >= 0;

	progress_start(&progress, STDERR_FILENO, silent, "simulating", sys_ms(sys));
	while (!stopped && job->step(job->state)) {
		progress_share(&progress, job->progress(job->state), sys_ms(sys));
		if (held && signal_came(&hold))
			stopped = "stopped by a signal: this is what was known by then";
	}
	progress_end(&progress);
	if (held)
		sys->ops->let_signals(sys, &hold);
	return stopped;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <unistd.h>

#include "cli/answer.h"
#include "cli/progress.h"
#include "cli/simulate.h"
#include "report/accesses.h"
#include "sys/sys.h"

#define REQUESTS_A_STEP 65536 /* between two looks at the clock */

static int count(struct context *ctx, struct trace_file *f, struct access_counter *counter)
{
	const bool silent = ctx->options.no_progress || ctx->options.quiet;
	struct progress progress;
	uint64_t steps = 0;
	struct request r;
	struct sys sys;
	int got = sys_real(&sys, "");

	if (got < 0)
		return got;
	progress_start_long(&progress, STDERR_FILENO, silent, "reading the trace", sys_ms(&sys));
	progress.bytes = true;
	while ((got = trace_file_next(f, &r, &ctx->diag)) == 1) {
		access_count(counter, &r);
		if (++steps % REQUESTS_A_STEP == 0)
			progress_step(&progress, trace_file_taken(f), trace_file_size(f),
				      sys_ms(&sys));
	}
	progress_end(&progress);
	return simulate_trace_failed(ctx, got);
}

static int print(struct context *ctx, const struct accesses_report *r)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_accesses(r, ctx->now);

	report_accesses_view(r, &view);
	return answer_print(ctx, doc, doc_get(doc, "accesses"), &view);
}

int simulate_summarise(struct context *ctx)
{
	const char *path = ctx->options.summarise;
	CLEANUP(cleanup_free) struct access_counter *counter = calloc(1, sizeof(*counter));
	CLEANUP(access_table_release) struct access_table table = { 0 };
	CLEANUP(trace_file_release) struct trace_file *f = NULL;
	struct trace_options options;
	int r = counter ? simulate_trace_options(ctx, &options) : -ENOMEM;

	if (!r)
		r = trace_file_new(path, &options, &ctx->diag, &f);
	if (!r)
		r = count(ctx, f, counter);
	if (r < 0)
		return r;
	simulate_trace_remarks(ctx, trace_file_trace(f));
	if (!trace_file_trace(f)->counts.requests)
		return simulate_trace_is_empty(ctx, path, &trace_file_trace(f)->counts);
	r = access_counted(counter, &table);
	if (r < 0)
		return r;
	return print(ctx, &(struct accesses_report){ .file = path,
						     .trace = trace_file_trace(f),
						     .counter = counter,
						     .table = &table });
}

/* SPDX-License-Identifier: MIT */
#include "cli/simulate_workload.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "cli/simulate.h"
#include "sys/sys.h"

#define REQUESTS_A_STEP 65536 /* between two looks at the clock */
#define TOUCHED_MOST	4     /* times a drive: so many pages of a trace are counted */

void simulate_input_release(struct simulate_input *in)
{
	presets_release(&in->presets);
	access_table_release(&in->table);
	trace_file_free(in->trace);
	in->trace = NULL;
}

/* --- tables and shares -------------------------------------------------------------------------
 */

static int read_table(struct context *ctx, const char *path, struct simulate_input *in)
{
	CLEANUP(file_release) struct file file = { 0 };
	int r = file_read(path, &ctx->diag, &file);

	ctx->fail_code = 0;
	if (r < 0)
		return r;
	r = access_table_parse(file_bytes(&file), path, &in->table, &ctx->diag);
	if (r == -EINVAL)
		ctx->fail_code = EX_DATAERR;
	return r;
}

static int set_bytes(struct context *ctx, const char *option, const struct option_number *n,
		     uint64_t most, uint32_t *ret)
{
	if (n->set && n->value > (double)most)
		return context_usage(ctx, "%s: at most %llu bytes are possible", option,
				     (unsigned long long)most);
	*ret = n->set ? (uint32_t)n->value : 0;
	return 0;
}

int simulate_mix(struct context *ctx, struct simulation_config *c, struct simulate_input *in)
{
	static const char *const partials[] = { "modify", "coalesce" };
	const struct options *o = &ctx->options;
	const enum workload_kind kind = c->workload.kind;
	struct request_mix *m = &c->mix;
	unsigned partial = 0;
	int r = set_bytes(ctx, "--request-size", &o->request_size, STAGE_BYTES_MAX, &m->bytes);

	if (!r)
		r = simulate_name(ctx, "--partial", o->partial, partials, ARRAY_SIZE(partials),
				  &partial);
	c->coalesce = partial == 1;
	if (!r)
		r = set_bytes(ctx, "--align", &o->align, 1u << 30, &m->align);
	if (r < 0)
		return r;
	m->start = o->partition_start.set ? (uint64_t)o->partition_start.value : 0;
	m->reads = o->reads.value;
	m->trims = o->trims.value;
	c->fill = o->fill.set ? o->fill.value : 1;
	if (c->fill > 1)
		return context_usage(ctx, "--fill: %.4g %% of a drive; 100 %% is possible",
				     c->fill * 100);
	if (kind == WORKLOAD_TRACE &&
	    (m->bytes || m->align || m->start || o->reads.set || o->trims.set))
		return context_usage(ctx,
				     "a trace says itself what is asked: leave --request-size, "
				     "--align, --partition-start, --reads and --trims out");
	if (kind == WORKLOAD_SIZES && (m->bytes || m->align || o->reads.set || o->trims.set))
		return context_usage(ctx, "the table of accesses says what is asked: leave "
					  "--request-size, --align, --reads and --trims out");
	if (kind == WORKLOAD_JESD219 && m->bytes)
		return context_usage(ctx, "jesd219 has sizes of its own: leave --request-size out");
	if (kind == WORKLOAD_SIZES)
		r = read_table(ctx, c->workload.file, in);
	m->table = in->table;
	return r;
}

/* --- traces ------------------------------------------------------------------------------------
 */

int simulate_trace_failed(struct context *ctx, int r)
{
	if (r == -EXDEV)
		ctx->fail_code = EX_DATAERR;
	return r;
}

void simulate_trace_remarks(const struct context *ctx, const struct trace *t)
{
	const struct trace_counts *c = &t->counts;
	char n[UNIT_TEXT_MAX];

	if (c->bad)
		context_remark(ctx, "%s bad line%s left out, the first: %s",
			       format_grouped((i128)c->bad, n), c->bad == 1 ? "" : "s",
			       t->first_bad.text);
	if (c->backwards && ctx->options.verbose)
		context_remark(ctx,
			       "%s: %s requests are older than one before them and come at once",
			       t->name, format_grouped((i128)c->backwards, n));
}

int simulate_trace_options(struct context *ctx, struct trace_options *ret)
{
	const struct options *o = &ctx->options;
	struct trace_options t = { .skip_bad = o->skip_bad, .device = o->trace_device };
	int r = trace_format_parse(o->trace_format, &t.format, &ctx->diag);

	if (r == -EINVAL)
		ctx->fail_code = EX_USAGE;
	if (!r)
		*ret = t;
	return r;
}

/* All requests once: how far they reach, and the numbers of the pages of a compact map. */
static int look_through(struct context *ctx, struct simulate_input *in, struct progress *progress,
			struct sys *sys, bool *ret_fits)
{
	struct trace_survey *s = &in->survey;
	struct trace_file *f = in->trace;
	uint64_t steps = 0;
	struct request r;
	int got;

	*ret_fits = true;
	while ((got = trace_file_next(f, &r, &ctx->diag)) == 1) {
		s->writes += r.op == REQUEST_WRITE;
		if (r.offset + r.bytes > s->extent)
			s->extent = r.offset + r.bytes;
		if (in->mapping == TRACE_MAP_COMPACT && *ret_fits) {
			int err = trace_file_touch(f, &r);

			*ret_fits = err != -ENOSPC;
			if (err < 0 && *ret_fits)
				return err;
		}
		if (++steps % REQUESTS_A_STEP == 0)
			progress_step(progress, trace_file_taken(f), trace_file_size(f),
				      sys_ms(sys));
	}
	s->format = trace_file_trace(f)->format;
	s->counts = trace_file_trace(f)->counts;
	in->touched = trace_file_touched(f);
	memcpy(s->device, trace_file_trace(f)->device, sizeof(s->device));
	return simulate_trace_failed(ctx, got);
}

static int survey(struct context *ctx, struct simulate_input *in, bool *ret_fits)
{
	const bool silent = ctx->options.no_progress || ctx->options.quiet;
	struct progress progress;
	struct sys sys;
	int r = sys_real(&sys, "");

	if (r < 0)
		return r;
	progress_start_long(&progress, STDERR_FILENO, silent, "reading the trace", sys_ms(&sys));
	progress.bytes = true;
	r = look_through(ctx, in, &progress, &sys, ret_fits);
	progress_end(&progress);
	return r;
}

int simulate_trace_is_empty(struct context *ctx, const char *name, const struct trace_counts *n)
{
	return context_fail(ctx, EX_DATAERR, -EINVAL, "%s: no requests%s%s in it%s", name,
			    n->elsewhere ? " of the device " : "",
			    n->elsewhere ? ctx->options.trace_device : "",
			    n->bad ? " but bad lines" : "");
}

static int check_fits(struct context *ctx, const struct simulation_config *c,
		      const struct simulate_input *in, bool counted)
{
	const uint64_t size = c->page_bytes, capacity = c->device.logical_pages * size;
	const struct trace_survey *s = &in->survey;
	const uint64_t extent = s->extent / size * size + (s->extent % size ? size : 0);
	const char *name = c->workload.file;
	char pages[UNIT_TEXT_MAX], have[UNIT_TEXT_MAX];

	if (!s->counts.requests)
		return simulate_trace_is_empty(ctx, name, &s->counts);
	if (!s->writes)
		return context_fail(
			ctx, EX_DATAERR, -EINVAL,
			"%s: no writes in it, so nothing to simulate; --summarise shows "
			"what it asks",
			name);
	if (in->mapping == TRACE_MAP_NONE && s->extent > capacity)
		return context_usage(ctx,
				     "%s: the trace reaches to byte %llu, and the drive has %llu: "
				     "--capacity %llu at least, or --trace-map compact or fold",
				     name, (unsigned long long)s->extent,
				     (unsigned long long)capacity, (unsigned long long)extent);
	if (in->mapping == TRACE_MAP_COMPACT && in->touched > c->device.logical_pages)
		return context_usage(
			ctx,
			"%s: the trace touches %s%s pages of %u bytes, and the drive has "
			"%s: --logical-pages %u at least, or --trace-map fold",
			name, counted ? "" : "more than ", format_grouped((i128)in->touched, pages),
			c->page_bytes, format_grouped((i128)c->device.logical_pages, have),
			in->touched);
	return 0;
}

int simulate_trace(struct context *ctx, struct simulation_config *c, struct simulate_input *in)
{
	static const char *const mappings[] = {
#define X(e, word) word,
		TRACE_MAPPINGS(X)
#undef X
	};
	const uint64_t capacity = (uint64_t)c->device.logical_pages * c->page_bytes;
	const uint64_t most = (uint64_t)c->device.logical_pages * TOUCHED_MOST;
	struct trace_options options = { 0 };
	unsigned mapping = 0;
	bool fits = true;
	int r;

	if (c->workload.kind != WORKLOAD_TRACE)
		return 0;
	r = simulate_name(ctx, "--trace-map", ctx->options.trace_map, mappings,
			  ARRAY_SIZE(mappings), &mapping);
	if (!r)
		r = simulate_trace_options(ctx, &options);
	if (!r)
		r = trace_file_new(c->workload.file, &options, &ctx->diag, &in->trace);
	if (r < 0)
		return r;
	if (!trace_file_rewinds(in->trace))
		return context_usage(ctx,
				     "trace:%s can be read once only, and a simulation reads a "
				     "trace again and again: name a plain file",
				     c->workload.file);
	in->mapping = (enum trace_mapping)mapping;
	trace_file_map(in->trace, in->mapping, capacity, c->page_bytes,
		       most < UINT32_MAX ? (uint32_t)most : UINT32_MAX - 1);
	r = survey(ctx, in, &fits);
	if (!r)
		r = check_fits(ctx, c, in, fits);
	if (r < 0)
		return r;
	simulate_trace_remarks(ctx, trace_file_trace(in->trace));
	in->told = (struct simulation_trace){
		.format = in->survey.format,
		.counts = in->survey.counts,
		.device = options.device ? options.device : in->survey.device,
		.map = mappings[mapping],
		.extent = in->survey.extent,
		.has_touched = in->mapping == TRACE_MAP_COMPACT,
		.touched = in->touched,
	};
	c->trace = (struct request_source){ trace_file_repeat, in->trace };
	return trace_file_rewind(in->trace, &ctx->diag);
}

int simulate_requests(struct context *ctx, const struct simulation_config *c,
		      struct simulate_input *in, struct request_source *ret)
{
	const struct request_mix *m = &c->mix;
	struct request_mix mix = *m;
	int r;

	*ret = c->trace;
	if (c->workload.kind == WORKLOAD_TRACE || !c->by_requests ||
	    (c->workload.kind != WORKLOAD_SIZES && c->workload.kind != WORKLOAD_JESD219 &&
	     !m->start && !m->align && m->trims <= 0))
		return 0;
	mix.bytes = (uint32_t)ctx->options.request_size.value;
	r = source_start(&in->source, &c->workload, &mix,
			 (uint64_t)c->device.logical_pages * c->page_bytes, c->seed, &ctx->diag);
	if (r < 0)
		ctx->fail_code = EX_USAGE;
	*ret = (struct request_source){ source_next, &in->source };
	return r;
}

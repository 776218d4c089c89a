/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/simulate.h"
#include "sys/sys.h"

#define PHASES_MAX	(1u << 20) /* bytes of a file of phases */
#define MEASURED_DRIVES 5	   /* sizes of the drive that are written where nothing says */
#define CONTINUOUS_MOST 100	   /* pages copied a page written */

bool simulate_is_timed(const struct context *ctx)
{
	return options_given(&ctx->options, GROUP_TIMING);
}

static uint64_t ns(const struct option_number *us)
{
	return (uint64_t)llrint(us->value * 1000);
}

static void set_times(const struct options *o, struct drive_model *m)
{
	const struct cell_times cells = m->times;

	m->times.read_ns = o->read_time.set ? ns(&o->read_time) : cells.read_ns;
	m->times.program_ns = o->program_time.set ? ns(&o->program_time) : cells.program_ns;
	m->times.erase_ns = o->erase_time.set ? ns(&o->erase_time) : cells.erase_ns;
	m->host_command_ns = ns(&o->host_time);
	m->controller_command_ns = ns(&o->command_time);
	m->search_ns = (uint64_t)o->search_time.value;
	m->channel_bytes_per_s = (uint64_t)o->channel_speed.value;
	m->link_bytes_per_s = (uint64_t)o->link_speed.value;
}

/* Sizes within 4 GiB, which the model counts in 32 bits. */
static int set_sizes(struct context *ctx, struct drive_model *m)
{
	const struct options *o = &ctx->options;
	const struct {
		const char *name;
		const struct option_number *value;
		uint32_t *ret;
	} sizes[] = {
		{ "--flash-page", &o->flash_page, &m->flash_page_bytes },
		{ "--program-size", &o->program_size, &m->program_bytes },
		{ "--erase-size", &o->erase_size, &m->erase_bytes },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (sizes[i].value->value > UINT32_MAX)
			return context_usage(ctx, "%s: less than 4 GiB are possible",
					     sizes[i].name);
		*sizes[i].ret = (uint32_t)sizes[i].value->value;
	}
	m->channels = (unsigned)o->channels.value;
	m->dies = (unsigned)o->dies.value;
	m->programs_queued = (unsigned)o->write_queue.value;
	m->coalesce_bytes = (uint64_t)o->coalesce.value;
	m->flash_share_ppm = (uint32_t)lrint(o->compressed.value * PPM);
	m->scale = (unsigned)o->scale.value;
	return 0;
}

static int set_collection(struct context *ctx, struct drive_model *m)
{
	static const char *const names[] = {
#define X(e, name) name,
		COLLECTIONS(X)
#undef X
	};
	const char *text = ctx->options.gc, *colon = strchr(text, ':');
	char name[16];
	unsigned i = 0;
	double k = 0;
	int r;

	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
	r = simulate_name(ctx, "--gc", name, names, ARRAY_SIZE(names), &i);
	if (r < 0)
		return r;
	m->collection = (enum collection)i;
	m->collects_at_once = ctx->options.gc_at_once;
	if (colon && (i != COLLECT_CONTINUOUS || parse_decimal(colon + 1, &k) < 0 || k <= 0 ||
		      k > CONTINUOUS_MOST))
		return context_usage(ctx, "--gc %s: continuous:K needs a number of pages up to %d",
				     text, CONTINUOUS_MOST);
	if (!colon && i == COLLECT_CONTINUOUS)
		return context_usage(ctx, "--gc continuous: how many pages a page written? "
					  "continuous:4 copies four");
	m->continuous_ppm = (uint32_t)lrint(k * PPM);
	return 0;
}

static int set_cache(struct context *ctx, struct drive_model *m)
{
	static const char *const modes[] = { "static", "dynamic" };
	static const char *const overflows[] = {
#define X(e, name) name,
		PSLC_OVERFLOWS(X)
#undef X
	};
	const struct options *o = &ctx->options;
	unsigned mode = 0, overflow = 0;
	int r;

	r = simulate_name(ctx, "--cache-mode", o->cache_mode, modes, ARRAY_SIZE(modes), &mode);
	if (!r)
		r = simulate_name(ctx, "--cache-overflow", o->cache_overflow, overflows,
				  ARRAY_SIZE(overflows), &overflow);
	if (r < 0)
		return r;
	if (!o->cache.set)
		return 0;
	m->pslc.mode = mode ? PSLC_DYNAMIC : PSLC_STATIC;
	m->pslc.overflow = (enum pslc_overflow)overflow;
	m->pslc.bytes = (uint64_t)o->cache.value;
	m->pslc.fold_bytes = (uint64_t)o->cache_fold.value;
	m->pslc.held_bytes = (uint64_t)o->cache_hold.value;
	m->pslc.program_bytes = m->program_bytes;
	return 0;
}

int simulate_model(struct context *ctx, uint32_t page_bytes, struct drive_model *ret)
{
	enum cell_type cell;
	int r = cell_parse(ctx->options.cell, &cell, &ctx->diag);

	ctx->fail_code = EX_USAGE;
	if (r < 0)
		return r;
	drive_model_default(cell, ret);
	set_times(&ctx->options, ret);
	r = set_sizes(ctx, ret);
	if (!r)
		r = set_collection(ctx, ret);
	if (!r)
		r = set_cache(ctx, ret);
	if (!r)
		r = drive_model_check(ret, page_bytes, &ctx->diag);
	if (!r)
		ctx->fail_code = 0;
	return r;
}

static int set_stage(struct context *ctx, const struct simulation_config *c, struct stage *s)
{
	const struct options *o = &ctx->options;

	s->workload = c->workload;
	s->queue_depth = (unsigned)o->queue_depth.value;
	s->read_ppm = (uint32_t)lrint(o->reads.value * PPM);
	if (o->request_size.value < 512 || o->request_size.value > STAGE_BYTES_MAX)
		return context_usage(ctx, "--request-size: 512 bytes to 64 MiB are possible");
	s->request_bytes = (uint32_t)o->request_size.value;
	if (o->interval && stage_duration_parse(o->interval, &s->interval_ns) < 0)
		return context_usage(ctx, "--interval %s: a time is needed (1s, 1min)",
				     o->interval);
	return 0;
}

static int read_phases(struct context *ctx, const struct stage *base, struct stages *ret)
{
	CLEANUP(cleanup_free) char *text = NULL;
	const char *path = ctx->options.phases;
	struct sys sys;
	size_t n;
	int r = sys_real(&sys, "");

	if (!r)
		r = sys_read_file(&sys, path, PHASES_MAX, &text, &n);
	if (r == -ENOMEM)
		return r;
	if (r < 0)
		return context_fail(ctx, EX_NOINPUT, r, "%s: %s", path, strerror(-r));
	if (!text || strlen(text) != n)
		return context_fail(ctx, EX_DATAERR, -EINVAL, "%s: this is no text", path);
	r = stages_parse(text, path, base, ret, &ctx->diag);
	ctx->fail_code = r == -EINVAL ? EX_DATAERR : 0;
	return r;
}

/* Without phases: from new, written by the workload until it is steady. */
static int default_stages(struct context *ctx, const struct simulation_config *c,
			  struct stage *measure, struct stages *ret)
{
	const struct options *o = &ctx->options;
	struct stage before = *measure;
	int r = 0;

	if (o->writes.set)
		measure->bytes = (uint64_t)o->writes.value * c->page_bytes;
	if (o->duration && stage_duration_parse(o->duration, &measure->duration_ns) < 0)
		return context_usage(ctx, "--duration %s: a time is needed (90s, 15min, 10h)",
				     o->duration);
	if (!o->writes.set && !o->duration)
		measure->drive_ppm = MEASURED_DRIVES * PPM;
	before.kind = STAGE_WRITE;
	before.read_ppm = 0;
	before.bytes = (uint64_t)o->warmup.value * c->page_bytes;
	if (o->warmup.set && before.bytes)
		r = stages_add(ret, &before);
	return r ? r : stages_add(ret, measure);
}

int simulate_stages(struct context *ctx, const struct simulation_config *c, struct stages *ret)
{
	const struct options *o = &ctx->options;
	struct stage s = stage_default(STAGE_MEASURE);
	int r = set_stage(ctx, c, &s);

	if (r < 0)
		return r;
	if (o->precision.set || o->until_death || o->trim_probability.value > 0 || o->analytic ||
	    o->refresh_age.value > 0 || o->reads_per_write.value > 0)
		return context_usage(ctx, "--precision, --until-death, --trim-probability, "
					  "--refresh-age, --reads-per-write and --analytic are of "
					  "a model without time: leave the options of the drive in "
					  "time out");
	if (!o->phases)
		return default_stages(ctx, c, &s, ret);
	if (o->duration || o->writes.set || o->warmup.set)
		return context_usage(ctx, "--phases says how long each stage takes: leave "
					  "--duration, --writes and --warmup out");
	return read_phases(ctx, &s, ret);
}

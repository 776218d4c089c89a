/* SPDX-License-Identifier: MIT */
#include "ftl/stages_summary.h"

static bool measured(const struct stage_result *s)
{
	return s->kind == STAGE_MEASURE && s->pages;
}

static void add_requests(struct request_totals *r, const struct timed_totals *t)
{
	r->reads += t->reads;
	r->writes += t->writes;
	r->trims += t->trims;
	r->read_bytes += t->read_bytes;
	r->written_bytes += t->written_bytes;
	r->trimmed_bytes += t->trimmed_bytes;
	r->partial_pages += t->partial_pages;
	r->modified_pages += t->modified_pages;
	r->coalesced_pages += t->coalesced_pages;
}

static void add(struct simulation_result *r, const struct stage_result *s)
{
	struct ftl_totals *t = &r->measured;

	for (unsigned i = 0; i < FTL_CAUSES; i++) {
		t->programs[i] += s->device.programs[i];
		t->victims[i] += s->device.victims[i];
	}
	t->programs[FTL_HOST] += s->cache.programs - s->cache.folded;
	t->host_writes += s->totals.pages;
	t->trims += s->device.trims;
	t->erases += s->device.erases;
	r->folded += s->cache.folded;
	r->host_bytes += (double)s->totals.written_bytes;
	add_requests(&r->requests, &s->totals);
}

/* Of a part of the drive: what the whole does. Programs are flash pages, after compression. */
static void scale(struct simulation_result *r, uint64_t n, uint64_t share)
{
	struct ftl_totals *t = &r->measured;

	for (unsigned i = 0; i < FTL_CAUSES; i++) {
		t->programs[i] = t->programs[i] * n * share / PPM;
		t->victims[i] *= n;
	}
	t->host_writes *= n;
	t->trims *= n;
	t->erases *= n;
	r->folded = r->folded * n * share / PPM;
	r->warmup *= n;
	r->requests = (struct request_totals){
		.reads = r->requests.reads * n,
		.writes = r->requests.writes * n,
		.trims = r->requests.trims * n,
		.read_bytes = r->requests.read_bytes * n,
		.written_bytes = r->requests.written_bytes * n,
		.trimmed_bytes = r->requests.trimmed_bytes * n,
		.partial_pages = r->requests.partial_pages * n,
		.modified_pages = r->requests.modified_pages * n,
		.coalesced_pages = r->requests.coalesced_pages * n,
	};
	r->host_bytes *= (double)n;
	r->host_bytes_total *= (double)n;
}

void stages_summarise(const struct stages_run *run, const struct stages_result *x,
		      struct simulation_result *ret)
{
	const struct ftl *f = timed_drive_device(stages_run_drive(run));
	struct simulation_result r = {
		.phase = x->done ? PHASE_DONE : PHASE_MEASURE,
		.reached = x->done,
		.total = *ftl_totals_of(f),
		.wear = ftl_wear_of(f),
		.retired_blocks = ftl_retired_blocks(f),
		.free_blocks = ftl_free_blocks(f),
		.in_use = (double)ftl_pages_in_use(f) / ftl_config_of(f)->logical_pages,
	};
	const uint64_t share = timed_drive_timing(stages_run_drive(run))->model.flash_share_ppm;
	bool any = false;
	uint64_t programs = 0;

	for (size_t i = 0; i < x->n; i++)
		any = any || measured(&x->stages[i]);
	for (size_t i = 0; i < x->n; i++) {
		const struct stage_result *s = &x->stages[i];

		r.host_bytes_total += (double)s->totals.written_bytes;
		if (!any || measured(s))
			add(&r, s);
		else if (!r.measured.host_writes)
			r.warmup += s->totals.pages;
	}
	scale(&r, x->scale, share);
	for (unsigned i = 0; i < FTL_CAUSES; i++)
		programs += r.measured.programs[i];
	if (r.measured.host_writes)
		r.waf.mean = (double)(programs + r.folded) / (double)r.measured.host_writes;
	*ret = r;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/simulation.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "ftl/extents.h"

#define CHUNK 64 /* pages that are written in one go */

/* Wearing in, in times that the device is filled. */
#define STEADY_LEAST 4 /* so much at least */
#define STEADY_MOST \
	1024 /* a workload with pages that are hardly ever written may never be steady */
#define STEADY_DRIFT 0.001

/* Of a run that ends by precision: the more often one looks, the more often one stops by luck. */
#define LOOK_BATCHES 16

#define MEASURE_MOST 4096 /* ... and so much for the precision asked */

struct simulation {
	struct simulation_config config;
	struct ftl *device;
	struct writer writer;
	struct rng trims;
	double reads_due;
	uint64_t step; /* writes at a time, so that reads and ages do not come in lumps */
	uint32_t pages[2][CHUNK]; /* to write now, and drawn for the next time */
	unsigned turn;
	uint32_t at; /* pages of the present chunk that are written */

	struct source source; /* of a workload by requests that is no trace */
	struct request_writer requests;
	struct request_totals asked_before;

	enum simulation_phase phase;
	bool reached;
	uint64_t phase_end;    /* host writes at which the phase, or the next look at it, is due */
	uint64_t window_start; /* of the wearing in: the window that is compared with the one before
				*/
	uint64_t window_programmed;
	double window_waf;
	struct ftl_totals before; /* at the start of the measuring */
	uint64_t bytes_before;
	struct batch_means batches;
	uint64_t batch_end, batch_programmed;

	struct simulation_sample timeline[TIMELINE_MAX];
	unsigned samples;
	uint64_t sample_length, sample_end, sample_programmed, sample_written;
	double progress;
};

static const struct ftl_totals *totals(const struct simulation *s)
{
	return ftl_totals_of(s->device);
}

static uint64_t programs(const struct ftl_totals *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < FTL_CAUSES; i++)
		n += t->programs[i];
	return n;
}

/* Flash pages: what compression leaves of the device's. */
static uint64_t programmed(const struct simulation *s)
{
	double share = simulation_flash_share(&s->config);
	uint64_t n = programs(totals(s));

	return share != 1 ? (uint64_t)((double)n * share) : n;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void draw_chunk(struct simulation *s, unsigned turn)
{
	const uint32_t *map = ftl_map_of(s->device);

	writer_next(&s->writer, s->pages[turn], CHUNK);
	for (unsigned i = 0; i < CHUNK; i++)
		ftl_expect(map, s->pages[turn][i]);
}

static void trim_some(struct simulation *s)
{
	while (rng_unit(&s->trims) < s->config.trim)
		ftl_trim_uniform(s->device);
}

/* Write up to n pages of the chunk; when it is begun, the next one is drawn. Returns how many. */
static uint64_t write_mapped(struct simulation *s, uint64_t n)
{
	const uint32_t *pages = s->pages[s->turn] + s->at;
	uint32_t k = n < CHUNK - s->at ? (uint32_t)n : CHUNK - s->at;

	if (!s->at)
		draw_chunk(s, s->turn ^ 1);
	if (s->config.trim <= 0) {
		(void)!ftl_write(s->device, pages, k);
	} else {
		for (uint32_t i = 0; i < k; i++) {
			trim_some(s);
			(void)!ftl_write(s->device, pages + i, 1);
		}
	}
	s->at += k;
	if (s->at == CHUNK) {
		s->at = 0;
		s->turn ^= 1;
	}
	return k;
}

static void write_counted(struct simulation *s, uint64_t n)
{
	if (s->config.trim <= 0) {
		(void)!ftl_write_uniform(s->device, n);
		return;
	}
	for (uint64_t i = 0; i < n; i++) {
		trim_some(s);
		(void)!ftl_write_uniform(s->device, 1);
	}
}

/* With trims before each write, a page or a request at a time. */
static void write_requested(struct simulation *s, uint64_t n)
{
	if (s->config.trim > 0)
		trim_some(s);
	request_writer_run(&s->requests, s->device, s->config.trim > 0 ? 1 : n);
}

static void write_some(struct simulation *s, uint64_t n)
{
	if (s->config.device.counts)
		write_counted(s, n);
	else if (s->config.by_requests)
		write_requested(s, n);
	else
		while (n && !ftl_is_dead(s->device))
			n -= write_mapped(s, n);
}

/* What ages and is read beside the last n writes. */
static void pass(struct simulation *s, uint64_t n)
{
	double due = s->reads_due + s->config.reads * (double)n, whole = floor(due);

	s->reads_due = due - whole;
	if (whole > 0)
		ftl_read_uniform(s->device, (size_t)whole);
	if (s->config.device.refresh_age)
		ftl_advance(s->device, totals(s)->host_writes);
}

static uint32_t filled_pages(const struct simulation *s)
{
	return simulation_filled_pages(&s->config);
}

static void fill_some(struct simulation *s, uint64_t n)
{
	uint64_t at = totals(s)->host_writes, left = filled_pages(s) - at;
	uint32_t pages[CHUNK];

	n = n < left ? n : left;
	if (s->config.device.counts) {
		(void)!ftl_write_unused(s->device, n);
		return;
	}
	while (n && !ftl_is_dead(s->device)) {
		uint32_t k = n < CHUNK ? (uint32_t)n : CHUNK;

		for (uint32_t i = 0; i < k; i++)
			pages[i] = (uint32_t)at++;
		(void)!ftl_write(s->device, pages, k);
		n -= k;
	}
}

/* --- phases -------------------------------------------------------------------------------------
 */

static void start_measuring(struct simulation *s)
{
	const struct simulation_config *c = &s->config;
	uint64_t now = totals(s)->host_writes, length = c->device.logical_pages / 4;

	s->phase = PHASE_MEASURE;
	s->before = *totals(s);
	s->bytes_before = s->writer.bytes;
	s->asked_before = s->requests.totals;
	if (c->end == END_WRITES)
		length = c->writes / (BATCHES_MAX / 2);
	else if (now / (BATCHES_MAX - 1) > length)
		length = now / (BATCHES_MAX - 1); /* slow changes need long batches */
	s->batches = (struct batch_means){ .length = length ? length : 1 };
	s->batch_end = now + s->batches.length;
	s->batch_programmed = programmed(s);
	s->phase_end = c->end == END_WRITES ? now + c->writes : UINT64_MAX;
}

static void start_wearing_in(struct simulation *s)
{
	uint64_t now = totals(s)->host_writes, pages = s->config.device.logical_pages;

	s->phase = PHASE_WEAR_IN;
	s->window_start = now;
	s->window_programmed = programmed(s);
	s->phase_end = s->config.has_warmup ? s->config.warmup : now + pages;
	if (s->config.end == END_DEATH || s->phase_end <= now)
		start_measuring(s);
}

/*
 * Is the write amplification steady? Windows double in length, so that whatever dies away at a
 * constant rate, however slow, shows in the difference of two of them.
 */
static void judge_window(struct simulation *s)
{
	const uint64_t pages = s->config.device.logical_pages, now = totals(s)->host_writes;
	double waf = (double)(programmed(s) - s->window_programmed) /
		     (double)(now - s->window_start);
	bool steady = fabs(waf - s->window_waf) <= STEADY_DRIFT * waf;

	if (s->config.has_warmup || (steady && now >= STEADY_LEAST * pages) ||
	    now >= STEADY_MOST * pages) {
		start_measuring(s);
		return;
	}
	s->window_start = now;
	s->window_programmed = programmed(s);
	s->window_waf = waf;
	s->phase_end = 2 * now;
}

static void end_batch(struct simulation *s)
{
	const struct simulation_config *c = &s->config;
	uint64_t now = totals(s)->host_writes, all = programmed(s);
	struct interval v;

	batch_means_add(&s->batches, all - s->batch_programmed);
	s->batch_programmed = all;
	s->batch_end = now + s->batches.length;
	if (c->end != END_PRECISION || s->batches.n < BATCHES_LEAST ||
	    s->batches.n % LOOK_BATCHES != 0)
		return;
	v = batch_means_interval(&s->batches);
	s->reached = v.high - v.mean <= c->precision * v.mean;
	if (s->reached || now >= MEASURE_MOST * (uint64_t)c->device.logical_pages)
		s->phase = PHASE_DONE;
}

static void add_sample(struct simulation *s)
{
	const struct ftl_totals *t = totals(s);
	uint64_t all = programmed(s);
	struct extents extents = { 0 };
	bool mapped = extents_count(s->device, &extents);

	s->timeline[s->samples++] = (struct simulation_sample){
		.host_writes = t->host_writes,
		.programmed = all - s->sample_programmed,
		.written = t->host_writes - s->sample_written,
		.free_blocks = ftl_free_blocks(s->device),
		.has_extents = mapped,
		.extents = extents.n,
	};
	s->sample_programmed = all;
	s->sample_written = t->host_writes;
	if (s->samples == TIMELINE_MAX) {
		struct simulation_sample *x = s->timeline;

		for (unsigned i = 0; i < TIMELINE_MAX / 2; i++) {
			x[i] = x[2 * i + 1];
			x[i].programmed += x[2 * i].programmed;
			x[i].written += x[2 * i].written;
		}
		s->samples = TIMELINE_MAX / 2;
		s->sample_length *= 2;
	}
	s->sample_end = t->host_writes + s->sample_length;
}

static void advance(struct simulation *s)
{
	uint64_t now = totals(s)->host_writes;

	if (now >= s->sample_end)
		add_sample(s);
	if (s->requests.failed) {
		s->phase = PHASE_DONE;
	} else if (ftl_is_dead(s->device)) {
		s->reached = s->config.end == END_DEATH;
		s->phase = PHASE_DONE;
	} else if (s->phase == PHASE_FILL && now >= s->phase_end) {
		start_wearing_in(s);
	} else if (s->phase == PHASE_WEAR_IN && now >= s->phase_end) {
		judge_window(s);
	} else if (s->phase == PHASE_MEASURE) {
		if (now >= s->batch_end)
			end_batch(s);
		if (now >= s->phase_end)
			s->phase = PHASE_DONE;
	}
}

/* Writes until something is due. */
static uint64_t due(const struct simulation *s)
{
	uint64_t now = totals(s)->host_writes, next = s->sample_end;

	next = s->phase_end < next ? s->phase_end : next;
	if (s->phase == PHASE_MEASURE && s->batch_end < next)
		next = s->batch_end;
	if (next > now && s->step < next - now)
		return s->step;
	return next > now ? next - now : 1;
}

/* Requests that wrote nothing. */
static uint64_t unwritten(const struct simulation *s)
{
	return s->requests.totals.reads + s->requests.totals.trims;
}

bool simulation_step(struct simulation *s, uint64_t n)
{
	uint64_t end = totals(s)->host_writes + n, most = unwritten(s) + n;

	while (s->phase != PHASE_DONE && totals(s)->host_writes < end && unwritten(s) <= most) {
		uint64_t left = end - totals(s)->host_writes, k = due(s);

		k = k < left ? k : left;
		if (s->phase == PHASE_FILL)
			fill_some(s, k);
		else
			write_some(s, k);
		pass(s, k);
		advance(s);
	}
	return s->phase != PHASE_DONE;
}

double simulation_progress(const struct simulation *s)
{
	const struct simulation_config *c = &s->config;
	double now = (double)totals(s)->host_writes, pages = c->device.logical_pages;
	struct interval v;

	if (s->phase == PHASE_DONE)
		return 1;
	if (c->end == END_WRITES && s->phase == PHASE_MEASURE)
		return now / (double)s->phase_end;
	if (c->end == END_WRITES && c->has_warmup)
		return now /
		       ((double)(c->warmup > c->device.logical_pages ? c->warmup
								     : c->device.logical_pages) +
			(double)c->writes);
	if (c->end == END_DEATH)
		return (double)totals(s)->erases / ((double)c->device.blocks * c->device.pe_cycles);
	if (s->phase != PHASE_MEASURE) /* it may take longer than the usual */
		return now / (now + STEADY_LEAST * pages) / 2;
	v = batch_means_interval(&s->batches);
	if (!v.known)
		return 0.5 + 0.25 * s->batches.n / BATCHES_LEAST;
	/* the interval narrows with the root of the length */
	return 0.75 + 0.25 * fmin(pow(c->precision * v.mean / (v.high - v.mean), 2), 1);
}

/* --- beginning and end
 * ------------------------------------------------------------------------------ */

static int start_workload(struct simulation *s, struct diag *d)
{
	const struct simulation_config *c = &s->config;

	s->requests.page_bytes = c->page_bytes;
	s->requests.coalesce = c->coalesce;
	s->requests.from = c->trace;
	if (c->workload.kind == WORKLOAD_TRACE)
		return c->trace.next ? 0 : diag_fail(d, -EINVAL, "there is no trace");
	if (c->by_requests) {
		s->requests.from = (struct request_source){ source_next, &s->source };
		return source_start(&s->source, &c->workload, &c->mix,
				    (uint64_t)c->device.logical_pages * c->page_bytes, c->seed, d);
	}
	writer_start(&s->writer, &c->workload, c->device.logical_pages, c->page_bytes, c->seed);
	if (!c->device.counts)
		draw_chunk(s, 0);
	return 0;
}

int simulation_new(const struct simulation_config *c, const struct ftl_memory *memory,
		   struct diag *d, struct simulation **ret)
{
	CLEANUP(simulation_release) struct simulation *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->config = *c;
	r = ftl_new(&c->device, memory, d, &s->device);
	if (r < 0)
		return r;
	rng_seed(&s->trims, c->seed, 3);
	r = start_workload(s, d);
	if (r < 0)
		return r;
	s->step = UINT64_MAX;
	if (c->reads > 0)
		s->step = CHUNK;
	else if (c->device.refresh_age)
		s->step = c->device.refresh_age / 64 + 1;
	s->phase_end = filled_pages(s);
	s->sample_length = c->device.logical_pages / 16 + 1;
	s->sample_end = s->sample_length;
	*ret = s;
	s = NULL;
	return 0;
}

void simulation_free(struct simulation *s)
{
	if (!s)
		return;
	ftl_free(s->device);
	free(s);
}

void simulation_release(struct simulation **s)
{
	simulation_free(*s);
}

static struct ftl_totals since(const struct ftl_totals *now, const struct ftl_totals *before)
{
	struct ftl_totals t = {
		.host_writes = now->host_writes - before->host_writes,
		.trims = now->trims - before->trims,
		.reads = now->reads - before->reads,
		.erases = now->erases - before->erases,
	};

	for (unsigned i = 0; i < FTL_CAUSES; i++) {
		t.programs[i] = now->programs[i] - before->programs[i];
		t.victims[i] = now->victims[i] - before->victims[i];
	}
	return t;
}

static struct ftl_totals in_flash_pages(const struct simulation *s, struct ftl_totals t)
{
	double share = simulation_flash_share(&s->config);

	for (unsigned i = 0; i < FTL_CAUSES && share != 1; i++)
		t.programs[i] = (uint64_t)rint((double)t.programs[i] * share);
	return t;
}

/* Bytes of so many pages: the fill writes whole pages, requests may not. */
static double host_bytes_of(const struct simulation *s, const struct ftl_totals *t, bool measured)
{
	double pages = (double)t->host_writes;

	if (s->config.by_requests && measured)
		return (double)(s->requests.totals.written_bytes - s->asked_before.written_bytes);
	if (s->config.workload.kind == WORKLOAD_JESD219 && measured)
		return (double)(s->writer.bytes - s->bytes_before);
	return pages * s->config.page_bytes;
}

void simulation_result_of(const struct simulation *s, struct simulation_result *ret)
{
	const struct ftl_totals *now = totals(s);
	bool measuring = s->before.host_writes && s->config.end != END_DEATH;
	struct simulation_result r = {
		.phase = s->phase,
		.reached = s->reached,
		.failed = s->requests.failed,
		.requests = request_totals_since(&s->requests.totals, &s->asked_before),
		.measured = measuring ? since(now, &s->before) : *now,
		.total = *now,
		.warmup = measuring ? s->before.host_writes : 0,
		.wear = ftl_wear_of(s->device),
		.retired_blocks = ftl_retired_blocks(s->device),
		.free_blocks = ftl_free_blocks(s->device),
		.in_use = (double)ftl_pages_in_use(s->device) / s->config.device.logical_pages,
		.timeline = s->timeline,
		.samples = s->samples,
	};

	r.measured = in_flash_pages(s, r.measured);
	r.total = in_flash_pages(s, r.total);
	r.host_bytes = host_bytes_of(s, &r.measured, measuring);
	r.waf = batch_means_interval(&s->batches);
	if (s->config.end == END_DEATH)
		r.waf.known = false; /* nothing is steady on the way to the end */
	if (r.measured.host_writes)
		r.waf.mean = (double)programs(&r.measured) / (double)r.measured.host_writes;
	*ret = r;
}

const struct ftl *simulation_device(const struct simulation *s)
{
	return s->device;
}

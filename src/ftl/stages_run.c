/* SPDX-License-Identifier: MIT */
#include "ftl/stages_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define AHEAD 64 /* requests that are known before they are due */

/* What the drive had done when the stage began. */
struct before {
	struct timed_totals totals;
	struct ftl_totals device;
	struct pslc_totals cache;
};

struct stages_run {
	struct stages_config config;
	struct timed_drive *drive;
	struct stage *stages;
	struct stage_result *results;
	size_t at;  /* the present stage */
	bool begun; /* it is */
	bool dead;
	uint64_t scale;
	uint32_t points;	  /* of the curve, a stage */
	uint64_t now;		  /* when the last request began, or the last stage ended */
	uint64_t last;		  /* when the last request so far ends */
	uint64_t end, bytes_left; /* of the stage: UINT64_MAX: no limit */
	uint64_t *slots;	  /* when each of the host's places in the queue is free: a heap */
	unsigned depth;
	struct request ahead[AHEAD];
	unsigned nahead, next;
	bool dry; /* the source has no more */
	struct source own;
	struct request_source source;
	struct before before;
	struct stages_curve curve;
	struct latency writes, reads;
};

double per_second(uint64_t n, uint64_t ns)
{
	return ns ? (double)n * 1e9 / (double)ns : 0;
}

double mb_per_second(uint64_t bytes, uint64_t ns)
{
	return ns ? (double)bytes * 1e3 / (double)ns : 0;
}

/* --- the host's queue ------------------------------------------------------------------------- */

/* The place that is free first is taken until `end`. */
static inline void slots_take(uint64_t *slots, unsigned n, uint64_t end)
{
	unsigned at = 0;

	for (;;) {
		unsigned child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && slots[child + 1] < slots[child])
			child++;
		if (slots[child] >= end)
			break;
		slots[at] = slots[child];
		at = child;
	}
	slots[at] = end;
}

/* --- what a stage did ------------------------------------------------------------------------- */

static struct curve_state state_of(const struct stages_run *r)
{
	const struct ftl *f = timed_drive_device(r->drive);
	const uint64_t share = r->config.drive.model.flash_share_ppm;

	return (struct curve_state){
		.pages = timed_drive_totals(r->drive)->pages,
		.programs = timed_drive_programs(r->drive) * share / PPM,
		.free_blocks = ftl_free_blocks(f),
		.cached_pages = timed_drive_cache(r->drive)->valid,
	};
}

/* Differences of structs of counters alone. */
static void subtract(void *now, const void *before, size_t size)
{
	uint64_t *a = now;
	const uint64_t *b = before;

	for (size_t i = 0; i < size / sizeof(*a); i++)
		a[i] -= b[i];
}

static void fill_result(const struct stages_run *r, struct stage_result *x)
{
	const struct timed_drive *t = r->drive;

	x->totals = *timed_drive_totals(t);
	x->device = *ftl_totals_of(timed_drive_device(t));
	x->cache = timed_drive_cache(t)->totals;
	subtract(&x->totals, &r->before.totals, sizeof(x->totals));
	subtract(&x->device, &r->before.device, sizeof(x->device));
	subtract(&x->cache, &r->before.cache, sizeof(x->cache));
	x->written_bytes = x->totals.written_bytes * r->scale;
	x->read_bytes = x->totals.read_bytes * r->scale;
	x->writes = x->totals.writes * r->scale;
	x->reads = x->totals.reads * r->scale;
	x->pages = x->totals.pages * r->scale;
	x->programs = (x->device.programs[FTL_HOST] + x->totals.moved + x->cache.programs) *
		      r->scale * r->config.drive.model.flash_share_ppm / PPM;
	x->end_ns = (r->last > r->now ? r->last : r->now) * r->scale;
	x->write_latency = latency_summarise(&r->writes);
	x->read_latency = latency_summarise(&r->reads);
}

/* The least and most of the points; the last one may be cut short, and does not count beside
 * others.
 */
static void find_extremes(const struct stages_run *r, struct stage_result *x)
{
	uint32_t n = x->points > 1 ? x->points - 1 : x->points;

	for (uint32_t i = 0; i < n; i++) {
		const struct curve_point *p = &r->curve.points[x->first_point + i];
		uint64_t ns = p->end_ns - p->start_ns;
		double iops = per_second(p->requests, ns);
		double mb = mb_per_second(p->written_bytes + p->read_bytes, ns);

		x->least_iops = i && x->least_iops < iops ? x->least_iops : iops;
		x->most_iops = x->most_iops > iops ? x->most_iops : iops;
		x->least_mb_per_s = i && x->least_mb_per_s < mb ? x->least_mb_per_s : mb;
		x->most_mb_per_s = x->most_mb_per_s > mb ? x->most_mb_per_s : mb;
	}
}

/* --- stages ----------------------------------------------------------------------------------- */

static const struct stage *stage_of(const struct stages_run *r)
{
	return &r->stages[r->at];
}

/* An interval that gives a stage about so many points; unknown length: it is found out. */
static uint64_t interval_of(const struct stages_run *r, const struct stage *s)
{
	const uint64_t least = 1000000, usual = NS_PER_SECOND / 10 / r->scale;
	uint64_t share = s->duration_ns / r->scale / (r->points / 2);

	if (s->interval_ns)
		return s->interval_ns / r->scale ? s->interval_ns / r->scale : 1;
	if (!s->duration_ns)
		return usual > least ? usual : least;
	return share > least ? share : least;
}

static int begin_stage(struct stages_run *r)
{
	const struct stage *s = stage_of(r);
	uint64_t capacity = timed_drive_bytes(r->drive), bytes = s->bytes / r->scale;
	struct curve_state state = state_of(r);
	int err = 0;

	if (s->drive_ppm)
		bytes = (uint64_t)((unsigned __int128)capacity * s->drive_ppm / PPM);
	r->begun = true;
	r->end = s->duration_ns ? r->now + s->duration_ns / r->scale : UINT64_MAX;
	r->bytes_left = bytes ? bytes : UINT64_MAX;
	r->depth = s->queue_depth ? s->queue_depth : 1;
	for (unsigned i = 0; i < r->depth; i++)
		r->slots[i] = r->now;
	r->last = r->now;
	r->nahead = r->next = 0;
	r->dry = false;
	r->source = s->source ? *s->source : (struct request_source){ source_next, &r->own };
	if (!s->source && s->kind != STAGE_TRIM && s->kind != STAGE_IDLE)
		err = stage_requests_start(s, capacity, r->config.seed + 1000 * r->at, &r->own,
					   NULL);
	if (err < 0)
		return err;
	r->before = (struct before){ *timed_drive_totals(r->drive),
				     *ftl_totals_of(timed_drive_device(r->drive)),
				     timed_drive_cache(r->drive)->totals };
	memset(&r->writes, 0, sizeof(r->writes));
	memset(&r->reads, 0, sizeof(r->reads));
	r->results[r->at] = (struct stage_result){
		.kind = s->kind,
		.start_ns = r->now * r->scale,
		.first_point = r->curve.n,
	};
	return stages_curve_stage(&r->curve, (uint16_t)r->at, r->now, interval_of(r, s),
				  s->interval_ns ? CURVE_POINTS_MOST : r->points, &state);
}

static void end_stage(struct stages_run *r)
{
	struct curve_state state = state_of(r);

	r->now = r->last > r->now ? r->last : r->now;
	stages_curve_advance(&r->curve, r->now, &state);
	stages_curve_finish(&r->curve, r->now, &state);
	fill_result(r, &r->results[r->at]);
	r->at++;
	r->begun = false;
}

static void trim_all(struct stages_run *r)
{
	struct request all = { .op = REQUEST_TRIM, .bytes = timed_drive_bytes(r->drive) };

	r->dead = !timed_drive_submit(r->drive, &all, r->now, &r->last);
}

/* The curve shows what idle time left at its end, not what happened in it. */
static void pass_idle(struct stages_run *r)
{
	struct curve_state state;

	timed_drive_idle(r->drive, r->now, r->end);
	r->now = r->last = r->end;
	state = state_of(r);
	stages_curve_advance(&r->curve, r->now, &state);
}

/* Requests that come, as many as are known ahead. 0, or -errno of the source. */
static int look_ahead(struct stages_run *r)
{
	const uint64_t capacity = timed_drive_bytes(r->drive);

	memmove(r->ahead, r->ahead + r->next, (r->nahead - r->next) * sizeof(*r->ahead));
	r->nahead -= r->next;
	r->next = 0;
	/* in two steps: what a map entry points to is asked for when the entry is there */
	for (unsigned i = 0; i < r->nahead; i++)
		timed_drive_fetch(r->drive, &r->ahead[i]);
	while (r->nahead < AHEAD && !r->dry) {
		struct request *x = &r->ahead[r->nahead];
		int got = r->source.next(r->source.state, x);

		if (got < 0)
			return got;
		r->dry = !got;
		if (!got)
			break;
		if (!x->bytes || x->offset > capacity || x->bytes > capacity - x->offset)
			return -ERANGE;
		timed_drive_expect(r->drive, x);
		r->nahead++;
	}
	return 0;
}

static void record(struct stages_run *r, const struct request *x, uint64_t begun, uint64_t ended)
{
	if (stages_curve_due(&r->curve, ended)) {
		struct curve_state state = state_of(r);

		stages_curve_advance(&r->curve, ended, &state);
	}
	if (x->op == REQUEST_WRITE) {
		stages_curve_add(&r->curve, x->bytes, 0);
		latency_add(&r->writes, ended - begun);
	} else if (x->op == REQUEST_READ) {
		stages_curve_add(&r->curve, 0, x->bytes);
		latency_add(&r->reads, ended - begun);
	}
	r->last = ended > r->last ? ended : r->last;
}

/* One request. False when the stage is over, or the drive. */
static bool submit_one(struct stages_run *r)
{
	struct request *x = &r->ahead[r->next];
	uint64_t at = r->slots[0], ended;

	if (x->has_time && r->results[r->at].start_ns / r->scale + x->time_ns > at)
		at = r->results[r->at].start_ns / r->scale + x->time_ns;
	if (at >= r->end || !r->bytes_left)
		return false;
	if (at > r->last) /* the host waits for its time: so may the drive */
		timed_drive_idle(r->drive, r->last, at);
	if (x->bytes > r->bytes_left)
		x->bytes = r->bytes_left;
	r->now = at;
	if (!timed_drive_submit(r->drive, x, at, &ended)) {
		r->dead = true;
		return false;
	}
	if (r->bytes_left != UINT64_MAX)
		r->bytes_left -= x->bytes;
	slots_take(r->slots, r->depth, ended);
	record(r, x, at, ended);
	r->next++;
	return true;
}

/* Up to n requests of the present stage; *ret_over: it is over. */
static int run_requests(struct stages_run *r, uint64_t n, uint64_t *ret_done, bool *ret_over)
{
	*ret_over = false;
	for (*ret_done = 0; *ret_done < n; ++*ret_done) {
		if (r->next + AHEAD / 2 >= r->nahead && !r->dry) {
			int err = look_ahead(r);

			if (err < 0)
				return err;
		}
		if (r->next == r->nahead || !submit_one(r)) {
			*ret_over = true;
			return 0;
		}
	}
	return 0;
}

int stages_run_step(struct stages_run *r, uint64_t n)
{
	while (r->at < r->config.n && !r->dead) {
		enum stage_kind kind = stage_of(r)->kind;
		bool over = true;
		uint64_t done = 0;
		int err = 0;

		if (!n)
			return 1;
		if (!r->begun)
			err = begin_stage(r);
		if (err < 0)
			return err;
		if (kind == STAGE_TRIM)
			trim_all(r);
		else if (kind == STAGE_IDLE)
			pass_idle(r);
		else
			err = run_requests(r, n, &done, &over);
		if (err < 0)
			return err;
		n -= done;
		if (over)
			end_stage(r);
	}
	return 0;
}

double stages_run_progress(const struct stages_run *r)
{
	const struct stage *s;
	double part = 0, total;

	if (r->at >= r->config.n)
		return 1;
	s = stage_of(r);
	if (r->begun && r->end != UINT64_MAX) {
		total = (double)s->duration_ns / (double)r->scale;
		part = 1 - (double)(r->end > r->now ? r->end - r->now : 0) / total;
	}
	if (r->begun && r->bytes_left != UINT64_MAX) {
		total = s->drive_ppm ? (double)timed_drive_bytes(r->drive) * s->drive_ppm / PPM
				     : (double)s->bytes / (double)r->scale;
		if (1 - (double)r->bytes_left / total > part)
			part = 1 - (double)r->bytes_left / total;
	}
	return ((double)r->at + part) / (double)r->config.n;
}

/* --- beginning and end ------------------------------------------------------------------------ */

static int check_stage(const struct stage *s, size_t number, const struct timed_config *c,
		       struct diag *d)
{
	uint64_t capacity = (uint64_t)c->device.logical_pages * c->page_bytes;
	struct diag why = { 0 };
	struct source source;

	if (s->kind == STAGE_TRIM)
		return 0;
	if (s->queue_depth > QUEUE_DEPTH_MAX)
		return diag_fail(d, -EINVAL, "stage %zu: a queue of %u: at most %u are possible",
				 number, s->queue_depth, QUEUE_DEPTH_MAX);
	if (s->kind == STAGE_IDLE)
		return s->duration_ns
			       ? 0
			       : diag_fail(d, -EINVAL, "stage %zu: idle without a time", number);
	if (!s->source && !s->duration_ns && !s->bytes && !s->drive_ppm)
		return diag_fail(d, -EINVAL,
				 "stage %zu: %s would never end: it needs a time or a size", number,
				 stage_text(s->kind));
	if (!s->source && stage_requests_start(s, capacity, 1, &source, &why) < 0)
		return diag_fail(d, -EINVAL, "stage %zu: %s", number, why.text);
	return 0;
}

int stages_run_new(const struct stages_config *c, const struct ftl_memory *memory, struct diag *d,
		   struct stages_run **ret)
{
	CLEANUP(stages_run_release) struct stages_run *r = calloc(1, sizeof(*r));
	unsigned depth = 1;
	int err = 0;

	if (!r)
		return -ENOMEM;
	if (!c->n || c->n > STAGES_MAX)
		return diag_fail(d, -EINVAL, "%zu stages: 1 to %u are possible", c->n, STAGES_MAX);
	for (size_t i = 0; i < c->n && !err; i++) {
		err = check_stage(&c->stages[i], i + 1, &c->drive, d);
		depth = c->stages[i].queue_depth > depth ? c->stages[i].queue_depth : depth;
	}
	if (!err)
		err = timed_drive_new(&c->drive, memory, d, &r->drive);
	if (err < 0)
		return err;
	r->config = *c;
	r->scale = r->curve.scale = c->drive.model.scale;
	r->points = c->points ? c->points + c->points % 2 : CURVE_POINTS;
	r->slots = calloc(depth, sizeof(*r->slots));
	r->stages = calloc(c->n, sizeof(*r->stages));
	r->results = calloc(c->n, sizeof(*r->results));
	if (!r->slots || !r->stages || !r->results)
		return -ENOMEM;
	memcpy(r->stages, c->stages, c->n * sizeof(*r->stages));
	*ret = r;
	r = NULL;
	return 0;
}

void stages_run_free(struct stages_run *r)
{
	if (!r)
		return;
	timed_drive_free(r->drive);
	stages_curve_release(&r->curve);
	free(r->slots);
	free(r->stages);
	free(r->results);
	free(r);
}

void stages_run_release(struct stages_run **r)
{
	stages_run_free(*r);
}

void stages_run_result(struct stages_run *r, struct stages_result *ret)
{
	uint32_t first = 0;

	if (r->begun) {
		struct curve_state state = state_of(r);

		stages_curve_finish(&r->curve, r->now, &state);
		fill_result(r, &r->results[r->at]);
	}
	*ret = (struct stages_result){
		.stages = r->results,
		.n = r->at + r->begun,
		.done = r->at == r->config.n,
		.dead = r->dead,
		.scale = (unsigned)r->scale,
		.has_cache = timed_drive_cache(r->drive)->log,
		.cache_wear = pslc_wear_of(timed_drive_cache(r->drive)),
		.cache_programs = timed_drive_cache(r->drive)->totals.programs * r->scale,
		.points = r->curve.points,
		.npoints = r->curve.n,
		.end_ns = (r->last > r->now ? r->last : r->now) * r->scale,
	};
	/* points may have become fewer since their stage ended */
	for (size_t i = 0; i < ret->n; i++) {
		struct stage_result *x = &r->results[i];

		x->first_point = first;
		while (first < r->curve.n && r->curve.points[first].stage == i)
			first++;
		x->points = first - x->first_point;
		find_extremes(r, x);
	}
}

const struct timed_drive *stages_run_drive(const struct stages_run *r)
{
	return r->drive;
}

/* SPDX-License-Identifier: MIT */
#include "report/simulation_timing.h"

static void add_cells(struct doc *o, const struct drive_model *m)
{
	doc_string(o, "cell", cell_text(m->cell));
	doc_integer(o, "channels", m->channels, UNIT_COUNT);
	doc_integer(o, "dies", m->dies, UNIT_COUNT);
	doc_integer(o, "flash_page_bytes", m->flash_page_bytes, UNIT_BYTES);
	doc_integer(o, "program_bytes", m->program_bytes, UNIT_BYTES);
	doc_integer(o, "erase_bytes", m->erase_bytes, UNIT_BYTES);
	doc_integer(o, "read_ns", m->times.read_ns, UNIT_COUNT);
	doc_integer(o, "program_ns", m->times.program_ns, UNIT_COUNT);
	doc_integer(o, "erase_ns", m->times.erase_ns, UNIT_COUNT);
	doc_integer(o, "channel_bytes_per_second", m->channel_bytes_per_s, UNIT_BYTES);
	doc_integer(o, "link_bytes_per_second", m->link_bytes_per_s, UNIT_BYTES);
	doc_integer(o, "host_command_ns", m->host_command_ns, UNIT_COUNT);
	doc_integer(o, "controller_command_ns", m->controller_command_ns, UNIT_COUNT);
	doc_integer(o, "search_ns", m->search_ns, UNIT_COUNT);
	doc_integer(o, "programs_queued", m->programs_queued, UNIT_COUNT);
	doc_integer(o, "coalesce_bytes", m->coalesce_bytes, UNIT_BYTES);
	doc_real(o, "compressed", m->flash_share_ppm / 1e6, 6);
	doc_string(o, "collection", collection_text(m->collection));
	doc_bool(o, "collects_at_once", m->collects_at_once);
	doc_real_if(o, "copied_a_page_written", m->collection == COLLECT_CONTINUOUS,
		    m->continuous_ppm / 1e6, 6);
	doc_integer(o, "scale", m->scale, UNIT_COUNT);
}

static void add_cache(struct doc *o, const struct drive_model *m)
{
	const struct pslc_config *p = &m->pslc;
	struct doc *c;

	if (p->mode == PSLC_NONE) {
		doc_null(o, "cache");
		return;
	}
	c = doc_object(o, "cache");
	doc_string(c, "mode", pslc_mode_text(p->mode));
	doc_string(c, "overflow", pslc_overflow_text(p->overflow));
	doc_integer(c, "bytes", (u128)p->bytes * m->scale, UNIT_BYTES);
	doc_integer_if(c, "fold_bytes", p->fold_bytes, (u128)p->fold_bytes * m->scale, UNIT_BYTES);
	doc_integer(c, "held_bytes", (u128)p->held_bytes * m->scale, UNIT_BYTES);
	doc_integer(c, "read_ns", p->read_ns, UNIT_COUNT);
	doc_integer(c, "program_ns", p->program_ns, UNIT_COUNT);
	doc_integer(c, "erase_ns", p->erase_ns, UNIT_COUNT);
}

void report_timing_model(struct doc *model, const struct timed_report *t)
{
	struct doc *o = doc_object(model, "timing");

	add_cells(o, &t->config->drive.model);
	add_cache(o, &t->config->drive.model);
}

static void add_point(struct doc *list, const struct curve_point *p, u128 written,
		      const struct stages_result *x)
{
	struct doc *o = doc_object(list, NULL);
	const uint64_t ns = p->end_ns - p->start_ns;

	doc_real(o, "seconds", (double)p->end_ns / 1e9, 9);
	doc_integer(o, "host_bytes", written, UNIT_BYTES);
	doc_real(o, "iops", per_second(p->requests, ns), 6);
	doc_real(o, "mb_per_s", mb_per_second(p->written_bytes + p->read_bytes, ns), 6);
	doc_real_if(o, "waf", p->pages, p->pages ? (double)p->programs / (double)p->pages : 0, 6);
	doc_integer(o, "free_blocks", p->free_blocks, UNIT_COUNT);
	doc_integer(o, "cached_pages", p->cached_pages, UNIT_COUNT);
	doc_string(o, "stage", stage_text(x->stages[p->stage].kind));
}

void report_timing_curve(struct doc *root, const char *key, const struct timed_report *t)
{
	struct doc *list = doc_array(root, key);
	u128 written = 0;

	for (uint32_t i = 0; i < t->result->npoints; i++) {
		written += t->result->points[i].written_bytes;
		add_point(list, &t->result->points[i], written, t->result);
	}
}

static void add_latency(struct doc *o, const char *key, const struct latency_summary *l)
{
	const struct {
		const char *key;
		uint64_t ns;
	} rows[] = {
		{ "mean_us", l->mean_ns },    { "min_us", l->least_ns }, { "p50_us", l->p50_ns },
		{ "p90_us", l->p90_ns },      { "p99_us", l->p99_ns },	 { "p99_9_us", l->p999_ns },
		{ "p99_99_us", l->p9999_ns }, { "max_us", l->most_ns },
	};
	struct doc *x;

	if (!l->n) {
		doc_null(o, key);
		return;
	}
	x = doc_object(o, key);
	doc_integer(x, "requests", l->n, UNIT_COUNT);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		doc_real(x, rows[i].key, (double)rows[i].ns / 1e3, 9);
}

static void add_rates(struct doc *o, const struct stage_result *s)
{
	const uint64_t ns = s->end_ns - s->start_ns, bytes = s->written_bytes + s->read_bytes;
	const bool any = s->writes + s->reads && ns;
	struct doc *x = doc_object(o, "iops");

	doc_real_if(x, "mean", any, per_second(s->writes + s->reads, ns), 6);
	doc_real_if(x, "min", any, s->least_iops, 6);
	doc_real_if(x, "max", any, s->most_iops, 6);
	x = doc_object(o, "mb_per_s");
	doc_real_if(x, "mean", any, mb_per_second(bytes, ns), 6);
	doc_real_if(x, "min", any, s->least_mb_per_s, 6);
	doc_real_if(x, "max", any, s->most_mb_per_s, 6);
}

static void add_stage(struct doc *list, const struct stage_result *s, const struct stage *stage,
		      const struct timed_report *t)
{
	struct doc *o = doc_object(list, NULL);
	const unsigned scale = t->result->scale;
	char text[WORKLOAD_TEXT_MAX];
	bool asks = s->kind != STAGE_TRIM && s->kind != STAGE_IDLE;

	doc_string(o, "stage", stage_text(s->kind));
	doc_string(o, "workload",
		   asks && !stage->source ? workload_text(&stage->workload, text) : NULL);
	doc_integer_if(o, "request_bytes", asks && !stage->source, stage->request_bytes,
		       UNIT_BYTES);
	doc_integer_if(o, "queue_depth", asks, stage->queue_depth, UNIT_COUNT);
	doc_real(o, "start_seconds", (double)s->start_ns / 1e9, 9);
	doc_real(o, "end_seconds", (double)s->end_ns / 1e9, 9);
	doc_integer(o, "host_bytes_written", s->written_bytes, UNIT_BYTES);
	doc_integer(o, "host_bytes_read", s->read_bytes, UNIT_BYTES);
	add_rates(o, s);
	doc_real_if(o, "waf", s->pages, s->pages ? (double)s->programs / (double)s->pages : 0, 6);
	doc_integer(o, "partial_pages", (u128)s->totals.partial_pages * scale, UNIT_COUNT);
	doc_integer(o, "coalesced_bytes", (u128)s->totals.coalesced_bytes * scale, UNIT_BYTES);
	doc_integer(o, "cache_pages_programmed", (u128)s->cache.programs * scale, UNIT_COUNT);
	doc_integer(o, "cache_pages_folded", (u128)s->cache.folded * scale, UNIT_COUNT);
	doc_integer(o, "cache_erases", (u128)s->cache.erases * scale, UNIT_COUNT);
	add_latency(o, "write_latency", &s->write_latency);
	add_latency(o, "read_latency", &s->read_latency);
}

/* Wear of the cache is counted apart: its cells bear more cycles than those of the main area. */
static void add_cache_wear(struct doc *root, const struct timed_report *t)
{
	const struct stages_result *x = t->result;
	struct doc *o;

	if (!x->has_cache) {
		doc_null(root, "cache");
		return;
	}
	o = doc_object(root, "cache");
	doc_integer(o, "nand_bytes_written_slc",
		    (u128)x->cache_programs * t->config->drive.page_bytes, UNIT_BYTES);
	doc_real(o, "erase_count_slc_avg", x->cache_wear.mean, 6);
	doc_integer(o, "erase_count_slc_max", x->cache_wear.most, UNIT_COUNT);
}

void report_timing_stages(struct doc *root, const struct timed_report *t)
{
	struct doc *list = doc_array(root, "stages"), *o;
	const struct stage_result *last = NULL;

	add_cache_wear(root, t);
	for (size_t i = 0; i < t->result->n; i++) {
		const struct stage_result *s = &t->result->stages[i];

		add_stage(list, s, &t->config->stages[i], t);
		if (s->writes + s->reads &&
		    (!last || s->kind == STAGE_MEASURE || last->kind != STAGE_MEASURE))
			last = s;
	}
	if (!last) {
		doc_null(root, "latency");
		return;
	}
	o = doc_object(root, "latency");
	add_latency(o, "write", &last->write_latency);
	add_latency(o, "read", &last->read_latency);
}

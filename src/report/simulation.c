/* SPDX-License-Identifier: MIT */
#include "report/simulation.h"

#include "report/drive.h"
#include "report/simulation_outcome.h"
#include "report/simulation_requests.h"

static const char *engine_name(const struct simulation_report *r)
{
	if (!r->result)
		return "analytic";
	return r->config->device.counts ? "counts" : "pages";
}

static double pages_to_bytes(const struct simulation_report *r, double pages)
{
	return pages * r->config->page_bytes;
}

/* --- model: every parameter as used ----------------------------------------------------------- */

static void add_geometry(struct doc *o, const struct simulation_config *c)
{
	const struct ftl_config *f = &c->device;

	doc_integer(o, "logical_pages", c->capacity_pages, UNIT_COUNT);
	doc_integer(o, "page_bytes", c->page_bytes, UNIT_BYTES);
	doc_integer(o, "capacity_bytes", (u128)c->capacity_pages * c->page_bytes, UNIT_BYTES);
	doc_integer(o, "pages_per_block", f->pages_per_block, UNIT_COUNT);
	doc_integer(o, "blocks", simulation_data_blocks(c), UNIT_COUNT);
	doc_integer(o, "reserve_blocks", ftl_reserve_blocks(f), UNIT_COUNT);
	doc_integer(o, "open_blocks", ftl_open_blocks(f), UNIT_COUNT);
	doc_integer(o, "superblock", c->layout.superblock ? c->layout.superblock : 1, UNIT_COUNT);
	doc_integer(o, "flash_pages_per_block", simulation_flash_pages(c), UNIT_COUNT);
	doc_integer_if(o, "parity_stripe_pages", c->layout.stripe, c->layout.stripe, UNIT_COUNT);
	doc_integer(o, "bad_blocks", f->bad_blocks, UNIT_COUNT);
	doc_integer(o, "held_back_blocks", f->held_back, UNIT_COUNT);
	doc_real(o, "compressed", simulation_flash_share(c), 6);
	doc_real(o, "spare", simulation_spare(c), 6);
	doc_real(o, "overprovisioning", simulation_overprovisioning(c), 6);
	doc_integer(o, "memory_bytes", ftl_memory_bytes(f), UNIT_BYTES);
}

static void add_policies(struct doc *o, const struct simulation_config *c)
{
	const struct ftl_config *f = &c->device;
	char text[VICTIM_TEXT_MAX];
	bool levels = f->leveling == WEAR_LEVELING_STATIC;

	doc_string(o, "policy", victim_text(&f->victim, text));
	doc_string(o, "ties",
		   victim_has_ties(f->victim.policy) ? victim_ties_text(f->victim.ties) : NULL);
	doc_integer(o, "frontiers", f->separate_gc ? 2 : 1, UNIT_COUNT);
	doc_string(o, "separate", c->separate_oracle ? "oracle" : NULL);
	doc_integer(o, "gc_start_blocks", f->spare_low, UNIT_COUNT);
	doc_integer(o, "gc_stop_blocks", f->spare_high, UNIT_COUNT);
	doc_string(o, "wear_leveling", wear_leveling_text(f->leveling));
	doc_string(o, "reuse",
		   f->leveling == WEAR_LEVELING_NONE ? block_reuse_text(f->reuse) : NULL);
	doc_integer_if(o, "read_limit", f->read_limit, f->read_limit, UNIT_COUNT);
	doc_integer_if(o, "refresh_age_pages", f->refresh_age, f->refresh_age, UNIT_COUNT);
	doc_integer_if(o, "wear_leveling_spread", levels, f->leveling_spread, UNIT_COUNT);
	doc_integer_if(o, "pe_cycles", f->pe_cycles, f->pe_cycles, UNIT_COUNT);
	doc_real_if(o, "pe_cv", f->pe_cycles, f->pe_cv, 6);
}

static void add_run(struct doc *o, const struct simulation_report *r)
{
	const struct simulation_config *c = r->config;
	char text[WORKLOAD_TEXT_MAX];

	doc_string(o, "workload", workload_text(&c->workload, text));
	doc_real(o, "trim_probability", c->trim, 6);
	doc_real(o, "reads_per_write", c->reads, 6);
	report_requests_asked(o, r);
	doc_integer_if(o, "warmup_pages", r->result && c->end != END_DEATH,
		       r->result ? r->result->warmup : 0, UNIT_COUNT);
	doc_integer_if(o, "writes", c->end == END_WRITES, c->writes, UNIT_COUNT);
	doc_real_if(o, "precision", c->end == END_PRECISION, c->precision, 6);
	doc_bool(o, "until_death", c->end == END_DEATH);
	doc_integer(o, "seed", c->seed, UNIT_COUNT);
}

/* --- what came out
 * -------------------------------------------------------------------------------- */

static void add_waf(struct doc *root, const struct simulation_report *r)
{
	struct doc *o = doc_object(root, "write_amplification");
	const struct interval *v = r->result ? &r->result->waf : NULL;
	bool known = v && v->known;

	doc_real_if(o, "mean", !v || r->result->measured.host_writes,
		    v ? v->mean : r->analytic->waf, 6);
	doc_real_if(o, "ci95_low", known, known ? v->low : 0, 6);
	doc_real_if(o, "ci95_high", known, known ? v->high : 0, 6);
	doc_real_if(o, "mean_in_bytes", v && r->result->host_bytes > 0,
		    v ? pages_to_bytes(r, v->mean * (double)r->result->measured.host_writes) /
				    r->result->host_bytes
		      : 0,
		    6);
	simulation_outcome_waf(o, r);
}

static void add_programs(struct doc *root, const struct simulation_report *r)
{
	const struct ftl_totals *t = r->result ? &r->result->measured : NULL;
	struct doc *o;

	doc_integer_if(root, "host_pages_written", t, t ? t->host_writes : 0, UNIT_COUNT);
	doc_real_if(root, "host_bytes_written", t, t ? r->result->host_bytes : 0, 15);
	if (!t) {
		doc_null(root, "flash_pages_programmed");
		doc_null(root, "erases");
		doc_null(root, "unevenness");
		doc_null(root, "erase_counts");
		return;
	}
	o = doc_object(root, "flash_pages_programmed");
	doc_integer(o, "host", t->programs[FTL_HOST], UNIT_COUNT);
	doc_integer(o, "gc", t->programs[FTL_GC], UNIT_COUNT);
	doc_integer(o, "wear_leveling", t->programs[FTL_WEAR_LEVELING], UNIT_COUNT);
	doc_integer(o, "refresh", t->programs[FTL_REFRESH], UNIT_COUNT);
	doc_integer(o, "parity", t->programs[FTL_PARITY], UNIT_COUNT);
	doc_integer(o, "fold", r->result->folded, UNIT_COUNT);
	doc_integer(root, "erases", t->erases, UNIT_COUNT);
	doc_real_if(root, "unevenness", r->result->wear.mean > 0,
		    r->result->wear.most / r->result->wear.mean, 6);
	o = doc_object(root, "erase_counts");
	doc_real(o, "mean", r->result->wear.mean, 6);
	doc_real(o, "deviation", r->result->wear.deviation, 6);
	doc_integer(o, "min", r->result->wear.least, UNIT_COUNT);
	doc_integer(o, "max", r->result->wear.most, UNIT_COUNT);
	doc_integer(root, "retired_blocks", r->result->retired_blocks, UNIT_COUNT);
	doc_integer(root, "trimmed_pages", t->trims, UNIT_COUNT);
	doc_integer(root, "read_pages", t->reads, UNIT_COUNT);
}

static void add_analytic(struct doc *root, const struct simulation_report *r)
{
	const struct analytic_answer *a = r->analytic;
	struct doc *o;

	if (!a) {
		doc_null(root, "analytic");
		return;
	}
	o = doc_object(root, "analytic");
	doc_string(o, "model", a->model);
	doc_real(o, "write_amplification", a->waf, 6);
	doc_real_if(o, "folded", a->folded > 0, a->folded, 6);
	doc_real_if(o, "parity", a->parity > 0, a->parity, 6);
	doc_real_if(o, "agarwal_marrow", a->has_agarwal_marrow, a->agarwal_marrow, 6);
	doc_real_if(o, "agarwal_marrow_error_percent", a->has_agarwal_marrow,
		    (a->agarwal_marrow / a->waf - 1) * 100, 3);
	doc_real_if(o, "write_amplification_best_split", a->has_best_split, a->best_split, 6);
}

static void add_sample(struct doc *list, const struct simulation_report *r,
		       const struct simulation_sample *s)
{
	struct doc *o = doc_object(list, NULL);

	doc_null(o, "seconds");
	doc_integer(o, "host_bytes", (u128)s->host_writes * r->config->page_bytes, UNIT_BYTES);
	doc_null(o, "iops");
	doc_null(o, "mb_per_s");
	doc_real_if(o, "waf", s->written, (double)s->programmed / (double)s->written, 6);
	doc_integer(o, "free_blocks", s->free_blocks, UNIT_COUNT);
	doc_real_if(o, "extents", s->has_extents, s->extents, 9);
}

static void add_timeline(struct doc *root, const char *key, const struct simulation_report *r)
{
	struct doc *list;

	if (r->timed) {
		report_timing_curve(root, key, r->timed);
		return;
	}
	if (!r->result) {
		doc_null(root, key);
		return;
	}
	list = doc_array(root, key);
	for (unsigned i = 0; i < r->result->samples; i++)
		add_sample(list, r, &r->result->timeline[i]);
}

struct doc *report_simulation(const struct simulation_report *r, int64_t generated_at)
{
	struct doc *root = report_new("simulate", generated_at), *model;

	model = doc_object(root, "model");
	add_geometry(model, r->config);
	add_policies(model, r->config);
	add_run(model, r);
	if (r->timed)
		report_timing_model(model, r->timed);
	add_waf(root, r);
	add_programs(root, r);
	report_requests_done(root, r);
	simulation_outcome_erases(root, r);
	simulation_outcome_life(root, r);
	simulation_outcome_map(root, r);
	add_analytic(root, r);
	add_timeline(root, "timeline", r);
	if (r->timed)
		report_timing_stages(root, r->timed);
	doc_integer(root, "replicates", r->replicates ? r->replicates : 1, UNIT_COUNT);
	doc_string(root, "stopped", r->stopped);
	doc_real(root, "cpu_seconds", r->cpu_seconds, 6);
	doc_string(root, "engine", engine_name(r));
	return root;
}

struct doc *report_simulation_rows(const struct simulation_report *r)
{
	struct doc *root = doc_new(), *rows, *row;

	if (r->result) {
		add_timeline(root, "rows", r);
		return root;
	}
	rows = doc_array(root, "rows");
	row = doc_object(rows, NULL);
	doc_string(row, "model", r->analytic->model);
	doc_real(row, "spare", simulation_spare(r->config), 6);
	doc_real(row, "waf", r->analytic->waf, 6);
	return root;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/simulation_outcome.h"
#include "report/simulation_requests.h"

static const struct view_column quantities[] = {
	{ NULL, 0 },
	{ NULL, COLUMN_RIGHT },
	{ NULL, COLUMN_WRAP },
};

static void add_model(struct view *v, const struct simulation_config *c)
{
	const struct ftl_config *f = &c->device;
	char capacity[UNIT_TEXT_MAX], blocks[UNIT_TEXT_MAX], policy[VICTIM_TEXT_MAX];
	char workload[WORKLOAD_TEXT_MAX];

	view_line(v, STYLE_HEADING, 0, "%s drive, %s writes",
		  format_bytes((u128)c->capacity_pages * c->page_bytes, capacity),
		  workload_text(&c->workload, workload));
	view_line(v, STYLE_PLAIN, 2,
		  "%s blocks of %u pages of %u bytes, and %u in reserve; spare %.4g %%, "
		  "overprovisioning %.4g %%",
		  format_grouped((i128)simulation_data_blocks(c), blocks), f->pages_per_block,
		  c->page_bytes, ftl_reserve_blocks(f), simulation_spare(c) * 100,
		  simulation_overprovisioning(c) * 100);
	view_line(v, STYLE_PLAIN, 2, "%s%s%s, %s%s, wear levelling %s, seed %llu",
		  victim_text(&f->victim, policy),
		  victim_has_ties(f->victim.policy) ? ", ties " : "",
		  victim_has_ties(f->victim.policy) ? victim_ties_text(f->victim.ties) : "",
		  f->separate_gc ? "host and collection write apart" : "one frontier",
		  c->separate_oracle ? ", hot and cold pages apart" : "",
		  wear_leveling_text(f->leveling), (unsigned long long)c->seed);
}

static void add_row(struct view *v, const char *label, const char *value, const char *note)
{
	view_cell(v, STYLE_PLAIN, "%s", label);
	view_cell(v, STYLE_PLAIN, "%s", value);
	view_cell(v, STYLE_DIM, "%s", note);
}

static void add_waf(struct view *v, const struct simulation_report *r)
{
	const struct interval *w = &r->result->waf;
	char value[32] = "unknown", note[128], written[UNIT_TEXT_MAX], before[UNIT_TEXT_MAX];
	int n = 0;

	if (r->result->measured.host_writes)
		snprintf(value, sizeof(value), "%.4f", w->mean);
	if (w->known)
		n = snprintf(note, sizeof(note), "95 %% confidence %.4f to %.4f; ", w->low,
			     w->high);
	snprintf(note + n, sizeof(note) - (size_t)n, "%s pages, after %s",
		 format_grouped((i128)r->result->measured.host_writes, written),
		 format_grouped((i128)r->result->warmup, before));
	add_row(v, "write amplification", value, note);
}

static void add_causes(struct view *v, const struct simulation_result *x)
{
	static const struct {
		enum ftl_cause cause;
		const char *label;
	} causes[] = { { FTL_GC, "  garbage collection" },
		       { FTL_WEAR_LEVELING, "  wear levelling" },
		       { FTL_REFRESH, "  refresh" },
		       { FTL_PARITY, "  parity" } };
	char value[32], note[64] = "", blocks[UNIT_TEXT_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(causes) && x->measured.host_writes; i++) {
		enum ftl_cause cause = causes[i].cause;

		if (!x->measured.programs[cause] && !x->measured.victims[cause])
			continue;
		snprintf(value, sizeof(value), "%.4f",
			 (double)x->measured.programs[cause] / (double)x->measured.host_writes);
		if (cause == FTL_PARITY)
			snprintf(note, sizeof(note), "pages of parity a page written");
		else
			snprintf(note, sizeof(note),
				 "pages moved a page written; %s blocks collected",
				 format_grouped((i128)x->measured.victims[cause], blocks));
		add_row(v, causes[i].label, value, note);
	}
	if (x->folded && x->measured.host_writes) {
		snprintf(value, sizeof(value), "%.4f",
			 (double)x->folded / (double)x->measured.host_writes);
		add_row(v, "  folding", value,
			"pages from the write cache to the main area, a page written");
	}
}

static void add_wear(struct view *v, const struct simulation_report *r)
{
	const struct ftl_wear *w = &r->result->wear;
	char value[32], note[128];

	if (w->mean <= 0)
		return;
	snprintf(value, sizeof(value), "%.3f", w->most / w->mean);
	snprintf(note, sizeof(note), "erase counts %u to %u, mean %.1f, deviation %.1f %%",
		 w->least, w->most, w->mean, w->deviation / w->mean * 100);
	add_row(v, "wear unevenness", value, note);
	if (r->result->retired_blocks) {
		snprintf(value, sizeof(value), "%u", r->result->retired_blocks);
		add_row(v, "blocks worn out", value, "");
	}
}

static void add_analytic(struct view *v, const struct simulation_report *r)
{
	const struct analytic_answer *a = r->analytic;
	char value[32], note[96];

	snprintf(value, sizeof(value), "%.4f", a->waf);
	add_row(v, r->result ? "analytic model" : "write amplification", value, a->model);
	if (a->folded > 0) {
		snprintf(value, sizeof(value), "%.4f", a->folded);
		add_row(v, "  folded", value, "pages from the write cache to the main area");
	}
	if (!r->result && a->has_agarwal_marrow) {
		snprintf(value, sizeof(value), "%.4f", a->agarwal_marrow);
		snprintf(note, sizeof(note),
			 "an approximation, (1 + OP) / 2 OP; %+.1f %% off the model above",
			 (a->agarwal_marrow / a->waf - 1) * 100);
		add_row(v, "Agarwal and Marrow", value, note);
	}
	if (a->has_best_split) {
		snprintf(value, sizeof(value), "%.4f", a->best_split);
		add_row(v, "best possible", value,
			"hot and cold pages apart, the spare split between them the best way");
	}
}

void report_simulation_view(const struct simulation_report *r, struct view *v)
{
	add_model(v, r->config);
	report_requests_model_view(v, r);
	view_gap(v);
	view_table(v, quantities, ARRAY_SIZE(quantities), 2);
	if (r->result) {
		add_waf(v, r);
		report_requests_rows_view(v, r);
		add_causes(v, r->result);
		simulation_outcome_lifetime(r, v);
		add_wear(v, r);
	}
	if (r->analytic)
		add_analytic(v, r);
	simulation_outcome_rows(r, v);
	simulation_outcome_view(r, v);
	if (r->timed)
		report_timing_view(r->timed, v);
	if (r->note)
		view_line(v, STYLE_DIM, 0, "%s", r->note);
	if (r->stopped)
		view_line(v, STYLE_WARNING, 0, "%s", r->stopped);
}

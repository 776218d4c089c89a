/* SPDX-License-Identifier: MIT */
#include "report/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/units.h"
#include "report/drive.h"

/* --- from one run ------------------------------------------------------------------------------
 */

static void take_times(const struct timed_report *t, struct sweep_outcome *o)
{
	const struct stage_result *s = NULL;
	uint64_t ns;

	for (size_t i = 0; i < t->result->n; i++)
		if (t->result->stages[i].kind == STAGE_MEASURE)
			s = &t->result->stages[i];
	if (!s)
		return;
	ns = s->end_ns - s->start_ns;
	o->timed = true;
	o->iops = per_second(s->writes + s->reads, ns);
	o->mb_per_s = mb_per_second(s->written_bytes + s->read_bytes, ns);
	o->write_p50_us = (double)s->write_latency.p50_ns / 1e3;
	o->write_p99_us = (double)s->write_latency.p99_ns / 1e3;
	o->read_p50_us = (double)s->read_latency.p50_ns / 1e3;
	o->read_p99_us = (double)s->read_latency.p99_ns / 1e3;
}

void sweep_outcome_of(const struct simulation_report *r, struct sweep_outcome *ret)
{
	struct sweep_outcome o = { .known = true, .spare = simulation_spare(r->config) };

	if (r->analytic) {
		o.has_analytic = true;
		o.analytic_waf = r->analytic->waf;
		o.has_life = !r->result && r->analytic->has_life;
		o.life_bytes = r->analytic->life_pages * r->config->page_bytes;
	}
	if (r->result) {
		o.simulated = true;
		o.result = *r->result;
		o.result.timeline = NULL;
		o.result.samples = 0;
		if (r->config->end == END_DEATH && r->result->reached) {
			o.has_life = true;
			o.life_bytes = r->result->host_bytes;
		}
	}
	if (r->timed)
		take_times(r->timed, &o);
	if (r->stopped)
		text_copy(o.stopped, sizeof(o.stopped), r->stopped);
	o.cpu_seconds = r->cpu_seconds;
	*ret = o;
}

/* --- rows --------------------------------------------------------------------------------------
 */

struct interval sweep_waf(const struct sweep_row *row)
{
	double *means;
	struct interval v = { 0 };

	if (!row->runs[0].simulated) {
		v.mean = row->runs[0].analytic_waf;
		return v;
	}
	if (row->n == 1)
		return row->runs[0].result.waf;
	means = malloc(row->n * sizeof(*means));
	if (!means)
		return v;
	for (unsigned i = 0; i < row->n; i++)
		means[i] = row->runs[i].result.waf.mean;
	v = replicates_interval(means, row->n);
	free(means);
	return v;
}

void sweep_pool(const struct sweep_row *row, struct simulation_result *ret)
{
	struct simulation_result *runs = calloc(row->n, sizeof(*runs));

	*ret = row->runs[0].result;
	if (!runs)
		return;
	for (unsigned i = 0; i < row->n; i++)
		runs[i] = row->runs[i].result;
	replicates_pool(runs, row->n, row->to_death, ret);
	ret->waf = sweep_waf(row);
	free(runs);
}

/* The mean of a member over the runs. */
static double mean(const struct sweep_row *row, size_t offset)
{
	double sum = 0;

	for (unsigned i = 0; i < row->n; i++)
		sum += *(const double *)(const void *)((const char *)&row->runs[i] + offset);
	return sum / row->n;
}

#define MEAN(row, member) mean(row, offsetof(struct sweep_outcome, member))

static const char *stopped_text(const struct sweep_row *row)
{
	for (unsigned i = 0; i < row->n; i++)
		if (row->runs[i].stopped[0])
			return row->runs[i].stopped;
	return NULL;
}

static bool all_have_life(const struct sweep_row *row)
{
	for (unsigned i = 0; i < row->n; i++)
		if (!row->runs[i].has_life)
			return false;
	return true;
}

static void add_value(struct doc *o, const char *key, const char *text)
{
	double v;

	if (!parse_decimal(text, &v) || !parse_share(text, &v))
		doc_real(o, key, v, 15);
	else
		doc_string(o, key, text);
}

static void add_row(struct doc *list, const struct sweep_report *r, const struct sweep_row *row)
{
	const struct sweep_outcome *first = &row->runs[0];
	const struct interval waf = sweep_waf(row);
	const bool timed = first->timed;
	struct simulation_result x = { 0 };
	struct doc *o = doc_object(list, NULL);

	if (first->simulated)
		sweep_pool(row, &x);
	for (unsigned i = 0; i < r->naxes; i++)
		add_value(o, r->axes[i].key, row->values[i]);
	doc_real(o, "effective_spare", first->spare, 6);
	doc_integer(o, "runs", row->n, UNIT_COUNT);
	doc_real_if(o, "waf", waf.mean > 0, waf.mean, 6);
	doc_real_if(o, "waf_ci95_low", waf.known, waf.low, 6);
	doc_real_if(o, "waf_ci95_high", waf.known, waf.high, 6);
	doc_real_if(o, "waf_analytic", first->has_analytic, first->analytic_waf, 6);
	doc_integer_if(o, "host_pages_written", first->simulated, x.measured.host_writes,
		       UNIT_COUNT);
	doc_integer_if(o, "erases", first->simulated, x.measured.erases, UNIT_COUNT);
	doc_real_if(o, "unevenness", x.wear.mean > 0, x.wear.most / x.wear.mean, 6);
	doc_real_if(o, "iops", timed, MEAN(row, iops), 6);
	doc_real_if(o, "mb_per_s", timed, MEAN(row, mb_per_s), 6);
	doc_real_if(o, "write_latency_p50_us", MEAN(row, write_p50_us) > 0, MEAN(row, write_p50_us),
		    6);
	doc_real_if(o, "write_latency_p99_us", MEAN(row, write_p99_us) > 0, MEAN(row, write_p99_us),
		    6);
	doc_real_if(o, "read_latency_p50_us", MEAN(row, read_p50_us) > 0, MEAN(row, read_p50_us),
		    6);
	doc_real_if(o, "read_latency_p99_us", MEAN(row, read_p99_us) > 0, MEAN(row, read_p99_us),
		    6);
	doc_real_if(o, "host_bytes_until_end", all_have_life(row), MEAN(row, life_bytes), 15);
	doc_string(o, "stopped", stopped_text(row));
}

struct doc *report_sweep(const struct sweep_report *r, int64_t generated_at)
{
	struct doc *root = report_new("simulate", generated_at), *list;

	list = doc_array(root, "sweep");
	for (unsigned i = 0; i < r->naxes; i++)
		doc_string(list, NULL, r->axes[i].key);
	doc_integer(root, "replicates", r->replicates, UNIT_COUNT);
	doc_integer(root, "seed", r->seed, UNIT_COUNT);
	doc_integer(root, "combinations", r->all, UNIT_COUNT);
	list = doc_array(root, "rows");
	for (size_t i = 0; i < r->nrows; i++)
		add_row(list, r, &r->rows[i]);
	doc_string(root, "stopped", r->stopped);
	doc_real(root, "cpu_seconds", r->cpu_seconds, 6);
	return root;
}

/* --- for people --------------------------------------------------------------------------------
 */

/* Groups of columns, of which a table has those that any row can fill. */
enum figures { FIGURE_WAF, FIGURE_TIME, FIGURE_LIFE };

static const struct {
	struct view_column column;
	enum figures group;
} figures[SWEEP_FIGURES] = {
	{ { "WAF", COLUMN_RIGHT }, FIGURE_WAF },
	{ { "95 % FROM", COLUMN_RIGHT }, FIGURE_WAF },
	{ { "TO", COLUMN_RIGHT }, FIGURE_WAF },
	{ { "UNEVENNESS", COLUMN_RIGHT }, FIGURE_WAF },
	{ { "IOPS", COLUMN_RIGHT }, FIGURE_TIME },
	{ { "MB/S", COLUMN_RIGHT }, FIGURE_TIME },
	{ { "99 % OF WRITES", COLUMN_RIGHT }, FIGURE_TIME },
	{ { "UNTIL THE END", COLUMN_RIGHT }, FIGURE_LIFE },
};

static void add_number(struct view *v, bool known, const char *text)
{
	view_cell(v, known ? STYLE_PLAIN : STYLE_DIM, "%s", known ? text : "-");
}

static void add_waf_cells(struct view *v, const struct sweep_row *row)
{
	const struct interval waf = sweep_waf(row);
	struct simulation_result x = { 0 };
	char text[UNIT_TEXT_MAX];

	if (row->runs[0].simulated)
		sweep_pool(row, &x);
	snprintf(text, sizeof(text), "%.4f", waf.mean);
	add_number(v, waf.mean > 0, text);
	snprintf(text, sizeof(text), "%.4f", waf.low);
	add_number(v, waf.known, text);
	snprintf(text, sizeof(text), "%.4f", waf.high);
	add_number(v, waf.known, text);
	snprintf(text, sizeof(text), "%.3f", x.wear.mean > 0 ? x.wear.most / x.wear.mean : 0);
	add_number(v, x.wear.mean > 0, text);
}

static void add_time_cells(struct view *v, const struct sweep_row *row)
{
	const bool timed = row->runs[0].timed;
	char text[UNIT_TEXT_MAX];

	snprintf(text, sizeof(text), "%.0f", MEAN(row, iops));
	add_number(v, timed, text);
	snprintf(text, sizeof(text), "%.4g", MEAN(row, mb_per_s));
	add_number(v, timed, text);
	snprintf(text, sizeof(text), "%.4g us", MEAN(row, write_p99_us));
	add_number(v, timed && MEAN(row, write_p99_us) > 0, text);
}

static void choose_groups(const struct sweep_report *r, bool ret[])
{
	for (size_t i = 0; i < r->nrows; i++) {
		ret[FIGURE_WAF] = true;
		ret[FIGURE_TIME] = ret[FIGURE_TIME] || r->rows[i].runs[0].timed;
		ret[FIGURE_LIFE] = ret[FIGURE_LIFE] || all_have_life(&r->rows[i]);
	}
}

static void add_table(struct view *v, const struct sweep_report *r)
{
	bool groups[] = { false, false, false };
	char text[UNIT_TEXT_MAX];
	unsigned n = 0;

	choose_groups(r, groups);
	for (unsigned i = 0; i < r->naxes; i++)
		r->columns[n++] = (struct view_column){ r->axes[i].title, COLUMN_RIGHT };
	for (unsigned i = 0; i < SWEEP_FIGURES; i++)
		if (groups[figures[i].group])
			r->columns[n++] = figures[i].column;
	view_table(v, r->columns, n, 2);
	for (size_t i = 0; i < r->nrows; i++) {
		const struct sweep_row *row = &r->rows[i];

		for (unsigned k = 0; k < r->naxes; k++)
			view_cell(v, STYLE_PLAIN, "%s", row->values[k]);
		add_waf_cells(v, row);
		if (groups[FIGURE_TIME])
			add_time_cells(v, row);
		if (groups[FIGURE_LIFE])
			add_number(v, all_have_life(row),
				   format_bytes((u128)MEAN(row, life_bytes), text));
	}
}

void report_sweep_view(const struct sweep_report *r, struct view *v)
{
	size_t stopped = 0;
	const char *why = NULL;

	view_line(v, STYLE_HEADING, 0, "%zu of %zu combinations, %u run%s of each", r->nrows,
		  r->all, r->replicates, r->replicates == 1 ? "" : "s of different seeds");
	view_gap(v);
	if (r->nrows)
		add_table(v, r);
	for (size_t i = 0; i < r->nrows; i++) {
		stopped += stopped_text(&r->rows[i]) != NULL;
		why = why ? why : stopped_text(&r->rows[i]);
	}
	if (stopped)
		view_line(v, STYLE_WARNING, 0, "%zu of them: %s", stopped, why);
	if (r->stopped)
		view_line(v, STYLE_WARNING, 0, "%s", r->stopped);
}

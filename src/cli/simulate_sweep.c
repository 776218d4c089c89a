/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/answer.h"
#include "cli/simulate.h"
#include "cli/simulate_pool.h"
#include "report/sweep.h"
#include "sys/resources.h"

#define VALUES_MAX 64
#define POINTS_MAX 4096
#define JOBS_MAX   100000

/* Options that a sweep may vary: those that describe a run and take one value. */
#define GROUPS (GROUP_RATING | GROUP_MODEL | GROUP_WORKLOAD | GROUP_SIMULATION | GROUP_TIMING)

struct axis {
	const struct option_row *row;
	char *text; /* the values, cut at the commas */
	const char *values[VALUES_MAX];
	unsigned n;
	char key[64]; /* the option's name with underscores */
};

/* What a child sends. */
struct message {
	int err, fail_code; /* of a run that failed, why in text */
	char text[sizeof(((struct diag *)NULL)->text)];
	struct sweep_outcome outcome;
};

struct sweep {
	struct context *ctx;
	struct axis axes[SWEEP_AXES_MAX];
	unsigned naxes, replicates;
	size_t points;
	struct message *messages; /* points times replicates */
	bool *done;
	struct sweep_outcome *outcomes; /* those that are known, row by row */
	struct sweep_row *rows;
	struct sweep_axis told[SWEEP_AXES_MAX];
};

static void sweep_release(struct sweep *s)
{
	for (unsigned i = 0; i < s->naxes; i++)
		free(s->axes[i].text);
	free(s->messages);
	free(s->done);
	free(s->outcomes);
	free(s->rows);
}

/* --- the options -------------------------------------------------------------------------------
 */

static int find_option(struct context *ctx, const char *name, const struct option_row **ret)
{
	struct suggestion s = { .word = name };

	*ret = option_by_name(name);
	if (*ret && (*ret)->group & GROUPS &&
	    ((*ret)->type == OPTION_TEXT || (*ret)->type == OPTION_BYTES ||
	     (*ret)->type == OPTION_NUMBER || (*ret)->type == OPTION_SHARE) &&
	    strcmp(name, "jobs") != 0 && strcmp(name, "replicates") != 0)
		return 0;
	for (size_t i = 0; i < option_rows_n && !*ret; i++)
		if (option_rows[i].group & GROUPS)
			suggestion_offer(&s, option_rows[i].name);
	return context_usage(ctx, "--sweep: '%s' is no option of a run with one value%s%s%s", name,
			     s.best ? "; did you mean " : "", s.best ? s.best : "",
			     s.best ? "?" : "");
}

/* "spare=0.07,0.1" */
static int add_axis(struct sweep *s, const char *text)
{
	struct axis *a = &s->axes[s->naxes];
	struct context *ctx = s->ctx;
	char *equals, *comma;
	int r;

	if (s->naxes == SWEEP_AXES_MAX)
		return context_usage(ctx, "--sweep: at most %u options at a time", SWEEP_AXES_MAX);
	*a = (struct axis){ .text = strdup(text) };
	if (!a->text)
		return -ENOMEM;
	s->naxes++;
	equals = strchr(a->text, '=');
	if (!equals)
		return context_usage(ctx,
				     "--sweep: '%s' names no values; write it as "
				     "spare=0.07,0.1,0.28",
				     text);
	*equals = '\0';
	r = find_option(ctx, a->text, &a->row);
	if (r < 0)
		return r;
	for (char *at = equals + 1; at; at = comma ? comma + 1 : NULL) {
		comma = strchr(at, ',');
		if (comma)
			*comma = '\0';
		if (!*at || a->n == VALUES_MAX)
			return context_usage(ctx, "--sweep %s: %s", text,
					     *at ? "more values than 64" : "a value is empty");
		a->values[a->n++] = at;
	}
	snprintf(a->key, sizeof(a->key), "%s", a->row->name);
	for (char *c = a->key; *c; c++)
		*c = *c == '-' ? '_' : *c;
	for (unsigned i = 0; i + 1 < s->naxes; i++)
		if (s->axes[i].row == a->row)
			return context_usage(ctx, "--sweep: %s is there twice", a->row->name);
	return 0;
}

static const char *value_of(const struct sweep *s, size_t point, unsigned axis)
{
	for (unsigned i = s->naxes - 1; i > axis; i--)
		point /= s->axes[i].n;
	return s->axes[axis].values[point % s->axes[axis].n];
}

/* The options of one run into the context: they differ in values only, and share the lists. */
static int set_options(const struct sweep *s, size_t job, struct options *o, struct diag *d)
{
	const size_t point = job / s->replicates;
	int r = 0;

	for (unsigned i = 0; i < s->naxes && !r; i++)
		r = options_set(o, s->axes[i].row, value_of(s, point, i), d);
	o->seed.value += (double)(job % s->replicates);
	return r;
}

/* --- before the runs ---------------------------------------------------------------------------
 */

/* The reason why a combination is impossible, with its values. */
static int name_point(struct sweep *s, size_t point, int r)
{
	CLEANUP(str_release) struct str text = { 0 };
	struct diag *d = &s->ctx->diag;

	for (unsigned i = 0; i < s->naxes; i++)
		str_addf(&text, "%s%s=%s", i ? " " : "--sweep ", s->axes[i].row->name,
			 value_of(s, point, i));
	str_addf(&text, ": %s", d->text);
	if (!d->err || !s->naxes || str_error(&text) < 0)
		return r;
	diag_clear(d);
	return diag_fail(d, r, "%s", str_text(&text));
}

/*
 * Every combination is described before any is run, so that what is impossible is refused at once.
 * The first is described whole, with its trace. Gives the most memory that one of them takes.
 */
static int check_point(struct sweep *s, size_t point, uint64_t *most)
{
	CLEANUP(simulate_input_release) struct simulate_input in = { 0 };
	const struct options before = s->ctx->options;
	struct simulation_config c;
	int r = set_options(s, point * s->replicates, &s->ctx->options, &s->ctx->diag);

	if (r < 0)
		s->ctx->fail_code = EX_USAGE;
	if (!r)
		r = point ? simulate_describe(s->ctx, &in, &c) : simulate_config(s->ctx, &in, &c);
	if (!r && ftl_memory_bytes(&c.device) > *most)
		*most = ftl_memory_bytes(&c.device);
	s->ctx->options = before;
	return r < 0 ? name_point(s, point, r) : 0;
}

static int prepare(struct sweep *s, uint64_t *ret_memory)
{
	const struct option_list *texts = &s->ctx->options.sweep;
	size_t jobs;
	int r = 0;

	for (size_t i = 0; i < texts->n && !r; i++)
		r = add_axis(s, texts->items[i]);
	s->points = 1;
	for (unsigned i = 0; i < s->naxes && !r; i++) {
		s->points *= s->axes[i].n;
		if (s->points > POINTS_MAX)
			return context_usage(s->ctx, "--sweep: more than %u combinations",
					     POINTS_MAX);
	}
	if (!r && s->points * s->replicates > JOBS_MAX)
		return context_usage(s->ctx, "more than %u runs: --replicates %zu is possible",
				     JOBS_MAX, s->points ? JOBS_MAX / s->points : 0);
	*ret_memory = 1;
	for (size_t i = 0; i < s->points && !r; i++)
		r = check_point(s, i, ret_memory);
	if (r < 0)
		return r;
	jobs = s->points * s->replicates;
	s->messages = calloc(jobs, sizeof(*s->messages));
	s->done = calloc(jobs, sizeof(*s->done));
	s->outcomes = calloc(jobs, sizeof(*s->outcomes));
	s->rows = calloc(s->points, sizeof(*s->rows));
	return s->messages && s->done && s->outcomes && s->rows ? 0 : -ENOMEM;
}

/* --- the runs ----------------------------------------------------------------------------------
 */

static int keep(struct context *ctx, const struct simulation_report *r, void *arg)
{
	(void)ctx;
	sweep_outcome_of(r, arg);
	return 0;
}

/* In a child. */
static bool run(void *arg, size_t job, void *ret_result)
{
	struct sweep *s = arg;
	struct context *ctx = s->ctx;
	struct message *m = ret_result;
	int r = set_options(s, job, &ctx->options, &ctx->diag);

	ctx->options.quiet = true; /* the parent has told of the trace, and shows the progress */
	if (!r)
		r = simulate_once(ctx, &(struct simulate_show){ keep, &m->outcome });
	if (r < 0) {
		m->err = r;
		m->fail_code = ctx->fail_code;
		snprintf(m->text, sizeof(m->text), "%s",
			 ctx->diag.text[0] ? ctx->diag.text : strerror(-r));
	}
	return !r;
}

static bool goes_on(void *arg, const void *result)
{
	(void)arg;
	return !((const struct message *)result)->err;
}

/* The first that failed: those before it all were done, however many ran at a time. */
static int first_failure(struct sweep *s)
{
	for (size_t i = 0; i < s->points * s->replicates; i++) {
		const struct message *m = &s->messages[i];

		if (!s->done[i] || !m->err)
			continue;
		s->ctx->fail_code = m->fail_code;
		return diag_fail(&s->ctx->diag, m->err, "%s", m->text);
	}
	return 0;
}

/* --- the answer --------------------------------------------------------------------------------
 */

static size_t gather(struct sweep *s, double *cpu_seconds)
{
	size_t rows = 0, n = 0;

	for (size_t point = 0; point < s->points; point++) {
		struct sweep_row row = { .runs = &s->outcomes[n],
					 .to_death = s->ctx->options.until_death };

		for (unsigned i = 0; i < s->naxes; i++)
			row.values[i] = value_of(s, point, i);
		for (size_t k = point * s->replicates; k < (point + 1) * s->replicates; k++) {
			if (!s->done[k] || !s->messages[k].outcome.known)
				continue;
			s->outcomes[n++] = s->messages[k].outcome;
			*cpu_seconds += s->messages[k].outcome.cpu_seconds;
			row.n++;
		}
		if (row.n)
			s->rows[rows++] = row;
	}
	for (unsigned i = 0; i < s->naxes; i++)
		s->told[i] = (struct sweep_axis){ s->axes[i].key, s->axes[i].row->name,
						  s->axes[i].values, s->axes[i].n };
	return rows;
}

static int print_rows(struct context *ctx, const struct sweep_report *r)
{
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = report_sweep(r, ctx->now);

	report_sweep_view(r, &view);
	return answer_print(ctx, doc, doc_get(doc, "rows"), &view);
}

/* Replicates of one combination: the answer of a run, over all of them. */
static int print_pooled(struct sweep *s, const struct sweep_report *sweep)
{
	CLEANUP(simulate_input_release) struct simulate_input in = { 0 };
	struct simulation_config c;
	struct simulation_result result;
	char note[160];
	struct simulation_report r = { .config = &c,
				       .result = &result,
				       .cpu_seconds = sweep->cpu_seconds };
	int err = simulate_describe(s->ctx, &in, &c);

	if (err < 0)
		return err;
	sweep_pool(&s->rows[0], &result);
	snprintf(note, sizeof(note),
		 "%s%u runs with the seeds %llu and on; the interval is over all",
		 sweep->stopped ? "stopped by a signal: " : "", s->rows[0].n,
		 (unsigned long long)c.seed);
	r.stopped = sweep->stopped;
	r.replicates = s->rows[0].n;
	r.note = note;
	return simulate_print(s->ctx, &r, NULL);
}

int simulate_sweep(struct context *ctx)
{
	CLEANUP(sweep_release)
	struct sweep s = {
		.ctx = ctx,
		.replicates = (unsigned)ctx->options.replicates.value,
	};
	struct view_column columns[SWEEP_AXES_MAX + SWEEP_FIGURES];
	struct sweep_report report = { .axes = s.told,
				       .replicates = s.replicates,
				       .seed = (uint64_t)ctx->options.seed.value,
				       .columns = columns };
	struct simulate_pool pool;
	uint64_t memory = 1, available;
	struct sys sys;
	int r = sys_real(&sys, "");

	if (!r)
		r = prepare(&s, &memory);
	if (r < 0)
		return r;
	available = resources_available(&sys);
	pool = (struct simulate_pool){
		.jobs = s.points * s.replicates,
		.workers = ctx->options.jobs.set ? (unsigned)ctx->options.jobs.value
						 : resources_processors(),
		.run = run,
		.arg = &s,
		.result_size = sizeof(struct message),
		.goes_on = goes_on,
		.results = (char *)s.messages,
		.done = s.done,
	};
	if (available && pool.workers > available / memory)
		pool.workers = available / memory ? (unsigned)(available / memory) : 1;
	r = simulate_pool_run(ctx, &pool, &report.stopped);
	if (!r)
		r = first_failure(&s);
	if (r < 0)
		return r;
	report.cpu_seconds = resources_cpu_seconds();
	report.nrows = gather(&s, &report.cpu_seconds);
	report.all = s.points;
	report.naxes = s.naxes;
	report.rows = s.rows;
	if (!s.naxes && report.nrows && s.rows[0].runs[0].simulated && !s.rows[0].runs[0].timed)
		return print_pooled(&s, &report);
	return print_rows(ctx, &report);
}

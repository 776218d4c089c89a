/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "cli/answer.h"
#include "cli/drives.h"
#include "cli/presets.h"
#include "report/project.h"

/* What is asked, and the answers. */
struct question {
	struct what_if what_if;
	bool asked;
};

static int trim_of(struct context *ctx, const char *option, const char *word, enum trim_habit *ret)
{
	struct suggestion s = { .word = word };

	for (int habit = TRIM_NEVER; habit <= TRIM_AT_ONCE; habit++) {
		const char *name = trim_habit_text((enum trim_habit)habit);

		if (!strcmp(name, word)) {
			*ret = (enum trim_habit)habit;
			return 0;
		}
		suggestion_offer(&s, name);
	}
	return context_usage(
		ctx, "%s: there is no '%s'; there are daily, weekly, never and at-once%s%s%s",
		option, word, s.best ? "; did you mean " : "", s.best ? s.best : "",
		s.best ? "?" : "");
}

static int take_preset(struct context *ctx, const char *name, struct what_if *w)
{
	CLEANUP(presets_release) struct presets presets = { 0 };
	const struct preset *p;
	int err = presets_load(ctx, &presets);

	if (!err)
		err = presets_find(ctx, &presets, name, &p);
	if (err)
		return err;
	w->has_instead = true;
	w->instead_capacity = preset_number(p, PRESET_USER);
	w->instead_flash = 1 + preset_overprovisioning(p, w->instead_capacity);
	w->instead_budget = preset_number(p, PRESET_RAW) * preset_number(p, PRESET_PE);
	return 0;
}

static int take_conditions(struct context *ctx, struct question *q, struct owner_says *says)
{
	const struct options *o = &ctx->options;
	struct what_if *w = &q->what_if;
	int err = 0;

	w->has_overprovisioning = o->overprovision.set;
	w->overprovisioning = o->overprovision.value;
	w->has_fill = o->fill.set;
	w->fill = o->fill.value;
	w->has_trim = o->trim != NULL;
	w->has_writes = o->writes.set;
	w->writes = o->writes.value;
	says->has_fill = o->fill_now.set;
	says->fill = o->fill_now.value;
	if (o->trim)
		err = trim_of(ctx, "--trim", o->trim, &w->trim);
	if (!err && o->trim_now)
		err = trim_of(ctx, "--trim-now", o->trim_now, &says->trim);
	if (err)
		return err;
	if (o->writes.set && !o->writes.times)
		return context_usage(ctx, "--writes: how many times as much? write it as x%g",
				     o->writes.value);
	if (o->instead_of)
		err = take_preset(ctx, o->instead_of, w);
	if (err)
		return err;
	q->asked = w->has_overprovisioning || w->has_fill || w->has_trim || w->has_writes ||
		   w->has_instead;
	err = what_if_check(w, &ctx->diag);
	if (err)
		ctx->fail_code = EX_USAGE;
	return err;
}

static int answer(const struct fit_tables *t, const struct question *q, const struct drive_fit *m,
		  struct project_report *r)
{
	const struct estimate *now = r->now;
	bool by_host = now && (now->method == METHOD_RATED_TBW);
	struct what_if_value days;
	int err;

	if (!q->asked || !m->has_fit)
		return 0;
	err = what_if_answer(t, &m->fit, &q->what_if, &r->answer);
	r->answers = !err;
	if (err || (q->what_if.has_instead && m->fit.record.writes_per_day <= 0))
		return err;
	if (!now && q->what_if.has_instead) /* a new drive: nothing but the writes counts */
		days = (struct what_if_value){ 1, 1, 1 };
	else if (!now || now->days_left <= 0)
		return 0;
	else
		days = (struct what_if_value){ now->days_left, now->days_left, now->days_left };
	if (now && now->has_interval && now->days_low > 0) {
		days.low = now->days_low;
		days.high = now->days_high;
	}
	r->has_days = true;
	if (!by_host || q->what_if.has_instead)
		return what_if_days(t, &m->fit, &q->what_if, &days, &r->days);
	/* a limit of host writes: write amplification does not matter */
	r->days = days;
	if (q->what_if.has_writes) {
		r->days.median /= q->what_if.writes;
		r->days.low /= q->what_if.writes;
		r->days.high /= q->what_if.writes;
	}
	return 0;
}

int cmd_project(struct context *ctx)
{
	CLEANUP(drives_release)
	struct drives drives = {
		.with_history = true, .by_history = true, .with_model = true, .keep_models = true
	};
	CLEANUP(cleanup_free) struct project_report *reports = NULL;
	CLEANUP(view_release) struct view view = { 0 };
	CLEANUP(doc_release) struct doc *doc = NULL;
	CLEANUP(doc_release) struct doc *rows = NULL;
	struct question question = { 0 };
	struct project_answer all = { .what_if = &question.what_if };
	int err = take_conditions(ctx, &question, &drives.says);

	if (!err)
		err = drives_load(ctx, &drives);
	if (err)
		return err;
	reports = calloc(drives.n ? drives.n : 1, sizeof(*reports));
	if (!reports)
		return -ENOMEM;
	for (size_t i = 0; !err && i < drives.n; i++) {
		const struct drive_fit *m = &drives.items[i]->model;

		reports[i] = (struct project_report){
			.drive = &drives.reports[i],
			.reading = &m->reading,
			.fit = m->has_fit ? &m->fit : NULL,
			.now = fit_forecast(&drives.items[i]->assessment.estimates),
		};
		err = answer(drives.tables, &question, m, &reports[i]);
	}
	if (err)
		return err;
	all.drives = reports;
	all.n = drives.n;
	all.asked = question.asked;
	all.instead_of = ctx->options.instead_of;
	doc = report_project(&all, ctx->now);
	rows = report_project_rows(&all);
	report_project_view(&all, &view);
	err = answer_print(ctx, doc, doc_get(rows, "rows"), &view);
	return err ? err : drives.code;
}

/* SPDX-License-Identifier: MIT */
#include "report/fleet.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "health/array.h"
#include "report/text.h"

const char *replace_reason_name(enum replace_reason reason)
{
	static const char *const names[] = {
#define X(e, name) name,
		REPLACE_REASONS(X)
#undef X
	};

	return names[reason];
}

/* Findings after which a drive is not to be trusted with data, whatever its wear. */
static const char *const failing_ids[] = {
	"smart.failing",	 "device.read-only", "device.degraded",
	"spare.below-threshold", "selftest.failed",  "wear.life-low",
};

static const struct finding *failing_finding(const struct assessment *a)
{
	for (size_t i = 0; i < a->nfindings; i++) {
		const struct finding *f = &a->findings[i];

		if (f->suppressed || f->severity != SEVERITY_CRITICAL)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(failing_ids); k++)
			if (strcmp(f->id, failing_ids[k]) == 0)
				return f;
	}
	return NULL;
}

static void set_end(struct fleet_drive *d)
{
	const struct estimate *e = d->binding;

	if (!e || !e->has_days)
		return;
	d->ends = true;
	d->end = d->end_low = d->end_high = report_end_time(d->r, e);
	if (e->has_interval) {
		d->end_low = report_end_after(d->r, e, e->days_low);
		d->end_high = report_end_after(d->r, e, e->days_high);
	}
}

static void set_writes(struct fleet_drive *d)
{
	const struct assessment *a = d->r->assessment;
	i128 written, hours;

	if (a->forecast.has_writes_recent) {
		d->writes_basis = WRITES_RECENT;
		d->writes_per_day = a->forecast.writes_per_day_recent;
	} else if (facts_number(&a->facts, FACT_HOST_BYTES_WRITTEN, &written) &&
		   wear_power_on_hours(&a->facts, &hours) && hours > 0) {
		d->writes_basis = WRITES_LIFETIME;
		d->writes_per_day = (double)written / (double)hours * 24;
	}
}

/* What a drive by itself asks for; members of arrays are spread afterwards. */
static void set_replacement(struct fleet_drive *d, int64_t now)
{
	d->failing = failing_finding(d->r->assessment);
	if (d->ends && d->binding->days_left <= 0) {
		d->reason = REPLACE_WORN_OUT;
		d->replace_by = now;
	} else if (d->failing) {
		d->reason = REPLACE_FAILING;
		d->replace_by = now;
	} else if (d->ends) {
		d->reason = REPLACE_ENDS;
		d->replace_by = d->end_low > now ? d->end_low : now;
	}
}

static void add_up(struct fleet *f, const struct fleet_drive *d)
{
	const struct identity *id = &d->r->reading->identity;

	f->by_verdict[d->r->assessment->verdict]++;
	if (id->has_capacity)
		f->capacity_bytes += id->capacity_bytes;
	else
		f->capacity_unknown++;
	if (d->writes_basis != WRITES_UNKNOWN)
		f->writes_per_day += d->writes_per_day;
	else
		f->writes_unknown++;
	f->ends_unknown += !d->ends;
}

static int stagger_arrays(struct fleet *f, const struct drive_report *reports)
{
	CLEANUP(cleanup_free) const struct reading **readings = NULL;
	CLEANUP(cleanup_free) const struct assessment **assessments = NULL;
	struct array_plans plans = { 0 };
	int err;

	readings = calloc(f->n, sizeof(*readings));
	assessments = calloc(f->n, sizeof(*assessments));
	if (!readings || !assessments)
		return -ENOMEM;
	for (size_t i = 0; i < f->n; i++) {
		readings[i] = reports[i].reading;
		assessments[i] = reports[i].assessment;
	}
	err = array_plans_make(readings, assessments, f->n, reports[0].limits, f->now, &plans);
	for (size_t i = 0; !err && i < plans.n; i++) {
		for (size_t k = 0; k < plans.items[i].n; k++) {
			const struct array_member *m = &plans.items[i].members[k];
			struct fleet_drive *d = &f->drives[m->drive];

			if (!m->together || d->reason != REPLACE_ENDS ||
			    m->replace >= d->replace_by)
				continue;
			d->reason = REPLACE_STAGGERED;
			d->replace_by = m->replace > f->now ? m->replace : f->now;
		}
	}
	array_plans_release(&plans);
	return err;
}

static int compare_times(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_name(const struct fleet_drive *a, const struct fleet_drive *b)
{
	char one[REPORT_NAME_MAX], other[REPORT_NAME_MAX];
	int order = strcmp(report_name(a->r, one), report_name(b->r, other));

	if (!order)
		order = strcmp(a->r->reading->identity.serial, b->r->reading->identity.serial);
	return order;
}

/* Worn out drives end now, whenever that was: they come first, the most used of them at the top. */
static int by_end(const void *x, const void *y)
{
	const struct fleet_drive *a = x, *b = y;
	const struct wear *u = &a->r->assessment->wear, *v = &b->r->assessment->wear;
	bool a_out = a->ends && a->binding->days_left <= 0;
	bool b_out = b->ends && b->binding->days_left <= 0;
	int order = b_out - a_out;

	if (!order && a_out)
		order = (v->used > u->used) - (v->used < u->used);
	if (!order)
		order = b->ends - a->ends;
	if (!order && a->ends && !a_out)
		order = compare_times(a->end, b->end);
	if (!order)
		order = v->has_left - u->has_left;
	if (!order && u->has_left)
		order = (u->left > v->left) - (u->left < v->left);
	return order ? order : by_name(a, b);
}

static int by_replacement(const void *x, const void *y)
{
	const struct fleet_drive *a = *(const struct fleet_drive *const *)x;
	const struct fleet_drive *b = *(const struct fleet_drive *const *)y;
	int order = compare_times(a->replace_by, b->replace_by);

	return order ? order : compare_times((int64_t)a->number, (int64_t)b->number);
}

static void make_plan(struct fleet *f)
{
	double until = (double)f->now + f->terms.window_days * SECONDS_PER_DAY;
	int64_t lead = (int64_t)(f->terms.lead_days * SECONDS_PER_DAY);

	for (size_t i = 0; i < f->n; i++) {
		struct fleet_drive *d = &f->drives[i];

		d->number = i + 1;
		if (d->reason == REPLACE_NOT || (double)d->replace_by > until) {
			d->reason = REPLACE_NOT;
			continue;
		}
		d->order_by = d->replace_by - lead > f->now ? d->replace_by - lead : f->now;
		f->plan[f->nplan++] = d;
	}
	if (f->nplan)
		qsort(f->plan, f->nplan, sizeof(*f->plan), by_replacement);
}

/* The time of a file is that of its drive; what could not be read has none. */
static int64_t latest(const struct drive_report *drives, size_t n, int64_t now)
{
	int64_t found = TIME_UNKNOWN;

	for (size_t i = 0; i < n; i++)
		if (drives[i].reading->state != DRIVE_ABSENT && drives[i].now > found)
			found = drives[i].now;
	return found == TIME_UNKNOWN ? now : found;
}

int fleet_make(const struct drive_report *drives, size_t n, const struct fleet_terms *terms,
	       int64_t now, struct fleet *ret)
{
	CLEANUP(fleet_release) struct fleet f = { .n = n, .now = latest(drives, n, now) };
	int err = 0;

	f.terms = *terms;
	f.drives = calloc(n ? n : 1, sizeof(*f.drives));
	f.plan = calloc(n ? n : 1, sizeof(const struct fleet_drive *));
	if (!f.drives || !f.plan)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct fleet_drive *d = &f.drives[i];

		d->r = &drives[i];
		d->index = i;
		d->binding = report_binding(d->r);
		set_end(d);
		set_writes(d);
		set_replacement(d, f.now);
		add_up(&f, d);
	}
	if (n)
		err = stagger_arrays(&f, drives);
	if (err)
		return err;
	if (n)
		qsort(f.drives, n, sizeof(*f.drives), by_end);
	make_plan(&f);
	*ret = f;
	f = (struct fleet){ 0 };
	return 0;
}

void fleet_release(struct fleet *f)
{
	free(f->drives);
	free(f->plan);
	*f = (struct fleet){ 0 };
}

bool fleet_is_stale(const struct fleet_drive *d)
{
	int64_t time = d->r->reading->time;

	return d->r->from_history &&
	       (time == TIME_UNKNOWN || d->r->now - time > (int64_t)SECONDS_PER_DAY);
}

enum severity fleet_verdict(const struct fleet *f)
{
	for (int i = SEVERITY_CRITICAL; i > SEVERITY_OK; i--)
		if (f->by_verdict[i])
			return (enum severity)i;
	return f->n ? SEVERITY_OK : SEVERITY_UNKNOWN;
}

/* --- the plan by quarter -----------------------------------------------------------------------
 */

static int quarter_of(int64_t t)
{
	struct tm tm = { 0 };

	gmtime_r(&t, &tm);
	return (tm.tm_year + 1900) * 4 + tm.tm_mon / 3;
}

const char *quarter_text(int64_t t, char buf[QUARTER_TEXT])
{
	int quarter = quarter_of(t);

	snprintf(buf, QUARTER_TEXT, "%04d-Q%d", quarter / 4, quarter % 4 + 1);
	return buf;
}

bool fleet_quarter(const struct fleet *f, size_t n, struct fleet_quarter *ret)
{
	size_t first = 0, end;

	for (;; n--) {
		if (first >= f->nplan)
			return false;
		for (end = first + 1; end < f->nplan; end++)
			if (quarter_of(f->plan[end]->replace_by) !=
			    quarter_of(f->plan[first]->replace_by))
				break;
		if (!n)
			break;
		first = end;
	}
	/* by date: the first is the earliest to be ordered, too */
	*ret = (struct fleet_quarter){ f->plan + first, end - first, f->plan[first]->order_by };
	return true;
}

static bool same_kind(const struct drive_report *a, const struct drive_report *b)
{
	const struct identity *x = &a->reading->identity, *y = &b->reading->identity;

	return strcmp(x->model, y->model) == 0 && x->has_capacity == y->has_capacity &&
	       x->capacity_bytes == y->capacity_bytes;
}

#define KINDS_MAX 12

const char *fleet_order_text(const struct fleet_quarter *q, char buf[ORDER_TEXT_MAX])
{
	struct {
		const struct drive_report *example;
		size_t count;
	} kinds[KINDS_MAX];
	size_t n = 0, others = 0, at = 0;

	for (size_t i = 0; i < q->n; i++) {
		size_t k = 0;

		while (k < n && !same_kind(kinds[k].example, q->drives[i]->r))
			k++;
		if (k == KINDS_MAX) {
			others++;
			continue;
		}
		if (k == n) {
			kinds[n].example = q->drives[i]->r;
			kinds[n++].count = 0;
		}
		kinds[k].count++;
	}
	*buf = '\0';
	for (size_t k = 0; k < n && at < ORDER_TEXT_MAX; k++) {
		const struct identity *id = &kinds[k].example->reading->identity;
		char model[MODEL_MAX * 4], bytes[UNIT_TEXT_MAX] = "";

		text_escape(model, sizeof(model), *id->model ? id->model : "unknown model");
		if (id->has_capacity)
			format_bytes(id->capacity_bytes, bytes);
		at += (size_t)snprintf(buf + at, ORDER_TEXT_MAX - at, "%s%zu x %s%s%s",
				       at ? ", " : "", kinds[k].count, model, *bytes ? " " : "",
				       bytes);
	}
	if (others && at < ORDER_TEXT_MAX)
		snprintf(buf + at, ORDER_TEXT_MAX - at, ", and %zu of other models", others);
	return buf;
}

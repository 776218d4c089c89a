/* SPDX-License-Identifier: MIT */
#include "report/project.h"

#include <stdio.h>

#define DAYS_PER_YEAR 365.25

const char *trim_habit_text(enum trim_habit habit)
{
	static const char *const names[] = {
		[TRIM_UNKNOWN] = "unknown", [TRIM_NEVER] = "never",	[TRIM_WEEKLY] = "weekly",
		[TRIM_DAILY] = "daily",	    [TRIM_AT_ONCE] = "at-once",
	};

	return names[habit];
}

static int add_condition(char *buf, int n, const char *text)
{
	return n + snprintf(buf + n, (size_t)(PROJECT_TEXT_MAX - n), "%s%s", n ? ", " : "", text);
}

const char *report_conditions(const struct project_answer *a, char buf[PROJECT_TEXT_MAX])
{
	const struct what_if *w = a->what_if;
	char text[64];
	int n = 0;

	buf[0] = '\0';
	if (a->instead_of) {
		snprintf(text, sizeof(text), "a drive like %.40s", a->instead_of);
		n = add_condition(buf, n, text);
	}
	if (w->has_overprovisioning) {
		snprintf(text, sizeof(text), "overprovisioning %.4g %% in all",
			 w->overprovisioning * 100);
		n = add_condition(buf, n, text);
	}
	if (w->has_fill) {
		snprintf(text, sizeof(text), "filled to %.4g %%", w->fill * 100);
		n = add_condition(buf, n, text);
	}
	if (w->has_trim) {
		snprintf(text, sizeof(text), "trimmed %s", trim_habit_text(w->trim));
		n = add_condition(buf, n, text);
	}
	if (w->has_writes) {
		snprintf(text, sizeof(text), "writes x%.4g", w->writes);
		n = add_condition(buf, n, text);
	}
	if (!n)
		snprintf(buf, PROJECT_TEXT_MAX, "nothing changed");
	return buf;
}

const char *report_parameter_source(const struct project_report *r, enum fit_parameter p)
{
	const struct fit_record *c = &r->reading->record;
	const struct fit_value *v = &r->fit->values[p];

	if (p == FIT_OVERPROVISIONING && c->cycle > 0)
		return "NAND bytes over average erase count, against the capacity";
	if (p == FIT_OVERPROVISIONING && c->raw > 0)
		return "raw flash by the drive rules, less bad blocks and parity";
	if (p == FIT_FILL && v->given)
		return "what the drive or its owner says is in use";
	if (p == FIT_TRIMMED && v->given)
		return "use told without what was trimmed, or by its owner";
	if (p == FIT_FIXED && v->given)
		return "pSLC bytes over host bytes";
	return v->told ? "fitted" : "not told by the record";
}

/* --- JSON
 * ---------------------------------------------------------------------------------------- */

static void add_value(struct doc *parent, const char *key, bool has, const struct what_if_value *v,
		      double scale)
{
	struct doc *o;

	if (!has) {
		doc_null(parent, key);
		return;
	}
	o = doc_object(parent, key);
	doc_real(o, "median", v->median * scale, 6);
	doc_real(o, "low", v->low * scale, 6);
	doc_real(o, "high", v->high * scale, 6);
}

static void add_parameters(struct doc *drive, const struct project_report *r)
{
	struct doc *list = doc_array(drive, "parameters"), *pairs;

	for (int i = 0; r->fit && i < FIT_PARAMETER_COUNT; i++) {
		enum fit_parameter p = (enum fit_parameter)i;
		const struct fit_value *v = &r->fit->values[i];
		double scale = fit_parameter_is_share(p) ? 100 : 1;
		struct doc *o = doc_object(list, NULL);

		doc_string(o, "name", fit_parameter_name(p));
		doc_string(o, "unit", fit_parameter_is_share(p) ? "percent" : "ratio");
		doc_real(o, "median", v->median * scale, 6);
		doc_real(o, "low", v->low * scale, 6);
		doc_real(o, "high", v->high * scale, 6);
		doc_bool(o, "told_by_the_record", v->told);
		doc_bool(o, "given", v->given);
		doc_string(o, "source", report_parameter_source(r, p));
	}
	pairs = doc_array(drive, "cannot_be_told_apart");
	for (unsigned i = 0; r->fit && i < r->fit->npairs; i++) {
		struct doc *o = doc_object(pairs, NULL);

		doc_string(o, "a", fit_parameter_name(r->fit->pairs[i].a));
		doc_string(o, "b", fit_parameter_name(r->fit->pairs[i].b));
		doc_real(o, "correlation", r->fit->pairs[i].correlation, 3);
	}
}

static void add_measured(struct doc *drive, const struct project_report *r)
{
	struct doc *o;

	if (!r->fit) {
		doc_null(drive, "measured");
		return;
	}
	o = doc_object(drive, "measured");
	doc_real(o, "write_amplification", r->fit->waf, 6);
	doc_real_if(o, "days", r->fit->late.days > 0, r->fit->late.days, 6);
	doc_integer(o, "host_bytes", (i128)r->fit->late.host, UNIT_BYTES);
	doc_integer(o, "nand_bytes", (i128)r->fit->late.nand, UNIT_BYTES);
	doc_integer(o, "windows", r->fit->record.nwindows, UNIT_COUNT);
	doc_string(o, "source", fit_evidence_text(r->reading->evidence));
	doc_bool(o, "explained_by_the_model", !r->fit->strained);
}

static void add_wear(struct doc *drive, const struct fit_wear *w)
{
	struct doc *o = doc_object(drive, "wear_leveling");

	doc_real_if(o, "unevenness", w->has_unevenness, w->unevenness, 6);
	doc_real_if(o, "most_worn_ahead_cycles", w->has_unevenness, w->ahead, 6);
	doc_real_if(o, "gained_per_cycle", w->has_growth, w->growth, 6);
	doc_real_if(o, "gained_per_cycle_error", w->has_growth, w->growth_error, 6);
}

static struct what_if_value days_of(const struct estimate *e)
{
	return (struct what_if_value){ e->days_left, e->days_low, e->days_high };
}

static void add_today(struct doc *drive, const struct project_report *r)
{
	struct doc *o = doc_object(drive, "today");
	const struct estimate *e = r->now;
	char time[TIME_TEXT];

	doc_string(o, "method", e ? method_name(e->method) : NULL);
	doc_real_if(o, "write_amplification", r->fit != NULL, r->fit ? r->fit->waf : 0, 6);
	doc_real_if(o, "host_bytes_per_day", r->reading->record.writes_per_day > 0,
		    r->reading->record.writes_per_day, 6);
	doc_real_if(o, "days_left", e != NULL, e ? e->days_left : 0, 6);
	doc_real_if(o, "days_left_low", e && e->has_interval, e ? e->days_low : 0, 6);
	doc_real_if(o, "days_left_high", e && e->has_interval, e ? e->days_high : 0, 6);
	doc_real_if(o, "years_left", e != NULL, e ? e->days_left / DAYS_PER_YEAR : 0, 6);
	doc_string(o, "end_date", e ? time_format(report_end_time(r->drive, e), time) : NULL);
}

static void add_projected(struct doc *drive, const struct project_answer *a,
			  const struct project_report *r)
{
	const double capacity = a->what_if->has_instead ? a->what_if->instead_capacity
							: r->reading->record.capacity;
	const struct estimate none = { .has_days = true };
	struct doc *o;
	char time[TIME_TEXT];

	if (!r->answers) {
		doc_null(drive, "projected");
		return;
	}
	o = doc_object(drive, "projected");
	add_value(o, "write_amplification", true, &r->answer.waf, 1);
	add_value(o, "write_amplification_over_today", true, &r->answer.ratio, 1);
	add_value(o, "wear_over_today", true, &r->answer.wear, 1);
	add_value(o, "usable_capacity_bytes", capacity > 0, &r->answer.capacity, capacity);
	add_value(o, "days_left", r->has_days, &r->days, 1);
	add_value(o, "years_left", r->has_days, &r->days, 1 / DAYS_PER_YEAR);
	doc_string(o, "end_date",
		   r->has_days ? time_format(report_end_after(r->drive, r->now ? r->now : &none,
							      r->days.median),
					     time)
			       : NULL);
}

static void add_question(struct doc *root, const struct project_answer *a)
{
	const struct what_if *w = a->what_if;
	char text[PROJECT_TEXT_MAX];
	struct doc *o;

	if (!a->asked) {
		doc_null(root, "what_if");
		return;
	}
	o = doc_object(root, "what_if");
	doc_real_if(o, "overprovisioning_percent", w->has_overprovisioning,
		    w->overprovisioning * 100, 6);
	doc_real_if(o, "fill_percent", w->has_fill, w->fill * 100, 6);
	doc_string(o, "trim", w->has_trim ? trim_habit_text(w->trim) : NULL);
	doc_real_if(o, "writes_factor", w->has_writes, w->writes, 6);
	doc_string(o, "instead_of", a->instead_of);
	doc_string(o, "text", report_conditions(a, text));
}

struct doc *report_project(const struct project_answer *a, int64_t generated_at)
{
	struct doc *root = report_new("project", generated_at), *list;

	add_question(root, a);
	list = doc_array(root, "drives");
	for (size_t i = 0; i < a->n; i++) {
		const struct project_report *r = &a->drives[i];
		struct doc *drive = doc_object(list, NULL);

		report_add_identity(drive, r->drive);
		add_measured(drive, r);
		add_parameters(drive, r);
		add_wear(drive, &r->reading->wear);
		add_today(drive, r);
		add_projected(drive, a, r);
		doc_string(drive, "reason_if_absent", r->fit ? NULL : r->reading->missing);
		report_add_errors(drive, r->drive);
	}
	return root;
}

/* --- CSV
 * ----------------------------------------------------------------------------------------- */

static void add_row(struct doc *rows, const struct project_report *r, const char *quantity,
		    const char *unit, bool has_interval, struct what_if_value v)
{
	struct doc *o = doc_object(rows, NULL);

	doc_string(o, "model", r->drive->reading->identity.model);
	doc_string(o, "serial", r->drive->reading->identity.serial);
	doc_string(o, "quantity", quantity);
	doc_string(o, "unit", unit);
	doc_real(o, "median", v.median, 6);
	doc_real_if(o, "low", has_interval, v.low, 6);
	doc_real_if(o, "high", has_interval, v.high, 6);
}

static void add_rows(struct doc *rows, const struct project_report *r)
{
	if (r->fit)
		add_row(rows, r, "write_amplification_today", "ratio", false,
			(struct what_if_value){ .median = r->fit->waf });
	for (int p = 0; r->fit && p < FIT_PARAMETER_COUNT; p++) {
		const struct fit_value *v = &r->fit->values[p];
		bool share = fit_parameter_is_share((enum fit_parameter)p);
		double scale = share ? 100 : 1;

		add_row(rows, r, fit_parameter_name((enum fit_parameter)p),
			share ? "percent" : "ratio", true,
			(struct what_if_value){ v->median * scale, v->low * scale,
						v->high * scale });
	}
	if (r->now)
		add_row(rows, r, "days_left_today", "days", r->now->has_interval, days_of(r->now));
	if (r->answers)
		add_row(rows, r, "write_amplification_projected", "ratio", true, r->answer.waf);
	if (r->has_days)
		add_row(rows, r, "days_left_projected", "days", true, r->days);
}

struct doc *report_project_rows(const struct project_answer *a)
{
	struct doc *root = doc_new(), *rows = doc_array(root, "rows");

	for (size_t i = 0; i < a->n; i++)
		add_rows(rows, &a->drives[i]);
	return root;
}

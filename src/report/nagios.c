/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/answers.h"
#include "report/text.h"

/*
 * Plugin output as the Monitoring Plugins guidelines have it: "SERVICE STATUS - text | perfdata",
 * then more text. A bar separates performance data, so none may stand in a text.
 */
static void add_text(struct str *out, const char *s)
{
	for (; *s; s++)
		str_add_char(out, *s == '|' ? '/' : *s);
}

/* Quoted labels may hold anything but quotes and equals signs. */
static void add_label(struct str *out, const char *drive, const char *what)
{
	str_add_char(out, '\'');
	for (; *drive; drive++)
		str_add_char(out, strchr("'=|", *drive) ? '_' : *drive);
	str_addf(out, "%s%s'=", what ? "_" : "", what ? what : "");
}

static void add_fact(struct str *out, const struct drive_report *r, const char *name,
		     enum fact_id id, const char *suffix)
{
	char number[UNIT_TEXT_MAX];
	i128 v;

	if (!facts_number(&r->assessment->facts, id, &v))
		return;
	str_add_char(out, ' ');
	add_label(out, name, fact_name(id));
	str_addf(out, "%s%s", format_exact(v, fact_unit(id), number), suffix);
}

static void add_perfdata(struct str *out, const struct drive_report *r)
{
	const struct wear *w = &r->assessment->wear;
	const struct estimate *binding = report_binding(r);
	char name[REPORT_NAME_MAX], number[UNIT_TEXT_MAX];

	report_name(r, name);
	if (w->has_used) {
		str_add_char(out, ' ');
		add_label(out, name, "life_used_percent");
		str_addf(out, "%s%%;%g;%g;0", format_exact(w->used, UNIT_PERCENT, number),
			 r->limits->used_warning, r->limits->used_critical);
	}
	if (w->has_waf_lifetime) {
		str_add_char(out, ' ');
		add_label(out, name, "write_amplification");
		str_addf(out, "%.4f", w->waf_lifetime);
	}
	if (w->has_waf_recent) {
		str_add_char(out, ' ');
		add_label(out, name, "write_amplification_recent");
		str_addf(out, "%.4f", w->waf_recent);
	}
	if (binding && binding->by_history) {
		str_add_char(out, ' ');
		add_label(out, name, "days_left");
		str_addf(out, "%.0f", binding->days_left);
	}
	add_fact(out, r, name, FACT_AVAILABLE_SPARE, "%");
	add_fact(out, r, name, FACT_HOST_BYTES_WRITTEN, "B");
	add_fact(out, r, name, FACT_TEMPERATURE, "");
	add_fact(out, r, name, FACT_POWER_ON_HOURS, "");
}

static size_t count(const struct drive_report *drives, size_t n, enum severity severity)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += drives[i].assessment->verdict == severity;
	return found;
}

/* The first drive with the worst verdict speaks for all in the first line. */
static const struct drive_report *spokesman(const struct drive_report *drives, size_t n)
{
	enum severity worst = report_verdict(drives, n);

	for (size_t i = 0; i < n; i++)
		if (drives[i].assessment->verdict == worst)
			return &drives[i];
	return NULL;
}

void report_health_nagios(const struct drive_report *drives, size_t n, struct str *out)
{
	const struct drive_report *first = spokesman(drives, n);
	CLEANUP(str_release) struct str perfdata = { 0 };
	char name[REPORT_NAME_MAX];

	str_addf(out, "NANDLIFE %s - ", severity_label(report_verdict(drives, n)));
	if (!first) {
		str_add(out, "no SSD found\n");
		return;
	}
	if (n > 1)
		str_addf(out, "%zu drives, %zu critical, %zu warning, %zu unknown; ", n,
			 count(drives, n, SEVERITY_CRITICAL), count(drives, n, SEVERITY_WARNING),
			 count(drives, n, SEVERITY_UNKNOWN));
	add_text(out, report_name(first, name));
	str_add(out, ": ");
	add_text(out, first->assessment->reason);
	for (size_t i = 0; i < n; i++)
		add_perfdata(&perfdata, &drives[i]);
	if (perfdata.len)
		str_addf(out, " |%s", str_text(&perfdata));
	str_add_char(out, '\n');
	for (size_t i = 0; n > 1 && i < n; i++) {
		add_text(out, report_name(&drives[i], name));
		str_addf(out, " %s: ", severity_label(drives[i].assessment->verdict));
		add_text(out, drives[i].assessment->reason);
		str_add_char(out, '\n');
	}
}

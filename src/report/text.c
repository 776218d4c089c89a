/* SPDX-License-Identifier: MIT */
#include "report/text.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define NOT_REPORTED "not reported"

const char *report_title(const struct drive_report *r, char buf[REPORT_TEXT_MAX])
{
	const struct identity *id = &r->reading->identity;
	char model[MODEL_MAX * 4], serial[SERIAL_MAX * 4], size[UNIT_TEXT_MAX] = "";

	text_escape(model, sizeof(model), *id->model ? id->model : "unknown model");
	text_escape(serial, sizeof(serial), id->serial);
	if (id->has_capacity)
		format_bytes(id->capacity_bytes, size);
	snprintf(buf, REPORT_TEXT_MAX, "%s%s%s%s%s", model, *size ? " " : "", size,
		 *serial ? ", serial " : "", serial);
	return buf;
}

static const char *bound_words(enum fact_bound bound)
{
	static const char *const words[] = { "", "at least ", "at most " };

	return words[bound];
}

const char *report_used(const struct drive_report *r, char buf[REPORT_TEXT_MAX])
{
	const struct wear *w = &r->assessment->wear;
	char number[UNIT_TEXT_MAX];

	if (!w->has_used)
		return memcpy(buf, NOT_REPORTED, sizeof(NOT_REPORTED));
	snprintf(buf, REPORT_TEXT_MAX, "%s%s", bound_words(w->bound),
		 format_quantity(w->used, UNIT_PERCENT, number));
	return buf;
}

const char *report_left(const struct drive_report *r, char buf[REPORT_TEXT_MAX])
{
	const struct wear *w = &r->assessment->wear;
	char number[UNIT_TEXT_MAX];

	if (!w->has_left)
		return memcpy(buf, "-", 2);
	/* "at least 99 % used" is "at most 1 % left" */
	snprintf(buf, REPORT_TEXT_MAX, "%s%s",
		 w->left == 0 || w->bound == BOUND_EXACT ? ""
		 : w->bound == BOUND_AT_LEAST		 ? "<= "
							 : ">= ",
		 format_quantity(w->left, UNIT_PERCENT, number));
	return buf;
}

#define SECONDS_PER_YEAR (365.25 * 86400)
#define HORIZON_YEARS	 50 /* a date beyond it says no more than "not soon" */

const char *report_end(const struct drive_report *r, const struct estimate *e,
		       char buf[REPORT_TEXT_MAX])
{
	char time[TIME_TEXT];

	if (!e || !e->has_days)
		return memcpy(buf, "-", 2);
	if (e->days_left <= 0)
		return memcpy(buf, "worn out", sizeof("worn out"));
	if (e->days_left * 86400 > HORIZON_YEARS * SECONDS_PER_YEAR) {
		snprintf(buf, REPORT_TEXT_MAX, "> %d years", HORIZON_YEARS);
		return buf;
	}
	snprintf(buf, REPORT_TEXT_MAX, "%s", time_format_month(report_end_time(r, e), time));
	return buf;
}

const char *report_ends(const struct drive_report *r, const struct estimate *e,
			char buf[REPORT_TEXT_MAX])
{
	char end[REPORT_TEXT_MAX];

	report_end(r, e, end);
	snprintf(buf, REPORT_TEXT_MAX, "%s%.100s",
		 *end == '>'		      ? "lasts "
		 : *end >= '0' && *end <= '9' ? "ends "
					      : "",
		 *end == '-' ? "no end date" : end);
	return buf;
}

const char *report_interval(const struct drive_report *r, const struct estimate *e,
			    char buf[REPORT_TEXT_MAX])
{
	struct estimate low, high;
	char from[REPORT_TEXT_MAX], to[REPORT_TEXT_MAX];

	if (!e || !e->has_days || !e->has_interval || e->days_left <= 0)
		return memcpy(buf, "-", 2);
	low = high = *e;
	low.days_left = e->days_low;
	high.days_left = e->days_high;
	snprintf(buf, REPORT_TEXT_MAX, "%.100s to %.100s",
		 e->days_low > 0 ? report_end(r, &low, from) : "now", report_end(r, &high, to));
	return buf;
}

const char *report_fact(enum fact_id id, const struct fact *f, char buf[REPORT_TEXT_MAX])
{
	char number[UNIT_TEXT_MAX];

	if (!f)
		return memcpy(buf, NOT_REPORTED, sizeof(NOT_REPORTED));
	snprintf(buf, REPORT_TEXT_MAX, "%s%s", bound_words(f->bound),
		 format_quantity(f->value, fact_unit(id), number));
	return buf;
}

const char *report_source(const char *source, char buf[REPORT_TEXT_MAX])
{
	const char *rule = strstr(source, ", rule "), *name;
	bool unconfirmed = strstr(source, "unconfirmed") != NULL;
	size_t n = rule ? (size_t)(rule - source) : strlen(source);

	snprintf(buf, REPORT_TEXT_MAX, "%.*s", (int)n, source);
	name = strstr(buf, " (");
	if (name && buf[strlen(buf) - 1] == ')')
		buf[name - buf] = '\0';
	n = strlen(buf);
	if (unconfirmed && !strstr(buf, "unconfirmed"))
		snprintf(buf + n, REPORT_TEXT_MAX - n, " (unconfirmed)");
	return buf;
}

const char *report_age(const struct drive_report *r, char buf[REPORT_TEXT_MAX])
{
	const char *what = r->is_gone ? "last seen" : "last record";
	int64_t time = r->reading->time;
	char date[TIME_TEXT], age[UNIT_TEXT_MAX];

	if (time == TIME_UNKNOWN)
		snprintf(buf, REPORT_TEXT_MAX, "%s at an unknown time", what);
	else if (r->now == TIME_UNKNOWN || time > r->now)
		snprintf(buf, REPORT_TEXT_MAX, "%s %s", what, time_format(time, date));
	else
		snprintf(buf, REPORT_TEXT_MAX, "%s %s, %s ago", what, time_format(time, date),
			 format_hours((u128)(r->now - time) / 3600, age));
	return buf;
}

enum view_style severity_style(enum severity severity)
{
	static const enum view_style styles[] = {
		[SEVERITY_OK] = STYLE_GOOD,
		[SEVERITY_UNKNOWN] = STYLE_UNKNOWN,
		[SEVERITY_WARNING] = STYLE_WARNING,
		[SEVERITY_CRITICAL] = STYLE_BAD,
	};

	return styles[severity];
}

const struct estimate *report_binding(const struct drive_report *r)
{
	const struct estimates *e = &r->assessment->estimates;

	return e->binding >= 0 ? &e->by_method[e->binding] : NULL;
}

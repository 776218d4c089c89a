/* SPDX-License-Identifier: MIT */
#include "report/fleet_text.h"

#include <stdio.h>
#include <string.h>

const char *fleet_verdicts(const struct fleet *f, char buf[REPORT_TEXT_MAX])
{
	static const enum severity order[] = { SEVERITY_CRITICAL, SEVERITY_WARNING,
					       SEVERITY_UNKNOWN, SEVERITY_OK };
	size_t at = 0;

	if (!f->n)
		return memcpy(buf, "no SSD found", sizeof("no SSD found"));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		if (f->by_verdict[order[i]])
			at += (size_t)snprintf(buf + at, REPORT_TEXT_MAX - at, "%s%zu %s",
					       at ? ", " : "", f->by_verdict[order[i]],
					       severity_label(order[i]));
	return buf;
}

const char *fleet_waf(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX])
{
	const struct wear *w = &d->r->assessment->wear;
	char recent[32] = "-", lifetime[32] = "-";

	if (w->has_waf_recent)
		snprintf(recent, sizeof(recent), "%.2f", w->waf_recent);
	if (w->has_waf_lifetime)
		snprintf(lifetime, sizeof(lifetime), "%.2f", w->waf_lifetime);
	snprintf(buf, REPORT_TEXT_MAX, "%s / %s", recent, lifetime);
	return buf;
}

const char *fleet_writes(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX])
{
	char text[UNIT_TEXT_MAX];

	snprintf(buf, REPORT_TEXT_MAX, "%s",
		 d->writes_basis == WRITES_UNKNOWN ? "-"
						   : format_bytes((u128)d->writes_per_day, text));
	return buf;
}

const char *fleet_writes_basis(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX])
{
	double days = d->r->assessment->forecast.data_days;

	*buf = '\0';
	if (d->writes_basis == WRITES_RECENT)
		snprintf(buf, REPORT_TEXT_MAX, "last %.0f days",
			 days < WAF_RECENT_DAYS ? days : WAF_RECENT_DAYS);
	else if (d->writes_basis == WRITES_LIFETIME)
		snprintf(buf, REPORT_TEXT_MAX, "lifetime average");
	return buf;
}

const char *fleet_findings(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX])
{
	const struct assessment *a = d->r->assessment;
	size_t at = 0, left = 0;

	*buf = '\0';
	for (size_t i = 0; i < a->nfindings; i++) {
		const struct finding *f = &a->findings[i];

		if (f->suppressed || f->severity == SEVERITY_OK)
			continue;
		if (at + strlen(f->id) + 24 > REPORT_TEXT_MAX)
			left++;
		else
			at += (size_t)snprintf(buf + at, REPORT_TEXT_MAX - at, "%s%s",
					       at ? ", " : "", f->id);
	}
	if (left)
		snprintf(buf + at, REPORT_TEXT_MAX - at, " and %zu more", left);
	return buf;
}

const char *fleet_date(const struct fleet *f, int64_t t, char buf[REPORT_TEXT_MAX])
{
	char time[TIME_TEXT];

	if (t <= f->now)
		return memcpy(buf, "now", sizeof("now"));
	snprintf(buf, REPORT_TEXT_MAX, "%.10s", time_format(t, time));
	return buf;
}

const char *fleet_reason(const struct fleet_drive *d, char buf[REPORT_TEXT_MAX])
{
	char time[TIME_TEXT];

	*buf = '\0';
	switch (d->reason) {
	case REPLACE_FAILING:
		snprintf(buf, REPORT_TEXT_MAX, "%s", d->failing->text);
		break;
	case REPLACE_WORN_OUT:
		snprintf(buf, REPORT_TEXT_MAX, "worn out by %s", method_label(d->binding->method));
		break;
	case REPLACE_ENDS:
		snprintf(buf, REPORT_TEXT_MAX, "may end as early as %s",
			 time_format_month(d->end_low, time));
		break;
	case REPLACE_STAGGERED:
		snprintf(buf, REPORT_TEXT_MAX,
			 "may end as early as %s; earlier, apart from others of array %s",
			 time_format_month(d->end_low, time), d->r->reading->identity.array);
		break;
	case REPLACE_NOT:
		break;
	}
	return buf;
}

static const char *unknown_text(size_t n, char buf[48])
{
	*buf = '\0';
	if (n)
		snprintf(buf, 48, " (%zu drive%s unknown)", n, n == 1 ? "" : "s");
	return buf;
}

const char *fleet_capacity(const struct fleet *f, char buf[REPORT_TEXT_MAX])
{
	char bytes[UNIT_TEXT_MAX], unknown[48];

	if (f->capacity_unknown == f->n)
		return memcpy(buf, "unknown", sizeof("unknown"));
	snprintf(buf, REPORT_TEXT_MAX, "%s%s", format_bytes(f->capacity_bytes, bytes),
		 unknown_text(f->capacity_unknown, unknown));
	return buf;
}

const char *fleet_host_writes(const struct fleet *f, char buf[REPORT_TEXT_MAX])
{
	char bytes[UNIT_TEXT_MAX], unknown[48];

	if (f->writes_unknown == f->n)
		return memcpy(buf, "unknown", sizeof("unknown"));
	snprintf(buf, REPORT_TEXT_MAX, "%s a day%s", format_bytes((u128)f->writes_per_day, bytes),
		 unknown_text(f->writes_unknown, unknown));
	return buf;
}

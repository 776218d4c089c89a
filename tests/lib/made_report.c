/* SPDX-License-Identifier: MIT */
#include "lib/made_report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
/* cmocka needs the ones above */
#include <cmocka.h>

#define DAY 86400

static void set_fact(struct made_report *m, enum fact_id id, double shown, const char *source)
{
	struct fact_set *set = &m->assessment.facts.sets[id];

	set->n = 1;
	set->candidates[0] = (struct fact){ .value = (i128)(shown * unit_scale(fact_unit(id))),
					    .quality = QUALITY_MEASURED };
	snprintf(set->candidates[0].source, FACT_SOURCE_MAX, "%s", source);
}

static void set_sample(struct made_report *m, struct sample *s, enum fact_id id, double shown)
{
	s->has |= FACT_BIT(id);
	s->values[id] = (int64_t)(shown * unit_scale(fact_unit(id)));
	s->frame = &m->frame;
}

/* Writes have a weekly rhythm; share: of the way to now, 0..1. */
static void fill_sample(struct made_report *m, struct sample *s, double used, double share,
			double day)
{
	double host = 2e11 * (day + 0.5 * sin(2 * M_PI * day / 7)) + 1e14;

	set_sample(m, s, FACT_PERCENTAGE_USED, floor(used * (0.4 + 0.6 * share)));
	set_sample(m, s, FACT_HOST_BYTES_WRITTEN, floor(host / 512000) * 512000);
	set_sample(m, s, FACT_NAND_BYTES_WRITTEN, floor(host * (1.5 + 0.2 * share) / 1e6) * 1e6);
	set_sample(m, s, FACT_ERASE_COUNT_AVG, floor(35 * used * (0.4 + 0.6 * share)));
	set_sample(m, s, FACT_ERASE_COUNT_MAX, floor(41 * used * (0.4 + 0.6 * share)));
	set_sample(m, s, FACT_ERASE_COUNT_MIN, floor(30 * used * (0.4 + 0.6 * share)));
	set_sample(m, s, FACT_TEMPERATURE, floor(41 + 6 * sin(2 * M_PI * day)));
	set_sample(m, s, FACT_POWER_ON_HOURS, 20000 + 24 * day);
}

static void make_history(struct made_report *m, double used, unsigned days, unsigned hours)
{
	size_t n = (size_t)days * 24 / hours + 1;

	m->series.samples = calloc(n, sizeof(*m->series.samples));
	assert_non_null(m->series.samples);
	m->series.nsamples = n;
	m->frames[0] = &m->frame;
	for (size_t i = 0; i < n; i++) {
		struct sample *s = &m->series.samples[i];

		s->time = MADE_NOW - (int64_t)(n - 1 - i) * hours * 3600;
		fill_sample(m, s, used, (double)i / (double)n, (double)i * hours / 24);
	}
	m->report.series = &m->series;
	m->assessment.forecast.nsamples = n;
	m->assessment.forecast.data_days = days;
}

static void make_reading(struct made_report *m, const char *model, const char *serial)
{
	struct identity *id = &m->reading.identity;

	reading_init(&m->reading);
	m->reading.time = MADE_NOW;
	m->reading.state = DRIVE_READ;
	id->protocol = PROTOCOL_NVME;
	snprintf(id->model, MODEL_MAX, "%s", model);
	snprintf(id->serial, SERIAL_MAX, "%s", serial);
	snprintf(id->firmware, FW_MAX, "GDC5602Q");
	snprintf(id->path, NODE_MAX, "/dev/nvme%c", *serial);
	id->has_capacity = true;
	id->capacity_bytes = 1920383410176;
}

static void make_assessment(struct made_report *m, double used)
{
	struct assessment *a = &m->assessment;

	set_fact(m, FACT_PERCENTAGE_USED, used, "NVMe log 02h, offset 5 (percentage_used)");
	set_fact(m, FACT_TEMPERATURE, 41, "NVMe log 02h, offset 1 (temperature)");
	set_fact(m, FACT_HOST_BYTES_WRITTEN, 4.12e14, "NVMe log 02h, offset 48 (data_units)");
	set_fact(m, FACT_NAND_BYTES_WRITTEN, 6.55e14, "OCP log C0h, offset 0 (media_units)");
	set_fact(m, FACT_RATED_PE_CYCLES, 3500, "drive rules: samsung-nvme.json PM9A3");
	set_fact(m, FACT_POWER_ON_HOURS, 27210, "NVMe log 02h, offset 128 (power_on_hours)");
	a->wear.has_used = a->wear.has_left = a->wear.has_unevenness = true;
	a->wear.used = (i128)(used * 1000);
	a->wear.left = used < 100 ? 100000 - a->wear.used : 0;
	a->wear.has_waf_lifetime = true;
	a->wear.waf_lifetime = 1.59;
	a->wear.unevenness = 1.18;
	for (int i = 0; i < METHOD_COUNT; i++) {
		struct estimate *e = &a->estimates.by_method[i];

		e->method = (enum estimate_method)i;
		snprintf(e->reason, sizeof(e->reason), "not reported");
	}
	a->estimates.binding = METHOD_PERCENTAGE_USED;
	a->estimates.by_method[METHOD_PERCENTAGE_USED].has_left = true;
	a->estimates.by_method[METHOD_PERCENTAGE_USED].left_percent = fmax(0, 100 - used);
	*a->estimates.by_method[METHOD_PERCENTAGE_USED].reason = '\0';
	snprintf(a->estimates.binding_reason, sizeof(a->estimates.binding_reason),
		 "the earliest trustworthy limit");
}

struct made_report *made_report_new(const char *model, const char *serial, double used,
				    unsigned days, unsigned hours)
{
	struct made_report *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	limits_defaults(&m->limits);
	make_reading(m, model, serial);
	make_assessment(m, used);
	m->report = (struct drive_report){ .reading = &m->reading,
					   .rule = &m->rule,
					   .assessment = &m->assessment,
					   .limits = &m->limits,
					   .now = MADE_NOW };
	if (days)
		make_history(m, used, days, hours);
	return m;
}

void made_report_free(struct made_report *m)
{
	reading_release(&m->reading);
	free(m->series.samples);
	free(m->series.events);
	free(m);
}

void made_report_end(struct made_report *m, double days, double low, double high)
{
	struct estimate *e = &m->assessment.estimates.by_method[METHOD_PERCENTAGE_USED];
	struct forecast *f = &m->assessment.forecast;
	double used = 100 - e->left_percent;

	e->has_days = e->has_interval = true;
	e->days_left = days;
	e->days_low = low;
	e->days_high = high;
	snprintf(e->rests_on, sizeof(e->rests_on), "%.3g %% used", used);
	if (!f->nsamples || days <= 0)
		return;
	f->has_writes_recent = f->has_waf_recent = true;
	f->writes_per_day_recent = 2e11;
	f->waf_recent = m->assessment.wear.waf_recent = 1.41;
	f->waf_recent_days = m->assessment.wear.waf_recent_days = 30;
	m->assessment.wear.has_waf_recent = true;
	f->by_method[METHOD_PERCENTAGE_USED].has_days = true;
	snprintf(f->by_method[METHOD_PERCENTAGE_USED].rests_on, 160,
		 "%.0f days of history: 12 points of percentage used", f->data_days);
	f->cone_method = METHOD_PERCENTAGE_USED;
	f->npoints = FORECAST_POINTS_MAX;
	for (size_t i = 0; i < f->npoints; i++) {
		double at = fmin(high, 3 * days) * (double)i / (double)(f->npoints - 1);

		f->points[i] = (struct forecast_point){
			.time = MADE_NOW + (int64_t)(at * DAY),
			.low = used + (100 - used) * at / high,
			.middle = used + (100 - used) * at / days,
			.high = used + (100 - used) * at / low,
		};
	}
}

void made_report_event(struct made_report *m, double days_ago, enum event_kind kind,
		       const char *text)
{
	struct series *s = &m->series;

	s->events = reallocarray(s->events, s->nevents + 1, sizeof(*s->events));
	assert_non_null(s->events);
	s->events[s->nevents] = (struct event){ .time = MADE_NOW - (int64_t)(days_ago * DAY),
						.kind = kind };
	snprintf(s->events[s->nevents++].text, sizeof(s->events->text), "%s", text);
}

void made_report_finding(struct made_report *m, const char *id, enum severity severity,
			 const char *text)
{
	struct assessment *a = &m->assessment;
	struct finding *f = &a->findings[a->nfindings++];

	*f = (struct finding){ .id = id, .severity = severity };
	snprintf(f->text, sizeof(f->text), "%s", text);
	snprintf(f->evidence, sizeof(f->evidence), "NVMe log 02h");
	if (severity > a->verdict) {
		a->verdict = severity;
		snprintf(a->reason, sizeof(a->reason), "%s", text);
	}
}

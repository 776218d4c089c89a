/* SPDX-License-Identifier: MIT */
#include "lib/judged.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct judged *judged_new(enum protocol protocol)
{
	static struct judged d;

	reading_release(&d.r);
	memset(&d, 0, sizeof(d));
	reading_init(&d.r);
	d.r.state = DRIVE_READ;
	d.r.time = d.now = 1770000000;
	d.r.identity.protocol = protocol;
	limits_defaults(&d.limits);
	return &d;
}

struct fact *judged_candidate(struct judged *d, enum fact_id id, double shown)
{
	struct fact_set *set = &d->a.facts.sets[id];
	struct fact *f = &set->candidates[set->n++];

	assert_true(set->n <= CANDIDATES_MAX);
	*f = (struct fact){ .value = (i128)llround(shown * unit_scale(fact_unit(id))) };
	snprintf(f->source, sizeof(f->source), "test log, %s", fact_name(id));
	return f;
}

struct fact *judged_fact(struct judged *d, enum fact_id id, double shown)
{
	d->a.facts.sets[id].n = 0;
	return judged_candidate(d, id, shown);
}

struct attribute *judged_attribute(struct judged *d, uint8_t id, uint8_t value, uint8_t worst,
				   uint8_t threshold)
{
	struct attribute *a = &d->r.attributes[d->r.nattributes++];

	*a = (struct attribute){
		.id = id,
		.has_flags = true,
		.has_value = true,
		.has_worst = true,
		.has_threshold = true,
		.value = value,
		.worst = worst,
		.threshold = threshold,
	};
	return a;
}

struct judged *judged_nvme(void)
{
	struct judged *d = judged_new(PROTOCOL_NVME);

	judged_fact(d, FACT_CRITICAL_WARNING, 0);
	judged_fact(d, FACT_TEMPERATURE, 41);
	judged_fact(d, FACT_AVAILABLE_SPARE, 100);
	judged_fact(d, FACT_SPARE_THRESHOLD, 10);
	judged_fact(d, FACT_PERCENTAGE_USED, 10);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 100e12);
	judged_fact(d, FACT_POWER_ON_HOURS, 10000);
	judged_fact(d, FACT_MEDIA_ERRORS, 0);
	return d;
}

struct judged *judged_sata(void)
{
	struct judged *d = judged_new(PROTOCOL_ATA);

	d->r.smart_status = SMART_STATUS_PASSED;
	judged_fact(d, FACT_TEMPERATURE, 35);
	judged_fact(d, FACT_PERCENTAGE_USED, 10);
	judged_fact(d, FACT_HOST_BYTES_WRITTEN, 20e12);
	judged_fact(d, FACT_POWER_ON_HOURS, 10000);
	judged_attribute(d, 5, 100, 100, 10);
	return d;
}

const struct assessment *judged_run(struct judged *d)
{
	const struct criteria criteria = {
		.limits = &d->limits,
		.suppressions = d->suppressions,
		.nsuppressions = d->nsuppressions,
		.series = d->series,
		.now = d->now,
	};

	d->a.facts.nconflicts = 0;
	assess_facts(&d->r, &d->rule, &criteria, &d->a);
	return &d->a;
}

const struct finding *judged_finding(const struct judged *d, const char *id)
{
	for (size_t i = 0; i < d->a.nfindings; i++)
		if (strcmp(d->a.findings[i].id, id) == 0 && !d->a.findings[i].suppressed)
			return &d->a.findings[i];
	return NULL;
}

const struct finding *judged_expect(struct judged *d, const char *id, enum severity severity)
{
	const struct finding *f;

	judged_run(d);
	f = judged_finding(d, id);
	if (!f)
		fail_msg("no finding %s", id);
	if (f->severity != severity)
		fail_msg("%s is %s, wanted %s: %s", id, severity_name(f->severity),
			 severity_name(severity), f->text);
	if (!*f->text)
		fail_msg("%s has no text", id);
	return f;
}

void judged_refuse(struct judged *d, const char *id)
{
	const struct finding *f;

	judged_run(d);
	f = judged_finding(d, id);
	if (f)
		fail_msg("unwanted %s %s: %s", severity_name(f->severity), id, f->text);
}

const struct conflict *judged_conflict(const struct judged *d, enum fact_id a, enum fact_id b)
{
	for (size_t i = 0; i < d->a.facts.nconflicts; i++) {
		const struct conflict *c = &d->a.facts.conflicts[i];

		if (c->facts[0] == a && (b == FACT_NONE || c->facts[1] == b))
			return c;
	}
	return NULL;
}

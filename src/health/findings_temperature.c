/* SPDX-License-Identifier: MIT */
/* Findings on temperature: now against the limits that the drive, the rules or the admin name. */
#include <stdio.h>

#include "health/judge.h"
#include "health/temperature.h"

/* Readings and limits outside are not temperatures of a running drive. */
#define READING_MIN -55
#define READING_MAX 150
#define LIMIT_MIN   30
#define LIMIT_MAX   130

/* ATA names a highest operating temperature only; this far above it damage begins. */
#define ABOVE_SPECIFIED 10

/* Fields that name a limit, best first. 0 and nonsense count as not reported. */
static const struct {
	const char *layout, *field;
	bool critical;
	const char *who;
} named[] = {
	{ "nvme.controller", "wctemp", false, "WCTEMP" },
	{ "nvme.controller", "cctemp", true, "CCTEMP" },
	{ "ata.devstat.temperature", "specified_max", false, "Device Statistics" },
	{ "ata.sct_status", "temperature_limit", false, "SCT status" },
	{ "scsi.temperature", "reference", true, "log page 0Dh" },
};

static double celsius(i128 thousandths)
{
	return (double)thousandths / 1000;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

void temperature_limits(const struct reading *r, const struct drive_rule *rule,
			const struct limits *limits, struct temperature_limits *ret)
{
	struct temperature_limit warning = { 0 }, critical = { 0 };
	i128 v;

	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		struct temperature_limit *limit = named[i].critical ? &critical : &warning;

		if (limit->who || !reading_number(r, named[i].layout, named[i].field, &v))
			continue;
		if (v >= LIMIT_MIN * 1000 && v <= LIMIT_MAX * 1000)
			*limit = (struct temperature_limit){ celsius(v), named[i].who };
	}
	if (!warning.who && rule->matched && rule->has_limit_celsius)
		warning = (struct temperature_limit){ rule->limit_celsius, "drive rules" };
	/* a default never undercuts, or outbids, what is named */
	if (!critical.who && warning.who)
		critical = (struct temperature_limit){ larger(limits->temperature_critical,
							      warning.celsius + ABOVE_SPECIFIED),
						       "default" };
	if (!critical.who)
		critical = (struct temperature_limit){ limits->temperature_critical, "default" };
	if (!warning.who)
		warning = (struct temperature_limit){ limits->temperature_warning, "default" };
	if (warning.celsius > critical.celsius)
		warning = critical;
	*ret = (struct temperature_limits){ warning, critical };
}

static void limits_of(const struct judge *j, struct temperature_limits *ret)
{
	temperature_limits(j->r, j->rule, j->limits, ret);
}

/* The temperature now, if it is one. */
static bool temperature(const struct judge *j, double *ret, const struct fact **ret_fact)
{
	const struct fact *f = judge_fact(j, FACT_TEMPERATURE);

	if (!f || f->value < READING_MIN * 1000 || f->value > READING_MAX * 1000)
		return false;
	*ret = celsius(f->value);
	*ret_fact = f;
	return true;
}

static void temperature_evidence(struct finding *f, const struct fact *now,
				 const struct temperature_limits *limits)
{
	finding_evidence(f, "%.110s; warning from %g C (%s), critical from %g C (%s)", now->source,
			 limits->warning.celsius, limits->warning.who, limits->critical.celsius,
			 limits->critical.who);
}

void judge_over_critical(struct judge *j)
{
	struct temperature_limits limits;
	const struct fact *f;
	double now;

	if (j->r->identity.incomplete || !temperature(j, &now, &f))
		return;
	limits_of(j, &limits);
	if (now < limits.critical.celsius)
		return;
	temperature_evidence(
		judge_add(j, SEVERITY_CRITICAL, "cool it now: data and drive are at risk",
			  "%g C, the critical limit is %g C", now, limits.critical.celsius),
		f, &limits);
}

void judge_over_warning(struct judge *j)
{
	struct temperature_limits limits;
	const struct fact *f = NULL;
	unsigned mask;
	double now;
	bool known = temperature(j, &now, &f);
	bool flagged = judge_critical(j, CRITICAL_TEMPERATURE, &mask);

	limits_of(j, &limits);
	if (known && !j->r->identity.incomplete && now >= limits.warning.celsius) {
		if (now < limits.critical.celsius)
			temperature_evidence(judge_add(j, SEVERITY_WARNING, "improve its cooling",
						       "%g C, the warning limit is %g C", now,
						       limits.warning.celsius),
					     f, &limits);
		return;
	}
	if (!flagged)
		return;
	if (known)
		finding_evidence(
			judge_add(j, SEVERITY_WARNING, "check its cooling",
				  "the drive says its temperature is outside its limits: %g C "
				  "(critical warning 0x%02x)",
				  now, mask),
			"critical_warning 0x%02x, bit 1; %.110s", mask, f->source);
	else
		finding_evidence(judge_add(j, SEVERITY_WARNING, "check its cooling",
					   "the drive says its temperature is outside its limits "
					   "(critical warning 0x%02x)",
					   mask),
				 "critical_warning 0x%02x, bit 1", mask);
}

void judge_near_shutdown(struct judge *j)
{
	const struct drive_rule *rule = j->rule;
	const struct fact *f;
	double now;
	bool off = rule->over_temperature == OVER_TEMPERATURE_SWITCHES_OFF;

	if (!rule->matched || !rule->has_shutdown_celsius || !temperature(j, &now, &f))
		return;
	if (now < rule->shutdown_celsius - j->limits->shutdown_margin)
		return;
	finding_evidence(
		judge_add(j, now >= rule->shutdown_celsius ? SEVERITY_CRITICAL : SEVERITY_WARNING,
			  "cool it now, before it drops out", "%g C: above %d C this model %s", now,
			  rule->shutdown_celsius,
			  off ? "switches off until the next power cycle" : "shuts down"),
		"%.110s; drive rules: %.110s; margin %g C", f->source, rule->origin,
		j->limits->shutdown_margin);
}

/* One status of now; the rest are lifetime counters: hot once. */
void judge_throttled(struct judge *j)
{
	const struct fact *events = judge_fact(j, FACT_THERMAL_THROTTLE_EVENTS);
	const struct fact *minutes = judge_fact(j, FACT_MINUTES_OVER_TEMPERATURE);
	char count[UNIT_TEXT_MAX], time[UNIT_TEXT_MAX];
	i128 now;

	if (reading_number(j->r, "ocp.smart", "throttle_status", &now) && now > 0)
		finding_evidence(judge_add(j, SEVERITY_WARNING, "improve its cooling",
					   "the drive is slowed down by heat now"),
				 "OCP log C0h, thermal throttling status 0x%02x",
				 (unsigned)now & 0xff);
	if (events && events->value > 0)
		finding_evidence(judge_add(j, SEVERITY_OK,
					   "if it happens often, improve its cooling",
					   "thermal throttle events: %s in its lifetime",
					   format_grouped(events->value, count)),
				 "thermal_throttle_events: %.150s", events->source);
	if (minutes && minutes->value > 0)
		finding_evidence(judge_add(j, SEVERITY_OK, "if it grows, improve its cooling",
					   "%s over its temperature limit in its lifetime",
					   format_quantity(minutes->value, UNIT_MINUTES, time)),
				 "minutes_over_temperature: %.150s", minutes->source);
}

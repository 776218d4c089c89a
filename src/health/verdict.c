/* SPDX-License-Identifier: MIT */
/* From facts to findings, and from findings to the verdict and the line beside it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/assess.h"
#include "health/judge.h"

static void suppress(const struct reading *r, const struct suppression *suppressions, size_t n,
		     struct finding *f)
{
	for (size_t i = 0; i < n; i++) {
		const struct suppression *s = &suppressions[i];

		if (strcmp(s->id, f->id) != 0 ||
		    (*s->serial && strcmp(s->serial, r->identity.serial) != 0))
			continue;
		f->suppressed = true;
		text_copy(f->suppressed_why, sizeof(f->suppressed_why), s->reason);
		return;
	}
}

static bool comes_before(const struct finding *a, const struct finding *b)
{
	if (a->suppressed != b->suppressed)
		return b->suppressed;
	return a->severity > b->severity;
}

/* Insertion sort: few, and equal ones keep the table's order. */
static void sort_findings(struct finding *f, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct finding moved = f[i];
		size_t k = i;

		for (; k > 0 && comes_before(&moved, &f[k - 1]); k--)
			f[k] = f[k - 1];
		f[k] = moved;
	}
}

static void append(char *buf, size_t size, const char *fmt, ...) PRINTF(3, 4);

static void append(char *buf, size_t size, const char *fmt, ...)
{
	size_t n = strlen(buf);
	va_list ap;

	if (n > 0 && n + 2 < size) {
		memcpy(buf + n, ", ", 3);
		n += 2;
	}
	va_start(ap, fmt);
	vsnprintf(buf + n, size - n, fmt, ap);
	va_end(ap);
}

/* What a healthy drive says of itself, in numbers. */
static void healthy_reason(const struct assessment *a, char *buf, size_t size)
{
	char text[UNIT_TEXT_MAX];
	const struct fact *f;

	*buf = '\0';
	if (a->wear.has_used)
		append(buf, size, "%s%s of the rated life used",
		       a->wear.bound == BOUND_AT_LEAST ? "at least " : "",
		       format_quantity(a->wear.used, UNIT_PERCENT, text));
	else
		append(buf, size, "the drive reports no life used");
	f = facts_get(&a->facts, FACT_AVAILABLE_SPARE);
	if (f && f->value > 0)
		append(buf, size, "spare %s", format_quantity(f->value, UNIT_PERCENT, text));
	f = facts_get(&a->facts, FACT_TEMPERATURE);
	if (f)
		append(buf, size, "%s", format_quantity(f->value, UNIT_CELSIUS, text));
}

static void conclude(struct assessment *a)
{
	size_t accepted = 0;

	a->verdict = SEVERITY_OK;
	for (size_t i = 0; i < a->nfindings; i++) {
		accepted += a->findings[i].suppressed && a->findings[i].severity > SEVERITY_OK;
		if (!a->findings[i].suppressed && a->findings[i].severity > a->verdict)
			a->verdict = a->findings[i].severity;
	}
	/* sorted: the first one is the worst */
	if (a->verdict > SEVERITY_OK)
		text_copy(a->reason, sizeof(a->reason), a->findings[0].text);
	else
		healthy_reason(a, a->reason, sizeof(a->reason));
	if (accepted > 0)
		append(a->reason, sizeof(a->reason), "%zu %s accepted by the administrator",
		       accepted, accepted == 1 ? "finding" : "findings");
}

/* What the drive does today, beside what it did all its life. */
static void take_recent(const struct forecast *f, struct wear *wear)
{
	wear->has_waf_recent = f->has_waf_recent;
	wear->waf_recent = f->waf_recent;
	wear->waf_recent_days = f->waf_recent_days;
}

static void foresee(const struct criteria *criteria, struct assessment *a)
{
	const struct sample *last = criteria->series ? series_last(criteria->series) : NULL;

	a->forecast = (struct forecast){ 0 };
	if (!last)
		return;
	forecast_compute(criteria->series, &a->facts, &a->estimates,
			 criteria->now == TIME_UNKNOWN ? last->time : criteria->now, &a->forecast);
	take_recent(&a->forecast, &a->wear);
	forecast_apply(&a->forecast, &a->facts, &a->estimates);
}

void assess_facts(const struct reading *r, const struct drive_rule *rule,
		  const struct criteria *criteria, struct assessment *ret)
{
	const struct series *series = criteria->series;
	struct judge j = {
		.r = r,
		.rule = rule,
		.facts = &ret->facts,
		.wear = &ret->wear,
		.estimates = &ret->estimates,
		.limits = criteria->limits,
		.series = series,
		.now = criteria->now,
		.findings = ret->findings,
		.max = FINDINGS_MAX,
	};

	if (series)
		series_correct(series, r, &ret->facts);
	wear_compute(r, rule, &ret->facts, &ret->wear);
	estimates_compute(rule, &ret->facts, &ret->wear, &ret->estimates);
	foresee(criteria, ret);
	judge_all(&j);
	ret->nfindings = j.n;
	for (size_t i = 0; i < ret->nfindings; i++)
		suppress(r, criteria->suppressions, criteria->nsuppressions, &ret->findings[i]);
	sort_findings(ret->findings, ret->nfindings);
	conclude(ret);
}

void assess_add(const struct reading *r, const struct suppression *suppressions,
		size_t nsuppressions, const struct finding *finding, struct assessment *a)
{
	if (a->nfindings >= FINDINGS_MAX)
		return;
	a->findings[a->nfindings] = *finding;
	suppress(r, suppressions, nsuppressions, &a->findings[a->nfindings++]);
	sort_findings(a->findings, a->nfindings);
	conclude(a);
}

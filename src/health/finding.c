/* SPDX-License-Identifier: MIT */
/* The table of findings and what their conditions share. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/assess.h"
#include "health/judge.h"

const char *const finding_ids[] = {
#define X(id, condition, always) id,
	FINDINGS(X)
#undef X
		ARRAY_WEAR_CORRELATED,
	IDENTITY_WWN_SHARED,
	NULL,
};

static const struct {
	const char *id;
	void (*condition)(struct judge *j);
	bool always;
} rows[] = {
#define X(id, condition, always) { id, condition, always },
	FINDINGS(X)
#undef X
};

static const struct {
	const char *name, *label;
} severities[] = {
	[SEVERITY_OK] = { "ok", "OK" },
	[SEVERITY_UNKNOWN] = { "unknown", "UNKNOWN" },
	[SEVERITY_WARNING] = { "warning", "WARNING" },
	[SEVERITY_CRITICAL] = { "critical", "CRITICAL" },
};

const char *severity_name(enum severity severity)
{
	return severities[severity].name;
}

const char *severity_label(enum severity severity)
{
	return severities[severity].label;
}

#define LINE_MAX_BYTES 512

/* Words cut in the middle of a character, or a drive's own bytes, end up harmless. */
static void set_line(char *dst, size_t size, const char *fmt, va_list ap) PRINTF(3, 0);

static void set_line(char *dst, size_t size, const char *fmt, va_list ap)
{
	char line[LINE_MAX_BYTES];

	vsnprintf(line, sizeof(line), fmt, ap);
	text_escape(dst, size, line);
}

struct finding *judge_add(struct judge *j, enum severity severity, const char *advice,
			  const char *fmt, ...)
{
	struct finding *f = j->n < j->max ? &j->findings[j->n++] : &j->surplus;
	va_list ap;

	memset(f, 0, sizeof(*f));
	f->id = j->id;
	f->severity = severity;
	if (advice)
		text_escape(f->advice, sizeof(f->advice), advice);
	va_start(ap, fmt);
	set_line(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	return f;
}

void finding_evidence(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_line(f->evidence, sizeof(f->evidence), fmt, ap);
	va_end(ap);
}

const struct fact *judge_fact(const struct judge *j, enum fact_id id)
{
	const struct fact *f = facts_get(j->facts, id);

	return f && f->confidence <= CONFIDENCE_MEDIUM ? f : NULL;
}

enum severity judge_cap(enum severity severity, enum confidence confidence)
{
	return confidence > CONFIDENCE_HIGH && severity > SEVERITY_WARNING ? SEVERITY_WARNING
									   : severity;
}

const char *judge_mark(enum confidence confidence)
{
	return confidence > CONFIDENCE_HIGH ? ", unconfirmed" : "";
}

bool judge_critical(const struct judge *j, unsigned bits, unsigned *ret_mask)
{
	i128 mask = 0;

	if (facts_number(j->facts, FACT_CRITICAL_WARNING, &mask) && mask < 0)
		mask = 0;
	*ret_mask = (unsigned)(mask & 0xff);
	return *ret_mask & bits;
}

/*
 * "SMART / Health Information (log 02h), percentage used at byte 5" -> "log 02h";
 * "attribute 202 raw value (life used, %), rule MX500" -> "attribute 202".
 */
const char *source_short(const char *source, char buf[SOURCE_SHORT_MAX])
{
	static const char *const kinds[] = { " raw value", " normalised value" };
	const char *log = strstr(source, "(log ");
	size_t n;

	if (log)
		source = log + 1;
	n = strcspn(source, log ? ")" : ",;(");
	while (n > 0 && source[n - 1] == ' ')
		n--;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(kinds[i]);

		if (n > len && memcmp(source + n - len, kinds[i], len) == 0)
			n -= len;
	}
	snprintf(buf, SOURCE_SHORT_MAX, "%.*s",
		 (int)(n < SOURCE_SHORT_MAX ? n : SOURCE_SHORT_MAX - 1), source);
	return buf;
}

/*
 * A SMART / Health page of zeros comes from a host tool or a bridge that could not read it. A live
 * drive has at least a temperature or has been powered on.
 */
static bool is_zero_page(const struct facts *facts)
{
	bool zeros = false;

	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact *f = facts_get(facts, (enum fact_id)i);

		if (!f || f->quality == QUALITY_DERIVED)
			continue;
		if (f->value != 0)
			return false;
		zeros = true;
	}
	return zeros;
}

bool judge_has_health_data(const struct judge *j)
{
	bool reported = j->r->nattributes > 0 || j->r->smart_status != SMART_STATUS_UNKNOWN ||
			j->r->nselftests > 0;

	for (int i = 0; i < FACT_COUNT && !reported; i++) {
		const struct fact *f = facts_get(j->facts, (enum fact_id)i);

		reported = f && f->quality != QUALITY_DERIVED;
	}
	return reported && (j->r->nattributes > 0 || !is_zero_page(j->facts));
}

void judge_all(struct judge *j)
{
	bool has_data = judge_has_health_data(j);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!has_data && !rows[i].always)
			continue;
		j->id = rows[i].id;
		rows[i].condition(j);
	}
}

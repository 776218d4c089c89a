/* SPDX-License-Identifier: MIT */
#include "report/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FACT_METRIC(name_, heading_, id)                                                   \
	{                                                                                  \
		.name = (name_), .heading = (heading_), .kind = METRIC_FACT, .fact = (id), \
		.per = FACT_NONE                                                           \
	}
#define METRIC(kind_, name_, key_, heading_, fact_, per_, help_)                        \
	{                                                                               \
		.name = (name_), .key = (key_), .heading = (heading_), .help = (help_), \
		.kind = (kind_), .fact = (fact_), .per = (per_)                         \
	}

const struct metric metrics[] = {
	METRIC(METRIC_DAILY, "writes-per-day", "host_bytes_written_per_day", "WRITES/DAY",
	       FACT_HOST_BYTES_WRITTEN, FACT_NONE, "host writes a day"),
	METRIC(METRIC_DAILY, "reads-per-day", "host_bytes_read_per_day", "READS/DAY",
	       FACT_HOST_BYTES_READ, FACT_NONE, "host reads a day"),
	METRIC(METRIC_DAILY, "nand-per-day", "nand_bytes_written_per_day", "NAND/DAY",
	       FACT_NAND_BYTES_WRITTEN, FACT_NONE, "NAND writes a day"),
	METRIC(METRIC_DAILY, "wear-per-day", "percentage_used_per_day", "WEAR/DAY",
	       FACT_PERCENTAGE_USED, FACT_NONE, "rated life used a day"),
	METRIC(METRIC_DAILY, "erases-per-day", "erase_count_avg_per_day", "ERASES/DAY",
	       FACT_ERASE_COUNT_AVG, FACT_NONE, "erases of an average block a day"),
	METRIC(METRIC_GROWTH, "waf", "waf", "WAF", FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN,
	       "write amplification of that time"),
	METRIC(METRIC_RATIO, "waf-lifetime", "waf_lifetime", "WAF EVER", FACT_NAND_BYTES_WRITTEN,
	       FACT_HOST_BYTES_WRITTEN, "write amplification since the drive was new"),
	METRIC(METRIC_RATIO, "unevenness", "unevenness", "UNEVEN", FACT_ERASE_COUNT_MAX,
	       FACT_ERASE_COUNT_AVG, "wear unevenness: maximum over average erase count"),

	FACT_METRIC("written", "WRITTEN", FACT_HOST_BYTES_WRITTEN),
	FACT_METRIC("read", "READ", FACT_HOST_BYTES_READ),
	FACT_METRIC("nand", "NAND", FACT_NAND_BYTES_WRITTEN),
	FACT_METRIC("nand-slc", "NAND SLC", FACT_NAND_BYTES_WRITTEN_SLC),
	FACT_METRIC("erase-avg", "ERASE AVG", FACT_ERASE_COUNT_AVG),
	FACT_METRIC("erase-max", "ERASE MAX", FACT_ERASE_COUNT_MAX),
	FACT_METRIC("erase-min", "ERASE MIN", FACT_ERASE_COUNT_MIN),
	FACT_METRIC("erase-slc-avg", "SLC AVG", FACT_ERASE_COUNT_SLC_AVG),
	FACT_METRIC("erase-slc-max", "SLC MAX", FACT_ERASE_COUNT_SLC_MAX),
	FACT_METRIC("rated-pe", "RATED P/E", FACT_RATED_PE_CYCLES),
	FACT_METRIC("rated-pe-slc", "RATED SLC", FACT_RATED_PE_CYCLES_SLC),
	FACT_METRIC("tbw", "TBW", FACT_RATED_BYTES_WRITTEN),
	FACT_METRIC("used", "USED", FACT_PERCENTAGE_USED),
	FACT_METRIC("spare", "SPARE", FACT_AVAILABLE_SPARE),
	FACT_METRIC("spare-threshold", "SPARE MIN", FACT_SPARE_THRESHOLD),
	FACT_METRIC("reallocated", "REALLOC", FACT_REALLOCATED_BLOCKS),
	FACT_METRIC("program-fails", "PROG FAILS", FACT_PROGRAM_FAIL_COUNT),
	FACT_METRIC("erase-fails", "ERASE FAILS", FACT_ERASE_FAIL_COUNT),
	FACT_METRIC("uncorrectable", "UNCORR", FACT_UNCORRECTABLE_ERRORS),
	FACT_METRIC("media-errors", "MEDIA ERR", FACT_MEDIA_ERRORS),
	FACT_METRIC("crc-errors", "CRC ERR", FACT_CRC_ERRORS),
	FACT_METRIC("hours", "HOURS", FACT_POWER_ON_HOURS),
	FACT_METRIC("power-cycles", "CYCLES", FACT_POWER_CYCLES),
	FACT_METRIC("unsafe", "UNSAFE", FACT_UNSAFE_SHUTDOWNS),
	FACT_METRIC("temperature", "TEMP", FACT_TEMPERATURE),
	FACT_METRIC("temperature-max", "TEMP MAX", FACT_TEMPERATURE_MAX),
	FACT_METRIC("over-temperature", "OVER TEMP", FACT_MINUTES_OVER_TEMPERATURE),
	FACT_METRIC("throttled", "THROTTLED", FACT_THERMAL_THROTTLE_EVENTS),
	FACT_METRIC("critical-warning", "CRIT WARN", FACT_CRITICAL_WARNING),
	FACT_METRIC("write-protected", "READ-ONLY", FACT_WRITE_PROTECTED),
	FACT_METRIC("capacitor", "CAPACITOR", FACT_CAPACITOR_HEALTH),
	FACT_METRIC("free-blocks", "FREE", FACT_FREE_BLOCKS),
	FACT_METRIC("endurance-estimate", "ENDURANCE", FACT_ENDURANCE_ESTIMATE),
	FACT_METRIC("in-use", "IN USE", FACT_BYTES_IN_USE),
};
const size_t metrics_n = ARRAY_SIZE(metrics);

#define STEPS 8 /* of a counter that a rate rests on at least */

/* The same word, - and _ being one. */
static bool same_word(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(strchr("-_", *a) && strchr("-_", *b)))
			return false;
	return *a == *b;
}

const char *metric_key(const struct metric *m)
{
	return m->key ? m->key : fact_name(m->fact);
}

const char *metric_help(const struct metric *m)
{
	return m->help ? m->help : fact_label(m->fact);
}

bool metric_is_rate(const struct metric *m)
{
	return m->kind == METRIC_DAILY || m->kind == METRIC_GROWTH;
}

const struct metric *metric_by_name(const char *name)
{
	for (size_t i = 0; i < metrics_n; i++)
		if (same_word(metrics[i].name, name) || same_word(metric_key(&metrics[i]), name))
			return &metrics[i];
	return NULL;
}

static uint64_t facts_needed(const struct metric *m)
{
	return FACT_BIT(m->fact) | (m->per == FACT_NONE ? 0 : FACT_BIT(m->per));
}

static bool counts(const struct metric_reader *reader, size_t i)
{
	const struct sample *s = &reader->series->samples[i];
	uint64_t needed = facts_needed(reader->metric);

	return !s->aside && (s->has & needed) == needed;
}

/* Seconds in which the counter makes STEPS steps at its mean pace; 0 where it does not move. */
static double seconds_of_steps(const struct metric_reader *reader, enum fact_id fact)
{
	struct counter_pace pace;

	series_pace(reader->series, fact, facts_needed(reader->metric), &pace);
	return pace.step ? STEPS * (double)pace.step * (double)pace.seconds / (double)pace.risen
			 : 0;
}

void metric_reader_init(struct metric_reader *reader, const struct metric *m,
			const struct series *s, double window_seconds)
{
	*reader = (struct metric_reader){ .metric = m, .series = s, .seconds = window_seconds };
	if (!metric_is_rate(m))
		return;
	reader->seconds = fmax(reader->seconds, seconds_of_steps(reader, m->fact));
	if (m->per != FACT_NONE)
		reader->seconds = fmax(reader->seconds, seconds_of_steps(reader, m->per));
	while (reader->back < s->nsamples && !counts(reader, reader->back))
		reader->back++;
	reader->next = reader->back;
}

/* The sample to compare with: the last one that is at least the stretch older, else the first. */
static const struct sample *compare_with(struct metric_reader *reader, size_t i)
{
	const struct series *s = reader->series;
	double until = (double)s->samples[i].time - reader->seconds;

	for (; reader->next < i && (double)s->samples[reader->next].time <= until; reader->next++)
		if (counts(reader, reader->next))
			reader->back = reader->next;
	return reader->back < i ? &s->samples[reader->back] : NULL;
}

static double growth(const struct sample *from, const struct sample *to, enum fact_id fact)
{
	return ((double)to->values[fact] - (double)from->values[fact]) /
	       unit_scale(fact_unit(fact));
}

static bool read_rate(struct metric_reader *reader, size_t i, double *ret)
{
	const struct sample *to = &reader->series->samples[i], *from = compare_with(reader, i);
	const struct metric *m = reader->metric;
	double seconds, rise, per;

	if (!from || from->time >= to->time)
		return false;
	seconds = (double)(to->time - from->time);
	rise = growth(from, to, m->fact);
	/* no rise in less than the stretch says nothing */
	if (rise < 0 || (rise == 0 && seconds < reader->seconds))
		return false;
	if (m->kind == METRIC_DAILY) {
		*ret = rise / seconds * SECONDS_PER_DAY;
		return true;
	}
	per = growth(from, to, m->per);
	if (per <= 0 || rise == 0)
		return false;
	*ret = rise / per;
	return true;
}

static enum fact_bound bound_of(const struct sample *s, enum fact_id fact)
{
	if (s->at_least & FACT_BIT(fact))
		return BOUND_AT_LEAST;
	return s->at_most & FACT_BIT(fact) ? BOUND_AT_MOST : BOUND_EXACT;
}

static bool read_ratio(const struct metric *m, const struct sample *s, double *ret)
{
	if (s->values[m->per] <= 0 || s->values[m->fact] < 0)
		return false;
	*ret = (double)s->values[m->fact] / (double)s->values[m->per];
	return true;
}

/* A sample whose time is wrong still shows what the drive said. */
static bool read_fact(const struct metric *m, const struct sample *s, struct metric_value *ret)
{
	int64_t shown;

	if (!(s->has & FACT_BIT(m->fact)))
		return false;
	shown = sample_shown(s, m->fact);
	*ret = (struct metric_value){
		.is_integer = true,
		.integer = shown,
		.real = (double)shown / unit_scale(fact_unit(m->fact)),
		.bound = bound_of(s, m->fact),
	};
	return true;
}

bool metric_read(struct metric_reader *reader, size_t i, struct metric_value *ret)
{
	const struct sample *s = &reader->series->samples[i];
	const struct metric *m = reader->metric;
	double v;

	if (m->kind == METRIC_FACT)
		return read_fact(m, s, ret);
	if (!counts(reader, i) ||
	    !(m->kind == METRIC_RATIO ? read_ratio(m, s, &v) : read_rate(reader, i, &v)))
		return false;
	*ret = (struct metric_value){ .real = v, .bound = BOUND_EXACT };
	return true;
}

/* Three digits or more, so that a small rate is not a rate of zero. */
static const char *small_number(double v, const char *unit, char buf[UNIT_TEXT_MAX])
{
	double size = fabs(v);
	int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size == 0 ? 2 : 4;
	const char *gap = *unit ? " " : "";

	if (size != 0 && size < 0.0001)
		snprintf(buf, UNIT_TEXT_MAX, "%.1e%s%s", v, gap, unit);
	else
		snprintf(buf, UNIT_TEXT_MAX, "%.*f%s%s", decimals, v, gap, unit);
	return buf;
}

const char *metric_real_text(const struct metric *m, double v, char buf[UNIT_TEXT_MAX])
{
	enum unit unit = fact_unit(m->fact);

	if (m->kind == METRIC_RATIO || m->kind == METRIC_GROWTH)
		return small_number(v, "", buf);
	if (unit == UNIT_BYTES && v >= 0)
		return format_bytes(v < 0x1p126 ? (u128)v : (u128)1 << 126, buf);
	return small_number(v, unit_text(unit), buf);
}

const char *metric_text(const struct metric *m, const struct metric_value *v,
			char buf[UNIT_TEXT_MAX])
{
	char number[UNIT_TEXT_MAX];

	if (!v->is_integer)
		return metric_real_text(m, v->real, buf);
	if (v->bound == BOUND_EXACT)
		return format_quantity(v->integer, fact_unit(m->fact), buf);
	format_quantity(v->integer, fact_unit(m->fact), number);
	snprintf(buf, UNIT_TEXT_MAX, "%s %.50s",
		 v->bound == BOUND_AT_LEAST ? "at least" : "at most", number);
	return buf;
}

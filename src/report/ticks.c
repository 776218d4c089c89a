/* SPDX-License-Identifier: MIT */
#include "report/ticks.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "base/times.h"
#include "base/units.h"

double axis_top(double highest)
{
	static const double tops[] = { 1, 2, 2.5, 3, 4, 5, 6, 8, 10 };
	double power;

	if (!(highest > 0) || !isfinite(highest))
		return 1;
	power = pow(10, floor(log10(highest)));
	for (size_t i = 0; i < ARRAY_SIZE(tops); i++)
		if (highest <= tops[i] * power * (1 + 1e-9))
			return tops[i] * power;
	return 10 * power;
}

static void number_label(double v, char label[TICK_LABEL_MAX])
{
	char grouped[UNIT_TEXT_MAX];

	if (v >= 10000 && v < 1e15)
		snprintf(label, TICK_LABEL_MAX, "%s", format_grouped((i128)v, grouped));
	else
		snprintf(label, TICK_LABEL_MAX, "%.6g", v);
}

size_t ticks_numbers(double top, unsigned most, struct tick ret[TICKS_MAX])
{
	static const double steps[] = { 1, 2, 5 };
	double power = pow(10, floor(log10(top)) - 2), step = power;
	size_t n = 0;

	for (unsigned i = 0; floor(top / step * (1 + 1e-9)) + 1 > most; i++) {
		unsigned tens = i / ARRAY_SIZE(steps);

		step = steps[i % ARRAY_SIZE(steps)] * power * pow(10, tens);
	}
	for (; n < TICKS_MAX && (double)n * step <= top * (1 + 1e-9); n++) {
		ret[n].at = (double)n * step;
		number_label(ret[n].at, ret[n].label);
	}
	return n;
}

size_t ticks_between(double low, double high, unsigned most, struct tick ret[TICKS_MAX])
{
	struct tick of_span[TICKS_MAX];
	size_t n = 0;
	double step;

	if (!(high > low) || ticks_numbers(high - low, most, of_span) < 2)
		return 0;
	step = of_span[1].at;
	for (double i = ceil(low / step - 1e-9); n < TICKS_MAX; i++, n++) {
		if (i * step > high + step * 1e-9)
			break;
		ret[n].at = i * step;
		number_label(ret[n].at, ret[n].label);
	}
	return n;
}

const char *tick_class(size_t n, size_t of)
{
	if (of <= 3 || n % 4 == 0)
		return "few";
	if (of <= 5)
		return n % 2 ? "more" : "few";
	return n % 2 ? "most" : "more";
}

enum calendar_unit { CALENDAR_DAY, CALENDAR_MONTH, CALENDAR_YEAR };

/* Finest first. */
static const struct date_step {
	enum calendar_unit unit;
	int count;
	double days; /* about */
} date_steps[] = {
	{ CALENDAR_DAY, 1, 1 },	       { CALENDAR_DAY, 2, 2 },	       { CALENDAR_DAY, 7, 7 },
	{ CALENDAR_DAY, 14, 14 },      { CALENDAR_MONTH, 1, 30.4 },    { CALENDAR_MONTH, 3, 91.3 },
	{ CALENDAR_MONTH, 6, 182.6 },  { CALENDAR_YEAR, 1, 365.2 },    { CALENDAR_YEAR, 2, 730.5 },
	{ CALENDAR_YEAR, 5, 1826 },    { CALENDAR_YEAR, 10, 3652 },    { CALENDAR_YEAR, 25, 9131 },
	{ CALENDAR_YEAR, 100, 36525 }, { CALENDAR_YEAR, 500, 182625 },
};

/* 1970-01-05 was a Monday: steps of whole weeks start on Mondays. */
static int64_t first_day(int64_t day, int count)
{
	int64_t offset = count % 7 == 0 ? 4 : 0;

	return day + ((offset - day) % count + count) % count;
}

/* The n-th time of the step that is not before `from`. */
static int64_t step_time(const struct date_step *s, int64_t from, int n)
{
	struct tm tm = { 0 };
	int at;

	if (s->unit == CALENDAR_DAY) {
		int64_t day = (from + SECONDS_PER_DAY - 1) / SECONDS_PER_DAY;

		return (first_day(day, s->count) + (int64_t)n * s->count) * SECONDS_PER_DAY;
	}
	gmtime_r(&from, &tm);
	at = tm.tm_year + 1900;
	if (s->unit == CALENDAR_MONTH)
		at = at * 12 + tm.tm_mon;
	/* the last step that is not after `from`; the next one if that is before it */
	at = at / s->count * s->count;
	for (;; at += s->count) {
		int64_t t = s->unit == CALENDAR_MONTH
				    ? time_from_civil(at / 12, at % 12 + 1, 1, 0, 0, 0)
				    : time_from_civil(at, 1, 1, 0, 0, 0);

		if (t >= from && n-- == 0)
			return t;
	}
}

static void date_label(const struct date_step *s, int64_t t, char label[TICK_LABEL_MAX])
{
	static const int digits[] = {
		[CALENDAR_DAY] = 10, [CALENDAR_MONTH] = 7, [CALENDAR_YEAR] = 4
	};
	char text[TIME_TEXT];

	snprintf(label, TICK_LABEL_MAX, "%.*s", digits[s->unit], time_format(t, text));
}

size_t ticks_dates(int64_t from, int64_t to, unsigned most, struct tick ret[TICKS_MAX])
{
	const struct date_step *s = date_steps;
	double days = (double)(to - from) / SECONDS_PER_DAY;
	size_t n = 0;

	while (s < date_steps + ARRAY_SIZE(date_steps) - 1 && days / s->days + 1 > most)
		s++;
	for (; n < TICKS_MAX; n++) {
		int64_t t = step_time(s, from, (int)n);

		if (t > to)
			break;
		ret[n].at = (double)t;
		date_label(s, t, ret[n].label);
	}
	return n;
}

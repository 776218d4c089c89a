/* SPDX-License-Identifier: MIT */
#include "ftl/endurance_answer.h"

#define DAYS_PER_YEAR 365.25

const char *endurance_basis_text(enum endurance_basis basis)
{
	static const char *const names[] = {
		[ENDURANCE_UNKNOWN] = "unknown",
		[ENDURANCE_SIMULATED] = "simulated",
		[ENDURANCE_MODEL] = "integral-over-limits",
		[ENDURANCE_EQUATION] = "wear-equation",
	};

	return names[basis];
}

static struct interval exactly(double x)
{
	return (struct interval){ .mean = x, .low = x, .high = x };
}

static struct interval times(struct interval v, double factor)
{
	v.mean *= factor;
	v.low *= factor;
	v.high *= factor;
	return v;
}

/* The more is written for each host byte, the sooner the end: the interval turns round. */
static struct interval by_equation(const struct endurance_question *q, double unevenness)
{
	double budget = q->flash_bytes * q->pe_cycles / unevenness;
	struct interval v = { .mean = budget / q->waf.mean };

	v.known = q->waf.known && q->waf.low > 0;
	v.low = v.known ? budget / q->waf.high : v.mean;
	v.high = v.known ? budget / q->waf.low : v.mean;
	return v;
}

struct endurance_answer endurance_answer(const struct endurance_question *q)
{
	struct endurance_answer a = { .unevenness = q->unevenness > 1 ? q->unevenness : 1 };

	if (q->simulated_bytes > 0) {
		a.basis = ENDURANCE_SIMULATED;
		a.bytes = exactly(q->simulated_bytes);
	} else if (q->model_bytes > 0) {
		a.basis = ENDURANCE_MODEL;
		a.bytes = exactly(q->model_bytes);
	} else if (q->pe_cycles > 0 && q->flash_bytes > 0 && q->waf.mean > 0) {
		a.basis = ENDURANCE_EQUATION;
		a.bytes = by_equation(q, a.unevenness);
	} else {
		return a;
	}
	a.dwpd = a.bytes.mean / (q->capacity_bytes * q->warranty_years * DAYS_PER_YEAR);
	if (q->daily_bytes > 0)
		a.years = times(a.bytes, 1 / (q->daily_bytes * DAYS_PER_YEAR));
	return a;
}

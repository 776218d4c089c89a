/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "report/answers.h"

#define DAYS_PER_YEAR 365.25
#define BYTES_PER_TB  1e12

/* Above this a number of years is no answer. */
#define FORESEEABLE_DAYS (1000 * DAYS_PER_YEAR)

/* Either the factors are given and the life is asked, or the life is given and they are asked. */
static bool asks_for_factors(const struct wear_question *q)
{
	return q->years > 0 && q->bytes_per_day > 0;
}

static double allowed_product(const struct wear_question *q)
{
	return wear_equation_allowed_product(q->equation.capacity_bytes, q->equation.pe_cycles,
					     q->bytes_per_day, q->years * DAYS_PER_YEAR);
}

struct doc *report_equation(const struct wear_question *q, int64_t generated_at)
{
	const struct wear_equation *e = &q->equation;
	struct doc *root = report_new("life", generated_at), *o;

	o = doc_object(root, "equation");
	doc_real(o, "capacity_bytes", e->capacity_bytes, 15);
	doc_real(o, "rated_pe_cycles", e->pe_cycles, 15);
	doc_real_if(o, "host_bytes_per_day", q->bytes_per_day > 0, q->bytes_per_day, 15);
	if (asks_for_factors(q)) {
		doc_real(o, "years", q->years, 6);
		doc_real(o, "allowed_product", allowed_product(q), 6);
	} else {
		double bytes = wear_equation_host_bytes(e);

		doc_real(o, "write_amplification", e->waf, 6);
		doc_real(o, "unevenness", e->unevenness, 6);
		doc_real(o, "host_bytes", bytes, 15);
		if (q->bytes_per_day > 0) {
			doc_real(o, "days", bytes / q->bytes_per_day, 6);
			doc_real(o, "years", bytes / q->bytes_per_day / DAYS_PER_YEAR, 6);
		} else {
			doc_null(o, "days");
			doc_null(o, "years");
		}
	}
	return root;
}

/* In TB with one digit behind the point, as makers write it, where that shows anything. */
static const char *host_bytes_text(double bytes, char buf[UNIT_TEXT_MAX])
{
	if (bytes < BYTES_PER_TB / 10 || bytes >= BYTES_PER_TB * 1e5)
		return format_bytes((u128)bytes, buf);
	snprintf(buf, UNIT_TEXT_MAX, "%.1f TB", bytes / BYTES_PER_TB);
	return buf;
}

void report_equation_view(const struct wear_question *q, struct view *v)
{
	const struct wear_equation *e = &q->equation;
	char capacity[UNIT_TEXT_MAX], daily[UNIT_TEXT_MAX], life[UNIT_TEXT_MAX];
	char total[UNIT_TEXT_MAX];
	double bytes, days;

	format_bytes((u128)e->capacity_bytes, capacity);
	format_bytes((u128)q->bytes_per_day, daily);
	if (asks_for_factors(q)) {
		view_line(v, STYLE_PLAIN, 0,
			  "%s x %.0f cycles lasts %.4g years at %s a day while write amplification "
			  "x unevenness stays up to %.2f",
			  capacity, e->pe_cycles, q->years, daily, allowed_product(q));
		return;
	}
	bytes = wear_equation_host_bytes(e);
	view_line(v, STYLE_PLAIN, 0,
		  "%s x %.0f cycles / (%.4g write amplification x %.4g unevenness) = %s of host "
		  "writes",
		  capacity, e->pe_cycles, e->waf, e->unevenness, host_bytes_text(bytes, total));
	if (q->bytes_per_day <= 0)
		return;
	days = bytes / q->bytes_per_day;
	if (days > FORESEEABLE_DAYS) {
		view_line(v, STYLE_PLAIN, 0, "at %s a day: more than 1,000 years", daily);
		return;
	}
	view_line(v, STYLE_PLAIN, 0, "at %s a day: %s (%.0f days)", daily, format_days(days, life),
		  days);
}

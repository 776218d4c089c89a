/* SPDX-License-Identifier: MIT */
#include "lib/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN	    1500000000
#define DAY	    86400
#define SAMPLES_MAX 90000

struct history *history_new(void)
{
	static struct history h;
	static struct sample *samples;

	if (!samples)
		samples = calloc(SAMPLES_MAX, sizeof(*samples));
	if (!samples)
		abort();
	memset(&h, 0, sizeof(h));
	h.series.samples = samples;
	h.host_step = 512000;
	h.percent_step = 1;
	h.now = BEGIN;
	for (int i = 0; i < METHOD_COUNT; i++) {
		h.estimates.by_method[i].method = (enum estimate_method)i;
		h.estimates.by_method[i].counter = FACT_NONE;
	}
	history_limit(&h, METHOD_PERCENTAGE_USED, FACT_PERCENTAGE_USED, 100000);
	history_sample(&h);
	return &h;
}

static void show(struct sample *s, enum fact_id id, double value, double step)
{
	if (step <= 0)
		return;
	s->has |= FACT_BIT(id);
	s->values[id] = (int64_t)(floor(value / step + 1e-9) * step);
}

void history_sample(struct history *h)
{
	static const struct frame frame;
	struct sample *s = &h->series.samples[h->series.nsamples];

	if (++h->series.nsamples > SAMPLES_MAX)
		abort();
	memset(s, 0, sizeof(*s));
	s->time = h->now;
	s->frame = &frame;
	s->live = true;
	show(s, FACT_HOST_BYTES_WRITTEN, h->host, h->host_step);
	show(s, FACT_NAND_BYTES_WRITTEN, h->nand, h->nand_step);
	show(s, FACT_PERCENTAGE_USED, h->wear * 1e5, h->percent_step * 1e3);
	show(s, FACT_ERASE_COUNT_AVG, h->wear * h->rated_cycles, h->rated_cycles > 0);
	show(s, FACT_POWER_ON_HOURS, h->days * 24, 1);
}

void history_go(struct history *h, double days, double every, double bytes_per_day,
		double wear_per_byte)
{
	double end = h->days + days;

	while (h->days < end - 1e-6) {
		double step = fmin(every, end - h->days);

		h->days += step;
		h->host += step * bytes_per_day;
		h->nand += step * bytes_per_day * wear_per_byte * 1e15;
		h->wear += step * bytes_per_day * wear_per_byte;
		h->now = BEGIN + (int64_t)llround(h->days * DAY);
		history_sample(h);
	}
}

void history_limit(struct history *h, enum estimate_method method, enum fact_id counter,
		   double limit)
{
	struct estimate *e = &h->estimates.by_method[method];

	e->counter = counter;
	e->limit = limit;
	e->has_left = true;
}

const struct forecast *history_forecast(struct history *h)
{
	static struct forecast f;

	forecast_compute(&h->series, &h->facts, &h->estimates, h->now, &f);
	return &f;
}

/* SPDX-License-Identifier: MIT */
#include "lib/made_series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

struct frame *made_frame(struct series *s)
{
	struct frame frame = { .protocol = PROTOCOL_NVME, .firmware = "1.0", .path = "/dev/sda" };
	const struct frame *ret;

	for (int i = 0; i < FACT_COUNT; i++)
		snprintf(frame.facts[i].source, sizeof(frame.facts[i].source), "log of %s",
			 fact_name((enum fact_id)i));
	assert_int_equal(series_add_frame(s, &frame, &ret), 0);
	return s->frames[s->nframes - 1];
}

struct sample *made_sample(struct series *s, const struct frame *frame, int64_t time)
{
	struct sample sample = { .time = time, .frame = frame, .live = true };

	assert_int_equal(series_add_sample(s, &sample), 0);
	return &s->samples[s->nsamples - 1];
}

void made_fact(struct sample *s, enum fact_id id, int64_t value)
{
	s->has |= FACT_BIT(id);
	s->values[id] = value;
}

size_t made_events(const struct series *s, enum event_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nevents; i++)
		n += s->events[i].kind == kind;
	return n;
}

const char *made_event_text(const struct series *s, enum event_kind kind)
{
	for (size_t i = 0; i < s->nevents; i++)
		if (s->events[i].kind == kind)
			return s->events[i].text;
	return "";
}

/* SPDX-License-Identifier: MIT */
#ifndef LIB_MADE_SERIES_H
#define LIB_MADE_SERIES_H

#include "health/series.h"

/* Histories written down as numbers: each fact comes from a source of its own name. */

#define T0     INT64_C(1767225600) /* 2026-01-01T00:00:00Z */
#define HOUR   INT64_C(3600)
#define DAY    (24 * HOUR)
#define GBYTES INT64_C(1000000000)
#define TBYTES INT64_C(1000000000000)

/* A frame in which every fact has a source and the drive sits at /dev/sda with firmware 1.0. */
struct frame *made_frame(struct series *s);

/* A live sample without facts; it stays where it is until the next one is added. */
struct sample *made_sample(struct series *s, const struct frame *frame, int64_t time);

void made_fact(struct sample *s, enum fact_id id, int64_t value);

/* How many events of that kind. */
size_t made_events(const struct series *s, enum event_kind kind);

/* The text of the first event of that kind; "" where there is none. */
const char *made_event_text(const struct series *s, enum event_kind kind);

#endif

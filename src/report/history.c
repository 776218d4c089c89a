/* SPDX-License-Identifier: MIT */
#include "report/history.h"

#include <string.h>

/* The answers of `history` for machines. Facts stand as they are kept, counters made continuous. */

void history_range(const struct series *s, int64_t since, int64_t until, struct history_query *q)
{
	int64_t end = until == TIME_UNKNOWN ? INT64_MAX : until;

	q->sample_from = q->event_from = 0;
	while (q->sample_from < s->nsamples && s->samples[q->sample_from].time < since)
		q->sample_from++;
	while (q->event_from < s->nevents && s->events[q->event_from].time < since)
		q->event_from++;
	q->sample_to = s->nsamples;
	q->event_to = s->nevents;
	while (q->sample_to > q->sample_from && s->samples[q->sample_to - 1].time > end)
		q->sample_to--;
	while (q->event_to > q->event_from && s->events[q->event_to - 1].time > end)
		q->event_to--;
}

static void add_facts(struct doc *sample, const struct sample *s)
{
	struct doc *o = doc_object(sample, "facts");

	for (int i = 0; i < FACT_COUNT; i++)
		if (s->has & FACT_BIT(i))
			doc_integer(o, fact_name((enum fact_id)i), sample_shown(s, (enum fact_id)i),
				    fact_unit((enum fact_id)i));
}

static void add_value(struct doc *o, struct metric_reader *reader, size_t i)
{
	const struct metric *m = reader->metric;
	struct metric_value v;

	if (!metric_read(reader, i, &v))
		doc_null(o, metric_key(m));
	else if (v.is_integer)
		doc_integer(o, metric_key(m), v.integer, fact_unit(m->fact));
	else
		doc_real(o, metric_key(m), v.real, 6);
}

/* The metrics that were asked for: facts as facts, all else beside them. */
static void add_metrics(struct doc *sample, const struct history_query *q,
			struct metric_reader *readers, size_t i)
{
	struct doc *facts = doc_object(sample, "facts"), *rates = doc_object(sample, "rates");

	for (size_t k = 0; k < q->nmetrics; k++)
		add_value(q->metrics[k]->kind == METRIC_FACT ? facts : rates, &readers[k], i);
}

static void start_readers(const struct series *s, const struct history_query *q,
			  struct metric_reader *readers)
{
	for (size_t k = 0; k < q->nmetrics; k++)
		metric_reader_init(&readers[k], q->metrics[k], s, q->window_seconds);
}

static void add_events(struct doc *root, const struct series *s, const struct history_query *q)
{
	struct doc *list = doc_array(root, "events");
	char time[TIME_TEXT];

	for (size_t i = q->event_from; i < q->event_to; i++) {
		struct doc *o = doc_object(list, NULL);

		doc_string(o, "time", time_format(s->events[i].time, time));
		doc_string(o, "kind", event_kind_name(s->events[i].kind));
		doc_string(o, "text", s->events[i].text);
	}
}

struct doc *report_history(const struct series *s, const struct history_query *q, int64_t now)
{
	struct metric_reader readers[HISTORY_METRICS_MAX];
	struct doc *root = report_new("history", now), *list;
	char time[TIME_TEXT];

	report_add_identity_of(doc_object(root, "drive"), &s->identity);
	list = doc_array(root, "samples");
	start_readers(s, q, readers);
	for (size_t i = q->sample_from; i < q->sample_to; i++) {
		struct doc *o = doc_object(list, NULL);

		doc_string(o, "time", time_format(s->samples[i].time, time));
		if (q->nmetrics)
			add_metrics(o, q, readers, i);
		else
			add_facts(o, &s->samples[i]);
		if (s->samples[i].aside)
			doc_bool(o, "set_aside", true);
	}
	add_events(root, s, q);
	return root;
}

/* The events later than the sample before and not later than this one, in one cell. */
static void add_event_cell(struct doc *row, const struct series *s, const struct history_query *q,
			   size_t sample, size_t *next)
{
	CLEANUP(str_release) struct str text = { 0 };
	bool last = sample + 1 == q->sample_to;

	for (; *next < q->event_to && (last || s->events[*next].time <= s->samples[sample].time);
	     (*next)++)
		str_addf(&text, "%s%s: %s", text.len ? "; " : "",
			 event_kind_name(s->events[*next].kind), s->events[*next].text);
	doc_string(row, "events", str_text(&text));
}

struct doc *report_history_rows(const struct series *s, const struct history_query *q)
{
	struct metric_reader readers[HISTORY_METRICS_MAX];
	struct doc *root = doc_new(), *rows = doc_array(root, "rows");
	size_t next = q->event_from;
	char time[TIME_TEXT];

	start_readers(s, q, readers);
	for (size_t i = q->sample_from; i < q->sample_to; i++) {
		struct doc *row = doc_object(rows, NULL);

		doc_string(row, "time", time_format(s->samples[i].time, time));
		for (int f = 0; f < FACT_COUNT && !q->nmetrics; f++)
			doc_integer_if(row, fact_name((enum fact_id)f),
				       s->samples[i].has & FACT_BIT(f),
				       sample_shown(&s->samples[i], (enum fact_id)f),
				       fact_unit((enum fact_id)f));
		for (size_t k = 0; k < q->nmetrics; k++)
			add_value(row, &readers[k], i);
		add_event_cell(row, s, q, i, &next);
	}
	return root;
}

static void add_drive(struct doc *o, const struct history_drive *d)
{
	char time[TIME_TEXT];

	doc_integer(o, "samples", d->nsamples, UNIT_COUNT);
	doc_string(o, "first_time", d->nsamples ? time_format(d->first_time, time) : NULL);
	doc_string(o, "last_time", d->nsamples ? time_format(d->last_time, time) : NULL);
	doc_bool(o, "at_path", d->at_path);
}

struct doc *report_history_drives(const struct history_drive *drives, size_t n, int64_t now)
{
	struct doc *root = report_new("history", now), *list = doc_array(root, "drives");

	for (size_t i = 0; i < n; i++) {
		struct doc *o = doc_object(list, NULL);

		report_add_identity_of(doc_object(o, "identity"), &drives[i].identity);
		add_drive(o, &drives[i]);
	}
	return root;
}

struct doc *report_history_drive_rows(const struct history_drive *drives, size_t n)
{
	struct doc *root = doc_new(), *rows = doc_array(root, "rows");

	for (size_t i = 0; i < n; i++) {
		const struct identity *id = &drives[i].identity;
		struct doc *row = doc_object(rows, NULL);

		doc_string(row, "model", id->model);
		doc_string(row, "serial", id->serial);
		doc_integer_if(row, "capacity_bytes", id->has_capacity, id->capacity_bytes,
			       UNIT_BYTES);
		doc_string(row, "path", id->path);
		add_drive(row, &drives[i]);
	}
	return root;
}

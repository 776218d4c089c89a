/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/history.h"
#include "report/plot.h"

#define PLOT_ROWS     10
#define GAP_INTERVALS 4 /* a hole of so many usual intervals is not drawn over */

void history_usual(const struct series *s, struct history_query *q)
{
	static const char *const usual[] = { "written", "writes-per-day", "waf",
					     "used",	"spare",	  "temperature" };
	uint64_t known = 0;

	for (size_t i = 0; i < s->nsamples; i++)
		known |= s->samples[i].has;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++) {
		const struct metric *m = metric_by_name(usual[i]);

		if (known & FACT_BIT(m->fact))
			q->metrics[q->nmetrics++] = m;
	}
}

static const char *minutes_text(int64_t t, char buf[TIME_TEXT])
{
	time_format(t, buf);
	buf[10] = ' ';
	buf[16] = '\0';
	return buf;
}

static void add_title(const struct series *s, const struct history_query *q, struct view *v)
{
	size_t n = q->sample_to - q->sample_from;
	const struct identity *id = &s->identity;
	char size[UNIT_TEXT_MAX], from[TIME_TEXT], to[TIME_TEXT], count[UNIT_TEXT_MAX];

	view_line(v, STYLE_HEADING, 0, "%s%s%s, serial %s",
		  *id->model ? id->model : "model not named", id->has_capacity ? " " : "",
		  id->has_capacity ? format_bytes(id->capacity_bytes, size) : "", id->serial);
	if (!s->nsamples) {
		view_line(v, STYLE_PLAIN, 2, "no samples");
		return;
	}
	if (!n) {
		view_line(v, STYLE_PLAIN, 2,
			  "no samples in this time; there are some from %s to %s UTC",
			  minutes_text(s->samples[0].time, from),
			  minutes_text(s->samples[s->nsamples - 1].time, to));
		return;
	}
	view_line(v, STYLE_PLAIN, 2, "%s sample%s from %s to %s UTC",
		  format_grouped((i128)n, count), n == 1 ? "" : "s",
		  minutes_text(s->samples[q->sample_from].time, from),
		  minutes_text(s->samples[q->sample_to - 1].time, to));
}

static void add_window_note(const struct history_query *q, struct view *v)
{
	char text[UNIT_TEXT_MAX];
	bool any = false;

	for (size_t k = 0; k < q->nmetrics; k++)
		any |= metric_is_rate(q->metrics[k]);
	if (any)
		view_line(v, STYLE_DIM, 2,
			  "rates over the %s before each sample; longer where a counter is coarse",
			  format_days(q->window_seconds / 86400, text));
}

static size_t fill_columns(const struct history_query *q, bool events, struct history_table *table)
{
	size_t n = 0;

	table->columns[n++] = (struct view_column){ "TIME (UTC)", 0 };
	for (size_t k = 0; k < q->nmetrics; k++)
		table->columns[n++] = (struct view_column){ q->metrics[k]->heading, COLUMN_RIGHT };
	if (events)
		table->columns[n++] = (struct view_column){ "EVENT", COLUMN_WRAP };
	return n;
}

static void add_event_row(const struct history_query *q, const struct event *e, struct view *v)
{
	char time[TIME_TEXT];

	view_cell(v, STYLE_WARNING, "%s", minutes_text(e->time, time));
	for (size_t k = 0; k < q->nmetrics; k++)
		view_cell(v, STYLE_PLAIN, "%s", "");
	view_cell(v, STYLE_WARNING, "%s: %s", event_kind_name(e->kind), e->text);
}

static void add_sample_row(const struct series *s, const struct history_query *q, size_t i,
			   struct metric_reader *readers, bool events, struct view *v)
{
	bool aside = s->samples[i].aside;
	enum view_style style = aside ? STYLE_DIM : STYLE_PLAIN;
	char text[UNIT_TEXT_MAX], time[TIME_TEXT];
	struct metric_value value;

	view_cell(v, style, "%s", minutes_text(s->samples[i].time, time));
	for (size_t k = 0; k < q->nmetrics; k++) {
		bool known = metric_read(&readers[k], i, &value);

		view_cell(v, known ? style : STYLE_DIM, "%s",
			  known ? metric_text(q->metrics[k], &value, text) : "-");
	}
	if (events)
		view_cell(v, STYLE_DIM, "%s", aside ? "set aside: its time cannot be right" : "");
}

static bool any_aside(const struct series *s, const struct history_query *q)
{
	for (size_t i = q->sample_from; i < q->sample_to; i++)
		if (s->samples[i].aside)
			return true;
	return false;
}

/* Is sample i one of the max_rows that are shown, evenly from the first to the last? */
static bool is_shown(size_t i, size_t n, size_t max_rows)
{
	if (!max_rows || n <= max_rows || i == 0)
		return true;
	return i * (max_rows - 1) / (n - 1) != (i - 1) * (max_rows - 1) / (n - 1);
}

void report_history_view(const struct series *s, const struct history_query *q, size_t max_rows,
			 struct history_table *table, struct view *v)
{
	struct metric_reader readers[HISTORY_METRICS_MAX];
	bool events = q->event_to > q->event_from || any_aside(s, q);
	char shown[UNIT_TEXT_MAX], all[UNIT_TEXT_MAX];
	size_t next = q->event_from, n = q->sample_to - q->sample_from;

	add_title(s, q, v);
	add_window_note(q, v);
	if (max_rows && n > max_rows)
		view_line(v, STYLE_DIM, 2, "%s of %s samples are shown; --all shows every one",
			  format_grouped((i128)max_rows, shown), format_grouped((i128)n, all));
	view_gap(v);
	view_table(v, table->columns, fill_columns(q, events, table), 0);
	for (size_t k = 0; k < q->nmetrics; k++)
		metric_reader_init(&readers[k], q->metrics[k], s, q->window_seconds);
	for (size_t i = q->sample_from; i < q->sample_to; i++) {
		for (; next < q->event_to && s->events[next].time <= s->samples[i].time; next++)
			add_event_row(q, &s->events[next], v);
		if (is_shown(i - q->sample_from, n, max_rows))
			add_sample_row(s, q, i, readers, events, v);
	}
	for (; next < q->event_to; next++)
		add_event_row(q, &s->events[next], v);
}

static const char *axis_label(const void *arg, double value, char buf[UNIT_TEXT_MAX])
{
	return metric_real_text(arg, value, buf);
}

static int by_length(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The usual interval between samples is the median one. */
static double gap_of(const struct series *s, int64_t *intervals)
{
	size_t n = 0;

	for (size_t i = 1; i < s->nsamples; i++)
		intervals[n++] = s->samples[i].time - s->samples[i - 1].time;
	if (!n)
		return 0;
	qsort(intervals, n, sizeof(*intervals), by_length);
	n /= 2;
	return GAP_INTERVALS * (double)intervals[n];
}

/* Is it a rate whose axis starts at zero? Counters and temperatures have their own range. */
static bool starts_at_zero(const struct metric *m)
{
	return m->kind == METRIC_DAILY;
}

void report_history_plots(const struct series *s, const struct history_query *q, unsigned columns,
			  bool unicode, struct view *v)
{
	CLEANUP(cleanup_free) struct plot_point *points = NULL;
	CLEANUP(cleanup_free) int64_t *times = NULL;
	size_t ntimes = s->nsamples > s->nevents ? s->nsamples : s->nevents;
	struct plot plot = { .columns = columns, .rows = PLOT_ROWS, .unicode = unicode };

	add_title(s, q, v);
	add_window_note(q, v);
	if (q->sample_to == q->sample_from)
		return;
	points = calloc(s->nsamples, sizeof(*points));
	times = calloc(ntimes, sizeof(*times));
	if (!points || !times) {
		v->err = -ENOMEM;
		return;
	}
	plot.gap_seconds = gap_of(s, times);
	for (size_t i = q->event_from; i < q->event_to; i++)
		times[plot.nmarks++] = s->events[i].time;
	plot.points = points;
	plot.marks = times;
	plot.since = s->samples[q->sample_from].time;
	plot.until = s->samples[q->sample_to - 1].time;
	plot.label = axis_label;
	for (size_t k = 0; k < q->nmetrics; k++) {
		struct metric_reader reader;
		struct metric_value value;

		metric_reader_init(&reader, q->metrics[k], s, q->window_seconds);
		plot.n = 0;
		for (size_t i = q->sample_from; i < q->sample_to; i++)
			if (!s->samples[i].aside && metric_read(&reader, i, &value))
				points[plot.n++] = (struct plot_point){ s->samples[i].time,
									value.real };
		plot.title = metric_help(q->metrics[k]);
		plot.from_zero = starts_at_zero(q->metrics[k]);
		plot.label_arg = q->metrics[k];
		view_gap(v);
		plot_view(&plot, v);
	}
	if (!plot.nmarks)
		return;
	view_gap(v);
	view_line(v, STYLE_HEADING, 0, "Events (^)");
	for (size_t i = q->event_from; i < q->event_to; i++) {
		char time[TIME_TEXT];

		view_line(v, STYLE_PLAIN, 2, "%s  %s: %s", minutes_text(s->events[i].time, time),
			  event_kind_name(s->events[i].kind), s->events[i].text);
	}
}

static const struct view_column drive_columns[] = {
	{ "MODEL", 0 },		  { "SERIAL", 0 },
	{ "SIZE", COLUMN_RIGHT }, { "SAMPLES", COLUMN_RIGHT },
	{ "FIRST (UTC)", 0 },	  { "LAST (UTC)", 0 },
	{ "DRIVE", COLUMN_WRAP },
};

void report_history_drives_view(const struct history_drive *drives, size_t n, struct view *v)
{
	char text[UNIT_TEXT_MAX], time[TIME_TEXT];

	if (!n) {
		view_line(v, STYLE_PLAIN, 0, "the history has no drives yet");
		return;
	}
	view_table(v, drive_columns, ARRAY_SIZE(drive_columns), 0);
	for (size_t i = 0; i < n; i++) {
		const struct history_drive *d = &drives[i];
		const struct identity *id = &d->identity;

		view_cell(v, STYLE_PLAIN, "%s", *id->model ? id->model : "-");
		view_cell(v, STYLE_PLAIN, "%s", id->serial);
		view_cell(v, STYLE_PLAIN, "%s",
			  id->has_capacity ? format_bytes(id->capacity_bytes, text) : "-");
		view_cell(v, STYLE_PLAIN, "%s", format_grouped((i128)d->nsamples, text));
		view_cell(v, STYLE_PLAIN, "%s",
			  d->nsamples ? minutes_text(d->first_time, time) : "-");
		view_cell(v, STYLE_PLAIN, "%s",
			  d->nsamples ? minutes_text(d->last_time, time) : "-");
		if (d->at_path || !*id->path)
			view_cell(v, STYLE_PLAIN, "%s", *id->path ? id->path : "-");
		else
			view_cell(v, STYLE_DIM, "last seen at %s", id->path);
	}
}

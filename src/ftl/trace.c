/* SPDX-License-Identifier: MIT */
#include "ftl/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"

static const struct {
	const char *word, *name;
} rows[] = { { "auto", "unknown" },
#define X(e, word, name) { word, name },
	     TRACE_FORMATS(X)
#undef X
};

/* Times are kept to 63 bits of nanoseconds. */
#define TIME_MAX_NS ((uint64_t)INT64_MAX)

const char *trace_format_word(enum trace_format format)
{
	return rows[format].word;
}

const char *trace_format_name(enum trace_format format)
{
	return rows[format].name;
}

int trace_format_parse(const char *word, enum trace_format *ret, struct diag *d)
{
	struct suggestion s = { .word = word };

	for (unsigned i = 0; i < TRACE_FORMAT_COUNT; i++) {
		if (!strcmp(rows[i].word, word)) {
			*ret = (enum trace_format)i;
			return 0;
		}
		suggestion_offer(&s, rows[i].word);
	}
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no trace format '%s'; did you mean %s?",
				 word, s.best);
	return diag_fail(d, -EINVAL,
			 "there is no trace format '%s'; there are auto, msr, alibaba, tencent, "
			 "mqsim, fio2, fio3 and blkparse",
			 word);
}

/* --- lines -------------------------------------------------------------------------------------
 */

void trace_start(struct trace *t, const char *name, const struct trace_options *options)
{
	memset(t, 0, sizeof(*t));
	t->name = name;
	t->options = *options;
	t->format = options->format;
}

size_t trace_push(struct trace *t, const void *data, size_t n)
{
	size_t room;

	if (t->start) {
		memmove(t->buffer, t->buffer + t->start, t->end - t->start);
		t->end -= t->start;
		t->start = 0;
	}
	room = sizeof(t->buffer) - t->end;
	n = n < room ? n : room;
	memcpy(t->buffer + t->end, data, n);
	t->end += n;
	return n;
}

void trace_end(struct trace *t)
{
	t->ended = true;
}

/* The line at `from`, with *ret_next behind it; false where its end is not there. */
static bool line_at(const struct trace *t, size_t from, struct trace_line *ret, size_t *ret_next)
{
	const char *s = t->buffer + from;
	size_t left = t->end - from;
	const char *newline = left ? memchr(s, '\n', left) : NULL;

	if (!left || (!newline && !t->ended))
		return false;
	ret->s = s;
	ret->n = newline ? (size_t)(newline - s) : left;
	*ret_next = from + ret->n + (newline != NULL);
	if (ret->n && s[ret->n - 1] == '\r')
		ret->n--;
	return true;
}

static bool starts_with(const struct trace_line *l, const char *word)
{
	size_t n = strlen(word);

	return l->n >= n && !strncasecmp(l->s, word, n);
}

static bool is_empty(const struct trace_line *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->s[i] != ' ' && l->s[i] != '\t')
			return false;
	return true;
}

/*
 * What the buffer's first lines tell, which hold for all: the format, and which event of blkparse
 * to take. A request shows there as Q when it is made, as D when it goes to the drive, as C when
 * it is done; the drive sees the second.
 */
static void look_ahead(struct trace *t)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf", events[] = "CQD";
	size_t best = 0; /* the place in events, and one */
	struct trace_line l;
	size_t at;

	if (t->end >= 3 && !memcmp(t->buffer, byte_order_mark, 3))
		t->start = 3;
	at = t->start;
	while (line_at(t, at, &l, &at)) {
		char action = trace_blkparse_action(&l);
		const char *event = action ? strchr(events, action) : NULL;

		if (!t->format)
			t->format = trace_line_format(&l);
		if (event && (size_t)(event - events) >= best)
			best = (size_t)(event - events) + 1;
	}
	t->action = best ? events[best - 1] : 'D';
	t->started = true;
}

/* --- requests ----------------------------------------------------------------------------------
 */

static int bad_line(struct trace *t, int err, const char *why, struct diag *d)
{
	t->finished = true;
	return diag_fail(d, err, "%s:%llu: %s", t->name, (unsigned long long)t->counts.lines, why);
}

/* A line that is none of this trace's: d says what it is instead, where that is known. */
static int unknown_line(const struct trace *t, const struct trace_line *l, struct diag *d)
{
	enum trace_format other = trace_line_format(l);
	unsigned version = trace_fio_version(l);

	if (!t->format && version)
		return diag_fail(d, -EINVAL, "fio iolog version %u; versions 2 and 3 are known",
				 version);
	if (!t->format)
		return diag_fail(d, -EINVAL,
				 "no known trace format; --trace-format takes msr, alibaba, "
				 "tencent, mqsim, fio2, fio3 or blkparse");
	if (other && other != t->format)
		return diag_fail(d, -EINVAL, "a line of %s in a trace of %s",
				 trace_format_name(other), trace_format_name(t->format));
	return -EINVAL;
}

static void device_text(const struct trace_record *r, char ret[TRACE_DEVICE_MAX])
{
	const struct trace_line *a = &r->device[0], *b = &r->device[1];
	const size_t max = TRACE_DEVICE_MAX;

	snprintf(ret, TRACE_DEVICE_MAX, "%.*s%s%.*s", (int)(a->n < max ? a->n : max), a->s,
		 b->s ? "_" : "", (int)(b->n < max ? b->n : max), b->s ? b->s : "");
}

/* 1 it is the trace's device, 0 it is none that was chosen, -EXDEV. */
static int check_device(struct trace *t, const struct trace_record *r, struct diag *d)
{
	char name[TRACE_DEVICE_MAX], why[2 * TRACE_DEVICE_MAX + 128];

	device_text(r, name);
	if (t->options.device)
		return !strcmp(t->options.device, name);
	if (!t->has_device) {
		memcpy(t->device, name, sizeof(name));
		t->has_device = true;
	}
	if (!strcmp(t->device, name))
		return 1;
	snprintf(why, sizeof(why),
		 "a second device '%.80s' beside '%.80s'; --trace-device says which to take", name,
		 t->device);
	return bad_line(t, -EXDEV, why, d);
}

static int set_time(struct trace *t, const struct trace_record *r, struct diag *d)
{
	uint64_t since, ns;

	if (!t->has_time) {
		t->first_time = r->time;
		t->has_time = true;
	}
	since = r->time > t->first_time ? r->time - t->first_time : 0;
	if (__builtin_mul_overflow(since, r->unit_ns, &ns) || ns > TIME_MAX_NS)
		return diag_fail(d, -EINVAL, "the time is more than 292 years after the first");
	if (ns < t->now_ns || r->time < t->first_time)
		t->counts.backwards++;
	else
		t->now_ns = ns;
	return 0;
}

/* As trace_line_read; in d it has the reason alone. */
static int read_line(struct trace *t, const struct trace_line *l, struct request *ret,
		     struct diag *fatal, struct diag *d)
{
	struct trace_record record;
	struct diag why = { 0 };
	int r;

	if (l->n > TRACE_LINE_MAX)
		return diag_fail(d, -EINVAL, "a line of more than %u bytes", TRACE_LINE_MAX);
	if (!t->format)
		return unknown_line(t, l, d);
	if ((t->format == TRACE_FIO2 || t->format == TRACE_FIO3) &&
	    trace_line_format(l) == t->format)
		return 0; /* its first line */
	r = trace_line_read(t, l, &record, &why);
	if (r == -EINVAL)
		r = unknown_line(t, l, d);
	if (r < 0)
		return diag_fail(d, r, "%s", why.text);
	if (!r)
		return 0;
	r = check_device(t, &record, fatal);
	if (!r)
		t->counts.elsewhere++;
	if (r <= 0)
		return r;
	r = set_time(t, &record, d);
	if (r < 0)
		return r;
	*ret = (struct request){
		.op = record.op,
		.offset = record.offset,
		.bytes = record.bytes,
		.has_time = true,
		.time_ns = t->now_ns,
	};
	return 1;
}

/* Lines that are no requests whatever their format: none, comments, titles, blkparse's sums. */
static bool is_remark(struct trace *t, const struct trace_line *l)
{
	if (is_empty(l) || l->s[0] == '#')
		return true;
	if (t->counts.lines == 1 && (starts_with(l, "timestamp,") || starts_with(l, "device_id,")))
		return true;
	if (t->format != TRACE_BLKPARSE)
		return false;
	if (starts_with(l, "CPU") || starts_with(l, "Total ("))
		t->finished = true; /* the sums come last */
	return t->finished || starts_with(l, "Input file ");
}

static int take_line(struct trace *t, const struct trace_line *l, struct request *ret,
		     struct diag *d)
{
	struct diag why = { 0 };
	int r;

	t->counts.lines++;
	if (is_remark(t, l))
		return 0;
	r = read_line(t, l, ret, d, &why);
	if (r == 1)
		t->counts.requests++;
	if (r != -EINVAL)
		return r;
	if (!t->options.skip_bad)
		return bad_line(t, r, why.text, d);
	t->counts.bad++;
	diag_fail(&t->first_bad, r, "%s:%llu: %s", t->name, (unsigned long long)t->counts.lines,
		  why.text);
	return 0;
}

/* A line that fills the buffer: it is bad, and what follows of it is dropped. */
static int take_endless(struct trace *t, struct request *ret, struct diag *d)
{
	struct trace_line l = { t->buffer + t->start, t->end - t->start };
	bool first = !t->skipping;

	t->start = t->end;
	t->skipping = true;
	return first ? take_line(t, &l, ret, d) : 0;
}

int trace_next(struct trace *t, struct request *ret, struct diag *d)
{
	struct trace_line l;
	size_t next;
	int r = 0;

	if (!t->started) {
		if (t->end < sizeof(t->buffer) && !t->ended)
			return -EAGAIN;
		look_ahead(t);
	}
	while (!r && !t->finished) {
		if (line_at(t, t->start, &l, &next)) {
			t->start = next;
			if (t->skipping)
				t->skipping = false;
			else
				r = take_line(t, &l, ret, d);
		} else if (t->ended) {
			return 0;
		} else if (t->end - t->start > TRACE_LINE_MAX + 1) {
			r = take_endless(t, ret, d);
		} else {
			return -EAGAIN;
		}
	}
	return r;
}

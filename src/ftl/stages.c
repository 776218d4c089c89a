/* SPDX-License-Identifier: MIT */
#include "ftl/stages.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"
#include "ftl/drive_model.h"

#define LINE_MAX_BYTES 1024
#define WORDS_MAX      16

static const char *const kinds[] = {
#define X(e, name) name,
	STAGES(X)
#undef X
};

const char *stage_text(enum stage_kind kind)
{
	return kinds[kind];
}

struct stage stage_default(enum stage_kind kind)
{
	bool fills = kind == STAGE_FILL;

	return (struct stage){
		.kind = kind,
		.workload = { .kind = fills ? WORKLOAD_SEQUENTIAL : WORKLOAD_UNIFORM },
		.request_bytes = fills ? 128 << 10 : 4096,
		.queue_depth = 32,
		.drive_ppm = fills ? PPM : 0,
	};
}

void stages_release(struct stages *s)
{
	free(s->list);
	*s = (struct stages){ 0 };
}

int stages_add(struct stages *s, const struct stage *stage)
{
	if (s->n == STAGES_MAX)
		return -E2BIG;
	if (s->n % 16 == 0) {
		struct stage *list = realloc(s->list, (s->n + 16) * sizeof(*list));

		if (!list)
			return -ENOMEM;
		s->list = list;
	}
	s->list[s->n++] = *stage;
	return 0;
}

/* --- one line --------------------------------------------------------------------------------- */

/* Where a stage stands, for messages. */
struct line {
	const char *name;
	unsigned number;
	struct diag *d;
};

static const struct {
	const char *unit;
	double ns;
} durations[] = {
	{ "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 }, { "h", 3600e9 }, { "d", 86400e9 },
};

#define DURATION_MAX_NS 4e18 /* 126 years: a sum of a few still has a number */

int stage_duration_parse(const char *s, uint64_t *ret_ns)
{
	size_t digits = strspn(s, "0123456789.");
	char number[32];
	double v;

	if (!digits || digits >= sizeof(number))
		return -EINVAL;
	memcpy(number, s, digits);
	number[digits] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(durations); i++) {
		if (strcmp(s + digits, durations[i].unit) != 0)
			continue;
		if (parse_decimal(number, &v) < 0)
			return -EINVAL;
		v = rint(v * durations[i].ns);
		if (v < 1 || v > DURATION_MAX_NS)
			return -ERANGE;
		*ret_ns = (uint64_t)v;
		return 0;
	}
	return -EINVAL;
}

/* "2x": so many times the drive. */
static bool parse_times(const char *s, uint32_t *ret_ppm)
{
	size_t n = strlen(s);
	char number[32];
	double v;

	if (n < 2 || n > sizeof(number) || s[n - 1] != 'x')
		return false;
	memcpy(number, s, n - 1);
	number[n - 1] = '\0';
	if (parse_decimal(number, &v) < 0 || v * PPM < 1 || v > 4000)
		return false;
	*ret_ppm = (uint32_t)rint(v * PPM);
	return true;
}

static int parse_amount(const char *word, struct stage *s, const struct line *l)
{
	int r = stage_duration_parse(word, &s->duration_ns);

	if (r == -ERANGE)
		return diag_fail(l->d, -EINVAL, "%s:%u: '%s': 1 ms to 100 years are possible",
				 l->name, l->number, word);
	if (!r || parse_times(word, &s->drive_ppm))
		return 0;
	if (parse_bytes(word, &s->bytes) < 0 || !s->bytes)
		return diag_fail(l->d, -EINVAL,
				 "%s:%u: '%s' says not how long: a time (90s, 15min, 10h), a size "
				 "(20GB) or a multiple of the drive (2x)",
				 l->name, l->number, word);
	return 0;
}

static int parse_size(const char *value, struct stage *s, const struct line *l)
{
	uint64_t bytes;

	if (parse_bytes(value, &bytes) < 0 || bytes < 512 || bytes > STAGE_BYTES_MAX || bytes % 512)
		return diag_fail(l->d, -EINVAL,
				 "%s:%u: size=%s: a multiple of 512 bytes up to 64 MiB is possible",
				 l->name, l->number, value);
	s->request_bytes = (uint32_t)bytes;
	return 0;
}

static int parse_align(const char *value, struct stage *s, const struct line *l)
{
	uint64_t bytes;

	if (parse_bytes(value, &bytes) < 0 || bytes < 512 || bytes > STAGE_BYTES_MAX || bytes % 512)
		return diag_fail(
			l->d, -EINVAL,
			"%s:%u: align=%s: a multiple of 512 bytes up to 64 MiB is possible",
			l->name, l->number, value);
	s->align = (uint32_t)bytes;
	return 0;
}

static int parse_depth(const char *value, struct stage *s, const struct line *l)
{
	uint64_t n;

	if (parse_u64(value, QUEUE_DEPTH_MAX, &n) < 0 || n < 1)
		return diag_fail(l->d, -EINVAL, "%s:%u: qd=%s: 1 to %u are possible", l->name,
				 l->number, value, QUEUE_DEPTH_MAX);
	s->queue_depth = (unsigned)n;
	return 0;
}

static int parse_reads(const char *value, struct stage *s, const struct line *l)
{
	double share;

	if (parse_share(value, &share) < 0 || share < 0 || share > 1)
		return diag_fail(l->d, -EINVAL, "%s:%u: reads=%s: a share of 0 to 1 (70%%)",
				 l->name, l->number, value);
	s->read_ppm = (uint32_t)rint(share * PPM);
	return 0;
}

static int parse_every(const char *value, struct stage *s, const struct line *l)
{
	if (stage_duration_parse(value, &s->interval_ns) < 0)
		return diag_fail(l->d, -EINVAL, "%s:%u: every=%s: a time (1s, 1min)", l->name,
				 l->number, value);
	return 0;
}

static int parse_stage_workload(const char *value, struct stage *s, const struct line *l)
{
	struct diag why = { 0 };

	if (workload_parse(value, &s->workload, &why) < 0)
		return diag_fail(l->d, -EINVAL, "%s:%u: %s", l->name, l->number, why.text);
	if (s->workload.file)
		return diag_fail(l->d, -EINVAL,
				 "%s:%u: a stage takes no file as its workload; give it with "
				 "--workload, and name none here",
				 l->name, l->number);
	return 0;
}

static const struct {
	const char *name;
	int (*parse)(const char *value, struct stage *s, const struct line *l);
} keys[] = {
	{ "workload", parse_stage_workload },
	{ "size", parse_size },
	{ "align", parse_align },
	{ "qd", parse_depth },
	{ "reads", parse_reads },
	{ "every", parse_every },
};

static int parse_key(const char *word, const char *value, struct stage *s, const struct line *l)
{
	struct suggestion near = { .word = word };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!strcmp(word, keys[i].name))
			return keys[i].parse(value, s, l);
		suggestion_offer(&near, keys[i].name);
	}
	return diag_fail(l->d, -EINVAL, "%s:%u: there is no '%s='%s%s%s", l->name, l->number, word,
			 near.best ? "; did you mean "
				   : "; there are workload, size, align, qd, reads "
				     "and every",
			 near.best ? near.best : "", near.best ? "?" : "");
}

static int parse_kind(const char *word, enum stage_kind *ret, const struct line *l)
{
	struct suggestion near = { .word = word };

	for (unsigned i = 0; i < STAGE_KIND_COUNT; i++) {
		if (!strcmp(kinds[i], word)) {
			*ret = (enum stage_kind)i;
			return 0;
		}
		suggestion_offer(&near, kinds[i]);
	}
	if (near.best)
		return diag_fail(l->d, -EINVAL, "%s:%u: there is no stage '%s'; did you mean %s?",
				 l->name, l->number, word, near.best);
	return diag_fail(l->d, -EINVAL,
			 "%s:%u: there is no stage '%s'; there are trim, fill, write, read, idle "
			 "and measure",
			 l->name, l->number, word);
}

static int check_stage(const struct stage *s, const struct line *l)
{
	bool ends = s->duration_ns || s->bytes || s->drive_ppm;

	if (s->kind == STAGE_IDLE && (!s->duration_ns || s->bytes || s->drive_ppm))
		return diag_fail(l->d, -EINVAL, "%s:%u: idle needs a time: idle 15min", l->name,
				 l->number);
	if (s->kind == STAGE_TRIM && ends)
		return diag_fail(l->d, -EINVAL,
				 "%s:%u: trim takes the whole drive: no time, no size", l->name,
				 l->number);
	if (s->kind != STAGE_TRIM && !ends)
		return diag_fail(l->d, -EINVAL, "%s:%u: %s needs to know how long: %s 10min",
				 l->name, l->number, kinds[s->kind], kinds[s->kind]);
	return 0;
}

static int parse_line(char *text, const struct line *l, const struct stage *base,
		      struct stages *ret)
{
	struct stage s;
	enum stage_kind kind = STAGE_TRIM;
	char *rest = NULL, *word = strtok_r(text, " \t\r", &rest);
	int r;

	if (!word)
		return 0;
	r = parse_kind(word, &kind, l);
	if (r < 0)
		return r;
	s = kind == STAGE_FILL || !base ? stage_default(kind) : *base;
	s.kind = kind;
	for (word = strtok_r(NULL, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		r = value ? parse_key(word, value, &s, l) : parse_amount(word, &s, l);
		if (r < 0)
			return r;
	}
	if (s.duration_ns && kind == STAGE_FILL)
		s.drive_ppm = 0;
	r = check_stage(&s, l);
	if (!r)
		r = stages_add(ret, &s);
	if (r == -E2BIG)
		return diag_fail(l->d, -EINVAL, "%s:%u: at most %u stages are possible", l->name,
				 l->number, STAGES_MAX);
	return r;
}

int stages_parse(const char *text, const char *name, const struct stage *base, struct stages *ret,
		 struct diag *d)
{
	struct line l = { .name = name, .d = d };
	struct stages list = { 0 };
	char line[LINE_MAX_BYTES];
	int r = 0;

	while (!r && *text) {
		size_t n = strcspn(text, "\n"), used = strcspn(text, "#\n");

		l.number++;
		if (used >= sizeof(line)) {
			r = diag_fail(d, -EINVAL,
				      "%s:%u: a line of %zu bytes: at most %zu are possible", name,
				      l.number, used, sizeof(line) - 1);
			break;
		}
		memcpy(line, text, used);
		line[used] = '\0';
		r = parse_line(line, &l, base, &list);
		text += n + (text[n] == '\n');
	}
	if (!r && !list.n)
		r = diag_fail(d, -EINVAL, "%s: there is no stage in it", name);
	if (r < 0) {
		stages_release(&list);
		return r;
	}
	*ret = list;
	return 0;
}

/* --- requests --------------------------------------------------------------------------------- */

int stage_requests_start(const struct stage *stage, uint64_t capacity, uint64_t seed,
			 struct source *ret, struct diag *d)
{
	const struct request_mix mix = {
		.bytes = stage->request_bytes,
		.align = stage->align,
		.reads = stage->kind == STAGE_READ	? 1
			 : stage->kind == STAGE_MEASURE ? stage->read_ppm / 1e6
							: 0,
	};

	if (stage->workload.kind == WORKLOAD_TRACE || stage->workload.kind == WORKLOAD_SIZES)
		return diag_fail(d, -EINVAL, "a stage cannot read its workload from a file");
	return source_start(ret, &stage->workload, &mix, capacity, seed, d);
}

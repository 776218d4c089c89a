/* SPDX-License-Identifier: MIT */
#include "ftl/workload.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"

static const struct {
	const char *name, *arguments;
} rows[] = {
#define X(e, name, arguments, help) { name, arguments },
	WORKLOADS(X)
#undef X
};

/* JESD219: shares of the requests and of the pages, and the sizes of the writes. */
static const double jesd219_writes[] = { 0.5, 0.3, 0.2 };
static const double jesd219_pages[] = { 0.05, 0.15, 0.8 };
static const struct {
	uint32_t bytes, percent;
} jesd219_sizes[] = {
	{ 4096, 67 }, { 8192, 10 }, { 16384, 7 }, { 512, 4 },  { 32768, 3 }, { 65536, 3 },
	{ 1024, 1 },  { 1536, 1 },  { 2048, 1 },  { 2560, 1 }, { 3072, 1 },  { 3584, 1 },
};
#define JESD219_ALIGNMENT 4096

#define ZIPF_EXPONENT_MAX 10

static int parse_hotcold(const char *text, struct workload *ret, struct diag *d)
{
	const char *comma = text ? strchr(text, ',') : NULL;
	char pages[32];

	if (comma && (size_t)(comma - text) < sizeof(pages)) {
		snprintf(pages, sizeof(pages), "%.*s", (int)(comma - text), text);
		if (!parse_share(pages, &ret->hot_pages) &&
		    !parse_share(comma + 1, &ret->hot_writes) && ret->hot_pages > 0 &&
		    ret->hot_pages < 1 && ret->hot_writes > 0 && ret->hot_writes <= 1)
			return 0;
	}
	return diag_fail(d, -EINVAL,
			 "the workload hotcold needs two shares between 0 and 1: hotcold:0.1,0.9 "
			 "writes a tenth of the pages with nine tenths of the writes");
}

static int parse_arguments(enum workload_kind kind, const char *text, struct workload *ret,
			   struct diag *d)
{
	struct workload w = { .kind = kind };
	int r = 0;

	if (kind == WORKLOAD_HOTCOLD)
		r = parse_hotcold(text, &w, d);
	else if (kind == WORKLOAD_ZIPF &&
		 (!text || parse_decimal(text, &w.exponent) < 0 || w.exponent > ZIPF_EXPONENT_MAX))
		r = diag_fail(d, -EINVAL,
			      "the workload zipf needs an exponent from 0 to %d: zipf:0.99",
			      ZIPF_EXPONENT_MAX);
	else if (kind == WORKLOAD_SIZES || kind == WORKLOAD_TRACE)
		w.file = text && *text ? text : NULL;
	else if (!*rows[kind].arguments && text)
		r = diag_fail(d, -EINVAL, "the workload %s takes no numbers", rows[kind].name);
	if (!r && !w.file && (kind == WORKLOAD_SIZES || kind == WORKLOAD_TRACE))
		r = diag_fail(d, -EINVAL, "the workload %s needs a file: %s:FILE", rows[kind].name,
			      rows[kind].name);
	if (!r)
		*ret = w;
	return r;
}

int workload_parse(const char *text, struct workload *ret, struct diag *d)
{
	const char *colon = strchr(text, ':');
	size_t n = colon ? (size_t)(colon - text) : strlen(text);
	char name[WORKLOAD_TEXT_MAX];
	struct suggestion s = { .word = name };

	snprintf(name, sizeof(name), "%.*s", (int)(n < sizeof(name) ? n : sizeof(name) - 1), text);
	for (unsigned i = 0; i < WORKLOAD_COUNT; i++) {
		if (!strcmp(rows[i].name, name))
			return parse_arguments((enum workload_kind)i, colon ? colon + 1 : NULL, ret,
					       d);
		suggestion_offer(&s, rows[i].name);
	}
	if (s.best)
		return diag_fail(d, -EINVAL, "there is no workload '%s'; did you mean %s?", name,
				 s.best);
	return diag_fail(d, -EINVAL,
			 "there is no workload '%s'; there are uniform, sequential, hotcold:F,R, "
			 "zipf:S, jesd219, sizes:FILE and trace:FILE",
			 name);
}

const char *workload_text(const struct workload *w, char buf[WORKLOAD_TEXT_MAX])
{
	const char *name = rows[w->kind].name;

	if (w->kind == WORKLOAD_HOTCOLD)
		snprintf(buf, WORKLOAD_TEXT_MAX, "%s:%.10g,%.10g", name, w->hot_pages,
			 w->hot_writes);
	else if (w->kind == WORKLOAD_ZIPF)
		snprintf(buf, WORKLOAD_TEXT_MAX, "%s:%.10g", name, w->exponent);
	else
		snprintf(buf, WORKLOAD_TEXT_MAX, "%s%s%s", name, w->file ? ":" : "",
			 w->file ? w->file : "");
	return buf;
}

static uint32_t share_of(double share, uint32_t pages)
{
	return (uint32_t)floor(share * pages + 0.5);
}

/* The fewest pages that get half of the writes, by bisection. */
static uint32_t zipf_half(double exponent, uint32_t pages)
{
	uint32_t low = 0, high = pages;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (zipf_share(exponent, pages, middle) < 0.5)
			low = middle;
		else
			high = middle;
	}
	return high;
}

unsigned workload_groups(const struct workload *w, uint32_t pages,
			 uint32_t ret_end[WORKLOAD_GROUPS_MAX],
			 double ret_share[WORKLOAD_GROUPS_MAX])
{
	unsigned n = 1;

	ret_share[0] = 1;
	if (w->kind == WORKLOAD_HOTCOLD) {
		ret_end[0] = share_of(w->hot_pages, pages);
		ret_share[0] = w->hot_writes;
		ret_share[1] = 1 - w->hot_writes;
		n = 2;
	} else if (w->kind == WORKLOAD_ZIPF && pages > 1) {
		ret_end[0] = zipf_half(w->exponent, pages);
		ret_share[0] = zipf_share(w->exponent, pages, ret_end[0]);
		ret_share[1] = 1 - ret_share[0];
		n = 2;
	} else if (w->kind == WORKLOAD_JESD219) {
		ret_end[0] = share_of(jesd219_pages[0], pages);
		ret_end[1] = share_of(jesd219_pages[0] + jesd219_pages[1], pages);
		for (n = 0; n < ARRAY_SIZE(jesd219_writes); n++)
			ret_share[n] = jesd219_writes[n];
	}
	ret_end[n - 1] = pages;
	return n;
}

void writer_start(struct writer *w, const struct workload *workload, uint32_t pages,
		  uint32_t page_bytes, uint64_t seed)
{
	*w = (struct writer){ .workload = *workload, .pages = pages, .page_bytes = page_bytes };
	rng_seed(&w->random, seed, 0);
	if (workload->kind == WORKLOAD_ZIPF)
		zipf_start(w);
	else
		w->groups = workload_groups(workload, pages, w->end, w->share);
}

/* A page of a group drawn by its share of the writes. */
static uint32_t next_in_groups(struct writer *w, uint32_t *ret_end)
{
	double u = w->groups > 1 ? rng_unit(&w->random) : 0;
	unsigned g = 0;
	uint32_t first;

	while (g + 1 < w->groups && u >= w->share[g])
		u -= w->share[g++];
	first = g ? w->end[g - 1] : 0;
	*ret_end = w->end[g];
	return first + (uint32_t)rng_below(&w->random, w->end[g] - first);
}

uint32_t jesd219_size(struct rng *random)
{
	uint32_t pick = (uint32_t)rng_below(random, 100), i;

	for (i = 0; pick >= jesd219_sizes[i].percent; i++)
		pick -= jesd219_sizes[i].percent;
	return jesd219_sizes[i].bytes;
}

/*
 * The pages of the next request: those that it touches, the partly written ones too. A request
 * stays within the drive.
 */
static void next_request(struct writer *w)
{
	uint64_t bytes = jesd219_size(&w->random), offset;
	uint32_t end, first = next_in_groups(w, &end);

	offset = 0;
	if (w->page_bytes > JESD219_ALIGNMENT)
		offset = rng_below(&w->random, w->page_bytes / JESD219_ALIGNMENT) *
			 JESD219_ALIGNMENT;
	w->next = first;
	w->left = (uint32_t)((offset + bytes - 1) / w->page_bytes) + 1;
	if (w->left > w->pages - first)
		w->left = w->pages - first;
	w->bytes += bytes;
}

uint32_t writer_place(struct writer *w)
{
	uint32_t place, end;

	if (w->workload.kind == WORKLOAD_JESD219)
		return next_in_groups(w, &end);
	writer_next(w, &place, 1);
	return place;
}

void writer_next(struct writer *w, uint32_t *ret_pages, uint32_t n)
{
	uint32_t end;

	switch (w->workload.kind) {
	case WORKLOAD_SEQUENTIAL:
		for (uint32_t i = 0; i < n; i++) {
			ret_pages[i] = w->next;
			w->next = w->next + 1 == w->pages ? 0 : w->next + 1;
		}
		break;
	case WORKLOAD_ZIPF:
		for (uint32_t i = 0; i < n; i++)
			ret_pages[i] = zipf_next(w);
		break;
	case WORKLOAD_JESD219:
		for (uint32_t i = 0; i < n; i++, w->left--) {
			if (!w->left)
				next_request(w);
			ret_pages[i] = w->next++;
		}
		return;
	default:
		for (uint32_t i = 0; i < n; i++)
			ret_pages[i] = next_in_groups(w, &end);
	}
	w->bytes += (uint64_t)n * w->page_bytes;
}

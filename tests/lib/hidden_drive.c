/* SPDX-License-Identifier: MIT */
#include "lib/hidden_drive.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/portable_math.h"
#include "base/times.h"

#define CAPACITY INT64_C(960197124096)
#define RATED	 1500
#define START	 INT64_C(1767225600)
#define AGED	 8  /* drive writes from new before its history begins */
#define RECORDED 16 /* in its history */
#define SAMPLES	 64
#define STEADY	 10 /* drive writes before the truth is measured, and over which */
#define CHUNK	 64

/* --- the host
 * ------------------------------------------------------------------------------------ */

struct host {
	const struct hidden_host *is;
	struct ftl *device;
	struct rng random;
	struct writer writer;
	uint32_t *place; /* logical page of each file, then those that hold none */
	uint32_t pages, files, next;
};

static void host_files(struct host *h, double fill, uint64_t seed)
{
	uint32_t files = (uint32_t)(fill * h->pages);

	files = files < 64 ? 64 : files > h->pages ? h->pages : files;
	for (uint32_t i = files; i < h->files; i++)
		if (h->is->trim)
			ftl_trim(h->device, h->place[i]);
	for (uint32_t i = h->files; i < files; i++)
		(void)!ftl_write(h->device, &h->place[i], 1);
	h->files = files;
	writer_start(&h->writer, &h->is->workload, files, 4096, seed);
}

static uint32_t host_page(struct host *h)
{
	uint32_t file, free = h->pages - h->files, other, old;

	writer_next(&h->writer, &file, 1);
	if (rng_unit(&h->random) < h->is->sequential)
		file = h->next = (h->next + 1) % h->files;
	if (!free || rng_unit(&h->random) >= h->is->churn)
		return h->place[file];
	other = h->files + (uint32_t)rng_below(&h->random, free);
	old = h->place[file];
	h->place[file] = h->place[other];
	h->place[other] = old;
	if (h->is->trim)
		ftl_trim(h->device, old);
	return h->place[file];
}

static void host_write(struct host *h, uint64_t n)
{
	for (; n; n--) {
		uint32_t page = host_page(h);

		if (!ftl_write(h->device, &page, 1))
			return;
	}
}

static int host_start(struct host *h, const struct ftl_config *c, const struct hidden_host *is,
		      double fill)
{
	int err;

	*h = (struct host){ .is = is, .pages = c->logical_pages };
	h->place = calloc(h->pages, sizeof(*h->place));
	if (!h->place)
		return -ENOMEM;
	err = ftl_new(c, NULL, NULL, &h->device);
	if (err) {
		free(h->place);
		return err;
	}
	rng_seed(&h->random, c->seed, 7);
	for (uint32_t i = 0; i < h->pages; i++)
		h->place[i] = i;
	host_files(h, fill, c->seed);
	return 0;
}

static void host_end(struct host *h)
{
	ftl_free(h->device);
	free(h->place);
}

/* --- drawing
 * ------------------------------------------------------------------------------------- */

static double between(struct rng *r, double low, double high)
{
	return low + (high - low) * rng_unit(r);
}

static void draw_workload(struct rng *r, bool outside, struct workload *w)
{
	w->kind = rng_unit(r) < 0.25 ? WORKLOAD_UNIFORM : WORKLOAD_HOTCOLD;
	w->hot_pages = between(r, 0.03, 0.4);
	w->hot_writes = between(r, 0.5, 0.95);
	w->exponent = between(r, 0.6, 1.1);
	if (outside)
		w->kind = rng_unit(r) < 0.5 ? WORKLOAD_ZIPF : WORKLOAD_JESD219;
}

static void draw_policy(struct rng *r, bool outside, struct ftl_config *c)
{
	static const struct victim_choice inside[] = {
		{ VICTIM_GREEDY, 0, TIES_NEWEST },   { VICTIM_FIFO, 0, TIES_NEWEST },
		{ VICTIM_CHOICES, 2, TIES_NEWEST },  { VICTIM_CHOICES, 4, TIES_NEWEST },
		{ VICTIM_CHOICES, 10, TIES_RANDOM },
	};
	static const struct victim_choice others[] = {
		{ VICTIM_WINDOWED, 16, TIES_NEWEST },
		{ VICTIM_WINDOWED, 64, TIES_OLDEST },
		{ VICTIM_RANDOM, 0, TIES_NEWEST },
		{ VICTIM_COST_BENEFIT, 0, TIES_NEWEST },
	};

	c->victim = outside ? others[rng_below(r, ARRAY_SIZE(others))]
			    : inside[rng_below(r, ARRAY_SIZE(inside))];
	c->separate_gc = rng_unit(r) < 0.5;
	c->leveling = rng_unit(r) < 0.5 ? WEAR_LEVELING_DYNAMIC : WEAR_LEVELING_NONE;
}

static void draw_device(struct rng *r, uint32_t pages, struct hidden_drive *h)
{
	struct ftl_config *c = &h->device;
	/* collection (1) or writes (2) or both are outside of the family, and levelling (4) too */
	unsigned outside = h->outside ? 1 + (unsigned)rng_below(r, 3) : 0;
	static const uint32_t sizes[] = { 16, 32, 64 };

	if (h->outside && rng_unit(r) < 0.4)
		outside |= 4;
	c->logical_pages = pages;
	c->pages_per_block = sizes[rng_below(r, ARRAY_SIZE(sizes))];
	c->classes = 1;
	c->seed = h->seed;
	draw_policy(r, outside & 1, c);
	draw_workload(r, outside & 2, &h->host.workload);
	if (outside & 4) {
		c->leveling = WEAR_LEVELING_STATIC;
		c->leveling_spread = 4 + (uint32_t)rng_below(r, 12);
	}
	h->parity = rng_unit(r) < 0.35 ? 1 / between(r, 8, 64) : 0;
	h->slc = rng_unit(r) < 0.25 ? between(r, 0.1, 1) : 0;
	h->tells_slc = h->slc > 0 && rng_unit(r) < 0.5;
	h->overprovisioning = portable_exp(between(r, portable_log(0.06), portable_log(0.4)));
}

static void draw_host(struct rng *r, struct hidden_drive *h)
{
	struct hidden_host *o = &h->host;

	o->fill = rng_unit(r) < 0.3 ? 1 : between(r, 0.5, 1);
	o->fill_early = rng_unit(r) < 0.4 ? between(r, 0.5, 1) : o->fill;
	o->trim = rng_unit(r) < 0.6;
	o->churn = between(r, 0.05, 0.6);
	o->sequential = rng_unit(r) < 0.3 ? between(r, 0, 0.5) : 0;
	h->tells_use = o->trim && rng_unit(r) < 0.7;
	h->user_tells_fill = !h->tells_use && rng_unit(r) < 0.7;
}

/* Share of the flash that the drive takes for data. */
static double live_share(const struct hidden_drive *h, const struct what_if *w)
{
	bool trim = w->has_trim ? w->trim != TRIM_NEVER : h->host.trim;
	double flash = 1 + h->overprovisioning, fill = w->has_fill ? w->fill : h->host.fill;
	double capacity = w->has_overprovisioning ? flash / (1 + w->overprovisioning) : 1;

	fill = capacity > 1 ? fill * capacity : fmin(fill, capacity);
	return (trim ? fill : capacity) / flash;
}

static void draw_change(struct rng *r, struct hidden_drive *h)
{
	struct what_if *w = &h->change;
	unsigned kind = (unsigned)rng_below(r, 8);

	if (kind == 0 || kind == 1 || kind == 5 || kind == 7) {
		w->has_overprovisioning = true;
		w->overprovisioning = h->overprovisioning *
				      (kind == 1 ? between(r, 0.5, 0.9) : between(r, 1.2, 3));
		w->overprovisioning = fmin(fmax(w->overprovisioning, 0.05), 0.9);
	}
	if (kind == 2 || kind == 3 || kind >= 5) {
		w->has_fill = true;
		w->fill = kind == 3 ? between(r, 0.85, 1) : between(r, 0.4, 0.9);
	}
	if (kind == 4 || kind == 6) {
		w->has_trim = true;
		w->trim = h->host.trim ? TRIM_NEVER : TRIM_AT_ONCE;
	}
}

void hidden_drive_draw(struct hidden_drive *h, uint64_t seed, uint32_t pages, bool outside)
{
	char policy[VICTIM_TEXT_MAX], writes[WORKLOAD_TEXT_MAX];
	struct rng r;

	*h = (struct hidden_drive){ .seed = seed, .outside = outside };
	rng_seed(&r, seed, 5);
	draw_device(&r, pages, h);
	draw_host(&r, h);
	/* most changes matter */
	for (int i = 0; i < 20; i++) {
		h->change = (struct what_if){ 0 };
		draw_change(&r, h);
		if (fabs(live_share(h, &h->change) - live_share(h, &(struct what_if){ 0 })) > 0.01)
			break;
	}
	snprintf(
		h->text, sizeof(h->text),
		"%s b%u %s%s%s parity %.3f slc %.2f%s op %.3f fill %.2f->%.2f%s%s%s;%s%.3g%s%.3g%s",
		victim_text(&h->device.victim, policy), h->device.pages_per_block,
		workload_text(&h->host.workload, writes), h->device.separate_gc ? " 2fr" : "",
		h->device.leveling == WEAR_LEVELING_STATIC ? " static" : "", h->parity, h->slc,
		h->tells_slc ? " told" : "", h->overprovisioning, h->host.fill_early, h->host.fill,
		h->host.trim ? " trim" : "",
		h->tells_use	     ? " nuse"
		: h->user_tells_fill ? " told"
				     : "",
		h->host.sequential > 0 ? " seq" : "", h->change.has_overprovisioning ? " op " : "",
		h->change.overprovisioning, h->change.has_fill ? " fill " : "", h->change.fill,
		h->change.has_trim ? " trim!" : "");
}

/* --- the record
 * ---------------------------------------------------------------------------------- */

static void set_blocks(struct ftl_config *c, double flash_pages)
{
	uint64_t least = ftl_least_blocks(c);
	double blocks = rint(flash_pages / c->pages_per_block);

	c->blocks = (uint32_t)blocks + ftl_reserve_blocks(c);
	c->blocks = c->blocks < least ? (uint32_t)least : c->blocks;
}

static double flash_pages(const struct hidden_drive *h)
{
	return h->device.logical_pages * (1 + h->overprovisioning);
}

static void put(struct sample *s, enum fact_id id, double value)
{
	s->has |= FACT_BIT(id);
	s->values[id] = (int64_t)value;
}

static double flash_programs(const struct hidden_drive *h, double programs, double host)
{
	return programs * (1 + h->parity) + h->slc * host;
}

static int log_sample(const struct hidden_drive *h, const struct host *host,
		      const struct frame *frame, unsigned day, struct series *series)
{
	const struct ftl_totals *t = ftl_totals_of(host->device);
	const double page = (double)CAPACITY / host->pages;
	struct ftl_wear wear = ftl_wear_of(host->device);
	struct sample s = { .time = START + day * SECONDS_PER_DAY, .frame = frame, .live = true };
	double nand = 0;

	for (unsigned i = 0; i < FTL_CAUSES; i++)
		nand += (double)t->programs[i];
	nand = flash_programs(h, nand, (double)t->host_writes);
	if (h->tells_slc)
		put(&s, FACT_NAND_BYTES_WRITTEN_SLC,
		    floor(h->slc * (double)t->host_writes * page / 1e9) * 1e9);
	put(&s, FACT_HOST_BYTES_WRITTEN, floor((double)t->host_writes * page / 512000) * 512000);
	put(&s, FACT_NAND_BYTES_WRITTEN, floor(nand * page / 1e9) * 1e9);
	put(&s, FACT_ERASE_COUNT_AVG, floor(wear.mean));
	put(&s, FACT_ERASE_COUNT_MIN, wear.least);
	put(&s, FACT_ERASE_COUNT_MAX, wear.most);
	put(&s, FACT_PERCENTAGE_USED, floor(wear.mean * 100 / RATED) * 1000);
	put(&s, FACT_POWER_ON_HOURS, day * 24.0 + 24);
	if (h->tells_use && host->files < host->pages)
		put(&s, FACT_BYTES_IN_USE, floor(page * host->files));
	return series_add_sample(series, &s);
}

static void facts_of(const struct series *series, struct facts *facts)
{
	const struct sample *s = series_last(series);

	memset(facts, 0, sizeof(*facts));
	for (int i = 0; i < FACT_COUNT; i++) {
		if (!(s->has & FACT_BIT(i)))
			continue;
		facts->sets[i].n = 1;
		facts->sets[i].candidates[0] = (struct fact){ .value = s->values[i] };
	}
}

int hidden_drive_record(const struct hidden_drive *h, struct series *series, struct facts *facts)
{
	static const struct drive_rule no_rule;
	struct ftl_config c = h->device;
	struct frame frame = { .protocol = PROTOCOL_NVME };
	const struct frame *kept;
	struct host host;
	int err;

	for (int i = 0; i < FACT_COUNT; i++)
		snprintf(frame.facts[i].source, sizeof(frame.facts[i].source), "log of %s",
			 fact_name((enum fact_id)i));
	set_blocks(&c, flash_pages(h));
	err = host_start(&host, &c, &h->host, h->host.fill_early);
	if (err)
		return err;
	err = series_add_frame(series, &frame, &kept);
	host_write(&host, (uint64_t)AGED * c.logical_pages);
	for (unsigned day = 0; !err && day <= SAMPLES; day++) {
		err = log_sample(h, &host, kept, day, series);
		if (day == SAMPLES / 2 && h->host.fill != h->host.fill_early)
			host_files(&host, h->host.fill, h->seed);
		host_write(&host, (uint64_t)RECORDED * c.logical_pages / SAMPLES);
	}
	host_end(&host);
	if (!err)
		err = series_finish(series, &no_rule, START + SAMPLES * SECONDS_PER_DAY);
	if (!err)
		facts_of(series, facts);
	return err;
}

double hidden_drive_truth(const struct hidden_drive *h)
{
	struct hidden_host is = h->host;
	struct ftl_config c = h->device;
	double pages = c.logical_pages, fill = h->change.has_fill ? h->change.fill : is.fill;
	const struct ftl_totals *t;
	struct ftl_totals before;
	double programs = 0;
	struct host host;

	if (h->change.has_trim)
		is.trim = h->change.trim != TRIM_NEVER;
	if (h->change.has_overprovisioning) {
		double then = flash_pages(h) / (1 + h->change.overprovisioning);

		if (then < pages) /* the files stay */
			fill = fmin(1, fill * pages / then);
		pages = then;
	}
	c.logical_pages = (uint32_t)pages;
	c.seed = h->seed + 1;
	set_blocks(&c, flash_pages(h));
	if (host_start(&host, &c, &is, fill))
		return -1;
	host_write(&host, (uint64_t)STEADY * c.logical_pages);
	t = ftl_totals_of(host.device);
	before = *t;
	host_write(&host, (uint64_t)STEADY * c.logical_pages);
	for (unsigned i = 0; i < FTL_CAUSES; i++)
		programs += (double)(t->programs[i] - before.programs[i]);
	programs = flash_programs(h, programs, (double)(t->host_writes - before.host_writes));
	programs /= (double)(t->host_writes - before.host_writes);
	host_end(&host);
	return programs;
}

/* --- the loop
 * ------------------------------------------------------------------------------------ */

int hidden_drive_project(const struct fit_tables *t, const struct hidden_drive *h,
			 struct hidden_result *ret)
{
	static const struct drive_rule no_rule;
	const struct identity identity = { .has_capacity = true, .capacity_bytes = CAPACITY };
	CLEANUP(cleanup_free) struct facts *facts = calloc(1, sizeof(*facts));
	CLEANUP(series_release) struct series series;
	CLEANUP(fit_release) struct fit fit = { 0 };
	struct what_if_answer answer;
	struct fit_reading reading;
	int err;

	series_init(&series);
	if (!facts)
		return -ENOMEM;
	err = hidden_drive_record(h, &series, facts);
	if (err)
		return err;
	fit_reading_take(&(struct fit_source){ &identity, &no_rule, facts, &series, NULL },
			 &reading);
	if (h->user_tells_fill) {
		reading.record.has_fill = true;
		reading.record.fill = h->host.fill;
	}
	err = fit_compute(t, &reading.record, NULL, &fit);
	if (!err)
		err = fit_tell(&fit);
	if (!err)
		err = what_if_answer(t, &fit, &h->change, &answer);
	if (err)
		return err;
	*ret = (struct hidden_result){
		.truth = hidden_drive_truth(h),
		.now = fit.waf,
		.waf = answer.waf,
		.spare = fit.values[FIT_SPARE],
		.effective = fit.effective,
	};
	return ret->truth > 0 ? 0 : -ENOMEM;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int hidden_drives_score(uint64_t seed, unsigned n, uint32_t pages,
			void (*told)(const struct hidden_drive *h, const struct hidden_result *r),
			struct hidden_score *ret)
{
	CLEANUP(cleanup_free) struct fit_tables *t = calloc(1, sizeof(*t));
	CLEANUP(cleanup_free) double *errors = calloc(n, sizeof(*errors));
	unsigned within = 0;

	if (!t || !errors)
		return -ENOMEM;
	fit_tables_fill(t);
	for (unsigned i = 0; i < n; i++) {
		struct hidden_result r;
		struct hidden_drive h;
		int err;

		hidden_drive_draw(&h, seed * 1000003 + i, pages, i % 2);
		err = hidden_drive_project(t, &h, &r);
		if (err)
			return err;
		errors[i] = fabs(r.waf.median / r.truth - 1);
		within += r.waf.low <= r.truth && r.truth <= r.waf.high;
		if (told)
			told(&h, &r);
	}
	qsort(errors, n, sizeof(*errors), by_size);
	*ret = (struct hidden_score){ errors[n / 2], (double)within / n, n };
	return 0;
}

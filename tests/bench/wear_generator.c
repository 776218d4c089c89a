/* SPDX-License-Identifier: MIT */
/*
 * Drives made day by day. Each has a life of so many days, drawn beforehand; a shape of the daily
 * writes and one of write amplification over that life; and a scale that makes its wear reach the
 * rated cycles on the last day. So the truth does not depend on how a class behaves.
 */
#include "bench/wear_generator.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "bench/draw.h"
#include "bench/wear_path.h"

#define LIFE_DAYS_MIN 400.0
#define LIFE_DAYS_MAX 4800.0
#define BIRTH	      INT64_C(1420070400) /* 2015 */
#define HOUR	      (1 / 24.0)

/* How one class is made; what a row leaves out is drawn from what is usual. */
struct wear_class {
	const char *name;
	bool steady;
	void (*volume)(struct draw *r, struct wear_path *p);
	void (*waf)(struct draw *r, struct wear_path *p);
	const char *products[6];
	void (*display)(struct draw *r, struct wear_drive *d);
	void (*record)(struct draw *r, double life, struct schedule *s);
};

static void mixed_volume(struct draw *r, struct wear_path *p)
{
	static void (*const usual[])(struct draw *, struct wear_path *) = {
		path_constant, path_weekly, path_seasonal, path_growing_exponential, path_bursty,
	};

	usual[draw_below(r, ARRAY_SIZE(usual))](r, p);
}

/* --- what the drive shows --- */

static void show_percentage_only(struct draw *r, struct wear_drive *d)
{
	(void)r;
	d->counters = WEAR_BIT(WEAR_USED) | WEAR_BIT(WEAR_HOURS);
}

static void show_cycles_only(struct draw *r, struct wear_drive *d)
{
	(void)r;
	d->counters &= ~WEAR_BIT(WEAR_HOST);
}

static void show_coarse_writes(struct draw *r, struct wear_drive *d)
{
	static const int64_t steps[] = { 1000000, 1000000000, 4000000000, 32000000000,
					 64000000000 };

	d->host_step = steps[draw_below(r, ARRAY_SIZE(steps))];
}

/* --- when it is sampled --- */

static void usual_record(struct draw *r, double life, struct schedule *s)
{
	static const double intervals[] = { HOUR, 6 * HOUR, 12 * HOUR, 1, 1, 1, 2, 3 };

	s->interval = intervals[draw_below(r, ARRAY_SIZE(intervals))];
	if (s->interval <= HOUR && life > 1000)
		s->interval = 4 * HOUR;
	s->jitter = draw_chance(r, 0.5) ? draw_between(r, 0, 0.4) : 0.02;
	s->missed = draw_chance(r, 0.5) ? draw_between(r, 0, 0.1) : 0;
}

static void sparse_record(struct draw *r, double life, struct schedule *s)
{
	(void)life;
	s->interval = draw_between(r, 2, 7);
	s->jitter = draw_between(r, 0.2, 0.5);
	s->missed = draw_between(r, 0.05, 0.3);
}

static void record_with_gaps(struct draw *r, double life, struct schedule *s)
{
	double t = draw_between(r, 0, 120);

	usual_record(r, life, s);
	s->first = draw_chance(r, 0.3) ? draw_between(r, 0.02, 0.08) * life : 0;
	while (t < life && s->ngaps < GAPS_MAX) {
		double length = draw_log_between(r, 14, 120);

		s->gaps[s->ngaps++] = (struct gap){ t, t + length, draw_chance(r, 0.5) };
		t += length + draw_exponential(r, 180);
	}
}

static void add_clock_error(struct draw *r, double life, struct schedule *s)
{
	double start = draw_between(r, 0.05, 0.7) * life;
	int64_t hour = 3600, day = 86400, error;

	switch (draw_below(r, 4)) {
	case 0: /* the battery is empty: 2000-01-01 */
		error = INT64_C(946684800) - (BIRTH + (int64_t)(start * 86400));
		break;
	case 1:
		error = (int64_t)draw_log_between(r, 1, 400) * day;
		break;
	case 2:
		error = -(int64_t)draw_log_between(r, 1, 400) * day;
		break;
	default: /* a wrong time zone */
		error = ((int64_t)draw_below(r, 23) - 11) * hour;
	}
	s->clock_errors[s->nclock_errors++] = (struct clock_error){
		start, start + draw_log_between(r, 0.2, 20), error
	};
}

static void record_with_troubles(struct draw *r, double life, struct schedule *s)
{
	static const unsigned restarting[] = {
		WEAR_BIT(WEAR_HOST),
		WEAR_BIT(WEAR_HOST) | WEAR_BIT(WEAR_NAND),
		WEAR_BIT(WEAR_HOURS),
		WEAR_BIT(WEAR_HOST) | WEAR_BIT(WEAR_NAND) | WEAR_BIT(WEAR_HOURS),
		WEAR_BIT(WEAR_HOST) | WEAR_BIT(WEAR_NAND) | WEAR_BIT(WEAR_USED) |
			WEAR_BIT(WEAR_AVG) | WEAR_BIT(WEAR_MAX) | WEAR_BIT(WEAR_HOURS),
	};

	usual_record(r, life, s);
	s->wraps = draw_chance(r, 0.5);
	if (draw_chance(r, 0.7))
		s->restarts[s->nrestarts++] = (struct restart){
			draw_between(r, 0.03, 0.7) * life,
			restarting[draw_below(r, ARRAY_SIZE(restarting))],
		};
	do
		add_clock_error(r, life, s);
	while (s->nclock_errors < CLOCK_ERRORS_MAX && draw_chance(r, 0.5));
}

/* --- the classes --- */

static const struct wear_class classes[] = {
	{ "constant", .steady = true, .volume = path_constant },
	{ "weekly", .steady = true, .volume = path_weekly },
	{ "growing-linear", .volume = path_growing_linear },
	{ "growing-exponential", .volume = path_growing_exponential },
	{ "decaying", .volume = path_decaying },
	{ "stepped", .volume = path_stepped },
	{ "bursty", .volume = path_bursty },
	{ "seasonal", .volume = path_seasonal },
	{ "waf-filling", .waf = path_waf_filling },
	{ "waf-trim", .waf = path_waf_trim },
	{ "waf-workload", .waf = path_waf_workload },
	{ "percentage-only", .products = { "nvme" }, .display = show_percentage_only },
	{ "cycles-only", .products = { "smi-avg", "smi-max", "mx500-avg" },
	  .display = show_cycles_only },
	{ "coarse-writes", .products = { "nvme", "intel", "smi" }, .display = show_coarse_writes },
	{ "pslc", .products = { "smi-pslc" } },
	{ "gaps", .record = record_with_gaps },
	{ "resets", .products = { "nvme", "nvme-ocp", "micron", "pm883", "smi", "smi-max" },
	  .record = record_with_troubles },
	{ "sparse", .record = sparse_record },
};

static const struct wear_product *choose_product(struct draw *r, const struct wear_class *class)
{
	static const char *const usual[] = {
		"nvme",	  "nvme",  "nvme",  "nvme", "nvme-ocp", "nvme-ocp", "nvme-ocp",
		"micron", "pm883", "intel", "wd",   "smi",	"smi-max",  "mx500-avg",
	};
	unsigned n = 0;

	while (n < ARRAY_SIZE(class->products) && class->products[n])
		n++;
	return wear_product_by_name(n ? class->products[draw_below(r, n)]
				      : usual[draw_below(r, ARRAY_SIZE(usual))]);
}

static void make_product(struct draw *r, const struct wear_class *class, struct wear_drive *d)
{
	unsigned n = 0;

	d->product = choose_product(r, class);
	while (n < ARRAY_SIZE(d->product->rated) && d->product->rated[n])
		n++;
	d->rated = d->product->rated[draw_below(r, n)];
	d->counters = d->product->counters;
	d->rounding = (enum wear_rounding)draw_below(r, 3);
	d->host_step = d->product->unit[WEAR_HOST];
	if (class->display)
		class->display(r, d);
}

static void make(size_t number_of_class, uint64_t seed, unsigned number, struct wear_drive *ret)
{
	const struct wear_class *class = &classes[number_of_class];
	struct schedule schedule = { 0 };
	struct draw r;
	struct wear_path p;

	draw_seed(&r, seed, number);
	*ret = (struct wear_drive){
		.number = number,
		.class_name = class->name,
		.steady = class->steady,
		.birth = BIRTH + (int64_t)draw_below(&r, 86400 * 365),
	};
	make_product(&r, class, ret);
	path_init(&p, draw_log_between(&r, LIFE_DAYS_MIN, LIFE_DAYS_MAX));
	(class->record ? class->record : usual_record)(&r, p.life, &schedule);
	(class->volume ? class->volume : mixed_volume)(&r, &p);
	(class->waf ? class->waf : path_waf_flat)(&r, &p);
	path_finish(&r, &p, &schedule, ret);
	path_record(&r, &p, &schedule, ret);
	path_release(&p);
}

static const char *class_name(size_t class)
{
	return class < ARRAY_SIZE(classes) ? classes[class].name : NULL;
}

const struct wear_generator wear_by_day = { "by-day", class_name, make };

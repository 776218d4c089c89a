/* SPDX-License-Identifier: MIT */
/*
 * Drives made event by event. A machine has jobs, a file system that fills and is cleaned up, and a
 * power switch; its drive has a mean-field model of garbage collection. All of it runs until the
 * drive's last day, and the rated cycles then say how many bytes one unit of its writes was.
 */
#include "bench/wear_generator.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "bench/draw.h"

#define LIFE_DAYS_MIN	500.0
#define LIFE_DAYS_MAX	4500.0
#define BIRTH		INT64_C(1451606400) /* 2016 */
#define RECORD_DAYS_MAX 3652.0
#define YEAR		365.25
#define NEVER		1e9

/* What runs on a kind of machine. Writes are in units of a usual day's; times in days. */
struct machine_kind {
	const char *name;
	bool steady;
	double background;		 /* written all the time, a day */
	double nightly, weekly, monthly; /* size of each run of a job */
	double bursts, burst_alpha;	 /* so many a day, with a tail of this exponent */
	double compaction;		 /* bytes rewritten for each byte taken in */
	double random_share;		 /* of all but the jobs */
	double growth;			 /* natural logarithm, over the life: at most */
	double season;			 /* amplitude over the year: at most */
	double weekend;			 /* share of the writes on Saturday and Sunday */
	double role_days, role_factor;	 /* mean between changes of role, and how large they are */
	double fill_from, fill_to;	 /* share of the drive, over the life */
	double cleanup_days;		 /* mean between clean-ups; 0: none */
	double trim_days;		 /* 0: no TRIM */
	double off_at_night, away_days, away_every; /* the power switch */
	double interval;			    /* of samples */
	double recorder_fails_every;		    /* and is mended after weeks; 0: never */
	double counters_restart;		    /* probability */
	double clock_fails; /* probability that it is wrong after the power was off */
	const char *products[5];
};

static const struct machine_kind kinds[] = {
	{ "log-collector", .steady = true, .background = 0.9, .nightly = 0.1, .random_share = 0.2,
	  .weekend = 0.9, .fill_from = 0.6, .fill_to = 0.7, .trim_days = 7, .interval = 0.25,
	  .products = { "nvme", "nvme-ocp", "micron", "pm883" } },
	{ "camera", .steady = true, .background = 1, .random_share = 0.05, .weekend = 1,
	  .fill_from = 0.9, .fill_to = 0.9, .interval = 1,
	  .products = { "smi", "wd", "smi-max", "nvme" } },
	{ "office-server", .steady = true, .background = 0.3, .nightly = 0.5, .weekly = 2,
	  .random_share = 0.5, .weekend = 0.2, .fill_from = 0.5, .fill_to = 0.6, .trim_days = 7,
	  .interval = 0.5, .products = { "nvme", "intel", "pm883", "nvme-ocp" } },
	{ "web-server", .background = 0.6, .nightly = 0.3, .weekly = 0.7, .random_share = 0.4,
	  .growth = 1.2, .weekend = 0.8, .fill_from = 0.3, .fill_to = 0.8, .cleanup_days = 120,
	  .trim_days = 7, .interval = 0.25, .products = { "nvme", "nvme-ocp", "micron" } },
	{ "database", .background = 0.5, .nightly = 0.2, .bursts = 3, .burst_alpha = 2.2,
	  .compaction = 1.5, .random_share = 0.8, .growth = 0.8, .weekend = 0.7, .fill_from = 0.3,
	  .fill_to = 0.92, .interval = 0.25, .products = { "nvme", "nvme-ocp", "pm883", "intel" } },
	{ "desktop", .background = 0.2, .bursts = 2, .burst_alpha = 1.7, .random_share = 0.5,
	  .weekend = 0.6, .fill_from = 0.3, .fill_to = 0.8, .cleanup_days = 200, .trim_days = 7,
	  .off_at_night = 0.55, .away_days = 12, .away_every = 120, .interval = 1,
	  .products = { "nvme", "wd", "smi", "mx500-avg", "smi-pslc" } },
	{ "backup-target", .nightly = 0.8, .weekly = 3, .monthly = 8, .random_share = 0.1,
	  .growth = 1, .weekend = 1, .fill_from = 0.4, .fill_to = 0.9, .cleanup_days = 60,
	  .interval = 1, .products = { "nvme", "intel", "micron", "smi" } },
	{ "virtual-host", .background = 0.6, .nightly = 0.3, .bursts = 1, .burst_alpha = 1.6,
	  .random_share = 0.6, .weekend = 0.8, .role_days = 500, .role_factor = 2, .fill_from = 0.4,
	  .fill_to = 0.9, .cleanup_days = 150, .trim_days = 30, .interval = 0.25,
	  .products = { "nvme", "nvme-ocp", "pm883" } },
	{ "build-farm", .background = 0.1, .bursts = 6, .burst_alpha = 1.5, .random_share = 0.4,
	  .growth = 0.7, .weekend = 0.15, .fill_from = 0.4, .fill_to = 0.6, .cleanup_days = 20,
	  .trim_days = 1, .interval = 0.5, .products = { "nvme", "wd", "smi-avg" } },
	{ "shop-cache", .background = 1, .bursts = 1, .burst_alpha = 2, .random_share = 0.9,
	  .growth = 0.5, .season = 0.6, .weekend = 1.3, .fill_from = 0.9, .fill_to = 0.95,
	  .interval = 0.5, .products = { "nvme", "nvme-ocp", "intel" } },
	{ "storage-node", .background = 0.7, .bursts = 0.02, .burst_alpha = 1.5, .compaction = 0.5,
	  .random_share = 0.5, .growth = -1, .weekend = 0.9, .role_days = 900, .role_factor = 1.6,
	  .fill_from = 0.1, .fill_to = 0.9, .interval = 1,
	  .products = { "nvme", "nvme-ocp", "micron" } },
	{ "remote-site", .background = 0.5, .nightly = 0.4, .bursts = 0.5, .burst_alpha = 2,
	  .random_share = 0.4, .weekend = 0.7, .fill_from = 0.4, .fill_to = 0.7, .trim_days = 7,
	  .away_days = 5, .away_every = 90, .interval = 2.5, .recorder_fails_every = 250,
	  .counters_restart = 0.4, .clock_fails = 0.3,
	  .products = { "nvme", "pm883", "smi", "smi-max", "micron" } },
};

/* One line of what happened: states at samples, at days' ends, at restarts of counters. */
struct note {
	enum note_kind { NOTE_DAY, NOTE_SAMPLE, NOTE_RESTART } kind;
	double age, host, nand, hours;
	int64_t clock_error;
};

enum source {
	SOURCE_DAY,
	SOURCE_NIGHTLY,
	SOURCE_WEEKLY,
	SOURCE_MONTHLY,
	SOURCE_BURST,
	SOURCE_ROLE,
	SOURCE_CLEANUP,
	SOURCE_TRIM,
	SOURCE_POWER,
	SOURCE_SAMPLE,
	SOURCE_RECORDER,
	SOURCE_RESTART,
	SOURCE_COUNT
};

struct machine {
	const struct machine_kind *kind;
	struct draw random;
	double life, age;
	double next[SOURCE_COUNT];
	double host, nand, hours;
	double taken_in;   /* since the last compaction */
	double fill, seen; /* share of the drive in use, and what the drive believes */
	double random_waf;
	double growth, season, phase, role, shape[3]; /* of this machine; of its three jobs */
	bool on, recording, away;
	int64_t clock_error;
	struct note *notes;
	size_t nnotes, cap;
};

static void note(struct machine *m, enum note_kind kind)
{
	if (m->nnotes == m->cap) {
		m->cap = m->cap ? 2 * m->cap : 4096;
		m->notes = realloc(m->notes, m->cap * sizeof(*m->notes));
		if (!m->notes)
			abort();
	}
	m->notes[m->nnotes++] = (struct note){
		kind, m->age, m->host, m->nand, m->hours, m->clock_error,
	};
}

/*
 * Greedy collection of random writes: a block of which the share v is still valid when it is
 * collected gives a write amplification of 1 / (1 - v), where v = exp(-(1 - v) / use).
 */
static double waf_of_use(double use)
{
	double v = use * use;

	for (int i = 0; i < 60; i++)
		v = exp(-(1 - v) / use);
	return 1 / (1 - v);
}

static void see(struct machine *m, double seen)
{
	m->seen = seen;
	m->random_waf = waf_of_use(seen / 1.09);
}

/* --- demand --- */

static bool is_weekend(const struct machine *m)
{
	return (unsigned)m->age % 7 >= 5;
}

static double demand(const struct machine *m)
{
	double d = m->role * exp(m->growth * m->age / m->life);

	d *= 1 + m->season * sin(2 * M_PI * m->age / YEAR + m->phase);
	return is_weekend(m) ? d * m->kind->weekend : d;
}

static void host_writes(struct machine *m, double bytes, double random_share)
{
	m->host += bytes;
	m->nand += bytes * (1.02 + random_share * (m->random_waf - 1));
	m->taken_in += bytes;
	if (m->kind->compaction > 0 && m->taken_in > 1) {
		m->host += m->kind->compaction * m->taken_in;
		m->nand += m->kind->compaction * m->taken_in * (1.02 + 0.2 * (m->random_waf - 1));
		m->taken_in = 0;
	}
}

static void pass_time(struct machine *m, double age)
{
	double days = age - m->age;

	if (m->on) {
		host_writes(m, m->kind->background * demand(m) * days, m->kind->random_share);
		m->hours += 24 * days;
	}
	m->age = age;
}

/* --- events --- */

static void run_job(struct machine *m, int job, double size)
{
	if (m->on)
		host_writes(m, size * m->shape[job] * demand(m) * draw_lognormal(&m->random, 0.2),
			    0.05);
}

static void change_role(struct machine *m)
{
	double factor = m->kind->role_factor;

	m->role *= draw_log_between(&m->random, 1 / factor, factor);
	m->role = fmin(fmax(m->role, 0.3), 3);
}

static void end_day(struct machine *m)
{
	const struct machine_kind *k = m->kind;
	double done = m->age / m->life;
	double target = k->fill_from + (k->fill_to - k->fill_from) * done;

	m->fill += 0.02 * (target - m->fill) + 0.003 * draw_normal(&m->random);
	m->fill = fmin(fmax(m->fill, 0.05), 0.97);
	if (m->fill > m->seen)
		see(m, m->fill);
	note(m, NOTE_DAY);
}

static void switch_power(struct machine *m)
{
	const struct machine_kind *k = m->kind;

	if (m->on) {
		m->on = false;
		m->away = k->away_days > 0 &&
			  draw_chance(&m->random,
				      (k->off_at_night > 0 ? 1 : k->away_every) / k->away_every);
		m->next[SOURCE_POWER] = m->age +
					(m->away ? draw_exponential(&m->random, k->away_days)
						 : k->off_at_night);
		return;
	}
	m->on = true;
	m->clock_error = 0;
	if (draw_chance(&m->random, k->clock_fails))
		m->clock_error = (int64_t)(draw_between(&m->random, -400, 60) * 86400);
	m->next[SOURCE_POWER] = m->age + (k->off_at_night > 0
						  ? 1 - k->off_at_night
						  : draw_exponential(&m->random, k->away_every));
}

static void take_sample(struct machine *m)
{
	if (m->on && m->recording && m->age < fmin(WEAR_RECORDED * m->life, RECORD_DAYS_MAX))
		note(m, NOTE_SAMPLE);
	/* a network time server is found sooner or later */
	if (m->on && draw_chance(&m->random, 0.2))
		m->clock_error = 0;
}

static void fire(struct machine *m, enum source source)
{
	const struct machine_kind *k = m->kind;
	struct draw *r = &m->random;

	switch (source) {
	case SOURCE_DAY:
		end_day(m);
		m->next[source] += 1;
		break;
	case SOURCE_NIGHTLY:
		run_job(m, 0, k->nightly);
		m->next[source] += 1;
		break;
	case SOURCE_WEEKLY:
		run_job(m, 1, k->weekly);
		m->next[source] += 7;
		break;
	case SOURCE_MONTHLY:
		run_job(m, 2, k->monthly);
		m->next[source] += YEAR / 12;
		break;
	case SOURCE_BURST:
		/* a file system holds only so much */
		if (m->on)
			host_writes(m, 0.3 * demand(m) * fmin(draw_pareto(r, k->burst_alpha), 60),
				    k->random_share);
		m->next[source] += draw_exponential(r, 1 / k->bursts);
		break;
	case SOURCE_ROLE:
		change_role(m);
		m->next[source] += draw_exponential(r, k->role_days);
		break;
	case SOURCE_CLEANUP:
		m->fill *= draw_between(r, 0.6, 0.95);
		m->next[source] += draw_exponential(r, k->cleanup_days);
		break;
	case SOURCE_TRIM:
		see(m, m->fill);
		m->next[source] += k->trim_days;
		break;
	case SOURCE_POWER:
		switch_power(m);
		break;
	case SOURCE_SAMPLE:
		take_sample(m);
		m->next[source] += k->interval * draw_between(r, 0.97, 1.1);
		break;
	case SOURCE_RECORDER:
		m->recording = !m->recording;
		m->next[source] += draw_exponential(r, m->recording ? k->recorder_fails_every : 25);
		break;
	default:
		note(m, NOTE_RESTART);
		m->next[source] = NEVER;
	}
}

static void start(struct machine *m)
{
	const struct machine_kind *k = m->kind;
	struct draw *r = &m->random;
	const double first[SOURCE_COUNT] = {
		[SOURCE_DAY] = 1,
		[SOURCE_NIGHTLY] = k->nightly > 0 ? 0.1 : NEVER,
		[SOURCE_WEEKLY] = k->weekly > 0 ? draw_between(r, 0, 7) : NEVER,
		[SOURCE_MONTHLY] = k->monthly > 0 ? draw_between(r, 0, 30) : NEVER,
		[SOURCE_BURST] = k->bursts > 0 ? 0 : NEVER,
		[SOURCE_ROLE] = k->role_days > 0 ? draw_exponential(r, k->role_days) : NEVER,
		[SOURCE_CLEANUP] = k->cleanup_days > 0 ? k->cleanup_days : NEVER,
		[SOURCE_TRIM] = k->trim_days > 0 ? k->trim_days : NEVER,
		[SOURCE_POWER] = k->off_at_night > 0 ? 0.75
				 : k->away_every > 0 ? 30
						     : NEVER,
		[SOURCE_SAMPLE] = 0.05,
		[SOURCE_RECORDER] = k->recorder_fails_every > 0 ? k->recorder_fails_every : NEVER,
		[SOURCE_RESTART] = draw_chance(r, k->counters_restart)
					   ? draw_between(r, 0.05, 0.7) * m->life
					   : NEVER,
	};

	for (int i = 0; i < SOURCE_COUNT; i++)
		m->next[i] = first[i];
	for (size_t i = 0; i < ARRAY_SIZE(m->shape); i++)
		m->shape[i] = draw_lognormal(r, 0.5);
	m->growth = k->growth * draw_unit(r);
	m->season = k->season * draw_unit(r);
	m->phase = draw_between(r, 0, 2 * M_PI);
	m->role = 1;
	m->on = m->recording = true;
	m->fill = k->fill_from;
	see(m, m->fill);
}

static void run(struct machine *m)
{
	start(m);
	for (;;) {
		int soonest = 0;

		for (int i = 1; i < SOURCE_COUNT; i++)
			if (m->next[i] < m->next[soonest])
				soonest = i;
		if (m->next[soonest] >= m->life)
			break;
		pass_time(m, m->next[soonest]);
		fire(m, (enum source)soonest);
	}
	pass_time(m, m->life);
	note(m, NOTE_DAY);
}

/* --- from notes to a drive --- */

/* The most worn block runs ahead of the average by less and less. */
static double max_of_average(double average)
{
	return average + 2.5 * pow(average, 0.6);
}

static double average_of_max(double max)
{
	double low = 0, high = max;

	while (high - low > 1e-6 * max)
		if (max_of_average((low + high) / 2) < max)
			low = (low + high) / 2;
		else
			high = (low + high) / 2;
	return high;
}

static struct wear_state state_of(const struct note *n, const struct wear_drive *d, double scale)
{
	struct wear_state s = {
		.host = n->host * scale,
		.nand = n->nand * scale,
		.nand_slc = n->host * scale,
		.hours = n->hours,
	};

	s.avg = s.nand / wear_drive_flash_bytes(d);
	s.max = max_of_average(s.avg);
	s.slc_avg = s.nand_slc / (0.05 * (double)d->product->capacity);
	return s;
}

/* When the writes to the flash reached this share of their last sum. */
static double find_age(const struct machine *m, double share)
{
	const struct note *last = &m->notes[m->nnotes - 1], *n = m->notes;

	while (n->nand < share * last->nand)
		n++;
	if (n == m->notes || n->nand <= n[-1].nand)
		return n->age;
	return n[-1].age +
	       (n->age - n[-1].age) * (share * last->nand - n[-1].nand) / (n->nand - n[-1].nand);
}

static void show(const struct machine *m, struct wear_drive *d)
{
	const struct note *last = &m->notes[m->nnotes - 1];
	double rated = d->product->limit == WEAR_MAX ? average_of_max(d->rated) : d->rated;
	double end = d->product->limit == WEAR_MAX
			     ? average_of_max(wear_drive_end(d) * d->rated) / rated
			     : wear_drive_end(d);
	double scale = rated * wear_drive_flash_bytes(d) / last->nand;

	d->life = find_age(m, end);
	for (size_t i = 0; i < m->nnotes; i++) {
		const struct note *n = &m->notes[i];
		struct wear_state s = state_of(n, d, scale);

		if (n->kind == NOTE_SAMPLE)
			wear_drive_show(d, n->age, n->clock_error, &s);
		else if (n->kind == NOTE_RESTART)
			wear_drive_restart(d, WEAR_BIT(WEAR_HOST) | WEAR_BIT(WEAR_NAND), &s);
	}
}

static void make(size_t class, uint64_t seed, unsigned number, struct wear_drive *ret)
{
	struct machine m = { .kind = &kinds[class] };
	unsigned nproducts = 0, nrated = 0;

	draw_seed(&m.random, ~seed, number);
	while (nproducts < ARRAY_SIZE(m.kind->products) && m.kind->products[nproducts])
		nproducts++;
	*ret = (struct wear_drive){
		.number = number,
		.class_name = m.kind->name,
		.steady = m.kind->steady,
		.product = wear_product_by_name(m.kind->products[draw_below(&m.random, nproducts)]),
		.rounding = (enum wear_rounding)draw_below(&m.random, 3),
		.birth = BIRTH + (int64_t)draw_below(&m.random, 86400 * 365),
	};
	while (nrated < ARRAY_SIZE(ret->product->rated) && ret->product->rated[nrated])
		nrated++;
	ret->rated = ret->product->rated[draw_below(&m.random, nrated)];
	ret->counters = ret->product->counters;
	ret->host_step = ret->product->unit[WEAR_HOST];
	m.life = draw_log_between(&m.random, LIFE_DAYS_MIN, LIFE_DAYS_MAX);
	run(&m);
	show(&m, ret);
	free(m.notes);
}

static const char *class_name(size_t class)
{
	return class < ARRAY_SIZE(kinds) ? kinds[class].name : NULL;
}

const struct wear_generator wear_by_event = { "by-event", class_name, make };

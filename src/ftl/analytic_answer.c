/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ftl/analytic.h"

#define LIFE_STEPS 2000

/* Share of the blocks that have worn out at e erases. */
static double worn_out(double e, double pe, double cv)
{
	return cv > 0 ? erfc((pe - e) / (pe * cv) / sqrt(2)) / 2 : e >= pe;
}

/* Host pages that the blocks left take for each erase of them all; 0 where they hold no more. */
static double pages_an_erase(const struct analytic_curve *c, double logical_pages, double blocks,
			     double worn)
{
	double pages = blocks * (1 - worn) * c->pages_per_block;
	double spare = 1 - logical_pages / pages;

	return spare > 0 ? pages / analytic_curve_at(c, spare) : 0;
}

/* Midpoints, in steps that are short where blocks wear out. */
double analytic_life(const struct analytic_curve *c, double logical_pages, double blocks, double pe,
		     double cv)
{
	double from = pe * (1 - 8 * cv), to = pe * (1 + 8 * cv), written, step;

	from = from > 0 ? from : 0;
	written = from * pages_an_erase(c, logical_pages, blocks, 0);
	step = (to - from) / LIFE_STEPS;
	for (int i = 0; i < LIFE_STEPS && step > 0; i++) {
		double worn = worn_out(from + (i + 0.5) * step, pe, cv);
		double pages = pages_an_erase(c, logical_pages, blocks, worn);

		if (pages <= 0)
			break;
		written += step * pages;
	}
	return written;
}

/* What is asked, and what the answer is made of. */
struct question {
	const struct simulation_config *c;
	struct analytic_curve curve;
	double spare;
	bool cached;
	double cache; /* time that pages stay in the write cache; 0: none */
	struct analytic_groups groups;
	struct analytic_cached main; /* of the main area, for each page that the host writes */
	struct analytic_answer answer;
};

static bool is_cold(const struct analytic_groups *g)
{
	return g->n == 2 && g->writes[1] <= 0;
}

static int no_model(const struct question *q, const char *of, struct diag *d)
{
	char text[WORKLOAD_TEXT_MAX], policy[VICTIM_TEXT_MAX];

	return diag_fail(
		d, -EOPNOTSUPP,
		"no analytic model is known for %s writes with the policy %s%s: simulate it",
		workload_text(&q->c->workload, text), victim_text(&q->curve.victim, policy), of);
}

static void name(struct question *q, const char *model)
{
	snprintf(q->answer.model, sizeof(q->answer.model), "%s", model);
}

static void name_more(struct question *q, bool applies, const char *more)
{
	size_t n = strlen(q->answer.model);

	if (applies)
		snprintf(q->answer.model + n, sizeof(q->answer.model) - n, "; %s", more);
}

static const char *curve_model(enum victim_policy policy)
{
	switch (policy) {
	case VICTIM_FIFO:
		return "first in, first out (Lambert W)";
	case VICTIM_RANDOM:
		return "random victim";
	case VICTIM_CHOICES:
		return "mean field of d choices";
	default:
		return "greedy, finite blocks";
	}
}

/* A page that is in the cache is not in the main area, and the others are still alike. */
static int of_uniform(struct question *q, struct diag *d)
{
	const struct simulation_config *c = q->c;

	if (!analytic_curve_is_known(&q->curve))
		return no_model(q, q->curve.refresh_age > 0 ? " and refresh" : "", d);
	name(q, curve_model(q->curve.victim.policy));
	q->main.folded = exp(-q->cache);
	q->main.main = q->main.folded *
		       analytic_curve_at(&q->curve, 1 - (1 - q->spare) * q->main.folded);
	q->answer.has_agarwal_marrow = !q->cached && q->curve.refresh_age <= 0;
	q->answer.agarwal_marrow = analytic_agarwal_marrow(q->spare);
	q->answer.has_life = c->device.pe_cycles && !c->device.held_back && c->trim <= 0 &&
			     !q->cached;
	if (q->answer.has_life)
		q->answer.life_pages = analytic_life(&q->curve, c->device.logical_pages,
						     (double)simulation_data_blocks(c),
						     c->device.pe_cycles, c->device.pe_cv);
	return 0;
}

static void of_zipf(struct question *q)
{
	name(q, "first in, first out, non-uniform");
	q->main.main = analytic_fifo_zipf(q->spare, q->c->workload.exponent,
					  q->c->device.logical_pages);
}

/* Groups whose pages stand in blocks of their own: by an oracle, or as some are never written. */
static bool of_separated(struct question *q)
{
	const bool cold = is_cold(&q->groups);

	if (q->cached || q->curve.refresh_age > 0 || q->curve.victim.policy != VICTIM_GREEDY ||
	    !(cold || q->c->separate_oracle))
		return false;
	if (cold)
		name(q, "greedy, finite blocks; pages that are never written keep their blocks");
	else
		name(q, "separated groups, each with its share of the spare");
	q->main.main = analytic_curve_at(
		&q->curve, cold ? analytic_cold_spare(q->spare, q->groups.pages[1]) : q->spare);
	return true;
}

static bool of_fifo(struct question *q)
{
	if (q->c->separate_oracle || q->c->device.separate_gc ||
	    q->curve.victim.policy != VICTIM_FIFO)
		return false;
	name(q, "first in, first out, non-uniform");
	q->main = analytic_fifo_cached(q->spare, &q->groups, q->cache,
				       q->curve.refresh_age > 0 ? q->curve.refresh_age : INFINITY);
	return true;
}

/* Whatever is written where: a random victim holds as much as a block does on average. */
static bool of_random(struct question *q)
{
	if (q->cached || q->curve.refresh_age > 0 || q->c->separate_oracle ||
	    q->curve.victim.policy != VICTIM_RANDOM)
		return false;
	name(q, curve_model(VICTIM_RANDOM));
	q->main.main = analytic_random(q->spare);
	return true;
}

static int of_groups(struct question *q, struct diag *d)
{
	const bool zipf = q->c->workload.kind == WORKLOAD_ZIPF,
		   plain = !q->cached && q->curve.refresh_age <= 0;
	uint32_t end[WORKLOAD_GROUPS_MAX];
	struct analytic_groups *g = &q->groups;

	g->n = workload_groups(&q->c->workload, q->c->device.logical_pages, end, g->writes);
	for (unsigned i = 0; i < g->n; i++)
		g->pages[i] = (double)(end[i] - (i ? end[i - 1] : 0)) / q->c->device.logical_pages;
	if (plain && !zipf && analytic_curve_is_known(&q->curve)) {
		q->answer.has_best_split = true;
		q->answer.best_split = analytic_best_split(&q->curve, q->spare, g, NULL);
	}
	if (zipf && plain && !q->c->separate_oracle && !q->c->device.separate_gc &&
	    q->curve.victim.policy == VICTIM_FIFO)
		of_zipf(q);
	else if (!of_random(q) && (zipf || (!of_separated(q) && !of_fifo(q))))
		return no_model(q,
				q->cached		   ? " and a write cache"
				: q->curve.refresh_age > 0 ? " and refresh"
				: q->c->separate_oracle	   ? " and separated groups"
				: q->c->device.separate_gc ? " and two frontiers"
							   : "",
				d);
	return 0;
}

/* Blocks lose their pages in the order in which they got them. */
static int of_sequential(struct question *q, struct diag *d)
{
	if (of_random(q))
		return 0;
	if (q->curve.victim.policy == VICTIM_RANDOM || q->curve.victim.policy == VICTIM_CHOICES ||
	    q->cached || q->curve.refresh_age > 0)
		return no_model(q,
				q->cached		   ? " and a write cache"
				: q->curve.refresh_age > 0 ? " and refresh"
							   : "",
				d);
	name(q, "sequential writes");
	q->main.main = 1;
	return 0;
}

/*
 * What cannot be answered at all. A cache that writes are led past when it is full is emptied in
 * idle, and how much of that there is no steady state tells; a dynamic one shares the spare with
 * collection.
 */
static int check(const struct simulation_config *c, const struct pslc_config *cache, struct diag *d)
{
	const bool reads = c->device.read_limit && c->reads > 0;
	const bool cached = cache && cache->mode != PSLC_NONE;
	const char *what = NULL;

	if (c->by_requests)
		what = "requests that are not whole pages written";
	else if (c->device.spare_high)
		what = "blocks that are kept free";
	else if (c->device.leveling == WEAR_LEVELING_STATIC)
		what = "static wear levelling";
	else if (cache && cache->mode == PSLC_DYNAMIC)
		what = "a dynamic write cache";
	else if (cached && cache->overflow == PSLC_WRITE_PAST)
		what = "a write cache that is written past";
	else if (reads && (c->workload.kind != WORKLOAD_UNIFORM || c->trim > 0 || cached))
		what = "read disturb beside anything but plain uniform writes";
	else if (c->trim > 0 && c->workload.kind != WORKLOAD_UNIFORM)
		what = "trims of anything but uniform writes";
	else if (c->trim > 0 && cached)
		what = "trims before a write cache";
	else if (c->trim > 0 && c->device.refresh_age)
		what = "trims with refresh";
	return what ? diag_fail(d, -EOPNOTSUPP,
				"no analytic model takes account of %s: simulate it", what)
		    : 0;
}

/* A page leaves with the block that it is in: on average, half a block before its time. */
static double cache_time(const struct simulation_config *c, const struct pslc_config *cache,
			 unsigned bits)
{
	uint32_t block = c->device.pages_per_block / bits ? c->device.pages_per_block / bits : 1;
	double pages = floor((double)cache->bytes / c->page_bytes / block) * block;

	return fmax(pages - block / 2.0, 0) / c->device.logical_pages;
}

/* In flash pages: the cache and the main area have what compression leaves, the latter parity too.
 */
static void finish(struct question *q)
{
	const struct ftl_config *f = &q->c->device;
	const double share = simulation_flash_share(q->c);
	struct analytic_answer *a = &q->answer;

	a->folded = q->cached ? q->main.folded * share : 0;
	a->parity = q->main.main * share * ftl_parity_pages(f) / f->pages_per_block;
	a->waf = share * ((q->cached ? 1 : 0) + q->main.main) + a->parity;
	a->agarwal_marrow *= share + a->parity / q->main.main;
	a->best_split *= share + a->parity / q->main.main;
	name_more(q, q->curve.refresh_age > 0, "blocks refreshed at an age");
	name_more(q, q->cached, "write cache, first in, first out");
	name_more(q, a->parity > 0, "parity beside the data");
	name_more(q, share < 1, "compressed");
}

/* The age at which blocks are refreshed, in times the drive, by time or by reads; 0: never. */
static double refresh_age(const struct simulation_config *c)
{
	double age = c->device.refresh_age ? (double)c->device.refresh_age / c->device.logical_pages
					   : INFINITY;

	if (c->device.read_limit && c->reads > 0)
		age = fmin(age, analytic_read_age(c->reads, c->device.read_limit,
						  c->device.pages_per_block));
	return isfinite(age) ? age : 0;
}

int analytic_answer_cached(const struct simulation_config *c, const struct pslc_config *cache,
			   unsigned bits, struct analytic_answer *ret, struct diag *d)
{
	struct question q = {
		.c = c,
		.curve = { c->device.victim, c->device.pages_per_block, refresh_age(c) },
		.spare = analytic_trimmed_spare(simulation_free_share(c), c->trim),
		.cached = cache && cache->mode != PSLC_NONE,
	};
	int r = check(c, cache, d);

	if (r < 0)
		return r;
	if (q.cached)
		q.cache = cache_time(c, cache, bits);
	switch (c->workload.kind) {
	case WORKLOAD_UNIFORM:
		r = of_uniform(&q, d);
		break;
	case WORKLOAD_SEQUENTIAL:
		r = of_sequential(&q, d);
		break;
	default:
		r = of_groups(&q, d);
	}
	if (r < 0)
		return r;
	finish(&q);
	*ret = q.answer;
	return 0;
}

int analytic_answer(const struct simulation_config *c, struct analytic_answer *ret, struct diag *d)
{
	return analytic_answer_cached(c, NULL, 1, ret, d);
}

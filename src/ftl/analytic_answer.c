/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>

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

static int of_groups(const struct simulation_config *c, const struct analytic_curve *curve,
		     double spare, struct analytic_answer *ret, struct diag *d)
{
	uint32_t end[WORKLOAD_GROUPS_MAX];
	struct analytic_groups g = { 0 };
	char text[WORKLOAD_TEXT_MAX], policy[VICTIM_TEXT_MAX];

	g.n = workload_groups(&c->workload, c->device.logical_pages, end, g.writes);
	for (unsigned i = 0; i < g.n; i++)
		g.pages[i] = (double)(end[i] - (i ? end[i - 1] : 0)) / c->device.logical_pages;
	if (c->workload.kind != WORKLOAD_ZIPF && analytic_curve_is_known(curve)) {
		ret->has_best_split = true;
		ret->best_split = analytic_best_split(curve, spare, &g, NULL);
	}
	if (c->separate_oracle && c->workload.kind != WORKLOAD_ZIPF &&
	    curve->victim.policy == VICTIM_GREEDY) {
		ret->model = "separated groups, each with its share of the spare";
		ret->waf = analytic_curve_at(curve, spare);
	} else if (!c->separate_oracle && !c->device.separate_gc &&
		   curve->victim.policy == VICTIM_FIFO) {
		ret->model = "first in, first out, non-uniform";
		ret->waf = c->workload.kind == WORKLOAD_ZIPF
				   ? analytic_fifo_zipf(spare, c->workload.exponent,
							c->device.logical_pages)
				   : analytic_fifo_groups(spare, &g);
	} else {
		return diag_fail(d, -EOPNOTSUPP,
				 "no analytic model is known for %s with the policy %s%s: simulate "
				 "it",
				 workload_text(&c->workload, text),
				 victim_text(&c->device.victim, policy),
				 c->separate_oracle	 ? " and separated groups"
				 : c->device.separate_gc ? " and two frontiers"
							 : "");
	}
	return 0;
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

/* Flash pages for each page that the map moves: parity beside it, and what compression leaves. */
static double flash_pages_a_page(const struct simulation_config *c)
{
	const struct ftl_config *f = &c->device;

	return simulation_flash_share(c) *
	       (1 + (double)ftl_parity_pages(f) / (double)f->pages_per_block);
}

static const char *not_modelled(const struct simulation_config *c)
{
	if (c->device.spare_high)
		return "blocks that are kept free";
	if (c->device.leveling == WEAR_LEVELING_STATIC)
		return "static wear levelling";
	if (c->device.refresh_age || (c->device.read_limit && c->reads > 0))
		return "refreshes";
	return NULL;
}

int analytic_answer(const struct simulation_config *c, struct analytic_answer *ret, struct diag *d)
{
	const struct analytic_curve curve = { c->device.victim, c->device.pages_per_block };
	struct analytic_answer answer = { .waf = 1, .model = "sequential writes" };
	double spare = analytic_trimmed_spare(simulation_spare(c), c->trim);
	char text[WORKLOAD_TEXT_MAX], policy[VICTIM_TEXT_MAX];
	int r;

	if (not_modelled(c))
		return diag_fail(d, -EOPNOTSUPP,
				 "no analytic model takes account of %s: simulate it",
				 not_modelled(c));
	if (c->workload.kind != WORKLOAD_UNIFORM && c->trim > 0)
		return diag_fail(d, -EOPNOTSUPP,
				 "no analytic model is known for %s with trims: simulate it",
				 workload_text(&c->workload, text));
	if (c->workload.kind == WORKLOAD_UNIFORM) {
		if (!analytic_curve_is_known(&curve))
			return diag_fail(
				d, -EOPNOTSUPP,
				"no analytic model is known for the policy %s: simulate it",
				victim_text(&c->device.victim, policy));
		answer.model = curve_model(curve.victim.policy);
		answer.waf = analytic_curve_at(&curve, spare);
		answer.has_life = c->device.pe_cycles && c->trim <= 0 && !c->device.held_back;
	} else if (c->workload.kind != WORKLOAD_SEQUENTIAL) {
		r = of_groups(c, &curve, spare, &answer, d);
		if (r < 0)
			return r;
	}
	if (answer.has_life)
		answer.life_pages = analytic_life(&curve, c->device.logical_pages,
						  (double)simulation_data_blocks(c),
						  c->device.pe_cycles, c->device.pe_cv);
	answer.waf *= flash_pages_a_page(c);
	answer.best_split *= flash_pages_a_page(c);
	*ret = answer;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "health/rate.h"

#include <math.h>
#include <string.h>

#include "base/portable_math.h"

#include "health/rate_parts.h"

#define DAYS_PER_YEAR 365.25

/* Who shifted once may do so again sooner: so many more are expected where there was one for sure.
 */
#define SHIFTS_MORE 0.7

/*
 * Along the likeliest cuts: the sizes of shifts, and how the amounts themselves lie about the
 * fitted levels. A few heavy days carry much of what is written and little of the logarithms.
 */
struct residuals {
	double shifts, shift_sum, shift_squares;
	/* of levels from the middle, before each shift; with it */
	double away_sum, away_squares, away_shift;
	double amounts, fitted, squares, weight;
};

static struct residuals likeliest_residuals(const struct rate_fit_work *w)
{
	double middle = w->sums[w->n].z / w->sums[w->n].w;
	struct residuals r = { 0 };
	struct stretch later = { 0 };
	double later_at = 0;
	size_t to = w->n;

	while (to > 0) {
		size_t from = w->likeliest[to];
		struct stretch s = stretch_regress(w, from, to, w->t[to - 1], 1);
		bool between = to < w->n && from > 0 && from + 1 == to; /* a shift fell into it */

		if (to < w->n && !between) {
			double size = later.level - s.level, away = s.level - middle;

			r.shifts++;
			r.shift_sum += size;
			r.shift_squares += size * size;
			r.away_sum += away;
			r.away_squares += away * away;
			r.away_shift += away * size;
		}
		for (size_t i = from; i < to; i++) {
			double mu = portable_exp_bounded(s.level +
							 s.slope * (w->t[i] - w->t[to - 1]));
			double off = w->y[i] / mu - 1, k = w->bins[i].weight;

			r.amounts += k * w->y[i] / mu;
			r.squares += k * k * off * off;
			r.weight += k;
		}
		if (!between) {
			later_at = w->t[from];
			later = stretch_regress(w, from, to, later_at, 1);
		}
		to = from;
	}
	return r;
}

/* Growth by amount: log(a (1 + c t)), by Gauss-Newton from the proportional fit. */
static void fit_linear(const struct rate_fit_work *w, size_t from, double at, double spread,
		       struct rate_start *ret)
{
	double level = ret->level, c = ret->slope, length = at - w->bins[from].from;
	double s2 = w->sigma * w->sigma * spread, chi_linear = 0, chi_exponential = 0;

	c = fmin(c, 0.5 / length);
	for (int round = 0; round < 12; round++) {
		double aa = 0, ag = 0, gg = 1 / w->slope_prior, ra = 0, rg = -c / w->slope_prior;
		double det;

		for (size_t i = from; i < w->n; i++) {
			double u = w->t[i] - at, k = w->bins[i].weight / s2, one = 1 + c * u;
			double d = u / one, r = w->calm[i] - level - portable_log(one);

			aa += k;
			ag += k * d;
			gg += k * d * d;
			ra += k * r;
			rg += k * d * r;
		}
		det = aa * gg - ag * ag;
		if (det <= 0)
			break;
		level += (gg * ra - ag * rg) / det;
		c = fmin(c + (aa * rg - ag * ra) / det, 0.97 / length);
	}
	for (size_t i = from; i < w->n; i++) {
		double u = w->t[i] - at, k = w->bins[i].weight / s2;
		double e = w->calm[i] - ret->level - ret->slope * u;
		double l = w->calm[i] - level - portable_log(1 + c * u);

		chi_exponential += k * e * e;
		chi_linear += k * l * l;
	}
	chi_exponential += ret->slope * ret->slope / w->slope_prior;
	chi_linear += c * c / w->slope_prior;
	ret->linear = 1 / (1 + portable_exp_bounded(
				       fmax(-50, fmin(50, (chi_linear - chi_exponential) / 2))));
	ret->linear_level = level;
	ret->linear_slope = c;
}

/* Levels of logarithms to the rate that makes the sums right. */
static double amount_correction(const struct rate_fit_work *w, size_t from, double level,
				double slope, double at, double overall)
{
	const double known = 4;
	double amount = known * portable_exp_bounded(overall), fitted = known;

	if (!w->prior->averages)
		return 0;
	for (size_t i = from; i < w->n; i++) {
		double mu = portable_exp_bounded(level + slope * (w->t[i] - at));

		amount += w->bins[i].weight * w->y[i] / mu;
		fitted += w->bins[i].weight;
	}
	return portable_log(amount / fitted);
}

/* Of the stretch before; a bin that the shift fell into is none of its own. */
static double level_before(const struct rate_fit_work *w, size_t to)
{
	size_t from = w->likeliest[to];

	if (from > 0 && from + 1 == to)
		return stretch_regress(w, w->likeliest[from], from, w->t[from - 1], 1).level;
	return stretch_regress(w, from, to, w->t[to - 1], 1).level;
}

static void add_start(const struct rate_fit_work *w, size_t from, double spread, double overall,
		      struct rate_model *m)
{
	struct rate_start *s = &m->starts[m->nstarts++];
	struct stretch f = stretch_regress(w, from, w->n, m->end, spread), flat;
	double correction, odds;

	*s = (struct rate_start){
		.weight = w->posterior[from],
		.day = w->bins[from].from,
		.level = f.level,
		.slope = f.slope,
		.level_sd = sqrt(f.level_var),
		.slope_sd = sqrt(f.slope_var),
		.correlation = f.covariance / sqrt(f.level_var * f.slope_var),
		.has_before = from > 0,
	};
	if (from > 0)
		s->level_before = level_before(w, from);
	fit_linear(w, from, m->end, spread, s);
	flat = stretch_level(w, from, w->n, spread);
	s->flat_level = flat.level;
	s->flat_sd = sqrt(flat.level_var);
	odds = portable_log(w->prior->slopes / (1 - w->prior->slopes)) + f.log_evidence -
	       flat.log_evidence;
	s->flat = 1 / (1 + portable_exp_bounded(fmax(-50, fmin(50, odds))));
	correction = amount_correction(w, from, f.level, f.slope, m->end, overall);
	s->level += correction;
	s->linear_level += correction;
	s->flat_level += amount_correction(w, from, flat.level, 0, m->end, overall);
}

/* The likeliest starts; what is left out is too little to matter. */
static void take_starts(const struct rate_fit_work *w, double spread, double overall,
			struct rate_model *m)
{
	bool taken[RATE_BINS_MAX] = { false };
	double total = 0;

	while (m->nstarts < RATE_STARTS_MAX && m->nstarts < w->n) {
		size_t best = w->n;

		for (size_t i = 0; i < w->n; i++)
			if (!taken[i] && (best == w->n || w->posterior[i] > w->posterior[best]))
				best = i;
		if (best == w->n || (m->nstarts > 0 && w->posterior[best] < 0.005))
			break;
		taken[best] = true;
		add_start(w, best, spread, overall, m);
		total += w->posterior[best];
	}
	for (size_t i = 0; i < m->nstarts; i++)
		m->starts[i].weight /= total;
}

/* Days that a bin of weight 1 stands for. */
static double days_of_weight(const struct rate_bin *bins, size_t n)
{
	double days = 0, weight = 0;

	for (size_t i = 0; i < n; i++) {
		days += bins[i].to - bins[i].from;
		weight += bins[i].weight;
	}
	return days / weight;
}

/*
 * Do shifts lead anywhere, or back to the middle that levels wander about? As far back as they did,
 * by regression; few shifts prove little.
 */
static void find_shifts(const struct residuals *r, const struct rate_prior *prior,
			struct rate_model *ret)
{
	const double known = 3, prior_squares = prior->shift * prior->shift;
	double back = -r->away_shift / (r->away_squares + prior_squares);
	double squares, sum;

	back = fmin(1, fmax(0, back)) * r->shifts / (r->shifts + known);
	squares = r->shift_squares + 2 * back * r->away_shift + back * back * r->away_squares;
	sum = r->shift_sum + back * r->away_sum;
	ret->pull = back;
	ret->shifts_known = known + r->shifts;
	ret->shift_mean = sum / ret->shifts_known;
	squares = fmax(0, squares - sum * ret->shift_mean);
	ret->shift_sd = sqrt((known * prior_squares + squares) / ret->shifts_known);
}

void rate_fit(const struct rate_bin *bins, size_t n, const struct rate_prior *prior,
	      struct rate_model *ret)
{
	struct rate_fit_work w = { .bins = bins, .n = n, .prior = prior };
	struct residuals r;
	double years, variance, overall;
	size_t seen;

	memset(ret, 0, sizeof(*ret));
	ret->nbins = n;
	ret->end = bins[n - 1].to;
	seen = n > 1 && bins[0].summary ? 1 : 0;
	ret->history = fmax(ret->end - bins[seen].from, 1);
	years = fmax(ret->history, 30) / DAYS_PER_YEAR;
	w.slope_prior = prior->slope * prior->slope / years / (DAYS_PER_YEAR * DAYS_PER_YEAR);
	rate_split(&w);
	r = likeliest_residuals(&w);
	overall = prior->averages ? portable_log(fmax(r.amounts / r.weight, 1e-3)) : 0;
	variance = w.sigma * w.sigma;
	if (prior->averages)
		variance = fmax(variance, portable_log(1 + r.squares / (double)n));
	ret->noise_variance = prior->averages ? variance : 0;
	ret->noise_days = days_of_weight(bins + seen, n - seen);
	ret->shifts = w.changes[n] + SHIFTS_MORE * (1 - portable_exp(-fmin(w.changes[n], 100)));
	ret->shifts_missed = prior->shifts;
	find_shifts(&r, prior, ret);
	ret->middle = w.sums[n].z / w.sums[n].w + overall;
	take_starts(&w, variance / (w.sigma * w.sigma), overall, ret);
}

double rate_level(const struct rate_model *m)
{
	const struct rate_start *s = &m->starts[0];

	return s->flat >= 0.5 ? s->flat_level : s->level;
}

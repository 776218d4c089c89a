/* SPDX-License-Identifier: MIT */
/* The past of a rate, cut into stretches. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/portable_math.h"
#include "health/rate_parts.h"

/* A rate this much below the mean says no more than that nothing happened. */
#define RATE_FLOOR 0.01

/* Levels before anything is seen: e^1.5 either way of the mean. */
#define LEVEL_SD 1.5

/* One bin that stands out by more than this many standard deviations is no new level. */
#define OUTLIER 3.0

/* The largest of several noisy estimates is too large by about so much. */
#define SCALE_DISCOUNT 0.8

/* A history of this many bins may hold one shift, before it is looked at. */
#define SHIFTS_EXPECTED 0.5

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

static void take_bins(struct rate_fit_work *w)
{
	double amount = 0, time = 0, mean;

	for (size_t i = 0; i < w->n; i++) {
		const struct rate_bin *b = &w->bins[i];
		double days = w->prior->averages ? b->to - b->from : 1;

		w->t[i] = (b->from + b->to) / 2;
		w->y[i] = fmax(0, b->amount) / days;
		amount += w->y[i] * b->weight;
		time += b->weight;
	}
	mean = fmax(amount / time, 1e-300);
	for (size_t i = 0; i < w->n; i++)
		w->z[i] = portable_log(fmax(w->y[i], RATE_FLOOR * mean));
}

/*
 * Noise from the differences of neighbours about their median, which steps and trends hardly touch;
 * of means over 2, 4 and 8 bins too, as busy weeks come together, and then a mean is less sure than
 * it looks.
 */
static double noise_at_scale(const struct rate_fit_work *w, size_t scale)
{
	double v[RATE_BINS_MAX] = { 0 }, before = 0, middle;
	size_t n = 0;

	for (size_t i = w->n % scale; i + scale <= w->n; i += scale) {
		double sum = 0, weight = 0;

		for (size_t j = i; j < i + scale; j++) {
			sum += w->z[j] * w->bins[j].weight;
			weight += w->bins[j].weight;
		}
		if (i >= scale + w->n % scale)
			v[n++] = (sum / weight - before) * sqrt(weight / 2);
		before = sum / weight;
	}
	middle = median(v, n);
	for (size_t i = 0; i < n; i++)
		v[i] = fabs(v[i] - middle);
	return 1.4826 * median(v, n);
}

static void find_noise(struct rate_fit_work *w)
{
	const double known = 1;
	double s2 = 0, n = 0;

	if (w->n >= 3) {
		s2 = noise_at_scale(w, 1);
		for (size_t scale = 2; scale <= 8 && w->n / scale >= 10; scale *= 2)
			s2 = fmax(s2, SCALE_DISCOUNT * noise_at_scale(w, scale));
		s2 *= s2;
		n = (double)(w->n - 1);
	}
	s2 = (s2 * n + known * w->prior->noise * w->prior->noise) / (n + known);
	w->sigma = sqrt(s2 + w->prior->noise_floor * w->prior->noise_floor);
}

/* Draw lone outliers in to OUTLIER standard deviations about the median of five. */
static void calm_outliers(struct rate_fit_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t from = i < 2 ? 0 : i - 2, n = (i + 3 > w->n ? w->n : i + 3) - from;
		double v[5], middle, most = OUTLIER * w->sigma;

		memcpy(v, &w->z[from], n * sizeof(*v));
		middle = median(v, n);
		w->calm[i] = n < 4 ? w->z[i] : middle + fmin(most, fmax(-most, w->z[i] - middle));
	}
}

static void add_sums(struct rate_fit_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		double k = w->bins[i].weight / (w->sigma * w->sigma);
		double t = w->t[i], z = w->calm[i];

		w->sums[i + 1] = (struct sums){
			w->sums[i].w + k,     w->sums[i].t + k * t,	 w->sums[i].tt + k * t * t,
			w->sums[i].z + k * z, w->sums[i].tz + k * t * z, w->sums[i].zz + k * z * z,
		};
	}
}

struct stretch stretch_regress(const struct rate_fit_work *w, size_t from, size_t to, double at,
			       double spread)
{
	const struct sums *a = &w->sums[from], *b = &w->sums[to];
	double sw = (b->w - a->w) / spread, st = (b->t - a->t) / spread,
	       stt = (b->tt - a->tt) / spread, sz = (b->z - a->z) / spread,
	       stz = (b->tz - a->tz) / spread, szz = (b->zz - a->zz) / spread;
	double level_prior = LEVEL_SD * LEVEL_SD, middle = w->sums[w->n].z / w->sums[w->n].w;
	/* about `at` and the middle of all levels */
	double u = st - at * sw, uu = stt - 2 * at * st + at * at * sw, z = sz - middle * sw,
	       uz = stz - at * sz - middle * u, zz = szz - 2 * middle * sz + middle * middle * sw;
	double paa = sw + 1 / level_prior, pgg = uu + 1 / w->slope_prior;
	double det = paa * pgg - u * u;
	double level = (pgg * z - u * uz) / det, slope = (paa * uz - u * z) / det;

	return (struct stretch){
		.level = level + middle,
		.slope = slope,
		.level_var = pgg / det,
		.slope_var = paa / det,
		.covariance = -u / det,
		.log_evidence = -0.5 * (portable_log(det * level_prior * w->slope_prior) + zz -
					level * z - slope * uz),
	};
}

struct stretch stretch_level(const struct rate_fit_work *w, size_t from, size_t to, double spread)
{
	const struct sums *a = &w->sums[from], *b = &w->sums[to];
	double level_prior = LEVEL_SD * LEVEL_SD, middle = w->sums[w->n].z / w->sums[w->n].w;
	double sw = (b->w - a->w) / spread, sz = (b->z - a->z) / spread,
	       szz = (b->zz - a->zz) / spread;
	double z = sz - middle * sw, zz = szz - 2 * middle * sz + middle * middle * sw;
	double precision = sw + 1 / level_prior, level = z / precision;

	return (struct stretch){
		.level = level + middle,
		.level_var = 1 / precision,
		.log_evidence = -0.5 * (portable_log(precision * level_prior) + zz - level * z),
	};
}

static double add_logs(double a, double b)
{
	double top = fmax(a, b);

	if (!(fabs(a - b) < 40)) /* below the last digit */
		return top;
	return top + portable_log(1 + portable_exp(-fabs(a - b)));
}

static double stretch_evidence(const struct rate_fit_work *w, size_t from, size_t to)
{
	double flat = portable_log(1 - w->prior->slopes) +
		      stretch_level(w, from, to, 1).log_evidence;

	if (to - from < 2)
		return flat;
	return add_logs(flat, portable_log(w->prior->slopes) +
				      stretch_regress(w, from, to, w->t[to - 1], 1).log_evidence);
}

/* All ways to cut the history into stretches, weighed. */
static void weigh_splits(struct rate_fit_work *w)
{
	double hazard = SHIFTS_EXPECTED / (SHIFTS_EXPECTED + (double)w->n);
	double stay = portable_log(1 - hazard), change = portable_log(hazard);

	w->evidence[0] = w->changes[0] = 0;
	for (size_t to = 1; to <= w->n; to++) {
		double best = -INFINITY, total = -INFINITY, changes = 0;
		double part[RATE_BINS_MAX];

		for (size_t from = 0; from < to; from++) {
			part[from] = w->evidence[from] + (from > 0 ? change : 0) +
				     stay * (double)(to - from - 1) + stretch_evidence(w, from, to);
			total = from == 0 ? part[from] : add_logs(total, part[from]);
			if (part[from] > best) {
				best = part[from];
				w->likeliest[to] = from;
			}
		}
		for (size_t from = 0; from < to; from++) {
			double less = part[from] - total;
			double p = less > -40 ? portable_exp(fmin(less, 0)) : 0;

			/* a bin between two stretches is what one shift left, not two */
			bool begins = from > 0 && (to == w->n || from + 1 < to);

			changes += p * (w->changes[from] + begins);
			if (to == w->n)
				w->posterior[from] = p;
		}
		w->evidence[to] = total;
		w->changes[to] = changes;
	}
}

void rate_split(struct rate_fit_work *w)
{
	take_bins(w);
	find_noise(w);
	calm_outliers(w);
	add_sums(w);
	weigh_splits(w);
}

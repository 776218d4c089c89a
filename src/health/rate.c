/* SPDX-License-Identifier: MIT */
#include "health/rate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAYS_PER_YEAR 365.25

/* A rate this much below the mean says no more than that nothing happened. */
#define RATE_FLOOR 0.01

/* Levels before anything is seen: e^1.5 either way of the mean. */
#define LEVEL_SD 1.5

/* One bin that stands out by more than this many standard deviations is no new level. */
#define OUTLIER 3.0

/* A history of this many bins may hold one shift, before it is looked at. */
#define SHIFTS_EXPECTED 0.5

/* Who went up and down often comes back: a shift goes so far back to the middle, at most. */
#define PULL 0.3

/* Sums over the bins before each, to have those of any stretch at once. */
struct sums {
	double w, t, tt, z, tz, zz;
};

struct fit_work {
	const struct rate_bin *bins;
	size_t n;
	const struct rate_prior *prior;
	double t[RATE_BINS_MAX], z[RATE_BINS_MAX]; /* middle, logarithm of the rate */
	double calm[RATE_BINS_MAX];		   /* z without lone outliers */
	double y[RATE_BINS_MAX];
	struct sums sums[RATE_BINS_MAX + 1];
	double sigma;			     /* noise of a typical bin */
	double slope_prior;		     /* variance, per day squared */
	double evidence[RATE_BINS_MAX + 1];  /* log, of the bins before each */
	double changes[RATE_BINS_MAX + 1];   /* expected among them */
	size_t likeliest[RATE_BINS_MAX + 1]; /* start of the stretch that ends before each */
	double posterior[RATE_BINS_MAX];     /* of each start of the last stretch */
};

/* Level and slope of a stretch, at `at`, and how well they are known. */
struct stretch {
	double level, slope, level_var, slope_var, covariance, log_evidence;
};

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

static void take_bins(struct fit_work *w)
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
		w->z[i] = log(fmax(w->y[i], RATE_FLOOR * mean));
}

/*
 * Noise from the differences of neighbours about their median, which steps and trends hardly touch;
 * of means over 2, 4 and 8 bins too, as busy weeks come together, and then a mean is less sure than
 * it looks.
 */
static double noise_at_scale(const struct fit_work *w, size_t scale)
{
	double v[RATE_BINS_MAX], before = 0, middle;
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

static void find_noise(struct fit_work *w)
{
	const double known = 1;
	double s2 = 0, n = 0;

	if (w->n >= 3) {
		s2 = noise_at_scale(w, 1);
		for (size_t scale = 2; scale <= 8 && w->n / scale >= 10; scale *= 2)
			s2 = fmax(s2, noise_at_scale(w, scale));
		s2 *= s2;
		n = (double)(w->n - 1);
	}
	s2 = (s2 * n + known * w->prior->noise * w->prior->noise) / (n + known);
	w->sigma = sqrt(s2 + w->prior->noise_floor * w->prior->noise_floor);
}

/* Draw lone outliers in to OUTLIER standard deviations about the median of five. */
static void calm_outliers(struct fit_work *w)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t from = i < 2 ? 0 : i - 2, n = (i + 3 > w->n ? w->n : i + 3) - from;
		double v[5], middle, most = OUTLIER * w->sigma;

		memcpy(v, &w->z[from], n * sizeof(*v));
		middle = median(v, n);
		w->calm[i] = n < 4 ? w->z[i] : middle + fmin(most, fmax(-most, w->z[i] - middle));
	}
}

static void add_sums(struct fit_work *w)
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

/*
 * Bins from..to-1 as a level and a slope at day `at`: conjugate normal regression. `spread`: noise
 * variance against sigma squared. The evidence leaves out what is the same for all splits.
 */
static struct stretch regress(const struct fit_work *w, size_t from, size_t to, double at,
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
		.log_evidence = -0.5 * (log(det * level_prior * w->slope_prior) + zz - level * z -
					slope * uz),
	};
}

static double add_logs(double a, double b)
{
	double top = fmax(a, b);

	return top + log1p(exp(-fabs(a - b)));
}

/* All ways to cut the history into stretches, weighed. */
static void split(struct fit_work *w)
{
	double hazard = SHIFTS_EXPECTED / (SHIFTS_EXPECTED + (double)w->n);
	double stay = log1p(-hazard), change = log(hazard);

	w->evidence[0] = w->changes[0] = 0;
	for (size_t to = 1; to <= w->n; to++) {
		double best = -INFINITY, total = -INFINITY, changes = 0;
		double part[RATE_BINS_MAX];

		for (size_t from = 0; from < to; from++) {
			part[from] = w->evidence[from] + (from > 0 ? change : 0) +
				     stay * (double)(to - from - 1) +
				     regress(w, from, to, w->t[to - 1], 1).log_evidence;
			total = from == 0 ? part[from] : add_logs(total, part[from]);
			if (part[from] > best) {
				best = part[from];
				w->likeliest[to] = from;
			}
		}
		for (size_t from = 0; from < to; from++) {
			double p = exp(part[from] - total);

			changes += p * (w->changes[from] + (from > 0));
			if (to == w->n)
				w->posterior[from] = p;
		}
		w->evidence[to] = total;
		w->changes[to] = changes;
	}
}

/*
 * Along the likeliest cuts: the sizes of shifts, and how the amounts themselves lie about the
 * fitted levels. A few heavy days carry much of what is written and little of the logarithms.
 */
struct residuals {
	double shift_squares, shifts;
	double amounts, fitted, squares, weight;
};

static struct residuals likeliest_residuals(const struct fit_work *w)
{
	struct residuals r = { 0 };
	struct stretch later = { 0 };
	double later_at = 0;
	size_t to = w->n;

	while (to > 0) {
		size_t from = w->likeliest[to];
		struct stretch s = regress(w, from, to, w->t[to - 1], 1);

		if (to < w->n) {
			double size = later.level - s.level;

			r.shift_squares += size * size;
			r.shifts++;
		}
		for (size_t i = from; i < to; i++) {
			double mu = exp(s.level + s.slope * (w->t[i] - w->t[to - 1]));
			double off = w->y[i] / mu - 1, k = w->bins[i].weight;

			r.amounts += k * w->y[i] / mu;
			r.squares += k * k * off * off;
			r.weight += k;
		}
		later_at = w->t[from];
		later = regress(w, from, to, later_at, 1);
		to = from;
	}
	return r;
}

/* Growth by amount: log(a (1 + c t)), by Gauss-Newton from the proportional fit. */
static void fit_linear(const struct fit_work *w, size_t from, double at, double spread,
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
			double d = u / one, r = w->calm[i] - level - log(one);

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
		double l = w->calm[i] - level - log(1 + c * u);

		chi_exponential += k * e * e;
		chi_linear += k * l * l;
	}
	chi_exponential += ret->slope * ret->slope / w->slope_prior;
	chi_linear += c * c / w->slope_prior;
	ret->linear = 1 / (1 + exp(fmax(-50, fmin(50, (chi_linear - chi_exponential) / 2))));
	ret->linear_level = level;
	ret->linear_slope = c;
}

/* Levels of logarithms to the rate that makes the sums right. */
static double amount_correction(const struct fit_work *w, size_t from, const struct rate_start *s,
				double at, double overall)
{
	const double known = 4;
	double amount = known * exp(overall), fitted = known;

	if (!w->prior->averages)
		return 0;
	for (size_t i = from; i < w->n; i++) {
		double mu = exp(s->level + s->slope * (w->t[i] - at));

		amount += w->bins[i].weight * w->y[i] / mu;
		fitted += w->bins[i].weight;
	}
	return log(amount / fitted);
}

/* Of the stretch before; a bin that the shift fell into is none of its own. */
static double level_before(const struct fit_work *w, size_t to)
{
	size_t from = w->likeliest[to];

	if (to - from == 1 && from > 0) {
		to = from;
		from = w->likeliest[to];
	}
	return regress(w, from, to, w->t[to - 1], 1).level;
}

static void add_start(const struct fit_work *w, size_t from, double spread, double overall,
		      struct rate_model *m)
{
	struct rate_start *s = &m->starts[m->nstarts++];
	struct stretch f = regress(w, from, w->n, m->end, spread);
	double correction;

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
	correction = amount_correction(w, from, s, m->end, overall);
	s->level += correction;
	s->linear_level += correction;
}

/* The likeliest starts; what is left out is too little to matter. */
static void take_starts(const struct fit_work *w, double spread, double overall,
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

void rate_fit(const struct rate_bin *bins, size_t n, const struct rate_prior *prior,
	      struct rate_model *ret)
{
	struct fit_work w = { .bins = bins, .n = n, .prior = prior };
	const double known = 3;
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
	take_bins(&w);
	find_noise(&w);
	calm_outliers(&w);
	add_sums(&w);
	split(&w);
	r = likeliest_residuals(&w);
	overall = prior->averages ? log(fmax(r.amounts / r.weight, 1e-3)) : 0;
	variance = w.sigma * w.sigma;
	if (prior->averages)
		variance = fmax(variance, log1p(r.squares / (double)n));
	ret->noise_variance = prior->averages ? variance : 0;
	ret->noise_days = days_of_weight(bins + seen, n - seen);
	ret->shifts = w.changes[n];
	ret->shifts_per_day = ret->shifts / ret->history;
	ret->shifts_missed = prior->shifts;
	ret->pull = PULL * fmax(0, ret->shifts - 1) / (fmax(0, ret->shifts - 1) + 2);
	ret->shift_sd = sqrt((known * prior->shift * prior->shift + r.shift_squares) /
			     (known + r.shifts));
	ret->middle = w.sums[n].z / w.sums[n].w;
	take_starts(&w, variance / (w.sigma * w.sigma), overall, ret);
}

/*
 * Shifts come as often as they did. A calm history is no proof that there are none: beside that
 * they come with a hazard of `missed` in so long a time as is known, history or future, which gives
 * a calm future the odds that a calm history has earned.
 */
static double next_shift(const struct rate_path *p, struct random *rnd, double days)
{
	double known = p->history + days;
	double seen = days + random_exponential(rnd) / fmax(p->shifts_per_day, 1e-9);
	double missed = known * exp(random_exponential(rnd) / p->shifts_missed) - p->history;

	return fmin(seen, missed);
}

/* One slope in three does not last: it ends within about as long as the history. */
#define SLOPE_ENDS 0.33

void rate_path_draw(const struct rate_model *m, struct random *rnd, bool mirrored,
		    struct rate_path *ret)
{
	double which = random_uniform(rnd), sign = mirrored ? -1 : 1;
	double a = sign * random_normal(rnd), b = sign * random_normal(rnd);
	bool lasts = random_uniform(rnd) >= SLOPE_ENDS;
	double ends = random_exponential(rnd) * m->history, kind = random_uniform(rnd);
	const struct rate_start *s = &m->starts[0];
	double more, level, slope;

	for (size_t i = 0; i < m->nstarts; i++) {
		s = &m->starts[i];
		which -= s->weight;
		if (which < 0)
			break;
	}
	more = 1 + 1.0 / (double)m->nbins; /* the noise itself is estimated from few */
	level = more * s->level_sd * a;
	slope = more * s->slope_sd *
		(s->correlation * a + sqrt(fmax(0, 1 - s->correlation * s->correlation)) * b);
	*ret = (struct rate_path){
		.linear = kind < s->linear,
		.slope_ends = lasts ? INFINITY : ends,
		.shift_sd = m->shift_sd,
		.pull = m->pull,
		.middle = m->middle,
		.noise = sign * random_normal(rnd),
	};
	ret->level = (ret->linear ? s->linear_level : s->level) + level;
	ret->slope = (ret->linear ? s->linear_slope : s->slope) + slope;
	ret->shifts_per_day = m->shifts_per_day;
	ret->shifts_missed = m->shifts_missed;
	ret->history = m->history;
	ret->next_shift = next_shift(ret, rnd, 0);
}

/* No trend takes a rate further than five-fold either way. */
#define TREND_MAX 1.5

double rate_path_at(struct rate_path *p, struct random *rnd, double days)
{
	double slope_days = fmin(days, p->slope_ends), trend;

	while (p->next_shift <= days) {
		p->shifted += p->shift_sd * random_normal(rnd) -
			      p->pull * (p->level + p->shifted - p->middle);
		p->next_shift = next_shift(p, rnd, p->next_shift);
	}
	trend = p->linear ? log(fmax(1e-3, 1 + p->slope * slope_days)) : p->slope * slope_days;
	return p->level + p->shifted + fmin(TREND_MAX, fmax(-TREND_MAX, trend));
}

/* SPDX-License-Identifier: MIT */
#include "ftl/fit.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/portable_math.h"

#define DRIVES 12000
#define SEED   UINT64_C(0x6e616e646c696665)

/* How far the formulas are from a simulated drive of the same kind: deviation of the logarithm. */
#define MODEL_ERROR 0.015

/* Over a life the use changes: its average tells less of the steady state. */
#define LIFE_ERROR 0.1

/* Fewer drives than this carry no interval: the likelihood is widened until so many do. */
#define EFFECTIVE_LEAST 150
#define WIDENINGS_MAX	12

/* The misfit of the best drive, beyond which none explains the record: three deviations. */
#define STRAINED 9

/* What is measured of late goes back so far, and no further than the fill is the same. */
#define LATE_DAYS 90.0
#define LATE_STEP 0.01
#define SAME_FILL 0.05
#define SAME_WAF  0.1 /* of the logarithm, beyond twice the windows' own error */

/* An interval that is this much of what was known before tells nothing new. */
#define TOLD_WIDTH	 0.8
#define CORRELATION_TOLD 0.5

static const struct {
	const char *name, *label;
	bool share;
} parameters[] = {
#define X(e, name, label, share) { name, label, share },
	FIT_PARAMETERS(X)
#undef X
};
static_assert(ARRAY_SIZE(parameters) == FIT_PARAMETER_COUNT, "one row a parameter");

const char *fit_parameter_name(enum fit_parameter p)
{
	return parameters[p].name;
}

const char *fit_parameter_label(enum fit_parameter p)
{
	return parameters[p].label;
}

bool fit_parameter_is_share(enum fit_parameter p)
{
	return parameters[p].share;
}

/* --- drives as they may be
 * ---------------------------------------------------------------------- */

static double between(struct rng *r, double low, double high)
{
	return low + (high - low) * rng_unit(r);
}

/*
 * Flash over capacity, for data: what was measured, else what the drive holds less what it keeps
 * for itself (bad blocks, maps), else what drives are sold with. Parity takes its part of the
 * first two. Programs of a pSLC cache that no counter tells apart are no programs of this flash.
 */
static double draw_flash(struct rng *r, const struct fit_record *c, double parity, double fixed)
{
	double luck = rng_normal(r), u = rng_unit(r), flash, main_share = 1;

	if (!c->has_slc && c->has_life && fixed > 0)
		main_share = 1 - fixed * c->life.host / c->life.nand;
	if (c->cycle > 0 && c->capacity > 0)
		flash = c->cycle / c->capacity * (1 + c->cycle_relative * luck) * main_share /
			parity;
	else if (c->raw > 0 && c->capacity > 0)
		flash = c->raw / c->capacity * (1 - 0.08 * u) / parity;
	else
		flash = 1 + 0.03 * portable_exp(2.8 * u); /* 3 to 50 % */
	return flash < 1.01 ? 1.01 : flash;
}

/*
 * A file that is deleted stays in use for the drive until the next TRIM. In between, the free
 * capacity fills with such leftovers as new files go to new places.
 */
double fit_trimmed_share(enum trim_habit habit, const struct fit_drive *d,
			 double capacities_per_day)
{
	double days = habit == TRIM_WEEKLY ? 7 : 1, filled;

	if (habit == TRIM_NEVER)
		return 0;
	if (habit == TRIM_AT_ONCE || d->fill >= 1 || capacities_per_day <= 0)
		return 1;
	filled = d->churn * capacities_per_day * days / (1 - d->fill);
	if (filled < 1e-4)
		return 1;
	return filled > 700 ? 1 / filled : (1 - portable_exp(-filled)) / filled;
}

static double draw_trimmed(struct rng *r, const struct fit_record *c, const struct fit_drive *d)
{
	double u = rng_unit(r), share = rng_unit(r);

	if (c->trim != TRIM_UNKNOWN)
		return fit_trimmed_share(c->trim, d,
					 c->capacity > 0 ? c->writes_per_day / c->capacity : 0);
	return u < 0.4 ? 0 : u < 0.8 ? 1 : share;
}

/*
 * What drives and their use are like before anything is measured. Every drive takes the same
 * number of random numbers, so that a little more knowledge moves the fit a little.
 */
static void draw(struct rng *r, const struct fit_record *c, struct fit_drive *d)
{
	double u, parity, fixed, partial;

	u = rng_unit(r); /* one page in so many is parity */
	parity = u < 0.6 ? 1 : 1 + 0.14 * (u - 0.6) / 0.4;
	u = rng_unit(r);
	fixed = u < 0.75 ? 0 : (u - 0.75) / 0.25;
	d->fixed = c->has_slc ? c->slc_share : fixed;
	d->flash = draw_flash(r, c, parity, fixed);
	u = rng_unit(r); /* a quarter is written all over: databases, arrays */
	d->fill = c->has_fill ? c->fill : u < 0.25 ? 1 : 0.2 + 0.8 * (u - 0.25) / 0.75;
	d->churn = between(r, 0.1, 1);
	d->trimmed = draw_trimmed(r, c, d);
	u = rng_unit(r);
	d->skew = 1 + (unsigned)rng_below(r, FIT_SKEWS - 1);
	d->skew = u < 0.2 ? 0 : d->skew;
	d->block = (unsigned)rng_below(r, FIT_BLOCKS);
	u = rng_unit(r);
	d->victim = u < 0.7 ? between(r, 0, 0.06) : between(r, 0, 1);
	u = rng_unit(r);
	d->separate = u < 0.35 ? -8 : -1 + 1.8 * rng_normal(r);
	d->separate_slope = between(r, 0, 1.3);
	u = rng_unit(r); /* streams and copies are all in order */
	d->sequential = u < 0.6 ? 0 : between(r, 0, 1);
	d->sequential = u > 0.95 ? 1 : d->sequential;
	u = rng_unit(r); /* maps and partial pages */
	partial = u < 0.8 ? 0.02 * u / 0.8 : 0.3 * (u - 0.8) / 0.2;
	d->factor = parity * (1 + partial);
	u = rng_unit(r);
	if (c->compresses)
		d->factor *= portable_exp(-3 * u);
}

/* --- what the record says of them
 * ---------------------------------------------------------------- */

static double waf_of(const struct fit_window *w)
{
	return w->nand / w->host;
}

static bool is_same(const struct fit_window *a, const struct fit_window *b)
{
	double fill = a->fill - b->fill, waf = portable_log(waf_of(a) / waf_of(b));
	double error = 2 * (a->relative_step + b->relative_step) + SAME_WAF;

	if (a->has_fill != b->has_fill)
		return false;
	return waf < error && waf > -error &&
	       (!a->has_fill || (fill < SAME_FILL && fill > -SAME_FILL));
}

/* Measured of late: the last windows together, while nothing changed; else the life. */
static struct fit_window lately(const struct fit_record *c, unsigned *ret_from)
{
	struct fit_window sum = c->life;

	*ret_from = 0;
	if (!c->nwindows)
		return sum;
	sum = c->windows[c->nwindows - 1];
	*ret_from = c->nwindows - 1;
	for (unsigned i = c->nwindows - 1; i-- > 0; *ret_from = i) {
		const struct fit_window *w = &c->windows[i];

		if ((sum.days + w->days > LATE_DAYS && sum.relative_step < LATE_STEP) ||
		    !is_same(w, &sum))
			break;
		sum.relative_step *= sum.nand / (sum.nand + w->nand);
		sum.days += w->days;
		sum.host += w->host;
		sum.nand += w->nand;
	}
	return sum;
}

/* Of a time when the drive may have held more or less, and nobody says how much, nothing is to be
 * learned. */
static void forget_changes(struct fit_record *c, unsigned from)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < c->nwindows; i++)
		if (c->windows[i].has_fill || i >= from)
			c->windows[kept++] = c->windows[i];
	c->nwindows = kept;
}

static struct fit_drive at_window(const struct fit_drive *d, const struct fit_window *w)
{
	struct fit_drive then = *d;

	if (w->has_fill)
		then.fill = w->fill;
	return then;
}

/*
 * A drive that was filled once and then writes steadily: until all flash is written once, nothing
 * is collected.
 */
static double life_waf(const struct fit_tables *t, const struct fit_record *c,
		       const struct fit_drive *d)
{
	double waf = fit_waf(t, d), clean = d->factor * (1 + d->fixed), written;

	if (c->capacity <= 0)
		return waf;
	written = c->life.host / c->capacity;
	if (written <= d->flash)
		return clean;
	return waf + (clean - waf) * d->flash / written;
}

static double squared(double x)
{
	return x * x;
}

/*
 * Minus twice the logarithm of the likelihood. The formulas err alike in all windows: together they
 * tell no more than one that is free of other errors.
 */
static double misfit(const struct fit_tables *t, const struct fit_record *c,
		     const struct fit_drive *d)
{
	double sum = 0, waf = 0;

	for (unsigned i = 0; i < c->nwindows; i++) {
		const struct fit_window *w = &c->windows[i];
		struct fit_drive then = at_window(d, w);

		if (!i || w->fill != w[-1].fill || w->has_fill != w[-1].has_fill)
			waf = fit_waf(t, &then);
		sum += squared(portable_log(waf_of(w) / waf)) /
		       (squared(MODEL_ERROR) * c->nwindows + squared(w->relative_step));
	}
	if (c->has_life) {
		double error = c->nwindows ? 3 * LIFE_ERROR : LIFE_ERROR;

		sum += squared(portable_log(waf_of(&c->life) / life_waf(t, c, d))) /
		       (squared(error) + squared(c->life.relative_step));
	}
	return sum;
}

static double least_of(const double *x, unsigned n)
{
	double least = x[0];

	for (unsigned i = 1; i < n; i++)
		least = x[i] < least ? x[i] : least;
	return least;
}

/* Weights from misfits that count for a share of themselves; returns the drives they are worth. */
static double weigh(const double *misfits, unsigned n, double share, double *ret)
{
	double least = least_of(misfits, n), sum = 0, squares = 0;

	for (unsigned i = 0; i < n; i++) {
		double x = (misfits[i] - least) * share / 2;

		ret[i] = x < 700 ? portable_exp(-x) : 0;
		sum += ret[i];
	}
	for (unsigned i = 0; i < n; i++) {
		ret[i] /= sum;
		squares += ret[i] * ret[i];
	}
	return 1 / squares;
}

/* --- what is told of them
 * ------------------------------------------------------------------------ */

static double value_of(const struct fit_drive *d, enum fit_parameter p)
{
	switch (p) {
	case FIT_OVERPROVISIONING:
		return d->flash - 1;
	case FIT_FILL:
		return d->fill;
	case FIT_TRIMMED:
		return d->trimmed;
	case FIT_SPARE:
		return fit_spare(d);
	case FIT_HOT_WRITES:
		return fit_hot_writes(d->skew);
	case FIT_SEPARATION:
		return fit_separation(d);
	case FIT_VICTIM:
		return d->victim;
	case FIT_SEQUENTIAL:
		return d->sequential;
	case FIT_FIXED:
		return d->fixed;
	default:
		return d->factor;
	}
}

static int by_value(const void *a, const void *b)
{
	double x = ((const struct weighted *)a)->value, y = ((const struct weighted *)b)->value;

	return (x > y) - (x < y);
}

void weighted_sort(struct weighted *w, unsigned n)
{
	qsort(w, n, sizeof(*w), by_value);
}

double weighted_quantile(const struct weighted *sorted, unsigned n, double q)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += sorted[i].weight;
		if (sum >= q)
			return sorted[i].value;
	}
	return sorted[n - 1].value;
}

/* Was it known before the fit? */
static bool is_given(const struct fit_record *c, enum fit_parameter p)
{
	return (p == FIT_FILL && c->has_fill) || (p == FIT_TRIMMED && c->trim != TRIM_UNKNOWN) ||
	       (p == FIT_FIXED && c->has_slc) || (p == FIT_OVERPROVISIONING && c->cycle > 0);
}

static void tell_value(struct fit *f, enum fit_parameter p, struct weighted *w)
{
	struct fit_value *v = &f->values[p];
	double width;

	for (unsigned i = 0; i < f->n; i++)
		w[i] = (struct weighted){ value_of(&f->drives[i], p), 1.0 / f->n };
	weighted_sort(w, f->n);
	width = weighted_quantile(w, f->n, 0.95) - weighted_quantile(w, f->n, 0.05);
	for (unsigned i = 0; i < f->n; i++)
		w[i] = (struct weighted){ value_of(&f->drives[i], p), f->weights[i] };
	weighted_sort(w, f->n);
	v->median = weighted_quantile(w, f->n, 0.5);
	v->low = weighted_quantile(w, f->n, 0.05);
	v->high = weighted_quantile(w, f->n, 0.95);
	v->given = is_given(&f->record, p);
	v->told = v->given || v->high - v->low < TOLD_WIDTH * width;
}

/* Numbers whose errors go together: one can stand in for the other. */
static double correlation(const struct fit *f, enum fit_parameter a, enum fit_parameter b)
{
	double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0, product;

	for (unsigned i = 0; i < f->n; i++) {
		mean_a += f->weights[i] * value_of(&f->drives[i], a);
		mean_b += f->weights[i] * value_of(&f->drives[i], b);
	}
	for (unsigned i = 0; i < f->n; i++) {
		double x = value_of(&f->drives[i], a) - mean_a;
		double y = value_of(&f->drives[i], b) - mean_b;

		aa += f->weights[i] * x * x;
		bb += f->weights[i] * y * y;
		ab += f->weights[i] * x * y;
	}
	product = aa * bb;
	return product > 0 ? ab / sqrt(product) : 0;
}

static void tell_pairs(struct fit *f)
{
	for (int a = 0; a < FIT_PARAMETER_COUNT; a++) {
		for (int b = a + 1; b < FIT_PARAMETER_COUNT; b++) {
			double r = 0;

			/* the spare is made of the first three */
			if (a == FIT_SPARE || b == FIT_SPARE || f->values[a].given ||
			    f->values[b].given)
				continue;
			r = correlation(f, (enum fit_parameter)a, (enum fit_parameter)b);
			if ((r > CORRELATION_TOLD || r < -CORRELATION_TOLD) &&
			    f->npairs < FIT_PAIRS_MAX)
				f->pairs[f->npairs++] = (struct fit_pair){ (enum fit_parameter)a,
									   (enum fit_parameter)b,
									   r };
		}
	}
}

static int fit_draw(const struct fit_tables *t, struct fit *f)
{
	CLEANUP(cleanup_free) double *misfits = calloc(DRIVES, sizeof(*misfits));
	struct rng r;
	double share = 1;

	f->drives = calloc(DRIVES, sizeof(*f->drives));
	f->weights = calloc(DRIVES, sizeof(*f->weights));
	if (!misfits || !f->drives || !f->weights)
		return -ENOMEM;
	f->n = DRIVES;
	rng_seed(&r, SEED, 0);
	for (unsigned i = 0; i < DRIVES; i++) {
		draw(&r, &f->record, &f->drives[i]);
		misfits[i] = misfit(t, &f->record, &f->drives[i]);
	}
	f->effective = weigh(misfits, f->n, share, f->weights);
	for (int i = 0; i < WIDENINGS_MAX && f->effective < EFFECTIVE_LEAST; i++) {
		share /= 2;
		f->effective = weigh(misfits, f->n, share, f->weights);
	}
	f->strained = least_of(misfits, f->n) > STRAINED;
	return 0;
}

int fit_tell(struct fit *f)
{
	CLEANUP(cleanup_free) struct weighted *sorted = calloc(f->n, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (int p = 0; p < FIT_PARAMETER_COUNT; p++)
		tell_value(f, (enum fit_parameter)p, sorted);
	tell_pairs(f);
	return 0;
}

int fit_compute(const struct fit_tables *t, const struct fit_record *record, struct diag *d,
		struct fit *ret)
{
	CLEANUP(fit_release) struct fit f = { .record = *record };
	unsigned from;
	int err;

	if (!record->has_life && !record->nwindows)
		return diag_fail(d, -ENODATA,
				 "the record has no write amplification: it takes NAND bytes and "
				 "host bytes written");
	f.late = lately(record, &from);
	forget_changes(&f.record, from);
	f.waf = waf_of(&f.late);
	err = fit_draw(t, &f);
	if (err)
		return err;
	*ret = f;
	f = (struct fit){ 0 };
	return 0;
}

void fit_release(struct fit *f)
{
	free(f->drives);
	free(f->weights);
	*f = (struct fit){ 0 };
}

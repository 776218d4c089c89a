/* SPDX-License-Identifier: MIT */
#include "ftl/what_if.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/portable_math.h"

#define SEED UINT64_C(0x776861742d6966)

/*
 * How far a ratio by the formulas is from one of simulated drives: deviation of its logarithm, for
 * each unit of the logarithm itself, and at least.
 */
#define RATIO_ERROR	  0.04
#define RATIO_ERROR_LEAST 0.01

/* Another drive collects in its own way: between the policies of the tables there is about this. */
#define INSTEAD_ERROR 0.2

/* Futures drawn for each drive of the fit. */
#define LUCKS 8

/* Normal deviates between which 90 % lie. */
#define NORMAL_90 1.6448536269514722

int what_if_check(const struct what_if *w, struct diag *d)
{
	if (w->has_overprovisioning && !(w->overprovisioning >= OVERPROVISIONING_LEAST &&
					 w->overprovisioning <= OVERPROVISIONING_MOST))
		return diag_fail(
			d, -EINVAL,
			"overprovisioning of %.4g %% is not possible; the nearest that is: "
			"%.4g %%",
			w->overprovisioning * 100,
			w->overprovisioning > OVERPROVISIONING_MOST ? OVERPROVISIONING_MOST * 100
								    : OVERPROVISIONING_LEAST * 100);
	if (w->has_fill && !(w->fill >= FILL_LEAST && w->fill <= 1))
		return diag_fail(d, -EINVAL,
				 "a drive filled to %.4g %% is not possible here; the nearest that "
				 "is: %.4g %%",
				 w->fill * 100, w->fill > 1 ? 100.0 : FILL_LEAST * 100);
	if (w->has_writes && !(w->writes >= WRITES_LEAST && w->writes <= WRITES_MOST))
		return diag_fail(d, -EINVAL,
				 "x%.4g writes leave nothing to project; the nearest that do: x%g",
				 w->writes, w->writes > WRITES_MOST ? WRITES_MOST : WRITES_LEAST);
	return 0;
}

/*
 * The capacity shrinks or grows so that the flash is that much more than it. Files stay where they
 * fit; a larger capacity is filled to the same share.
 */
static void overprovision(struct fit_drive *d, double overprovisioning, double *ret_capacity)
{
	double capacity = d->flash / (1 + overprovisioning);

	*ret_capacity = capacity;
	if (capacity < 1) {
		d->fill /= capacity;
		d->fill = d->fill > 1 ? 1 : d->fill;
	}
	d->flash = 1 + overprovisioning;
}

/* The drive under the changed conditions. */
static struct fit_drive changed(const struct fit *f, const struct fit_drive *now,
				const struct what_if *w, double *ret_capacity)
{
	struct fit_drive d = *now;
	double per_day = f->record.capacity > 0 ? f->record.writes_per_day / f->record.capacity : 0;

	*ret_capacity = 1;
	if (w->has_instead) {
		double fill = d.fill * f->record.capacity / w->instead_capacity;

		d.fill = fill > 1 ? 1 : fill;
		d.flash = w->instead_flash > 1.01 ? w->instead_flash : 1.01;
		per_day = f->record.writes_per_day / w->instead_capacity;
	}
	if (w->has_fill)
		d.fill = w->fill;
	if (w->has_overprovisioning)
		overprovision(&d, w->overprovisioning, ret_capacity);
	if (w->has_writes)
		per_day *= w->writes;
	if (w->has_trim)
		d.trimmed = fit_trimmed_share(w->trim, &d, per_day);
	else if (f->record.trim != TRIM_UNKNOWN)
		d.trimmed = fit_trimmed_share(f->record.trim, &d, per_day);
	return d;
}

static bool is_change(const struct what_if *w)
{
	return w->has_overprovisioning || w->has_fill || w->has_trim || w->has_instead ||
	       (w->has_writes && w->writes != 1);
}

/* Write amplification then over the one that was measured, by one drive of the fit. */
static double ratio_of(const struct fit_tables *t, const struct fit *f, const struct fit_drive *d,
		       const struct what_if *w, struct rng *r, double *ret_capacity)
{
	struct fit_drive then = changed(f, d, w, ret_capacity), measured = *d;
	double log_ratio, error;

	if (f->late.has_fill)
		measured.fill = f->late.fill;
	log_ratio = portable_log(fit_waf(t, &then) / fit_waf(t, &measured));
	error = RATIO_ERROR * (log_ratio < 0 ? -log_ratio : log_ratio);
	error = is_change(w) ? error + RATIO_ERROR_LEAST : 0;
	error += w->has_instead ? INSTEAD_ERROR : 0;
	return portable_exp(log_ratio + error * rng_normal(r));
}

static struct what_if_value told(struct weighted *w, unsigned n)
{
	weighted_sort(w, n);
	return (struct what_if_value){ weighted_quantile(w, n, 0.5), weighted_quantile(w, n, 0.05),
				       weighted_quantile(w, n, 0.95) };
}

static struct what_if_value times(struct what_if_value v, double factor)
{
	return (struct what_if_value){ v.median * factor, v.low * factor, v.high * factor };
}

/* Ratios of all drives of the fit. */
static void ratios(const struct fit_tables *t, const struct fit *f, const struct what_if *w,
		   struct weighted *ret, struct weighted *ret_capacity)
{
	struct rng r;

	rng_seed(&r, SEED, 0);
	for (unsigned i = 0; i < f->n; i++) {
		double capacity;

		ret[i].value = ratio_of(t, f, &f->drives[i], w, &r, &capacity);
		ret[i].weight = f->weights[i];
		if (ret_capacity)
			ret_capacity[i] = (struct weighted){ capacity, f->weights[i] };
	}
}

int what_if_answer(const struct fit_tables *t, const struct fit *f, const struct what_if *w,
		   struct what_if_answer *ret)
{
	CLEANUP(cleanup_free) struct weighted *all = calloc(f->n, sizeof(*all));
	CLEANUP(cleanup_free) struct weighted *capacities = calloc(f->n, sizeof(*capacities));

	if (!all || !capacities)
		return -ENOMEM;
	ratios(t, f, w, all, capacities);
	ret->ratio = told(all, f->n);
	ret->capacity = told(capacities, f->n);
	ret->waf = times(ret->ratio, f->waf);
	ret->wear = times(ret->ratio, w->has_writes ? w->writes : 1);
	return 0;
}

/* A draw from the forecast: to either side of its median a normal logarithm of its own width. */
static double forecast_draw(const struct what_if_value *days, double luck)
{
	double edge = luck < 0 ? days->low : days->high;
	double width = portable_log(edge > 0 ? edge / days->median : 1e-3) / NORMAL_90;

	/* below the median the width is negative, and so is the luck */
	return days->median * portable_exp((luck < 0 ? -width : width) * luck);
}

int what_if_days(const struct fit_tables *t, const struct fit *f, const struct what_if *w,
		 const struct what_if_value *days, struct what_if_value *ret)
{
	CLEANUP(cleanup_free) struct weighted *all = calloc(f->n, sizeof(*all));
	CLEANUP(cleanup_free) struct weighted *draws = calloc((size_t)f->n * LUCKS, sizeof(*draws));
	const bool endless = isinf(days->high);
	struct what_if_value finite = *days;
	double scale = 1;
	struct rng r;

	if (!all || !draws)
		return -ENOMEM;
	if (endless) /* what lies above is told as endless below */
		finite.high = days->median * 100;
	ratios(t, f, w, all, NULL);
	rng_seed(&r, SEED, 1);
	if (w->has_instead) /* of a write amplification of 1 over now's */
		scale = w->instead_budget / (f->record.writes_per_day * f->waf) / days->median;
	for (unsigned i = 0; i < f->n; i++) {
		const struct weighted ratio = all[i];

		for (unsigned k = 0; k < LUCKS; k++)
			draws[i * LUCKS + k] = (struct weighted){
				scale * forecast_draw(&finite, rng_normal(&r)) /
					(ratio.value * (w->has_writes ? w->writes : 1)),
				ratio.weight / LUCKS,
			};
	}
	*ret = told(draws, f->n * LUCKS);
	if (endless)
		ret->high = INFINITY;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#ifndef FTL_FIT_ESTIMATE_H
#define FTL_FIT_ESTIMATE_H

#include "ftl/fit_record.h"

/* Does the estimate rest on a fit? Without evidence, or cycles to spend, it only says what lacks.
 */
bool fit_estimate_needs_fit(const struct fit_source *source, const struct fit_reading *reading);

/*
 * The estimate "ftl-model": the cycles that the blocks have left, spent by the host's writes times
 * the write amplification that the fitted drives settle at. It differs from the erase budget where
 * the drive is young or its use changed, and it is there where NAND bytes are counted and erases
 * are not. Its interval joins that of the fit with that of today's forecast where there is one.
 *
 * fit: NULL where there is none, or none is needed; the reading says why. estimates: those of the
 * same reading; the one of METHOD_FTL_MODEL is replaced, and the binding one is chosen anew.
 * -ENOMEM.
 */
int fit_estimate(const struct fit_tables *t, const struct fit_source *source,
		 const struct fit_reading *reading, const struct fit *fit,
		 struct estimates *estimates) MUST_USE;

/* The estimate that today's forecast is taken from: the binding one, NULL where none has days. */
const struct estimate *fit_forecast(const struct estimates *e);

#endif

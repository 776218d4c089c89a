/* SPDX-License-Identifier: MIT */
#ifndef FTL_WHAT_IF_H
#define FTL_WHAT_IF_H

#include "ftl/fit.h"

/*
 * A fitted drive under other conditions. Each drive that the fit allows answers by its own ratio,
 * write amplification then over now; times what was measured that is the answer, so that errors of
 * the model which are the same now and then cancel.
 */
struct what_if {
	bool has_overprovisioning, has_fill, has_trim, has_writes, has_instead;
	double overprovisioning; /* flash beyond the capacity in use, over that capacity: in all */
	double fill;		 /* share of the whole capacity that holds files */
	enum trim_habit trim;
	double writes; /* times as much */
	/* another drive for the same data and writes; its collection is not known */
	double instead_capacity; /* bytes */
	double instead_flash;	 /* flash for data over that */
	double instead_budget;	 /* bytes that its flash bears: flash x cycles */
};

#define OVERPROVISIONING_LEAST 0.01
#define OVERPROVISIONING_MOST  1.0
#define FILL_LEAST	       0.01
#define WRITES_LEAST	       0.001
#define WRITES_MOST	       1000.0

/* A median and its 90 % interval. */
struct what_if_value {
	double median, low, high;
};

struct what_if_answer {
	struct what_if_value waf, ratio; /* flash writes a host write: then, and over now's */
	struct what_if_value wear;	 /* flash writes a day, over now's: ratio x writes */
	struct what_if_value capacity;	 /* share of the capacity in use then */
};

/* -EINVAL with the reason and the nearest value that can be in d. */
int what_if_check(const struct what_if *w, struct diag *d) MUST_USE;

/* -ENOMEM. */
int what_if_answer(const struct fit_tables *t, const struct fit *f, const struct what_if *w,
		   struct what_if_answer *ret) MUST_USE;

/*
 * Days left where now's forecast says `days` (median, low, high; high may be INFINITY, all above
 * 0): both uncertainties together. Of another drive: days from new, for which the record must have
 * the writes a day, and the forecast gives its width alone. -ENOMEM.
 */
int what_if_days(const struct fit_tables *t, const struct fit *f, const struct what_if *w,
		 const struct what_if_value *days, struct what_if_value *ret) MUST_USE;

#endif

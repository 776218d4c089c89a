/* SPDX-License-Identifier: MIT */
#include "cli/drive_fit.h"

void drive_fit_release(struct drive_fit *m)
{
	fit_release(&m->fit);
	*m = (struct drive_fit){ 0 };
}

int drive_fit_make(struct fit_tables *t, const struct reading *r, const struct drive_rule *rule,
		   const struct series *series, const struct owner_says *says, bool whole,
		   struct assessment *a, struct drive_fit *ret)
{
	const struct fit_source source = { &r->identity, rule, &a->facts, series, &a->forecast };
	struct drive_fit m = { 0 };
	int err = 0;

	fit_reading_take(&source, &m.reading);
	if (says && says->has_fill) {
		m.reading.record.has_fill = true;
		m.reading.record.fill = says->fill;
		m.reading.record.trim = TRIM_UNKNOWN;
	}
	if (says && says->trim != TRIM_UNKNOWN)
		m.reading.record.trim = says->trim;
	if (whole ? m.reading.evidence != EVIDENCE_NONE
		  : fit_estimate_needs_fit(&source, &m.reading)) {
		fit_tables_fill(t);
		err = fit_compute(t, &m.reading.record, NULL, &m.fit);
		m.has_fit = !err;
	}
	if (m.has_fit && whole)
		err = fit_tell(&m.fit);
	if (!err)
		err = fit_estimate(t, &source, &m.reading, m.has_fit ? &m.fit : NULL,
				   &a->estimates);
	if (err) {
		drive_fit_release(&m);
		return err;
	}
	*ret = m;
	return 0;
}

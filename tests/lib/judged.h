/* SPDX-License-Identifier: MIT */
#ifndef LIB_JUDGED_H
#define LIB_JUDGED_H

#include "health/assess.h"

/*
 * A drive put together from facts, to be judged. Numbers are given in shown units: percent,
 * degrees, bytes; helpers convert.
 */
struct judged {
	struct reading r;
	struct drive_rule rule;
	struct limits limits;
	struct suppression suppressions[2];
	size_t nsuppressions;
	int64_t now;
	const struct series *series; /* NULL: no history */
	struct assessment a;
};

/* A readable drive of that protocol of which nothing else is known. Static memory, one at a time.
 */
struct judged *judged_new(enum protocol protocol);

/* A fact from a standard log: measured, exact, proven. Returns it for changes. */
struct fact *judged_fact(struct judged *d, enum fact_id id, double shown);

/* The same as another candidate behind those that are there. */
struct fact *judged_candidate(struct judged *d, enum fact_id id, double shown);

/* An old-age attribute without raw value. Returns it for changes. */
struct attribute *judged_attribute(struct judged *d, uint8_t id, uint8_t value, uint8_t worst,
				   uint8_t threshold);

/* A healthy NVMe drive (10 % used in 10,000 h) or SATA drive (10 % used, status passed). */
struct judged *judged_nvme(void);
struct judged *judged_sata(void);

/* Judge it. */
const struct assessment *judged_run(struct judged *d);

/* The first finding of that id that is not suppressed; NULL where there is none. */
const struct finding *judged_finding(const struct judged *d, const char *id);

/* Judge it and assert that this finding is there with this severity, and return it. */
const struct finding *judged_expect(struct judged *d, const char *id, enum severity severity);

/* Judge it and assert that there is no such finding. */
void judged_refuse(struct judged *d, const char *id);

/* A conflict between these two facts (FACT_NONE: any second), or NULL. */
const struct conflict *judged_conflict(const struct judged *d, enum fact_id a, enum fact_id b);

#endif

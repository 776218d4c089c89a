/* SPDX-License-Identifier: MIT */
#ifndef DB_FAMILY_H
#define DB_FAMILY_H

#include "db/rules.h"

/*
 * A rule file in memory. A family is one object under "families"; it may extend another one, and
 * has rating rows of which the first that fits the drive counts.
 */

#define PATTERN_MAX	  320
#define NEEDLES_MAX	  24
#define MATCH_IDS_MAX	  16
#define EXAMPLES_MAX	  8
#define EXTENDS_DEPTH_MAX 6

/*
 * An extended regular expression. Compiling all of them would be most of the work of loading the
 * rules, for the few that a drive needs: each is compiled when a drive's name holds a piece of
 * plain text that the pattern requires.
 */
struct pattern {
	char text[PATTERN_MAX]; /* empty: everything matches */
	/* pieces of the text: one of them must occur in what matches; none: not known */
	struct {
		uint16_t off, len;
	} needles[NEEDLES_MAX];
	size_t nneedles;
};

/* Prepare for matching and refuse what could eat time or memory. -EINVAL with the reason in why. */
int pattern_prepare(struct pattern *p, char *why, size_t size) MUST_USE;

/* Is it a regular expression at all? -EINVAL with the reason in why, -ENOMEM. */
int pattern_check(const struct pattern *p, char *why, size_t size) MUST_USE;

/* 1 or 0 (0 also for a pattern that does not compile), or -ENOMEM. */
int pattern_matches(const struct pattern *p, const char *s) MUST_USE;

struct capacity_range {
	double low_gb, high_gb; /* both 0: any */
};

struct family_match {
	enum protocol protocol; /* PROTOCOL_UNKNOWN: any */
	struct pattern model, firmware;
	struct capacity_range capacity;
	uint8_t has[MATCH_IDS_MAX], lacks[MATCH_IDS_MAX];
	size_t nhas, nlacks;
};

/* What a drive is rated for. All rows that fit it apply in their order: the later one wins. */
struct rating {
	struct pattern model;
	struct capacity_range capacity;
	bool has_tbw, has_warranty, has_pe, has_pe_slc, has_raw_nand, has_mtbf, has_no_limit,
		has_confidence, has_pe_confidence;
	double tbw_tb, warranty_years;
	uint32_t pe, pe_slc;
	uint64_t raw_nand_bytes, mtbf_hours;
	bool no_write_limit;
	enum confidence confidence, pe_confidence;
	char nand[32], source[160];
};

/* Yes-or-no properties: absent leaves what the layer below says. */
struct traits {
	bool has_compresses, has_hot_plug_unsafe, has_wraps_32, has_percent_stuck, has_transient;
	bool compresses, hot_plug_unsafe, wraps_32, percent_stuck, transient;
};

struct heat {
	bool has_limit, has_shutdown;
	int32_t limit_celsius, shutdown_celsius;
	enum over_temperature over;
};

struct example {
	char model[MODEL_MAX], firmware[FW_MAX];
	double capacity_gb; /* 0: not said */
	uint8_t has[ATTRIBUTES_MAX];
	size_t nhas;
};

struct family {
	const char *file, *vendor; /* owned by the rules */
	bool override, abstract, every;
	char name[96], extends[96];
	ssize_t base; /* index of the family that it extends, -1 none */
	enum confidence confidence;
	bool has_match;
	struct family_match match;
	struct example *examples;
	size_t nexamples;
	struct attribute_meaning *meanings;
	size_t nmeanings;
	uint8_t host_pages_id, ftl_pages_id;
	const struct log_layout *layouts[RULE_LAYOUTS_MAX];
	size_t nlayouts;
	struct rating *ratings;
	size_t nratings;
	struct firmware_hazard *hazards;
	size_t nhazards;
	struct maker_claim *claims;
	size_t nclaims;
	struct traits traits;
	unsigned trim_quirks;
	struct heat heat;
	char newest_firmware[48];
};

void family_release(struct family *f);

struct rules {
	struct family *families;
	size_t n, cap;
	char **texts; /* names of files and vendors that families point to */
	size_t ntexts;
};

/* Does the family's match fit this drive? 1, 0 (families without one too), or -ENOMEM. */
int family_fits(const struct family *f, const struct reading *r) MUST_USE;

bool capacity_fits(const struct capacity_range *range, const struct identity *id);

#endif

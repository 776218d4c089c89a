/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/family.h"

#define MATCHES_MAX 24

struct match {
	const struct family *family;
	unsigned rank;
};

bool capacity_fits(const struct capacity_range *range, const struct identity *id)
{
	double gb = (double)id->capacity_bytes / 1e9;

	if (range->high_gb <= 0)
		return true;
	return id->has_capacity && gb >= range->low_gb && gb <= range->high_gb;
}

int family_fits(const struct family *f, const struct reading *r)
{
	const struct family_match *m = &f->match;
	int fits;

	if (f->abstract)
		return 0;
	if (m->protocol != PROTOCOL_UNKNOWN && m->protocol != r->identity.protocol)
		return 0;
	if (!capacity_fits(&m->capacity, &r->identity))
		return 0;
	for (size_t i = 0; i < m->nhas; i++)
		if (!reading_attribute(r, m->has[i]))
			return 0;
	for (size_t i = 0; i < m->nlacks; i++)
		if (reading_attribute(r, m->lacks[i]))
			return 0;
	fits = pattern_matches(&m->model, r->identity.model);
	return fits == 1 ? pattern_matches(&m->firmware, r->identity.firmware) : fits;
}

/*
 * More conditions are more specific: the model counts most, then firmware, attributes, capacity.
 * The administrator's own rules come after all others.
 */
static unsigned rank_of(const struct family *f)
{
	const struct family_match *m = &f->match;

	return (f->override ? 16u : 0) + (*m->model.text ? 8u : 0) + (*m->firmware.text ? 4u : 0) +
	       (m->nhas + m->nlacks ? 2u : 0) + (m->capacity.high_gb > 0 ? 1u : 0);
}

/* Insert so that the least specific comes first, and of equals the one that stands first. */
static void insert(struct match *list, size_t *n, struct match m)
{
	size_t at = *n;

	if (*n == MATCHES_MAX)
		return;
	while (at > 0 && list[at - 1].rank > m.rank) {
		list[at] = list[at - 1];
		at--;
	}
	list[at] = m;
	(*n)++;
}

/*
 * What holds for every drive, then the one most specific family of the shipped rules (the later of
 * equals), then all that the administrator added, which need not repeat what is known already.
 */
static size_t find_matches(const struct rules *rules, const struct reading *r, struct match *ret,
			   bool *ret_out_of_memory)
{
	struct match best = { .family = NULL };
	size_t n = 0;

	for (size_t i = 0; i < rules->n; i++) {
		const struct family *f = &rules->families[i];
		struct match m = { f, f->every ? 0 : 1 + rank_of(f) };

		int fits = family_fits(f, r);

		*ret_out_of_memory |= fits < 0;
		if (fits != 1)
			continue;
		if (f->every || f->override)
			insert(ret, &n, m);
		else if (!best.family || m.rank >= best.rank)
			best = m;
	}
	if (best.family)
		insert(ret, &n, best);
	return n;
}

static bool explains(const struct family *f, uint8_t id)
{
	for (size_t i = 0; i < f->nmeanings; i++)
		if (f->meanings[i].id == id)
			return true;
	return false;
}

/* What the more specific family says of an attribute replaces all that was said of it before. */
static void apply_meanings(const struct family *f, struct drive_rule *rule)
{
	struct attribute_meaning old[RULE_MEANINGS_MAX];
	size_t nold = rule->nmeanings, n = 0;

	memcpy(old, rule->meanings, sizeof(old));
	for (size_t i = 0; i < f->nmeanings && n < RULE_MEANINGS_MAX; i++)
		rule->meanings[n++] = f->meanings[i];
	for (size_t i = 0; i < nold && n < RULE_MEANINGS_MAX; i++)
		if (!explains(f, old[i].id))
			rule->meanings[n++] = old[i];
	rule->nmeanings = n;
	if (f->host_pages_id) {
		rule->host_pages_id = f->host_pages_id;
		rule->ftl_pages_id = f->ftl_pages_id;
	}
}

static void apply_layouts(const struct family *f, struct drive_rule *rule)
{
	for (size_t i = 0; i < f->nlayouts; i++) {
		size_t n = 0;

		while (n < RULE_LAYOUTS_MAX && rule->layouts[n] &&
		       rule->layouts[n] != f->layouts[i])
			n++;
		if (n < RULE_LAYOUTS_MAX)
			rule->layouts[n] = f->layouts[i];
	}
}

static void apply_rating(const struct rating *row, struct drive_rule *rule)
{
	if (row->has_tbw) {
		rule->has_tbw = true;
		rule->tbw_bytes = (uint64_t)(row->tbw_tb * 1e12 + 0.5);
		rule->tbw_confidence = row->confidence;
	}
	if (row->has_no_limit)
		rule->no_write_limit = row->no_write_limit;
	if (row->has_warranty) {
		rule->has_warranty_years = true;
		rule->warranty_years = row->warranty_years;
	}
	if (row->has_pe) {
		rule->has_rated_pe = true;
		rule->rated_pe = row->pe;
		rule->rated_pe_confidence = row->pe_confidence;
	}
	if (row->has_pe_slc) {
		rule->has_rated_pe_slc = true;
		rule->rated_pe_slc = row->pe_slc;
	}
	if (row->has_raw_nand) {
		rule->has_raw_nand_bytes = true;
		rule->raw_nand_bytes = row->raw_nand_bytes;
	}
	if (row->has_mtbf) {
		rule->has_mtbf_hours = true;
		rule->mtbf_hours = row->mtbf_hours;
	}
	if (*row->nand)
		text_copy(rule->nand, sizeof(rule->nand), row->nand);
	text_copy(rule->ratings_source, sizeof(rule->ratings_source), row->source);
}

static void apply_ratings(const struct family *f, const struct reading *r, struct drive_rule *rule)
{
	for (size_t i = 0; i < f->nratings; i++) {
		int matches = pattern_matches(&f->ratings[i].model, r->identity.model);

		rule->out_of_memory |= matches < 0;
		if (matches == 1 && capacity_fits(&f->ratings[i].capacity, &r->identity))
			apply_rating(&f->ratings[i], rule);
	}
}

static void apply_hazards(const struct family *f, const struct reading *r, struct drive_rule *rule)
{
	for (size_t i = 0; i < f->nhazards && rule->nhazards < RULE_HAZARDS_MAX; i++) {
		const struct firmware_hazard *h = &f->hazards[i];
		struct pattern p = { .nneedles = 0 };
		bool known = false;
		int matches;

		for (size_t j = 0; j < rule->nhazards; j++)
			known |= strcmp(rule->hazards[j].id, h->id) == 0;
		memcpy(p.text, h->firmware, sizeof(h->firmware));
		matches = known ? 0 : pattern_matches(&p, r->identity.firmware);
		rule->out_of_memory |= matches < 0;
		if (matches == 1)
			rule->hazards[rule->nhazards++] = *h;
	}
}

static void apply_traits(const struct family *f, struct drive_rule *rule)
{
	const struct traits *t = &f->traits;

	if (t->has_compresses)
		rule->compresses = t->compresses;
	if (t->has_hot_plug_unsafe)
		rule->hot_plug_unsafe = t->hot_plug_unsafe;
	if (t->has_wraps_32)
		rule->host_counter_wraps_32 = t->wraps_32;
	if (t->has_percent_stuck)
		rule->statistics_percent_stuck = t->percent_stuck;
	if (t->has_transient)
		rule->transient_pending = t->transient;
	rule->trim_quirks |= f->trim_quirks;
	if (f->heat.has_limit) {
		rule->has_limit_celsius = true;
		rule->limit_celsius = f->heat.limit_celsius;
	}
	if (f->heat.has_shutdown) {
		rule->has_shutdown_celsius = true;
		rule->shutdown_celsius = f->heat.shutdown_celsius;
	}
	if (f->heat.over != OVER_TEMPERATURE_UNKNOWN)
		rule->over_temperature = f->heat.over;
}

static void apply_one(const struct family *f, const struct reading *r, struct drive_rule *rule)
{
	apply_meanings(f, rule);
	apply_layouts(f, rule);
	apply_ratings(f, r, rule);
	apply_hazards(f, r, rule);
	apply_traits(f, rule);
	for (size_t i = 0; i < f->nclaims && rule->nclaims < RULE_CLAIMS_MAX; i++)
		rule->claims[rule->nclaims++] = f->claims[i];
	if (*f->newest_firmware)
		text_copy(rule->newest_firmware, sizeof(rule->newest_firmware), f->newest_firmware);
}

/* The family with all that it extends, the deepest first. */
static void apply(const struct rules *rules, const struct family *f, const struct reading *r,
		  struct drive_rule *rule)
{
	const struct family *layers[EXTENDS_DEPTH_MAX + 1];
	size_t n = 0;

	for (; n <= EXTENDS_DEPTH_MAX; f = &rules->families[f->base]) {
		layers[n++] = f;
		if (f->base < 0)
			break;
	}
	while (n-- > 0)
		apply_one(layers[n], r, rule);
}

void rules_match(const struct rules *rules, const struct reading *r, struct drive_rule *ret)
{
	struct match matches[MATCHES_MAX];
	bool out_of_memory = false;
	size_t n = rules ? find_matches(rules, r, matches, &out_of_memory) : 0;

	memset(ret, 0, sizeof(*ret));
	ret->out_of_memory = out_of_memory;
	ret->confidence = CONFIDENCE_UNKNOWN;
	for (size_t i = 0; i < n; i++) {
		const struct family *f = matches[i].family;

		apply(rules, f, r, ret);
		if (f->every)
			continue;
		ret->matched = true;
		ret->confidence = f->confidence;
		text_copy(ret->vendor, sizeof(ret->vendor), f->vendor);
		text_copy(ret->family, sizeof(ret->family), f->name);
		snprintf(ret->origin, sizeof(ret->origin), "%s: %s", f->file, f->name);
	}
}

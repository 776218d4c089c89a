/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "decode/layout_nvme.h"
#include "health/collect.h"

/* Ten lives used up: the rating is of another drive of that name. */
#define USED_MAX       1000000 /* thousandths of a percent */

#define APART_MAX      80
#define NAMESPACES_MAX 64
#define NAND_SETTLED   ((i128)1000000000000) /* bytes; less says little of a ratio */

static enum confidence worse(enum confidence a, enum confidence b)
{
	return a > b ? a : b;
}

/* Never surer than medium: it rests on a ratio or a capacity that the drive does not state. */
static struct fact derived(i128 value, const struct fact *a, const struct fact *b)
{
	struct fact f = {
		.value = value,
		.quality = QUALITY_DERIVED,
		.bound = a->bound,
		.confidence = worse(CONFIDENCE_MEDIUM, a->confidence),
	};

	if (b)
		f.confidence = worse(f.confidence, b->confidence);
	return f;
}

static void add_rating(struct collection *c, enum fact_id id, i128 value,
		       enum confidence confidence)
{
	struct fact f = {
		.value = value,
		.quality = QUALITY_DERIVED,
		.confidence = confidence,
	};

	if (confidence > CONFIDENCE_MEDIUM || value <= 0)
		return;
	snprintf(f.source, sizeof(f.source), "drive rules, %.40s: %.80s%s", c->rule->family,
		 c->rule->ratings_source, confidence == CONFIDENCE_MEDIUM ? ", unconfirmed" : "");
	collect_add(c, id, &f);
}

static void ratings(struct collection *c)
{
	const struct drive_rule *rule = c->rule;

	if (rule->has_rated_pe)
		add_rating(c, FACT_RATED_PE_CYCLES, rule->rated_pe, rule->rated_pe_confidence);
	if (rule->has_rated_pe_slc)
		add_rating(c, FACT_RATED_PE_CYCLES_SLC, rule->rated_pe_slc,
			   rule->rated_pe_confidence);
	if (rule->has_tbw)
		add_rating(c, FACT_RATED_BYTES_WRITTEN, rule->tbw_bytes, rule->tbw_confidence);
}

/* Pages for the host against all pages: a ratio that is sure where the page's size is not. */
static void nand_from_pages(struct collection *c)
{
	const struct attribute *host = reading_attribute(c->r, c->rule->host_pages_id);
	const struct attribute *ftl = reading_attribute(c->r, c->rule->ftl_pages_id);
	const struct fact *bytes = facts_get(c->facts, FACT_HOST_BYTES_WRITTEN);
	struct fact f;

	if (!c->rule->host_pages_id || !host || !ftl || !host->has_raw || !ftl->has_raw ||
	    host->raw == 0 || !bytes)
		return;
	f = derived(bytes->value + (i128)u128_scale((u128)bytes->value, ftl->raw, host->raw, NULL),
		    bytes, NULL);
	f.confidence = worse(CONFIDENCE_HIGH, bytes->confidence);
	snprintf(f.source, sizeof(f.source),
		 SOURCE_HOST_BYTES " x (attribute %u + attribute %u) / attribute %u, flash pages",
		 host->id, ftl->id, host->id);
	collect_add(c, FACT_NAND_BYTES_WRITTEN, &f);
}

/* Bytes that one cycle of all blocks writes: the raw flash where it is known. */
static bool cycle_bytes(const struct collection *c, uint64_t *ret, const char **ret_text)
{
	if (c->rule->has_raw_nand_bytes) {
		*ret = c->rule->raw_nand_bytes;
		*ret_text = "raw flash capacity";
		return true;
	}
	*ret = c->r->identity.capacity_bytes;
	*ret_text = "user capacity";
	return c->r->identity.has_capacity && *ret > 0;
}

static void nand_from_erases(struct collection *c)
{
	const struct fact *avg = facts_get(c->facts, FACT_ERASE_COUNT_AVG);
	const char *text;
	uint64_t bytes;
	struct fact f;

	if (facts_get(c->facts, FACT_NAND_BYTES_WRITTEN) || !avg || avg->value <= 0 ||
	    !cycle_bytes(c, &bytes, &text))
		return;
	f = derived((i128)u128_mul((u128)avg->value, bytes, NULL), avg, NULL);
	snprintf(f.source, sizeof(f.source), "average erase count x %s (%.90s)", text, avg->source);
	collect_add(c, FACT_NAND_BYTES_WRITTEN, &f);
}

/* The other way round, where a log gives the most and least worn block but no average. */
static void average_from_nand(struct collection *c)
{
	const struct fact *nand = facts_get(c->facts, FACT_NAND_BYTES_WRITTEN);
	const struct fact *max = facts_get(c->facts, FACT_ERASE_COUNT_MAX);
	const char *text;
	uint64_t bytes;
	struct fact f;

	if (facts_get(c->facts, FACT_ERASE_COUNT_AVG) || !nand || !max ||
	    nand->quality == QUALITY_DERIVED || !cycle_bytes(c, &bytes, &text))
		return;
	f = derived(nand->value / (i128)bytes, nand, NULL);
	if (f.value > max->value)
		return;
	snprintf(f.source, sizeof(f.source), "NAND bytes written / %s (%.90s)", text, nand->source);
	collect_add(c, FACT_ERASE_COUNT_AVG, &f);
}

static void percentage_from_erases(struct collection *c)
{
	const struct fact *avg = facts_get(c->facts, FACT_ERASE_COUNT_AVG);
	const struct fact *rated = facts_get(c->facts, FACT_RATED_PE_CYCLES);
	const struct fact *used = facts_get(c->facts, FACT_PERCENTAGE_USED);
	struct fact f;

	if (!avg || !rated || rated->value <= 0 || (used && used->bound == BOUND_EXACT))
		return;
	f = derived(avg->value * 100000 / rated->value, avg, rated);
	if (f.value > USED_MAX)
		return;
	snprintf(f.source, sizeof(f.source),
		 "average erase count / rated P/E cycles (%.50s; %.50s)", avg->source,
		 rated->source);
	collect_add(c, FACT_PERCENTAGE_USED, &f);
}

/* Two counters of one drive this far apart: one of them is not in the unit that the rule says. */
static void compare_host_and_nand(struct collection *c)
{
	const struct fact *host = facts_get(c->facts, FACT_HOST_BYTES_WRITTEN);
	const struct fact *nand = facts_get(c->facts, FACT_NAND_BYTES_WRITTEN);
	char h[UNIT_TEXT_MAX], n[UNIT_TEXT_MAX];
	char by_host[SHORT_SOURCE_MAX], by_nand[SHORT_SOURCE_MAX];

	if (!host || !nand || nand->quality != QUALITY_VENDOR || nand->value < NAND_SETTLED ||
	    nand->value / APART_MAX < host->value)
		return;
	facts_add_conflict(
		c->facts, FACT_NAND_BYTES_WRITTEN, FACT_HOST_BYTES_WRITTEN,
		"NAND written: %s by %s is more than %d times the host's %s by %s: one of "
		"them is likely counted in another unit",
		format_bytes((u128)nand->value, n), collect_short_source(nand, by_nand), APART_MAX,
		format_bytes((u128)host->value, h), collect_short_source(host, by_host));
}

/*
 * What the namespaces have allocated; what was trimmed is not in it. A drive that always says all
 * of it does not count.
 */
static void use_of_namespaces(struct collection *c)
{
	const uint32_t block = c->r->identity.logical_block_bytes;
	const char *layout = layout_nvme_namespace.name;
	i128 used = 0, size = 0;
	struct fact f = { .quality = QUALITY_MEASURED };

	for (size_t n = 0; n < NAMESPACES_MAX; n++) {
		const struct decoded *s = reading_find_nth(c->r, layout, "size_blocks", n);
		const struct decoded *u = reading_find_nth(c->r, layout, "used_blocks", n);

		if (!s || !u || s->value.kind != VALUE_NUMBER || u->value.kind != VALUE_NUMBER)
			break;
		size += (i128)s->value.number;
		used += (i128)u->value.number;
	}
	if (!block || used <= 0 || used >= size)
		return;
	f.value = used * block;
	snprintf(f.source, sizeof(f.source), "Identify Namespace, NUSE (offset 16)");
	collect_add(c, FACT_BYTES_IN_USE, &f);
}

void collect_derived(struct collection *c)
{
	use_of_namespaces(c);
	ratings(c);
	nand_from_pages(c);
	nand_from_erases(c);
	average_from_nand(c);
	percentage_from_erases(c);
	compare_host_and_nand(c);
}

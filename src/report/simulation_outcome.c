/* SPDX-License-Identifier: MIT */
#include "report/simulation_outcome.h"

#include "ftl/erase_histogram.h"
#include "ftl/extents.h"

/* --- what came out, worked out once for all forms ----------------------------------------------
 */

static double capacity_of(const struct simulation_report *r)
{
	return (double)r->config->capacity_pages * r->config->page_bytes;
}

/* All that is erased in turn: the reserve, parity and blocks held back too. */
static double flash_of(const struct simulation_report *r)
{
	const struct simulation_config *c = r->config;

	return (double)(c->device.blocks - c->device.bad_blocks) *
	       (double)simulation_flash_pages(c) * c->page_bytes;
}

size_t simulation_causes(const struct simulation_report *r, struct simulation_cause ret[CAUSES_MAX])
{
	const struct simulation_result *x = r->result;
	const struct ftl_totals *t = x ? &x->measured : NULL;
	double a_page, host, partial;
	size_t n = 0;

	if (!x || x->host_bytes <= 0 || !t->host_writes)
		return 0;
	a_page = r->config->page_bytes / x->host_bytes;
	host = a_page * (double)t->programs[FTL_HOST];
	partial = host * (1 - 1 / (a_page * (double)t->host_writes));
	ret[n++] = (struct simulation_cause){ "host", "the host's data", host - partial };
	ret[n++] = (struct simulation_cause){ "partial_pages", "rest of partial pages", partial };
	ret[n++] = (struct simulation_cause){ "gc", "garbage collection",
					      a_page * (double)t->programs[FTL_GC] };
	ret[n++] = (struct simulation_cause){ "wear_leveling", "wear levelling",
					      a_page * (double)t->programs[FTL_WEAR_LEVELING] };
	ret[n++] = (struct simulation_cause){ "refresh", "refresh",
					      a_page * (double)t->programs[FTL_REFRESH] };
	ret[n++] = (struct simulation_cause){ "parity", "parity",
					      a_page * (double)t->programs[FTL_PARITY] };
	ret[n++] = (struct simulation_cause){ "fold", "folding", a_page * (double)x->folded };
	return n;
}

static bool has_cache(const struct simulation_report *r)
{
	return r->timed && r->timed->config->drive.model.pslc.mode != PSLC_NONE;
}

bool simulation_lifetime_waf(const struct simulation_report *r, double *ret)
{
	const struct ftl_totals *t = r->result ? &r->result->total : NULL;
	double programs = 0;

	if (!t || !t->host_writes || has_cache(r))
		return false;
	for (unsigned i = 0; i < FTL_CAUSES; i++)
		programs += (double)t->programs[i];
	*ret = programs / (double)t->host_writes;
	return true;
}

bool simulation_unevenness(const struct simulation_report *r, double *ret)
{
	if (!r->result || r->result->wear.mean < UNEVENNESS_ERASES)
		return false;
	*ret = r->result->wear.most / r->result->wear.mean;
	return true;
}

/* In bytes: requests may leave pages partly written. */
static struct interval waf_in_bytes(const struct simulation_report *r)
{
	const struct simulation_result *x = r->result;
	struct interval v = { 0 };
	double factor = x && x->host_bytes > 0 ? (double)x->measured.host_writes *
							 r->config->page_bytes / x->host_bytes
					       : 1;

	if (x)
		v = x->waf;
	else if (r->analytic)
		v.mean = r->analytic->waf;
	v.mean *= factor;
	v.low *= factor;
	v.high *= factor;
	return v;
}

struct endurance_answer simulation_endurance(const struct simulation_report *r)
{
	const struct simulation_config *c = r->config;
	struct endurance_question q = {
		.capacity_bytes = capacity_of(r),
		.flash_bytes = flash_of(r),
		.pe_cycles = has_cache(r) || (r->analytic && r->analytic->folded > 0)
				     ? 0
				     : c->device.pe_cycles,
		.waf = waf_in_bytes(r),
		.daily_bytes = r->daily_bytes,
		.warranty_years = r->warranty_years,
	};

	if (!simulation_unevenness(r, &q.unevenness))
		q.unevenness = 0;
	if (r->result && c->end == END_DEATH && r->result->reached)
		q.simulated_bytes = r->result->host_bytes;
	/* limits that differ end a life early, which the equation does not know */
	if (r->analytic && r->analytic->has_life && (!r->result || c->device.pe_cv > 0))
		q.model_bytes = r->analytic->life_pages * c->page_bytes;
	return endurance_answer(&q);
}

size_t simulation_mapping(const struct simulation_report *r,
			  struct mapping_memory ret[MAPPING_UNITS_MAX])
{
	uint64_t block = simulation_flash_pages(r->config) * r->config->page_bytes;

	return mapping_memory((uint64_t)capacity_of(r), (uint64_t)flash_of(r), block, ret);
}

bool simulation_extents(const struct simulation_report *r, double *ret, double *ret_bytes)
{
	struct extents e;

	if (!r->device || !extents_count(r->device, &e))
		return false;
	*ret = e.n * (r->timed ? r->timed->result->scale : 1);
	*ret_bytes = mapping_memory_of_extents(*ret, (uint64_t)capacity_of(r),
					       (uint64_t)flash_of(r), r->config->page_bytes);
	return true;
}

/* --- into the document -------------------------------------------------------------------------
 */

void simulation_outcome_waf(struct doc *waf, const struct simulation_report *r)
{
	struct simulation_cause causes[CAUSES_MAX];
	size_t n = simulation_causes(r, causes);
	double lifetime = 0;
	bool known = simulation_lifetime_waf(r, &lifetime);
	struct doc *o;

	doc_real_if(waf, "lifetime", known, lifetime, 6);
	if (!n) {
		doc_null(waf, "by_cause_in_bytes");
		return;
	}
	o = doc_object(waf, "by_cause_in_bytes");
	for (size_t i = 0; i < n; i++)
		doc_real(o, causes[i].key, causes[i].share, 6);
}

void simulation_outcome_erases(struct doc *root, const struct simulation_report *r)
{
	struct erase_histogram h;
	struct doc *list, *o;

	if (!r->device) {
		doc_null(root, "erase_histogram");
		return;
	}
	erase_histogram_of(r->device, ERASE_BINS_MAX, &h);
	list = doc_array(root, "erase_histogram");
	for (unsigned i = 0; i < h.n; i++) {
		o = doc_object(list, NULL);
		doc_integer(o, "from", h.first + (u128)i * h.width, UNIT_COUNT);
		doc_integer(o, "to", h.first + (u128)(i + 1) * h.width - 1, UNIT_COUNT);
		doc_integer(o, "blocks", h.blocks[i], UNIT_COUNT);
	}
}

static void add_interval(struct doc *o, const char *const keys[3], bool any,
			 const struct interval *v, unsigned digits)
{
	doc_real_if(o, keys[0], any, v->mean, digits);
	doc_real_if(o, keys[1], any && v->known, v->low, digits);
	doc_real_if(o, keys[2], any && v->known, v->high, digits);
}

void simulation_outcome_life(struct doc *root, const struct simulation_report *r)
{
	static const char *const bytes[] = { "host_bytes_until_end", "host_bytes_ci95_low",
					     "host_bytes_ci95_high" };
	static const char *const years[] = { "years", "years_ci95_low", "years_ci95_high" };
	const struct endurance_answer a = simulation_endurance(r);
	const bool known = a.basis != ENDURANCE_UNKNOWN;
	struct doc *o = doc_object(root, "life");

	add_interval(o, bytes, known, &a.bytes, 15);
	doc_real_if(o, "drive_writes_until_end", known, a.bytes.mean / capacity_of(r), 6);
	doc_string(o, "basis", known ? endurance_basis_text(a.basis) : NULL);
	doc_real_if(o, "unevenness_used", a.basis == ENDURANCE_EQUATION, a.unevenness, 6);
	doc_real(o, "flash_bytes", flash_of(r), 15);
	doc_real_if(o, "tbw_tb", known, a.bytes.mean / 1e12, 6);
	doc_real_if(o, "dwpd", known, a.dwpd, 6);
	doc_real(o, "warranty_years", r->warranty_years, 6);
	doc_real_if(o, "daily_bytes", r->daily_bytes > 0, r->daily_bytes, 15);
	add_interval(o, years, known && r->daily_bytes > 0, &a.years, 6);
}

void simulation_outcome_map(struct doc *root, const struct simulation_report *r)
{
	struct mapping_memory units[MAPPING_UNITS_MAX];
	size_t n = simulation_mapping(r, units);
	struct doc *map = doc_object(root, "mapping_table"), *list = doc_array(map, "units"), *o;
	double extents = 0, bytes = 0;
	bool known = simulation_extents(r, &extents, &bytes);

	for (size_t i = 0; i < n; i++) {
		o = doc_object(list, NULL);
		doc_integer(o, "unit_bytes", units[i].unit_bytes, UNIT_BYTES);
		doc_integer(o, "entries", units[i].entries, UNIT_COUNT);
		doc_integer(o, "entry_bytes", units[i].entry_bytes, UNIT_BYTES);
		doc_integer(o, "device_bytes", units[i].device_bytes, UNIT_BYTES);
		doc_integer(o, "host_driver_bytes", units[i].host_bytes, UNIT_BYTES);
	}
	doc_real_if(map, "extents", known, extents, 9);
	doc_real_if(map, "extent_map_bytes", known, bytes, 9);
}

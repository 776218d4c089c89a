/* SPDX-License-Identifier: MIT */
#include "ftl/preset.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"

static const struct {
	const char *name;
	bool number, optional;
	double low, high;
} keys[] = {
#define X(e, name, number, optional, low, high) { name, number, optional, low, high },
	PRESET_KEYS(X)
#undef X
};

void preset_release(struct preset *p)
{
	json_release(&p->json);
	*p = (struct preset){ 0 };
}

const char *preset_key_text(enum preset_key key)
{
	return keys[key].name;
}

bool preset_key_is_number(enum preset_key key)
{
	return keys[key].number;
}

double preset_number(const struct preset *p, enum preset_key key)
{
	return p->values[key].given ? p->values[key].number : 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

static int read_basis(const struct preset *p, const char *key, const cJSON *v, struct diag *d,
		      struct preset_value *ret)
{
	const char *source = json_string(json_member(v, "source"));
	const char *assumed = json_string(json_member(v, "assumed"));
	const cJSON *fitted = json_member(v, "fitted");

	if (!source == !assumed)
		return diag_fail(d, -EINVAL,
				 "%s: \"%s\" needs either a \"source\" or what is \"assumed\"",
				 p->name, key);
	if (fitted && (!json_boolean(fitted, &ret->fitted) || source))
		return diag_fail(d, -EINVAL,
				 "%s: \"%s\": \"fitted\" is true or false, of an assumed value",
				 p->name, key);
	ret->sourced = source;
	ret->basis = source ? source : assumed;
	if (strlen(ret->basis) < 4 || !text_is_clean(ret->basis))
		return diag_fail(d, -EINVAL, "%s: \"%s\": where is it known from?", p->name, key);
	return 0;
}

static int read_value(struct preset *p, unsigned key, const cJSON *v, struct diag *d)
{
	static const char *const members[] = { "value", "source", "assumed", "fitted" };
	struct preset_value *x = &p->values[key];
	const cJSON *value = json_member(v, "value"), *member;
	const char *name = keys[key].name;

	if (!cJSON_IsObject(v))
		return diag_fail(d, -EINVAL, "%s: \"%s\" is no object with a value", p->name, name);
	cJSON_ArrayForEach(member, v)
	{
		bool known = false;

		for (size_t i = 0; i < ARRAY_SIZE(members); i++)
			known = known || !strcmp(members[i], member->string);
		if (!known)
			return diag_fail(d, -EINVAL, "%s: \"%s\" has an unknown key \"%s\"",
					 p->name, name, member->string);
	}
	if (keys[key].number && (!cJSON_IsNumber(value) || !json_real(value, &x->number) ||
				 x->number < keys[key].low || x->number > keys[key].high))
		return diag_fail(d, -EINVAL, "%s: \"%s\" is no number from %g to %g", p->name, name,
				 keys[key].low, keys[key].high);
	x->text = keys[key].number ? NULL : json_string(value);
	if (!keys[key].number && !x->text)
		return diag_fail(d, -EINVAL, "%s: \"%s\" is no text", p->name, name);
	x->given = true;
	return read_basis(p, name, v, d, x);
}

static int read_values(struct preset *p, const cJSON *values, struct diag *d)
{
	const cJSON *v;
	int r;

	cJSON_ArrayForEach(v, values)
	{
		struct suggestion s = { .word = v->string };
		unsigned i = 0;

		while (i < PRESET_KEY_COUNT && strcmp(keys[i].name, v->string) != 0)
			suggestion_offer(&s, keys[i++].name);
		if (i == PRESET_KEY_COUNT)
			return diag_fail(d, -EINVAL, "%s: there is no key \"%s\"%s%s", p->name,
					 v->string, s.best ? "; did you mean " : "",
					 s.best ? s.best : "");
		r = read_value(p, i, v, d);
		if (r < 0)
			return r;
	}
	for (unsigned i = 0; i < PRESET_KEY_COUNT; i++)
		if (!p->values[i].given && !keys[i].optional)
			return diag_fail(d, -EINVAL, "%s: \"%s\" is missing", p->name,
					 keys[i].name);
	return 0;
}

static int read_modes(struct preset *p, const cJSON *modes, struct diag *d)
{
	const cJSON *v;

	cJSON_ArrayForEach(v, modes)
	{
		if (p->nmodes == PRESET_MODES_MAX || !json_real(v, &p->modes[p->nmodes]) ||
		    p->modes[p->nmodes] > preset_number(p, PRESET_RAW))
			return diag_fail(d, -EINVAL,
					 "%s: \"modes\" are up to %d capacities within the raw "
					 "one, in bytes",
					 p->name, PRESET_MODES_MAX);
		p->nmodes++;
	}
	return 0;
}

/* What belongs together. */
static int check(const struct preset *p, struct diag *d)
{
	double room = preset_number(p, PRESET_RAW) - preset_number(p, PRESET_RESERVED);

	if (preset_number(p, PRESET_USER) > room)
		return diag_fail(d, -EINVAL,
				 "%s: \"user_bytes\" are more than \"raw_bytes\" less "
				 "\"reserved_bytes\", %.0f",
				 p->name, room);
	if (!preset_map_fits(p) && p->values[PRESET_MAPPING].sourced)
		return diag_fail(d, -EINVAL,
				 "%s: a map of %.0f bytes does not fit \"dram_bytes\": \"mapping\" "
				 "can only be assumed",
				 p->name, preset_map_bytes(p));
	for (unsigned i = PRESET_CACHE_MODE; i <= PRESET_CACHE_PE; i++)
		if (p->values[i].given != (preset_number(p, PRESET_CACHE) > 0))
			return diag_fail(d, -EINVAL,
					 "%s: \"%s\" is for a drive with a cache, and needed there",
					 p->name, keys[i].name);
	return 0;
}

int preset_parse(struct bytes text, const char *name, struct diag *d, struct preset *ret)
{
	CLEANUP(preset_release) struct preset p = { 0 };
	int r;

	if (!text_copy(p.name, sizeof(p.name), name))
		return diag_fail(d, -EINVAL, "%s: a name of at most %zu letters is needed", name,
				 sizeof(p.name) - 1);
	r = json_parse(text, JSON_STRICT, d, &p.json, NULL);
	if (r < 0)
		return r;
	p.title = json_string(json_member(p.json, "title"));
	p.about = json_string(json_member(p.json, "about"));
	if (!p.title || !p.about)
		return diag_fail(d, -EINVAL, "%s: \"title\" and \"about\" are needed", name);
	r = read_values(&p, json_member(p.json, "values"), d);
	if (!r)
		r = read_modes(&p, json_member(p.json, "modes"), d);
	if (!r)
		r = check(&p, d);
	if (r < 0)
		return r;
	if (p.values[PRESET_GC_COPIES].given)
		snprintf(p.gc, sizeof(p.gc), "%s:%g", p.values[PRESET_GC].text,
			 preset_number(&p, PRESET_GC_COPIES));
	else
		snprintf(p.gc, sizeof(p.gc), "%s", p.values[PRESET_GC].text);
	*ret = p;
	p = (struct preset){ 0 };
	return 0;
}

/* --- what follows from the values ------------------------------------------------------------- */

double preset_map_bytes(const struct preset *p)
{
	return ceil(preset_number(p, PRESET_USER) / preset_number(p, PRESET_MAP_UNIT)) *
	       MAP_ENTRY_BYTES;
}

bool preset_map_fits(const struct preset *p)
{
	return preset_map_bytes(p) <= preset_number(p, PRESET_DRAM);
}

double preset_overprovisioning(const struct preset *p, double user_bytes)
{
	double room = preset_number(p, PRESET_RAW) - preset_number(p, PRESET_RESERVED);

	/* a static cache is flash of its own, each of its cells with one bit instead of several */
	if (preset_number(p, PRESET_CACHE) > 0 &&
	    !strcmp(p->values[PRESET_CACHE_MODE].text, pslc_mode_text(PSLC_STATIC))) {
		enum cell_type cell;
		struct diag d = { 0 };

		if (!cell_parse(p->values[PRESET_CELL].text, &cell, &d))
			room -= preset_number(p, PRESET_CACHE) * cell_bits(cell);
	}
	return room / user_bytes - 1;
}

unsigned preset_fitted(const struct preset *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < PRESET_KEY_COUNT; i++)
		n += p->values[i].given && p->values[i].fitted;
	return n;
}

static int by_name(const struct preset *p, enum preset_key key, const char *(*text)(unsigned),
		   unsigned n, struct diag *d, unsigned *ret)
{
	for (unsigned i = 0; i < n; i++) {
		if (!strcmp(text(i), p->values[key].text)) {
			*ret = i;
			return 0;
		}
	}
	return diag_fail(d, -EINVAL, "%s: \"%s\": there is no '%s'", p->name, keys[key].name,
			 p->values[key].text);
}

static const char *leveling_name(unsigned i)
{
	return wear_leveling_text((enum wear_leveling)i);
}

static const char *collection_name(unsigned i)
{
	return collection_text((enum collection)i);
}

static const char *mode_name(unsigned i)
{
	return pslc_mode_text((enum pslc_mode)i);
}

static const char *overflow_name(unsigned i)
{
	return pslc_overflow_text((enum pslc_overflow)i);
}

static uint64_t ns(const struct preset *p, enum preset_key us)
{
	return (uint64_t)llround(preset_number(p, us) * 1000);
}

void preset_cache_times(const struct preset *p, struct drive_model *m)
{
	if (preset_number(p, PRESET_CACHE) <= 0)
		return;
	m->pslc.program_bytes = m->flash_page_bytes;
	m->pslc.read_ns = ns(p, PRESET_CACHE_READ_US);
	m->pslc.program_ns = ns(p, PRESET_CACHE_PROGRAM_US);
	m->pslc.erase_ns = m->times.erase_ns;
}

static int set_cache(const struct preset *p, struct diag *d, struct drive_model *m)
{
	unsigned mode = 0, overflow = 0;
	int r;

	if (preset_number(p, PRESET_CACHE) <= 0)
		return 0;
	r = by_name(p, PRESET_CACHE_MODE, mode_name, PSLC_MODE_COUNT, d, &mode);
	if (!r)
		r = by_name(p, PRESET_CACHE_OVERFLOW, overflow_name, PSLC_OVERFLOW_COUNT, d,
			    &overflow);
	if (r < 0)
		return r;
	m->pslc.mode = (enum pslc_mode)mode;
	m->pslc.overflow = (enum pslc_overflow)overflow;
	m->pslc.bytes = (uint64_t)preset_number(p, PRESET_CACHE);
	m->pslc.fold_bytes = (uint64_t)preset_number(p, PRESET_CACHE_FOLD);
	m->pslc.held_bytes = (uint64_t)preset_number(p, PRESET_CACHE_HOLD);
	preset_cache_times(p, m);
	return 0;
}

static int set_model(const struct preset *p, struct diag *d, struct drive_model *m)
{
	enum cell_type cell;
	unsigned collection = 0;
	int r = cell_parse(p->values[PRESET_CELL].text, &cell, d);

	if (!r)
		r = by_name(p, PRESET_GC, collection_name, COLLECTION_COUNT, d, &collection);
	if (r < 0)
		return r;
	drive_model_default(cell, m);
	m->channels = (unsigned)preset_number(p, PRESET_CHANNELS);
	m->dies = (unsigned)preset_number(p, PRESET_DIES);
	m->flash_page_bytes = (uint32_t)preset_number(p, PRESET_FLASH_PAGE);
	m->program_bytes = (uint32_t)preset_number(p, PRESET_PROGRAM);
	m->erase_bytes = (uint32_t)preset_number(p, PRESET_ERASE);
	m->times = (struct cell_times){ ns(p, PRESET_READ_US), ns(p, PRESET_PROGRAM_US),
					ns(p, PRESET_ERASE_US) };
	m->channel_bytes_per_s = (uint64_t)preset_number(p, PRESET_CHANNEL);
	m->link_bytes_per_s = (uint64_t)preset_number(p, PRESET_LINK);
	m->host_command_ns = ns(p, PRESET_HOST);
	m->controller_command_ns = ns(p, PRESET_CONTROLLER);
	m->search_ns = (uint64_t)preset_number(p, PRESET_SEARCH);
	m->programs_queued = (unsigned)preset_number(p, PRESET_QUEUED);
	m->flash_share_ppm = (uint32_t)lround(preset_number(p, PRESET_COMPRESSED) * PPM);
	m->collection = (enum collection)collection;
	m->continuous_ppm = (uint32_t)lround(preset_number(p, PRESET_GC_COPIES) * PPM);
	m->collects_at_once = preset_number(p, PRESET_AT_ONCE) > 0;
	r = set_cache(p, d, m);
	return r ? r : drive_model_check(m, (uint32_t)preset_number(p, PRESET_MAP_UNIT), d);
}

int preset_config(const struct preset *p, double user_bytes, uint64_t seed, struct diag *d,
		  struct simulation_config *ret, struct drive_model *ret_model)
{
	double user = user_bytes > 0 ? user_bytes : preset_number(p, PRESET_USER), pages, op;
	struct simulation_config c = { .seed = seed };
	struct drive_model model;
	unsigned leveling = 0;
	int r;

	c.page_bytes = (uint32_t)preset_number(p, PRESET_MAP_UNIT);
	pages = user / c.page_bytes;
	op = preset_overprovisioning(p, user);
	if (pages < 1 || pages >= UINT32_MAX || op <= 0)
		return diag_fail(d, -EINVAL,
				 "%s: %.0f bytes for the host leave no spare of the raw %.0f; %.0f "
				 "are possible",
				 p->name, user, preset_number(p, PRESET_RAW),
				 preset_number(p, PRESET_USER));
	c.device.logical_pages = (uint32_t)pages;
	c.device.pages_per_block = (uint32_t)preset_number(p, PRESET_BLOCK);
	c.spare = op / (1 + op);
	c.device.separate_gc = preset_number(p, PRESET_FRONTIERS) > 1;
	c.device.pe_cycles = (uint32_t)preset_number(p, PRESET_PE);
	c.engine = ENGINE_PAGES;
	c.precision = 0.005;
	c.device.leveling_spread = 20;
	c.device.spare_high = (uint32_t)preset_number(p, PRESET_GC_STOP);
	r = workload_parse("uniform", &c.workload, d);
	if (!r)
		r = victim_parse(p->values[PRESET_POLICY].text, &c.device.victim, d);
	if (!r)
		r = by_name(p, PRESET_LEVELING, leveling_name, WEAR_LEVELING_COUNT, d, &leveling);
	if (!r)
		r = set_model(p, d, &model);
	if (r < 0)
		return r;
	c.device.leveling = (enum wear_leveling)leveling;
	r = simulation_plan(&c, d);
	if (r < 0)
		return r;
	*ret = c;
	if (ret_model)
		*ret_model = model;
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/suggest.h"
#include "base/units.h"
#include "cli/simulate.h"

int simulate_name(struct context *ctx, const char *option, const char *value,
		  const char *const *names, size_t n, unsigned *ret)
{
	struct suggestion s = { .word = value };
	CLEANUP(str_release) struct str list = { 0 };

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(names[i], value)) {
			*ret = (unsigned)i;
			return 0;
		}
		suggestion_offer(&s, names[i]);
		str_addf(&list, "%s%s", i ? ", " : "", names[i]);
	}
	if (s.best)
		return context_usage(ctx, "%s: there is no '%s'; did you mean %s?", option, value,
				     s.best);
	return context_usage(ctx, "%s: there is no '%s'; there are %s", option, value,
			     str_text(&list));
}

#define OVERPROVISION_DEFAULT 0.07

static int set_size(struct context *ctx, struct simulation_config *c)
{
	const struct options *o = &ctx->options;
	double pages = o->logical_pages.value, overprovision;

	if (o->page_size.value > UINT32_MAX)
		return context_usage(ctx, "--page-size: at most 4 GiB are possible");
	c->page_bytes = (uint32_t)o->page_size.value;
	if (o->capacity.set && o->logical_pages.set)
		return context_usage(ctx, "--capacity and --logical-pages say the same: give one");
	if (o->capacity.set)
		pages = o->capacity.value / c->page_bytes;
	if (pages < 1 || pages >= UINT32_MAX)
		return context_usage(ctx,
				     "--capacity: a drive of %.0f pages of %u bytes; 1 to %u pages "
				     "are possible",
				     pages, c->page_bytes, UINT32_MAX - 1);
	c->device.logical_pages = (uint32_t)pages;
	c->device.pages_per_block = (uint32_t)o->pages_per_block.value;
	c->device.held_back = (uint32_t)o->held_back.value;
	c->layout = (struct flash_layout){
		.superblock = (uint32_t)o->superblock.value,
		.stripe = (uint32_t)o->parity.value,
		.bad_share = o->bad_blocks.value,
		.flash_share = o->compressed.value,
	};
	if (o->spare.set && o->overprovision.set)
		return context_usage(ctx, "--spare and --overprovision say the same: give one");
	overprovision = o->overprovision.set ? o->overprovision.value : OVERPROVISION_DEFAULT;
	c->spare = o->spare.set ? o->spare.value : overprovision / (1 + overprovision);
	return 0;
}

static int set_policies(struct context *ctx, struct simulation_config *c)
{
	static const char *const separations[] = { "none", "oracle" };
	static const char *const levelings[] = {
#define X(e, name) name,
		WEAR_LEVELINGS(X)
#undef X
	};
	static const char *const reuses[] = {
#define X(e, name) name,
		BLOCK_REUSES(X)
#undef X
	};
	const struct options *o = &ctx->options;
	struct ftl_config *f = &c->device;
	unsigned separate = 0, leveling = 0, reuse = 0;
	int r;

	r = victim_parse(o->policy, &f->victim, &ctx->diag);
	if (!r)
		r = victim_ties_parse(o->ties, &f->victim.ties, &ctx->diag);
	if (!r)
		r = simulate_name(ctx, "--separate", o->separate, separations,
				  ARRAY_SIZE(separations), &separate);
	if (!r)
		r = simulate_name(ctx, "--wear-leveling", o->wear_leveling, levelings,
				  ARRAY_SIZE(levelings), &leveling);
	if (!r)
		r = simulate_name(ctx, "--reuse", o->reuse, reuses, ARRAY_SIZE(reuses), &reuse);
	f->reuse = (enum block_reuse)reuse;
	f->read_limit = (uint32_t)o->read_limit.value;
	f->refresh_age = (uint64_t)o->refresh_age.value;
	f->separate_gc = o->frontiers.value == 2;
	c->separate_oracle = separate == 1;
	f->leveling = (enum wear_leveling)leveling;
	f->leveling_spread = (uint32_t)o->wear_leveling_spread.value;
	f->spare_low = (uint32_t)o->gc_start.value;
	f->spare_high = (uint32_t)(o->gc_stop.set ? o->gc_stop.value : o->gc_start.value);
	f->pe_cycles = o->pe.set ? (uint32_t)o->pe.value : 0;
	f->pe_cv = o->pe_cv.value;
	if (!r && o->pe_cv.set && !o->pe.set)
		return context_usage(ctx, "--pe-cv needs --pe");
	return r;
}

static int set_run(struct context *ctx, struct simulation_config *c)
{
	static const char *const engines[] = { "auto", "pages", "counts" };
	const struct options *o = &ctx->options;
	unsigned engine = 0;
	int r;

	r = workload_parse(o->workload, &c->workload, &ctx->diag);
	if (!r)
		r = simulate_name(ctx, "--engine", o->engine, engines, ARRAY_SIZE(engines),
				  &engine);
	if (r < 0)
		return r;
	c->engine = (enum simulation_engine)engine;
	if (c->engine == ENGINE_AUTO && simulate_is_timed(ctx))
		c->engine = ENGINE_PAGES;
	c->trim = o->trim_probability.value;
	c->reads = o->reads_per_write.value;
	c->seed = (uint64_t)o->seed.value;
	c->has_warmup = o->warmup.set;
	c->warmup = (uint64_t)o->warmup.value;
	c->precision = o->precision.value;
	c->writes = (uint64_t)o->writes.value;
	c->end = o->until_death ? END_DEATH : o->writes.set ? END_WRITES : END_PRECISION;
	if (o->writes.times)
		return context_usage(ctx, "--writes: a number of pages here; xN is for project");
	if (o->until_death + o->writes.set + o->precision.set > 1)
		return context_usage(ctx, "--until-death, --writes and --precision each say when "
					  "the run ends: give one");
	if (o->until_death && o->warmup.set)
		return context_usage(ctx,
				     "--until-death looks at the whole life: leave --warmup out");
	if (o->until_death && !o->pe.set)
		return context_usage(ctx, "--until-death needs --pe: blocks without a limit never "
					  "wear out");
	return 0;
}

static int use_preset(struct context *ctx, struct presets *presets, const struct preset **ret)
{
	char given[UNIT_TEXT_MAX], own[UNIT_TEXT_MAX];
	int r = presets_load(ctx, presets);

	if (!r)
		r = presets_find(ctx, presets, ctx->options.preset, ret);
	if (!r)
		presets_fill_options(*ret, &ctx->options, simulate_is_timed(ctx));
	if (!r && ctx->options.overprovision.set && ctx->options.overprovision.value <= 0)
		return context_usage(
			ctx, "--capacity: %s leave %s no spare flash; its own size is %s",
			format_bytes((u128)ctx->options.capacity.value, given), (*ret)->name,
			format_bytes((u128)preset_number(*ret, PRESET_USER), own));
	return r;
}

int simulate_describe(struct context *ctx, struct simulate_input *in, struct simulation_config *ret)
{
	struct simulation_config c = { 0 };
	bool timed;
	int r = ctx->options.preset ? use_preset(ctx, &in->presets, &in->preset) : 0;

	if (r < 0)
		return r;
	timed = simulate_is_timed(ctx);
	ctx->fail_code = EX_USAGE;
	r = set_size(ctx, &c);
	if (!r)
		r = set_policies(ctx, &c);
	if (!r)
		r = set_run(ctx, &c);
	if (!r)
		r = simulate_mix(ctx, &c, in);
	if (r < 0)
		return r;
	if (timed)
		c.mix.reads = 0; /* time goes on without writes too */
	ctx->fail_code = EX_USAGE;
	r = simulation_plan(&c, &ctx->diag);
	if (r < 0)
		return r;
	c.mix.reads = ctx->options.reads.value;
	ctx->fail_code = 0;
	*ret = c;
	return 0;
}

int simulate_config(struct context *ctx, struct simulate_input *in, struct simulation_config *ret)
{
	struct simulation_config c;
	int r = simulate_describe(ctx, in, &c);

	if (!r)
		r = simulate_trace(ctx, &c, in);
	if (r < 0)
		return r;
	*ret = c;
	return 0;
}

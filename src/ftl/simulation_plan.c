/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>

#include "ftl/simulation.h"

/* Streams of random numbers of one seed; the device and the workload have the others. */
enum { RANDOM_BAD_BLOCKS = 5 };

/* Trimming more than this drains the device: each write is undone by one trim at 1/2. */
#define TRIM_MAX      0.49

#define BAD_SHARE_MAX 0.5

/* Reads and trims together: some writes must come, or nothing goes on. */
#define MIX_MOST 0.999

uint64_t simulation_data_blocks(const struct simulation_config *c)
{
	return c->device.blocks - ftl_reserve_blocks(&c->device) - c->device.held_back -
	       c->device.bad_blocks;
}

double simulation_flash_share(const struct simulation_config *c)
{
	return c->layout.flash_share > 0 ? c->layout.flash_share : 1;
}

uint64_t simulation_flash_pages(const struct simulation_config *c)
{
	return (uint64_t)c->block_pages * (c->layout.superblock ? c->layout.superblock : 1);
}

double simulation_spare(const struct simulation_config *c)
{
	double pages = (double)simulation_data_blocks(c) * c->device.pages_per_block;

	return (pages - c->capacity_pages) / pages;
}

double simulation_free_share(const struct simulation_config *c)
{
	double pages = (double)simulation_data_blocks(c) * c->device.pages_per_block;

	return (pages - c->device.logical_pages) / pages;
}

double simulation_overprovisioning(const struct simulation_config *c)
{
	double spare = simulation_spare(c);

	return spare / (1 - spare);
}

uint32_t simulation_filled_pages(const struct simulation_config *c)
{
	if (c->workload.kind != WORKLOAD_TRACE || c->fill <= 0 || c->fill >= 1)
		return c->device.logical_pages;
	return (uint32_t)floor(c->fill * c->device.logical_pages);
}

static bool counts_are_exact(const struct simulation_config *c)
{
	return c->workload.kind == WORKLOAD_UNIFORM && !c->by_requests;
}

static int plan_engine(struct simulation_config *c, struct diag *d)
{
	char text[WORKLOAD_TEXT_MAX];

	if (c->engine == ENGINE_COUNTS && !counts_are_exact(c))
		return diag_fail(
			d, -EINVAL,
			"the engine 'counts' is exact for uniform writes of whole pages only, not "
			"for %s%s; use the engine 'pages'",
			workload_text(&c->workload, text), c->by_requests ? " by requests" : "");
	c->device.counts = c->engine == ENGINE_COUNTS ||
			   (c->engine == ENGINE_AUTO && counts_are_exact(c));
	c->engine = c->device.counts ? ENGINE_COUNTS : ENGINE_PAGES;
	return 0;
}

static int plan_classes(struct simulation_config *c, struct diag *d)
{
	uint32_t end[WORKLOAD_GROUPS_MAX], before = 0;
	double share[WORKLOAD_GROUPS_MAX];
	unsigned groups = workload_groups(&c->workload, c->device.logical_pages, end, share);
	char text[WORKLOAD_TEXT_MAX];

	for (unsigned i = 0; i < groups; i++) {
		if (end[i] <= before)
			return diag_fail(
				d, -EINVAL, "%u logical pages are too few for the groups of %s",
				c->device.logical_pages, workload_text(&c->workload, text));
		before = end[i];
	}
	c->device.classes = 1;
	if (!c->separate_oracle)
		return 0;
	if (groups == 1)
		return diag_fail(d, -EINVAL,
				 "the workload %s has no hot and cold pages to separate",
				 workload_text(&c->workload, text));
	c->device.classes = groups;
	for (unsigned i = 0; i < groups; i++)
		c->device.class_end[i] = end[i];
	return 0;
}

/*
 * Data pages of a block: of each stripe of k + 1 flash pages k hold data (the last stripe may be
 * short), and each flash page holds what compression makes of 1 / flash_share pages.
 */
static int plan_pages(struct simulation_config *c, struct diag *d)
{
	const uint32_t k = c->layout.stripe;
	uint64_t flash, data;

	if (!c->block_pages)
		c->block_pages = c->device.pages_per_block;
	flash = simulation_flash_pages(c);
	if (k && flash < 2)
		return diag_fail(d, -EINVAL, "a block of %llu pages has no room for parity",
				 (unsigned long long)flash);
	data = k ? flash - (flash + k) / ((uint64_t)k + 1) : flash;
	if (k > data)
		return diag_fail(d, -EINVAL,
				 "parity of %u data pages: a block of %llu pages has %llu of them "
				 "at most",
				 k, (unsigned long long)flash, (unsigned long long)flash - 1);
	data = (uint64_t)((double)data / simulation_flash_share(c));
	if (data < 2)
		return diag_fail(d, -EINVAL,
				 "%llu data pages in a block of %llu flash pages; at least 2 are "
				 "needed",
				 (unsigned long long)data, (unsigned long long)flash);
	if (data > FTL_PAGES_PER_BLOCK_MAX)
		return diag_fail(d, -EINVAL,
				 "%llu data pages in a block that is erased at once; at most %u "
				 "are possible",
				 (unsigned long long)data, FTL_PAGES_PER_BLOCK_MAX);
	c->device.pages_per_block = (uint32_t)data;
	c->device.stripe = (uint32_t)(k / simulation_flash_share(c));
	return 0;
}

/*
 * Blocks of the model that are lost to bad flash blocks. A superblock takes any good block of each
 * die and plane, so there are as many as the worst of these has good blocks.
 */
static uint64_t bad_blocks(const struct simulation_config *c, uint64_t blocks)
{
	const double share = c->layout.bad_share;
	const uint32_t planes = c->layout.superblock ? c->layout.superblock : 1;
	double mean = share * (double)blocks, deviation = sqrt(mean * (1 - share)), most = mean;
	struct rng random;

	rng_seed(&random, c->seed, RANDOM_BAD_BLOCKS);
	for (uint32_t i = 0; i < planes && planes > 1 && mean > 0; i++)
		most = fmax(most, mean + deviation * rng_normal(&random));
	return (uint64_t)rint(fmin(most, (double)blocks));
}

/* Of so many blocks of the model, what is left for data. */
static uint64_t usable(const struct simulation_config *c, uint64_t blocks)
{
	uint64_t lost = bad_blocks(c, blocks) + c->device.held_back;

	return blocks > lost ? blocks - lost : 0;
}

/* To four digits that people read; never less, as it is to be enough. */
static double round_up(double x)
{
	double unit = pow(10, floor(log10(x)) - 3);

	return x > 0 ? ceil(x / unit - 1e-6) * unit : 0;
}

/* The nearest spare that would do. */
static int refuse_blocks(const struct simulation_config *c, uint64_t blocks, uint64_t needed,
			 struct diag *d)
{
	const double share = simulation_flash_share(c);
	uint64_t enough = needed + c->device.held_back;
	double pages;

	while (usable(c, enough) < needed)
		enough += needed - usable(c, enough);
	pages = (double)enough * (double)simulation_flash_pages(c) / share;
	return diag_fail(d, -EINVAL,
			 "no room to write: %llu blocks of %u pages for %u logical pages; at least "
			 "%llu are needed, a spare share of %.4g (overprovisioning %.4g)",
			 (unsigned long long)usable(c, blocks), c->device.pages_per_block,
			 c->device.logical_pages, (unsigned long long)needed,
			 round_up((pages - c->capacity_pages) / pages),
			 round_up(pages / c->capacity_pages - 1));
}

static int plan_blocks(struct simulation_config *c, struct diag *d)
{
	struct ftl_config *f = &c->device;
	uint64_t blocks = c->data_blocks, needed;
	const uint32_t reserve = ftl_reserve_blocks(f);

	if (!c->has_blocks) {
		double pages = c->capacity_pages * simulation_flash_share(c) / (1 - c->spare);
		double all = rint(pages / (double)simulation_flash_pages(c));

		if (!(c->spare < 1) || all > UINT32_MAX)
			return diag_fail(d, -EINVAL,
					 "a spare share of %g is more than 32 bits can number; "
					 "0.5 is possible",
					 c->spare);
		blocks = (uint64_t)all;
	}
	f->bad_blocks = 0;
	needed = ftl_least_blocks(f) - reserve - f->held_back;
	if (usable(c, blocks) < needed)
		return refuse_blocks(c, blocks, needed, d);
	f->bad_blocks = (uint32_t)bad_blocks(c, blocks);
	f->blocks = (uint32_t)(blocks + reserve);
	return 0;
}

/* A device whose workload stays in a part of it has these pages only, and all the blocks. */
static int plan_fill(struct simulation_config *c, struct diag *d)
{
	double pages;

	c->capacity_pages = c->capacity_pages ? c->capacity_pages : c->device.logical_pages;
	if (c->fill <= 0 || c->fill >= 1)
		return 0;
	pages = floor(c->fill * c->capacity_pages);
	if (pages < 1)
		return diag_fail(d, -EINVAL, "%g of %u pages is none; %g is possible", c->fill,
				 c->capacity_pages, 1.0 / c->capacity_pages);
	if (c->workload.kind != WORKLOAD_TRACE)
		c->device.logical_pages = (uint32_t)pages;
	return 0;
}

/* Requests that are not all writes of one whole page. */
static int plan_requests(struct simulation_config *c, struct diag *d)
{
	const uint64_t bytes = (uint64_t)c->device.logical_pages * c->page_bytes;
	const enum workload_kind kind = c->workload.kind;
	struct request_mix *m = &c->mix;
	struct source check;

	if (m->reads + m->trims > MIX_MOST || m->reads < 0 || m->trims < 0)
		return diag_fail(
			d, -EINVAL,
			"a share of %g reads and %g trims leaves no writes: %g together is "
			"possible",
			m->reads, m->trims, MIX_MOST);
	m->bytes = m->bytes ? m->bytes : c->page_bytes;
	c->by_requests = kind == WORKLOAD_TRACE || kind == WORKLOAD_SIZES || m->reads > 0 ||
			 m->trims > 0 || m->start || (m->align && kind == WORKLOAD_JESD219) ||
			 (kind != WORKLOAD_JESD219 &&
			  (m->bytes != c->page_bytes || (m->align && m->align != c->page_bytes)));
	if (!c->by_requests || kind == WORKLOAD_TRACE)
		return 0;
	return source_start(&check, &c->workload, m, bytes, c->seed, d);
}

static int plan_end(const struct simulation_config *c, struct diag *d)
{
	if (c->end == END_DEATH && !c->device.pe_cycles)
		return diag_fail(d, -EINVAL,
				 "blocks without a limit of their cycles never wear out: give the "
				 "mean limit of a block");
	if (c->trim > TRIM_MAX || c->trim < 0)
		return diag_fail(d, -EINVAL,
				 "a trim probability of %g leaves no data: 0 to %g are possible",
				 c->trim, TRIM_MAX);
	if (c->layout.bad_share < 0 || c->layout.bad_share > BAD_SHARE_MAX)
		return diag_fail(d, -EINVAL,
				 "a share of %g bad blocks leaves no drive: 0 to %g are possible",
				 c->layout.bad_share, BAD_SHARE_MAX);
	return 0;
}

int simulation_plan(struct simulation_config *c, struct diag *d)
{
	int r;

	if (!c->device.logical_pages)
		return diag_fail(d, -EINVAL, "a device of 0 logical pages; at least 1 is needed");
	r = plan_pages(c, d);
	if (!r)
		r = plan_fill(c, d);
	if (!r)
		r = plan_requests(c, d);
	if (!r)
		r = plan_engine(c, d);
	if (!r)
		r = plan_classes(c, d);
	if (!r)
		r = plan_end(c, d);
	if (!r)
		r = plan_blocks(c, d);
	c->device.seed = c->seed;
	return r;
}

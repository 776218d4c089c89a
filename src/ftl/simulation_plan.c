/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>

#include "ftl/simulation.h"

/* Trimming more than this drains the device: each write is undone by one trim at 1/2. */
#define TRIM_MAX 0.49

uint64_t simulation_data_blocks(const struct simulation_config *c)
{
	return c->device.blocks - ftl_reserve_blocks(&c->device);
}

double simulation_spare(const struct simulation_config *c)
{
	double pages = (double)simulation_data_blocks(c) * c->device.pages_per_block;

	return (pages - c->device.logical_pages) / pages;
}

double simulation_overprovisioning(const struct simulation_config *c)
{
	double spare = simulation_spare(c);

	return spare / (1 - spare);
}

static bool counts_are_exact(const struct simulation_config *c)
{
	return c->workload.kind == WORKLOAD_UNIFORM;
}

static int plan_engine(struct simulation_config *c, struct diag *d)
{
	char text[WORKLOAD_TEXT_MAX];

	if (c->engine == ENGINE_COUNTS && !counts_are_exact(c))
		return diag_fail(
			d, -EINVAL,
			"the engine 'counts' is exact for uniform writes only, not for %s; "
			"use the engine 'pages'",
			workload_text(&c->workload, text));
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

static int plan_blocks(struct simulation_config *c, struct diag *d)
{
	struct ftl_config *f = &c->device;
	uint64_t least = ftl_least_blocks(f), blocks = c->data_blocks;
	uint32_t reserve = ftl_reserve_blocks(f);

	if (!c->has_blocks) {
		double data = rint(f->logical_pages / (1 - c->spare) / f->pages_per_block);

		if (!(c->spare < 1) || data > UINT32_MAX)
			return diag_fail(d, -EINVAL,
					 "a spare share of %g is more than 32 bits can number; "
					 "0.5 is possible",
					 c->spare);
		blocks = (uint64_t)data;
	}
	if (blocks + reserve < least) {
		double pages = (double)(least - reserve) * f->pages_per_block;

		return diag_fail(
			d, -EINVAL,
			"no room to write: %llu blocks of %u pages for %u logical pages; at least "
			"%llu are needed, a spare share of %.4g (overprovisioning %.4g)",
			(unsigned long long)blocks, f->pages_per_block, f->logical_pages,
			(unsigned long long)(least - reserve), (pages - f->logical_pages) / pages,
			pages / f->logical_pages - 1);
	}
	f->blocks = (uint32_t)(blocks + reserve);
	return 0;
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
	return 0;
}

int simulation_plan(struct simulation_config *c, struct diag *d)
{
	int r;

	if (!c->device.logical_pages)
		return diag_fail(d, -EINVAL, "a device of 0 logical pages; at least 1 is needed");
	r = plan_engine(c, d);
	if (!r)
		r = plan_classes(c, d);
	if (!r)
		r = plan_blocks(c, d);
	if (!r)
		r = plan_end(c, d);
	c->device.seed = c->seed;
	return r;
}

/* SPDX-License-Identifier: MIT */
#include "reviews/preset_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FILE_MAX   (64u << 10)
#define STEP	   (1u << 20)
#define PARTS_MOST 1e-3 /* of a stretch that is asked, what a point may stick out */

static void give_up(const char *name, const struct diag *d)
{
	fprintf(stderr, "reviews: %s: %s\n", name, *d->text ? d->text : "not readable");
	exit(1);
}

void preset_read(const char *name, struct preset *ret)
{
	static char text[FILE_MAX];
	char path[128];
	struct diag d = { 0 };
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "db/presets/%s.json", name);
	f = fopen(path, "r");
	if (f) {
		n = fread(text, 1, sizeof(text), f);
		fclose(f);
	}
	if (!n || preset_parse(bytes_of(text, n), name, &d, ret) < 0)
		give_up(path, &d);
}

/* Fewer blocks as they are: write amplification does not depend on their number. */
static void divide(struct simulation_config *c, struct drive_model *m, unsigned scale)
{
	uint32_t reserve = ftl_reserve_blocks(&c->device), data = c->device.blocks - reserve;

	m->scale = scale;
	c->device.blocks = data / scale + reserve;
	c->device.logical_pages = (uint32_t)((uint64_t)c->device.logical_pages * (data / scale) /
					     data);
	m->pslc.bytes /= scale;
	m->pslc.fold_bytes /= scale;
	m->pslc.held_bytes /= scale;
	m->idle_delay_ns /= scale;
}

void preset_run_start(struct preset_run *r, const char *name, double user_bytes, unsigned scale,
		      const struct stage *stages, size_t n)
{
	struct stages_config s = { .stages = stages, .n = n, .seed = 1 };
	struct diag d = { 0 };
	int err;

	*r = (struct preset_run){ 0 };
	preset_read(name, &r->preset);
	err = preset_config(&r->preset, user_bytes, 1, &d, &r->config, &s.drive.model);
	if (!err)
		divide(&r->config, &s.drive.model, scale);
	r->config.device.pe_cycles = 0; /* the tests are far from the end of life */
	s.drive.device = r->config.device;
	s.drive.page_bytes = r->config.page_bytes;
	if (!err)
		err = stages_run_new(&s, NULL, &d, &r->run);
	while (!err) {
		int step = stages_run_step(r->run, STEP);

		if (step < 0)
			err = step;
		if (step <= 0)
			break;
	}
	if (err < 0)
		give_up(name, &d);
	stages_run_result(r->run, &r->result);
}

void preset_run_release(struct preset_run *r)
{
	stages_run_free(r->run);
	preset_release(&r->preset);
	*r = (struct preset_run){ 0 };
}

double preset_run_speed(const struct preset_run *r, size_t stage, double from_s, double to_s)
{
	const struct stage_result *x = &r->result.stages[stage];
	double bytes = 0, ns = 0, start = (double)x->start_ns;

	for (uint32_t i = 0; i < x->points; i++) {
		const struct curve_point *p = &r->result.points[x->first_point + i];
		double length = (double)(p->end_ns - p->start_ns), slack = length * PARTS_MOST;

		if ((double)p->start_ns + slack < start + from_s * 1e9 ||
		    (double)p->end_ns - slack > start + to_s * 1e9)
			continue;
		bytes += (double)(p->written_bytes + p->read_bytes);
		ns += length;
	}
	return ns > 0 ? bytes * 1e3 / ns : 0;
}

double preset_run_written_at(const struct preset_run *r, size_t stage, double bytes)
{
	const struct stage_result *x = &r->result.stages[stage];
	double written = 0;

	for (uint32_t i = 0; i < x->points; i++) {
		const struct curve_point *p = &r->result.points[x->first_point + i];

		written += (double)p->written_bytes;
		if (written >= bytes)
			return (double)(p->end_ns - x->start_ns) / 1e9;
	}
	return INFINITY;
}

double preset_run_waf(const struct preset_run *r, size_t stage)
{
	const struct stage_result *x = &r->result.stages[stage];

	return x->pages ? (double)x->programs / (double)x->pages : 0;
}

/* SPDX-License-Identifier: MIT */
#include "ftl/timing.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct timing_area area_of(const struct timing *t, uint64_t read_ns, uint64_t program_ns,
				  uint32_t program_bytes)
{
	uint64_t unit = program_bytes / t->page_bytes;

	return (struct timing_area){
		.read_ns = read_ns,
		.program_ns = program_ns,
		.unit_share = unit * PPM,
		.unit_transfer_ns = transfer_ns(program_bytes, t->model.channel_bytes_per_s),
	};
}

int timing_start(struct timing *t, const struct drive_model *m, uint32_t page_bytes)
{
	const uint64_t on_channel = (uint64_t)page_bytes * m->flash_share_ppm / PPM;

	*t = (struct timing){
		.model = *m,
		.page_bytes = page_bytes,
		.page_channel_ns = transfer_ns(on_channel, m->channel_bytes_per_s),
		.ring = m->programs_queued * m->dies,
	};
	t->areas[AREA_MAIN] = area_of(t, m->times.read_ns, m->times.program_ns, m->program_bytes);
	t->areas[AREA_CACHE] = area_of(t, m->pslc.read_ns, m->pslc.program_ns,
				       m->pslc.program_bytes);
	t->die_free = calloc(m->dies, sizeof(*t->die_free));
	t->channel_free = calloc(m->channels, sizeof(*t->channel_free));
	t->ends = calloc(t->ring ? t->ring : 1, sizeof(*t->ends));
	t->die_owed = (struct timing_owed){ .n = m->dies,
					    .done = calloc(m->dies, sizeof(uint64_t)) };
	t->channel_owed = (struct timing_owed){ .n = m->channels,
						.done = calloc(m->channels, sizeof(uint64_t)) };
	if (t->die_free && t->channel_free && t->ends && t->die_owed.done && t->channel_owed.done)
		return 0;
	timing_release(t);
	return -ENOMEM;
}

void timing_release(struct timing *t)
{
	free(t->die_free);
	free(t->channel_free);
	free(t->ends);
	free(t->die_owed.done);
	free(t->channel_owed.done);
	*t = (struct timing){ 0 };
}

/*
 * A part that does one thing after the other: its turn comes when it is free, whatever else the
 * work waits for. Returns the earliest end.
 */
static uint64_t take_turn(uint64_t *free_ns, uint64_t at_ns, uint64_t work)
{
	*free_ns = later(at_ns, *free_ns) + work;
	return *free_ns;
}

uint64_t timing_command(struct timing *t, uint64_t at_ns)
{
	return take_turn(&t->controller_free, at_ns, t->model.controller_command_ns);
}

void timing_search(struct timing *t, uint64_t at_ns, uint64_t blocks)
{
	take_turn(&t->controller_free, at_ns, blocks * t->model.search_ns);
}

uint64_t timing_link(struct timing *t, uint64_t at_ns, uint64_t ready_ns, uint64_t bytes)
{
	uint64_t work = transfer_ns(bytes, t->model.link_bytes_per_s);

	return later(take_turn(&t->link_free, at_ns, work), ready_ns + work);
}

static void owe(struct timing_owed *o, uint64_t work)
{
	o->work += work;
	o->share = o->work / o->n;
}

/*
 * Before its next program a die does a part of what it owes: such that all is done when `units`
 * more programs have come to it. It may have had the time for it already.
 */
static void pay(const struct timing *t, struct timing_owed *o, unsigned i, uint64_t *free_ns,
		uint64_t units)
{
	uint64_t part = o->share - o->done[i];

	if (units > 1)
		part = (part + units - 1) / units;
	o->done[i] += part;
	take_turn(free_ns, t->owed_ns, part);
}

/* One program on the next die. */
static uint64_t program(struct timing *t, struct timing_area *a, uint64_t transfer, uint64_t ready,
			uint64_t left)
{
	uint64_t *die = &t->die_free[t->next_die], *channel = &t->channel_free[t->next_channel];
	uint64_t over, all = a->unit_share / PPM * t->model.dies, units = (left + all - 1) / all;

	pay(t, &t->die_owed, t->next_die, die, units);
	pay(t, &t->channel_owed, t->next_channel, channel, units);
	over = later(take_turn(channel, ready, transfer), later(*die, ready) + transfer);
	*die = over + a->program_ns;
	t->busy_die_ns += transfer + a->program_ns;
	t->next_die = t->next_die + 1 == t->model.dies ? 0 : t->next_die + 1;
	t->next_channel = t->next_die % t->model.channels;
	return *die;
}

/* Without a buffer: as many programs as the pages need, the last one with what is left. */
static uint64_t program_through(struct timing *t, struct timing_area *a, uint64_t at_ns,
				uint64_t share, uint64_t left)
{
	uint64_t end = at_ns;

	while (share) {
		uint64_t k = share < a->unit_share ? share : a->unit_share;
		uint64_t transfer = (a->unit_transfer_ns * k + a->unit_share - 1) / a->unit_share;

		end = later(end, program(t, a, transfer, at_ns, left));
		share -= k;
	}
	return end;
}

uint64_t timing_program(struct timing *t, enum timing_areas area, uint64_t at_ns, uint64_t n,
			uint64_t left)
{
	struct timing_area *a = &t->areas[area];
	uint64_t share = n * t->model.flash_share_ppm, in = at_ns;

	if (!t->ring)
		return program_through(t, a, at_ns, share, left);
	a->gathered += share;
	in = later(in, t->ends[t->at]);
	a->ready_ns = later(a->ready_ns, in);
	while (a->gathered >= a->unit_share) {
		a->gathered -= a->unit_share;
		t->ends[t->at] = program(t, a, a->unit_transfer_ns, a->ready_ns, left);
		t->at = t->at + 1 == t->ring ? 0 : t->at + 1;
		if (a->gathered) { /* the rest goes to the next program's place */
			in = later(in, t->ends[t->at]);
			a->ready_ns = in;
		}
	}
	return in;
}

uint64_t timing_read(struct timing *t, enum timing_areas area, uint64_t at_ns, uint64_t die,
		     uint64_t bytes)
{
	const struct timing_area *a = &t->areas[area];
	uint64_t *d = &t->die_free[die % t->model.dies];
	uint64_t *c = &t->channel_free[die % t->model.dies % t->model.channels];
	uint64_t transfer = transfer_ns(bytes, t->model.channel_bytes_per_s), end;
	/* programs that wait are gone before, the one that runs is not */
	uint64_t wait = *d > at_ns ? (*d - at_ns) % (a->program_ns + a->unit_transfer_ns) : 0;
	uint64_t sensed = at_ns + wait + a->read_ns;

	wait = *c > sensed ? (*c - sensed) % a->unit_transfer_ns : 0;
	end = sensed + wait + transfer;
	take_turn(c, at_ns, transfer);
	*d = later(*d, at_ns) + a->read_ns + transfer;
	t->busy_die_ns += a->read_ns + transfer;
	return end;
}

static void spread(uint64_t *free_ns, unsigned n, uint64_t at_ns, uint64_t work)
{
	uint64_t part = work / n, rest = work % n;

	for (unsigned i = 0; i < n; i++)
		free_ns[i] = later(free_ns[i], at_ns) + part + (i < rest);
}

void timing_work(struct timing *t, const struct timing_work *w, uint64_t at_ns, bool owed)
{
	struct timing_area *to = &t->areas[w->to];
	uint64_t units, channel = w->moved * t->page_channel_ns, die;

	to->moved += w->programs * t->model.flash_share_ppm;
	units = to->moved / to->unit_share;
	to->moved -= units * to->unit_share;
	die = w->reads * t->areas[w->from].read_ns + channel + units * to->program_ns + w->erase_ns;
	t->busy_die_ns += die;
	if (owed && t->ring) {
		t->owed_ns = at_ns;
		owe(&t->die_owed, die);
		owe(&t->channel_owed, channel);
		return;
	}
	spread(t->die_free, t->model.dies, at_ns, die);
	spread(t->channel_free, t->model.channels, at_ns, channel);
}

static void settle(const struct timing *t, struct timing_owed *o, uint64_t *free_ns)
{
	for (unsigned i = 0; i < o->n; i++)
		pay(t, o, i, &free_ns[i], 1);
}

void timing_settle(struct timing *t)
{
	settle(t, &t->die_owed, t->die_free);
	settle(t, &t->channel_owed, t->channel_free);
}

uint64_t timing_quiet(const struct timing *t)
{
	uint64_t end = later(t->link_free, t->controller_free);

	for (unsigned i = 0; i < t->model.dies; i++)
		end = later(end, t->die_free[i]);
	return end;
}

/* Of a flash page with k map pages, 1 - (1 - valid / pages)^k are not empty. */
uint64_t timing_victim_reads(const struct timing *t, uint64_t valid, uint64_t pages,
			     uint64_t victims)
{
	uint32_t k = t->model.flash_page_bytes / t->page_bytes;
	double empty = 1, all = (double)pages * (double)victims;

	if (!valid || !victims)
		return 0;
	for (uint32_t i = 0; i < k; i++)
		empty *= 1 - (double)valid / all;
	return (uint64_t)(all / k * (1 - empty) + 0.5);
}

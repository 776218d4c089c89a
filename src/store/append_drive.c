/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/adding.h"
#include "store/events.h"

static void take_text(char *known, const char *now, size_t size)
{
	if (now[0])
		memcpy(known, now, size);
}

void drive_row_take(struct identity *known, const struct identity *now)
{
	if (now->protocol != PROTOCOL_UNKNOWN)
		known->protocol = now->protocol;
	take_text(known->firmware, now->firmware, sizeof(known->firmware));
	take_text(known->wwn, now->wwn, sizeof(known->wwn));
	take_text(known->vendor, now->vendor, sizeof(known->vendor));
	take_text(known->smartctl_family, now->smartctl_family, sizeof(known->smartctl_family));
	if (now->logical_block_bytes)
		known->logical_block_bytes = now->logical_block_bytes;
	if (now->rotational >= 0)
		known->rotational = now->rotational;
	known->incomplete = now->incomplete;
}

static void take_place(struct drive_row *row, const struct append *a)
{
	struct identity *known = &row->drive.identity;
	const struct identity *now = &a->reading->identity;

	memcpy(known->path, now->path, sizeof(known->path));
	memcpy(known->by_id, now->by_id, sizeof(known->by_id));
	memcpy(known->location, now->location, sizeof(known->location));
	memcpy(known->array, now->array, sizeof(known->array));
	memcpy(row->via, a->snapshot->via, sizeof(row->via));
}

static bool same_place(const struct drive_row *a, const struct drive_row *b)
{
	const struct identity *x = &a->drive.identity, *y = &b->drive.identity;

	return strcmp(a->via, b->via) == 0 && strcmp(x->location, y->location) == 0 &&
	       (x->location[0] || strcmp(x->path, y->path) == 0);
}

static int add_replaced(struct adding *g, int64_t drive, const char *what,
			const struct identity *other, const char *place)
{
	struct event event = { .time = g->sample.time, .kind = EVENT_REPLACED };
	char model[MODEL_MAX * 4], serial[SERIAL_MAX * 4], where[LOCATION_MAX];

	text_escape(model, sizeof(model), other->model);
	text_escape(serial, sizeof(serial), other->serial);
	text_escape(where, sizeof(where), place);
	snprintf(event.text, sizeof(event.text), "%s %.80s serial %.64s in %.70s", what, model,
		 serial, where);
	return events_add(g->s, drive, &event, false, g->d);
}

/*
 * Another drive was seen live here since this one was, or this one is new here. A node's name
 * alone goes from one known drive to another at a boot, which replaces nothing: without a location
 * only a drive that was never seen elsewhere replaces another.
 */
static int find_replaced(struct adding *g, const struct drive_row *before)
{
	struct drive_row *row = &g->drive->row, other;
	const struct identity *own = &row->drive.identity;
	const char *place = own->location[0] ? own->location : own->path;
	int err;

	if (before->has_live && !own->location[0] && !same_place(before, row))
		return 0;
	err = drive_row_before(g->s, row, g->d, &other);
	if (err || !other.drive.id)
		return err;
	if (before->has_live && same_place(before, row) && other.last_live <= before->last_live)
		return 0;
	err = add_replaced(g, row->drive.id, "replaces", &other.drive.identity, place);
	return err ? err : add_replaced(g, other.drive.id, "replaced by", own, place);
}

static int add_clock_jump(struct adding *g, int64_t before)
{
	struct event event = { .time = g->sample.time, .kind = EVENT_CLOCK_JUMP };
	char from[TIME_TEXT];

	snprintf(event.text, sizeof(event.text),
		 "the clock of the machine went back: the sample before was taken at %s",
		 time_format(before, from));
	return events_add(g->s, g->drive->row.drive.id, &event, false, g->d);
}

static void count_sample(struct drive_row *row, int64_t time)
{
	struct stored_drive *drive = &row->drive;
	bool first = drive->nsamples == 0;

	drive->nsamples++;
	drive->first_time = first || time < drive->first_time ? time : drive->first_time;
	drive->last_time = first || time > drive->last_time ? time : drive->last_time;
}

/*
 * The clock tells the order of what was read live no better than the order in which it came: the
 * last one that came says where the drive is.
 */
static int update_live(struct adding *g)
{
	struct drive_row *row = &g->drive->row, before = *row;
	int64_t time = g->sample.time;
	int err;

	drive_row_take(&row->drive.identity, &g->a->reading->identity);
	take_place(row, g->a);
	count_sample(row, time);
	row->has_live = true;
	row->last_live = row->drive.last_seen_here = time;
	err = find_replaced(g, &before);
	if (!err && before.has_live && time < before.last_live)
		err = add_clock_jump(g, before.last_live);
	/* other drives look for the one that was here before */
	return err ? err : drive_row_set(g->s, row, g->d);
}

int adding_update_drive(struct adding *g)
{
	struct drive_row *row = &g->drive->row;
	bool latest = row->drive.nsamples == 0 || g->sample.time >= row->drive.last_time;

	if (g->sample.live)
		return update_live(g);
	if (latest)
		drive_row_take(&row->drive.identity, &g->a->reading->identity);
	if (latest && !row->has_live)
		take_place(row, g->a);
	count_sample(row, g->sample.time);
	g->drive->changed = true;
	return 0;
}

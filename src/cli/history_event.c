/* SPDX-License-Identifier: MIT */
#include "cli/history_event.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "doc/doc.h"

#define SCHEMA "nandlife.event/1"

void history_event_export(const struct identity *drive, const struct event *event, struct str *out)
{
	CLEANUP(doc_release) struct doc *root = doc_new();
	char time[TIME_TEXT];
	struct doc *o;

	doc_string(root, "schema", SCHEMA);
	o = doc_object(root, "drive");
	doc_string(o, "model", drive->model);
	doc_string(o, "serial", drive->serial);
	doc_integer_if(o, "capacity_bytes", drive->has_capacity, drive->capacity_bytes, UNIT_BYTES);
	doc_string(root, "time", time_format(event->time, time));
	doc_string(root, "kind", event_kind_name(event->kind));
	doc_string(root, "text", event->text);
	doc_render_json_line(root, out);
}

/* A string with the bytes that stand beside it where it is not clean is not needed of our own. */
static void read_text(const cJSON *o, const char *name, char *dst, size_t size)
{
	const char *s = json_string(json_member(o, name));

	if (s)
		text_copy(dst, size, s);
}

static int read_event(const cJSON *object, struct identity *drive, struct event *event)
{
	const cJSON *o = json_member(object, "drive");
	const char *schema = json_string(json_member(object, "schema"));
	const char *kind = json_string(json_member(object, "kind"));
	const char *time = json_string(json_member(object, "time"));
	i128 capacity;

	if (!schema || strcmp(schema, SCHEMA) != 0 || !kind || !time ||
	    time_parse(time, &event->time) || !json_string(json_member(o, "serial")))
		return -EINVAL;
	event->kind = event_kind_by_name(kind);
	if (event->kind == EVENT_KIND_COUNT)
		return -EINVAL;
	read_text(object, "text", event->text, sizeof(event->text));
	read_text(o, "model", drive->model, sizeof(drive->model));
	read_text(o, "serial", drive->serial, sizeof(drive->serial));
	if (json_integer(json_member(o, "capacity_bytes"), &capacity) && capacity > 0 &&
	    capacity <= INT64_MAX) {
		drive->has_capacity = true;
		drive->capacity_bytes = (uint64_t)capacity;
	}
	return 0;
}

static bool is_there(const struct series *s, const struct event *event)
{
	for (size_t i = 0; i < s->nevents; i++)
		if (s->events[i].time == event->time && s->events[i].kind == event->kind)
			return true;
	return false;
}

int history_event_import(struct store *s, const struct cJSON *object, struct diag *d,
			 bool *ret_added)
{
	CLEANUP(series_release) struct series known;
	struct identity identity = { .rotational = -1 };
	struct event event = { 0 };
	struct stored_drive drive = { 0 };
	int err = read_event(object, &identity, &event);

	series_init(&known);
	if (!err)
		err = store_find_identity(s, &identity, d, &drive);
	if (!err)
		err = store_series(s, drive.id, event.time, event.time, d, &known);
	if (err)
		return err;
	*ret_added = !is_there(&known, &event);
	return *ret_added ? store_add_event(s, drive.id, &event, d) : 0;
}

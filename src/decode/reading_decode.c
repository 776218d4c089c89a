/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/reading.h"

/* What the reading takes over from the snapshot as it stands. */
static void copy_place(const struct snapshot *s, struct reading *r)
{
	r->time = s->time;
	r->time_is_file = s->time_is_file;
	r->state = s->state;
	text_copy(r->identity.path, sizeof(r->identity.path), s->path);
	text_copy(r->identity.by_id, sizeof(r->identity.by_id), s->by_id);
	text_copy(r->identity.array, sizeof(r->identity.array), s->array);
	text_copy(r->identity.location, sizeof(r->identity.location), s->location);
	memcpy(r->problems, s->problems, s->nproblems * sizeof(r->problems[0]));
	r->nproblems = s->nproblems;
	for (size_t i = 0; i < s->nlogs; i++)
		if (s->logs[i].err)
			reading_add_problem(r, s->logs[i].err, "%s %02Xh: %s",
					    log_space_name(s->logs[i].space), s->logs[i].id,
					    s->logs[i].error ? s->logs[i].error : "not read");
}

/* What only the kernel knows, or who saved a dump without identity, where the drive's own word is
 * missing. */
static void complete_from_node(const struct snapshot *s, struct identity *id)
{
	if (!id->has_capacity && s->node_bytes) {
		id->has_capacity = true;
		id->capacity_bytes = s->node_bytes;
	}
	if (!id->logical_block_bytes)
		id->logical_block_bytes = s->node_block_bytes;
	if (id->rotational < 0)
		id->rotational = s->node_rotational;
	if (!*id->serial)
		text_copy(id->serial, sizeof(id->serial), s->serial);
}

/* The dump that this snapshot consists of; NULL for one of raw logs. */
static const struct snapshot_log *find_dump(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nlogs; i++)
		if (s->logs[i].space >= SPACE_SKDUMP && s->logs[i].data)
			return &s->logs[i];
	return NULL;
}

static int decode_dump(const struct snapshot_log *log, struct diag *d, struct reading *r)
{
	struct bytes data = bytes_of(log->data, log->len);

	switch (log->space) {
	case SPACE_SKDUMP:
		return decode_skdump(data, d, r);
	case SPACE_SMARTCTL_JSON:
		return decode_smartctl_json(data, log->json, d, r);
	case SPACE_SMARTCTL_TEXT:
		return decode_smartctl_text(data, d, r);
	default:
		return decode_nvme_cli_json(data, log->json, d, r);
	}
}

static bool has_space(const struct snapshot *s, enum log_space first, enum log_space last)
{
	for (size_t i = 0; i < s->nlogs; i++)
		if (s->logs[i].space >= first && s->logs[i].space <= last)
			return true;
	return false;
}

static int decode_all(const struct snapshot *s, const struct log_layout *const *layouts,
		      struct diag *d, struct reading *r)
{
	const struct snapshot_log *dump = find_dump(s);
	int err = 0;

	if (has_space(s, SPACE_NVME_IDENTIFY, SPACE_NVME_LOG))
		err = decode_nvme(s, layouts, r);
	if (!err && has_space(s, SPACE_SCSI_INQUIRY, SPACE_SCSI_SENSE))
		err = decode_scsi(s, r);
	/* after SCSI: a SATA drive behind a translator is an ATA drive */
	if (!err && has_space(s, SPACE_ATA_IDENTIFY, SPACE_ATA_LOG))
		err = decode_ata(s, r);
	if (!err && dump)
		err = decode_dump(dump, d, r);
	return err;
}

/* Only what is there of the arrays, which are large. */
static void move(struct reading *ret, struct reading *r)
{
	memcpy(ret, r, offsetof(struct reading, attributes));
	memcpy(ret->attributes, r->attributes, r->nattributes * sizeof(r->attributes[0]));
	memcpy(ret->selftests, r->selftests, r->nselftests * sizeof(r->selftests[0]));
	memcpy(ret->problems, r->problems, r->nproblems * sizeof(r->problems[0]));
	reading_init(r);
}

int reading_decode(const struct snapshot *s, const struct log_layout *const *layouts,
		   struct diag *d, struct reading *ret)
{
	CLEANUP(reading_release) struct reading r;
	int err;

	reading_init(&r);
	copy_place(s, &r);
	err = decode_all(s, layouts, d, &r);
	if (err == -E2BIG) {
		reading_add_problem(&r, -E2BIG, "more fields than nandlife keeps");
		err = 0;
	}
	if (err)
		return err;
	complete_from_node(s, &r.identity);
	move(ret, &r);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include "decode/redact.h"

#include <errno.h>
#include <string.h>

#include "decode/field.h"
#include "decode/layout_nvme.h"

#define SECTOR		 512
#define CNS_NAMESPACE_ID 3
#define VPD_SERIAL	 0x80
#define VPD_IDENTIFIERS	 0x83
#define VPD_ATA		 0x89 /* of a SAT translator: what the drive behind it says of itself ... */
#define VPD_ATA_IDENTIFY 60   /* ... from this byte on */
#define LOG_IDENTIFY	 0x30 /* page 1: a copy of the IDENTIFY DEVICE data */

/* A part of a log that is a structure by itself. */
struct part {
	enum log_space space;
	uint32_t id;
	uint8_t *data;
	size_t len;
};

typedef int visit_fn(struct secrets *set, const struct part *p);

/* --- identity rows of the tables ------------------------------------------------------------- */

static bool all_equal(const uint8_t *data, size_t len)
{
	return bytes_all(bytes_of(data, len), 0) || bytes_all(bytes_of(data, len), 0xff);
}

static void swap_pairs(uint8_t *data, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2) {
		uint8_t first = data[i];

		data[i] = data[i + 1];
		data[i + 1] = first;
	}
}

static int redact_text_field(struct secrets *set, uint8_t *field, size_t len)
{
	int err = 0;

	secret_overwrite(secrets_add_text(set, field, len, &err), field, len);
	return err;
}

static int redact_id_field(struct secrets *set, uint8_t *field, size_t len, bool is_eui)
{
	const struct secret *s;
	int err = 0;

	if (all_equal(field, len))
		return 0;
	s = secrets_add_id(set, field, len, is_eui, &err);
	if (s)
		memcpy(field, s->new, len);
	return err;
}

static int redact_field(struct secrets *set, const struct part *p, const struct field *f)
{
	uint8_t *field = p->data + f->off;
	bool words = f->type == FIELD_ATA_ASCII || p->space == SPACE_ATA_IDENTIFY;
	int err;

	if (!bytes_has(bytes_of(p->data, p->len), f->off, f->size))
		return 0;
	if (words)
		swap_pairs(field, f->size);
	if (f->type == FIELD_ASCII || f->type == FIELD_ATA_ASCII)
		err = redact_text_field(set, field, f->size);
	else
		err = redact_id_field(set, field, f->size, p->space == SPACE_NVME_IDENTIFY);
	if (words)
		swap_pairs(field, f->size);
	return err;
}

static int redact_rows(struct secrets *set, const struct part *p)
{
	const struct log_layout *const *const sets[] = { nvme_layouts, nvme_vendor_layouts,
							 ata_layouts, scsi_layouts };
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (const struct log_layout *const *l = sets[i]; *l; l++) {
			if ((*l)->space != p->space || (*l)->id != p->id)
				continue;
			for (size_t n = 0; n < (*l)->nfields && !err; n++) {
				const struct field *f = &(*l)->fields[n];

				if (f->flags & FIELD_IDENTITY && f->type != FIELD_GROUP)
					err = redact_field(set, p, f);
			}
		}
	return err;
}

/* --- lists of identifiers -------------------------------------------------------------------- */

static int redact_namespace_ids(struct secrets *set, const struct part *p)
{
	int err = 0;

	for (size_t at = 0; at + 4 <= p->len && !err;) {
		uint8_t type = p->data[at], len = p->data[at + 1];

		if (!type || !len || at + 4 + len > p->len)
			break;
		if (len >= 8) /* shorter: a command set, no identifier */
			err = redact_id_field(set, p->data + at + 4, len, true);
		at += 4 + (size_t)len;
	}
	return err;
}

static int redact_vpd_serial(struct secrets *set, const struct part *p)
{
	return p->len > 4 ? redact_text_field(set, p->data + 4, p->len - 4) : 0;
}

/* The last word of a text: type 1 is "vendor  model  serial number". */
static int redact_last_word(struct secrets *set, uint8_t *text, size_t len)
{
	size_t start;

	while (len && (text[len - 1] == ' ' || text[len - 1] == '\0'))
		len--;
	for (start = len; start && text[start - 1] != ' ';)
		start--;
	return redact_text_field(set, text + start, len - start);
}

/* A name in text, which may be an identifier in hexadecimal ("naa.5002..."). */
static int redact_name(struct secrets *set, uint8_t *text, size_t len)
{
	const struct secret *s;
	int err = 0;

	s = secrets_add_any(set, (const char *)text, strnlen((const char *)text, len), &err);
	if (s && !s->is_id)
		secret_overwrite(s, text, len);
	return err;
}

/* Designators (SPC-5 7.7.6): code set 1 is binary, 2 ASCII, 3 UTF-8. */
static int redact_designators(struct secrets *set, const struct part *p)
{
	int err = 0;

	for (size_t at = 4; at + 4 <= p->len && !err;) {
		uint8_t code_set = p->data[at] & 15, type = p->data[at + 1] & 15;
		uint8_t *designator = p->data + at + 4;
		size_t len = p->data[at + 3];

		if (at + 4 + len > p->len)
			break;
		if (code_set == 1)
			err = redact_id_field(set, designator, len, type == 2);
		else if (code_set >= 2 && type == 1)
			err = redact_last_word(set, designator, len);
		else if (code_set >= 2)
			err = redact_name(set, designator, len);
		at += 4 + len;
	}
	return err;
}

static int redact_part(struct secrets *set, const struct part *p)
{
	if (p->space == SPACE_NVME_IDENTIFY && p->id == CNS_NAMESPACE_ID)
		return redact_namespace_ids(set, p);
	if (p->space == SPACE_SCSI_VPD && p->id == VPD_SERIAL)
		return redact_vpd_serial(set, p);
	if (p->space == SPACE_SCSI_VPD && p->id == VPD_IDENTIFIERS)
		return redact_designators(set, p);
	if (p->space >= SPACE_SMARTCTL_JSON)
		return redact_learn_text(set, p->data, p->len);
	return redact_rows(set, p);
}

/* --- the parts of a log ---------------------------------------------------------------------- */

/* Chunks of a blob of libatasmart: a tag, the length with its high byte first, the bytes. */
static int visit_chunks(struct secrets *set, const struct part *blob, visit_fn *visit)
{
	static const struct {
		const char *tag;
		enum log_space space;
	} chunks[] = { { "IDFY", SPACE_ATA_IDENTIFY },
		       { "SMDT", SPACE_ATA_SMART_DATA },
		       { "SMTH", SPACE_ATA_SMART_THRESHOLDS } };
	struct bytes b = bytes_of(blob->data, blob->len);
	int err = 0;

	for (size_t at = 0; bytes_has(b, at, 8) && !err;) {
		size_t len = (size_t)bytes_be_or0(b, at + 4, 4);

		if (!bytes_has(b, at + 8, len))
			len = b.len - at - 8;
		for (size_t i = 0; i < ARRAY_SIZE(chunks) && !err; i++) {
			struct part p = { chunks[i].space, 0, blob->data + at + 8, len };

			if (memcmp(blob->data + at, chunks[i].tag, 4) == 0)
				err = visit(set, &p);
		}
		at += 8 + len;
	}
	return err;
}

/* Where IDENTIFY DEVICE data stands within another log; SIZE_MAX for nowhere. */
static size_t identify_within(const struct snapshot_log *log)
{
	if (log->space == SPACE_SCSI_VPD && log->id == VPD_ATA)
		return VPD_ATA_IDENTIFY;
	if (log->space == SPACE_ATA_LOG && log->id == LOG_IDENTIFY && log->sub == 1)
		return 0;
	return SIZE_MAX;
}

static int visit_log(struct secrets *set, struct snapshot_log *log, visit_fn *visit)
{
	struct part p = { log->space, log->id, log->data, log->len };
	size_t at = identify_within(log);
	int err = 0;

	if (!log->data)
		return 0;
	if (log->space == SPACE_SKDUMP)
		return visit_chunks(set, &p, visit);
	/* before the whole, which would replace what it knows and leave the checksum wrong */
	if (at != SIZE_MAX && bytes_has(bytes_of(log->data, log->len), at, SECTOR)) {
		struct part identify = { SPACE_ATA_IDENTIFY, 0, log->data + at, SECTOR };

		err = visit(set, &identify);
	}
	return err ? err : visit(set, &p);
}

/* --- checksums ------------------------------------------------------------------------------- */

static uint8_t sum(const uint8_t *data)
{
	uint8_t n = 0;

	for (size_t i = 0; i < SECTOR; i++)
		n = (uint8_t)(n + data[i]);
	return n;
}

/*
 * Each sector of ATA data that added up to zero before does so again: its last byte is the
 * checksum. (A sector that did not had none.)
 */
static void mend_checksums(const struct part *p, const uint8_t *before)
{
	for (size_t at = 0; at + SECTOR <= p->len; at += SECTOR)
		if (memcmp(p->data + at, before + at, SECTOR) != 0 && sum(before + at) == 0) {
			p->data[at + SECTOR - 1] = (uint8_t)(p->data[at + SECTOR - 1] -
							     sum(p->data + at));
		}
}

static bool has_checksums(enum log_space space)
{
	return space >= SPACE_ATA_IDENTIFY && space <= SPACE_ATA_LOG;
}

/* --- a whole snapshot ------------------------------------------------------------------------ */

static int redact_part_whole(struct secrets *set, const struct part *p)
{
	CLEANUP(cleanup_free) uint8_t *before = malloc(p->len + 1);
	int err;

	if (!before)
		return -ENOMEM;
	memcpy(before, p->data, p->len);
	err = redact_part(set, p);
	secrets_replace(set, p->data, p->len);
	if (has_checksums(p->space))
		mend_checksums(p, before);
	return err;
}

static void redact_string(const struct secrets *set, char *s)
{
	secrets_replace(set, (uint8_t *)s, strlen(s));
}

#define LINK_TAIL_MIN	8
#define LINK_SUFFIX_MAX 3

/*
 * The stable link ends in the serial number or a WWN, which the drive's logs may not have (a USB
 * bridge's): its last part goes, where it is long enough for one. Numbers of up to three digits
 * behind it ("-0:0", "_1") are not of the drive.
 */
static int learn_link(struct secrets *set, const char *link)
{
	const char *name = strrchr(link, '/'), *tail = "";
	int err = 0;

	name = name ? name + 1 : link;
	for (size_t n; *name; name += n + (name[n] != '\0')) {
		n = strcspn(name, "_-:");
		if (n > LINK_SUFFIX_MAX || strspn(name, "0123456789") < n)
			tail = name;
	}
	if (strcspn(tail, "_-:") >= LINK_TAIL_MIN)
		secrets_add_any(set, tail, strcspn(tail, "_-:"), &err);
	return err;
}

/* A short serial number is recognized in the link, as one of its parts, where it is not in text. */
static void redact_link(const struct secrets *set, char *link)
{
	redact_string(set, link);
	for (size_t n; *link; link += n + (link[n] != '\0')) {
		n = strcspn(link, "/_-:");
		for (size_t i = 0; i < set->n; i++)
			if (!set->list[i].is_id && set->list[i].len == n)
				secret_overwrite(&set->list[i], (uint8_t *)link, n);
	}
}

/*
 * Volume groups are often named after their host: "LVM web1-vg Qe8kfl" keeps its first word. Not a
 * secret to look for elsewhere: "tank" is a word.
 */
static int redact_array(struct secrets *set, char *array)
{
	int err = 0;

	for (char *word = strchr(array, ' '); word && !err; word = strchr(word, ' ')) {
		size_t n = strcspn(++word, " ");

		secret_overwrite(secrets_add_name(set, word, n, &err), (uint8_t *)word, n);
	}
	return err;
}

/* Learn from all logs first, so that each log's secrets go from all others too. */
static int learn_only(struct secrets *set, const struct part *p)
{
	CLEANUP(cleanup_free) uint8_t *copy = malloc(p->len + 1);
	struct part scratch = *p;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, p->data, p->len);
	scratch.data = copy;
	return redact_part(set, &scratch);
}

static int fail(const struct snapshot *s, struct diag *d, int err)
{
	return diag_fail(d, err, "%s: identities cannot be removed: %s", s->path,
			 err == -E2BIG ? "too many" : "out of memory");
}

int snapshot_redact(struct snapshot *s, uint64_t key, struct diag *d)
{
	CLEANUP(secrets_release) struct secrets set = { .key = key };
	int err = 0;

	for (size_t i = 0; i < s->nlogs && !err; i++)
		err = visit_log(&set, &s->logs[i], learn_only);
	if (!err)
		err = learn_link(&set, s->by_id);
	if (!err)
		secret_overwrite(secrets_add_text(&set, s->serial, strlen(s->serial), &err),
				 (uint8_t *)s->serial, strlen(s->serial));
	for (size_t i = 0; i < s->nlogs && !err; i++)
		err = visit_log(&set, &s->logs[i], redact_part_whole);
	if (err)
		return fail(s, d, err);
	redact_string(&set, s->path);
	redact_link(&set, s->by_id);
	redact_string(&set, s->location);
	redact_string(&set, s->via);
	for (size_t i = 0; i < s->nlogs; i++)
		if (s->logs[i].error)
			redact_string(&set, s->logs[i].error);
	for (size_t i = 0; i < s->nproblems; i++)
		redact_string(&set, s->problems[i].text);
	for (size_t i = 0; i < s->npaths; i++)
		redact_string(&set, s->paths[i].node);
	err = redact_array(&set, s->array);
	return err ? fail(s, d, err) : 0;
}

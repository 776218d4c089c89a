/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "decode/layout_nvme.h"
#include "decode/nvme.h"
#include "decode/reading.h"

#define FIRST_VENDOR_LOG 0xc0
#define NSID_ALL	 UINT32_MAX

static bool is_for(const struct log_layout *l, const struct snapshot_log *log)
{
	return l->space == log->space && l->id == log->id &&
	       (l->sub == LAYOUT_ANY || l->sub == log->sub);
}

static bool accepts(const struct log_layout *l, struct bytes data)
{
	return !l->accepts || l->accepts(data);
}

/*
 * The layout of a log: one that its content or the specification proves, else one that the drive's
 * rule names. *ret_refused is a layout whose log it should be but is not.
 */
static const struct log_layout *choose_layout(const struct snapshot_log *log,
					      const struct log_layout *const *by_rule,
					      const struct log_layout **ret_refused)
{
	const struct log_layout *const *const sets[] = { nvme_layouts, nvme_vendor_layouts };
	struct bytes data = bytes_of(log->data, log->len);

	*ret_refused = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (const struct log_layout *const *l = sets[i]; *l; l++) {
			if (!is_for(*l, log) || (*l)->by_rule)
				continue;
			if (accepts(*l, data))
				return *l;
			if (sets[i] == nvme_layouts)
				*ret_refused = *l;
		}
	for (const struct log_layout *const *l = by_rule; l && *l; l++)
		if (is_for(*l, log) && accepts(*l, data))
			return *l;
	return NULL;
}

static int decode_one(const struct snapshot_log *log, const struct log_layout *const *by_rule,
		      struct reading *r)
{
	const struct log_layout *refused, *l = choose_layout(log, by_rule, &refused);
	struct bytes data = bytes_of(log->data, log->len);

	if (l)
		return decode_log(l, log->id, log->sub, data, r);
	if (refused) {
		reading_add_problem(r, -ENODATA, "%s: %s", refused->title,
				    bytes_all(data, 0) ? "all zeros, which no drive can mean"
						       : "not what it should be");
		return 0;
	}
	return reading_add_raw(r, &layout_nvme_other, &layout_nvme_other.fields[0], log->id,
			       log->sub, 0, data);
}

/* Standard structures and logs first: ratios of vendor logs need the host bytes of log 02h. */
static int decode_logs(const struct snapshot *s, const struct log_layout *const *by_rule,
		       struct reading *r)
{
	int err = 0;

	for (int vendor = 0; vendor <= 1; vendor++)
		for (size_t i = 0; i < s->nlogs && !err; i++) {
			const struct snapshot_log *log = &s->logs[i];
			bool is_vendor = log->space == SPACE_NVME_LOG &&
					 log->id >= FIRST_VENDOR_LOG;

			if (log->data && is_vendor == vendor &&
			    (log->space == SPACE_NVME_IDENTIFY || log->space == SPACE_NVME_LOG))
				err = decode_one(log, by_rule, r);
		}
	return err;
}

bool nvme_number(const struct reading *r, const struct log_layout *layout, uint32_t sub,
		 uint32_t key, const char *name, u128 *ret)
{
	for (size_t i = 0; i < r->nfields; i++) {
		const struct decoded *v = &r->fields[i];

		if (v->layout != layout || v->key != key || (sub != LAYOUT_ANY && v->sub != sub) ||
		    strcmp(v->field->name, name) != 0)
			continue;
		if (v->value.kind != VALUE_NUMBER || v->value.number < 0)
			return false;
		*ret = (u128)v->value.number;
		return true;
	}
	return false;
}

static uint64_t number_or0(const struct reading *r, const struct log_layout *layout, uint32_t sub,
			   uint32_t key, const char *name)
{
	u128 v = 0;

	return nvme_number(r, layout, sub, key, name, &v) ? (uint64_t)v : 0;
}

static void copy_text(const struct reading *r, const char *field, char *dst, size_t size)
{
	const struct decoded *v = reading_find(r, layout_nvme_controller.name, field);

	if (v && v->value.kind == VALUE_TEXT)
		text_copy(dst, size, v->value.text);
}

/* Data bytes of a block of the namespace and of its metadata; false where the format is unknown. */
static bool block_size(const struct reading *r, uint32_t nsid, uint64_t *ret_data,
		       uint64_t *ret_metadata)
{
	const struct log_layout *ns = &layout_nvme_namespace;
	uint32_t format = (uint32_t)number_or0(r, ns, nsid, 0, "format_low");
	uint64_t shift;

	if (number_or0(r, ns, nsid, 0, "nlbaf") >= 16)
		format |= (uint32_t)number_or0(r, ns, nsid, 0, "format_high") << 4;
	shift = number_or0(r, ns, nsid, format, "lbaf_data_shift");
	if (shift < 9 || shift > 31) /* at least 512 bytes, by the specification */
		return false;
	*ret_data = UINT64_C(1) << shift;
	*ret_metadata = number_or0(r, ns, nsid, format, "lbaf_metadata");
	return true;
}

/* The n-th namespace that Identify was read for; false behind the last. */
static bool nth_namespace(const struct reading *r, size_t n, uint32_t *ret_nsid)
{
	const struct decoded *v = reading_find_nth(r, layout_nvme_namespace.name, "size_blocks", n);

	if (!v)
		return false;
	*ret_nsid = v->sub;
	return true;
}

static void find_capacity(const struct snapshot *s, struct reading *r)
{
	struct identity *id = &r->identity;
	u128 sum = 0, total = 0;
	bool first = true;
	uint32_t nsid;

	for (size_t n = 0; nth_namespace(r, n, &nsid); n++) {
		uint64_t data, metadata;
		uint64_t blocks = number_or0(r, &layout_nvme_namespace, nsid, 0, "size_blocks");

		if (!blocks || nsid == NSID_ALL || !block_size(r, nsid, &data, &metadata))
			continue;
		sum += (u128)blocks * data;
		if (first)
			id->logical_block_bytes = (uint32_t)data;
		first = false;
		if (metadata && !s->node_bytes)
			reading_add_problem(r, -ENOTBLK,
					    "namespace %u has %llu bytes of metadata a block: "
					    "not usable as block device",
					    nsid, (unsigned long long)metadata);
	}
	nvme_number(r, &layout_nvme_controller, LAYOUT_ANY, 0, "tnvmcap", &total);
	/* namespaces may leave a part of the drive unused, and thin ones promise more than there is
	 */
	if (total > sum)
		sum = total;
	if (sum && sum <= UINT64_MAX) {
		id->has_capacity = true;
		id->capacity_bytes = (uint64_t)sum;
	}
}

static const char *raw_text(const struct reading *r, const struct log_layout *layout,
			    const char *field)
{
	const struct decoded *v = reading_find(r, layout->name, field);

	return v && v->value.kind == VALUE_RAW ? v->value.text : NULL;
}

/* As the kernel names a namespace: by its UUID, else NGUID, else EUI-64; of the first namespace. */
static void find_wwn(struct reading *r)
{
	const char *uuid = raw_text(r, &layout_nvme_namespace_ids, "id_uuid");
	const char *nguid = raw_text(r, &layout_nvme_namespace_ids, "id_nguid");
	const char *eui = raw_text(r, &layout_nvme_namespace_ids, "id_eui64");
	char *wwn = r->identity.wwn;

	if (!nguid)
		nguid = raw_text(r, &layout_nvme_namespace, "nguid");
	if (!eui)
		eui = raw_text(r, &layout_nvme_namespace, "eui64");
	if (uuid && strlen(uuid) == 32)
		snprintf(wwn, WWN_MAX, "uuid.%.8s-%.4s-%.4s-%.4s-%.12s", uuid, uuid + 8, uuid + 12,
			 uuid + 16, uuid + 20);
	else if (nguid || eui)
		snprintf(wwn, WWN_MAX, "eui.%s", nguid ? nguid : eui);
}

/* Some USB bridges answer Identify with vendor 0 and no namespaces, though log 02h is real. */
static bool hides_parts(const struct reading *r)
{
	const struct log_layout *ctrl = &layout_nvme_controller;

	return number_or0(r, ctrl, LAYOUT_ANY, 0, "vendor_id") == 0 ||
	       number_or0(r, ctrl, LAYOUT_ANY, 0, "nn") == 0;
}

static void find_identity(const struct snapshot *s, struct reading *r)
{
	struct identity *id = &r->identity;

	id->protocol = PROTOCOL_NVME;
	id->rotational = s->node_rotational >= 0 ? s->node_rotational : 0;
	copy_text(r, "model_number", id->model, sizeof(id->model));
	copy_text(r, "serial_number", id->serial, sizeof(id->serial));
	copy_text(r, "firmware_revision", id->firmware, sizeof(id->firmware));
	id->incomplete = hides_parts(r);
	find_capacity(s, r);
	find_wwn(r);
}

/* --- lists whose entries have lengths of their own -------------------------------------------- */

/* Namespace identification descriptors: type, length, two reserved bytes, the identifier. */
static int decode_descriptors(const struct snapshot_log *log, struct reading *r)
{
	const struct log_layout *l = &layout_nvme_namespace_ids;
	struct bytes data = bytes_of(log->data, log->len);
	int err = 0;

	for (size_t at = 0; bytes_has(data, at, 4) && !err;) {
		uint64_t type = bytes_le_or0(data, at, 1), len = bytes_le_or0(data, at + 1, 1);
		struct bytes nid = bytes_slice(data, at + 4, len);

		if (!type || !len || nid.len < len)
			break;
		/* 1 EUI-64, 2 NGUID, 3 UUID: the order of the layout's rows */
		if (type <= l->nderived && !bytes_all(nid, 0))
			err = reading_add_raw(r, l, &l->derived[type - 1].field, log->id, log->sub,
					      0, nid);
		at += 4 + len;
	}
	return err;
}

#define EVENTS_MAX	   512
#define EVENT_THERMAL	   0x0d
#define EVENT_FIXED_HEADER 3 /* bytes in front of what the header length counts */

static int decode_event(struct bytes event, uint32_t index, size_t header, struct reading *r)
{
	const struct log_layout *l = &layout_nvme_event;
	struct bytes data = bytes_slice(event, header, event.len);
	struct value over = { .kind = VALUE_NUMBER };
	int err = decode_log(l, l->id, index, event, r);

	if (!err && data.len)
		err = reading_add_raw(r, l, &l->derived[0].field, l->id, index, 0, data);
	if (!err && bytes_le_or0(event, 0, 1) == EVENT_THERMAL && data.len) {
		over.number = (i128)data.data[0] * unit_scale(UNIT_CELSIUS);
		err = reading_add(r, l, &l->derived[1].field, l->id, index, 0, &over);
	}
	return err;
}

/* The events behind the header of log 0Dh, each with the lengths of its header and its data. */
static int decode_events(const struct snapshot_log *log, struct reading *r)
{
	struct bytes data = bytes_of(log->data, log->len);
	uint64_t n = bytes_le_or0(data, 4, 4);
	size_t at = (size_t)bytes_le_or0(data, 18, 2) + 20;
	int err = 0;

	if (data.len < layout_nvme_persistent.min_size)
		return 0;
	if (at < layout_nvme_persistent.size)
		at = layout_nvme_persistent.size;
	for (uint32_t i = 0; i < n && !err; i++) {
		size_t header = (size_t)bytes_le_or0(data, at + 2, 1) + EVENT_FIXED_HEADER;
		size_t len = header + (size_t)bytes_le_or0(data, at + 22, 2);

		if (i == EVENTS_MAX || header < layout_nvme_event.size ||
		    !bytes_has(data, at, len)) {
			reading_add_problem(r, -ENODATA, "%s: %u of %llu events read",
					    layout_nvme_persistent.title, i, (unsigned long long)n);
			break;
		}
		err = decode_event(bytes_slice(data, at, len), i, header, r);
		at += len;
	}
	return err;
}

static int decode_lists(const struct snapshot *s, struct reading *r)
{
	int err = 0;

	for (size_t i = 0; i < s->nlogs && !err; i++) {
		const struct snapshot_log *log = &s->logs[i];

		if (log->data && log->space == SPACE_NVME_IDENTIFY &&
		    log->id == layout_nvme_namespace_ids.id)
			err = decode_descriptors(log, r);
		if (log->data && log->space == SPACE_NVME_LOG &&
		    log->id == layout_nvme_persistent.id)
			err = decode_events(log, r);
	}
	return err;
}

int decode_nvme(const struct snapshot *s, const struct log_layout *const *layouts,
		struct reading *r)
{
	int err = decode_logs(s, layouts, r);

	if (!err)
		err = decode_lists(s, r);
	if (!err)
		err = nvme_add_endurance(r);
	if (err && err != -E2BIG)
		return err;
	/* also of a drive with more fields than a reading holds */
	find_identity(s, r);
	nvme_find_selftests(s, r);
	nvme_check_sanitize(s, r);
	return err;
}

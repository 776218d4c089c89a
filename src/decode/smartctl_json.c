/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/smartctl_json.h"

/*
 * smartctl -j of versions 7.0 and later: who the drive is, how far it could be read, and its
 * attributes; the logs are in smartctl_json_logs.c. Every member may be missing, null, or a string
 * where a number belongs.
 */

#define EXACT_MAX ((i128)1 << 53)

bool smartctl_json_number(const cJSON *object, const char *path, i128 *ret)
{
	char exact[96];
	i128 v = 0;
	bool there = json_integer(json_path(object, path), &v);

	/* from 2^53 up the digits stand in a string beside the rounded number */
	if (!there || v >= EXACT_MAX || v <= -EXACT_MAX) {
		snprintf(exact, sizeof(exact), "%s_s", path);
		there |= json_integer(json_path(object, exact), &v);
	}
	if (there)
		*ret = v;
	return there;
}

/* The first of several paths that holds a string or a number, as text. */
static void copy_first(char *dst, size_t size, const cJSON *root, const char *const *paths)
{
	for (; *paths && !*dst; paths++) {
		const char *s = json_string(json_path(root, *paths));

		if (s)
			dump_copy_string(dst, size, s);
	}
}

static enum protocol protocol_of(const cJSON *root)
{
	static const struct {
		const char *prefix;
		enum protocol protocol;
	} by_key[] = {
		{ "ata_", PROTOCOL_ATA },
		{ "nvme_", PROTOCOL_NVME },
		{ "scsi_", PROTOCOL_SCSI },
	};
	const char *s = json_string(json_path(root, "device.protocol"));

	for (int p = PROTOCOL_NVME; s && p <= PROTOCOL_SCSI; p++)
		if (text_equal_nocase(s, protocol_name((enum protocol)p)))
			return (enum protocol)p;
	for (const cJSON *m = root->child; m; m = m->next)
		for (size_t i = 0; m->string && i < ARRAY_SIZE(by_key); i++)
			if (text_starts_with(m->string, by_key[i].prefix))
				return by_key[i].protocol;
	return PROTOCOL_UNKNOWN;
}

/* A world wide name out of its parts. */
static void read_wwn(const cJSON *root, struct identity *id)
{
	const cJSON *ns = cJSON_GetArrayItem(json_member(root, "nvme_namespaces"), 0);
	const char *unit = json_string(json_path(root, "logical_unit_id"));
	i128 naa, oui, number;

	if (json_integer(json_path(root, "wwn.naa"), &naa) &&
	    json_integer(json_path(root, "wwn.oui"), &oui) &&
	    json_integer(json_path(root, "wwn.id"), &number))
		snprintf(id->wwn, sizeof(id->wwn), "0x%x%06x%09llx", (unsigned)naa & 0xf,
			 (unsigned)oui & 0xffffff, (unsigned long long)number & 0xfffffffffULL);
	else if (json_integer(json_path(ns, "eui64.oui"), &oui) &&
		 json_integer(json_path(ns, "eui64.ext_id"), &number))
		snprintf(id->wwn, sizeof(id->wwn), "eui.%06x%010llx", (unsigned)oui & 0xffffff,
			 (unsigned long long)number & 0xffffffffffULL);
	else if (unit)
		dump_copy_string(id->wwn, sizeof(id->wwn), unit);
}

static void read_sizes(const cJSON *root, struct identity *id)
{
	const cJSON *ns = cJSON_GetArrayItem(json_member(root, "nvme_namespaces"), 0);
	i128 v;

	if ((smartctl_json_number(root, "nvme_total_capacity", &v) && v > 0) ||
	    (smartctl_json_number(root, "user_capacity.bytes", &v) && v > 0) ||
	    (smartctl_json_number(ns, "size.bytes", &v) && v > 0)) {
		id->has_capacity = v <= INT64_MAX;
		id->capacity_bytes = id->has_capacity ? (uint64_t)v : 0;
	}
	if ((json_integer(json_member(root, "logical_block_size"), &v) ||
	     json_integer(json_path(ns, "formatted_lba_size"), &v)) &&
	    v > 0 && v <= UINT32_MAX)
		id->logical_block_bytes = (uint32_t)v;
	if (json_integer(json_member(root, "rotation_rate"), &v))
		id->rotational = v != 0;
	else if (id->protocol == PROTOCOL_NVME)
		id->rotational = 0;
}

/* Some USB bridges answer with vendor 0 and no namespaces, though the health log is real. */
static bool hides_parts(const cJSON *root)
{
	i128 v;

	return (json_integer(json_path(root, "nvme_pci_vendor.id"), &v) && v == 0) ||
	       (json_integer(json_member(root, "nvme_number_of_namespaces"), &v) && v == 0);
}

static void read_identity(const cJSON *root, struct identity *id)
{
	/* a SCSI model is the product; old versions put vendor and product together in the name */
	static const char *const model[] = { "scsi_product", "product", "model_name",
					     "scsi_model_name", NULL };
	static const char *const serial[] = { "serial_number", NULL };
	static const char *const firmware[] = { "firmware_version", "scsi_revision", "revision",
						NULL };
	static const char *const vendor[] = { "scsi_vendor", "vendor", NULL };
	static const char *const family[] = { "model_family", NULL };
	static const char *const path[] = { "device.name", NULL };

	id->protocol = protocol_of(root);
	copy_first(id->model, sizeof(id->model), root, model);
	copy_first(id->serial, sizeof(id->serial), root, serial);
	copy_first(id->firmware, sizeof(id->firmware), root, firmware);
	copy_first(id->vendor, sizeof(id->vendor), root, vendor);
	copy_first(id->smartctl_family, sizeof(id->smartctl_family), root, family);
	copy_first(id->path, sizeof(id->path), root, path);
	read_wwn(root, id);
	read_sizes(root, id);
	id->incomplete = hides_parts(root);
}

/* What smartctl complained about, and what that says of the drive. */
static void read_messages(const cJSON *root, struct reading *r)
{
	const cJSON *m, *messages = json_path(root, "smartctl.messages");
	enum drive_state state;
	i128 status;

	cJSON_ArrayForEach(m, messages)
	{
		const char *text = json_string(json_member(m, "string"));
		const char *severity = json_string(json_member(m, "severity"));

		if (!text)
			continue;
		if (strstr(text, "based on an Attribute check"))
			r->smart_status_by_attributes = true;
		if (r->state == DRIVE_READ && smartctl_state_from_text(text, &state))
			r->state = state;
		if (severity && strcmp(severity, "error") == 0)
			reading_add_problem(r, -EIO, "smartctl: %s", text);
	}
	if (json_integer(json_path(root, "smartctl.exit_status"), &status) && status >= 0)
		smartctl_apply_exit_status(r, (unsigned)status & 0xff);
}

static void read_status(const cJSON *root, struct reading *r)
{
	bool passed, available, enabled;

	if (json_boolean(json_path(root, "smart_status.passed"), &passed))
		r->smart_status = passed ? SMART_STATUS_PASSED : SMART_STATUS_FAILED;
	if (r->state != DRIVE_READ)
		return;
	if (json_boolean(json_path(root, "smart_support.available"), &available) && !available) {
		r->state = DRIVE_NO_SMART;
		r->smart_status = SMART_STATUS_UNKNOWN; /* a volume has none to give */
	} else if (json_boolean(json_path(root, "smart_support.enabled"), &enabled) && !enabled)
		reading_add_problem(r, -ENODATA, "SMART is switched off in the drive");
}

static bool read_byte(const cJSON *row, const char *name, uint8_t *ret)
{
	i128 v;

	if (!json_integer(json_member(row, name), &v) || v < 0 || v > UINT8_MAX)
		return false;
	*ret = (uint8_t)v;
	return true;
}

/*
 * raw.value holds the bytes as stored, as far as smartctl's formatter for the attribute takes
 * them: six, or seven. Above that it mixes in the value and worst bytes.
 */
static void read_raw(const cJSON *row, struct attribute *a)
{
	const char *text = json_string(json_path(row, "raw.string"));
	i128 v;

	if (text)
		attribute_raw_from_text(a, text);
	if (!smartctl_json_number(row, "raw.value", &v) || v < 0 || v > UINT64_MAX)
		return;
	a->has_raw = true;
	a->raw = (uint64_t)v;
	a->raw_is_decoded = v >> 56 != 0;
	a->raw_bytes = a->raw_is_decoded ? 0 : a->raw_bytes == 7 || v >> 48 ? 7 : 6;
}

static void read_attributes(const cJSON *root, struct reading *r)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, json_path(root, "ata_smart_attributes.table"))
	{
		struct attribute a = { 0 };
		const char *name = json_string(json_member(row, "name"));
		i128 flags;

		if (r->nattributes >= ATTRIBUTES_MAX || !read_byte(row, "id", &a.id) || !a.id)
			continue;
		if (name)
			text_copy(a.name, sizeof(a.name), name);
		a.has_value = read_byte(row, "value", &a.value);
		a.has_worst = read_byte(row, "worst", &a.worst);
		a.has_threshold = read_byte(row, "thresh", &a.threshold);
		if (json_integer(json_path(row, "flags.value"), &flags) && flags >= 0 &&
		    flags <= UINT16_MAX) {
			a.has_flags = true;
			a.flags = (uint16_t)flags;
		}
		read_raw(row, &a);
		r->attributes[r->nattributes++] = a;
	}
}

bool smartctl_json_accepts(const cJSON *root)
{
	static const char *const marks[] = { "smartctl", "json_format_version",
					     "ata_smart_attributes",
					     "nvme_smart_health_information_log" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (json_member(root, marks[i]))
			return true;
	return false;
}

int64_t smartctl_json_time(const cJSON *root)
{
	i128 t;

	if (json_integer(json_path(root, "local_time.time_t"), &t) && t > 0 && t <= TIME_MAX)
		return (int64_t)t;
	return TIME_UNKNOWN;
}

int decode_smartctl_json(struct bytes text, const cJSON *json, struct diag *d, struct reading *r)
{
	CLEANUP(json_release) cJSON *parsed = NULL;
	const cJSON *root = json;
	int err = json ? 0 : json_parse(text, JSON_LENIENT, d, &parsed, NULL);

	if (err)
		return err;
	if (!root)
		root = parsed;
	if (!smartctl_json_accepts(root))
		return diag_fail(d, -EINVAL, "no output of smartctl -j");
	text_copy(r->origin, sizeof(r->origin), "smartctl JSON");
	read_identity(root, &r->identity);
	read_messages(root, r);
	read_status(root, r);
	read_attributes(root, r);
	err = smartctl_json_logs(root, r);
	return err ? err : dump_finish(r, d);
}

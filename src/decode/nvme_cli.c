/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/dump.h"

/*
 * `nvme smart-log -o json` of nvme-cli 1 and 2. Numbers come as numbers, strings or floats,
 * temperatures in kelvins; the critical warning may be an object with its bits. Some tools put the
 * log under the name of its device.
 */

#define CELSIUS_ZERO 273

static bool is_smart_log(const cJSON *o)
{
	return json_member(o, "critical_warning") &&
	       (json_member(o, "percent_used") || json_member(o, "avail_spare") ||
		json_member(o, "data_units_written"));
}

/* The log itself, at the top or one level below. */
static const cJSON *find_log(const cJSON *root)
{
	if (is_smart_log(root))
		return root;
	for (const cJSON *m = cJSON_IsObject(root) ? root->child : NULL; m; m = m->next)
		if (is_smart_log(m))
			return m;
	return NULL;
}

bool nvme_cli_accepts(const cJSON *root)
{
	return find_log(root) != NULL;
}

static bool number_of(const cJSON *log, const char *name, i128 *ret)
{
	const cJSON *v = json_member(log, name);

	return json_integer(cJSON_IsObject(v) ? json_member(v, "value") : v, ret);
}

int decode_nvme_cli_json(struct bytes text, const cJSON *json, struct diag *d, struct reading *r)
{
	CLEANUP(json_release) cJSON *parsed = NULL;
	const cJSON *log, *root = json;
	int err = json ? 0 : json_parse(text, JSON_LENIENT, d, &parsed, NULL);
	struct dump_log health;
	i128 v;

	if (err)
		return err;
	if (!root)
		root = parsed;
	log = find_log(root);
	if (!log && !nvme_cli_list_accepts_drive(root))
		return diag_fail(d, -EINVAL, "no output of nvme-cli");
	text_copy(r->origin, sizeof(r->origin), "nvme-cli JSON");
	r->identity.protocol = PROTOCOL_NVME;
	r->identity.rotational = 0;
	if (!log) {
		nvme_cli_list_decode(root, r);
		return dump_finish(r, d);
	}
	if (log->string && text_starts_with(log->string, "/dev/") && !*r->identity.path)
		text_copy(r->identity.path, sizeof(r->identity.path), log->string);
	dump_log_init(&health, layout_by_name("nvme.smart"));
	for (const struct dump_row *row = dump_nvme_health_rows; row->field; row++) {
		if (!row->nvme_cli || !number_of(log, row->nvme_cli, &v))
			continue;
		if (text_starts_with(row->nvme_cli, "temperature"))
			v -= CELSIUS_ZERO; /* 0 K, no sensor, is left out by what takes it */
		dump_log_put_named(&health, row->field, v);
	}
	err = dump_health_add(&health, r);
	return err ? err : dump_finish(r, d);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "device/child.h"

#define VIA_PREFIX "smartctl:"

/* Exit status bits of smartctl(8) that mean that it read nothing. */
enum {
	SMARTCTL_BAD_COMMAND_LINE = 1 << 0,
	SMARTCTL_OPEN_FAILED = 1 << 1,
};

static const char *const programs[] = {
	"/usr/sbin/smartctl",
	"/usr/local/sbin/smartctl",
	"/sbin/smartctl",
	"/usr/bin/smartctl",
};

static const char *find_program(struct sys *sys)
{
	for (size_t i = 0; i < ARRAY_SIZE(programs); i++)
		if (sys_exists(sys, "%s", programs[i]))
			return programs[i];
	return NULL;
}

static bool is_type(const char *type)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789,+/:._";

	return *type && type[strspn(type, allowed)] == '\0';
}

int device_via(struct sys *sys, const char *via, const char *path, struct diag *d,
	       struct device *ret)
{
	struct device device = { .access = ACCESS_SMARTCTL, .rotational = -1 };

	if (!text_starts_with(via, VIA_PREFIX) || !is_type(via + strlen(VIA_PREFIX)) ||
	    !text_copy(device.via, sizeof(device.via), via))
		return diag_fail(d, -EINVAL, "--via %s: expected smartctl:TYPE, as in %s", via,
				 "smartctl:megaraid,5");
	if (!text_starts_with(path, "/") || !text_copy(device.path, sizeof(device.path), path))
		return diag_fail(d, -EINVAL, "%s: --via needs the path of a device node", path);
	if (!find_program(sys))
		return diag_fail(d, -EOPNOTSUPP,
				 "--via %s: smartctl is not installed (package smartmontools)",
				 via);
	const char *name = strrchr(path, '/') + 1;
	snprintf(device.name, sizeof(device.name), "%s", name);
	*ret = device;
	return 0;
}

int smartctl_exec(struct sys *sys, const struct device *device, int out_fd)
{
	const char *program = find_program(sys);
	char type[sizeof(device->via)], path[sizeof(device->path)];
	char name[] = "smartctl", json[] = "-j", all[] = "-x", d[] = "-d", end[] = "--";
	char *const argv[] = { name, json, all, d, type, end, path, NULL };

	if (!program)
		return -ENOENT;
	snprintf(type, sizeof(type), "%s", device->via + strlen(VIA_PREFIX));
	snprintf(path, sizeof(path), "%s", device->path);
	return sys->ops->exec(sys, program, argv, out_fd);
}

/* What smartctl has to say about its failure: the first of its messages. */
static void message(const cJSON *json, char *ret, size_t size)
{
	const cJSON *messages = json_path(json, "smartctl.messages");
	const cJSON *first = cJSON_IsArray(messages) ? messages->child : NULL;
	const char *text = json_string(json_member(first, "string"));

	snprintf(ret, size, "%s", text ? text : "it gives no reason");
}

int smartctl_result(struct bytes out, int exit_status, struct snapshot *s)
{
	CLEANUP(json_release) cJSON *json = NULL;
	struct diag d = { 0 };
	char why[160];
	int err = json_parse(out, JSON_LENIENT, &d, &json, NULL);

	if (err == -ENOMEM)
		return err;
	if (err == 0 && !(exit_status & (SMARTCTL_BAD_COMMAND_LINE | SMARTCTL_OPEN_FAILED))) {
		s->state = DRIVE_READ;
		return snapshot_add(s, SPACE_SMARTCTL_JSON, 0, 0, out);
	}
	s->state = DRIVE_UNREADABLE;
	if (err < 0) {
		snapshot_add_problem(s, err, "smartctl (status %d) gave no JSON: %s", exit_status,
				     d.text);
		return 0;
	}
	message(json, why, sizeof(why));
	snapshot_add_problem(s, -EIO, "smartctl could not read it: %s", why);
	return 0;
}

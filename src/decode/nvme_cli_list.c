/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "decode/dump.h"

/*
 * Drives of `nvme list -o json`, which tells who they are and nothing of their health. Version 1
 * lists namespaces with their drive's identity; version 2 nests controllers in subsystems in hosts,
 * with the namespaces below the controller or, for several paths, beside it.
 */

/* Sizes that did not fit 32 bits came out negative, and as 1 for hidden paths. */
static i128 namespace_bytes(const cJSON *ns)
{
	i128 bytes, blocks, size;

	if (json_integer(json_member(ns, "PhysicalSize"), &bytes) && bytes > 1)
		return bytes;
	if (json_integer(json_member(ns, "MaximumLBA"), &blocks) && blocks > 0 &&
	    json_integer(json_member(ns, "SectorSize"), &size) && size >= 512 &&
	    !__builtin_mul_overflow(blocks, size, &bytes))
		return bytes;
	return 0;
}

static void read_namespace(const cJSON *ns, struct identity *id)
{
	i128 bytes = namespace_bytes(ns), size;

	if (bytes > 0 && bytes < (i128)(INT64_MAX - id->capacity_bytes)) {
		id->has_capacity = true;
		id->capacity_bytes += (uint64_t)bytes;
	}
	if (!id->logical_block_bytes && json_integer(json_member(ns, "SectorSize"), &size) &&
	    size >= 512 && size <= UINT32_MAX)
		id->logical_block_bytes = (uint32_t)size;
}

bool nvme_cli_list_accepts_drive(const cJSON *drive)
{
	return json_string(json_member(drive, "ModelNumber")) &&
	       json_string(json_member(drive, "SerialNumber"));
}

void nvme_cli_list_path(const cJSON *drive, char *path, size_t size)
{
	const char *node = json_string(json_member(drive, "DevicePath"));
	const char *controller = json_string(json_member(drive, "Controller"));

	if (node)
		text_copy(path, size, node);
	else if (controller)
		snprintf(path, size, "/dev/%s", controller);
}

void nvme_cli_list_decode(const cJSON *drive, struct reading *r)
{
	const char *model = json_string(json_member(drive, "ModelNumber"));
	const char *serial = json_string(json_member(drive, "SerialNumber"));
	const char *firmware = json_string(json_member(drive, "Firmware"));
	const cJSON *ns, *namespaces = json_member(drive, "Namespaces");
	struct identity *id = &r->identity;

	dump_copy_string(id->model, sizeof(id->model), model ? model : "");
	dump_copy_string(id->serial, sizeof(id->serial), serial ? serial : "");
	dump_copy_string(id->firmware, sizeof(id->firmware), firmware ? firmware : "");
	nvme_cli_list_path(drive, id->path, sizeof(id->path));
	if (!cJSON_IsArray(namespaces))
		read_namespace(drive, id);
	cJSON_ArrayForEach(ns, namespaces)
	{
		read_namespace(ns, id);
	}
}

static void delete_copy(cJSON **copy)
{
	cJSON_Delete(*copy);
}

/* A copy of a controller with the namespaces that stand beside it. */
static int take_controller(const cJSON *controller, const cJSON *subsystem,
			   int (*take)(void *ctx, const cJSON *drive), void *ctx)
{
	const cJSON *own = json_member(controller, "Namespaces");
	const cJSON *shared = json_member(subsystem, "Namespaces");
	CLEANUP(delete_copy) cJSON *drive = NULL;

	if (!nvme_cli_list_accepts_drive(controller))
		return 0;
	if (cJSON_GetArraySize(own) || !cJSON_GetArraySize(shared))
		return take(ctx, controller);
	drive = cJSON_Duplicate(controller, true);
	if (!drive)
		return -ENOMEM;
	cJSON_DeleteItemFromObjectCaseSensitive(drive, "Namespaces");
	if (!cJSON_AddItemToObject(drive, "Namespaces", cJSON_Duplicate(shared, true)))
		return -ENOMEM;
	return take(ctx, drive);
}

static int take_host(const cJSON *host, int (*take)(void *ctx, const cJSON *drive), void *ctx)
{
	const cJSON *subsystem, *controller;
	int err;

	cJSON_ArrayForEach(subsystem, json_member(host, "Subsystems"))
	{
		cJSON_ArrayForEach(controller, json_member(subsystem, "Controllers"))
		{
			err = take_controller(controller, subsystem, take, ctx);
			if (err)
				return err;
		}
	}
	return 0;
}

bool nvme_cli_list_accepts(const cJSON *root)
{
	return cJSON_IsArray(json_member(root, "Devices"));
}

int nvme_cli_list_each(const cJSON *root, int (*take)(void *ctx, const cJSON *drive), void *ctx)
{
	const cJSON *device, *last = NULL, *devices = json_member(root, "Devices");
	int err = 0;

	cJSON_ArrayForEach(device, devices)
	{
		const char *serial = json_string(json_member(device, "SerialNumber"));
		const char *before = json_string(json_member(last, "SerialNumber"));

		if (json_member(device, "Subsystems"))
			err = take_host(device, take, ctx);
		else if (nvme_cli_list_accepts_drive(device) &&
			 !(before && strcmp(before, serial) == 0)) /* a further namespace of it */
			err = take(ctx, device);
		if (err)
			return err;
		last = device;
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "device/probe.h"

#define CLASS	      "/sys/class/nvme"
#define SUBSYSTEMS    "/sys/class/nvme-subsystem"
#define NQN_MAX	      256
#define DISCOVERY_NQN "nqn.2014-08.org.nvmexpress.discovery"

/* What the parts of a name like nvme0n1 or nvme0c1n2 are; -1 where a part is not there. */
struct nvme_name {
	long instance, controller, namespace;
};

static bool read_part(const char **at, char letter, long *ret)
{
	if (**at != letter)
		return true;
	const char *digits = *at + 1;
	char *end;
	if (*digits < '0' || *digits > '9')
		return false;
	*ret = strtol(digits, &end, 10);
	*at = end;
	return true;
}

static bool parse_name(const char *name, struct nvme_name *ret)
{
	struct nvme_name n = { -1, -1, -1 };
	const char *at = name + 3;

	if (!text_starts_with(name, "nvme") || !read_part(&at, 'e', &n.instance) ||
	    n.instance < 0 || !read_part(&at, 'c', &n.controller) ||
	    !read_part(&at, 'n', &n.namespace) || *at)
		return false;
	*ret = n;
	return true;
}

/*
 * A drive may be reached by several controllers: those of one subsystem. The serial number has to
 * agree too, as some makers gave one NQN to all their drives.
 */
static struct device *find_same(struct sys *sys, struct device_list *list, const struct device *new,
				const char *nqn)
{
	char other[NQN_MAX];

	for (size_t i = 0; nqn[0] && i < list->n; i++) {
		struct device *device = &list->items[i];
		if (strcmp(device->serial, new->serial) || strcmp(device->model, new->model))
			continue;
		sys_read_line(sys, other, sizeof(other), "%s/subsysnqn", device->sysfs);
		if (!strcmp(other, nqn))
			return device;
	}
	return NULL;
}

static void add_namespace(struct sys *sys, const char *folder, const char *name,
			  struct device *device)
{
	struct nvme_name parts;
	char path[NODE_MAX];

	if (!parse_name(name, &parts) || parts.namespace < 0)
		return;
	snprintf(path, sizeof(path), "/dev/%s", name);
	for (size_t i = 0; i < device->npaths; i++)
		if (!strcmp(device->paths[i].node, path))
			return;
	if (parts.controller >= 0) {
		/* one path of a multipath namespace: not for use, but good to know of */
		device_add_path(device, name, "hidden");
		return;
	}
	device_add_path(device, name, "");
	device->bytes += 512 * sys_read_number(sys, 0, "%s/%s/size", folder, name);
	uint64_t block = sys_read_number(sys, 0, "%s/%s/queue/logical_block_size", folder, name);
	if (!device->block_bytes)
		device->block_bytes = (uint32_t)block;
	uint64_t nsid = sys_read_number(sys, 0, "%s/%s/nsid", folder, name);
	if (nsid > 0 && nsid < UINT32_MAX && device->nnamespaces < IDS_MAX)
		device->namespaces[device->nnamespaces++] = (uint32_t)nsid;
}

static void add_namespaces(struct sys *sys, const char *folder, struct device *device)
{
	CLEANUP(sys_names_release) struct sys_names names = { 0 };

	if (sys_list(sys, &names, "%s", folder) < 0)
		return;
	for (size_t i = 0; i < names.n; i++)
		add_namespace(sys, folder, names.items[i], device);
}

static bool is_subsystem_of(struct sys *sys, const char *subsystem, const char *controller)
{
	return sys_exists(sys, SUBSYSTEMS "/%s/%s", subsystem, controller);
}

/*
 * The subsystem that a controller belongs to. Nearly always it bears the controller's number: to
 * look there first spares a search that grows with the square of the number of drives. -ENOENT.
 */
static int find_subsystem(struct sys *sys, const char *controller, char *ret, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names names = { 0 };
	char same[SYS_NAME_MAX];

	snprintf(same, sizeof(same), "nvme-subsys%s", controller + strlen("nvme"));
	if (is_subsystem_of(sys, same, controller))
		return text_copy(ret, size, same) ? 0 : -ENOENT;
	if (sys_list(sys, &names, SUBSYSTEMS) < 0)
		return -ENOENT;
	for (size_t i = 0; i < names.n; i++)
		if (is_subsystem_of(sys, names.items[i], controller))
			return text_copy(ret, size, names.items[i]) ? 0 : -ENOENT;
	return -ENOENT;
}

/* With multipath, usable namespaces stand in the folder of the subsystem, hidden paths here. */
static void add_subsystem_namespaces(struct sys *sys, const char *controller, struct device *device)
{
	char subsystem[SYS_NAME_MAX], folder[PATH_MAX];

	if (find_subsystem(sys, controller, subsystem, sizeof(subsystem)) < 0)
		return;
	snprintf(folder, sizeof(folder), SUBSYSTEMS "/%s", subsystem);
	add_namespaces(sys, folder, device);
}

static void read_controller(struct sys *sys, const char *name, struct device *ret)
{
	const char *folder = ret->sysfs;

	ret->access = ACCESS_NVME;
	ret->protocol = PROTOCOL_NVME;
	ret->rotational = 0;
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	snprintf(ret->path, sizeof(ret->path), "/dev/%s", name);
	sys_resolve(sys, ret->sysfs, sizeof(ret->sysfs), CLASS "/%s", name);
	sys_read_line(sys, ret->model, sizeof(ret->model), "%s/model", folder);
	sys_read_line(sys, ret->serial, sizeof(ret->serial), "%s/serial", folder);
	sys_read_line(sys, ret->firmware, sizeof(ret->firmware), "%s/firmware_rev", folder);
	sys_read_line(sys, ret->transport, sizeof(ret->transport), "%s/transport", folder);
	sys_read_line(sys, ret->state, sizeof(ret->state), "%s/state", folder);
}

/* Commands go to a controller that lives, where there is a choice. */
static void join(struct device *drive, const struct device *path)
{
	if (strcmp(drive->state, "live") == 0 || strcmp(path->state, "live") != 0) {
		device_add_path(drive, path->name, path->state);
		return;
	}
	device_add_path(drive, drive->name, drive->state);
	memcpy(drive->name, path->name, sizeof(drive->name));
	memcpy(drive->path, path->path, sizeof(drive->path));
	memcpy(drive->state, path->state, sizeof(drive->state));
	memcpy(drive->sysfs, path->sysfs, sizeof(drive->sysfs));
	memcpy(drive->transport, path->transport, sizeof(drive->transport));
}

static int add_controller(struct sys *sys, const char *name, struct device_list *list)
{
	CLEANUP(cleanup_free) struct device *new = calloc(1, sizeof(*new));
	char nqn[NQN_MAX], type[32];

	if (!new)
		return -ENOMEM;
	read_controller(sys, name, new);
	sys_read_line(sys, nqn, sizeof(nqn), "%s/subsysnqn", new->sysfs);
	sys_read_line(sys, type, sizeof(type), "%s/cntrltype", new->sysfs);
	if (!strcmp(type, "discovery") || !strcmp(nqn, DISCOVERY_NQN)) {
		new->access = ACCESS_NONE;
		snprintf(new->skip, sizeof(new->skip), "a discovery controller, not a drive");
	}

	struct device *drive = find_same(sys, list, new, nqn);
	if (drive) {
		join(drive, new);
	} else {
		drive = device_list_add(list);
		if (!drive)
			return -ENOMEM;
		*drive = *new;
	}
	add_subsystem_namespaces(sys, name, drive);
	add_namespaces(sys, new->sysfs, drive);
	return 0;
}

int discover_nvme(struct sys *sys, struct device_list *list)
{
	CLEANUP(sys_names_release) struct sys_names names = { 0 };
	struct nvme_name parts;
	int err = sys_list(sys, &names, CLASS);

	if (err < 0)
		return err == -ENOENT ? 0 : err;
	for (size_t i = 0; i < names.n && err == 0; i++)
		if (parse_name(names.items[i], &parts) && parts.controller < 0 &&
		    parts.namespace < 0)
			err = add_controller(sys, names.items[i], list);
	return err;
}

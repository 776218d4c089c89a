/* SPDX-License-Identifier: MIT */
#include "device/discover.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/probe.h"

void device_list_release(struct device_list *list)
{
	free(list->items);
	*list = (struct device_list){ 0 };
}

struct device *device_list_add(struct device_list *list)
{
	struct device *items = realloc(list->items, (list->n + 1) * sizeof(*items));

	if (!items)
		return NULL;
	list->items = items;
	items[list->n] = (struct device){ .rotational = -1 };
	return &items[list->n++];
}

void device_add_path(struct device *device, const char *name, const char *state)
{
	if (device->npaths == SNAPSHOT_PATHS_MAX)
		return;
	struct snapshot_path *p = &device->paths[device->npaths++];
	snprintf(p->node, sizeof(p->node), "/dev/%s", name);
	snprintf(p->state, sizeof(p->state), "%s", state);
}

bool path_component(const char *path, bool (*test)(const char *component), char *ret, size_t size)
{
	size_t end = strlen(path);

	while (end > 0) {
		size_t start = end;
		while (start > 0 && path[start - 1] != '/')
			start--;
		char component[SYS_NAME_MAX];
		if (end - start < sizeof(component)) {
			memcpy(component, path + start, end - start);
			component[end - start] = '\0';
			if (test(component)) {
				snprintf(ret, size, "%s", component);
				return true;
			}
		}
		end = start ? start - 1 : 0;
	}
	return false;
}

int devices_discover(struct sys *sys, struct diag *d, struct device_list *ret)
{
	CLEANUP(device_list_release) struct device_list list = { 0 };
	int err = discover_nvme(sys, &list);

	if (err == 0)
		err = discover_block(sys, &list);
	if (err == 0)
		err = find_by_id(sys, &list);
	if (err < 0)
		return diag_fail(d, err, "cannot list the drives of this machine: %s",
				 strerror(-err));
	for (size_t i = 0; i < list.n; i++) {
		find_location(sys, &list.items[i]);
		find_array(sys, &list.items[i]);
	}
	drop_lone_members(&list);
	*ret = list;
	list = (struct device_list){ 0 };
	return 0;
}

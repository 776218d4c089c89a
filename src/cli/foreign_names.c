/* SPDX-License-Identifier: MIT */
#include "cli/foreign_names.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/files.h"

/* The one that update-smart-drivedb(8) keeps up to date first. */
static const char *const places[] = {
	"/var/lib/smartmontools/drivedb/drivedb.h",
	"/usr/share/smartmontools/drivedb.h",
};

bool foreign_names_find(const struct identity *id, struct drivedb_names *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		CLEANUP(file_release) struct file file = { 0 };

		if (file_read(places[i], NULL, &file) == 0 &&
		    drivedb_names(file_bytes(&file), id->model, id->firmware, ret))
			return true;
	}
	return false;
}

void foreign_names_add(struct reading *r)
{
	CLEANUP(cleanup_free) struct drivedb_names *names = NULL;

	if (r->identity.protocol != PROTOCOL_ATA || !r->nattributes)
		return;
	names = calloc(1, sizeof(*names));
	if (!names || !foreign_names_find(&r->identity, names))
		return;
	for (size_t i = 0; i < r->nattributes; i++) {
		struct attribute *a = &r->attributes[i];

		if (!*a->name && *names->names[a->id])
			snprintf(a->name, sizeof(a->name), "%.30s (smartmontools)",
				 names->names[a->id]);
	}
}

/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "decode/field.h"

const struct log_layout *layout_by_name(const char *name)
{
	const struct log_layout *const *const sets[] = { nvme_layouts, nvme_vendor_layouts,
							 ata_layouts, scsi_layouts, dump_layouts };

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		for (const struct log_layout *const *l = sets[i]; *l; l++)
			if (strcmp((*l)->name, name) == 0)
				return *l;
	return NULL;
}

static const struct field *find_row(const struct field *rows, size_t n, const char *name)
{
	for (size_t i = 0; i < n && rows[i].name; i++)
		/* most differ at once, and dumps look up a name for each of their numbers */
		if (rows[i].name[0] == name[0] && strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

const struct field *layout_field(const struct log_layout *layout, const char *name)
{
	const struct keyed_table *keyed = layout->keyed;
	const struct field *f = find_row(layout->fields, layout->nfields, name);

	if (!f && layout->records)
		f = find_row(layout->records->fields, layout->records->nfields, name);
	for (size_t i = 0; !f && keyed && i < keyed->nentries; i++)
		f = find_row(keyed->entries[i].fields, KEYED_FIELDS_MAX, name);
	for (size_t i = 0; !f && i < layout->nderived; i++)
		f = find_row(&layout->derived[i].field, 1, name);
	return f;
}

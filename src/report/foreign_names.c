/* SPDX-License-Identifier: MIT */
#include "report/rule.h"

void report_foreign_names(const struct drivedb_names *names, struct doc *root, struct view *v)
{
	static const struct view_column columns[] = {
		{ "ID", COLUMN_RIGHT },
		{ "ATTRIBUTE, AS SMARTMONTOOLS NAMES IT", 0 },
	};
	struct doc *list = doc_array(root, "smartmontools_names");

	view_line(v, STYLE_PLAIN, 2,
		  "smartmontools' database names its attributes; what they mean is unconfirmed");
	view_gap(v);
	view_table(v, columns, ARRAY_SIZE(columns), 2);
	for (int id = 0; id < 256; id++) {
		struct doc *o;

		if (!*names->names[id])
			continue;
		o = doc_object(list, NULL);
		doc_integer(o, "id", id, UNIT_COUNT);
		doc_string(o, "name", names->names[id]);
		view_cell(v, STYLE_PLAIN, "%d", id);
		view_cell(v, STYLE_DIM, "%s", names->names[id]);
	}
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "health/assess.h"

/* "0x0000000000000000" is a name that the maker never set. */
static bool is_set(const char *wwn)
{
	const char *digits = wwn + strcspn(wwn, "x.");

	return *digits && digits[1 + strspn(digits + 1, "0")] != '\0';
}

static bool is_another_with_the_same_name(const struct identity *a, const struct identity *b)
{
	return strcmp(a->wwn, b->wwn) == 0 && *a->serial && *b->serial &&
	       (strcmp(a->serial, b->serial) != 0 || strcmp(a->model, b->model) != 0);
}

static void add(const struct reading *r, const struct reading *other, size_t more,
		const struct suppression *suppressions, size_t nsuppressions, struct assessment *a)
{
	/* it says nothing of its health */
	struct finding f = { .id = IDENTITY_WWN_SHARED, .severity = SEVERITY_OK };
	char wwn[2 * WWN_MAX], path[2 * NODE_MAX], serial[2 * SERIAL_MAX];

	text_escape(wwn, sizeof(wwn), r->identity.wwn);
	text_escape(path, sizeof(path), other->identity.path);
	text_escape(serial, sizeof(serial), other->identity.serial);
	snprintf(f.text, sizeof(f.text),
		 "another drive has the same world-wide name: %.60s, serial %.60s%s", path, serial,
		 more ? ", and others" : "");
	snprintf(f.evidence, sizeof(f.evidence), "WWN %.100s", wwn);
	snprintf(f.advice, sizeof(f.advice),
		 "tell them apart by serial number; no multipath, no links by WWN");
	assess_add(r, suppressions, nsuppressions, &f, a);
}

void assess_identities(const struct reading *const *readings, struct assessment *const *assessments,
		       size_t n, const struct suppression *suppressions, size_t nsuppressions)
{
	for (size_t i = 0; i < n; i++) {
		const struct reading *other = NULL;
		size_t found = 0;

		if (!is_set(readings[i]->identity.wwn))
			continue;
		for (size_t k = 0; k < n; k++) {
			if (!is_another_with_the_same_name(&readings[i]->identity,
							   &readings[k]->identity))
				continue;
			if (!found++)
				other = readings[k];
		}
		if (other)
			add(readings[i], other, found - 1, suppressions, nsuppressions,
			    assessments[i]);
	}
}

/* SPDX-License-Identifier: MIT */
#include "lib/dumps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>
#include <string.h>

void read_dump_bytes(const void *data, size_t len, struct reading *ret)
{
	struct diag d = { 0 };
	struct snapshot *drives = NULL;
	size_t n = 0;

	if (snapshots_from_dump(bytes_of(data, len), "dump", 1000000000, &d, &drives, &n))
		fail_msg("%s", d.text);
	assert_int_equal(n, 1);
	if (reading_decode(&drives[0], NULL, &d, ret))
		fail_msg("%s", d.text);
	snapshot_release(&drives[0]);
	free(drives);
}

void read_dump(const char *text, struct reading *ret)
{
	read_dump_bytes(text, strlen(text), ret);
}

i128 field_number(const struct reading *r, const char *layout, const char *field)
{
	i128 v = 0;

	if (!reading_number(r, layout, field, &v))
		fail_msg("%s.%s is absent", layout, field);
	return v;
}

bool field_is_absent(const struct reading *r, const char *layout, const char *field)
{
	const struct decoded *v = reading_find(r, layout, field);

	return !v || v->value.kind == VALUE_ABSENT;
}

/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "decode/reading.h"

/*
 * One drive's object of a capture: reading it never fails but cleanly, what was read is written
 * the same twice, and is decoded and redacted without harm.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_text(struct bytes text, struct snapshot *ret)
{
	CLEANUP(json_release) cJSON *json = NULL;
	struct diag d = { 0 };
	int err = json_parse(text, JSON_STRICT, &d, &json, NULL);

	if (!err)
		err = snapshot_read_json(json, &d, ret);
	assert(!err || d.text[0]);
	return err;
}

static void check_round_trip(const struct snapshot *s)
{
	CLEANUP(str_release) struct str once = { 0 }, twice = { 0 };
	struct snapshot back;

	if (snapshot_write_json(s, &once) || read_text(bytes_of(once.s, once.len), &back))
		abort();
	if (snapshot_write_json(&back, &twice) || strcmp(once.s, twice.s) != 0)
		abort();
	snapshot_release(&back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(snapshot_release) struct snapshot s;
	struct diag d = { 0 };
	struct reading r;

	snapshot_init(&s);
	if (read_text(bytes_of(data, size), &s))
		return 0;
	check_round_trip(&s);
	if (reading_decode(&s, NULL, &d, &r) == 0)
		reading_release(&r);
	if (snapshot_redact(&s, size, &d) == 0)
		check_round_trip(&s);
	return 0;
}

/* SPDX-License-Identifier: MIT */
#include <assert.h>
#include <stdlib.h>

#include "decode/layout_nvme.h"
#include "decode/reading.h"

/*
 * NVMe structures and logs of any bytes, with every layout that needs a rule allowed. Input:
 * records of space (0 Identify, 1 log), id, sub, two bytes of length (low one first), the bytes.
 */

#define RECORD_HEADER 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void build(struct snapshot *s, struct bytes input)
{
	for (size_t at = 0; bytes_has(input, at, RECORD_HEADER);) {
		size_t len = (size_t)bytes_le_or0(input, at + 3, 2);
		struct bytes log = bytes_slice(input, at + RECORD_HEADER, len);
		enum log_space space = input.data[at] & 1 ? SPACE_NVME_LOG : SPACE_NVME_IDENTIFY;

		if (snapshot_add(s, space, input.data[at + 1], input.data[at + 2], log))
			return;
		at += RECORD_HEADER + log.len;
	}
}

static void check(const struct reading *r)
{
	char source[FACT_SOURCE_MAX];

	for (size_t i = 0; i < r->nfields; i++) {
		const struct decoded *v = &r->fields[i];

		assert(v->layout && v->field);
		assert((v->value.text != NULL) ==
		       (v->value.kind == VALUE_TEXT || v->value.kind == VALUE_RAW));
		decoded_source(v, source);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(snapshot_release) struct snapshot s;
	struct diag d = { 0 };
	struct reading r;

	snapshot_init(&s);
	build(&s, bytes_of(data, size));
	if (reading_decode(&s, nvme_vendor_layouts, &d, &r))
		abort();
	check(&r);
	reading_release(&r);
	return 0;
}

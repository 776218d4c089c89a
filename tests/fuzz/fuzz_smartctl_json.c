/* SPDX-License-Identifier: MIT */
/* Any bytes as smartctl -j output: no crash, no leak, and whatever is decoded can be released. */
#include "decode/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = { 0 };
	struct reading r;

	reading_init(&r);
	(void)!decode_smartctl_json(bytes_of(data, size), NULL, &d, &r);
	reading_release(&r);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Any bytes as smartctl -a and -x text: no crash, no leak, and whatever is decoded can be released.
 */
#include "decode/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = { 0 };
	struct reading r;

	reading_init(&r);
	(void)!decode_smartctl_text(bytes_of(data, size), &d, &r);
	reading_release(&r);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of --from: the kind is found, and each drive in it is decoded. */
#include "decode/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snapshot *drives = NULL;
	struct diag d = { 0 };
	size_t n = 0;

	if (snapshots_from_dump(bytes_of(data, size), "fuzz", 0, &d, &drives, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		struct reading r;

		if (reading_decode(&drives[i], NULL, &d, &r) == 0)
			reading_release(&r);
		snapshot_release(&drives[i]);
	}
	free(drives);
	return 0;
}

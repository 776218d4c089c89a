/* SPDX-License-Identifier: MIT */
/* Any bytes as the logs of a drive of SCSI: decoding succeeds, whatever they say. */
#include "decode/reading.h"
#include "lib/log_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d = { 0 };
	struct snapshot s;
	struct reading r;

	snapshot_from_stream(bytes_of(data, size), SPACE_SCSI_INQUIRY, SPACE_SCSI_SENSE, &s);
	if (reading_decode(&s, NULL, &d, &r))
		__builtin_trap();
	reading_release(&r);
	snapshot_release(&s);
	return 0;
}

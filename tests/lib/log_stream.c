/* SPDX-License-Identifier: MIT */
#include "lib/log_stream.h"

#define RECORD_HEADER 5

void snapshot_from_stream(struct bytes stream, enum log_space first, enum log_space last,
			  struct snapshot *ret)
{
	unsigned spaces = (unsigned)last - (unsigned)first + 1;

	snapshot_init(ret);
	for (size_t at = 0; bytes_has(stream, at, RECORD_HEADER);) {
		const uint8_t *header = stream.data + at;
		size_t len = (size_t)bytes_be_or0(stream, at + 3, 2);
		struct bytes log = bytes_slice(stream, at + RECORD_HEADER, len);

		if (snapshot_add(ret, (enum log_space)((unsigned)first + header[0] % spaces),
				 header[1], header[2], log))
			return;
		at += RECORD_HEADER + len;
	}
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "decode/ata.h"
#include "decode/dump.h"

/*
 * What libatasmart's `skdump --save` writes: chunks of a four-letter tag, a big-endian length and
 * so many bytes. IDFY is the IDENTIFY DEVICE data, SMST the SMART status (1: passed), SMDT the
 * SMART data, SMTH the thresholds.
 */

#define TAG_SIZE    4
#define HEADER_SIZE 8

bool skdump_accepts(struct bytes blob)
{
	static const char *const tags[] = { "IDFY", "SMST", "SMDT", "SMTH" };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (bytes_has(blob, 0, HEADER_SIZE) && memcmp(blob.data, tags[i], TAG_SIZE) == 0)
			return true;
	return false;
}

static struct bytes find_chunk(struct bytes blob, const char *tag)
{
	for (size_t at = 0; bytes_has(blob, at, HEADER_SIZE);) {
		size_t len = bytes_be_or0(blob, at + TAG_SIZE, 4);

		if (memcmp(blob.data + at, tag, TAG_SIZE) == 0)
			return bytes_slice(blob, at + HEADER_SIZE, len);
		at += HEADER_SIZE + len;
	}
	return bytes_of(NULL, 0);
}

int decode_skdump(struct bytes blob, struct diag *d, struct reading *r)
{
	struct bytes identify = find_chunk(blob, "IDFY"), status = find_chunk(blob, "SMST");
	int err = 0;

	if (!skdump_accepts(blob))
		return diag_fail(d, -EINVAL, "no blob of skdump");
	text_copy(r->origin, sizeof(r->origin), "skdump");
	r->identity.protocol = PROTOCOL_ATA;
	if (identify.len)
		err = ata_decode_identify(identify, r);
	if (status.len >= 4)
		r->smart_status = bytes_be_or0(status, 0, 4) ? SMART_STATUS_PASSED
							     : SMART_STATUS_FAILED;
	if (!err)
		err = ata_decode_smart(find_chunk(blob, "SMDT"), find_chunk(blob, "SMTH"), r);
	return err ? err : dump_finish(r, d);
}

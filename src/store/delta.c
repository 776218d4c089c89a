/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "store/diff.h"
#include "store/logs.h"

/*
 * A zstd frame (RFC 8878) without checksum, which SQLite's pages make no stronger, and without its
 * magic number of 4 bytes, which would be 4 % of what a sample costs. The size of its content is
 * kept: it bounds what decoding allocates.
 */
#define MAGIC_BYTES 4
/* Higher levels save a tenth and take three times as long. */
#define DELTA_LEVEL 1
#define PLAIN_MAX   (SNAPSHOT_BYTES_MAX * 2)

/*
 * Where only numbers moved, a plain difference does as well in a tenth of the time. It begins with
 * a byte that no zstd frame with a content size begins with, and may be so long.
 */
#define KIND_DIFF 0
#define DIFF_MAX  200

static const uint8_t magic[MAGIC_BYTES] = { 0x28, 0xb5, 0x2f, 0xfd };

void delta_release(struct delta *d)
{
	ZSTD_freeCCtx(d->compress);
	ZSTD_freeDCtx(d->decompress);
	*d = (struct delta){ 0 };
}

static int compress(struct delta *d, struct bytes prefix, struct bytes plain, struct pack *ret)
{
	size_t bound = ZSTD_compressBound(plain.len), n;
	uint8_t *room;

	if (!d->compress) {
		d->compress = ZSTD_createCCtx();
		if (!d->compress)
			return -ENOMEM;
		ZSTD_CCtx_setParameter(d->compress, ZSTD_c_compressionLevel, DELTA_LEVEL);
		ZSTD_CCtx_setParameter(d->compress, ZSTD_c_checksumFlag, 0);
	}
	pack_clear(ret);
	room = pack_room(ret, bound);
	if (!room)
		return ret->err;
	if (ZSTD_isError(ZSTD_CCtx_refPrefix(d->compress, prefix.data, prefix.len)))
		return -ENOMEM;
	n = ZSTD_compress2(d->compress, room, bound, plain.data, plain.len);
	if (ZSTD_isError(n)) { /* with this room only for want of memory */
		ZSTD_CCtx_reset(d->compress, ZSTD_reset_session_only);
		return -ENOMEM;
	}
	memmove(room, room + MAGIC_BYTES, n - MAGIC_BYTES);
	ret->len = n - MAGIC_BYTES;
	return 0;
}

int delta_encode(struct delta *d, struct bytes prefix, struct bytes plain, struct pack *ret)
{
	if (prefix.len) {
		pack_clear(ret);
		pack_byte(ret, KIND_DIFF);
		if (diff_encode(prefix, plain, DIFF_MAX, ret))
			return 0;
	}
	return compress(d, prefix, plain, ret);
}

static int decompress(struct delta *d, struct bytes prefix, struct bytes stored, struct pack *ret)
{
	CLEANUP(pack_release) struct pack frame = { 0 };
	unsigned long long len;
	uint8_t *room;
	size_t n;

	pack_bytes(&frame, magic, sizeof(magic));
	pack_bytes(&frame, stored.data, stored.len);
	if (frame.err)
		return frame.err;
	len = ZSTD_getFrameContentSize(frame.data, frame.len);
	if (len > PLAIN_MAX) /* ZSTD_CONTENTSIZE_UNKNOWN and _ERROR too */
		return -EUCLEAN;
	if (!d->decompress)
		d->decompress = ZSTD_createDCtx();
	if (!d->decompress)
		return -ENOMEM;
	pack_clear(ret);
	room = pack_room(ret, len);
	if (!room)
		return ret->err;
	if (ZSTD_isError(ZSTD_DCtx_refPrefix(d->decompress, prefix.data, prefix.len)))
		return -ENOMEM;
	n = ZSTD_decompressDCtx(d->decompress, room, len, frame.data, frame.len);
	if (ZSTD_isError(n) || n != len) {
		ZSTD_DCtx_reset(d->decompress, ZSTD_reset_session_only);
		return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation ? -ENOMEM : -EUCLEAN;
	}
	ret->len = n;
	return 0;
}

int delta_decode(struct delta *d, struct bytes prefix, struct bytes stored, struct pack *ret)
{
	bool good;

	if (!stored.len || stored.data[0] != KIND_DIFF)
		return decompress(d, prefix, stored, ret);
	pack_clear(ret);
	good = diff_decode(prefix, bytes_slice(stored, 1, stored.len - 1), PLAIN_MAX, ret);
	if (ret->err)
		return ret->err;
	return good ? 0 : -EUCLEAN;
}

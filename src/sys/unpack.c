/* SPDX-License-Identifier: MIT */
#include "sys/unpack.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define INPUT_BYTES ((size_t)128 << 10)
#define GZIP_ONLY   (MAX_WBITS + 16) /* of inflateInit2: a gzip header, not zlib's own */
#define MAGIC_BYTES 4

enum packing { PACKING_UNKNOWN, PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct unpack {
	struct sys *sys;
	int fd;
	const char *name;
	enum packing packing;
	uint8_t input[INPUT_BYTES];
	size_t at, len; /* of input */
	uint64_t taken;
	bool ended;  /* nothing follows in the file */
	bool inside; /* a member or frame has begun and not ended */
	z_stream gzip;
	ZSTD_DStream *zstd;
};

int unpack_new(struct sys *sys, int fd, const char *name, struct unpack **ret)
{
	struct unpack *u = calloc(1, sizeof(*u));

	if (!u)
		return -ENOMEM;
	u->sys = sys;
	u->fd = fd;
	u->name = name;
	*ret = u;
	return 0;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	if (u->packing == PACKING_GZIP)
		inflateEnd(&u->gzip);
	ZSTD_freeDStream(u->zstd);
	free(u);
}

void unpack_release(struct unpack **u)
{
	unpack_free(*u);
}

uint64_t unpack_taken(const struct unpack *u)
{
	return u->taken;
}

/* More input behind what is there; u->ended at the end of the file. */
static int fill(struct unpack *u, struct diag *d)
{
	ssize_t n;

	if (u->at) {
		memmove(u->input, u->input + u->at, u->len - u->at);
		u->len -= u->at;
		u->at = 0;
	}
	do
		n = u->sys->ops->read(u->sys, u->fd, u->input + u->len, INPUT_BYTES - u->len);
	while (n == -EINTR);
	if (n < 0)
		return diag_fail(d, (int)n, "%s: %s", u->name, strerror((int)-n));
	u->ended = n == 0;
	u->len += (size_t)n;
	u->taken += (uint64_t)n;
	return 0;
}

static int start(struct unpack *u, struct diag *d)
{
	static const uint8_t gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	while (u->len < MAGIC_BYTES && !u->ended) {
		int r = fill(u, d);

		if (r < 0)
			return r;
	}
	u->packing = PACKING_NONE;
	if (u->len >= sizeof(gzip) && !memcmp(u->input, gzip, sizeof(gzip))) {
		if (inflateInit2(&u->gzip, GZIP_ONLY) != Z_OK)
			return -ENOMEM;
		u->packing = PACKING_GZIP;
	} else if (u->len >= sizeof(zstd) && !memcmp(u->input, zstd, sizeof(zstd))) {
		u->zstd = ZSTD_createDStream();
		if (!u->zstd)
			return -ENOMEM;
		u->packing = PACKING_ZSTD;
	}
	return 0;
}

static ssize_t damaged(const struct unpack *u, const char *why, struct diag *d)
{
	return diag_fail(d, -EBADMSG, "%s: damaged %s data after %llu bytes: %s", u->name,
			 u->packing == PACKING_GZIP ? "gzip" : "zstd",
			 (unsigned long long)(u->taken - (u->len - u->at)), why);
}

/* What stands before any more input is needed: bytes, or 0. */
static ssize_t inflate_some(struct unpack *u, void *buf, size_t n, struct diag *d)
{
	z_stream *z = &u->gzip;
	int r;

	if (!u->inside && u->at < u->len && inflateReset(z) != Z_OK)
		return -ENOMEM;
	z->next_in = u->input + u->at;
	z->avail_in = (uInt)(u->len - u->at);
	z->next_out = buf;
	z->avail_out = (uInt)n;
	r = inflate(z, Z_NO_FLUSH);
	u->inside = r != Z_STREAM_END && (u->inside || z->avail_in < u->len - u->at);
	u->at = u->len - z->avail_in;
	if (r == Z_MEM_ERROR)
		return -ENOMEM;
	if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
		return damaged(u, z->msg ? z->msg : "not gzip", d);
	return (ssize_t)(n - z->avail_out);
}

static ssize_t zstd_some(struct unpack *u, void *buf, size_t n, struct diag *d)
{
	ZSTD_inBuffer in = { u->input, u->len, u->at };
	ZSTD_outBuffer out = { buf, n, 0 };
	size_t r = ZSTD_decompressStream(u->zstd, &out, &in);

	u->at = in.pos;
	if (ZSTD_isError(r))
		return damaged(u, ZSTD_getErrorName(r), d);
	u->inside = r != 0;
	return (ssize_t)out.pos;
}

static ssize_t copy_some(struct unpack *u, void *buf, size_t n)
{
	n = n < u->len - u->at ? n : u->len - u->at;
	memcpy(buf, u->input + u->at, n);
	u->at += n;
	return (ssize_t)n;
}

/* gzip files may be padded with zero bytes. */
static void skip_padding(struct unpack *u)
{
	while (u->packing == PACKING_GZIP && !u->inside && u->at < u->len && !u->input[u->at])
		u->at++;
}

ssize_t unpack_read(struct unpack *u, void *buf, size_t n, struct diag *d)
{
	int r = u->packing ? 0 : start(u, d);

	while (r == 0) {
		ssize_t got = 0;

		skip_padding(u);
		/* what a packer holds back comes out without more input too */
		if (u->packing == PACKING_NONE)
			got = copy_some(u, buf, n);
		else if (u->at < u->len || u->inside)
			got = u->packing == PACKING_GZIP ? inflate_some(u, buf, n, d)
							 : zstd_some(u, buf, n, d);
		if (got)
			return got;
		if (u->at < u->len && u->packing != PACKING_NONE && !u->inside)
			continue; /* the next member */
		if (u->ended && u->inside)
			return damaged(u, "it ends too early", d);
		if (u->ended)
			return 0;
		r = fill(u, d);
	}
	return r;
}

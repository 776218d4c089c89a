/* SPDX-License-Identifier: MIT */
#ifndef STORE_LOGS_H
#define STORE_LOGS_H

#include "decode/snapshot.h"
#include "store/pack.h"

/*
 * A snapshot as compact bytes, all of it but its time, which the sample has; and such bytes as a
 * difference to those of another snapshot of the same drive (plain, or zstd with a prefix), because
 * from one reading to the next only a few counters change.
 */

/* Appends to p; the error sticks there. */
void logs_pack(const struct snapshot *s, struct pack *p);

/* The same snapshot. -EUCLEAN where the bytes are none; -ENOMEM. */
int logs_unpack(struct bytes b, struct snapshot *ret) MUST_USE;

/* Compression contexts, made at first use. All-zero is ready. */
struct delta {
	struct ZSTD_CCtx_s *compress;
	struct ZSTD_DCtx_s *decompress;
};

void delta_release(struct delta *d);

/* What plain is beyond prefix (which may be empty), in place of what ret held. -ENOMEM. */
int delta_encode(struct delta *d, struct bytes prefix, struct bytes plain,
		 struct pack *ret) MUST_USE;

/* Back; ret is replaced. -EUCLEAN where this prefix and these bytes do not fit; -ENOMEM. */
int delta_decode(struct delta *d, struct bytes prefix, struct bytes stored,
		 struct pack *ret) MUST_USE;

#endif

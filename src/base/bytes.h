/* SPDX-License-Identifier: MIT */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u128.h"

/* A read-only view of a buffer that somebody else owns. All reads check the length. */
struct bytes {
	const uint8_t *data;
	size_t len;
};

static inline struct bytes bytes_of(const void *data, size_t len)
{
	return (struct bytes){ .data = data, .len = len };
}

/* The part from off on, n bytes long, clipped to what is there. */
struct bytes bytes_slice(struct bytes b, size_t off, size_t n);

static inline bool bytes_has(struct bytes b, size_t off, size_t n)
{
	return off <= b.len && n <= b.len - off;
}

/* Unsigned integer of width 1..16 bytes at off; false, output untouched, where it is not there. */
bool bytes_le(struct bytes b, size_t off, unsigned width, u128 *ret);
bool bytes_be(struct bytes b, size_t off, unsigned width, u128 *ret);

/* As above for callers that have checked the length: 0 where the bytes are not there. */
uint64_t bytes_le_or0(struct bytes b, size_t off, unsigned width);
uint64_t bytes_be_or0(struct bytes b, size_t off, unsigned width);

/* True where all bytes equal v (an empty view does not). */
bool bytes_all(struct bytes b, uint8_t v);

#endif

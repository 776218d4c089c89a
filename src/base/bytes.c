/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"

struct bytes bytes_slice(struct bytes b, size_t off, size_t n)
{
	if (off > b.len)
		off = b.len;
	if (n > b.len - off)
		n = b.len - off;
	return (struct bytes){ .data = b.data ? b.data + off : NULL, .len = n };
}

bool bytes_le(struct bytes b, size_t off, unsigned width, u128 *ret)
{
	u128 v = 0;

	if (width < 1 || width > 16 || !bytes_has(b, off, width))
		return false;
	for (unsigned i = width; i-- > 0;)
		v = v << 8 | b.data[off + i];
	*ret = v;
	return true;
}

bool bytes_be(struct bytes b, size_t off, unsigned width, u128 *ret)
{
	u128 v = 0;

	if (width < 1 || width > 16 || !bytes_has(b, off, width))
		return false;
	for (unsigned i = 0; i < width; i++)
		v = v << 8 | b.data[off + i];
	*ret = v;
	return true;
}

uint64_t bytes_le_or0(struct bytes b, size_t off, unsigned width)
{
	u128 v = 0;

	return bytes_le(b, off, width, &v) ? (uint64_t)v : 0;
}

uint64_t bytes_be_or0(struct bytes b, size_t off, unsigned width)
{
	u128 v = 0;

	return bytes_be(b, off, width, &v) ? (uint64_t)v : 0;
}

bool bytes_all(struct bytes b, uint8_t v)
{
	for (size_t i = 0; i < b.len; i++)
		if (b.data[i] != v)
			return false;
	return b.len > 0;
}

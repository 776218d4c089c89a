/* SPDX-License-Identifier: MIT */
#include "store/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PACK_FIRST 256 /* bytes of the first allocation */

void pack_release(struct pack *p)
{
	free(p->data);
	*p = (struct pack){ 0 };
}

void pack_clear(struct pack *p)
{
	p->len = 0;
	p->err = 0;
}

uint8_t *pack_room(struct pack *p, size_t n)
{
	size_t cap = p->cap ? p->cap : PACK_FIRST;
	uint8_t *data;

	if (p->err)
		return NULL;
	if (p->data && n <= p->cap - p->len)
		return p->data + p->len;
	while (cap - p->len < n) {
		if (cap > SIZE_MAX / 2) {
			p->err = -ENOMEM;
			return NULL;
		}
		cap *= 2;
	}
	data = realloc(p->data, cap);
	if (!data) {
		p->err = -ENOMEM;
		return NULL;
	}
	p->data = data;
	p->cap = cap;
	return p->data + p->len;
}

void pack_byte(struct pack *p, uint8_t v)
{
	uint8_t *room = pack_room(p, 1);

	if (!room)
		return;
	*room = v;
	p->len++;
}

void pack_number(struct pack *p, uint64_t v)
{
	while (v >= 0x80) {
		pack_byte(p, (uint8_t)(v | 0x80));
		v >>= 7;
	}
	pack_byte(p, (uint8_t)v);
}

void pack_signed(struct pack *p, int64_t v)
{
	pack_number(p, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void pack_bytes(struct pack *p, const void *data, size_t n)
{
	uint8_t *room = pack_room(p, n);

	if (!room || !n)
		return;
	memcpy(room, data, n);
	p->len += n;
}

void pack_text(struct pack *p, const char *text)
{
	size_t n = strlen(text);

	pack_number(p, n);
	pack_bytes(p, text, n);
}

uint8_t unpack_byte(struct unpack *u)
{
	struct bytes b = unpack_bytes(u, 1);

	return b.len ? b.data[0] : 0;
}

uint64_t unpack_number(struct unpack *u, uint64_t max)
{
	uint64_t v = 0;

	for (unsigned shift = 0; !u->bad; shift += 7) {
		uint8_t byte = unpack_byte(u);

		if (shift == 63 && byte > 1) {
			u->bad = true;
			break;
		}
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			break;
	}
	if (v > max)
		u->bad = true;
	return u->bad ? 0 : v;
}

int64_t unpack_signed(struct unpack *u)
{
	uint64_t v = unpack_number(u, UINT64_MAX);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

struct bytes unpack_bytes(struct unpack *u, size_t n)
{
	struct bytes b;

	if (u->bad || n > u->left.len) {
		u->bad = true;
		return bytes_of(NULL, 0);
	}
	b = bytes_of(u->left.data, n);
	u->left = bytes_of(u->left.data + n, u->left.len - n);
	return b;
}

void unpack_text(struct unpack *u, char *ret, size_t size)
{
	struct bytes b = unpack_bytes(u, unpack_number(u, size - 1));

	if (b.len)
		memcpy(ret, b.data, b.len);
	ret[b.len] = '\0';
}

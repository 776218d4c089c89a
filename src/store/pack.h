/* SPDX-License-Identifier: MIT */
#ifndef STORE_PACK_H
#define STORE_PACK_H

#include <string.h>

#include "base/bytes.h"

/*
 * The few shapes that the database's binary columns are made of: bytes, integers of 7 bits a byte
 * (lowest first; signed ones zigzag), and texts with their length in front.
 */

/* A buffer that grows. An error sticks: -ENOMEM. All-zero is empty. */
struct pack {
	uint8_t *data;
	size_t len, cap;
	int err;
};

void pack_release(struct pack *p);
void pack_clear(struct pack *p); /* empty, and keeps its memory */

/* Room for n bytes more behind len, or NULL. */
uint8_t *pack_room(struct pack *p, size_t n);

void pack_byte(struct pack *p, uint8_t v);
void pack_number(struct pack *p, uint64_t v);
void pack_signed(struct pack *p, int64_t v);
void pack_bytes(struct pack *p, const void *data, size_t n);
void pack_text(struct pack *p, const char *text);

static inline struct bytes pack_view(const struct pack *p)
{
	return bytes_of(p->data, p->len);
}

static inline bool bytes_equal(struct bytes a, struct bytes b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* Reading: `bad` sticks after anything that is not there or not well-formed; 0 is read then. */
struct unpack {
	struct bytes left;
	bool bad;
};

uint8_t unpack_byte(struct unpack *u);
uint64_t unpack_number(struct unpack *u, uint64_t max);
int64_t unpack_signed(struct unpack *u);
struct bytes unpack_bytes(struct unpack *u, size_t n);
void unpack_text(struct unpack *u, char *ret, size_t size); /* bad where it does not fit */

#endif

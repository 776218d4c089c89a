/* SPDX-License-Identifier: MIT */
#include "store/diff.h"

#include <string.h>

#define WINDOW	 48 /* bytes that a changed part has at most */
#define MATCH	 8  /* equal bytes that end it */
#define SHIFT	 4  /* that a number can be longer or shorter by */
#define SHIFTED	 1u
#define DIGITS	 2u
#define NO_DIGIT 15

static bool equal_at(struct bytes old, size_t i, struct bytes now, size_t j)
{
	size_t a = old.len - i, b = now.len - j;

	if (i > old.len || j > now.len)
		return false;
	if (a >= MATCH && b >= MATCH)
		return memcmp(old.data + i, now.data + j, MATCH) == 0;
	return a == b && (a == 0 || memcmp(old.data + i, now.data + j, a) == 0);
}

static size_t count_equal(struct bytes old, size_t i, struct bytes now, size_t j)
{
	size_t max = old.len - i < now.len - j ? old.len - i : now.len - j, n = 0;

	while (max - n >= MATCH && memcmp(old.data + i + n, now.data + j + n, MATCH) == 0)
		n += MATCH;
	while (n < max && old.data[i + n] == now.data[j + n])
		n++;
	return n;
}

/* The shortest parts, old and new, behind which both go on the same. */
static bool find_parts(struct bytes old, size_t i, struct bytes now, size_t j, size_t *ret_old,
		       size_t *ret_new)
{
	for (size_t n = 1; n <= WINDOW; n++)
		for (size_t shift = 0; shift <= SHIFT && shift <= n; shift++) {
			if (equal_at(old, i + n, now, j + n - shift)) {
				*ret_old = n;
				*ret_new = n - shift;
				return true;
			}
			if (equal_at(old, i + n - shift, now, j + n)) {
				*ret_old = n - shift;
				*ret_new = n;
				return true;
			}
		}
	return false;
}

static bool all_digits(const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			return false;
	return n > 0;
}

static void add_part(struct pack *p, const uint8_t *s, size_t n, size_t old_len)
{
	bool digits = all_digits(s, n);

	pack_number(p, n << 2 | (digits ? DIGITS : 0) | (old_len != n ? SHIFTED : 0));
	if (old_len != n)
		pack_signed(p, (int64_t)old_len - (int64_t)n);
	if (!digits) {
		pack_bytes(p, s, n);
		return;
	}
	for (size_t i = 0; i < n; i += 2) {
		uint8_t low = i + 1 < n ? (uint8_t)(s[i + 1] - '0') : NO_DIGIT;

		pack_byte(p, (uint8_t)((s[i] - '0') << 4 | low));
	}
}

bool diff_encode(struct bytes old, struct bytes now, size_t max, struct pack *ret)
{
	size_t start = ret->len, i = 0, j = 0;

	for (;;) {
		size_t n = count_equal(old, i, now, j), old_len = 0, new_len = 0;

		pack_number(ret, n);
		i += n;
		j += n;
		if (i == old.len && j == now.len)
			return !ret->err && ret->len - start <= max;
		if (!find_parts(old, i, now, j, &old_len, &new_len))
			return false;
		add_part(ret, now.data + j, new_len, old_len);
		i += old_len;
		j += new_len;
		if (ret->err || ret->len - start > max)
			return false;
	}
}

static void read_part(struct unpack *u, size_t n, bool digits, struct pack *ret)
{
	struct bytes b = unpack_bytes(u, digits ? (n + 1) / 2 : n);

	if (!digits) {
		pack_bytes(ret, b.data, b.len);
		return;
	}
	for (size_t i = 0; i < n && !u->bad; i++) {
		unsigned digit = i % 2 ? b.data[i / 2] & 15 : b.data[i / 2] >> 4;

		if (digit > 9)
			u->bad = true;
		pack_byte(ret, (uint8_t)('0' + digit));
	}
}

bool diff_decode(struct bytes old, struct bytes diff, size_t max, struct pack *ret)
{
	struct unpack u = { .left = diff };
	size_t start = ret->len, i = 0;

	while (u.left.len && !u.bad && !ret->err) {
		size_t n = unpack_number(&u, old.len - i), part;
		int64_t more = 0;
		uint64_t head;

		if (u.bad || n > max - (ret->len - start))
			return false;
		pack_bytes(ret, old.data + i, n);
		i += n;
		if (!u.left.len)
			break;
		head = unpack_number(&u, UINT32_MAX);
		part = head >> 2;
		if (head & SHIFTED)
			more = unpack_signed(&u);
		if (u.bad || part > max - (ret->len - start) || more > SHIFT || more < -SHIFT ||
		    (int64_t)part + more < 0 || part + (size_t)more > old.len - i)
			return false;
		read_part(&u, part, head & DIGITS, ret);
		i += part + (size_t)more;
	}
	return !u.bad && i == old.len;
}

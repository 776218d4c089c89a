/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "decode/redact.h"

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(int c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_alnum(int c)
{
	return is_digit(c) || is_upper(c) || is_lower(c);
}

static int to_lower(int c)
{
	return is_upper(c) ? c - 'A' + 'a' : c;
}

/* --- SipHash-2-4 (Aumasson and Bernstein, 2012) ---------------------------------------------- */

static uint64_t rotate(uint64_t v, unsigned n)
{
	return v << n | v >> (64 - n);
}

static void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[0] = rotate(v[0], 32);
	v[2] += v[3];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

static void sip_word(uint64_t v[4], uint64_t m)
{
	v[3] ^= m;
	sip_round(v);
	sip_round(v);
	v[0] ^= m;
}

/* Of the bytes, with `counter` as the second half of the key. */
static uint64_t digest(uint64_t key, uint64_t counter, struct bytes b)
{
	uint64_t v[4] = { key ^ UINT64_C(0x736f6d6570736575),
			  counter ^ UINT64_C(0x646f72616e646f6d),
			  key ^ UINT64_C(0x6c7967656e657261),
			  counter ^ UINT64_C(0x7465646279746573) };
	size_t whole = b.len / 8 * 8;
	uint64_t last = (uint64_t)b.len << 56;

	for (size_t at = 0; at < whole; at += 8)
		sip_word(v, bytes_le_or0(b, at, 8));
	for (size_t i = 0; i < b.len - whole; i++)
		last |= (uint64_t)b.data[whole + i] << 8 * i;
	sip_word(v, last);
	v[2] ^= 0xff;
	for (unsigned i = 0; i < 4; i++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* --- replacements ---------------------------------------------------------------------------- */

/* An escape of JSON stays as it is: length of the one at the start of s, or 0. */
static size_t escape_length(const uint8_t *s, size_t n)
{
	if (n < 2 || s[0] != '\\')
		return 0;
	return s[1] == 'u' && n >= 6 ? 6 : 2;
}

static void replace_text(uint64_t key, uint64_t salt, struct secret *s)
{
	struct bytes old = bytes_of(s->old, s->len);

	for (size_t i = 0; i < s->len; i++) {
		size_t skip = escape_length(s->old + i, s->len - i);
		uint64_t r = digest(key, salt << 16 | i, old);
		uint8_t c = s->old[i];

		if (skip) {
			memcpy(s->new + i, s->old + i, skip);
			i += skip - 1;
			continue;
		}
		if (is_digit(c))
			c = (uint8_t)('0' + r % 10);
		else if (is_upper(c))
			c = (uint8_t)('A' + r % 26);
		else if (is_lower(c))
			c = (uint8_t)('a' + r % 26);
		else if (c >= 0x80) /* a letter of some other script, in any encoding */
			c = '_';
		s->new[i] = c;
	}
}

#define NAA_REGISTERED 5 /* 4 bits of authority, 24 of OUI, 36 of the maker's own */
#define OWN_BITS_WWN   36
#define OWN_BITS_EUI   40

static unsigned own_bits(const struct secret *s)
{
	return !s->is_eui && s->old[0] >> 4 == NAA_REGISTERED ? OWN_BITS_WWN : OWN_BITS_EUI;
}

uint64_t secret_own_part(const struct secret *s, bool new_one)
{
	const uint8_t *id = new_one ? s->new : s->old;

	return bytes_be_or0(bytes_of(id, 8), 0, 8) & ((UINT64_C(1) << own_bits(s)) - 1);
}

static void replace_short_id(uint64_t key, uint64_t salt, struct secret *s)
{
	unsigned bits = own_bits(s);
	uint64_t own = secret_own_part(s, false), low = 1, high;
	uint64_t id = bytes_be_or0(bytes_of(s->old, 8), 0, 8) - own;

	while (low <= own / 10)
		low *= 10;
	high = low * 10 < UINT64_C(1) << bits ? low * 10 : UINT64_C(1) << bits;
	id += low + digest(key, salt, bytes_of(s->old, s->len)) % (high - low);
	for (unsigned i = 8; i-- > 0; id >>= 8)
		s->new[i] = (uint8_t)id;
}

static void replace_long_id(uint64_t key, uint64_t salt, struct secret *s)
{
	for (size_t i = 0; i < s->len; i++) {
		uint64_t r = digest(key, salt << 16 | i, bytes_of(s->old, s->len));

		s->new[i] = s->old[i] ? (uint8_t)(1 + r % 255) : 0;
	}
	/* the first digit tells the kind of a name */
	s->new[0] = (uint8_t)((s->old[0] & 0xf0) | (s->new[0] & 0x0f));
}

/* A replacement that differs from what it replaces; the few tries always suffice in practice. */
static void make_replacement(uint64_t key, struct secret *s)
{
	for (uint64_t salt = 1; salt < 64; salt++) {
		if (!s->is_id)
			replace_text(key, salt, s);
		else if (s->len == 8)
			replace_short_id(key, salt, s);
		else
			replace_long_id(key, salt, s);
		if (memcmp(s->old, s->new, s->len) != 0)
			return;
	}
}

/* --- the set --------------------------------------------------------------------------------- */

void secrets_release(struct secrets *set)
{
	free(set->list);
	set->list = NULL;
	set->n = 0;
}

/* Known secrets are the same by their bytes: the first to learn one says what it is. */
static const struct secret *add(struct secrets *set, struct secret kind, const void *old,
				size_t len, int *ret_err)
{
	struct secret *list, *s;

	for (size_t i = 0; i < set->n; i++)
		if (set->list[i].is_id == kind.is_id && set->list[i].len == len &&
		    memcmp(set->list[i].old, old, len) == 0)
			return &set->list[i];
	if (set->n >= SECRETS_MAX) {
		*ret_err = -E2BIG;
		return NULL;
	}
	list = realloc(set->list, (set->n + 1) * sizeof(*list));
	if (!list) {
		*ret_err = -ENOMEM;
		return NULL;
	}
	set->list = list;
	s = &list[set->n++];
	*s = kind;
	s->len = len;
	memcpy(s->old, old, len);
	make_replacement(set->key, s);
	return s;
}

static const struct secret *add_text(struct secrets *set, struct secret kind, const uint8_t *s,
				     size_t len, int *ret_err)
{
	bool any = false;

	for (size_t i = 0; i < len; i++)
		if (!s[i])
			len = i; /* as text_from_field cuts it */
	for (; len && (*s == ' ' || *s == '\t'); len--)
		s++;
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t' || s[len - 1] == '\r'))
		len--;
	for (size_t i = 0; i < len; i++)
		any = any || is_alnum(s[i]) || s[i] >= 0x80;
	return any && len <= SECRET_MAX ? add(set, kind, s, len, ret_err) : NULL;
}

const struct secret *secrets_add_text(struct secrets *set, const void *text, size_t len,
				      int *ret_err)
{
	return add_text(set, (struct secret){ 0 }, text, len, ret_err);
}

const struct secret *secrets_add_name(struct secrets *set, const char *host, size_t len,
				      int *ret_err)
{
	return add_text(set, (struct secret){ .is_name = true }, (const uint8_t *)host, len,
			ret_err);
}

const struct secret *secrets_add_id(struct secrets *set, const uint8_t *id, size_t len, bool is_eui,
				    int *ret_err)
{
	const struct secret kind = { .is_id = true, .is_eui = is_eui };
	struct bytes b = bytes_of(id, len);

	if (len < 8 || len > SECRET_MAX || bytes_all(b, 0) || bytes_all(b, 0xff))
		return NULL;
	return add(set, kind, id, len, ret_err);
}

static int hex_value(int c)
{
	if (is_digit(c))
		return c - '0';
	c = to_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const struct secret *secrets_add_any(struct secrets *set, const char *text, size_t len,
				     int *ret_err)
{
	static const char *const prefixes[] = { "0x", "0X", "eui.", "naa.", "uuid.", "wwn-0x" };
	uint8_t id[16] = { 0 };
	size_t digits = 0, at = 0;
	bool is_eui = len > 4 && memcmp(text, "eui.", 4) == 0;

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (len > strlen(prefixes[i]) && !memcmp(text, prefixes[i], strlen(prefixes[i])))
			at = strlen(prefixes[i]);
	for (; at < len; at++) {
		int v = hex_value((unsigned char)text[at]);

		/* smartctl: "5 002538 e40a1b2c3" is a WWN, "002538 5b01c2d3e4" an EUI-64 */
		is_eui = is_eui || (text[at] == ' ' && digits == 6);
		if (text[at] == ' ' || text[at] == '-')
			continue;
		if (v < 0 || digits == 2 * sizeof(id))
			return secrets_add_text(set, text, len, ret_err);
		id[digits / 2] |= (uint8_t)(digits % 2 ? v : v << 4);
		digits++;
	}
	if (digits != 16 && digits != 32)
		return secrets_add_text(set, text, len, ret_err);
	return secrets_add_id(set, id, digits / 2, is_eui, ret_err);
}

/* --- replacing ------------------------------------------------------------------------------- */

#define FORM_MAX (2 * SECRET_MAX + 8)

enum reach { REACH_NONE, REACH_WORD, REACH_ANYWHERE };

/* One way to write a secret, old and new, of the same length. */
struct form {
	uint8_t old[FORM_MAX], new[FORM_MAX];
	size_t len;
	bool hex; /* letters in either case */
	enum reach reach;
};

/* How far a text can be told from other text by itself. */
static enum reach reach_of(const struct secret *s)
{
	bool seen[256] = { false };
	size_t kinds = 0, letters = 0, digits = 0;

	for (size_t i = 0; i < s->len; i++) {
		kinds += !seen[s->old[i]];
		letters += is_upper(s->old[i]) || is_lower(s->old[i]);
		digits += is_digit(s->old[i]);
		seen[s->old[i]] = true;
	}
	if (kinds < 3 || (!digits && !s->is_name))
		return REACH_NONE;
	if (kinds > 3 && digits && s->len >= (letters ? 8 : 10))
		return REACH_ANYWHERE;
	return s->len >= (letters && digits ? 4 : 6) || s->is_name ? REACH_WORD : REACH_NONE;
}

static bool bytes_match(const struct form *f, const uint8_t *at)
{
	if (!f->hex)
		return memcmp(at, f->old, f->len) == 0;
	for (size_t i = 0; i < f->len; i++)
		if (to_lower(at[i]) != f->old[i])
			return false;
	return true;
}

static void write_form(const struct form *f, uint8_t *at)
{
	bool upper = false;

	for (size_t i = 0; i < f->len; i++)
		upper = upper || (f->hex && is_upper(at[i]));
	for (size_t i = 0; i < f->len; i++)
		at[i] = upper && is_lower(f->new[i]) ? (uint8_t)(f->new[i] - 'a' + 'A') : f->new[i];
}

static void replace_form(const struct form *f, uint8_t *data, size_t len)
{
	for (size_t at = 0; f->len && at + f->len <= len; at++) {
		if (!f->hex) { /* skip to the next place where it can begin */
			const uint8_t *p = memchr(data + at, f->old[0], len - f->len - at + 1);

			if (!p)
				return;
			at = (size_t)(p - data);
		}
		if (!bytes_match(f, data + at))
			continue;
		if (f->reach == REACH_WORD && ((at && is_alnum(data[at - 1])) ||
					       (at + f->len < len && is_alnum(data[at + f->len]))))
			continue;
		write_form(f, data + at);
		at += f->len - 1;
	}
}

static void replace_text_forms(const struct secret *s, uint8_t *data, size_t len)
{
	struct form f = { .len = s->len, .reach = reach_of(s) };
	bool spaces = memchr(s->old, ' ', s->len);

	if (f.reach == REACH_NONE)
		return;
	memcpy(f.old, s->old, s->len);
	memcpy(f.new, s->new, s->len);
	replace_form(&f, data, len);
	if (spaces) { /* as udev writes it in a link */
		for (size_t i = 0; i < f.len; i++) {
			f.old[i] = f.old[i] == ' ' ? '_' : f.old[i];
			f.new[i] = f.new[i] == ' ' ? '_' : f.new[i];
		}
		replace_form(&f, data, len);
	}
	if (f.reach != REACH_ANYWHERE)
		return;
	/* as in ATA words: the bytes of each pair swapped, an odd one with a space */
	memset(f.old, ' ', f.len + 1);
	memset(f.new, ' ', f.len + 1);
	for (size_t i = 0; i < s->len; i++) {
		f.old[i ^ 1] = s->old[i];
		f.new[i ^ 1] = s->new[i];
	}
	f.len += f.len % 2;
	replace_form(&f, data, len);
}

/* Hexadecimal digits of both, with a separator in front of some digits (16 and more: none). */
static void hex_form(const struct secret *s, char separator, const unsigned *before, size_t nbefore,
		     struct form *f)
{
	static const char digits[] = "0123456789abcdef";

	*f = (struct form){ .hex = true, .reach = REACH_ANYWHERE };
	for (unsigned i = 0; i < 2 * s->len; i++) {
		for (size_t k = 0; k < nbefore; k++)
			if (before[k] == i) {
				f->old[f->len] = (uint8_t)separator;
				f->new[f->len++] = (uint8_t)separator;
			}
		f->old[f->len] = (uint8_t)digits[s->old[i / 2] >> (i % 2 ? 0 : 4) & 15];
		f->new[f->len++] = (uint8_t)digits[s->new[i / 2] >> (i % 2 ? 0 : 4) & 15];
	}
}

static void replace_hex_forms(const struct secret *s, uint8_t *data, size_t len)
{
	static const unsigned wwn[] = { 1, 7 }, eui[] = { 6 }, uuid[] = { 8, 12, 16, 20 };
	struct form f;

	hex_form(s, 0, NULL, 0, &f);
	replace_form(&f, data, len);
	if (s->len == 8) { /* as smartctl writes them */
		hex_form(s, ' ', wwn, ARRAY_SIZE(wwn), &f);
		replace_form(&f, data, len);
		hex_form(s, ' ', eui, ARRAY_SIZE(eui), &f);
		replace_form(&f, data, len);
	} else if (s->len == 16) {
		hex_form(s, '-', uuid, ARRAY_SIZE(uuid), &f);
		replace_form(&f, data, len);
	}
}

/* As bytes: in order, reversed, and swapped in pairs and in words of two as ATA stores them. */
static void replace_byte_forms(const struct secret *s, uint8_t *data, size_t len)
{
	struct form in_order = { .len = s->len, .reach = REACH_ANYWHERE }, reversed = in_order,
		    swapped = in_order;

	for (size_t i = 0; i < s->len; i++) {
		in_order.old[i] = s->old[i];
		in_order.new[i] = s->new[i];
		reversed.old[s->len - 1 - i] = s->old[i];
		reversed.new[s->len - 1 - i] = s->new[i];
		if ((i | 1) < s->len) {
			swapped.old[i ^ 1] = s->old[i];
			swapped.new[i ^ 1] = s->new[i];
		}
	}
	swapped.len -= s->len % 2;
	replace_form(&in_order, data, len);
	replace_form(&reversed, data, len);
	replace_form(&swapped, data, len);
}

void secret_overwrite(const struct secret *s, uint8_t *data, size_t len)
{
	for (size_t at = 0; s && at + s->len <= len; at++)
		if (memcmp(data + at, s->old, s->len) == 0) {
			memcpy(data + at, s->new, s->len);
			return;
		}
}

void secrets_replace(const struct secrets *set, uint8_t *data, size_t len)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct secret *s = &set->list[i];

		if (s->is_id) {
			replace_hex_forms(s, data, len);
			replace_byte_forms(s, data, len);
		} else {
			replace_text_forms(s, data, len);
		}
	}
}

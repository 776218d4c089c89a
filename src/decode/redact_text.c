/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "decode/redact.h"

/*
 * Secrets in a dump's text: members of JSON by their keys, lines of smartctl by their labels. The
 * text is scanned, not parsed, so that the rest of it stays as it is to the byte.
 */

static const char *const secret_keys[] = {
	"serial_number",
	"serial",
	"serialnumber",
	"sn",
	"wwn",
	"naa",
	"eui64",
	"nguid",
	"uuid",
	"eui",
	"subnqn",
	"hostnqn",
	"hostid",
	"logical_unit_id",
	"sas_address",
	"attached_sas_address",
	"subsystemnqn",
	"nqn",
	"unit_serial_number",
};

static const char *const host_keys[] = { "hostname", "host_name", "host", "nodename" };

static const char *const secret_labels[] = {
	"serial number", "lu wwn device id", "logical unit id", "ieee eui-64",
	"nguid",	 "subsystem nqn",    "sas address",
};

static const char *const host_labels[] = { "host name", "hostname" };

#define LABEL_MAX 64

static size_t skip_space(struct bytes b, size_t at)
{
	while (at < b.len && (b.data[at] == ' ' || (b.data[at] >= '\t' && b.data[at] <= '\r')))
		at++;
	return at;
}

/* Length of the string that begins with the quote at `at`, quotes included; 0: it does not end. */
static size_t quoted_length(struct bytes b, size_t at)
{
	for (size_t i = at + 1; i < b.len; i++) {
		if (b.data[i] == '\\')
			i++;
		else if (b.data[i] == '"')
			return i + 1 - at;
	}
	return 0;
}

static bool is_one_of(struct bytes key, const char *const *names, size_t n)
{
	char name[LABEL_MAX];

	if (key.len >= sizeof(name))
		return false;
	memcpy(name, key.data, key.len);
	name[key.len] = '\0';
	for (size_t i = 0; i < n; i++)
		if (text_equal_nocase(name, names[i]))
			return true;
	return false;
}

static bool is_host_key(struct bytes key)
{
	return is_one_of(key, host_keys, ARRAY_SIZE(host_keys));
}

static bool is_secret_key(struct bytes key)
{
	return is_host_key(key) || is_one_of(key, secret_keys, ARRAY_SIZE(secret_keys));
}

/* An unsigned number at `at`; its digits' count, 0 where none stands there. */
static size_t number_at(struct bytes b, size_t at, uint64_t *ret)
{
	uint64_t v = 0;
	size_t n = 0;

	for (; at + n < b.len && n < 18 && b.data[at + n] >= '0' && b.data[at + n] <= '9'; n++)
		v = v * 10 + (uint64_t)(b.data[at + n] - '0');
	*ret = v;
	return n;
}

/* The number of a member within an object that ends at `end`; where its digits stand. */
static bool member_number(struct bytes b, size_t at, size_t end, const char *name, uint64_t *ret,
			  size_t *ret_at)
{
	for (; at < end; at++) {
		size_t n = strlen(name) + 2;

		if (b.data[at] != '"' || !bytes_has(b, at, n) ||
		    memcmp(b.data + at + 1, name, n - 2) != 0 || b.data[at + n - 1] != '"')
			continue;
		at = skip_space(b, at + n);
		if (at >= end || b.data[at] != ':')
			continue;
		*ret_at = skip_space(b, at + 1);
		return number_at(b, *ret_at, ret) > 0;
	}
	return false;
}

/*
 * {"naa": 5, "oui": 9528, "id": 61234567890} and {"oui": 9528, "ext_id": 123456} are identifiers of
 * 8 bytes taken apart; the maker's own part is replaced here, digit for digit.
 */
static int learn_object(struct secrets *set, uint8_t *text, size_t len, size_t at)
{
	struct bytes b = bytes_of(text, len);
	const uint8_t *close = memchr(text + at, '}', len - at);
	size_t end = close ? (size_t)(close - text) : len, own_at = 0, unused;
	uint64_t naa = 0, oui = 0, own = 0, id;
	const struct secret *s;
	uint8_t bytes[8];
	char digits[24];
	size_t n;
	int err = 0;

	if (!member_number(b, at, end, "oui", &oui, &unused))
		return 0;
	if (member_number(b, at, end, "naa", &naa, &unused) &&
	    member_number(b, at, end, "id", &own, &own_at))
		id = naa << 60 | (oui & 0xffffff) << 36 | (own & 0xfffffffff);
	else if (member_number(b, at, end, "ext_id", &own, &own_at))
		id = (oui & 0xffffff) << 40 | (own & 0xffffffffff);
	else
		return 0;
	for (unsigned i = 8; i-- > 0; id >>= 8)
		bytes[i] = (uint8_t)id;
	s = secrets_add_id(set, bytes, sizeof(bytes), !naa, &err);
	if (!s || own != secret_own_part(s, false))
		return err;
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)secret_own_part(s, true));
	n = number_at(b, own_at, &own);
	if (strlen(digits) == n)
		memcpy(text + own_at, digits, n);
	return err;
}

static void learn_value(struct secrets *set, uint8_t *value, size_t len, bool is_host, int *ret_err)
{
	const char *text = (const char *)value;
	const struct secret *s = is_host ? secrets_add_name(set, text, len, ret_err)
					 : secrets_add_any(set, text, len, ret_err);

	if (s && !s->is_id)
		secret_overwrite(s, value, len);
}

static int learn_json(struct secrets *set, uint8_t *text, size_t len)
{
	struct bytes b = bytes_of(text, len);
	int err = 0;

	for (size_t at = 0, n; at < len && !err; at += n) {
		struct bytes key;
		size_t value, value_len;

		n = text[at] == '"' ? quoted_length(b, at) : 1;
		if (!n)
			n = 1;
		if (n < 2)
			continue;
		key = bytes_slice(b, at + 1, n - 2);
		value = skip_space(b, at + n);
		if (value >= len || text[value] != ':' || !is_secret_key(key))
			continue;
		value = skip_space(b, value + 1);
		value_len = value < len && text[value] == '"' ? quoted_length(b, value) : 0;
		if (value_len > 2)
			learn_value(set, text + value + 1, value_len - 2, is_host_key(key), &err);
		else if (value < len && text[value] == '{')
			err = learn_object(set, text, len, value);
	}
	return err;
}

/* Does the label of a line (up to its colon or sign) end in one of these? */
static bool ends_in(struct bytes label, const char *const *ends, size_t nends)
{
	char name[LABEL_MAX];

	while (label.len && label.data[label.len - 1] == ' ')
		label.len--;
	if (label.len >= sizeof(name))
		return false;
	memcpy(name, label.data, label.len);
	name[label.len] = '\0';
	for (size_t i = 0; i < nends; i++) {
		size_t n = strlen(ends[i]);

		if (label.len >= n && text_equal_nocase(name + label.len - n, ends[i]))
			return true;
	}
	return false;
}

static int learn_line(struct secrets *set, uint8_t *line, size_t len)
{
	struct bytes label;
	bool is_host;
	size_t at = 0;
	int err = 0;

	/* "Serial Number:    S64G...", "  SAS address = 0x5000c500..." */
	while (at < len && line[at] != ':' && line[at] != '=')
		at++;
	label = bytes_of(line, at);
	is_host = ends_in(label, host_labels, ARRAY_SIZE(host_labels));
	if (at == len || !(is_host || ends_in(label, secret_labels, ARRAY_SIZE(secret_labels))))
		return 0;
	at = skip_space(bytes_of(line, len), at + 1);
	while (len > at && line[len - 1] <= ' ')
		len--;
	/* "[No Information Found]" is smartctl's, not a serial number */
	if (at < len && line[at] != '[')
		learn_value(set, line + at, len - at, is_host, &err);
	return err;
}

static bool is_host_letter(uint8_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '-' || c == '.';
}

/* "root@db7:~# smartctl -x /dev/sda", "[root@db7 ~]# ...": text pasted with the shell's prompt. */
static int learn_prompt(struct secrets *set, uint8_t *line, size_t len)
{
	const uint8_t *command = memchr(line, '#', len), *sign;
	size_t at, n = 0;
	int err = 0;

	command = command ? command : memchr(line, '$', len);
	sign = command ? memchr(line, '@', (size_t)(command - line)) : NULL;
	if (!sign)
		return 0;
	at = (size_t)(sign - line) + 1;
	while (at + n < len && is_host_letter(line[at + n]))
		n++;
	if (n && (line[at + n] == ':' || line[at + n] == ' ' || line + at + n == command))
		learn_value(set, line + at, n, true, &err);
	return err;
}

int redact_learn_text(struct secrets *set, uint8_t *text, size_t len)
{
	int err = len ? learn_json(set, text, len) : 0;

	for (size_t at = 0, n; at < len && !err; at += n + 1) {
		const uint8_t *newline = memchr(text + at, '\n', len - at);

		n = newline ? (size_t)(newline - text) - at : len - at;
		err = learn_line(set, text + at, n);
		err = err ? err : learn_prompt(set, text + at, n);
	}
	return err;
}

/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "base/text.h"
#include "base/units.h"

/* A double holds every integer of up to 15 digits. */
#define EXACT_DIGITS 15

/* Length of the JSON string at s, quotes included; up to the end where it is not closed. */
static size_t string_length(struct bytes b)
{
	size_t i = 1;

	while (i < b.len && b.data[i] != '"')
		i += b.data[i] == '\\' ? 2 : 1;
	return i < b.len ? i + 1 : b.len;
}

/* Length of the not-a-number or infinity that C's printf left where a number belongs, or 0. */
static size_t no_number_length(struct bytes b)
{
	static const char *const words[] = { "infinity", "inf", "nan" };
	size_t sign = *b.data == '-';

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i]);

		if (b.len - sign >= n && strncasecmp((const char *)b.data + sign, words[i], n) == 0)
			return sign + n;
	}
	return 0;
}

static size_t number_length(struct bytes b, bool *ret_is_long_integer)
{
	size_t i = 0, digits = 0;
	bool integer = true;

	for (; i < b.len && b.data[i] && strchr("+-0123456789.eE", b.data[i]); i++) {
		if (strchr(".eE", b.data[i]))
			integer = false;
		digits += b.data[i] >= '0' && b.data[i] <= '9';
	}
	*ret_is_long_integer = integer && digits > EXACT_DIGITS;
	return i;
}

/* One step through the text: a whole string, a whole number, or a single other byte. */
static size_t token_length(struct bytes rest, enum json_flags flags, bool *ret_needs_quotes)
{
	size_t n;

	*ret_needs_quotes = false;
	if (*rest.data == '"')
		return string_length(rest);
	if (!(flags & JSON_STRICT)) {
		n = no_number_length(rest);
		*ret_needs_quotes = n > 0;
		if (n)
			return n;
	}
	if (*rest.data == '-' || (*rest.data >= '0' && *rest.data <= '9'))
		return number_length(rest, ret_needs_quotes);
	return 1;
}

/*
 * cJSON keeps numbers as doubles: put the integers that would lose digits into quotes, and in other
 * tools' output what should have been a number and is none.
 */
static void quote_odd_numbers(struct bytes text, enum json_flags flags, struct str *out)
{
	size_t copied = 0;
	bool odd;

	for (size_t at = 0, n; at < text.len; at += n) {
		n = token_length(bytes_slice(text, at, text.len), flags, &odd);
		if (!odd)
			continue;
		str_add_bytes(out, text.data + copied, at - copied);
		str_add_char(out, '"');
		str_add_bytes(out, text.data + at, n);
		str_add_char(out, '"');
		copied = at + n;
	}
	str_add_bytes(out, text.data + copied, text.len - copied);
}

/* The place in text that corresponds to a place in its quoted form. */
static size_t unquoted_place(struct bytes text, enum json_flags flags, size_t quoted)
{
	size_t at = 0, passed = 0;
	bool odd;

	while (at < text.len && passed < quoted) {
		size_t n = token_length(bytes_slice(text, at, text.len), flags, &odd);

		at += n;
		passed += n + (odd ? 2 : 0);
	}
	return at;
}

/* The key that occurs twice in an object anywhere below root, or NULL. */
static const char *find_duplicate(const cJSON *root)
{
	const cJSON *stack[CJSON_NESTING_LIMIT + 1];
	size_t depth = 0;

	stack[depth++] = root;
	while (depth) {
		const cJSON *v = stack[--depth];

		/* the siblings wait at this depth, the children one above: bounded by nesting */
		if (v->next && v != root)
			stack[depth++] = v->next;
		if (v->string && v != root)
			for (const cJSON *o = v->next; o; o = o->next)
				if (o->string && strcmp(o->string, v->string) == 0)
					return v->string;
		if (v->child && depth <= CJSON_NESTING_LIMIT)
			stack[depth++] = v->child;
	}
	return NULL;
}

static int fail_at(struct bytes text, size_t at, struct diag *d, const char *what)
{
	size_t line = 1, column = 1;

	for (size_t i = 0; i < at && i < text.len; i++) {
		column = text.data[i] == '\n' ? 1 : column + 1;
		line += text.data[i] == '\n';
	}
	return diag_fail(d, -EINVAL, "%s at line %zu, column %zu", what, line, column);
}

static size_t skip_space(struct bytes b, size_t at)
{
	while (at < b.len && (b.data[at] == ' ' || (b.data[at] >= '\t' && b.data[at] <= '\r')))
		at++;
	return at;
}

/*
 * cJSON does not say whether the text is wrong or memory ran out. What was wrong once is so twice,
 * and where memory ran out for good, nothing else can be had either.
 */
static cJSON *parse(struct bytes text, const char **end)
{
	cJSON *json = cJSON_ParseWithLengthOpts((const char *)text.data, text.len, end, 0);

	return json ? json : cJSON_ParseWithLengthOpts((const char *)text.data, text.len, end, 0);
}

static bool has_memory(void)
{
	void *volatile probe = malloc(sizeof(cJSON)); /* volatile: or the compiler knows better */
	bool got = probe != NULL;

	free(probe);
	return got;
}

int json_parse(struct bytes text, enum json_flags flags, struct diag *d, cJSON **ret,
	       size_t *ret_used)
{
	CLEANUP(str_release) struct str quoted = { 0 };
	CLEANUP(json_release) cJSON *json = NULL;
	const char *end = NULL, *twice;
	struct bytes q;
	size_t used;

	quote_odd_numbers(text, flags, &quoted);
	if (str_error(&quoted))
		return diag_fail(d, str_error(&quoted), "JSON text of %zu bytes is too large",
				 text.len);
	q = bytes_of(str_text(&quoted), quoted.len);
	json = parse(q, &end);
	used = end ? (size_t)((const uint8_t *)end - q.data) : 0;
	if (!json && !has_memory())
		return diag_fail(d, -ENOMEM, "no memory for JSON text of %zu bytes", text.len);
	if (!json)
		return fail_at(q, used, d, "not valid JSON");
	if (!ret_used && skip_space(q, used) < q.len)
		return fail_at(q, skip_space(q, used), d, "text after the end of the JSON value");
	if (flags & JSON_STRICT) {
		twice = find_duplicate(json);
		if (twice)
			return diag_fail(d, -EINVAL, "the key \"%s\" stands twice in one object",
					 twice);
	}
	if (ret_used)
		*ret_used = unquoted_place(text, flags, used);
	*ret = json;
	json = NULL;
	return 0;
}

void json_release(cJSON **json)
{
	cJSON_Delete(*json);
}

const cJSON *json_member(const cJSON *o, const char *name)
{
	return cJSON_IsObject(o) ? cJSON_GetObjectItemCaseSensitive(o, name) : NULL;
}

const cJSON *json_path(const cJSON *o, const char *path)
{
	char name[64];

	for (;;) {
		size_t n = strcspn(path, ".");

		if (n >= sizeof(name))
			return NULL;
		memcpy(name, path, n);
		name[n] = '\0';
		o = json_member(o, name);
		if (!o || !path[n])
			return o;
		path += n + 1;
	}
}

static bool integer_from_text(const char *s, i128 *ret)
{
	bool negative = false;
	const char *end;
	u128 v;

	while (*s == ' ')
		s++;
	if (*s == '-' || *s == '+')
		negative = *s++ == '-';
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		char *hex_end;
		unsigned long long hex;

		errno = 0;
		hex = strtoull(s + 2, &hex_end, 16);
		if (errno || hex_end == s + 2 || *hex_end)
			return false;
		*ret = negative ? -(i128)hex : (i128)hex;
		return true;
	}
	if (parse_grouped(s, &v, &end))
		return false;
	while (*end == ' ')
		end++;
	if (*end || v > (u128)I128_MAX)
		return false;
	*ret = negative ? -(i128)v : (i128)v;
	return true;
}

static bool integer_from_double(double v, i128 *ret)
{
	if (!isfinite(v) || v != floor(v) || fabs(v) >= 0x1p127)
		return false;
	*ret = (i128)v;
	return true;
}

bool json_integer(const cJSON *v, i128 *ret)
{
	double real;

	if (cJSON_IsNumber(v))
		return integer_from_double(v->valuedouble, ret);
	if (!cJSON_IsString(v))
		return false;
	if (integer_from_text(v->valuestring, ret))
		return true;
	return json_real(v, &real) && integer_from_double(real, ret);
}

bool json_real(const cJSON *v, double *ret)
{
	double real;
	char *end;

	if (cJSON_IsNumber(v)) {
		real = v->valuedouble;
	} else if (cJSON_IsString(v) && *v->valuestring) {
		real = strtod(v->valuestring, &end);
		if (*end)
			return false;
	} else {
		return false;
	}
	if (!isfinite(real))
		return false;
	*ret = real;
	return true;
}

const char *json_string(const cJSON *v)
{
	return cJSON_IsString(v) ? v->valuestring : NULL;
}

bool json_boolean(const cJSON *v, bool *ret)
{
	i128 i;

	if (cJSON_IsBool(v)) {
		*ret = cJSON_IsTrue(v);
		return true;
	}
	if (cJSON_IsString(v) && text_equal_nocase(v->valuestring, "true")) {
		*ret = true;
		return true;
	}
	if (cJSON_IsString(v) && text_equal_nocase(v->valuestring, "false")) {
		*ret = false;
		return true;
	}
	if (json_integer(v, &i) && (i == 0 || i == 1)) {
		*ret = i == 1;
		return true;
	}
	return false;
}

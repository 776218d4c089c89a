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

/* Is s the first n bytes of `name`? Most keys differ soon, so that a call would cost more. */
static bool same_name(const char *s, const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] != name[i])
			return false;
	return !s[n];
}

static const cJSON *find_member(const cJSON *o, const char *name, size_t n)
{
	if (!o || (o->type & 0xff) != cJSON_Object)
		return NULL;
	for (const cJSON *m = o->child; m; m = m->next)
		if (m->string && same_name(m->string, name, n))
			return m;
	return NULL;
}

const cJSON *json_member(const cJSON *o, const char *name)
{
	return find_member(o, name, strlen(name));
}

const cJSON *json_path(const cJSON *o, const char *path)
{
	for (;;) {
		size_t n = 0;

		while (path[n] && path[n] != '.')
			n++;
		o = find_member(o, path, n);
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

/* SPDX-License-Identifier: MIT */
#include "db/object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

int place_fail(const struct place *at, int err, const char *fmt, ...)
{
	char text[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return diag_fail(at->d, err, "%s: %s%s%s", at->file, at->family, *at->family ? ": " : "",
			 text);
}

static bool store_unsigned(void *target, size_t size, uint64_t v)
{
	switch (size) {
	case 1:
		*(uint8_t *)target = (uint8_t)v;
		return v <= UINT8_MAX;
	case 2:
		*(uint16_t *)target = (uint16_t)v;
		return v <= UINT16_MAX;
	case 4:
		*(uint32_t *)target = (uint32_t)v;
		return v <= UINT32_MAX;
	default:
		*(uint64_t *)target = v;
		return true;
	}
}

static int read_unsigned(const struct place *at, const struct key *k, const cJSON *v, void *target)
{
	i128 n;

	if (!cJSON_IsNumber(v) || !json_integer(v, &n) || n < 0 || n > INT64_MAX ||
	    !store_unsigned(target, k->size, (uint64_t)n))
		return place_fail(at, -EINVAL, "\"%s\" is no whole number in its range", k->name);
	return 0;
}

static int read_celsius(const struct place *at, const struct key *k, const cJSON *v, void *target)
{
	i128 n;

	if (!cJSON_IsNumber(v) || !json_integer(v, &n) || n < -60 || n > 150)
		return place_fail(at, -EINVAL, "\"%s\" is no temperature in degrees Celsius",
				  k->name);
	*(int32_t *)target = (int32_t)n;
	return 0;
}

static int read_text(const struct place *at, const struct key *k, const cJSON *v, void *target)
{
	if (!cJSON_IsString(v) || !text_is_clean(v->valuestring))
		return place_fail(at, -EINVAL, "\"%s\" is no plain text", k->name);
	if (!text_copy(target, k->size, v->valuestring))
		return place_fail(at, -EINVAL, "\"%s\" is longer than %zu bytes", k->name,
				  k->size - 1);
	return 0;
}

static int read_real(const struct place *at, const struct key *k, const cJSON *v, void *target)
{
	double n;

	if (!cJSON_IsNumber(v) || !json_real(v, &n) || n < 0 || n > 1e12)
		return place_fail(at, -EINVAL, "\"%s\" is no number in its range", k->name);
	*(double *)target = n;
	return 0;
}

static int read_confidence(const struct place *at, const struct key *k, const cJSON *v,
			   void *target)
{
	for (int c = CONFIDENCE_PROVEN; c <= CONFIDENCE_UNKNOWN; c++)
		if (cJSON_IsString(v) &&
		    strcmp(v->valuestring, confidence_name((enum confidence)c)) == 0) {
			*(enum confidence *)target = (enum confidence)c;
			return 0;
		}
	return place_fail(at, -EINVAL, "\"%s\" is none of proven, high, medium, low, unknown",
			  k->name);
}

static int read_ids(const struct place *at, const struct key *k, const cJSON *v, void *object)
{
	size_t *n = (size_t *)((char *)object + k->has);
	uint8_t *ids = (uint8_t *)object + k->off;
	const cJSON *item;

	if (!cJSON_IsArray(v))
		return place_fail(at, -EINVAL, "\"%s\" is no list of attribute numbers", k->name);
	cJSON_ArrayForEach(item, v)
	{
		i128 id;

		if (!cJSON_IsNumber(item) || !json_integer(item, &id) || id < 1 || id > 255)
			return place_fail(at, -EINVAL, "\"%s\": not an attribute number", k->name);
		if (*n == k->size)
			return place_fail(at, -EINVAL, "\"%s\": more than %zu numbers", k->name,
					  k->size);
		ids[(*n)++] = (uint8_t)id;
	}
	return 0;
}

static int read_key(const struct place *at, const struct key *k, const cJSON *v, void *object)
{
	void *target = (char *)object + k->off;

	switch (k->type) {
	case KEY_TEXT:
		return read_text(at, k, v, target);
	case KEY_UNSIGNED:
		return read_unsigned(at, k, v, target);
	case KEY_CELSIUS:
		return read_celsius(at, k, v, target);
	case KEY_REAL:
		return read_real(at, k, v, target);
	case KEY_CONFIDENCE:
		return read_confidence(at, k, v, target);
	case KEY_BOOL:
		if (!cJSON_IsBool(v))
			return place_fail(at, -EINVAL, "\"%s\" is neither true nor false", k->name);
		*(bool *)target = cJSON_IsTrue(v);
		return 0;
	case KEY_IDS:
		return read_ids(at, k, v, object);
	case KEY_CUSTOM:
		break;
	}
	return k->read(at, v, object);
}

static const struct key *find_key(const struct key *keys, size_t nkeys, const char *name)
{
	for (size_t i = 0; i < nkeys; i++)
		if (strcmp(keys[i].name, name) == 0)
			return &keys[i];
	return NULL;
}

int object_read(const struct place *at, const char *what, const cJSON *o, const struct key *keys,
		size_t nkeys, void *object)
{
	const cJSON *v;

	if (!cJSON_IsObject(o))
		return place_fail(at, -EINVAL, "%s is no object", what);
	cJSON_ArrayForEach(v, o)
	{
		const struct key *k = find_key(keys, nkeys, v->string);
		int err;

		if (!k)
			return place_fail(at, -EINVAL, "%s: unknown key \"%s\"", what, v->string);
		err = read_key(at, k, v, object);
		if (err)
			return err;
		if (k->has != KEY_NO_HAS && k->type != KEY_IDS)
			*(bool *)((char *)object + k->has) = true;
	}
	for (size_t i = 0; i < nkeys; i++)
		if ((keys[i].flags & KEY_REQUIRED) && !json_member(o, keys[i].name))
			return place_fail(at, -EINVAL, "%s: \"%s\" is missing", what, keys[i].name);
	return 0;
}

int objects_read(const struct place *at, const char *what, const cJSON *list,
		 const struct key *keys, size_t nkeys, size_t size, size_t max, void **ret,
		 size_t *ret_n)
{
	size_t n = (size_t)cJSON_GetArraySize(list), i = 0;
	CLEANUP(cleanup_free) char *objects = NULL;
	const cJSON *item;

	if (!cJSON_IsArray(list))
		return place_fail(at, -EINVAL, "\"%s\" is no list", what);
	if (n > max)
		return place_fail(at, -EINVAL, "\"%s\" has more than %zu entries", what, max);
	objects = calloc(n + 1, size);
	if (!objects)
		return -ENOMEM;
	cJSON_ArrayForEach(item, list)
	{
		int err = object_read(at, what, item, keys, nkeys, objects + size * i++);

		if (err)
			return err;
	}
	*ret = objects;
	*ret_n = n;
	objects = NULL;
	return 0;
}

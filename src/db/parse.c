/* SPDX-License-Identifier: MIT */
#include "db/parse.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *name;
	enum trim_quirk quirk;
} trim_names[] = {
	{ "corrupts", TRIM_CORRUPTS },
	{ "queued-corrupts", TRIM_QUEUED_CORRUPTS },
	{ "no-speed-gain", TRIM_NO_SPEED_GAIN },
	{ "zeroes", TRIM_ZEROES },
};

static const char *const over_names[] = {
	[OVER_TEMPERATURE_UNKNOWN] = "unknown",
	[OVER_TEMPERATURE_THROTTLES] = "throttles",
	[OVER_TEMPERATURE_SWITCHES_OFF] = "switches-off",
};

const char *trim_quirk_name(enum trim_quirk quirk)
{
	for (size_t i = 0; i < ARRAY_SIZE(trim_names); i++)
		if (trim_names[i].quirk == quirk)
			return trim_names[i].name;
	return "";
}

const char *over_temperature_name(enum over_temperature over)
{
	return over_names[over];
}

static int read_trim(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	const cJSON *item;

	if (!cJSON_IsArray(v))
		return place_fail(at, -EINVAL, "\"trim\" is no list");
	cJSON_ArrayForEach(item, v)
	{
		unsigned found = 0;

		for (size_t i = 0; i < ARRAY_SIZE(trim_names) && cJSON_IsString(item); i++)
			if (strcmp(trim_names[i].name, item->valuestring) == 0)
				found = trim_names[i].quirk;
		if (!found)
			return place_fail(at, -EINVAL, "\"trim\": unknown word");
		f->trim_quirks |= found;
	}
	return 0;
}

static int read_over(const struct place *at, const cJSON *v, void *object)
{
	for (size_t i = 0; i < ARRAY_SIZE(over_names); i++)
		if (cJSON_IsString(v) && strcmp(over_names[i], v->valuestring) == 0) {
			((struct heat *)object)->over = (enum over_temperature)i;
			return 0;
		}
	return place_fail(at, -EINVAL, "\"over\" is none of throttles, switches-off");
}

#define HEAT(member)	 KEY_AT(struct heat, member)
#define HEAT_HAS(member) KEY_HAS(struct heat, member)

static const struct key heat_keys[] = {
	{ "limit_celsius", KEY_CELSIUS, 0, HEAT(limit_celsius), HEAT_HAS(has_limit), NULL },
	{ "shutdown_celsius", KEY_CELSIUS, 0, HEAT(shutdown_celsius), HEAT_HAS(has_shutdown),
	  NULL },
	{ "over", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_over },
};

static int read_heat(const struct place *at, const cJSON *v, void *object)
{
	return object_read(at, "temperature", v, heat_keys, ARRAY_SIZE(heat_keys),
			   &((struct family *)object)->heat);
}

#define TRAIT(member)	  KEY_AT(struct traits, member)
#define TRAIT_HAS(member) KEY_HAS(struct traits, member)

static const struct key trait_keys[] = {
	{ "compresses", KEY_BOOL, 0, TRAIT(compresses), TRAIT_HAS(has_compresses), NULL },
	{ "hot_plug_unsafe", KEY_BOOL, 0, TRAIT(hot_plug_unsafe), TRAIT_HAS(has_hot_plug_unsafe),
	  NULL },
	{ "statistics_sectors_wrap", KEY_BOOL, 0, TRAIT(wraps_32), TRAIT_HAS(has_wraps_32), NULL },
	{ "statistics_percent_stuck", KEY_BOOL, 0, TRAIT(percent_stuck),
	  TRAIT_HAS(has_percent_stuck), NULL },
	{ "pending_is_transient", KEY_BOOL, 0, TRAIT(transient), TRAIT_HAS(has_transient), NULL },
};

static int read_traits(const struct place *at, const cJSON *v, void *object)
{
	return object_read(at, "traits", v, trait_keys, ARRAY_SIZE(trait_keys),
			   &((struct family *)object)->traits);
}

static int read_layouts(const struct place *at, const cJSON *v, void *object)
{
	struct family *f = object;
	const cJSON *item;

	if (!cJSON_IsArray(v) || cJSON_GetArraySize(v) > RULE_LAYOUTS_MAX)
		return place_fail(at, -EINVAL, "\"logs\" is no list of at most %d layouts",
				  RULE_LAYOUTS_MAX);
	cJSON_ArrayForEach(item, v)
	{
		const struct log_layout *layout = cJSON_IsString(item)
							  ? layout_by_name(item->valuestring)
							  : NULL;

		if (!layout)
			return place_fail(at, -EINVAL, "\"logs\": no layout has the name %s",
					  cJSON_IsString(item) ? item->valuestring : "that stands");
		f->layouts[f->nlayouts++] = layout;
	}
	return 0;
}

#define FAMILY(member) KEY_AT(struct family, member)

static const struct key pages_keys[] = {
	{ "host", KEY_UNSIGNED, KEY_REQUIRED, FAMILY(host_pages_id), KEY_NO_HAS, NULL },
	{ "controller", KEY_UNSIGNED, KEY_REQUIRED, FAMILY(ftl_pages_id), KEY_NO_HAS, NULL },
};

static int read_pages(const struct place *at, const cJSON *v, void *object)
{
	return object_read(at, "flash_pages", v, pages_keys, ARRAY_SIZE(pages_keys), object);
}

static const struct key family_keys[] = {
	{ "family", KEY_TEXT, KEY_REQUIRED, FAMILY(name), KEY_NO_HAS, NULL },
	{ "extends", KEY_TEXT, 0, FAMILY(extends), KEY_NO_HAS, NULL },
	{ "abstract", KEY_BOOL, 0, FAMILY(abstract), KEY_NO_HAS, NULL },
	{ "every_drive", KEY_BOOL, 0, FAMILY(every), KEY_NO_HAS, NULL },
	{ "confidence", KEY_CONFIDENCE, 0, FAMILY(confidence), KEY_NO_HAS, NULL },
	{ "match", KEY_CUSTOM, 0, 0, 0, KEY_HAS(struct family, has_match), family_read_match },
	{ "examples", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, family_read_examples },
	{ "attributes", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, family_read_attributes },
	{ "flash_pages", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_pages },
	{ "logs", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_layouts },
	{ "ratings", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, family_read_ratings },
	{ "hazards", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, family_read_hazards },
	{ "claims", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, family_read_claims },
	{ "traits", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_traits },
	{ "trim", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_trim },
	{ "temperature", KEY_CUSTOM, 0, 0, 0, KEY_NO_HAS, read_heat },
	{ "newest_firmware", KEY_TEXT, 0, FAMILY(newest_firmware), KEY_NO_HAS, NULL },
};

int family_read(const struct place *at, const cJSON *o, struct family *ret)
{
	const char *name = json_string(json_member(o, "family"));
	struct place in = *at;
	int err;

	in.family = name && text_is_clean(name) ? name : "";
	ret->base = -1;
	err = object_read(&in, "family", o, family_keys, ARRAY_SIZE(family_keys), ret);
	if (err)
		return err;
	if (ret->abstract == ret->has_match)
		return place_fail(&in, -EINVAL,
				  "a family has either \"match\" or \"abstract\": true");
	return 0;
}

void family_release(struct family *f)
{
	free(f->ratings);
	free(f->examples);
	free(f->meanings);
	free(f->hazards);
	free(f->claims);
}

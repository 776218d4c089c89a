/* SPDX-License-Identifier: MIT */
#include "db/rules.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "db/parse.h"

/* The text is kept for the life of the rules; -ENOMEM. */
static int keep_text(struct rules *rules, const char *s, const char **ret)
{
	char **texts = realloc(rules->texts, (rules->ntexts + 1) * sizeof(*texts));
	char *copy = strdup(s);

	if (texts)
		rules->texts = texts;
	if (!texts || !copy) {
		free(copy);
		return -ENOMEM;
	}
	texts[rules->ntexts++] = copy;
	*ret = copy;
	return 0;
}

static int grow(struct rules *rules)
{
	size_t cap = rules->cap ? rules->cap * 2 : 64;
	struct family *families;

	if (rules->n < rules->cap)
		return 0;
	families = realloc(rules->families, cap * sizeof(*families));
	if (!families)
		return -ENOMEM;
	rules->families = families;
	rules->cap = cap;
	return 0;
}

static int add_family(struct rules *rules, const struct place *at, const cJSON *o,
		      const char *vendor, bool override)
{
	struct family *f;
	int err = grow(rules);

	if (err)
		return err;
	f = &rules->families[rules->n];
	memset(f, 0, sizeof(*f));
	f->file = at->file;
	f->vendor = vendor;
	f->override = override;
	f->confidence = CONFIDENCE_HIGH;
	err = family_read(at, o, f);
	if (err) {
		family_release(f);
		return err;
	}
	rules->n++;
	return 0;
}

struct file_head {
	char vendor[48], about[400];
	const cJSON *families;
};

static int read_families(const struct place *at, const cJSON *v, void *object)
{
	if (!cJSON_IsArray(v))
		return place_fail(at, -EINVAL, "\"families\" is no list");
	((struct file_head *)object)->families = v;
	return 0;
}

static const struct key file_keys[] = {
	{ "vendor", KEY_TEXT, KEY_REQUIRED, KEY_AT(struct file_head, vendor), KEY_NO_HAS, NULL },
	{ "about", KEY_TEXT, 0, KEY_AT(struct file_head, about), KEY_NO_HAS, NULL },
	{ "families", KEY_CUSTOM, KEY_REQUIRED, 0, 0, KEY_NO_HAS, read_families },
};

static int read_file(struct rules *rules, const struct rules_file *file, struct diag *d)
{
	struct diag json_diag = { .err = 0 };
	struct file_head head = { .families = NULL };
	struct place at = {
		.file = file->name, .family = "", .d = d, .test_patterns = file->override
	};
	CLEANUP(json_release) cJSON *root = NULL;
	const char *vendor, *name;
	const cJSON *o;
	int err = json_parse(file->text, JSON_STRICT, &json_diag, &root, NULL);

	if (err)
		return place_fail(&at, err, "%s", *json_diag.text ? json_diag.text : "no memory");
	err = object_read(&at, "file", root, file_keys, ARRAY_SIZE(file_keys), &head);
	if (!err)
		err = keep_text(rules, head.vendor, &vendor);
	if (!err)
		err = keep_text(rules, file->name, &name);
	if (err)
		return err;
	at.file = name;
	cJSON_ArrayForEach(o, head.families)
	{
		err = add_family(rules, &at, o, vendor, file->override);
		if (err)
			return err;
	}
	return 0;
}

/* The last family of that name in front of `before`, else the first one behind it. */
static ssize_t find_base(const struct rules *rules, const char *name, size_t before)
{
	for (size_t i = before; i-- > 0;)
		if (strcmp(rules->families[i].name, name) == 0)
			return (ssize_t)i;
	for (size_t i = before + 1; i < rules->n; i++)
		if (strcmp(rules->families[i].name, name) == 0)
			return (ssize_t)i;
	return -1;
}

static int link_bases(struct rules *rules, struct diag *d)
{
	for (size_t i = 0; i < rules->n; i++) {
		struct family *f = &rules->families[i];
		struct place at = { .file = f->file, .family = f->name, .d = d };

		if (!*f->extends)
			continue;
		f->base = find_base(rules, f->extends, i);
		if (f->base < 0)
			return place_fail(&at, -EINVAL, "\"extends\": there is no family \"%s\"",
					  f->extends);
	}
	for (size_t i = 0; i < rules->n; i++) {
		struct place at = { .file = rules->families[i].file,
				    .family = rules->families[i].name,
				    .d = d };
		size_t depth = 0;

		for (ssize_t b = (ssize_t)i; b >= 0; b = rules->families[b].base)
			if (depth++ > EXTENDS_DEPTH_MAX)
				return place_fail(&at, -EINVAL, "\"extends\" runs in a circle");
	}
	return 0;
}

int rules_parse(const struct rules_file *files, size_t n, struct diag *d, struct rules **ret)
{
	struct rules *rules = calloc(1, sizeof(*rules));
	int err = rules ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < n; i++)
		err = read_file(rules, &files[i], d);
	if (!err)
		err = link_bases(rules, d);
	if (err) {
		rules_free(rules);
		return err == -ENOMEM ? diag_fail(d, err, "no memory for the drive rules") : err;
	}
	*ret = rules;
	return 0;
}

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	for (size_t i = 0; i < rules->n; i++)
		family_release(&rules->families[i]);
	for (size_t i = 0; i < rules->ntexts; i++)
		free(rules->texts[i]);
	free(rules->texts);
	free(rules->families);
	free(rules);
}

bool rules_family_at(const struct rules *rules, size_t n, struct rules_family *ret)
{
	const struct family *f;

	if (n >= rules->n)
		return false;
	f = &rules->families[n];
	*ret = (struct rules_family){
		.file = f->file,
		.vendor = f->vendor,
		.family = f->name,
		.model = f->match.model.text,
		.firmware = f->match.firmware.text,
		.confidence = f->confidence,
		.abstract = f->abstract,
		.nmeanings = f->nmeanings,
		.nratings = f->nratings,
		.nhazards = f->nhazards,
	};
	return true;
}

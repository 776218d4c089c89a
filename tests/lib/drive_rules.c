/* SPDX-License-Identifier: MIT */
#include "lib/drive_rules.h"

#include <assert.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define FILES_MAX 64
#define FILE_MAX  ((size_t)1 << 20)

static size_t read_file(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	size_t n;

	assert(f);
	n = fread(buf, 1, size, f);
	assert(n < size);
	fclose(f);
	return n;
}

const struct rules *tree_rules(void)
{
	static struct rules *rules;
	static char *texts[FILES_MAX];
	struct rules_file files[FILES_MAX];
	struct diag d = { .err = 0 };
	glob_t g = { .gl_pathc = 0 };

	if (rules)
		return rules;
	if (glob("db/*.json", 0, NULL, &g) != 0 || g.gl_pathc > FILES_MAX)
		abort();
	for (size_t i = 0; i < g.gl_pathc; i++) {
		texts[i] = malloc(FILE_MAX);
		assert(texts[i]);
		files[i] = (struct rules_file){
			.name = strrchr(g.gl_pathv[i], '/') + 1,
			.text = bytes_of(texts[i], read_file(g.gl_pathv[i], texts[i], FILE_MAX)),
		};
	}
	if (rules_parse(files, g.gl_pathc, &d, &rules) < 0) {
		fprintf(stderr, "%s\n", d.text);
		abort();
	}
	for (size_t i = 0; i < g.gl_pathc; i++)
		free(texts[i]);
	globfree(&g);
	return rules;
}

void drive_init(struct reading *r, const char *model, const char *firmware, uint64_t gb)
{
	reading_init(r);
	r->identity.protocol = PROTOCOL_ATA;
	r->identity.logical_block_bytes = 512;
	r->identity.has_capacity = gb > 0;
	r->identity.capacity_bytes = gb * 1000 * 1000 * 1000;
	text_copy(r->identity.model, sizeof(r->identity.model), model);
	text_copy(r->identity.firmware, sizeof(r->identity.firmware), firmware);
}

void drive_attribute(struct reading *r, uint8_t id, uint8_t value, uint64_t raw)
{
	assert(r->nattributes < ATTRIBUTES_MAX);
	r->attributes[r->nattributes++] = (struct attribute){
		.id = id,
		.has_value = true,
		.has_worst = true,
		.has_raw = true,
		.value = value,
		.worst = value,
		.raw = raw,
		.raw_bytes = raw >> 48 ? 7 : 6,
	};
}

void drive_number(struct reading *r, const char *layout, const char *field, i128 number)
{
	int err = reading_add_number(r, layout, field, 0, 0, number, BOUND_EXACT);

	assert(!err);
}

const struct drive_rule *drive_rule_of(const struct reading *r)
{
	static struct drive_rule rule;

	rules_match(tree_rules(), r, &rule);
	return &rule;
}

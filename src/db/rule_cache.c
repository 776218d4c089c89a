/* SPDX-License-Identifier: MIT */
#include "db/rule_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define KINDS_MAX 256 /* of 30 kB each */

/* All that rules_match looks at, in words without padding: it is compared as bytes. */
struct kind {
	char model[MODEL_MAX], firmware[FW_MAX];
	uint64_t attributes[4]; /* a bit for each id */
	uint64_t capacity_bytes, has_capacity, protocol;
};
static_assert(sizeof(struct kind) == MODEL_MAX + FW_MAX + 7 * sizeof(uint64_t), "no padding");

struct entry {
	struct kind kind;
	struct drive_rule rule;
};

struct rule_cache {
	const struct rules *rules;
	uint64_t hashes[KINDS_MAX];
	struct entry *entries[KINDS_MAX];
	size_t n, oldest; /* the next to go once all are taken */
};

struct rule_cache *rule_cache_new(const struct rules *rules)
{
	struct rule_cache *cache = calloc(1, sizeof(*cache));

	if (cache)
		cache->rules = rules;
	return cache;
}

void rule_cache_free(struct rule_cache **cache)
{
	if (*cache)
		for (size_t i = 0; i < (*cache)->n; i++)
			free((*cache)->entries[i]);
	free(*cache);
	*cache = NULL;
}

static void kind_of(const struct reading *r, struct kind *ret)
{
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->model, r->identity.model, strlen(r->identity.model));
	memcpy(ret->firmware, r->identity.firmware, strlen(r->identity.firmware));
	for (size_t i = 0; i < r->nattributes; i++)
		ret->attributes[r->attributes[i].id / 64] |= UINT64_C(1)
							     << r->attributes[i].id % 64;
	ret->protocol = r->identity.protocol;
	ret->has_capacity = r->identity.has_capacity;
	ret->capacity_bytes = r->identity.capacity_bytes;
}

/* FNV-1a, a word at a time. */
static uint64_t hash_of(const struct kind *kind)
{
	uint64_t words[sizeof(*kind) / sizeof(uint64_t)], h = UINT64_C(0xcbf29ce484222325);

	memcpy(words, kind, sizeof(words));
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		h = (h ^ words[i]) * UINT64_C(0x100000001b3);
		h ^= h >> 32;
	}
	return h;
}

/* A place for one more: the oldest one's where all are taken. */
static struct entry *take_place(struct rule_cache *cache, uint64_t hash)
{
	size_t at = cache->n;

	if (at == KINDS_MAX) {
		at = cache->oldest;
		cache->oldest = (cache->oldest + 1) % KINDS_MAX;
	} else {
		cache->entries[at] = malloc(sizeof(*cache->entries[at]));
		if (!cache->entries[at])
			return NULL;
		cache->n++;
	}
	cache->hashes[at] = hash;
	return cache->entries[at];
}

const struct drive_rule *rule_cache_match(struct rule_cache *cache, const struct reading *r)
{
	struct entry *entry;
	struct kind kind;
	uint64_t hash;

	kind_of(r, &kind);
	hash = hash_of(&kind);
	for (size_t i = 0; i < cache->n; i++)
		if (cache->hashes[i] == hash &&
		    memcmp(&cache->entries[i]->kind, &kind, sizeof(kind)) == 0)
			return cache->entries[i]->rule.out_of_memory ? NULL
								     : &cache->entries[i]->rule;
	entry = take_place(cache, hash);
	if (!entry)
		return NULL;
	entry->kind = kind;
	rules_match(cache->rules, r, &entry->rule);
	return entry->rule.out_of_memory ? NULL : &entry->rule;
}

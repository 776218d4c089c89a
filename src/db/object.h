/* SPDX-License-Identifier: MIT */
#ifndef DB_OBJECT_H
#define DB_OBJECT_H

#include "base/json.h"
#include "decode/fact.h"

/*
 * Reading an object of a rule file by a table of its keys: an unknown key, a wrong type and a
 * missing required key are errors that name file, family and key.
 */

struct place {
	const char *file, *family; /* where we are, for messages; family may be "" */
	struct diag *d;
	bool test_patterns; /* compile every regular expression once */
};

enum key_type {
	KEY_TEXT,	/* char[size] */
	KEY_UNSIGNED,	/* uint8_t, uint16_t, uint32_t or uint64_t by size */
	KEY_CELSIUS,	/* int32_t */
	KEY_REAL,	/* double, not negative */
	KEY_BOOL,	/* bool */
	KEY_CONFIDENCE, /* enum confidence */
	KEY_IDS,	/* uint8_t[size], count in the size_t at `has` */
	KEY_CUSTOM,	/* read() */
};

#define KEY_REQUIRED (1 << 0)

struct key {
	const char *name;
	enum key_type type;
	unsigned flags;
	size_t off, size; /* of the target in the object's struct */
	/* offset of a bool that is set where the key is there (or of a count); SIZE_MAX: none */
	size_t has;
	int (*read)(const struct place *at, const cJSON *v, void *object);
};

#define KEY_AT(struct_, member)	 offsetof(struct_, member), sizeof(((struct_ *)NULL)->member)
#define KEY_HAS(struct_, member) offsetof(struct_, member)
#define KEY_NO_HAS		 SIZE_MAX

/* Fill `object` from o. -EINVAL (said in the diag), -ENOMEM. */
int object_read(const struct place *at, const char *what, const cJSON *o, const struct key *keys,
		size_t nkeys, void *object) MUST_USE;

/* Fail with file, family and key in front of the text; returns err. */
int place_fail(const struct place *at, int err, const char *fmt, ...) PRINTF(3, 4);

/* An array of objects, each read by `keys` into a newly allocated array of `size` bytes each. */
int objects_read(const struct place *at, const char *what, const cJSON *list,
		 const struct key *keys, size_t nkeys, size_t size, size_t max, void **ret,
		 size_t *ret_n) MUST_USE;

#endif

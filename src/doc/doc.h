/* SPDX-License-Identifier: MIT */
#ifndef DOC_DOC_H
#define DOC_DOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "base/u128.h"
#include "base/units.h"

/*
 * What a command answers: a tree of typed values for machines. Commands build one, a renderer
 * prints it; no command knows of formats. Allocation failures stick in the root: build freely, ask
 * doc_error once at the end.
 */

enum doc_kind {
	DOC_NULL,
	DOC_BOOL,
	DOC_INTEGER, /* with a unit: kept as in units.h, rendered exactly in the shown unit */
	DOC_REAL,
	DOC_STRING, /* any bytes; renderers make them safe */
	DOC_ARRAY,
	DOC_OBJECT,
};

struct doc {
	enum doc_kind kind;
	enum unit unit;
	bool boolean;
	i128 integer;
	double real;
	uint8_t digits; /* significant digits of a real */
	char *string;
	const char *key; /* static text, in an object; NULL in an array */
	struct doc *parent, *first, *last, *next;
};

/* A new object without a parent; NULL when out of memory. doc_free frees the whole tree. */
struct doc *doc_new(void);
void doc_free(struct doc *root);
void doc_release(struct doc **root); /* for CLEANUP */

/*
 * Each adds a member (or, with key NULL, an element) and returns it; NULL parent or a failed
 * allocation gives NULL, and all functions accept NULL. Keys must be static text.
 */
struct doc *doc_object(struct doc *parent, const char *key);
struct doc *doc_array(struct doc *parent, const char *key);
void doc_null(struct doc *parent, const char *key);
void doc_bool(struct doc *parent, const char *key, bool v);
void doc_integer(struct doc *parent, const char *key, i128 v, enum unit unit);
/* Not finite becomes null: no NaN or Infinity can leave the program. */
void doc_real(struct doc *parent, const char *key, double v, unsigned digits);
/* The number where it is known, else null. */
void doc_integer_if(struct doc *parent, const char *key, bool known, i128 v, enum unit unit);
void doc_real_if(struct doc *parent, const char *key, bool known, double v, unsigned digits);
/* NULL or "" become null. */
void doc_string(struct doc *parent, const char *key, const char *v);
void doc_stringf(struct doc *parent, const char *key, const char *fmt, ...) PRINTF(3, 4);

/* 0 or -ENOMEM for the whole tree (root NULL: -ENOMEM). */
int doc_error(const struct doc *root);

/* Lookup, for renderers and tests: member by key; NULL where there is none. */
const struct doc *doc_get(const struct doc *object, const char *key);

/*
 * One JSON object, two spaces a level, members in the order added. Integers above 2^53 get a
 * member "<key>_str" with the exact digits beside the rounded number; strings that are not clean
 * UTF-8 get invalid bytes replaced by U+FFFD and a member "<key>_hex" with the bytes.
 */
void doc_render_json(const struct doc *root, struct str *out);

/* As above in one line, for JSON Lines. */
void doc_render_json_line(const struct doc *root, struct str *out);

/*
 * RFC 4180 with a header line. rows is an array of flat objects with the same keys. A cell that a
 * spreadsheet would take for a formula is prefixed with a quote mark.
 */
void doc_render_csv(const struct doc *rows, struct str *out);

#endif
